// SPDX-License-Identifier: MIT
// If A holds A' and B holds B', the depth of A and B is at least that of A' and B'. Parts are chosen whose depth has a
// formula: a point of one and the other, if that is an ellipsoid or a body of revolution; of two ellipsoids with the
// matrices M and N the one with M + N, since |Mᵀn| + |Nᵀn| >= |(M + N)ᵀn|. A cylinder has a disc, a flat ellipsoid.
//
// The depth of a point in an ellipsoid: the least distance from 0 to a point c + u, with u on the ellipsoid of the half
// axes h. With Lagrange's multiplier, for each l below all h² and all such u:
//   |c + u|² >= |c + u|² - l (sum u²/h² - 1) >= l (1 - sum c²/(h² - l)),
// coordinate by coordinate along the axes, the least of the middle being a parabola's. The largest bound is the squared
// distance itself (a quadratic with one quadratic condition has no gap); any l proves one.
#include "geometry/convex/depth/inner.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/convex/convex_gap.h"
#include "geometry/convex/depth/half_axes.h"
#include "geometry/convex/depth/revolution.h"
#include "geometry/vector.h"

enum {
    MOST_CORNERS = 32, // of those of a set, as points in it
    MOST_STEPS = 200
};

// An ellipsoid is a ball if its half axes differ by less than this share.
static const double NEARLY_BALL = 0x1p-46; // 128 roundings: its off is in the radii
// Of 1 less a sum of three quotients, and of a point's coordinates along the axes.
static const double SIXTEEN_ROUNDINGS = 0x1p-49;
// The search for a multiplier: how it goes down, and where it ends. Chosen: any multiplier proves a bound.
static const double FIRST_STEP = 0x1p-8, LEAST_MULTIPLIER = 0x1p-900;

// ---- A point in an ellipsoid ---------------------------------------------------------------------------------------

// The m = least h² - l at which the bound is the largest: where sum (h c / (h² - l))² is 1. `above`: h² - least h².
static double find_multiplier(const double h[3], const double c[3], const double above[3], double most)
{
    double low = 0.0, high = most;
    for (int step = 0; step < MOST_STEPS; step++) {
        // Between powers of two first: near a plane of symmetry m is tiny.
        const double m = low == 0.0          ? high * FIRST_STEP
                         : low < 0.25 * high ? sqrt(low) * sqrt(high)
                                             : 0.5 * (low + high);
        double sum = 0.0;
        if (!(m > low && m < high) || m < LEAST_MULTIPLIER)
            break;
        for (int j = 0; j < 3; j++) {
            const double part = h[j] * c[j] / (above[j] + m);
            sum += part * part;
        }
        if (sum > 1.0)
            low = m;
        else
            high = m;
    }
    return high;
}

// A lower bound of the depth of a point in an ellipsoid; `way` from the point to the middle.
static double depth_in_ellipsoid(const grz_half_axes *e, const double way[3], double slack)
{
    const double *h = e->length, least = fmin(fmin(h[0], h[1]), h[2]), size = h[0] + h[1] + h[2];
    double c[3], above[3], sum = 0.0;
    for (int j = 0; j < 3; j++) {
        c[j] = grz_dot(way, e->axis[j]);
        above[j] = (h[j] - least) * (h[j] + least);
    }
    const double m = find_multiplier(h, c, above, least * least);
    for (int j = 0; j < 3; j++)
        sum += c[j] == 0.0 ? 0.0 : c[j] * c[j] / (above[j] + m);
    const double square = (least * least - m) * (1.0 - sum * GRZ_MORE(32) - SIXTEEN_ROUNDINGS);
    const double off = e->off + slack + SIXTEEN_ROUNDINGS * (size + fabs(way[0]) + fabs(way[1]) + fabs(way[2]));
    return square > 0.0 ? fmax(sqrt(square) * GRZ_LESS(16) - off, 0.0) : 0.0;
}

// ---- Parts ---------------------------------------------------------------------------------------------------------

static grz_convex point_set(double corner[1][3], const grz_convex *of)
{
    return (grz_convex){.form = GRZ_CONVEX_CORNERS,
                        .pose = of->pose,
                        .count = 1,
                        .corners = corner,
                        .error = of->error,
                        .extent = of->extent};
}

// The best of a set's corners, and its point that is nearest to the ellipsoid's middle.
static double depth_of_points(const grz_convex *ellipsoid, const grz_convex *corners, double slack)
{
    grz_half_axes axes;
    double best = 0.0, way[3], middle[1][3];
    grz_half_axes_of(ellipsoid, &axes);
    for (uint32_t i = 0; i < corners->count && i < MOST_CORNERS; i++) {
        for (int k = 0; k < 3; k++)
            way[k] = ellipsoid->middle[k] - grz_convex_corner(corners, i)[k];
        best = fmax(best, depth_in_ellipsoid(&axes, way, slack));
    }
    memcpy(middle[0], ellipsoid->middle, sizeof middle[0]);
    const grz_convex from = point_set(middle, ellipsoid);
    grz_convex_gap gap;
    grz_convex_measure_gap(&from, corners, 0.0, HUGE_VAL, &gap);
    for (int k = 0; k < 3; k++)
        way[k] = ellipsoid->middle[k] - gap.on_b[k];
    return fmax(best, depth_in_ellipsoid(&axes, way, slack));
}

// An ellipsoid in a set that is no cone, and where its middle may be: at `middle` + t · along, |t| <= 1.
static void ellipsoid_in(const grz_convex *c, double column[3][3], double along[3])
{
    for (int i = 0; i < 9; i++)
        column[i % 3][i / 3] = c->matrix[i / 3][i % 3];
    memset(along, 0, 3 * sizeof *along);
    if (c->form == GRZ_CONVEX_CYLINDER) {
        memcpy(along, column[2], sizeof column[2]);
        memset(column[2], 0, sizeof column[2]);
    }
}

// Add to columns those of another matrix, in the order, and with the signs, with which they lie along them best.
static void add_columns(double column[3][3], double other[3][3])
{
    static const int ORDERS[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    int best = 0;
    double most = -1.0;
    for (int i = 0; i < 6; i++) {
        double sum = 0.0;
        for (int j = 0; j < 3; j++)
            sum += fabs(grz_dot(column[j], other[ORDERS[i][j]]));
        if (sum > most) {
            most = sum;
            best = i;
        }
    }
    for (int j = 0; j < 3; j++) {
        const double *add = other[ORDERS[best][j]], sign = grz_dot(column[j], add) < 0.0 ? -1.0 : 1.0;
        for (int k = 0; k < 3; k++)
            column[j][k] += sign * add[k];
    }
}

// The point of what ellipsoids' middles may be apart that is nearest to 0: one after the other, which is enough.
static void bring_near(double way[3], const double along[3])
{
    const double square = grz_dot(along, along);
    const double t = square > 0.0 ? fmax(-1.0, fmin(1.0, grz_dot(way, along) / square)) : 0.0;
    for (int k = 0; k < 3; k++)
        way[k] -= t * along[k];
}

static double depth_of_ellipsoids(const grz_convex *a, const grz_convex *b, double slack)
{
    double column[3][3], other[3][3], along[2][3], way[3];
    grz_half_axes axes;
    ellipsoid_in(a, column, along[0]);
    ellipsoid_in(b, other, along[1]);
    for (int k = 0; k < 3; k++)
        way[k] = b->middle[k] - a->middle[k];
    bring_near(way, along[0]);
    bring_near(way, along[1]);
    add_columns(column, other);
    grz_half_axes_of_columns(column, &axes);
    return depth_in_ellipsoid(&axes, way, slack);
}

double grz_convex_inner_depth(const grz_convex *a, const grz_convex *b, double slack, double along[3])
{
    const bool has_a = a->form != GRZ_CONVEX_CORNERS, has_b = b->form != GRZ_CONVEX_CORNERS;
    if (!has_a && !has_b)
        return 0.0;
    if (has_a && has_b)
        return a->form == GRZ_CONVEX_CONE || b->form == GRZ_CONVEX_CONE ? 0.0 : depth_of_ellipsoids(a, b, slack);
    const grz_convex *round = has_a ? a : b, *corners = has_a ? b : a;
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = has_a ? -along[k] : along[k];
    const double turned = grz_convex_revolution_inner(round, corners, slack, way);
    for (int k = 0; k < 3; k++)
        along[k] = has_a ? -way[k] : way[k];
    return round->form == GRZ_CONVEX_ELLIPSOID ? fmax(turned, depth_of_points(round, corners, slack)) : turned;
}

void grz_convex_shrink(const grz_convex *c, grz_shrunk *out)
{
    out->set = c;
    out->radius_low = out->radius_high = 0.0;
    if (c->form != GRZ_CONVEX_ELLIPSOID)
        return;
    grz_half_axes axes;
    grz_half_axes_of(c, &axes);
    const double *h = axes.length;
    const double least = fmin(fmin(h[0], h[1]), h[2]), most = fmax(fmax(h[0], h[1]), h[2]);
    if (!(most - least <= NEARLY_BALL * most))
        return;
    memcpy(out->corner[0], c->middle, sizeof out->corner[0]);
    out->point = point_set(out->corner, c);
    out->point.extent = sqrt(grz_dot(c->middle, c->middle)) * GRZ_MORE(8);
    out->set = &out->point;
    out->radius_low = fmax(least * GRZ_LESS(16) - axes.off, 0.0);
    out->radius_high = most * GRZ_MORE(16) + axes.off;
}
