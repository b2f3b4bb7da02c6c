// SPDX-License-Identifier: MIT
// Each sign is computed in doubles with an error bound first, then in integers. If all corners belong to one object,
// the ordinary predicates answer: a translation changes nothing.
#include "ask/penetration/moment/moment.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/pose.h"
#include "geometry/triangle/triangle.h"

static const double POSITION = 0x1p-50;    // relative error of a rounded position, and of a difference
static const double DETERMINANT = 0x1p-46; // of a determinant, relative to the product of its largest entries
static const double SMALL = 0x1p-200, LARGE = 0x1p300; // sizes at which products neither underflow nor overflow

void grz_moment_set(grz_moment *moment, const grz_path *path, const grz_instant *when)
{
    *moment = (grz_moment){.path = path, .when = *when};
    if (grz_instant_is_double(when)) {
        const double *const number = &when->at.nearest;
        const int shift = grz_integer_common_shift(&number, 1, 1);
        grz_integer_from_double(*number, shift, &moment->numerator);
        moment->denominator = (grz_integer){.sign = 1, .count = 1, .limb = {1}};
        moment->exponent = -shift;
    } else {
        grz_time_shorten(&moment->when.exact);
        grz_integer_copy(&moment->when.exact.numerator, &moment->numerator);
        grz_integer_copy(&moment->when.exact.denominator, &moment->denominator);
        moment->exponent = moment->when.exact.exponent;
    }
    double way = 0.0;
    for (int k = 0; k < 3; k++) { // the time itself may be too small, or too large, for a double
        grz_integer_multiply(&moment->numerator, &path->motion.exact[k], &moment->way[k]);
        moment->step[k] =
            grz_integer_quotient(&moment->way[k], &moment->denominator, moment->exponent - path->motion.shift);
        way = fmax(way, fabs(moment->step[k]));
    }
    const grz_object *const objects[2] = {path->a, path->b};
    for (int i = 0; i < 2; i++) {
        const grz_box box = grz_world_box(&objects[i]->pose, &objects[i]->mesh->bounds);
        for (int k = 0; k < 3; k++)
            moment->most = fmax(moment->most, fmax(fabs(box.min[k]), fabs(box.max[k])) + way);
    }
    moment->error = POSITION * moment->most + GRZ_UNDERFLOWS;
}

grz_moment_corner grz_moment_corner_of(const grz_moment *moment, const double at[3], bool moves)
{
    grz_moment_corner corner = {.moves = moves};
    for (int k = 0; k < 3; k++) {
        corner.at[k] = at[k];
        corner.now[k] = moves ? at[k] + moment->step[k] : at[k];
    }
    return corner;
}

// ---- Integers -----------------------------------------------------------------------------------------------------

// Coordinates of some corners as integers, all multiplied by q · 2^shift.
typedef struct scale {
    int shift;
    grz_integer way[3]; // q · t·v · 2^shift
} scale;

static bool is_too_long(const grz_moment *moment, int shift, int more)
{
    int exponent;
    frexp(moment->most, &exponent);
    int way = 0;
    for (int k = 0; k < 3; k++)
        way = moment->way[k].count > way ? moment->way[k].count : way;
    return (exponent + shift + 2) / 32 + 2 + moment->denominator.count > GRZ_MOMENT_LIMBS ||
           way + more / 32 + 2 > GRZ_MOMENT_LIMBS;
}

// False: the numbers are too long.
static bool set_scale(grz_moment *moment, const grz_moment_corner *const corners[], int count, scale *out)
{
    const double *points[4];
    for (int i = 0; i < count; i++)
        points[i] = corners[i]->at;
    const int common = grz_integer_common_shift(points, count, 3),
              least = moment->path->motion.shift - moment->exponent;
    out->shift = common > least ? common : least;
    if (is_too_long(moment, out->shift, out->shift - least)) {
        moment->too_long = true;
        return false;
    }
    for (int k = 0; k < 3; k++)
        grz_integer_shift_left(&moment->way[k], out->shift - least, &out->way[k]);
    return true;
}

// The way from one corner to another along axis k, multiplied by q · 2^shift.
static void way_between(const grz_moment *moment, const scale *s, const grz_moment_corner *from,
                        const grz_moment_corner *to, int k, grz_integer *out)
{
    grz_integer difference, product;
    grz_integer_difference(from->at[k], to->at[k], s->shift, &difference);
    grz_integer_multiply(&difference, &moment->denominator, &product);
    if (from->moves == to->moves)
        grz_integer_copy(&product, out);
    else
        grz_integer_add(&product, &s->way[k], to->moves ? 1 : -1, out);
}

// ---- Doubles ------------------------------------------------------------------------------------------------------

// Rounded edges from the first corner to the others. False: they are too small or too large for the bounds.
static bool edges_in_doubles(const grz_moment *moment, const grz_moment_corner *const corners[], int count,
                             double edges[][3], double *size)
{
    *size = 0.0;
    for (int i = 1; i < count; i++)
        for (int k = 0; k < 3; k++) {
            edges[i - 1][k] = corners[i]->now[k] - corners[0]->now[k];
            *size = fmax(*size, fabs(edges[i - 1][k]));
        }
    return *size > SMALL && moment->most < LARGE;
}

static int certain_sign(double value, double bound)
{
    return value > bound ? 1 : value < -bound ? -1 : 0;
}

// ---- Signs --------------------------------------------------------------------------------------------------------

static bool all_alike(const grz_moment_corner *const corners[], int count)
{
    for (int i = 1; i < count; i++)
        if (corners[i]->moves != corners[0]->moves)
            return false;
    return true;
}

int grz_moment_orient3d(grz_moment *moment, const grz_moment_corner *a, const grz_moment_corner *b,
                        const grz_moment_corner *c, const grz_moment_corner *d)
{
    const grz_moment_corner *const corners[4] = {a, b, c, d};
    double edges[3][3], size;
    if (all_alike(corners, 4))
        return grz_orient3d(a->at, b->at, c->at, d->at);
    if (edges_in_doubles(moment, corners, 4, edges, &size)) {
        const double(*w)[3] = (const double(*)[3])edges;
        const double value = w[0][0] * (w[1][1] * w[2][2] - w[1][2] * w[2][1]) +
                             w[0][1] * (w[1][2] * w[2][0] - w[1][0] * w[2][2]) +
                             w[0][2] * (w[1][0] * w[2][1] - w[1][1] * w[2][0]);
        const double least = 2.0 * size; // size: of an exact way, at most
        const int sign = certain_sign(value, least * least * (DETERMINANT * least + 64.0 * moment->error));
        if (sign != 0)
            return sign;
    }
    scale s;
    grz_integer exact[3][3], result;
    if (!set_scale(moment, corners, 4, &s))
        return 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            way_between(moment, &s, a, corners[i + 1], k, &exact[i][k]);
    grz_integer_determinant3(exact[0], exact[1], exact[2], &result);
    return result.sign;
}

int grz_moment_orient_projected(grz_moment *moment, int axis, const grz_moment_corner *a, const grz_moment_corner *b,
                                const grz_moment_corner *c)
{
    const grz_moment_corner *const corners[3] = {a, b, c};
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double edges[2][3], size;
    if (all_alike(corners, 3))
        return grz_orient_projected(axis, a->at, b->at, c->at);
    if (edges_in_doubles(moment, corners, 3, edges, &size)) {
        const double value = edges[0][x] * edges[1][y] - edges[0][y] * edges[1][x], least = 2.0 * size;
        const int sign = certain_sign(value, least * (DETERMINANT * least + 64.0 * moment->error));
        if (sign != 0)
            return sign;
    }
    scale s;
    grz_integer exact[2][2], result;
    if (!set_scale(moment, corners, 3, &s))
        return 0;
    for (int i = 0; i < 2; i++) {
        way_between(moment, &s, a, corners[i + 1], x, &exact[i][0]);
        way_between(moment, &s, a, corners[i + 1], y, &exact[i][1]);
    }
    grz_integer_determinant2(&exact[0][0], &exact[0][1], &exact[1][0], &exact[1][1], &result);
    return result.sign;
}

int grz_moment_compare(grz_moment *moment, int k, const grz_moment_corner *a, const grz_moment_corner *b)
{
    const grz_moment_corner *const corners[2] = {a, b};
    if (a->moves == b->moves)
        return (a->at[k] > b->at[k]) - (a->at[k] < b->at[k]);
    const int sign = certain_sign(a->now[k] - b->now[k], 4.0 * moment->error);
    scale s;
    grz_integer way;
    if (sign != 0 || !set_scale(moment, corners, 2, &s))
        return sign;
    way_between(moment, &s, b, a, k, &way);
    return way.sign;
}
