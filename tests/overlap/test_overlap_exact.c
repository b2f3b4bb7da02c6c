// SPDX-License-Identifier: MIT
// The bounds of a volume hold, and are close: pairs of triangles of all classes, and polyhedra, against rationals; sums
// against integers.
// ctest: timeout 900
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/overlap/prism.h"
#include "oracle_volume.h"
#include "support_meshes.h"
#include "support_sanitizer.h"
#include "support_solids.h"

enum {
    PAIRS = TEST_SHORT ? 40 : 200, // of triangles, of each class
    SMALL = TEST_SHORT ? 60 : 300, // pairs of a small triangle and a large one
    POLYHEDRA = TEST_SHORT ? 15 : 30,
    DIRECTIONS = 6
};

// ---- Sums ---------------------------------------------------------------------------------------------------------

// The terms are whole multiples of 2^-40, so their sum is exact.
static void sums_do_not_depend_on_the_order(void **state)
{
    random_stream random = {71};
    grz_enclosure terms[500];
    bool negative[500];
    int64_t expected = 0; // in units of 2^-40
    (void)state;
    for (int i = 0; i < 500; i++) {
        const int64_t units = (int64_t)(random_bits(&random) >> 24);
        negative[i] = random_below(&random, 2) == 0;
        terms[i].lower = ldexp((double)units, -40);
        terms[i].upper = terms[i].lower;
        expected += negative[i] ? -units : units;
    }
    grz_enclosed_sum forward = {{0, 0}, {0, 0}}, back = forward;
    for (int i = 0; i < 500; i++) {
        grz_enclosed_sum_add(&forward, &terms[i], negative[i]);
        grz_enclosed_sum_add(&back, &terms[499 - i], negative[499 - i]);
    }
    assert_memory_equal(&forward, &back, sizeof back);
    const grz_enclosure value = grz_enclosed_sum_value(&forward, 3);
    const double exact = expected < 0 ? 0.0 : ldexp((double)expected, 3 - 40);
    assert_true(value.lower <= exact && exact <= value.upper);
    assert_true(value.upper - value.lower <= 0x1p-52 * exact);
}

static void sums_round_outwards(void **state)
{
    static const double numbers[] = {0.0, 0x1p-80, 0x1.8p-80, 0x1p-81, 0x1p-1074, 1.0 / 3.0, 1.0, 0x1.fffffffffffffp1};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        for (int exponent = -1100; exponent <= 900; exponent += 100) {
            const grz_enclosure number = {numbers[i], numbers[i]};
            grz_enclosed_sum sum = {{0, 0}, {0, 0}}, less = sum;
            mpq_t exact, end;
            mpq_init(exact);
            mpq_init(end);
            mpq_set_d(exact, numbers[i]);
            if (exponent < 0)
                mpq_div_2exp(exact, exact, (mp_bitcnt_t)-exponent);
            else
                mpq_mul_2exp(exact, exact, (mp_bitcnt_t)exponent);
            grz_enclosed_sum_add(&sum, &number, false);
            const grz_enclosure value = grz_enclosed_sum_value(&sum, exponent);
            mpq_set_d(end, value.lower);
            assert_true(mpq_cmp(end, exact) <= 0);
            mpq_set_d(end, value.upper);
            assert_true(mpq_cmp(end, exact) >= 0);
            assert_true((value.upper == 0.0) == (numbers[i] == 0.0));
            assert_true(value.upper - value.lower <= fmax(ldexp(1.0, exponent - 80), 0x1p-1073));
            grz_enclosed_sum_add(&less, &number, true); // below 0: as if it were 0
            assert_true(grz_enclosed_sum_value(&less, exponent).upper <= ldexp(1.0, exponent - 80));
            mpq_clear(exact);
            mpq_clear(end);
        }
    // A carry out of the low half, and the largest rounding: 2^53 + 1 units.
    grz_enclosed_sum sum = {{0, 0}, {0, 0}};
    const grz_enclosure large = {1.0, 1.0}, small = {0x1p-53, 0x1p-53};
    for (int i = 0; i < 3; i++)
        grz_enclosed_sum_add(&sum, i == 0 ? &large : &small, i == 2);
    assert_true(grz_enclosed_sum_value(&sum, 0).lower == 1.0 && grz_enclosed_sum_value(&sum, 0).upper == 1.0);
    grz_enclosed_sum_add(&sum, &small, false);
    assert_true(grz_enclosed_sum_value(&sum, 0).lower == 1.0 && grz_enclosed_sum_value(&sum, 0).upper == 1.0 + 0x1p-52);
    grz_enclosed_sum_add(&sum, &small, true);
    grz_enclosed_sum_add(&sum, &small, true);
    assert_true(grz_enclosed_sum_value(&sum, 0).lower == 1.0 - 0x1p-53);
}

// ---- Pairs of triangles -------------------------------------------------------------------------------------------

// Bring the largest coordinate to 1/2 to 1. Along z it may have another scale.
static double scale_for(const double a[3][3], const double b[3][3])
{
    double most = 0.0;
    int exponent;
    for (int i = 0; i < 9; i++)
        most = fmax(most, fmax(fabs(a[i / 3][i % 3]), fabs(b[i / 3][i % 3])));
    frexp(most, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

typedef struct tally {
    int pairs, over, sharp; // with a volume; with bounds that differ by a millionth of it at most
    double widest;          // largest bound of a pair without a volume, in parts of 1
} tally;

static bool is_between(const grz_enclosure *bounds, const mpq_t exact)
{
    mpq_t end, tiny;
    mpq_init(end);
    mpq_init(tiny);
    mpq_set_d(tiny, 0x1p-400); // what underflows is paid for in the sum
    mpq_set_d(end, bounds->lower);
    mpq_sub(end, end, tiny);
    bool holds = mpq_cmp(end, exact) <= 0;
    mpq_set_d(end, bounds->upper);
    mpq_add(end, end, tiny);
    holds = holds && mpq_cmp(end, exact) >= 0;
    mpq_clear(end);
    mpq_clear(tiny);
    return holds;
}

static void check_pair(const double a[3][3], const double b[3][3], int axis, tally *counts)
{
    const double scale = scale_for(a, b);
    const grz_prism_frame frame = {{(axis + 1) % 3, (axis + 2) % 3, axis}, {scale, scale, scale}};
    grz_prism upper, lower;
    grz_enclosure volume = {0.0, 0.0};
    double moved[2][3][3];
    mpq_t exact;
    grz_prism_set(&upper, &frame, a);
    grz_prism_set(&lower, &frame, b);
    if (upper.turn == 0 || lower.turn == 0)
        return;
    for (int i = 0; i < 9; i++) {
        moved[0][i / 3][i % 3] = a[i / 3][frame.axis[i % 3]] * scale;
        moved[1][i / 3][i % 3] = b[i / 3][frame.axis[i % 3]] * scale;
    }
    mpq_init(exact);
    const bool any = grz_prism_pair(&upper, &lower, &volume);
    if (any) // without a volume the oracle is asked now and then
        counts->pairs++;
    if (any || counts->pairs % 4 == 0) {
        oracle_volume_between((const double(*)[3])moved[0], (const double(*)[3])moved[1], exact);
        if (!is_between(&volume, exact)) {
            fprintf(stderr, "%.17g to %.17g, but it is %.17g\n", volume.lower, volume.upper, mpq_get_d(exact));
            for (int i = 0; i < 6; i++)
                fprintf(stderr, "  %a %a %a\n", moved[i / 3][i % 3][0], moved[i / 3][i % 3][1], moved[i / 3][i % 3][2]);
            fail();
        }
        const double middle = mpq_get_d(exact);
        counts->over += middle > 0.0;
        counts->sharp += middle > 0.0 && volume.upper - volume.lower <= 1e-6 * middle;
        if (middle == 0.0)
            counts->widest = fmax(counts->widest, volume.upper);
    }
    mpq_clear(exact);
}

static void volumes_between_triangles_are_enclosed(void **state)
{
    (void)state;
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, 9);
        tally counts = {0, 0, 0, 0.0};
        for (int i = 0; i < PAIRS; i++) {
            double a[3][3], b[3][3];
            pair_generate((pair_class)group, &random, a, b);
            for (int direction = 0; direction < DIRECTIONS; direction++)
                check_pair((const double(*)[3])(direction < 3 ? a : b), (const double(*)[3])(direction < 3 ? b : a),
                           direction % 3, &counts);
        }
        print_message("%-14s %4d pairs, %4d with a volume, %4d of these to a millionth; others up to %.2g\n",
                      pair_class_name((pair_class)group), counts.pairs, counts.over, counts.sharp, counts.widest);
        assert_true(counts.over > (TEST_SHORT ? 0 : 20));
        if (group == PAIR_RANDOM || group == PAIR_GRID)
            assert_true(counts.sharp * 4 >= counts.over * 3 && counts.widest < 1e-12);
    }
}

// A triangle 2^-8 to 2^-30 times as large as another lies across one of its edges: the bound is as small as the small
// one.
static void small_triangles_at_edges_of_large_ones(void **state)
{
    random_stream random = {73};
    tally counts = {0, 0, 0, 0.0};
    (void)state;
    for (int i = 0; i < SMALL; i++) {
        const double size = ldexp(1.0, -8 - (int)random_below(&random, 23));
        double large[3][3], small[3][3], at[3];
        const double part = 0.5 + 0.4 * random_signed(&random);
        for (int k = 0; k < 9; k++)
            large[k / 3][k % 3] = random_signed(&random);
        for (int k = 0; k < 3; k++)
            at[k] = large[0][k] + part * (large[1][k] - large[0][k]);
        for (int k = 0; k < 9; k++)
            small[k / 3][k % 3] = at[k % 3] + size * random_signed(&random);
        for (int direction = 0; direction < 6; direction++)
            check_pair((const double(*)[3])(direction < 3 ? large : small),
                       (const double(*)[3])(direction < 3 ? small : large), direction % 3, &counts);
    }
    print_message("small at edges: %d pairs, %d with a volume, %d of these to a millionth\n", counts.pairs, counts.over,
                  counts.sharp);
    assert_true(counts.over > SMALL && counts.sharp * 5 >= counts.over * 4);
}

// ---- Polyhedra ----------------------------------------------------------------------------------------------------

// Both are seen from a point inside: tetrahedra from there to the faces fill them.
static void exact_common_volume(const test_mesh meshes[2], const double centres[2][3], mpq_t volume)
{
    mpq_set_ui(volume, 0, 1);
    for (uint64_t i = 0; i < meshes[0].index_count; i += 3)
        for (uint64_t j = 0; j < meshes[1].index_count; j += 3) {
            double a[4][3], b[4][3];
            memcpy(a[3], centres[0], sizeof a[3]);
            memcpy(b[3], centres[1], sizeof b[3]);
            for (int k = 0; k < 3; k++) {
                memcpy(a[k], meshes[0].positions + 3 * (size_t)meshes[0].indices[i + (uint64_t)k], sizeof a[k]);
                memcpy(b[k], meshes[1].positions + 3 * (size_t)meshes[1].indices[j + (uint64_t)k], sizeof b[k]);
            }
            oracle_add_common_volume((const double(*)[3])a, (const double(*)[3])b, volume);
        }
}

static void volumes_of_polyhedra_are_enclosed(void **state)
{
    static const double sizes[] = {1.0, 0.3, 1e-3};
    random_stream random = {72};
    double widest = 0.0;
    int overlapping = 0;
    (void)state;
    grz_device *device = test_device_open(1);
    for (int i = 0; i < POLYHEDRA; i++) {
        test_mesh meshes[2] = {test_mesh_rough_sphere(&random, i % 3 == 0, 0.4, false),
                               test_mesh_rough_sphere(&random, 0, 0.4, false)};
        double centres[2][3] = {{0, 0, 0}, {0, 0, 0}};
        test_mesh_scale(&meshes[1], sizes[i % 3], sizes[i % 3], i % 5 == 0 ? 0.02 : sizes[i % 3]);
        // A thin or a small one lies across the surface of the other.
        for (int k = 0; k < 3; k++)
            centres[1][k] = ldexp((double)random_below(&random, 8192), -13);
        if (sizes[i % 3] < 0.1)
            for (int k = 0; k < 3; k++)
                centres[1][k] = meshes[0].positions[k];
        test_mesh_move(&meshes[1], centres[1][0], centres[1][1], centres[1][2]);
        const grz_object a = grz_object_at_origin(test_mesh_upload(device, &meshes[0])),
                         b = grz_object_at_origin(test_mesh_upload(device, &meshes[1]));
        grz_overlap_volume_answer answer;
        mpq_t exact;
        mpq_init(exact);
        assert_int_equal(grz_overlap_volume(device, &a, &b, NULL, &answer, NULL), GRZ_OK);
        exact_common_volume((const test_mesh *)meshes, (const double(*)[3])centres, exact);
        const grz_enclosure bounds = {answer.lower, answer.upper};
        // Rounding moved the centre out of the middle by an ulp or so: the tetrahedra still fill the solids.
        if (!TEST_LABEL_FITS(answer) || !is_between(&bounds, exact) || (answer.upper == 0.0) != (mpq_sgn(exact) == 0))
            fail_msg("case %d: %.17g to %.17g, but it is %.17g", i, answer.lower, answer.upper, mpq_get_d(exact));
        if (mpq_sgn(exact) > 0) {
            overlapping++;
            widest = fmax(widest, (answer.upper - answer.lower) / mpq_get_d(exact));
        }
        mpq_clear(exact);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
        test_mesh_finish(&meshes[0]);
        test_mesh_finish(&meshes[1]);
    }
    print_message("%d of %d pairs of polyhedra overlap; the bounds differ by %.2g of the volume at most\n", overlapping,
                  POLYHEDRA, widest);
    assert_true(overlapping > POLYHEDRA / 2 && widest < 1e-9);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_do_not_depend_on_the_order),
        cmocka_unit_test(sums_round_outwards),
        cmocka_unit_test(volumes_between_triangles_are_enclosed),
        cmocka_unit_test(small_triangles_at_edges_of_large_ones),
        cmocka_unit_test(volumes_of_polyhedra_are_enclosed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
