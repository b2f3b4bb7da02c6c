// SPDX-License-Identifier: MIT
// The least depth of two convex solids (grz_penetration()), against the minimum over all axes: the normals of faces,
// and all products of two edges. Hulls of few points with small whole numbers, where many axes are as good; turned; of
// very different sizes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <graze/hull.h>

#include "support_own_device.h"
#include "support_sanitizer.h"

enum {
    MOST = 40 // corners
};

static const int NONE[3] = {0, 0, 0}, SMALL[3] = {3, 3, 3}, ROUND[3] = {40, 40, 40};

// A convex solid: its mesh, its corners, its edges.
typedef struct body {
    grz_mesh *mesh;
    int count, edge_count;
    double corner[MOST][3];
    int edge[3 * MOST][2];
    int triangle_count, triangle[2 * MOST][3];
} body;

static bool make_body(body *b, const double *points, uint64_t count)
{
    grz_hull *hull = NULL;
    uint32_t triangle_count;
    *b = (body){.mesh = NULL};
    assert_int_equal(grz_hull_of_points(device, points, count, NULL, &hull, NULL), GRZ_OK);
    if (grz_hull_dimension(hull) < 3) {
        grz_hull_destroy(hull);
        return false;
    }
    assert_int_equal(grz_hull_mesh(hull, &b->mesh, NULL), GRZ_OK);
    b->count = (int)grz_hull_vertex_count(hull);
    memcpy(b->corner, grz_hull_vertices(hull), 3 * sizeof(double) * (size_t)b->count);
    const uint32_t *triangles = grz_hull_triangles(hull, &triangle_count);
    b->triangle_count = (int)triangle_count;
    for (int t = 0; t < b->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            const int v = (int)triangles[3 * t + i], w = (int)triangles[3 * t + (i + 1) % 3];
            b->triangle[t][i] = v;
            if (v < w) {
                b->edge[b->edge_count][0] = v;
                b->edge[b->edge_count++][1] = w;
            }
        }
    grz_hull_destroy(hull);
    return true;
}

// How far A must move against n, squared and times n²: numerator; and n². All numbers are small whole numbers.
typedef __int128 whole;

typedef struct fraction {
    whole numerator, denominator;
} fraction;

static void offer(const body bodies[2], const long n[3], const int offset[3], fraction *least)
{
    long most = -(1L << 60), low = 1L << 60;
    if (n[0] == 0 && n[1] == 0 && n[2] == 0)
        return;
    for (int i = 0; i < bodies[0].count; i++) {
        long at = 0;
        for (int k = 0; k < 3; k++)
            at += n[k] * ((long)bodies[0].corner[i][k] + offset[k]);
        most = at > most ? at : most;
    }
    for (int i = 0; i < bodies[1].count; i++) {
        long at = 0;
        for (int k = 0; k < 3; k++)
            at += n[k] * (long)bodies[1].corner[i][k];
        low = at < low ? at : low;
    }
    const whole height = most > low ? most - low : 0,
                square = (whole)n[0] * n[0] + (whole)n[1] * n[1] + (whole)n[2] * n[2];
    if (least->denominator == 0 || height * height * least->denominator < least->numerator * square)
        *least = (fraction){height * height, square};
}

static void way(const body *b, int from, int to, long out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (long)(b->corner[to][k] - b->corner[from][k]);
}

static void offer_product(const body bodies[2], const long u[3], const long v[3], const int offset[3], fraction *least)
{
    long n[3], back[3];
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        back[k] = -n[k];
    offer(bodies, n, offset, least);
    offer(bodies, back, offset, least);
}

static fraction least_square(const body bodies[2], const int offset[3])
{
    fraction least = {0, 0};
    long u[3], v[3];
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < bodies[s].triangle_count; t++) {
            way(&bodies[s], bodies[s].triangle[t][0], bodies[s].triangle[t][1], u);
            way(&bodies[s], bodies[s].triangle[t][0], bodies[s].triangle[t][2], v);
            offer_product(bodies, u, v, offset, &least);
        }
    for (int i = 0; i < bodies[0].edge_count; i++)
        for (int j = 0; j < bodies[1].edge_count; j++) {
            way(&bodies[0], bodies[0].edge[i][0], bodies[0].edge[i][1], u);
            way(&bodies[1], bodies[1].edge[j][0], bodies[1].edge[j][1], v);
            offer_product(bodies, u, v, offset, &least);
        }
    return least;
}

static grz_penetration_answer ask(const grz_object *a, const grz_object *b)
{
    grz_penetration_answer answer;
    grz_error error;
    if (grz_penetration(device, a, b, NULL, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(answer.lower <= answer.depth && answer.depth <= answer.upper);
    return answer;
}

// The corners of its mesh: `offset` farther, times a power of two. Its own corners stay.
static void scale_body(body *b, const int offset[3], double unit)
{
    double at[MOST][3];
    for (int i = 0; i < b->count; i++)
        for (int k = 0; k < 3; k++)
            at[i][k] = (b->corner[i][k] + offset[k]) * unit;
    assert_int_equal(grz_mesh_set_positions(b->mesh, at, NULL), GRZ_OK);
}

static void random_points(random_stream *random, double (*points)[3], uint64_t count, const int range[3])
{
    for (uint64_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (double)random_below(random, 2 * (uint32_t)range[k] + 1) - range[k];
}

// A needle through the origin, with three corners at each end.
static void needle_points(random_stream *random, double (*points)[3], int length)
{
    for (int k = 0; k < 3; k++) {
        const double far = (double)random_below(random, 2 * (uint32_t)length + 1) - length;
        for (int i = 0; i < 6; i++)
            points[i][k] = (i < 3 ? far : -far) + (double)random_below(random, 3) - 1.0;
    }
}

// Pairs of solids whose corners are whole numbers up to `range` along each axis, times 2^exponent, against all axes. If
// needle is not 0, A is a needle of such a length.
static void check_whole_numbers(uint64_t seed, int cases, const int range[3], int exponent, int needle)
{
    const double unit = ldexp(1.0, exponent);
    const long double rounding = exponent < -1000 ? 0.5L : 0.0L;
    random_stream random = {seed};
    int overlapping = 0;
    for (int i = 0; i < cases; i++) {
        double points[MOST][3];
        body bodies[2];
        int offset[3];
        bool solid = true;
        for (int s = 0; s < 2; s++) {
            const bool is_needle = s == 0 && needle > 0;
            const uint64_t count = is_needle ? 6 : 6 + random_below(&random, needle > 0 ? 4 : MOST - 6);
            if (is_needle)
                needle_points(&random, points, needle);
            else
                random_points(&random, points, count, range);
            solid = make_body(&bodies[s], points[0], count) && solid;
        }
        for (int k = 0; k < 3; k++)
            offset[k] = needle > 0 ? 0 : (int)random_below(&random, (uint32_t)range[k] + 1);
        if (solid) {
            scale_body(&bodies[0], offset, unit);
            scale_body(&bodies[1], NONE, unit);
            const grz_object a = grz_object_at_origin(bodies[0].mesh), b = grz_object_at_origin(bodies[1].mesh);
            const fraction square = least_square(bodies, offset);
            const grz_penetration_answer answer = ask(&a, &b);
            const long double truth = sqrtl((long double)square.numerator / (long double)square.denominator);
            const double depth = answer.depth / unit;
            assert_true(answer.penetrating == (square.numerator > 0));
            if (answer.certainty != GRZ_EXACT || !(nextafter(answer.lower, HUGE_VAL) >= answer.upper) ||
                fabsl((long double)depth - truth) > fmaxl(truth * 0x1.001p-53L, rounding))
                fail_msg("case %d: %.17g to %.17g, %.17g; the least is %.20Lg", i, answer.lower / unit,
                         answer.upper / unit, depth, truth);
            overlapping += answer.penetrating;
        }
        for (int s = 0; s < 2; s++)
            grz_mesh_destroy(bodies[s].mesh);
    }
    print_message("up to %d, %d, %d times 2^%d: %d of %d overlap, all rounded to nearest\n", range[0], range[1],
                  range[2], exponent, overlapping, cases);
    assert_true(overlapping > cases / 3);
}

// Small numbers: cubes, wedges, many axes that are as good.
static void whole_numbers_are_rounded_to_nearest(void **state)
{
    static const int RANGES[3][3] = {{2, 2, 2}, {6, 6, 6}, {40, 40, 40}};
    (void)state;
    for (int i = 0; i < 3; i++)
        check_whole_numbers(81 + (uint64_t)i, TEST_SANITIZED ? 20 : 200, RANGES[i], 0, 0);
}

// Multiples of the smallest double: a product of two coordinates is 0.
static void the_smallest_numbers_are_rounded_to_nearest(void **state)
{
    static const int RANGES[2][3] = {{6, 6, 6}, {40, 40, 40}};
    (void)state;
    for (int i = 0; i < 2; i++)
        check_whole_numbers(84 + (uint64_t)i, TEST_SANITIZED ? 20 : 200, RANGES[i], -1074, 0);
}

// Plates and needles: the nearest facets are slivers, whose rounded normals are far off.
static void thin_solids_are_rounded_to_nearest(void **state)
{
    static const int RANGES[4][3] = {{1000, 1000, 1}, {1, 1000, 1}, {30, 1, 1000}, {1000, 1000, 3}};
    (void)state;
    for (int i = 0; i < 4; i++)
        check_whole_numbers(91 + (uint64_t)i, TEST_SANITIZED ? 20 : 200, RANGES[i], 0, 0);
}

// Needles through small solids: the polytope of their differences has no facet that doubles find.
static void needles_are_rounded_to_nearest(void **state)
{
    static const int RANGE[3] = {3, 3, 3};
    (void)state;
    check_whole_numbers(96, TEST_SANITIZED ? 20 : 200, RANGE, 0, 10000);
    check_whole_numbers(97, TEST_SANITIZED ? 20 : 200, RANGE, 0, 100000);
}

// Needles of 10^8 : 1, for which doubles find none of the facets. The depths are the least of all axes in rationals: of
// one case along the normal of a face, of the other along that of two edges.
static void longer_needles_are_rounded_to_nearest(void **state)
{
    static const struct {
        uint64_t count_a, count_b;
        double a[8][3], b[8][3], depth;
    } CASES[] = {{8,
                  8,
                  {{-2, -2, -1},
                   {-2, 2, -1},
                   {1, 1, 0},
                   {2, 0, 1},
                   {199999998, -100000000, -299999998},
                   {200000000, -100000000, -300000001},
                   {200000000, -100000000, -300000000},
                   {200000002, -100000000, -299999999}},
                  {{99999997, -50000002, -150000003},
                   {99999997, -50000002, -149999996},
                   {99999997, -49999997, -150000003},
                   {99999997, -49999997, -149999996},
                   {100000002, -50000002, -150000003},
                   {100000002, -50000002, -149999996},
                   {100000002, -49999997, -150000003},
                   {100000002, -49999997, -149999996}},
                  4.171157008465536},
                 {7,
                  8,
                  {{999999999985, 1000000000009, -1000000000011},
                   {999999999987, 999999999993, -1000000000016},
                   {999999999988, 1000000000007, -1000000000015},
                   {1000000000006, 999999999982, -999999999998},
                   {1000000000009, 999999999999, -999999999985},
                   {1000000000010, 1000000000007, -1000000000016},
                   {1000000000020, 999999999981, -1000000000014}},
                  {{999899999998, 1000049999994, -999950000009},
                   {999899999999, 1000049999997, -999950000008},
                   {999900000001, 1000049999994, -999950000008},
                   {999900000002, 1000049999998, -999950000007},
                   {1000099999998, 999949999997, -1000050000007},
                   {1000099999999, 999949999998, -1000050000008},
                   {1000100000001, 999949999994, -1000050000009},
                   {1000100000002, 999949999996, -1000050000006}},
                  11.116555511605762}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        body bodies[2];
        assert_true(make_body(&bodies[0], CASES[i].a[0], CASES[i].count_a));
        assert_true(make_body(&bodies[1], CASES[i].b[0], CASES[i].count_b));
        const grz_object a = grz_object_at_origin(bodies[0].mesh), b = grz_object_at_origin(bodies[1].mesh);
        const grz_penetration_answer answer = ask(&a, &b);
        assert_int_equal(answer.certainty, GRZ_EXACT);
        assert_true(answer.depth == CASES[i].depth && nextafter(answer.lower, HUGE_VAL) >= answer.upper);
        for (int s = 0; s < 2; s++)
            grz_mesh_destroy(bodies[s].mesh);
    }
}

// Poses that round may dent a solid, by roundings: the bounds are as near to each other.
static void turned_solids_are_enclosed_closely(void **state)
{
    const int cases = TEST_SANITIZED ? 20 : 200;
    random_stream random = {82};
    double worst = 0.0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        double points[MOST][3], quaternion[4], at[3] = {0.5, 0.25, 0.125};
        body bodies[2];
        for (int s = 0; s < 2; s++) {
            random_points(&random, points, MOST, ROUND);
            assert_true(make_body(&bodies[s], points[0], MOST));
        }
        for (int k = 0; k < 4; k++)
            quaternion[k] = (double)random_below(&random, 1000) / 1000.0 - 0.4995;
        grz_pose pose;
        assert_int_equal(grz_pose_from_quaternion(at, quaternion, &pose, NULL), GRZ_OK);
        const grz_object a = grz_object_at(bodies[0].mesh, pose), b = grz_object_at_origin(bodies[1].mesh);
        const grz_penetration_answer answer = ask(&a, &b);
        assert_true(answer.penetrating && answer.lower > 0.0);
        worst = fmax(worst, (answer.upper - answer.lower) / answer.upper);
        // Free after `upper`, and not well before `lower`.
        for (int side = 0; side < 2; side++) {
            grz_object moved = a;
            for (int k = 0; k < 3; k++)
                moved.pose.m[k][3] +=
                    answer.direction[k] * (side == 0 ? answer.upper * (1.0 + 1e-12) : answer.lower * (1.0 - 1e-12));
            const grz_penetration_answer there = ask(&moved, &b);
            assert_true(side == 0 ? !there.penetrating : there.penetrating);
        }
        for (int s = 0; s < 2; s++)
            grz_mesh_destroy(bodies[s].mesh);
    }
    print_message("bounds of turned solids: %.3g of the depth apart at most\n", worst);
    assert_true(worst < 1e-12);
}

// The same numbers times powers of two, and one solid far smaller than the other. At the last size, depths are some
// hundreds of the smallest double.
static void the_size_does_not_matter(void **state)
{
    random_stream random = {83};
    (void)state;
    for (int i = 0; i < 40; i++) {
        double points[2][MOST][3], scaled[MOST][3];
        body bodies[2];
        grz_penetration_answer first = {.depth = 0.0};
        for (int s = 0; s < 2; s++)
            random_points(&random, points[s], MOST, s == 0 ? SMALL : ROUND);
        static const double SIZES[] = {1.0, 0x1p200, 0x1p-200, 0x1p-900, 0x1p-1070};
        for (int n = 0; n < 5; n++) {
            for (int s = 0; s < 2; s++) {
                for (int k = 0; k < 3 * MOST; k++)
                    scaled[k / 3][k % 3] = points[s][k / 3][k % 3] * SIZES[n];
                assert_true(make_body(&bodies[s], scaled[0], MOST));
            }
            const grz_object a = grz_object_at_origin(bodies[0].mesh), b = grz_object_at_origin(bodies[1].mesh);
            const grz_penetration_answer answer = ask(&a, &b);
            if (n == 0)
                first = answer;
            assert_int_equal(answer.certainty, GRZ_EXACT);
            assert_true(answer.depth == first.depth * SIZES[n]);
            assert_memory_equal(answer.direction, first.direction, sizeof first.direction);
            assert_true(answer.face_a == first.face_a && answer.face_b == first.face_b);
            for (int s = 0; s < 2; s++)
                grz_mesh_destroy(bodies[s].mesh);
        }
    }
}

// Round bodies of many corners, one in the middle of the other: thousands of facets are about as near.
static void balls_in_balls(void **state)
{
    (void)state;
    test_mesh small = test_mesh_icosphere(0.5, 3), large = test_mesh_icosphere(1.0, 3);
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &small)),
                     b = grz_object_at(test_mesh_upload(device, &large), grz_pose_from_translation(1e-3, 2e-3, 0));
    const grz_penetration_answer answer = ask(&a, &b);
    assert_true(answer.upper > 1.48 && answer.upper < 1.5);
    assert_true(answer.upper - answer.lower <= 1e-12 * answer.upper);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&small);
    test_mesh_finish(&large);
}

// A wedge in a block at a scale of 1e-6: the depth is that of whole numbers, rounded once.
static void small_numbers_are_rounded_once(void **state)
{
    static const double BLOCK[8][3] = {{0, 0, 0},    {4e-6, 0, 0},    {0, 4e-6, 0},    {4e-6, 4e-6, 0},
                                       {0, 0, 1e-6}, {4e-6, 0, 1e-6}, {0, 4e-6, 1e-6}, {4e-6, 4e-6, 1e-6}},
                        WEDGE[6][3] = {{1e-6, 1e-6, 2e-6}, {3e-6, 1e-6, 2e-6},   {1e-6, 3e-6, 2e-6},
                                       {3e-6, 3e-6, 2e-6}, {2e-6, 1e-6, 7.5e-7}, {2e-6, 3e-6, 7.5e-7}};
    body bodies[2];
    (void)state;
    assert_true(make_body(&bodies[0], WEDGE[0], 6) && make_body(&bodies[1], BLOCK[0], 8));
    const grz_object a = grz_object_at_origin(bodies[0].mesh), b = grz_object_at_origin(bodies[1].mesh);
    const grz_penetration_answer answer = ask(&a, &b);
    assert_true(nextafter(answer.lower, HUGE_VAL) >= answer.upper);
    assert_true(answer.depth == 1e-6 - 7.5e-7); // rounded once, as the difference is
    assert_true(answer.direction[0] == 0.0 && answer.direction[1] == 0.0 && answer.direction[2] == 1.0);
    for (int s = 0; s < 2; s++)
        grz_mesh_destroy(bodies[s].mesh);
}

// Two equal parallelepipeds, whose faces are at right angles to normals of length 3, 7 and 7, overlap by m/3 along the
// first and by n/7 along the second, which are equal or differ by less than the last digits of a facet's distance: only
// integers tell which is shorter.
static void nearly_equal_depths_are_told_apart(void **state)
{
    static const int64_t NORMALS[3][3] = {{1, 2, 2}, {2, 3, 6}, {6, -2, 3}}, DETERMINANT = 37,
                         EDGES[3][3] = {
                             {21, 30, -22}, {-10, -9, 14}, {6, -2, -1}}; // NORMALS times these: 37 on one place
    static const double LENGTHS[3] = {3.0, 7.0, 7.0};
    const int64_t side = INT64_C(1) << 46;
    random_stream random = {.state = 97};
    int cases = 0, ties = 0;
    (void)state;
    while (cases < (TEST_SANITIZED ? 30 : 300)) {
        const double depth = 3.0 * (double)side + (double)random_below(&random, 1 << 30),
                     wanted[3] = {3.0 * depth, 7.0 * depth, 30.0 * (double)side};
        int64_t shift[3], reach[3];
        for (int k = 0; k < 3; k++) {
            double at = 0.0;
            for (int i = 0; i < 3; i++)
                at += (double)EDGES[i][k] * ((double)side - wanted[i] / (double)DETERMINANT);
            shift[k] = llround(at) + (int64_t)random_below(&random, 41) - 20;
        }
        for (int i = 0; i < 3; i++)
            reach[i] =
                DETERMINANT * side - (NORMALS[i][0] * shift[0] + NORMALS[i][1] * shift[1] + NORMALS[i][2] * shift[2]);
        const int64_t difference = 7 * reach[0] - 3 * reach[1];
        if (difference < -6 || difference > 6)
            continue;
        double points[8][3];
        for (int corner = 0; corner < 8; corner++)
            for (int k = 0; k < 3; k++) {
                int64_t at = 0;
                for (int i = 0; i < 3; i++)
                    at += (corner >> i & 1) * EDGES[i][k] * side;
                points[corner][k] = (double)at;
            }
        body solid;
        assert_true(make_body(&solid, points[0], 8));
        const grz_object a = grz_object_at_origin(solid.mesh),
                         b = grz_object_at(solid.mesh, grz_pose_from_translation((double)shift[0], (double)shift[1],
                                                                                 (double)shift[2]));
        const grz_penetration_answer answer = ask(&a, &b);
        const int shorter = difference <= 0 ? 0 : 1;
        const double expected = (double)reach[shorter] / LENGTHS[shorter];
        double along = 0.0; // how far the direction is from that of the shorter one
        for (int k = 0; k < 3; k++)
            along += answer.direction[k] * (double)NORMALS[shorter][k] / LENGTHS[shorter];
        if (answer.certainty != GRZ_EXACT || answer.depth != expected || (difference != 0 && !(fabs(along) > 0.999)))
            fail_msg("case %d: %.17g, not %.17g; %g of the direction", cases, answer.depth, expected, along);
        ties += difference == 0;
        cases++;
        grz_mesh_destroy(solid.mesh);
    }
    print_message("%d pairs of equal depths, %d that differ by at most %g of themselves\n", ties, cases - ties,
                  6.0 / 21.0 / (3.0 * (double)side));
    assert_true((TEST_SANITIZED || ties > 0) && ties < cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_numbers_are_rounded_to_nearest),
                                       cmocka_unit_test(the_smallest_numbers_are_rounded_to_nearest),
                                       cmocka_unit_test(thin_solids_are_rounded_to_nearest),
                                       cmocka_unit_test(needles_are_rounded_to_nearest),
                                       cmocka_unit_test(longer_needles_are_rounded_to_nearest),
                                       cmocka_unit_test(turned_solids_are_enclosed_closely),
                                       cmocka_unit_test(the_size_does_not_matter),
                                       cmocka_unit_test(balls_in_balls),
                                       cmocka_unit_test(small_numbers_are_rounded_once),
                                       cmocka_unit_test(nearly_equal_depths_are_told_apart)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
