// SPDX-License-Identifier: MIT
// A tetrahedron is cut by the planes of the other's faces, one after the other. What is left is a sum and difference of
// tetrahedra, whose volumes are determinants. The space below or above a triangle, as far as another one reaches, is
// three tetrahedra.
#include "oracle_volume.h"

#include <stdbool.h>
#include <string.h>

typedef struct point {
    mpq_t x[3];
} point;

static void point_init(point *p)
{
    for (int k = 0; k < 3; k++)
        mpq_init(p->x[k]);
}

static void point_clear(point *p)
{
    for (int k = 0; k < 3; k++)
        mpq_clear(p->x[k]);
}

static void point_set_doubles(point *p, const double from[3])
{
    for (int k = 0; k < 3; k++)
        mpq_set_d(p->x[k], from[k]);
}

// det |b-a, c-a, d-a|
static void determinant(const point *a, const point *b, const point *c, const point *d, mpq_t out)
{
    const point *const at[3] = {b, c, d};
    mpq_t m[3][3], one, other;
    mpq_init(one);
    mpq_init(other);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            mpq_init(m[i][k]);
            mpq_sub(m[i][k], at[i]->x[k], a->x[k]);
        }
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(one, m[1][(k + 1) % 3], m[2][(k + 2) % 3]);
        mpq_mul(other, m[1][(k + 2) % 3], m[2][(k + 1) % 3]);
        mpq_sub(one, one, other);
        mpq_mul(one, one, m[0][k]);
        mpq_add(out, out, one);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            mpq_clear(m[i][k]);
    mpq_clear(one);
    mpq_clear(other);
}

// The point at which the line from p, where a linear function is `at_p`, to q, where it is `at_q`, has its zero.
static void zero_between(const point *p, const point *q, const mpq_t at_p, const mpq_t at_q, point *out)
{
    mpq_t part, way;
    mpq_init(part);
    mpq_init(way);
    mpq_sub(part, at_p, at_q);
    mpq_div(part, at_p, part);
    for (int k = 0; k < 3; k++) {
        mpq_sub(way, q->x[k], p->x[k]);
        mpq_mul(way, way, part);
        mpq_add(out->x[k], p->x[k], way);
    }
    mpq_clear(part);
    mpq_clear(way);
}

typedef struct cutting {
    point knife[4]; // the tetrahedron whose faces cut
    mpq_t sum;      // six times the volume
} cutting;

static void cut(cutting *c, point *const t[4], int face, int sign);

static void cut_four(cutting *c, point *p, point *q, point *r, point *s, int face, int sign)
{
    point *const t[4] = {p, q, r, s};
    cut(c, t, face, sign);
}

static void add_whole(cutting *c, point *const t[4], int sign)
{
    mpq_t volume;
    mpq_init(volume);
    determinant(t[0], t[1], t[2], t[3], volume);
    mpq_abs(volume, volume);
    if (sign > 0)
        mpq_add(c->sum, c->sum, volume);
    else
        mpq_sub(c->sum, c->sum, volume);
    mpq_clear(volume);
}

// `inner` corners come first in `order`; there are 1 to 3.
static void cut_apart(cutting *c, point *const t[4], const int order[4], mpq_t at[4], int inner, int face, int sign)
{
    point on[4];
    for (int i = 0; i < 4; i++)
        point_init(&on[i]);
    int made = 0;
    for (int i = 0; i < inner; i++)
        for (int j = inner; j < 4; j++)
            zero_between(t[order[i]], t[order[j]], at[order[i]], at[order[j]], &on[made++]);
    if (inner == 1) {
        cut_four(c, t[order[0]], &on[0], &on[1], &on[2], face + 1, sign);
    } else if (inner == 3) {
        cut(c, t, face + 1, sign);
        cut_four(c, t[order[3]], &on[0], &on[1], &on[2], face + 1, -sign);
    } else { // a prism between the triangles (p, on 0, on 1) and (q, on 2, on 3)
        point *p = t[order[0]], *q = t[order[1]];
        cut_four(c, p, &on[0], &on[1], &on[3], face + 1, sign);
        cut_four(c, p, &on[0], &on[2], &on[3], face + 1, sign);
        cut_four(c, p, q, &on[2], &on[3], face + 1, sign);
    }
    for (int i = 0; i < 4; i++)
        point_clear(&on[i]);
}

// Add what is on the inner sides of the faces from `face` on.
static void cut(cutting *c, point *const t[4], int face, int sign)
{
    mpq_t at[4], inside;
    int order[4], inner = 0, outer = 0;
    if (face == 4) {
        add_whole(c, t, sign);
        return;
    }
    const point *a = &c->knife[(face + 1) % 4], *b = &c->knife[(face + 2) % 4], *d = &c->knife[(face + 3) % 4];
    mpq_init(inside);
    determinant(a, b, d, &c->knife[face], inside);
    for (int i = 0; i < 4; i++) {
        mpq_init(at[i]);
        determinant(a, b, d, t[i], at[i]);
        if (mpq_sgn(at[i]) * mpq_sgn(inside) >= 0)
            order[inner++] = i;
        else
            order[3 - outer++] = i;
    }
    if (inner == 4)
        cut(c, t, face + 1, sign);
    else if (inner > 0)
        cut_apart(c, t, order, at, inner, face, sign);
    for (int i = 0; i < 4; i++)
        mpq_clear(at[i]);
    mpq_clear(inside);
}

static bool boxes_are_apart(const double a[4][3], const double b[4][3])
{
    for (int k = 0; k < 3; k++) {
        double range[2][2] = {{a[0][k], a[0][k]}, {b[0][k], b[0][k]}};
        for (int i = 1; i < 4; i++)
            for (int side = 0; side < 2; side++) {
                const double at = side == 0 ? a[i][k] : b[i][k];
                range[side][0] = at < range[side][0] ? at : range[side][0];
                range[side][1] = at > range[side][1] ? at : range[side][1];
            }
        if (range[0][1] <= range[1][0] || range[1][1] <= range[0][0])
            return true;
    }
    return false;
}

void oracle_add_common_volume(const double a[4][3], const double b[4][3], mpq_t volume)
{
    cutting c;
    point body[4], *t[4];
    mpq_t solid;
    if (boxes_are_apart(a, b))
        return;
    mpq_init(c.sum);
    mpq_init(solid);
    for (int i = 0; i < 4; i++) {
        point_init(&c.knife[i]);
        point_init(&body[i]);
        point_set_doubles(&c.knife[i], a[i]);
        point_set_doubles(&body[i], b[i]);
        t[i] = &body[i];
    }
    determinant(&c.knife[0], &c.knife[1], &c.knife[2], &c.knife[3], solid);
    if (mpq_sgn(solid) != 0)
        cut(&c, t, 0, 1);
    mpq_set_ui(solid, 6, 1);
    mpq_div(c.sum, c.sum, solid);
    mpq_add(volume, volume, c.sum);
    for (int i = 0; i < 4; i++) {
        point_clear(&c.knife[i]);
        point_clear(&body[i]);
    }
    mpq_clear(c.sum);
    mpq_clear(solid);
}

// The prism between a triangle and its shadow at height z: tetrahedron `part` of three.
static void prism_part(const double t[3][3], double z, int part, double out[4][3])
{
    // The prism's corners are t[0..2] and the shadows 0..2. Part i has t[0..i] and the shadows i..2.
    int count = 0;
    for (int i = 0; i <= part; i++)
        memcpy(out[count++], t[i], sizeof out[0]);
    for (int i = part; i < 3; i++, count++) {
        memcpy(out[count], t[i], sizeof out[0]);
        out[count][2] = z;
    }
}

void oracle_volume_between(const double upper[3][3], const double lower[3][3], mpq_t volume)
{
    double floor = lower[0][2], ceiling = upper[0][2], one[4][3], other[4][3];
    for (int i = 0; i < 3; i++) {
        floor = lower[i][2] < floor ? lower[i][2] : floor;
        floor = upper[i][2] < floor ? upper[i][2] : floor;
        ceiling = upper[i][2] > ceiling ? upper[i][2] : ceiling;
        ceiling = lower[i][2] > ceiling ? lower[i][2] : ceiling;
    }
    mpq_set_ui(volume, 0, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            prism_part(upper, floor, i, one);
            prism_part(lower, ceiling, j, other);
            oracle_add_common_volume((const double(*)[3])one, (const double(*)[3])other, volume);
        }
}
