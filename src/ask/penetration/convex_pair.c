// SPDX-License-Identifier: MIT
// The least depth of two convex solids is how far 0 is from the surface of the set of differences a - b. An expanding
// polytope finds the nearest facets (geometry/convex/depth.h), each between three differences of corners. The distance
// of such a facet's plane, and how far the set reaches along its normal, are then computed exactly: the root of a
// fraction of integers. If the two agree, that is the depth.
#include "ask/penetration/convex_pair.h"

#include <math.h>
#include <string.h>

#include "geometry/convex/depth.h"
#include "geometry/distance/nearest.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "ask/penetration/convex_solid.h"

enum {
    MOST_LIMBS = 24 // of a difference of corners: its squares and products fit then
};

static const double UNDERFLOW = 0x1p-1072; // more than lengths lose by being subnormal

// The coordinates that the polytope uses: relative to a point between the solids, at about the size 1.
typedef struct frame {
    double origin[3], scale;
} frame;

typedef struct pair {
    const grz_overlapping *start;
    grz_convex_solid solid[2];
    frame frame;
    int shift; // all coordinates times 2^shift are integers
} pair;

static frame frame_of(const grz_convex_solid solids[2])
{
    frame out = {.scale = 1.0};
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < 2; i++)
            for (uint32_t n = 0; n < solids[i].count; n++) {
                low = fmin(low, solids[i].corners[n][k]);
                high = fmax(high, solids[i].corners[n][k]);
            }
        out.origin[k] = 0.5 * low + 0.5 * high;
        size = fmax(size, high - low);
    }
    int exponent;
    frexp(size, &exponent);
    out.scale = ldexp(1.0, exponent < -900 ? 900 : -exponent);
    return out;
}

// ---- Exactly ------------------------------------------------------------------------------------------------------

// The difference of two corners, as integers.
static void difference(const pair *p, uint32_t a, uint32_t b, grz_integer out[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_difference(p->solid[1].corners[b][k], p->solid[0].corners[a][k], p->shift, &out[k]);
}

// The outward normal of a facet, and one of its corners, `at`. False if the three corners lie on a line.
static bool facet_normal(const pair *p, const grz_convex_facet *facet, grz_integer n[3], grz_integer at[3])
{
    grz_integer corner[3][3], u[3], v[3];
    for (int i = 0; i < 3; i++)
        difference(p, facet->a[i], facet->b[i], corner[i]);
    for (int k = 0; k < 3; k++) {
        grz_integer_add(&corner[1][k], &corner[0][k], -1, &u[k]);
        grz_integer_add(&corner[2][k], &corner[0][k], -1, &v[k]);
        grz_integer_copy(&corner[0][k], &at[k]);
    }
    grz_integer_cross(u, v, n);
    return n[0].sign != 0 || n[1].sign != 0 || n[2].sign != 0;
}

// The corner of a solid that is farthest along n, or against it. Those that doubles cannot tell apart are compared
// exactly.
static uint32_t farthest(const pair *p, int which, const grz_integer n[3], const double rounded[3], int sign)
{
    const grz_convex_solid *solid = &p->solid[which];
    double most = -HUGE_VAL, size = 0.0;
    for (uint32_t i = 0; i < solid->count; i++) {
        const double *c = solid->corners[i];
        most = fmax(most, sign * grz_dot(rounded, c));
        size = fmax(size, fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
    }
    uint32_t best = UINT32_MAX;
    grz_integer best_height = {.sign = 0}, height, at[3];
    for (uint32_t i = 0; i < solid->count; i++) {
        const double *c = solid->corners[i];
        if (!(sign * grz_dot(rounded, c) >= most - 0x1p-46 * size))
            continue;
        for (int k = 0; k < 3; k++)
            grz_integer_from_double(c[k], p->shift, &at[k]);
        grz_integer_dot(n, at, &height);
        if (best == UINT32_MAX || sign * grz_integer_compare(&height, &best_height) > 0) {
            best = i;
            grz_integer_copy(&height, &best_height);
        }
    }
    return best;
}

// The squared distance along n: (height / |n|)².
static void square_of(const pair *p, const grz_integer n[3], const grz_integer *height, grz_square *out)
{
    grz_integer_multiply(height, height, &out->numerator);
    grz_integer_dot(n, n, &out->denominator);
    out->shift = p->shift;
}

// A normal in doubles, scaled to about the length 1.
static void round_normal(const grz_integer n[3], double out[3])
{
    int top = INT32_MIN;
    grz_scaled part[3];
    for (int k = 0; k < 3; k++) {
        part[k] = grz_integer_to_scaled(&n[k], 0);
        if (n[k].sign != 0 && part[k].exponent > top)
            top = part[k].exponent;
    }
    for (int k = 0; k < 3; k++)
        out[k] = n[k].sign == 0 ? 0.0 : ldexp(part[k].mantissa, part[k].exponent - top);
}

typedef struct exact_depth {
    bool known;
    grz_square lower, upper;
    double direction[3]; // of A
} exact_depth;

// Of several best directions the first in this order is the answer, so it does not depend on the order of faces.
static bool precedes(const double x[3], const double y[3])
{
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k])
            return x[k] > y[k];
    return false;
}

// Add the exact bounds that one facet gives. False if it gives none.
static bool add_facet(const pair *p, const grz_convex_facet *facet, bool first, exact_depth *out)
{
    grz_integer n[3], at[3], height, back[3];
    double rounded[3], direction[3];
    grz_square square;
    if (!facet_normal(p, facet, n, at))
        return false;
    grz_integer_dot(n, at, &height);
    if (height.sign <= 0)
        return false;
    square_of(p, n, &height, &square);
    if (first || grz_square_compare(&square, &out->lower) < 0)
        out->lower = square;
    round_normal(n, rounded);
    difference(p, farthest(p, 0, n, rounded, 1), farthest(p, 1, n, rounded, -1), at);
    grz_integer_dot(n, at, &height);
    square_of(p, n, &height, &square);
    for (int k = 0; k < 3; k++) { // A moves against the normal
        grz_integer_copy(&n[k], &back[k]);
        back[k].sign = -back[k].sign;
    }
    grz_unit_round(back, direction);
    const int order = first ? -1 : grz_square_compare(&square, &out->upper);
    if (order < 0 || (order == 0 && precedes(direction, out->direction))) {
        out->upper = square;
        memcpy(out->direction, direction, sizeof direction);
    }
    return true;
}

static void find_exactly(pair *p, const grz_convex_nearest *nearest, exact_depth *out)
{
    out->known = false;
    int high = INT32_MIN;
    p->shift = INT32_MIN;
    for (int i = 0; i < 2; i++)
        for (uint32_t n = 0; n < p->solid[i].count; n++) {
            const double *corner = p->solid[i].corners[n];
            const int shift = grz_integer_common_shift(&corner, 1, 3);
            p->shift = shift > p->shift ? shift : p->shift;
            for (int k = 0; k < 3; k++) {
                int exponent;
                frexp(corner[k], &exponent);
                high = corner[k] != 0.0 && exponent > high ? exponent : high;
            }
        }
    if (!nearest->all || nearest->count == 0 || (high + p->shift + 2) / 32 + 1 > MOST_LIMBS)
        return;
    for (int i = 0; i < nearest->count; i++)
        if (!add_facet(p, &nearest->facets[i], i == 0, out))
            return;
    // If a facet is a long sliver, its rounded normal may be wrong, and its plane farther away than computed. Then a
    // facet that was not listed may be nearer.
    grz_square placed = out->lower;
    placed.shift -= ilogb(p->frame.scale);
    out->known = grz_square_root(&placed).upper <= nearest->beyond;
}

// ---- The answer -----------------------------------------------------------------------------------------------------

static void set_rounded(const pair *p, const grz_convex_depth *depth, grz_penetration_answer *answer)
{
    const double dents = grz_convex_solid_dent(&p->solid[0], &p->start->surfaces[0]) +
                         grz_convex_solid_dent(&p->solid[1], &p->start->surfaces[1]);
    const double upper = depth->upper / p->frame.scale, lower = depth->lower / p->frame.scale - dents;
    answer->upper = upper * (1.0 + 0x1p-52) + UNDERFLOW;
    answer->lower = fmax(0.0, lower * (1.0 - 0x1p-52) - UNDERFLOW);
    answer->depth = answer->upper;
    answer->certainty = GRZ_ENCLOSED;
    memcpy(answer->direction, depth->along, sizeof answer->direction);
}

static void set_exact(const exact_depth *exact, grz_penetration_answer *answer)
{
    const bool same = grz_square_compare(&exact->lower, &exact->upper) == 0;
    const grz_root upper = grz_square_root(&exact->upper), lower = same ? upper : grz_square_root(&exact->lower);
    answer->lower = lower.lower;
    answer->upper = upper.upper;
    answer->depth = same ? upper.nearest : upper.upper;
    answer->certainty = same ? GRZ_EXACT : GRZ_ENCLOSED;
    memcpy(answer->direction, exact->direction, sizeof answer->direction);
}

static void set_faces(const pair *p, grz_penetration_answer *answer)
{
    const double n[3] = {-answer->direction[0], -answer->direction[1], -answer->direction[2]};
    const double slack = 0x1p-44 / p->frame.scale;
    answer->face_a = grz_convex_solid_face(&p->solid[0], &p->start->surfaces[0], n, slack);
    answer->face_b = grz_convex_solid_face(&p->solid[1], &p->start->surfaces[1], answer->direction, slack);
}

static grz_status measure(grz_move_call *call, pair *p, grz_penetration_answer *answer, bool *found)
{
    grz_convex_depth depth;
    grz_convex_nearest nearest;
    exact_depth exact = {.known = false};
    p->frame = frame_of(p->solid);
    for (int i = 0; i < 2; i++)
        grz_convex_place(&p->solid[i].set, p->frame.origin, p->frame.scale);
    if (!grz_convex_measure_depth_fully(&p->solid[0].set, &p->solid[1].set, grz_control_allocator(&call->control),
                                        &depth, &nearest))
        return grz_move_explain(call, GRZ_ERROR_MEMORY);
    *found = depth.lower > 0.0 && depth.upper < HUGE_VAL;
    if (!*found)
        return GRZ_OK;
    if (p->solid[0].convexity == GRZ_CONVEX_EXACTLY && p->solid[1].convexity == GRZ_CONVEX_EXACTLY)
        find_exactly(p, &nearest, &exact);
    if (exact.known)
        set_exact(&exact, answer);
    else
        set_rounded(p, &depth, answer);
    set_faces(p, answer);
    return GRZ_OK;
}

grz_status grz_convex_pair_depth(grz_move_call *call, const grz_overlapping *start, grz_penetration_answer *answer,
                                 bool *found)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    pair p = {.start = start, .solid = {{.count = 0}, {.count = 0}}};
    grz_status status = GRZ_OK;
    *found = false;
    bool convex = start->clean;
    for (int i = 0; i < 2 && convex && status == GRZ_OK; i++) {
        status = grz_move_explain(call, grz_convex_solid_init(&p.solid[i], &start->surfaces[i], &call->control));
        convex = p.solid[i].convexity != GRZ_NOT_CONVEX;
    }
    if (convex && status == GRZ_OK)
        status = measure(call, &p, answer, found);
    for (int i = 0; i < 2; i++)
        grz_convex_solid_finish(&p.solid[i], allocator);
    return status;
}
