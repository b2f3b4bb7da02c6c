// SPDX-License-Identifier: MIT Finds the nearest features of two triangles by signs alone. A pair of features is tried:
// a corner and a corner, a corner and an edge, two edges, a corner and a face. The points where their lines or planes
// are nearest are the nearest of the triangles if and only if they lie in the features, and the planes through them,
// perpendicular to the way from one to the other, have the two triangles on their outer sides. Each condition is the
// sign of a polynomial in the coordinates, of degree 2 to 4: a filter in doubles decides nearly all, integers the rest.
// docs/use/distance.md has the polynomials and the error bounds.
#include "geometry/distance/nearest.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "geometry/exact/expansion.h"
#include "geometry/vector.h"

// Relative errors of the filter, by degree: of the largest difference of coordinates, to that power.
static const double ERROR_2 = 0x1p-48, ERROR_3 = 0x1p-46, ERROR_4 = 0x1p-45;

// Two triangles in their common order: corners 0 to 2 of the first, 3 to 5 of the second.
typedef struct pair {
    double p[6][3];
    uint8_t corner[6]; // which corner of its triangle it was
    bool swapped;      // the first triangle is B
    double bounds[3];  // errors of degree 2, 3 and 4; infinite: the filter decides nothing
} pair;

// ---- Order --------------------------------------------------------------------------------------------------------

static int compare_points(const double p[3], const double q[3])
{
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k])
            return p[k] < q[k] ? -1 : 1;
    return 0;
}

static void sort_corners(const double c[3][3], uint8_t order[3])
{
    for (uint8_t i = 0; i < 3; i++) {
        int at = i;
        for (; at > 0 && compare_points(c[order[at - 1]], c[i]) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static int compare_corners(const double a[3][3], const uint8_t of_a[3], const double b[3][3], const uint8_t of_b[3])
{
    int order = 0;
    for (int i = 0; i < 3 && order == 0; i++)
        order = compare_points(a[of_a[i]], b[of_b[i]]);
    return order;
}

static void set_pair(pair *s, const double a[3][3], const double b[3][3])
{
    uint8_t of_a[3], of_b[3];
    sort_corners(a, of_a);
    sort_corners(b, of_b);
    s->swapped = compare_corners(a, of_a, b, of_b) > 0;
    for (int i = 0; i < 6; i++) {
        const bool is_a = (i < 3) != s->swapped;
        s->corner[i] = (is_a ? of_a : of_b)[i % 3];
        memcpy(s->p[i], (is_a ? a : b)[s->corner[i]], sizeof s->p[i]);
    }
}

int grz_triangle_pairs_compare(const double a[3][3], const double b[3][3], const double c[3][3], const double d[3][3])
{
    pair x, y;
    int order = 0;
    set_pair(&x, a, b);
    set_pair(&y, c, d);
    for (int i = 0; i < 6 && order == 0; i++)
        order = compare_points(x.p[i], y.p[i]);
    return order;
}

// ---- Signs --------------------------------------------------------------------------------------------------------

static void set_bounds(pair *s)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = s->p[0][k], high = low;
        for (int i = 1; i < 6; i++) {
            low = s->p[i][k] < low ? s->p[i][k] : low; // fmin() would be a call
            high = s->p[i][k] > high ? s->p[i][k] : high;
        }
        size = high - low > size ? high - low : size;
    }
    const double square = size * size;
    const bool works = size > 0x1p-200 && size < 0x1p200; // nothing that matters under- or overflows
    s->bounds[0] = works ? ERROR_2 * square : HUGE_VAL;
    s->bounds[1] = works ? ERROR_3 * square * size : HUGE_VAL;
    s->bounds[2] = works ? ERROR_4 * square * square : HUGE_VAL;
}

static int shift_of(const pair *s)
{
    const double *points[6];
    for (int i = 0; i < 6; i++)
        points[i] = s->p[i];
    return grz_integer_common_shift(points, 6, 3);
}

// From point i to point j.
static void difference(const pair *s, int i, int j, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = s->p[j][k] - s->p[i][k];
}

static void exact_difference(const pair *s, int shift, int i, int j, grz_integer out[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_difference(s->p[i][k], s->p[j][k], shift, &out[k]);
}

static int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

static const double LEAST_FACTOR = 0x1p-400; // a product of two is above 2^-800, and its error above 2^-906, or 0

// The same, if it is a double in each coordinate, and neither it nor a product with another one underflows.
static bool short_difference(const pair *s, int i, int j, double out[3])
{
    bool fits = true;
    for (int k = 0; k < 3; k++) {
        double tail;
        two_diff(s->p[j][k], s->p[i][k], &out[k], &tail);
        fits = fits && tail == 0.0 && (out[k] == 0.0 || fabs(out[k]) > LEAST_FACTOR);
    }
    return fits;
}

// True if a factor of each product is 0, as of vectors along different axes.
static bool is_zero_dot(const double u[3], const double v[3])
{
    return (u[0] == 0.0 || v[0] == 0.0) && (u[1] == 0.0 || v[1] == 0.0) && (u[2] == 0.0 || v[2] == 0.0);
}

// The sign of u · v, exactly.
static int exact_dot_sign(const double u[3], const double v[3])
{
    double two[4], third[2], sum[6];
    two_by_two(u[0], -u[1], v[1], v[0], two);
    two_product(u[2], v[2], &third[1], &third[0]);
    return sign_of(sum[expansion_sum(4, two, 2, third, sum) - 1]);
}

// A second filter, for coordinates of very different sizes. `value` is u · v or a rounded product like it; sizes[0] and
// sizes[1] bound the magnitudes in u and v before anything cancels. There are at most 11 roundings in a row. A product
// that underflows loses less than 2^-1074, times a magnitude of the other vector.
static bool has_certain_sign(double value, const double sizes[2][3])
{
    double sum = 0.0, largest = 1.0;
    for (int k = 0; k < 3; k++) {
        sum += sizes[0][k] * sizes[1][k];
        largest += sizes[0][k] + sizes[1][k];
    }
    return fabs(value) > 0x1p-48 * sum + 0x1p-1060 * largest; // false if anything overflowed
}

static void sizes_of(const double u[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = fabs(u[k]);
}

static void cross_sizes(const double u[3], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = fabs(u[i] * v[j]) + fabs(u[j] * v[i]);
    }
}

// The sign of ij · kl, where ij is the way from point i to point j.
static int dot_sign(const pair *s, int i, int j, int k, int l)
{
    double u[3], v[3];
    difference(s, i, j, u);
    difference(s, k, l, v);
    const double value = grz_dot(u, v);
    if (fabs(value) > s->bounds[0])
        return sign_of(value);
    if (is_zero_dot(u, v)) // a rounded difference is 0 only if it is
        return 0;
    double sizes[2][3];
    sizes_of(u, sizes[0]);
    sizes_of(v, sizes[1]);
    if (has_certain_sign(value, (const double(*)[3])sizes))
        return sign_of(value);
    if (s->bounds[0] < HUGE_VAL && short_difference(s, i, j, u) && short_difference(s, k, l, v))
        return exact_dot_sign(u, v);
    grz_integer x[3], y[3], out;
    const int shift = shift_of(s);
    exact_difference(s, shift, i, j, x);
    exact_difference(s, shift, k, l, y);
    grz_integer_dot(x, y, &out);
    return out.sign;
}

// A normal: the cross product of two ways.
typedef struct normal {
    int i, j, k, l;
    double n[3];
} normal;

static normal cross_of(const pair *s, int i, int j, int k, int l)
{
    normal out = {.i = i, .j = j, .k = k, .l = l};
    double u[3], v[3];
    difference(s, i, j, u);
    difference(s, k, l, v);
    grz_cross(u, v, out.n);
    return out;
}

static void normal_sizes(const pair *s, const normal *n, double out[3])
{
    double u[3], v[3];
    difference(s, n->i, n->j, u);
    difference(s, n->k, n->l, v);
    cross_sizes(u, v, out);
}

static void exact_normal(const pair *s, int shift, const normal *n, grz_integer out[3])
{
    grz_integer x[3], y[3];
    exact_difference(s, shift, n->i, n->j, x);
    exact_difference(s, shift, n->k, n->l, y);
    grz_integer_cross(x, y, out);
}

// True if two corners are one point, as those of a point that is a triangle.
static bool is_none(const pair *s, int i, int j)
{
    return compare_points(s->p[i], s->p[j]) == 0;
}

static bool is_no_normal(const pair *s, const normal *n)
{
    return is_none(s, n->i, n->j) || is_none(s, n->k, n->l);
}

// The sign of n · ij.
static int along_sign(const pair *s, const normal *n, int i, int j)
{
    double v[3];
    difference(s, i, j, v);
    const double value = grz_dot(n->n, v);
    if (fabs(value) > s->bounds[1])
        return sign_of(value);
    if (is_none(s, i, j) || is_no_normal(s, n))
        return 0;
    double sizes[2][3];
    normal_sizes(s, n, sizes[0]);
    sizes_of(v, sizes[1]);
    if (has_certain_sign(value, (const double(*)[3])sizes))
        return sign_of(value);
    grz_integer x[3], y[3], out;
    const int shift = shift_of(s);
    exact_normal(s, shift, n, x);
    exact_difference(s, shift, i, j, y);
    grz_integer_dot(x, y, &out);
    return out.sign;
}

// The sign of n · (ij × kl).
static int turn_sign(const pair *s, const normal *n, int i, int j, int k, int l)
{
    const normal m = cross_of(s, i, j, k, l);
    const double value = grz_dot(n->n, m.n);
    if (fabs(value) > s->bounds[2])
        return sign_of(value);
    if (is_none(s, i, j) || is_none(s, k, l) || is_no_normal(s, n))
        return 0;
    double sizes[2][3];
    normal_sizes(s, n, sizes[0]);
    normal_sizes(s, &m, sizes[1]);
    if (has_certain_sign(value, (const double(*)[3])sizes))
        return sign_of(value);
    grz_integer x[3], y[3], out;
    const int shift = shift_of(s);
    exact_normal(s, shift, n, x);
    exact_normal(s, shift, &m, y);
    grz_integer_dot(x, y, &out);
    return out.sign;
}

// ---- Conditions ---------------------------------------------------------------------------------------------------

// The other two corners of the triangle of corner i.
static int second(int i)
{
    return i % 3 == 2 ? i - 2 : i + 1;
}

static int third(int i)
{
    return i % 3 == 0 ? i + 2 : i - 1;
}

static bool are_corners(const pair *s, int p, int q)
{
    return dot_sign(s, p, q, p, second(p)) <= 0 && dot_sign(s, p, q, p, third(p)) <= 0 &&
           dot_sign(s, p, q, q, second(q)) >= 0 && dot_sign(s, p, q, q, third(q)) >= 0;
}

// Corner p, and the edge from corner e to corner f of the other triangle, whose third corner is c.
static bool are_corner_and_edge(const pair *s, int p, int e, int f, int c)
{
    if (dot_sign(s, e, f, e, p) < 0 || dot_sign(s, f, e, f, p) < 0 || dot_sign(s, e, f, e, f) == 0)
        return false;
    const normal n = cross_of(s, e, f, e, p);
    return turn_sign(s, &n, e, f, e, c) <= 0 && turn_sign(s, &n, e, f, p, second(p)) >= 0 &&
           turn_sign(s, &n, e, f, p, third(p)) >= 0;
}

// The edges from p to q, and from r to t; c and d are the third corners.
static bool are_edges(const pair *s, int p, int q, int c, int r, int t, int d)
{
    const normal n = cross_of(s, p, q, r, t);
    const int side = along_sign(s, &n, p, r); // 0 also if the edges are parallel
    return side != 0 && side * along_sign(s, &n, p, c) <= 0 && side * along_sign(s, &n, r, d) >= 0 &&
           turn_sign(s, &n, p, r, r, t) >= 0 && turn_sign(s, &n, q, r, r, t) <= 0 &&
           turn_sign(s, &n, p, r, p, q) >= 0 && turn_sign(s, &n, p, t, p, q) <= 0;
}

// Corner p, and the face of the other triangle, whose first corner is f.
static bool are_corner_and_face(const pair *s, int p, int f)
{
    const normal n = cross_of(s, f, f + 1, f, f + 2);
    const int side = along_sign(s, &n, f, p); // 0 also if the face has no area
    return side != 0 && side * along_sign(s, &n, p, second(p)) >= 0 && side * along_sign(s, &n, p, third(p)) >= 0 &&
           turn_sign(s, &n, f, f + 1, f, p) >= 0 && turn_sign(s, &n, f + 1, f + 2, f + 1, p) >= 0 &&
           turn_sign(s, &n, f + 2, f, f + 2, p) >= 0;
}

// ---- The search ---------------------------------------------------------------------------------------------------

// Edge i, in the common order of corners: between which corners, and which one is opposite.
static const int edges[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};

// The name of the edge between two corners in its own triangle.
static uint8_t edge_name(const pair *s, int i, int j)
{
    const int x = s->corner[i], y = s->corner[j];
    return (uint8_t)(GRZ_EDGE_0 + ((x + 1) % 3 == y ? x : y));
}

static uint8_t corner_name(const pair *s, int i)
{
    return (uint8_t)(GRZ_CORNER_0 + s->corner[i]);
}

static grz_nearest named(const pair *s, uint8_t first, uint8_t other)
{
    return s->swapped ? (grz_nearest){other, first} : (grz_nearest){first, other};
}

static bool find_corners(const pair *s, grz_nearest *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 3; j < 6; j++)
            if (are_corners(s, i, j)) {
                *out = named(s, corner_name(s, i), corner_name(s, j));
                return true;
            }
    return false;
}

static bool find_corner_and_edge(const pair *s, grz_nearest *out)
{
    for (int p = 0; p < 6; p++) {
        const int base = p < 3 ? 3 : 0;
        for (int i = 0; i < 3; i++) {
            const int e = base + edges[i][0], f = base + edges[i][1];
            if (are_corner_and_edge(s, p, e, f, base + edges[i][2])) {
                const uint8_t corner = corner_name(s, p), edge = edge_name(s, e, f);
                *out = p < 3 ? named(s, corner, edge) : named(s, edge, corner);
                return true;
            }
        }
    }
    return false;
}

static bool find_edges(const pair *s, grz_nearest *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int p = edges[i][0], q = edges[i][1], r = 3 + edges[j][0], t = 3 + edges[j][1];
            if (are_edges(s, p, q, edges[i][2], r, t, 3 + edges[j][2])) {
                *out = named(s, edge_name(s, p, q), edge_name(s, r, t));
                return true;
            }
        }
    return false;
}

static bool find_corner_and_face(const pair *s, grz_nearest *out)
{
    for (int p = 0; p < 6; p++)
        if (are_corner_and_face(s, p, p < 3 ? 3 : 0)) {
            const uint8_t corner = corner_name(s, p);
            *out = p < 3 ? named(s, corner, GRZ_FACE) : named(s, GRZ_FACE, corner);
            return true;
        }
    return false;
}

grz_nearest grz_triangles_nearest(const double a[3][3], const double b[3][3])
{
    pair s;
    grz_nearest out = {GRZ_CORNER_0, GRZ_CORNER_0};
    set_pair(&s, a, b);
    set_bounds(&s);
    const bool found = find_corners(&s, &out) || find_corner_and_edge(&s, &out) || find_edges(&s, &out) ||
                       find_corner_and_face(&s, &out);
    assert(found);
    (void)found;
    return out;
}

int grz_feature_corners(const double c[3][3], uint8_t feature, const double *points[3])
{
    if (feature <= GRZ_CORNER_2) {
        points[0] = c[feature];
        return 1;
    }
    const int first = feature <= GRZ_EDGE_2 ? feature - GRZ_EDGE_0 : 0;
    for (int i = 0; i < 3; i++)
        points[i] = c[(first + i) % 3];
    return feature == GRZ_FACE ? 3 : 2;
}
