// SPDX-License-Identifier: MIT
// Points where lines meet planes and lines, against GMP's rationals. Each rounded coordinate is the double nearest to
// the exact one (ties to even, subnormals included). Order and sides are those of the exact points, even if the rounded
// points are equal. The points are random, on grids (where many different features meet in one point), thin, far from
// the origin, and near both ends of the range of doubles.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/exact/integer.h"
#include "geometry/exact/point.h"
#include "geometry/triangle/triangle.h"
#include "pair_generator.h"
#include "support_sanitizer.h"

typedef struct rational_point {
    mpq_t x[3];
} rational_point;

static void rational_init(rational_point *p)
{
    for (int i = 0; i < 3; i++)
        mpq_init(p->x[i]);
}

static void rational_clear(rational_point *p)
{
    for (int i = 0; i < 3; i++)
        mpq_clear(p->x[i]);
}

static void rational_set(rational_point *p, const double from[3])
{
    for (int i = 0; i < 3; i++)
        mpq_set_d(p->x[i], from[i]);
}

// out = det(b - a, c - a, d - a)
static void rational_orient3d(const rational_point *a, const rational_point *b, const rational_point *c,
                              const rational_point *d, mpq_t out)
{
    mpq_t u[3][3], term, product;
    mpq_inits(term, product, NULL);
    for (int i = 0; i < 9; i++) {
        mpq_init(u[i / 3][i % 3]);
        mpq_sub(u[i / 3][i % 3], (i / 3 == 0 ? b : i / 3 == 1 ? c : d)->x[i % 3], a->x[i % 3]);
    }
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        mpq_mul(term, u[1][j], u[2][k]);
        mpq_mul(product, u[1][k], u[2][j]);
        mpq_sub(term, term, product);
        mpq_mul(term, term, u[0][i]);
        mpq_add(out, out, term);
    }
    for (int i = 0; i < 9; i++)
        mpq_clear(u[i / 3][i % 3]);
    mpq_clears(term, product, NULL);
}

// out = orient2d(a, b, c) without coordinate `axis`
static void rational_orient2d(int axis, const rational_point *a, const rational_point *b, const rational_point *c,
                              mpq_t out)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    mpq_t u, v;
    mpq_inits(u, v, NULL);
    mpq_sub(u, b->x[j], a->x[j]);
    mpq_sub(v, c->x[k], a->x[k]);
    mpq_mul(out, u, v);
    mpq_sub(u, b->x[k], a->x[k]);
    mpq_sub(v, c->x[j], a->x[j]);
    mpq_mul(u, u, v);
    mpq_sub(out, out, u);
    mpq_clears(u, v, NULL);
}

// The exact point: p + (q - p) · d / (d - e), with the distances d, e of p, q from the plane or line.
static void rational_of(const grz_exact_point *x, rational_point *out)
{
    rational_point p[5];
    mpq_t d, e, step;
    mpq_inits(d, e, step, NULL);
    for (int i = 0; i < 5; i++) {
        rational_init(&p[i]);
        if (x->form == GRZ_POINT_ON_PLANE || i < (x->form == GRZ_POINT_GIVEN ? 1 : 4))
            rational_set(&p[i], x->p[i]);
    }
    if (x->form == GRZ_POINT_ON_PLANE) {
        rational_orient3d(&p[2], &p[3], &p[4], &p[0], d);
        rational_orient3d(&p[2], &p[3], &p[4], &p[1], e);
    }
    for (int axis = 0; x->form == GRZ_POINT_ON_LINE && axis < 3 && mpq_equal(d, e); axis++) {
        rational_orient2d(axis, &p[2], &p[3], &p[0], d);
        rational_orient2d(axis, &p[2], &p[3], &p[1], e);
    }
    mpq_sub(e, d, e);
    for (int i = 0; i < 3; i++) {
        mpq_set(out->x[i], p[0].x[i]);
        if (x->form == GRZ_POINT_GIVEN)
            continue;
        mpq_sub(step, p[1].x[i], p[0].x[i]);
        mpq_mul(step, step, d);
        mpq_div(step, step, e);
        mpq_add(out->x[i], out->x[i], step);
    }
    for (int i = 0; i < 5; i++)
        rational_clear(&p[i]);
    mpq_clears(d, e, step, NULL);
}

// True if x is the double nearest to a rational, ties to even: the midpoints to its neighbours lie on either side.
static bool is_nearest(double x, const mpq_t exact)
{
    bool nearest = true;
    mpq_t middle, own, twice;
    mpq_inits(middle, own, twice, NULL);
    mpq_set_d(own, x);
    for (int up = 0; up < 2; up++) {
        mpq_set_d(middle, step_ulps(x, up ? 1 : -1));
        mpq_add(middle, middle, own);
        mpq_div_2exp(middle, middle, 1);
        int side = mpq_cmp(exact, middle) * (up ? 1 : -1);
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        nearest = nearest && (side < 0 || (side == 0 && (bits & 1) == 0));
    }
    mpq_clears(middle, own, twice, NULL);
    return nearest && !(x == 0.0 && signbit(x));
}

static void print_point(const grz_exact_point *x)
{
    fprintf(stderr, "  form %d:", (int)x->form);
    for (int i = 0; i < 5; i++)
        fprintf(stderr, " {%a, %a, %a}", x->p[i][0], x->p[i][1], x->p[i][2]);
    fprintf(stderr, " at {%a, %a, %a}\n", x->rounded[0], x->rounded[1], x->rounded[2]);
}

// True if the line and the plane meet in one point: the line's ends are not equally far from the plane.
static bool meets(const grz_exact_point *x)
{
    rational_point p[5];
    mpq_t d, e;
    mpq_inits(d, e, NULL);
    for (int i = 0; i < 5; i++) {
        rational_init(&p[i]);
        rational_set(&p[i], x->p[i]);
    }
    rational_orient3d(&p[2], &p[3], &p[4], &p[0], d);
    rational_orient3d(&p[2], &p[3], &p[4], &p[1], e);
    const bool differ = !mpq_equal(d, e);
    for (int i = 0; i < 5; i++)
        rational_clear(&p[i]);
    mpq_clears(d, e, NULL);
    return differ;
}

// Some exact points of a pair of triangles: their intersection's corners, and the same on longer lines.
static int points_of_pair(const double a[3][3], const double b[3][3], grz_exact_point *points)
{
    grz_intersection intersection;
    int count = 0;
    grz_triangles_intersect(a, b, &intersection);
    for (uint32_t i = 0; i < intersection.node_count; i++)
        points[count++] = grz_node_point(a, b, intersection.nodes[i]);
    // A line whose ends lie on the same side of the plane.
    if (grz_orient3d(b[0], b[1], b[2], a[0]) * grz_orient3d(b[0], b[1], b[2], a[1]) < 0) {
        grz_exact_point x = {.form = GRZ_POINT_ON_PLANE};
        for (int i = 0; i < 3; i++) {
            x.p[0][i] = 2.0 * a[0][i] - a[1][i];
            x.p[1][i] = a[0][i];
        }
        memcpy(x.p[2], b, sizeof(double[3][3]));
        if (meets(&x))
            points[count++] = grz_exact_on_plane(x.p[0], x.p[1], b);
    }
    return count;
}

static void check_place(const grz_exact_point *x, rational_point *exact)
{
    rational_of(x, exact);
    for (int i = 0; i < 3; i++) {
        if (is_nearest(x->rounded[i], exact->x[i]))
            continue;
        print_point(x);
        fail_msg("coordinate %d is not the nearest double", i);
    }
}

static int rational_compare(const rational_point *x, const rational_point *y)
{
    for (int i = 0; i < 3; i++) {
        const int order = mpq_cmp(x->x[i], y->x[i]);
        if (order != 0)
            return order < 0 ? -1 : 1;
    }
    return 0;
}

static void check_order(const grz_exact_point *x, const rational_point *exact_x, const grz_exact_point *y,
                        const rational_point *exact_y, uint64_t counts[3])
{
    const int order = rational_compare(exact_x, exact_y);
    if (grz_exact_compare(x, y) != order || grz_exact_compare(y, x) != -order) {
        print_point(x);
        print_point(y);
        fail_msg("order %d instead of %d", grz_exact_compare(x, y), order);
    }
    counts[order + 1]++;
}

static void check_sides(const double t[3][3], const grz_exact_point *x, const rational_point *exact, uint64_t zeros[2])
{
    rational_point corner[3];
    mpq_t value;
    mpq_init(value);
    for (int i = 0; i < 3; i++) {
        rational_init(&corner[i]);
        rational_set(&corner[i], t[i]);
    }
    rational_orient3d(&corner[0], &corner[1], &corner[2], exact, value);
    int truth = mpq_sgn(value), near = grz_rounded_orient3d(t[0], t[1], t[2], x->rounded);
    if (grz_exact_orient3d(t[0], t[1], t[2], x) != truth || (near != GRZ_SIGN_UNKNOWN && near != truth)) {
        print_point(x);
        fail_msg("beside a plane: %d, from the place %d, in truth %d", grz_exact_orient3d(t[0], t[1], t[2], x), near,
                 truth);
    }
    zeros[0] += truth == 0;
    for (int axis = 0; axis < 3; axis++) {
        rational_orient2d(axis, &corner[0], &corner[1], exact, value);
        truth = mpq_sgn(value);
        near = grz_rounded_orient_projected(axis, t[0], t[1], x->rounded);
        if (grz_exact_orient_projected(axis, t[0], t[1], x) != truth || (near != GRZ_SIGN_UNKNOWN && near != truth)) {
            print_point(x);
            fail_msg("beside a line: not %d", truth);
        }
        zeros[1] += truth == 0;
    }
    for (int i = 0; i < 3; i++)
        rational_clear(&corner[i]);
    mpq_clear(value);
}

enum {
    PAIRS = TEST_SANITIZED ? 600 : 3000, // of each class
    KEPT = 4                             // points of earlier pairs that a point is compared with
};

static void rounded_positions_order_and_sides_are_exact(void **state)
{
    (void)state;
    uint64_t points = 0, orders[3] = {0}, zeros[2] = {0};
    rational_point exact[8], kept_exact[KEPT];
    grz_exact_point found[8], kept[KEPT];
    for (int i = 0; i < 8; i++)
        rational_init(&exact[i]);
    for (int i = 0; i < KEPT; i++)
        rational_init(&kept_exact[i]);
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, 77);
        int kept_count = 0;
        for (int n = 0; n < PAIRS; n++) {
            double a[3][3], b[3][3];
            pair_generate((pair_class)group, &random, a, b);
            const double(*ca)[3] = (const double(*)[3])a, (*cb)[3] = (const double(*)[3])b;
            const int count = points_of_pair(ca, cb, found);
            for (int i = 0; i < count; i++) {
                check_place(&found[i], &exact[i]);
                check_sides(ca, &found[i], &exact[i], zeros);
                check_sides(cb, &found[i], &exact[i], zeros);
                if (found[i].form == GRZ_POINT_ON_PLANE &&
                    n % 2 == 0) { // a plane hinged at its side, through the place
                    double hinged[3][3];
                    memcpy(hinged, found[i].p[2], 2 * sizeof hinged[0]);
                    memcpy(hinged[2], found[i].rounded, sizeof hinged[2]);
                    check_sides((const double(*)[3])hinged, &found[i], &exact[i], zeros);
                }
                for (int k = 0; k < kept_count; k++)
                    check_order(&found[i], &exact[i], &kept[k], &kept_exact[k], orders);
                for (int k = 0; k < i; k++)
                    check_order(&found[i], &exact[i], &found[k], &exact[k], orders);
                kept[points % KEPT] = found[i];
                for (int axis = 0; axis < 3; axis++)
                    mpq_set(kept_exact[points % KEPT].x[axis], exact[i].x[axis]);
                kept_count = kept_count < KEPT ? kept_count + 1 : KEPT;
                points++;
            }
        }
    }
    for (int i = 0; i < 8; i++)
        rational_clear(&exact[i]);
    for (int i = 0; i < KEPT; i++)
        rational_clear(&kept_exact[i]);
    const uint64_t compared = orders[0] + orders[1] + orders[2];
    print_message("  %llu points, %llu of %llu compared equal; %llu in a plane, %llu on a line\n",
                  (unsigned long long)points, (unsigned long long)orders[1], (unsigned long long)compared,
                  (unsigned long long)zeros[0], (unsigned long long)zeros[1]);
    assert_true(points > 6 * PAIRS && orders[1] > PAIRS / 60 && zeros[0] > 6 * PAIRS && zeros[1] > PAIRS);
}

// Points on a small grid that many features define: equal ones compare equal and have the same bits, whichever features
// define them.
static void the_same_point_has_the_same_rounded_position(void **state)
{
    (void)state;
    random_stream random = {.state = 99};
    uint64_t equal = 0, given = 0;
    rational_point exact[2];
    rational_init(&exact[0]);
    rational_init(&exact[1]);
    for (int n = 0; n < (TEST_SANITIZED ? 12000 : 60000); n++) {
        grz_exact_point x[2];
        // All pass through a common point with small denominators: a line through c ± d, a plane through c.
        const double scale = n % 3 == 0 ? 1.0 : n % 3 == 1 ? 0.1 : 0x1p-1060;
        double c[3], p[3], q[3], plane[3][3];
        for (int i = 0; i < 3; i++)
            c[i] = (double)random_below(&random, 5) - 2.0;
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 3; i++) {
                const double step = (double)random_below(&random, 5) - 2.0;
                const int times = 1 + (int)random_below(&random, 3);
                p[i] = (c[i] + step) * scale;
                q[i] = (c[i] - times * step) * scale;
                plane[0][i] = c[i] * scale;
                plane[1][i] = ((double)random_below(&random, 7) - 3.0) * scale;
                plane[2][i] = ((double)random_below(&random, 7) - 3.0) * scale;
            }
            x[k] = (grz_exact_point){.form = GRZ_POINT_ON_PLANE};
            memcpy(x[k].p[0], p, sizeof p);
            memcpy(x[k].p[1], q, sizeof q);
            memcpy(x[k].p[2], plane, sizeof plane);
            if (!meets(&x[k])) {
                given++;
                x[k] = grz_exact_given(plane[0]);
            } else {
                x[k] = grz_exact_on_plane(p, q, (const double(*)[3])plane);
            }
            check_place(&x[k], &exact[k]);
        }
        const int order = rational_compare(&exact[0], &exact[1]);
        assert_int_equal(grz_exact_compare(&x[0], &x[1]), order);
        if (order == 0)
            assert_memory_equal(x[0].rounded, x[1].rounded, sizeof x[0].rounded);
        equal += order == 0;
    }
    rational_clear(&exact[0]);
    rational_clear(&exact[1]);
    print_message("  %llu pairs of equal points, %llu points given\n", (unsigned long long)equal,
                  (unsigned long long)given);
    assert_true(equal > (TEST_SANITIZED ? 500 : 3000));
}

static void quotients_are_rounded_to_nearest(void **state)
{
    (void)state;
    random_stream random = {.state = 5};
    mpq_t exact, divisor;
    mpq_inits(exact, divisor, NULL);
    uint64_t ties = 0, subnormal = 0;
    for (int n = 0; n < (TEST_SANITIZED ? 8000 : 40000); n++) {
        grz_integer a, b;
        // Few bits, so that ties occur, or many.
        const uint64_t mask = n % 2 == 0 ? UINT64_MAX >> 10 : 63;
        const double x = (double)(random_bits(&random) & mask) * (n % 3 == 0 ? -1.0 : 1.0);
        const double y = (double)(1 + (random_bits(&random) & (n % 4 == 0 ? 3 : mask)));
        const int exponent = n % 5 == 0 ? -1074 - (int)random_below(&random, 64) + (int)random_below(&random, 16)
                                        : (int)random_below(&random, 600) - 300;
        grz_integer_from_double(x, 0, &a);
        grz_integer_from_double(y, 0, &b);
        mpq_set_d(exact, x);
        mpq_set_d(divisor, y);
        mpq_div(exact, exact, divisor);
        if (exponent >= 0)
            mpq_mul_2exp(exact, exact, (mp_bitcnt_t)exponent);
        else
            mpq_div_2exp(exact, exact, (mp_bitcnt_t)-exponent);
        const double quotient = grz_integer_quotient(&a, &b, exponent);
        if (!is_nearest(quotient, exact))
            fail_msg("%a / %a · 2^%d is not %a", x, y, exponent, quotient);
        mpq_set_d(divisor, quotient);
        mpq_sub(divisor, divisor, exact);
        mpq_mul_2exp(divisor, divisor, 1075);
        ties += mpz_cmp_ui(mpq_denref(divisor), 1) == 0 && mpz_cmpabs_ui(mpq_numref(divisor), 1) == 0;
        subnormal += quotient != 0.0 && fabs(quotient) < 0x1p-1022;
    }
    mpq_clears(exact, divisor, NULL);
    print_message("  %llu ties, %llu subnormal\n", (unsigned long long)ties, (unsigned long long)subnormal);
    assert_true(ties > (TEST_SANITIZED ? 2 : 20) && subnormal > (TEST_SANITIZED ? 150 : 1000));
}

// Numbers of many limbs that are all ones, zeros, or nearly, for which a digit of a long division is guessed too large
// most often: multiples of the divisor, and their neighbours.
static void quotients_of_long_numbers_are_rounded_to_nearest(void **state)
{
    static const uint32_t limbs[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    (void)state;
    random_stream random = {.state = 6};
    mpz_t top, bottom;
    mpq_t exact;
    mpz_inits(top, bottom, NULL);
    mpq_init(exact);
    for (int n = 0; n < (TEST_SANITIZED ? 8000 : 40000); n++) {
        grz_integer factor, b, a, product;
        grz_integer *const made[3] = {&factor, &b, &a};
        for (int i = 0; i < 2; i++) {
            made[i]->count = 1 + (int)random_below(&random, i == 0 ? 3 : 6);
            made[i]->sign = 1;
            for (int k = 0; k < made[i]->count; k++)
                made[i]->limb[k] = limbs[random_below(&random, 8)];
            if (made[i]->limb[made[i]->count - 1] == 0)
                made[i]->limb[made[i]->count - 1] = 1 + random_below(&random, 3);
        }
        grz_integer one;
        grz_integer_from_double(1.0, 0, &one);
        grz_integer_multiply(&factor, &b, &product);
        grz_integer_add(&product, &one, (int)random_below(&random, 2) * 2 - 1, &a);
        const grz_integer *dividend = n % 3 == 0 ? &product : n % 3 == 1 ? &a : &factor;
        if (dividend->sign == 0)
            continue;
        mpz_import(top, (size_t)dividend->count, -1, sizeof dividend->limb[0], 0, 0, dividend->limb);
        mpz_import(bottom, (size_t)b.count, -1, sizeof b.limb[0], 0, 0, b.limb);
        mpq_set_z(exact, top);
        mpz_set(mpq_denref(exact), bottom);
        mpq_canonicalize(exact);
        const double quotient = grz_integer_quotient(dividend, &b, 0);
        if (!is_nearest(quotient, exact))
            fail_msg("case %d: %a is not the nearest", n, quotient);
    }
    mpz_clears(top, bottom, NULL);
    mpq_clear(exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounded_positions_order_and_sides_are_exact),
        cmocka_unit_test(the_same_point_has_the_same_rounded_position),
        cmocka_unit_test(quotients_are_rounded_to_nearest),
        cmocka_unit_test(quotients_of_long_numbers_are_rounded_to_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
