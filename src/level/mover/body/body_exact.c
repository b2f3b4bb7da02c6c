// SPDX-License-Identifier: MIT
// A box is free of a triangle if and only if one of 13 axes separates them: the normals of its faces, the triangle's
// normal, the cross products of edges (S. Gottschalk et al., "OBBTree", 1996). An ellipsoid is free of it if the
// triangle, scaled so that the ellipsoid becomes a sphere, keeps the sphere's radius: a comparison of squares without a
// division. A cylinder is free of it if what is left of the triangle between the planes of the caps keeps the radius
// from the axis. All in integers. docs/use/mover.md.
#include "level/mover/body/body_exact.h"

#include "geometry/exact/integer.h"

enum {
    // The longest numbers are six times as long as those of the scaled triangle, and somewhat more.
    MOST_LIMBS = GRZ_MAX_LIMBS / 6 - 1,
    // Of a cylinder they are eight times as long.
    MOST_LIMBS_CYLINDER = GRZ_MAX_LIMBS / 8 - 1,
    MOST_CORNERS = 5 // of a triangle between two planes
};

typedef struct exact_body {
    grz_integer half[3];    // · 2^place
    grz_integer axes[3][3]; // · 2^turn
    grz_integer c[3][3];    // the triangle, from the position, · 2^(place + turn)
} exact_body;

static void read_body(const grz_core *core, const double position[3], const double triangle[3][3], exact_body *out)
{
    const double *const places[] = {triangle[0], triangle[1], triangle[2], position, core->half}, *const turns[] = {
                                                                                                      core->axes[0],
                                                                                                      core->axes[1],
                                                                                                      core->axes[2]};
    const int place = grz_integer_common_shift(places, 5, 3), turn = grz_integer_common_shift(turns, 3, 3);
    for (int i = 0; i < 3; i++) {
        grz_integer_from_double(core->half[i], place, &out->half[i]);
        for (int k = 0; k < 3; k++) {
            grz_integer_from_double(core->axes[i][k], turn, &out->axes[i][k]);
            grz_integer_difference(position[k], triangle[i][k], place + turn, &out->c[i][k]);
        }
    }
}

static void subtract(const grz_integer a[3], const grz_integer b[3], grz_integer out[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_add(&a[k], &b[k], -1, &out[k]);
}

// ---- Boxes --------------------------------------------------------------------------------------------------------

static bool is_zero(const grz_integer n[3])
{
    return n[0].sign == 0 && n[1].sign == 0 && n[2].sign == 0;
}

// True if no point of the triangle is inside along an axis.
static bool separates(const exact_body *body, const grz_integer n[3])
{
    grz_integer reach, sum, product, at;
    int above = 0, below = 0;
    if (is_zero(n))
        return false;
    grz_integer_from_double(0.0, 0, &reach);
    for (int i = 0; i < 3; i++) {
        grz_integer_dot(n, body->axes[i], &at);
        grz_integer_multiply(&at, &body->half[i], &product);
        grz_integer_add(&reach, &product, product.sign < 0 ? -1 : 1, &sum);
        grz_integer_copy(&sum, &reach);
    }
    for (int j = 0; j < 3; j++) {
        grz_integer_dot(n, body->c[j], &at);
        above += grz_integer_compare(&at, &reach) >= 0;
        at.sign = -at.sign;
        below += grz_integer_compare(&at, &reach) >= 0;
    }
    return above == 3 || below == 3;
}

static bool box_contains_part(const exact_body *body)
{
    grz_integer edges[3][3], n[3];
    for (int i = 0; i < 3; i++) {
        grz_integer_cross(body->axes[(i + 1) % 3], body->axes[(i + 2) % 3], n);
        if (separates(body, n))
            return false;
        subtract(body->c[(i + 1) % 3], body->c[i], edges[i]);
    }
    grz_integer_cross(edges[0], edges[1], n);
    if (separates(body, n))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            grz_integer_cross(body->axes[i], edges[j], n);
            if (separates(body, n))
                return false;
        }
    return true;
}

// ---- Ellipsoids ---------------------------------------------------------------------------------------------------

// Row i of `out`: the corner i in the coordinates in which the ellipsoid is a sphere of `radius`.
static bool scale(const exact_body *body, grz_integer out[3][3], grz_integer *radius)
{
    grz_integer n[3], both, product;
    int most = 0;
    for (int k = 0; k < 3; k++) {
        grz_integer_cross(body->axes[(k + 1) % 3], body->axes[(k + 2) % 3], n);
        grz_integer_multiply(&body->half[(k + 1) % 3], &body->half[(k + 2) % 3], &both);
        for (int i = 0; i < 3; i++) {
            grz_integer_dot(n, body->c[i], &product);
            grz_integer_multiply(&product, &both, &out[i][k]);
            most = out[i][k].count > most ? out[i][k].count : most;
        }
        if (k == 0) {
            grz_integer_dot(n, body->axes[0], &product);
            grz_integer_multiply(&both, &body->half[0], &n[0]);
            grz_integer_multiply(&product, &n[0], radius);
        }
    }
    return most <= MOST_LIMBS && radius->count <= MOST_LIMBS;
}

// True if `square` < radius² · `factor`.
static bool is_less(const grz_integer *square, const grz_integer *radius, const grz_integer *factor)
{
    grz_integer r, product;
    grz_integer_multiply(radius, radius, &r);
    grz_integer_multiply(&r, factor, &product);
    return grz_integer_compare(square, &product) < 0;
}

static bool corner_is_inside(const grz_integer w[3], const grz_integer *radius)
{
    grz_integer square, one;
    grz_integer_dot(w, w, &square);
    grz_integer_from_double(1.0, 0, &one);
    return is_less(&square, radius, &one);
}

// The inside of an edge.
static bool edge_is_inside(const grz_integer a[3], const grz_integer b[3], const grz_integer *radius)
{
    grz_integer e[3], across[3], from_a, from_b, square, length;
    subtract(b, a, e);
    grz_integer_dot(a, e, &from_a);
    grz_integer_dot(b, e, &from_b);
    if (from_a.sign >= 0 || from_b.sign <= 0)
        return false; // its nearest point is an end
    grz_integer_cross(a, b, across);
    grz_integer_dot(across, across, &square);
    grz_integer_dot(e, e, &length);
    return is_less(&square, radius, &length);
}

static bool face_is_inside(const grz_integer w[3][3], const grz_integer *radius)
{
    grz_integer u[3], v[3], n[3], across[3], at, square, length;
    subtract(w[1], w[0], u);
    subtract(w[2], w[0], v);
    grz_integer_cross(u, v, n);
    if (is_zero(n))
        return false;
    for (int i = 0; i < 3; i++) {
        grz_integer_cross(w[i], w[(i + 1) % 3], across);
        grz_integer_dot(across, n, &at);
        if (at.sign < 0)
            return false; // the nearest point is on an edge
    }
    grz_integer_dot(w[0], n, &at);
    grz_integer_multiply(&at, &at, &square);
    grz_integer_dot(n, n, &length);
    return is_less(&square, radius, &length);
}

static bool ellipsoid_contains_part(const exact_body *body)
{
    grz_integer w[3][3], radius;
    if (!scale(body, w, &radius))
        return true;
    for (int i = 0; i < 3; i++)
        if (corner_is_inside(w[i], &radius) || edge_is_inside(w[i], w[(i + 1) % 3], &radius))
            return true;
    return face_is_inside((const grz_integer(*)[3])w, &radius);
}

// ---- Cylinders ----------------------------------------------------------------------------------------------------

// A corner of what is left between the caps, as seen along the axis: (x / w, y / w), w above 0.
typedef struct flat_corner {
    grz_integer x, y, w;
} flat_corner;

// Row i of `out`: the corner i in the cylinder's coordinates, in which it has this radius and these caps at ±`cap`.
static bool to_cylinder(const exact_body *body, grz_integer out[3][3], grz_integer *radius, grz_integer *cap)
{
    grz_integer n[3], determinant;
    int most = 0;
    for (int k = 0; k < 3; k++) {
        grz_integer_cross(body->axes[(k + 1) % 3], body->axes[(k + 2) % 3], n);
        for (int i = 0; i < 3; i++) {
            grz_integer_dot(n, body->c[i], &out[i][k]);
            most = out[i][k].count > most ? out[i][k].count : most;
        }
    }
    grz_integer_dot(n, body->axes[2], &determinant);
    determinant.sign = 1; // axes may be left-handed; they are not flat
    grz_integer_multiply(&determinant, &body->half[0], radius);
    grz_integer_multiply(&determinant, &body->half[2], cap);
    return most <= MOST_LIMBS_CYLINDER && radius->count <= MOST_LIMBS_CYLINDER && cap->count <= MOST_LIMBS_CYLINDER;
}

// Add where the edge from `a` to `b` goes through the plane of a cap, if it does so between the two.
static void add_crossing(const grz_integer a[3], const grz_integer b[3], const grz_integer *cap, int side,
                         flat_corner *corners, int *count)
{
    grz_integer from, to;
    grz_integer_add(&a[2], cap, -side, &from);
    grz_integer_add(&b[2], cap, -side, &to);
    if (from.sign * to.sign >= 0)
        return;
    flat_corner *corner = &corners[(*count)++];
    grz_integer_determinant2(&a[0], &b[0], &from, &to, &corner->x);
    grz_integer_determinant2(&a[1], &b[1], &from, &to, &corner->y);
    grz_integer_add(&to, &from, -1, &corner->w);
    if (corner->w.sign < 0) {
        corner->x.sign = -corner->x.sign;
        corner->y.sign = -corner->y.sign;
        corner->w.sign = 1;
    }
}

// What is left of the triangle between the planes of the caps, in order. 0 corners: no point is strictly between them.
static int between_caps(const grz_integer w[3][3], const grz_integer *cap, flat_corner corners[MOST_CORNERS])
{
    int count = 0, above = 0, below = 0;
    bool within[3];
    for (int i = 0; i < 3; i++) {
        grz_integer top, bottom;
        grz_integer_add(&w[i][2], cap, -1, &top);
        grz_integer_add(&w[i][2], cap, 1, &bottom);
        above += top.sign >= 0;
        below += bottom.sign <= 0;
        within[i] = top.sign <= 0 && bottom.sign >= 0;
    }
    if (above == 3 || below == 3)
        return 0;
    for (int i = 0; i < 3; i++) {
        const grz_integer *a = w[i], *b = w[(i + 1) % 3];
        if (within[i]) {
            grz_integer_copy(&a[0], &corners[count].x);
            grz_integer_copy(&a[1], &corners[count].y);
            grz_integer_from_double(1.0, 0, &corners[count].w);
            count++;
        }
        const int first = grz_integer_compare(&a[2], &b[2]) < 0 ? -1 : 1; // the cap that the edge meets first
        add_crossing(a, b, cap, first, corners, &count);
        add_crossing(a, b, cap, -first, corners, &count);
    }
    return count;
}

// True if x² + y² < radius² · w².
static bool is_within(const grz_integer *x, const grz_integer *y, const grz_integer *w, const grz_integer *radius)
{
    grz_integer a, b, square, product;
    grz_integer_multiply(x, x, &a);
    grz_integer_multiply(y, y, &b);
    grz_integer_add(&a, &b, 1, &square);
    grz_integer_multiply(radius, w, &a);
    grz_integer_multiply(&a, &a, &product);
    return grz_integer_compare(&square, &product) < 0;
}

// The inside of an edge. `turn`: the sign of p × q.
static bool flat_edge_is_inside(const flat_corner *p, const flat_corner *q, const grz_integer *radius, int *turn)
{
    grz_integer e[2], x, y, at, across, square, length, r, product;
    grz_integer_determinant2(&p->x, &p->y, &q->x, &q->y, &across);
    *turn = across.sign;
    grz_integer_determinant2(&q->x, &p->x, &q->w, &p->w, &e[0]);
    grz_integer_determinant2(&q->y, &p->y, &q->w, &p->w, &e[1]);
    for (int end = 0; end < 2; end++) {
        const flat_corner *corner = end == 0 ? p : q;
        grz_integer_multiply(&corner->x, &e[0], &x);
        grz_integer_multiply(&corner->y, &e[1], &y);
        grz_integer_add(&x, &y, 1, &at);
        if (end == 0 ? at.sign >= 0 : at.sign <= 0)
            return false; // its nearest point is an end
    }
    grz_integer_multiply(&across, &across, &square);
    grz_integer_multiply(&e[0], &e[0], &x);
    grz_integer_multiply(&e[1], &e[1], &y);
    grz_integer_add(&x, &y, 1, &length);
    grz_integer_multiply(radius, radius, &r);
    grz_integer_multiply(&length, &r, &product);
    return grz_integer_compare(&square, &product) < 0;
}

static bool cylinder_contains_part(const exact_body *body)
{
    grz_integer w[3][3], radius, cap;
    flat_corner corners[MOST_CORNERS];
    if (!to_cylinder(body, w, &radius, &cap))
        return true;
    const int count = between_caps((const grz_integer(*)[3])w, &cap, corners);
    int left = 0, right = 0;
    for (int i = 0; i < count; i++) {
        const flat_corner *p = &corners[i], *q = &corners[(i + 1) % count];
        int turn;
        if (is_within(&p->x, &p->y, &p->w, &radius) || flat_edge_is_inside(p, q, &radius, &turn))
            return true;
        left += turn > 0;
        right += turn < 0;
    }
    return count > 0 && (left == count || right == count); // the axis goes through its inside
}

bool grz_core_contains_part(const grz_core *core, const double position[3], const double triangle[3][3])
{
    exact_body body;
    read_body(core, position, triangle, &body);
    if (core->kind == GRZ_CORE_CYLINDER)
        return cylinder_contains_part(&body);
    return core->kind == GRZ_CORE_BOX ? box_contains_part(&body) : ellipsoid_contains_part(&body);
}
