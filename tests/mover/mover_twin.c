// SPDX-License-Identifier: MIT
#include "mover_twin.h"

#include <gmp.h>

enum {
    MOST_CORNERS = 16 // of a triangle that is cut by six planes
};

typedef struct point {
    mpq_t x[3];
} point;

static void open_points(point *points, int count)
{
    for (int i = 0; i < 3 * count; i++)
        mpq_init(points[i / 3].x[i % 3]);
}

static void close_points(point *points, int count)
{
    for (int i = 0; i < 3 * count; i++)
        mpq_clear(points[i / 3].x[i % 3]);
}

// out = Σ a[k]·b[k]
static void dot(point *a, point *b, mpq_t out)
{
    mpq_t product;
    mpq_init(product);
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(product, a->x[k], b->x[k]);
        mpq_add(out, out, product);
    }
    mpq_clear(product);
}

static void subtract(point *a, point *b, point *out)
{
    for (int k = 0; k < 3; k++)
        mpq_sub(out->x[k], a->x[k], b->x[k]);
}

// Solve Σ z[i] · axes[i] = d by elimination; z replaces d.
static void solve(const double axes[3][3], point *d)
{
    mpq_t m[3][4], factor, product;
    mpq_inits(factor, product, NULL);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            mpq_init(m[row][column]);
            if (column < 3)
                mpq_set_d(m[row][column], axes[column][row]);
            else
                mpq_set(m[row][column], d->x[row]);
        }
    for (int column = 0; column < 3; column++) {
        int pivot = column;
        while (mpq_sgn(m[pivot][column]) == 0)
            pivot++;
        for (int k = 0; k < 4; k++)
            mpq_swap(m[pivot][k], m[column][k]);
        for (int row = 0; row < 3; row++) {
            if (row == column)
                continue;
            mpq_div(factor, m[row][column], m[column][column]);
            for (int k = 0; k < 4; k++) {
                mpq_mul(product, factor, m[column][k]);
                mpq_sub(m[row][k], m[row][k], product);
            }
        }
    }
    for (int row = 0; row < 3; row++)
        mpq_div(d->x[row], m[row][3], m[row][row]);
    for (int i = 0; i < 12; i++)
        mpq_clear(m[i / 4][i % 4]);
    mpq_clears(factor, product, NULL);
}

// The corners with the body as the cube from -1 to 1, or the unit sphere.
static void scale(const grz_shape *shape, const double position[3], double margin, const double triangle[3][3],
                  point out[3])
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            mpq_set_d(x, triangle[i][k]);
            mpq_set_d(y, position[k]);
            mpq_sub(out[i].x[k], x, y);
        }
        double axes[3][3];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                axes[j][k] = shape->pose.m[k][j];
        solve((const double(*)[3])axes, &out[i]);
        for (int k = 0; k < 3; k++) {
            mpq_set_d(x, shape->half[k]);
            mpq_set_d(y, margin);
            mpq_add(x, x, y);
            mpq_div(out[i].x[k], out[i].x[k], x);
        }
    }
    mpq_clears(x, y, NULL);
}

// side · x[axis] - 1: below or at 0 inside.
static void beyond(point *p, int axis, int side, mpq_t out)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_set(out, p->x[axis]);
    if (side < 0)
        mpq_neg(out, out);
    mpq_sub(out, out, one);
    mpq_clear(one);
}

// Cut a polygon by a face of the cube. Returns the new number of corners.
static int cut(point *corners, int count, int axis, int side)
{
    point kept[MOST_CORNERS];
    mpq_t a, b, share, way;
    int after = 0;
    open_points(kept, MOST_CORNERS);
    mpq_inits(a, b, share, way, NULL);
    for (int i = 0; i < count; i++) {
        point *p = &corners[i], *q = &corners[(i + 1) % count];
        beyond(p, axis, side, a);
        beyond(q, axis, side, b);
        if (mpq_sgn(a) <= 0) {
            for (int k = 0; k < 3; k++)
                mpq_set(kept[after].x[k], p->x[k]);
            after++;
        }
        if (mpq_sgn(a) * mpq_sgn(b) < 0) {
            mpq_sub(b, a, b);
            mpq_div(share, a, b);
            for (int k = 0; k < 3; k++) {
                mpq_sub(way, q->x[k], p->x[k]);
                mpq_mul(way, way, share);
                mpq_add(kept[after].x[k], p->x[k], way);
            }
            after++;
        }
    }
    for (int i = 0; i < after; i++)
        for (int k = 0; k < 3; k++)
            mpq_set(corners[i].x[k], kept[i].x[k]);
    close_points(kept, MOST_CORNERS);
    mpq_clears(a, b, share, way, NULL);
    return after;
}

// What is left in the closed cube is convex. If it has a point inside the open one, so is the mean of its corners.
static bool cube_contains_part(point c[3])
{
    point corners[MOST_CORNERS];
    mpq_t sum, least;
    int count = 3;
    open_points(corners, MOST_CORNERS);
    mpq_inits(sum, least, NULL);
    for (int i = 0; i < 9; i++)
        mpq_set(corners[i / 3].x[i % 3], c[i / 3].x[i % 3]);
    for (int i = 0; i < 6; i++)
        count = cut(corners, count, i / 2, i % 2 ? 1 : -1);
    bool inside = count > 0;
    for (int k = 0; k < 3 && inside; k++) {
        mpq_set_ui(sum, 0, 1);
        for (int i = 0; i < count; i++)
            mpq_add(sum, sum, corners[i].x[k]);
        inside = mpq_cmp_si(sum, count, 1) < 0 && mpq_cmp_si(sum, -count, 1) > 0;
    }
    close_points(corners, MOST_CORNERS);
    mpq_clears(sum, least, NULL);
    return inside;
}

static bool sphere_contains_part(point c[3]);

// The triangle is cut by the planes of the caps. What is left is convex; if its mean is strictly between them, it has
// points there. Seen along the axis, fans of triangles are compared with the unit sphere.
static bool cylinder_contains_part(point c[3])
{
    point corners[MOST_CORNERS], part[3];
    mpq_t sum;
    int count = 3;
    open_points(corners, MOST_CORNERS);
    open_points(part, 3);
    mpq_init(sum);
    for (int i = 0; i < 9; i++)
        mpq_set(corners[i / 3].x[i % 3], c[i / 3].x[i % 3]);
    count = cut(corners, count, 2, 1);
    count = cut(corners, count, 2, -1);
    for (int i = 0; i < count; i++)
        mpq_add(sum, sum, corners[i].x[2]);
    const bool between = count > 0 && mpq_cmp_si(sum, count, 1) < 0 && mpq_cmp_si(sum, -count, 1) > 0;
    bool inside = false;
    for (int i = 0; i < count && between && !inside; i++) {
        for (int k = 0; k < 2; k++) {
            mpq_set(part[0].x[k], corners[0].x[k]);
            mpq_set(part[1].x[k], corners[i].x[k]);
            mpq_set(part[2].x[k], corners[(i + 1) % count].x[k]);
        }
        inside = sphere_contains_part(part);
    }
    close_points(corners, MOST_CORNERS);
    close_points(part, 3);
    mpq_clear(sum);
    return inside;
}

// Offer the square of the point a + s·u + t·v.
static void offer(point *a, point *u, mpq_t s, point *v, mpq_t t, mpq_t best)
{
    point p;
    mpq_t way, square;
    open_points(&p, 1);
    mpq_inits(way, square, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_mul(way, s, u->x[k]);
        mpq_add(p.x[k], a->x[k], way);
        mpq_mul(way, t, v->x[k]);
        mpq_add(p.x[k], p.x[k], way);
    }
    dot(&p, &p, square);
    if (mpq_cmp(square, best) < 0)
        mpq_set(best, square);
    close_points(&p, 1);
    mpq_clears(way, square, NULL);
}

// The least square over the triangle: the corners, the edges, and where the gradient is 0, if that is in the triangle.
static bool sphere_contains_part(point c[3])
{
    point u, v;
    mpq_t best, s, t, uu, uv, vv, au, av, x, y, zero;
    open_points(&u, 1);
    open_points(&v, 1);
    mpq_inits(best, s, t, uu, uv, vv, au, av, x, y, zero, NULL);
    dot(&c[0], &c[0], best);
    for (int i = 0; i < 3; i++) {
        subtract(&c[(i + 1) % 3], &c[i], &u);
        dot(&u, &u, uu);
        dot(&c[i], &u, au);
        mpq_set_ui(s, 0, 1);
        if (mpq_sgn(uu) > 0) {
            mpq_div(s, au, uu);
            mpq_neg(s, s);
        }
        if (mpq_sgn(s) < 0)
            mpq_set_ui(s, 0, 1);
        if (mpq_cmp_ui(s, 1, 1) > 0)
            mpq_set_ui(s, 1, 1);
        offer(&c[i], &u, s, &u, zero, best);
    }
    subtract(&c[1], &c[0], &u);
    subtract(&c[2], &c[0], &v);
    dot(&u, &u, uu);
    dot(&u, &v, uv);
    dot(&v, &v, vv);
    dot(&c[0], &u, au);
    dot(&c[0], &v, av);
    mpq_mul(x, uu, vv);
    mpq_mul(y, uv, uv);
    mpq_sub(x, x, y); // the determinant
    if (mpq_sgn(x) > 0) {
        mpq_mul(s, av, uv);
        mpq_mul(y, au, vv);
        mpq_sub(s, s, y);
        mpq_div(s, s, x);
        mpq_mul(t, au, uv);
        mpq_mul(y, av, uu);
        mpq_sub(t, t, y);
        mpq_div(t, t, x);
        mpq_add(y, s, t);
        if (mpq_sgn(s) >= 0 && mpq_sgn(t) >= 0 && mpq_cmp_ui(y, 1, 1) <= 0)
            offer(&c[0], &u, s, &v, t, best);
    }
    const bool inside = mpq_cmp_ui(best, 1, 1) < 0;
    close_points(&u, 1);
    close_points(&v, 1);
    mpq_clears(best, s, t, uu, uv, vv, au, av, x, y, zero, NULL);
    return inside;
}

bool mover_twin_contains_part(const grz_shape *shape, const double position[3], double margin,
                              const double triangle[3][3])
{
    point c[3];
    open_points(c, 3);
    scale(shape, position, margin, triangle, c);
    const bool inside = shape->kind == GRZ_SHAPE_BOX        ? cube_contains_part(c)
                        : shape->kind == GRZ_SHAPE_CYLINDER ? cylinder_contains_part(c)
                                                            : sphere_contains_part(c);
    close_points(c, 3);
    return inside;
}
