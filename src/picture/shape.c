// SPDX-License-Identifier: MIT
// The shape of contacts by principal components: the eigenvectors of the covariance of points that lie evenly on the
// segments.
#include "picture/shape.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "geometry/box.h"
#include "geometry/principal_axes.h"

static const double flat = 0.3;        // the least spread of a flat contact, at most, over the middle one
static const double thin = 1e-3;       // spread, over the largest one, below which a contact is no more than a line
static const double dot_weight = 1e-3; // of a point beside segments of length 1 in all

// Sums over points, relative to the middle, over the radius.
typedef struct moments {
    double weight, sum[3], square[3][3];
} moments;

static void add_point(moments *m, const double p[3], double weight)
{
    m->weight += weight;
    for (int i = 0; i < 3; i++) {
        m->sum[i] += weight * p[i];
        for (int j = 0; j < 3; j++)
            m->square[i][j] += weight * p[i] * p[j];
    }
}

static void relative(const grz_contact_shape *shape, const double at[3], double p[3])
{
    assert(shape->radius > 0.0);
    for (int j = 0; j < 3; j++)
        p[j] = (at[j] - shape->middle[j]) / shape->radius;
}

// A segment counts by its length: its ends and middle by Simpson's rule, which is exact for squares.
static void add_segment(moments *m, const double p[3], const double q[3])
{
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]},
                 length = sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
    const double middle[3] = {0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2])};
    add_point(m, p, length / 6.0);
    add_point(m, middle, length * 4.0 / 6.0);
    add_point(m, q, length / 6.0);
}

static void find_axes(double matrix[3][3], grz_contact_shape *shape)
{
    double axes[3][3];
    int order[3] = {0, 1, 2};
    grz_principal_axes(matrix, axes);
    for (int i = 0; i < 3; i++) // by size, the largest first
        for (int j = i + 1; j < 3; j++)
            if (matrix[order[j]][order[j]] > matrix[order[i]][order[i]]) {
                const int other = order[i];
                order[i] = order[j];
                order[j] = other;
            }
    for (int i = 0; i < 3; i++) {
        assert(i == 0 || !(matrix[order[i]][order[i]] > matrix[order[i - 1]][order[i - 1]]));
        memcpy(shape->axes[i], axes[order[i]], sizeof shape->axes[i]);
        shape->spread[i] = sqrt(fmax(matrix[order[i]][order[i]], 0.0));
    }
}

static double length_of(const double v[3])
{
    const double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    double square = 0.0;
    for (int j = 0; j < 3; j++)
        square += most > 0.0 ? (v[j] / most) * (v[j] / most) : 0.0;
    return most * sqrt(square);
}

static bool set_ball(const grz_picture_contents *contents, grz_contact_shape *shape)
{
    grz_box box = grz_box_empty();
    double half[3];
    for (size_t i = 0; i < contents->ends.count; i++)
        grz_box_add_point(&box, contents->ends.items[i].at);
    for (size_t i = 0; i < contents->dots.count; i++)
        grz_box_add_point(&box, contents->dots.items[i].at);
    if (grz_box_is_empty(&box))
        return false;
    for (int j = 0; j < 3; j++) {
        shape->middle[j] = 0.5 * box.min[j] + 0.5 * box.max[j];
        half[j] = box.max[j] - shape->middle[j];
    }
    shape->radius = length_of(half);
    return true;
}

grz_contact_shape grz_contact_shape_of(const grz_picture_contents *contents)
{
    grz_contact_shape shape = {.axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    moments m = {0};
    double covariance[3][3], p[3], q[3];
    shape.any = set_ball(contents, &shape);
    if (!(shape.radius > 0.0))
        return shape;
    for (size_t i = 0; i + 1 < contents->ends.count; i += 2) {
        relative(&shape, contents->ends.items[i].at, p);
        relative(&shape, contents->ends.items[i + 1].at, q);
        add_segment(&m, p, q);
    }
    for (size_t i = 0; i < contents->dots.count; i++) {
        relative(&shape, contents->dots.items[i].at, p);
        add_point(&m, p, dot_weight);
    }
    if (!(m.weight > 0.0)) // all segments are too short to have a length
        return shape;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            covariance[i][j] = m.square[i][j] / m.weight - m.sum[i] / m.weight * (m.sum[j] / m.weight);
    find_axes(covariance, &shape);
    return shape;
}

bool grz_contact_is_flat(const grz_contact_shape *shape)
{
    return shape->any && shape->spread[1] > thin * shape->spread[0] && shape->spread[2] < flat * shape->spread[1];
}
