// SPDX-License-Identifier: MIT
// The distance of two triangles against GMP's rationals, which find it in another way: by clamping the parameters of
// the nearest points of all pairs of edges, and by projecting corners onto faces. The classes of pairs are those of the
// other exact tests; pairs that touch are left out.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/distance/doubled.h"
#include "geometry/distance/gap.h"
#include "geometry/distance/nearer.h"
#include "geometry/distance/nearest.h"
#include "geometry/triangle/pair.h"
#include "pair_generator.h"
#include "support_sanitizer.h"

enum {
    PAIRS = TEST_SANITIZED ? 800 : TEST_SHORT ? 2500 : 10000 // of each class
};

// ---- The oracle ---------------------------------------------------------------------------------------------------

typedef struct oracle {
    mpq_t p[6][3]; // corners of A, then of B
    mpq_t uu, vv, uv, ur, vr, s, t, x, y, z, best;
    mpq_t u[3], v[3], r[3], n[3], m[3];
} oracle;

static void each(oracle *o, void (*act)(mpq_t))
{
    for (int i = 0; i < 18; i++)
        act(o->p[i / 3][i % 3]);
    for (int i = 0; i < 3; i++) {
        act(o->u[i]), act(o->v[i]), act(o->r[i]), act(o->n[i]), act(o->m[i]);
    }
    act(o->uu), act(o->vv), act(o->uv), act(o->ur), act(o->vr), act(o->s), act(o->t), act(o->x), act(o->y), act(o->z);
    act(o->best);
}

static void init(mpq_t x)
{
    mpq_init(x);
}

static void clear(mpq_t x)
{
    mpq_clear(x);
}

static void way(oracle *o, mpq_t from[3], mpq_t to[3], mpq_t out[3])
{
    (void)o;
    for (int k = 0; k < 3; k++)
        mpq_sub(out[k], to[k], from[k]);
}

static void dot(oracle *o, mpq_t a[3], mpq_t b[3], mpq_t out)
{
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(o->z, a[k], b[k]);
        mpq_add(out, out, o->z);
    }
}

static void cross(oracle *o, mpq_t a[3], mpq_t b[3], mpq_t out[3])
{
    for (int k = 0; k < 3; k++) {
        mpq_mul(out[k], a[(k + 1) % 3], b[(k + 2) % 3]);
        mpq_mul(o->z, a[(k + 2) % 3], b[(k + 1) % 3]);
        mpq_sub(out[k], out[k], o->z);
    }
}

static void clamp(mpq_t x)
{
    if (mpq_sgn(x) < 0)
        mpq_set_ui(x, 0, 1);
    else if (mpq_cmp_ui(x, 1, 1) > 0)
        mpq_set_ui(x, 1, 1);
}

static void keep(oracle *o, mpq_t square)
{
    if (mpq_cmp(square, o->best) < 0)
        mpq_set(o->best, square);
}

// Edge i of A and edge j of B.
static void try_edges(oracle *o, int i, int j)
{
    mpq_t *p = o->p[i], *q = o->p[3 + j];
    way(o, p, o->p[(i + 1) % 3], o->u);
    way(o, q, o->p[3 + (j + 1) % 3], o->v);
    way(o, q, p, o->r);
    dot(o, o->u, o->u, o->uu), dot(o, o->v, o->v, o->vv), dot(o, o->u, o->v, o->uv);
    dot(o, o->u, o->r, o->ur), dot(o, o->v, o->r, o->vr);
    mpq_mul(o->x, o->uu, o->vv);
    mpq_mul(o->y, o->uv, o->uv);
    mpq_sub(o->x, o->x, o->y);
    mpq_set_ui(o->s, 0, 1);
    mpq_set_ui(o->t, 0, 1);
    if (mpq_sgn(o->x) != 0) {
        mpq_mul(o->s, o->uv, o->vr);
        mpq_mul(o->y, o->ur, o->vv);
        mpq_sub(o->s, o->s, o->y);
        mpq_div(o->s, o->s, o->x);
        clamp(o->s);
    }
    if (mpq_sgn(o->vv) != 0) {
        mpq_mul(o->t, o->uv, o->s);
        mpq_add(o->t, o->t, o->vr);
        mpq_div(o->t, o->t, o->vv);
        clamp(o->t);
    }
    if (mpq_sgn(o->uu) != 0) {
        mpq_mul(o->s, o->uv, o->t);
        mpq_sub(o->s, o->s, o->ur);
        mpq_div(o->s, o->s, o->uu);
        clamp(o->s);
    }
    for (int k = 0; k < 3; k++) {
        mpq_mul(o->x, o->s, o->u[k]);
        mpq_add(o->n[k], o->r[k], o->x);
        mpq_mul(o->x, o->t, o->v[k]);
        mpq_sub(o->n[k], o->n[k], o->x);
    }
    dot(o, o->n, o->n, o->x);
    keep(o, o->x);
}

// Corner i, over the face that begins with corner f.
static void try_face(oracle *o, int i, int f)
{
    way(o, o->p[f], o->p[f + 1], o->u);
    way(o, o->p[f], o->p[f + 2], o->v);
    cross(o, o->u, o->v, o->n);
    dot(o, o->n, o->n, o->uu);
    if (mpq_sgn(o->uu) == 0)
        return;
    for (int k = 0; k < 3; k++) {
        way(o, o->p[f + k], o->p[f + (k + 1) % 3], o->u);
        way(o, o->p[f + k], o->p[i], o->r);
        cross(o, o->u, o->r, o->m);
        dot(o, o->m, o->n, o->x);
        if (mpq_sgn(o->x) < 0)
            return;
    }
    dot(o, o->n, o->r, o->x);
    mpq_mul(o->x, o->x, o->x);
    mpq_div(o->x, o->x, o->uu);
    keep(o, o->x);
}

static void find_square(oracle *o, const double a[3][3], const double b[3][3])
{
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            mpq_set_d(o->p[i][k], (i < 3 ? a[i] : b[i - 3])[k]);
    mpq_set_ui(o->best, 1, 1);
    mpq_mul_2exp(o->best, o->best, 700);
    for (int i = 0; i < 9; i++)
        try_edges(o, i / 3, i % 3);
    for (int i = 0; i < 6; i++)
        try_face(o, i, i < 3 ? 3 : 0);
}

// ---- The laws -----------------------------------------------------------------------------------------------------

static void set_integer(mpz_t out, const grz_integer *x)
{
    mpz_import(out, (size_t)x->count, -1, sizeof x->limb[0], 0, 0, x->limb);
    if (x->sign < 0)
        mpz_neg(out, out);
}

// Sign of x² - square.
static int compare_root(oracle *o, double x)
{
    mpq_set_d(o->x, x);
    mpq_mul(o->x, o->x, o->x);
    return mpq_cmp(o->x, o->best);
}

static bool is_even(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits % 2 == 0;
}

static void check_root(oracle *o, const grz_root *root, const char *what)
{
    const int low = compare_root(o, root->lower), high = compare_root(o, root->upper);
    bool nearest;
    if (low == 0) {
        nearest = root->lower == root->upper && root->nearest == root->lower;
    } else {
        mpq_set_d(o->x, root->lower);
        mpq_set_d(o->y, root->upper);
        mpq_add(o->x, o->x, o->y);
        mpq_div_2exp(o->x, o->x, 1);
        mpq_mul(o->x, o->x, o->x);
        const int middle = mpq_cmp(o->x, o->best);
        nearest = low < 0 && high > 0 && nextafter(root->lower, HUGE_VAL) == root->upper &&
                  root->nearest == (middle > 0 || (middle == 0 && is_even(root->lower)) ? root->lower : root->upper);
    }
    if (!nearest)
        fail_msg("%s: nearest %a, between %a and %a", what, root->nearest, root->lower, root->upper);
}

static void check_points(const double a[3][3], const double b[3][3], grz_nearest nearest, const grz_root *root)
{
    double on_a[3], on_b[3], size = 0.0, square = 0.0;
    grz_nearest_points(a, b, nearest, on_a, on_b);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            size = fmax(size, fmax(fabs(a[i][k]), fabs(b[i][k])));
        square = hypot(square, on_a[k] - on_b[k]);
    }
    if (!(fabs(square - root->nearest) <= 0x1p-50 * size + 0x1p-1070))
        fail_msg("points %a apart, distance %a", square, root->nearest);
}

// The foot of a corner on an edge (e, f) or face (e, f, g = NULL for an edge) of the oracle: o->m.
static void find_foot(oracle *o, mpq_t corner[3], mpq_t e[3], mpq_t f[3], mpq_t *g)
{
    way(o, e, f, o->u);
    way(o, e, corner, o->r);
    if (g == NULL) {
        dot(o, o->u, o->r, o->ur), dot(o, o->u, o->u, o->uu);
    } else {
        way(o, e, g, o->v);
        cross(o, o->u, o->v, o->n);
        dot(o, o->n, o->r, o->ur), dot(o, o->n, o->n, o->uu);
    }
    mpq_div(o->s, o->ur, o->uu);
    for (int k = 0; k < 3; k++) {
        mpq_mul(o->m[k], o->s, g == NULL ? o->u[k] : o->n[k]);
        if (g == NULL)
            mpq_add(o->m[k], e[k], o->m[k]);
        else
            mpq_sub(o->m[k], corner[k], o->m[k]);
    }
}

// How far a double is from a number: o->y.
static void find_error(oracle *o, double x, mpq_t exact)
{
    mpq_set_d(o->y, x);
    mpq_sub(o->y, o->y, exact);
    mpq_abs(o->y, o->y);
}

static bool is_nearest_double(oracle *o, double x, mpq_t exact)
{
    find_error(o, x, exact);
    mpq_set(o->x, o->y);
    for (int side = -1; side <= 1; side += 2) {
        find_error(o, nextafter(x, side * HUGE_VAL), exact);
        if (mpq_cmp(o->x, o->y) > 0)
            return false;
    }
    return true;
}

// Double-doubles against integers and rationals, where they decide. Returns 1 if they decide the root, plus 2 if the
// points.
static int check_doubled(oracle *o, const double a[3][3], const double b[3][3], grz_nearest nearest,
                         const grz_root *root)
{
    grz_root doubled;
    double points[2][3];
    const uint8_t features[2] = {nearest.a, nearest.b};
    const bool has_root = grz_doubled_root(a, b, nearest, &doubled),
               has_points = grz_doubled_points(a, b, nearest, points[0], points[1]);
    if (has_root && (doubled.nearest != root->nearest || doubled.lower != root->lower || doubled.upper != root->upper))
        fail_msg("double-doubles: %a (%a, %a), integers: %a (%a, %a)", doubled.nearest, doubled.lower, doubled.upper,
                 root->nearest, root->lower, root->upper);
    for (int i = 0; i < 2 && has_points; i++) {
        mpq_t(*own)[3] = o->p + 3 * i, (*other)[3] = o->p + 3 - 3 * i;
        const uint8_t feature = features[i];
        mpq_t *exact = own[feature % 3];
        if (feature > GRZ_CORNER_2) {
            const int first = feature == GRZ_FACE ? 0 : feature - GRZ_EDGE_0;
            find_foot(o, other[features[1 - i]], own[first], own[(first + 1) % 3], feature == GRZ_FACE ? own[2] : NULL);
            exact = o->m;
        }
        for (int k = 0; k < 3; k++)
            if (!is_nearest_double(o, points[i][k], exact[k]))
                fail_msg("features %d and %d, point %d: %a is not the nearest", nearest.a, nearest.b, i, points[i][k]);
    }
    return has_root + 2 * has_points;
}

// Turn the corners of a triangle, or reverse their order.
static void reorder(double to[3][3], const double from[3][3], uint32_t by)
{
    for (uint32_t i = 0; i < 3; i++)
        memcpy(to[i], from[(by < 3 ? i + by : 2 * by - i) % 3], sizeof to[i]);
}

static void check_order(const double a[3][3], const double b[3][3], const grz_root *root, grz_nearest nearest,
                        random_stream *random)
{
    double other_a[3][3], other_b[3][3], points[2][3], others[2][3];
    grz_square square;
    reorder(other_a, a, random_below(random, 6));
    reorder(other_b, b, random_below(random, 6));
    const grz_nearest other = grz_triangles_nearest((const double(*)[3])other_b, (const double(*)[3])other_a);
    grz_square_of((const double(*)[3])other_b, (const double(*)[3])other_a, other, &square);
    const grz_root same = grz_square_root(&square);
    assert_true(same.nearest == root->nearest && same.lower == root->lower && same.upper == root->upper);
    grz_nearest_points(a, b, nearest, points[0], points[1]);
    grz_nearest_points((const double(*)[3])other_b, (const double(*)[3])other_a, other, others[1], others[0]);
    assert_memory_equal(points, others, sizeof points);
    assert_int_equal(grz_triangle_pairs_compare(a, b, (const double(*)[3])other_b, (const double(*)[3])other_a), 0);
}

static void check_gap(oracle *o, const double a[3][3], const double b[3][3], uint64_t *tight)
{
    double size = 0.0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fmax(fabs(a[i / 3][i % 3]), fabs(b[i / 3][i % 3])));
    if (!(size <= 0x1p100))
        return;
    double way[3];
    const grz_gap gap = grz_triangle_gap(a, b, HUGE_VAL, way);
    for (int i = 0; i < 4; i++) { // a limit ends the search early; both bounds hold all the same
        const grz_gap early = grz_triangle_gap(a, b, 0.5 * i * gap.upper, way);
        assert_true(compare_root(o, early.lower) <= 0 && compare_root(o, early.upper) >= 0);
    }
    if (!(compare_root(o, gap.lower) <= 0 && compare_root(o, gap.upper) >= 0))
        fail_msg("the gap is %a to %a", gap.lower, gap.upper);
    *tight += gap.upper - gap.lower <= 0x1p-44 * size;
}

// The first corner of A as a point.
static void check_point_gap(oracle *o, const double a[3][3], const double b[3][3], uint64_t *tight)
{
    double dot[3][3], size = 0.0;
    for (int i = 0; i < 9; i++) {
        dot[i / 3][i % 3] = a[0][i % 3];
        size = fmax(size, fmax(fabs(a[0][i % 3]), fabs(b[i / 3][i % 3])));
    }
    if (!(size <= 0x1p100))
        return;
    find_square(o, (const double(*)[3])dot, b);
    const grz_gap gap = grz_point_gap(a[0], b, HUGE_VAL);
    for (int i = 0; i < 4; i++) {
        const grz_gap early = grz_point_gap(a[0], b, 0.5 * i * gap.upper);
        assert_true(compare_root(o, early.lower) <= 0 && compare_root(o, early.upper) >= 0);
    }
    if (!(compare_root(o, gap.lower) <= 0 && compare_root(o, gap.upper) >= 0))
        fail_msg("the gap of a point is %a to %a", gap.lower, gap.upper);
    *tight += gap.upper - gap.lower <= 0x1p-44 * size;
}

// Clearances around the distance, some of them equal to it, and others of all sizes.
static void check_nearer(oracle *o, const double a[3][3], const double b[3][3], const grz_root *root, uint64_t *equal)
{
    const double clearances[] = {root->lower,       root->upper,       nextafter(root->lower, 0.0),
                                 0.5 * root->upper, 2.0 * root->upper, nextafter(root->upper, HUGE_VAL),
                                 0x1p-1074,         0x1p300,           0x1p1000};
    for (size_t i = 0; i < sizeof clearances / sizeof clearances[0]; i++) {
        if (!(clearances[i] > 0.0))
            continue;
        const int order = compare_root(o, clearances[i]);
        *equal += order == 0;
        if (grz_triangles_nearer(a, b, clearances[i], grz_triangle_gap) != (order > 0))
            fail_msg("nearer than %a: %d", clearances[i], !(order > 0));
    }
}

static void check_pair(oracle *o, const double a[3][3], const double b[3][3], grz_square *square, uint64_t *forms,
                       uint64_t tight[2], uint64_t *equal, uint64_t doubled[4], random_stream *random)
{
    mpz_t whole;
    mpq_t mine;
    check_point_gap(o, a, b, &tight[1]);
    find_square(o, a, b);
    check_gap(o, a, b, &tight[0]);
    const grz_nearest nearest = grz_triangles_nearest(a, b);
    grz_square_of(a, b, nearest, square);
    forms[(nearest.a > GRZ_CORNER_2) + (nearest.a == GRZ_FACE) +
          3 * ((nearest.b > GRZ_CORNER_2) + (nearest.b == GRZ_FACE))]++;
    mpz_init(whole);
    mpq_init(mine);
    set_integer(whole, &square->numerator);
    mpq_set_z(mine, whole);
    set_integer(whole, &square->denominator);
    mpq_set_z(o->x, whole);
    mpq_div(mine, mine, o->x);
    if (square->shift >= 0)
        mpq_div_2exp(mine, mine, 2 * (unsigned long)square->shift);
    else
        mpq_mul_2exp(mine, mine, 2 * (unsigned long)-square->shift);
    if (!mpq_equal(mine, o->best))
        fail_msg("features %d and %d: %g, not %g", nearest.a, nearest.b, mpq_get_d(mine), mpq_get_d(o->best));
    const grz_root root = grz_square_root(square);
    check_root(o, &root, "root");
    check_points(a, b, nearest, &root);
    doubled[check_doubled(o, a, b, nearest, &root)]++;
    check_order(a, b, &root, nearest, random);
    check_nearer(o, a, b, &root, equal);
    mpz_clear(whole);
    mpq_clear(mine);
}

// Move a triangle along an axis, by its own size or by far less or more.
static void move_away(random_stream *random, double b[3][3])
{
    const uint32_t axis = random_below(random, 3);
    double size = 0.0;
    for (int i = 0; i < 3; i++)
        size = fmax(size, fabs(b[i][axis] - b[(i + 1) % 3][axis]));
    const double by = ldexp(size, (int)random_below(random, 40) - 20);
    for (int i = 0; i < 3; i++)
        b[i][axis] += by;
}

// Edges that are nearly perpendicular to the way from one triangle to the other: the signs hang on the last digits.
static void lie_across(random_stream *random, double a[3][3], double b[3][3])
{
    double w[3];
    for (int k = 0; k < 3; k++) {
        w[k] = random_signed(random);
        b[0][k] = a[0][k] + w[k];
        w[k] = b[0][k] - a[0][k];
    }
    for (int i = 0; i < 4; i++) {
        const double *from = i < 2 ? a[0] : b[0],
                     v[3] = {random_signed(random), random_signed(random), random_signed(random)};
        double *to = i < 2 ? a[1 + i] : b[i - 1];
        for (int k = 0; k < 3; k++)
            to[k] = from[k] + (w[(k + 1) % 3] * v[(k + 2) % 3] - w[(k + 2) % 3] * v[(k + 1) % 3]);
    }
}

static void distances_are_those_of_the_oracle(void **state)
{
    static grz_square squares[2];
    oracle o;
    mpq_t before;
    (void)state;
    each(&o, init);
    mpq_init(before);
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, 7);
        uint64_t forms[9] = {0}, doubled[4] = {0}, tight[2] = {0}, apart = 0, equal = 0;
        for (int i = 0; i < PAIRS; i++) {
            double a[3][3], b[3][3];
            pair_generate((pair_class)group, &random, a, b);
            if (random_below(&random, 2) == 0)
                move_away(&random, b);
            if (group == PAIR_RANDOM && i % 4 == 0)
                lie_across(&random, a, b);
            if (grz_triangles_touch((const double(*)[3])a, (const double(*)[3])b))
                continue;
            check_pair(&o, (const double(*)[3])a, (const double(*)[3])b, &squares[apart % 2], forms, tight, &equal,
                       doubled, &random);
            if (apart > 0) {
                const int expected = mpq_cmp(o.best, before);
                assert_int_equal(grz_square_compare(&squares[apart % 2], &squares[1 - apart % 2]),
                                 (expected > 0) - (expected < 0));
            }
            mpq_set(before, o.best);
            apart++;
        }
        print_message(
            "%-14s %5llu apart; tight %5llu, points %5llu; corner-corner %llu, corner-edge %llu, edge-edge %llu, "
            "corner-face %llu; by double-doubles: roots %llu, points %llu\n",
            pair_class_name((pair_class)group), (unsigned long long)apart, (unsigned long long)tight[0],
            (unsigned long long)tight[1], (unsigned long long)forms[0], (unsigned long long)forms[1] + forms[3],
            (unsigned long long)forms[4], (unsigned long long)forms[2] + forms[6],
            (unsigned long long)doubled[1] + doubled[3], (unsigned long long)doubled[2] + doubled[3]);
        assert_true(group == PAIR_TINY_SCALE || (tight[0] * 10 > apart * 9 && tight[1] * 10 > apart * 9));
        assert_true(group != PAIR_GRID || equal > PAIRS / 50); // a clearance that is the distance itself
        assert_true(group != PAIR_RANDOM || (doubled[1] + doubled[3]) * 100 > apart * 90);
        assert_true(apart > PAIRS / 5 && forms[5] + forms[7] + forms[8] == 0);
    }
    each(&o, clear);
    mpq_clear(before);
}

// Numbers of 400 limbs whose root is near the smallest double, or far below: nothing is shifted beyond the room.
static void roots_of_long_numbers(void **state)
{
    static const struct {
        int more, shift; // the root of (1 + more · 2^-12768) · 2^(-2 · shift)
        grz_root root;
    } CASES[] = {{0, -1, {2.0, 2.0, 2.0}},
                 {0, 1074, {0x1p-1074, 0x1p-1074, 0x1p-1074}},
                 {1, 1074, {0x1p-1074, 0x1p-1074, 0x1p-1073}},
                 {0, 1075, {0.0, 0.0, 0x1p-1074}}, // in the middle: the even one
                 {1, 1075, {0x1p-1074, 0.0, 0x1p-1074}},
                 {1, 1200, {0.0, 0.0, 0x1p-1074}},
                 {1, 4000, {0.0, 0.0, 0x1p-1074}}};
    grz_integer one, more;
    grz_square square;
    (void)state;
    grz_integer_from_double(1.0, 0, &one);
    grz_integer_shift_left(&one, 32 * 399, &square.denominator);
    assert_int_equal(square.denominator.count, 400);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        grz_integer_from_double(CASES[i].more, 0, &more);
        grz_integer_add(&square.denominator, &more, 1, &square.numerator);
        square.shift = CASES[i].shift;
        const grz_root root = grz_square_root(&square);
        assert_true(root.nearest == CASES[i].root.nearest && root.lower == CASES[i].root.lower &&
                    root.upper == CASES[i].root.upper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_oracle),
        cmocka_unit_test(roots_of_long_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
