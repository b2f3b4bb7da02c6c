// SPDX-License-Identifier: MIT
// Boxes: along the coordinates' axes, or the smallest of those along many proposed axes. The box is the set of all
// centre + Σ y[i]·axes[i]; the axes are perpendicular up to rounding only, so each half is grown by what that may add.
#include <string.h>

#include "ask/fit/fit_parts.h"
#include "base/control.h"
#include "geometry/vector.h"

enum {
    MOST_WORK = 30000000, // points that are projected, all proposals together
    MOST_PAIRED = 400,    // sides of faces, for pairs of edges
    BLOCK = 1 << 15       // points between two looks at the limits, which grz_fit_ended() takes every 2^15 steps
};

typedef struct search {
    const grz_fit_points *points;
    double axes[3][3], volume, work;
} search;

static void measure(const grz_fit_points *points, const double axes[3][3], double low[3], double high[3])
{
    for (int i = 0; i < 3; i++) {
        low[i] = HUGE_VAL;
        high[i] = -HUGE_VAL;
    }
    for (size_t first = 0; first < points->count && !grz_fit_ended(points->control, first); first += BLOCK) {
        const size_t end = points->count - first < BLOCK ? points->count : first + BLOCK;
        for (size_t p = first; p < end; p++)
            for (int i = 0; i < 3; i++) {
                const double y = grz_dot(points->at[p], axes[i]);
                low[i] = y < low[i] ? y : low[i];
                high[i] = y > high[i] ? y : high[i];
            }
    }
}

// Try axes. Boxes without volume are compared by the sum of their sides, far below all that have one.
static void propose(search *s, const double axes[3][3])
{
    double low[3], high[3], volume = 1.0, sides = 0.0;
    if (s->work > MOST_WORK)
        return;
    s->work += s->points->count;
    measure(s->points, axes, low, high);
    for (int i = 0; i < 3; i++) {
        volume *= high[i] - low[i];
        sides += high[i] - low[i];
    }
    volume += 1e-13 * sides;
    if (volume < s->volume) {
        s->volume = volume;
        memcpy(s->axes, axes, sizeof s->axes);
    }
}

// Axes from a first direction and a second one, which is made perpendicular.
static void propose_from(search *s, const double first[3], const double second[3])
{
    double axes[3][3];
    memcpy(axes[0], first, sizeof axes[0]);
    memcpy(axes[1], second, sizeof axes[1]);
    if (!grz_make_unit(axes[0]))
        return;
    for (int again = 0; again < 2; again++) {
        const double along = grz_dot(axes[0], axes[1]);
        for (int k = 0; k < 3; k++)
            axes[1][k] -= along * axes[0][k];
        if (!grz_make_unit(axes[1]))
            return;
    }
    grz_cross(axes[0], axes[1], axes[2]);
    if (grz_make_unit(axes[2]))
        propose(s, (const double(*)[3])axes);
}

static void side_of(const search *s, uint32_t face, uint32_t i, double out[3])
{
    const grz_hull_shape *shape = s->points->shape;
    const uint32_t end = shape->face_offsets[face + 1], after = i + 1 < end ? i + 1 : shape->face_offsets[face];
    for (int k = 0; k < 3; k++)
        out[k] = s->points->at[shape->corners[after]][k] - s->points->at[shape->corners[i]][k];
}

// A face's normal with each of its sides.
static void propose_faces(search *s)
{
    const grz_hull_shape *shape = s->points->shape;
    for (uint32_t f = 0; f < shape->face_count && s->work <= MOST_WORK && !grz_fit_ended(s->points->control, f); f++) {
        const uint32_t from = shape->face_offsets[f], end = shape->face_offsets[f + 1];
        double first[3], next[3], normal[3];
        side_of(s, f, from, first);
        side_of(s, f, from + 1, next);
        grz_cross(first, next, normal);
        for (uint32_t i = from; i < end && s->work <= MOST_WORK && !grz_fit_ended(s->points->control, i); i++) {
            side_of(s, f, i, next);
            propose_from(s, normal, next);
        }
    }
}

static void propose_pairs(search *s)
{
    const grz_hull_shape *shape = s->points->shape;
    for (uint32_t f = 0; f < shape->face_count && !grz_control_expired(s->points->control); f++)
        for (uint32_t i = shape->face_offsets[f]; i < shape->face_offsets[f + 1]; i++)
            for (uint32_t g = 0; g < shape->face_count; g++)
                for (uint32_t j = shape->face_offsets[g]; j < shape->face_offsets[g + 1]; j++) {
                    double first[3], second[3];
                    side_of(s, f, i, first);
                    side_of(s, g, j, second);
                    propose_from(s, first, second);
                }
}

// Set the halves so that all points are certainly inside.
static void grow(const grz_fit_points *points, grz_box_fit *box)
{
    double most[3] = {0.0}, size = 0.0;
    for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
        double way[3];
        grz_fit_way(points, p, box->centre, way);
        for (int i = 0; i < 3; i++) {
            most[i] = fmax(most[i], fabs(grz_dot(way, box->axes[i])));
            size = fmax(size, fabs(way[i]));
        }
    }
    for (int i = 0; i < 3; i++)
        box->half[i] = grz_fit_length_up(points, most[i] + grz_fit_axes_error(box->axes) * size);
}

// Along the coordinates' axes nothing is skewed, and the differences are rounded once.
static void grow_aligned(const grz_fit_points *points, grz_box_fit *box)
{
    for (int k = 0; k < 3; k++)
        box->half[k] = grz_fit_farthest_along(points, box->centre, k);
}

void grz_fit_box_around(const grz_fit_points *points, bool oriented, grz_box_fit *box)
{
    static const double units[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    search s = {.points = points, .volume = HUGE_VAL};
    double axes[3][3], low[3], high[3], centre[3] = {0.0}, volume = 1.0;
    *box = (grz_box_fit){.ratio = HUGE_VAL};
    memcpy(s.axes, units, sizeof units);
    propose(&s, units);
    if (oriented && points->extent > 0.0) {
        grz_fit_principal(points, axes);
        propose(&s, (const double(*)[3])axes);
        propose_faces(&s);
        if (points->shape->corner_count <= MOST_PAIRED)
            propose_pairs(&s);
    }
    memcpy(box->axes, s.axes, sizeof box->axes);
    measure(points, (const double(*)[3])s.axes, low, high);
    for (int i = 0; i < 3; i++) {
        volume *= high[i] - low[i];
        for (int k = 0; k < 3; k++)
            centre[k] += 0.5 * (low[i] + high[i]) * s.axes[i][k];
    }
    grz_fit_place(points, centre, box->centre);
    if (memcmp(s.axes, units, sizeof units) == 0)
        grow_aligned(points, box);
    else
        grow(points, box);
    if (points->volume > 0.0)
        box->ratio = volume / points->volume;
}
