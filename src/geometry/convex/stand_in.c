// SPDX-License-Identifier: MIT
// Corners are computed in doubles. Those that roundings have moved out of the set are moved in, until an exact test has
// them inside.
#include "geometry/convex/stand_in.h"

#include <math.h>
#include <string.h>

#include "geometry/exact/integer.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    RIM_CORNERS = 16,
    MOST_STEPS = 4,
    FEW_BITS = 24
};

// Whether (x / rx)² + (y / ry)² + (z / rz)² <= 1, exactly; 0 / 0 is 0. As sums of squares of products:
// (x ry rz)² + (y rx rz)² + (z rx ry)² <= (rx ry rz)².
static bool is_in_ellipsoid(const double p[3], const double r[3])
{
    double used[3] = {1.0, 1.0, 1.0};
    grz_integer coordinate[3], radius[3], sum = {.sign = 0}, product, other, square, next;
    const double *const both[2] = {p, used};
    for (int k = 0; k < 3; k++) {
        if (r[k] == 0.0 && p[k] != 0.0)
            return false;
        used[k] = r[k] == 0.0 ? 1.0 : r[k];
    }
    const int shift = grz_integer_common_shift(both, 2, 3);
    for (int k = 0; k < 3; k++) {
        grz_integer_from_double(p[k], shift, &coordinate[k]);
        grz_integer_from_double(used[k], shift, &radius[k]);
    }
    for (int k = 0; k < 3; k++) {
        grz_integer_multiply(&coordinate[k], &radius[(k + 1) % 3], &product);
        grz_integer_multiply(&product, &radius[(k + 2) % 3], &other);
        grz_integer_multiply(&other, &other, &square);
        grz_integer_add(&sum, &square, 1, &next);
        grz_integer_copy(&next, &sum);
    }
    grz_integer_multiply(&radius[0], &radius[1], &product);
    grz_integer_multiply(&product, &radius[2], &other);
    grz_integer_multiply(&other, &other, &square);
    return grz_integer_compare(&sum, &square) <= 0;
}

static void add(grz_stand_in *s, double x, double y, double z)
{
    if (s->convex.count == GRZ_STAND_IN_MAX)
        return;
    const double p[3] = {x, y, z};
    memcpy(s->local[s->convex.count++], p, sizeof p);
}

// Add a point, moved inwards until it is inside the ellipsoid, or ellipse, of these radii. And the one with few digits
// that is next to it, if it is inside: it may be what the point was before it was rounded.
static void add_inside(grz_stand_in *s, const double point[3], const double radii[3])
{
    int exponent;
    frexp(grz_largest(radii), &exponent);
    const double unit = ldexp(1.0, exponent - FEW_BITS);
    double p[3], few[3];
    memcpy(p, point, sizeof p);
    for (int k = 0; k < 3; k++)
        few[k] = nearbyint(point[k] / unit) * unit;
    if (is_in_ellipsoid(few, radii))
        add(s, few[0], few[1], few[2]);
    for (int step = 0; step < MOST_STEPS; step++) {
        if (is_in_ellipsoid(p, radii)) {
            add(s, p[0], p[1], p[2]);
            return;
        }
        for (int k = 0; k < 3; k++)
            p[k] = nextafter(p[k], 0.0);
    }
}

// Add the points of a cylinder's rims, or of a cone's rim, in a direction of the unit circle (of any length).
static void add_rim(grz_stand_in *s, const double half[3], double x, double y, bool is_cone)
{
    const double length = grz_hypotenuse(x, y), radii[3] = {half[0], half[1], 0.0};
    const double point[3] = {half[0] * x / length, half[1] * y / length, 0.0};
    if (!(length > 0.0))
        return;
    uint32_t i = s->convex.count;
    add_inside(s, point, radii);
    for (const uint32_t end = s->convex.count; i < end; i++) {
        s->local[i][2] = -half[2];
        if (!is_cone)
            add(s, s->local[i][0], s->local[i][1], half[2]);
    }
}

static void fill_cylinder(grz_stand_in *s, const grz_convex *round, const double m[3], const double towards[3])
{
    const bool is_cone = round->form == GRZ_CONVEX_CONE;
    const double *half = round->half;
    add(s, 0.0, 0.0, half[2]);
    add(s, 0.0, 0.0, -half[2]);
    add_rim(s, half, m[0], m[1], is_cone);
    add_rim(s, half, towards[0], towards[1], is_cone);
    for (int i = 0; i < RIM_CORNERS; i++) {
        static const double QUARTER[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
        double x, y;
        grz_sines(6.283185307179586 * i / RIM_CORNERS, &y, &x);
        if (4 * i % RIM_CORNERS == 0) { // exactly
            x = QUARTER[4 * i / RIM_CORNERS][0];
            y = QUARTER[4 * i / RIM_CORNERS][1];
        }
        add_rim(s, half, x, y, is_cone);
    }
}

static void fill_ellipsoid(grz_stand_in *s, const grz_convex *round, const double m[3])
{
    const double *half = round->half, length = sqrt(grz_dot(m, m));
    const double point[3] = {half[0] * m[0] / length, half[1] * m[1] / length, half[2] * m[2] / length};
    if (length > 0.0)
        add_inside(s, point, half);
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2)
            add(s, k == 0 ? side * half[0] : 0.0, k == 1 ? side * half[1] : 0.0, k == 2 ? side * half[2] : 0.0);
}

void grz_stand_in_make(const grz_convex *round, const double n[3], const double towards[3], const double origin[3],
                       double scale, grz_stand_in *out)
{
    double m[3], way[3], turned[3];
    for (int j = 0; j < 3; j++) {
        m[j] = 0.0;
        for (int k = 0; k < 3; k++)
            m[j] += n[k] * round->pose.m[k][j];
        m[j] *= round->half[j];
        way[j] = towards[j] - round->middle[j];
    }
    for (int j = 0; j < 3; j++) // of a turn, its inverse; else some direction
        turned[j] = way[0] * round->matrix[0][j] + way[1] * round->matrix[1][j] + way[2] * round->matrix[2][j];
    out->convex = (grz_convex){.form = GRZ_CONVEX_CORNERS, .pose = round->pose};
    out->convex.local = (const double(*)[3])out->local;
    out->convex.corners = out->corners;
    if (round->form == GRZ_CONVEX_ELLIPSOID)
        fill_ellipsoid(out, round, m);
    else
        fill_cylinder(out, round, m, turned);
    grz_convex_place(&out->convex, origin, scale);
}
