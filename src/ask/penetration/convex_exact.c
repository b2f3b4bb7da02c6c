// SPDX-License-Identifier: MIT
// How far two convex solids overlap along an axis: the farthest corner of A less the nearest one of B. The least depth
// is the least overlap over all axes. The axis with the least overlap is normal to a face of A or of B, or to an edge
// of A and an edge of B, as in the separating axis test.
#include "ask/penetration/convex_exact.h"

#include <math.h>
#include <string.h>

#include "ask/penetration/depth.h"
#include "base/control.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    MOST_LIMBS = 24,       // of a difference of corners: its squares and products fit then
    MOST_HEIGHTS = 1 << 18 // of corners along normals, if all normals are tried
};

static const double UNDERFLOW = 0x1p-1060; // more than products lose by being subnormal
static const double ROUNDING = 0x1p-46; // of two heights along a rounded normal: 128 roundings; they have fewer than 32

bool grz_exact_pair_init(const grz_convex_solid solids[2], grz_exact_pair *pair)
{
    int high = INT32_MIN;
    *pair = (grz_exact_pair){.solids = solids, .shift = INT32_MIN};
    for (int i = 0; i < 2; i++)
        for (uint32_t n = 0; n < solids[i].count; n++) {
            const double *corner = solids[i].corners[n];
            const int shift = grz_integer_common_shift(&corner, 1, 3);
            pair->shift = shift > pair->shift ? shift : pair->shift;
            for (int k = 0; k < 3; k++) {
                int exponent;
                frexp(corner[k], &exponent);
                high = corner[k] != 0.0 && exponent > high ? exponent : high;
            }
        }
    return (high + pair->shift + 2) / 32 + 1 <= MOST_LIMBS;
}

// The difference of two corners, as integers.
static void difference(const grz_exact_pair *p, uint32_t a, uint32_t b, grz_integer out[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_difference(p->solids[1].corners[b][k], p->solids[0].corners[a][k], p->shift, &out[k]);
}

// The outward normal of a facet, and one of its corners, `at`. False if the three corners lie on a line.
static bool facet_normal(const grz_exact_pair *p, const grz_convex_facet *facet, grz_integer n[3], grz_integer at[3])
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
static uint32_t farthest(const grz_exact_pair *p, int which, const grz_integer n[3], const double rounded[3], int sign)
{
    const grz_convex_solid *solid = &p->solids[which];
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
        if (!(sign * grz_dot(rounded, c) >= most - ROUNDING * size - UNDERFLOW))
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
static void square_of(const grz_exact_pair *p, const grz_integer n[3], const grz_integer *height, grz_square *out)
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

// Of several best directions the first in this order is the answer, so it does not depend on the order of faces.
static bool precedes(const double x[3], const double y[3])
{
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k])
            return x[k] > y[k];
    return false;
}

// How far the solids overlap along a normal: an upper bound of the depth.
static void add_height(const grz_exact_pair *p, const grz_integer n[3], grz_exact_depth *out)
{
    grz_integer at[3], height, back[3];
    double rounded[3], direction[3];
    grz_square square;
    round_normal(n, rounded);
    difference(p, farthest(p, 0, n, rounded, 1), farthest(p, 1, n, rounded, -1), at);
    grz_integer_dot(n, at, &height);
    square_of(p, n, &height, &square);
    const int order = out->any ? grz_square_compare(&square, &out->upper) : -1;
    if (order > 0)
        return;
    for (int k = 0; k < 3; k++) { // A moves against the normal
        grz_integer_copy(&n[k], &back[k]);
        back[k].sign = -back[k].sign;
    }
    grz_unit_round(back, direction);
    if (order < 0 || precedes(direction, out->direction)) {
        out->upper = square;
        memcpy(out->direction, direction, sizeof direction);
    }
}

bool grz_exact_add_facet(const grz_exact_pair *p, const grz_convex_facet *facet, grz_exact_depth *out)
{
    grz_integer n[3], at[3], height;
    grz_square square;
    if (!facet_normal(p, facet, n, at))
        return false;
    grz_integer_dot(n, at, &height);
    if (height.sign <= 0)
        return false;
    square_of(p, n, &height, &square);
    if (!out->any || grz_square_compare(&square, &out->lower) < 0)
        out->lower = square;
    add_height(p, n, out);
    out->any = true;
    return true;
}

// ---- All normals ----------------------------------------------------------------------------------------------------

// Along a normal, and against it.
static void add_both(const grz_exact_pair *p, grz_integer n[3], grz_exact_depth *out)
{
    if (n[0].sign == 0 && n[1].sign == 0 && n[2].sign == 0)
        return;
    for (int side = 0; side < 2; side++) {
        add_height(p, n, out);
        out->any = true;
        for (int k = 0; k < 3; k++)
            n[k].sign = -n[k].sign;
    }
}

// The way from one corner of a triangle to the next, in integers. False: another triangle has the edge the other way
// round, or it has no length.
static bool edge_of(const grz_exact_pair *p, const grz_posed_surface surfaces[2], int which, uint32_t triangle,
                    int corner, bool once, grz_integer out[3])
{
    const grz_convex_solid *solid = &p->solids[which];
    const uint32_t *corners = surfaces[which].object->mesh->triangles + 3 * (size_t)triangle,
                   from = solid->corner_of[corners[corner]], to = solid->corner_of[corners[(corner + 1) % 3]];
    if (surfaces[which].surface->shell[triangle] == GRZ_NO_SHELL || from == to || (once && from > to))
        return false;
    for (int k = 0; k < 3; k++)
        grz_integer_difference(solid->corners[from][k], solid->corners[to][k], p->shift, &out[k]);
    return true;
}

static void add_faces(const grz_exact_pair *p, const grz_posed_surface surfaces[2], int which, grz_exact_depth *out)
{
    grz_integer u[3], v[3], n[3];
    for (uint32_t t = 0; t < surfaces[which].object->mesh->triangle_count; t++)
        if (edge_of(p, surfaces, which, t, 0, false, u) && edge_of(p, surfaces, which, t, 1, false, v)) {
            grz_integer_cross(u, v, n);
            add_both(p, n, out);
        }
}

static void add_edges(const grz_exact_pair *p, const grz_posed_surface surfaces[2], const grz_integer u[3],
                      grz_exact_depth *out)
{
    grz_integer v[3], n[3];
    for (uint32_t i = 0; i < 3 * surfaces[1].object->mesh->triangle_count; i++)
        if (edge_of(p, surfaces, 1, i / 3, (int)(i % 3), true, v)) {
            grz_integer_cross(u, v, n);
            add_both(p, n, out);
        }
}

bool grz_exact_add_all(const grz_exact_pair *p, const grz_posed_surface surfaces[2], grz_control *control,
                       grz_exact_depth *out)
{
    const double triangles[2] = {surfaces[0].object->mesh->triangle_count, surfaces[1].object->mesh->triangle_count},
                 normals = 2.0 * (triangles[0] + triangles[1] + 1.5 * triangles[0] * 1.5 * triangles[1]);
    grz_integer u[3];
    *out = (grz_exact_depth){.any = false};
    if (normals * (p->solids[0].count + p->solids[1].count) > MOST_HEIGHTS)
        return false;
    add_faces(p, surfaces, 0, out);
    add_faces(p, surfaces, 1, out);
    for (uint32_t i = 0; i < 3 * surfaces[0].object->mesh->triangle_count; i++) {
        if (grz_control_expired(control))
            return false;
        if (edge_of(p, surfaces, 0, i / 3, (int)(i % 3), true, u))
            add_edges(p, surfaces, u, out);
    }
    out->lower = out->upper;
    return out->any;
}
