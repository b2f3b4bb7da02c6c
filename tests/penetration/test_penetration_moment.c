// SPDX-License-Identifier: MIT
// Solids at one exact time (src/ask/penetration/moment). Solids of cells are moved by whole numbers: then the query
// for solids at the moved positions is a twin of grz_overlap_at_instant() and of grz_overlap_of_scaled(). At other
// times, cells tell: solids overlap exactly if two cells do.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/penetration/depth.h"
#include "ask/penetration/moment/moment.h"
#include "ask/penetration/moment/scaled.h"
#include "ask/solids_overlap.h"
#include "base/fp_guard.h"
#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

// p / q as an exact time.
static grz_instant fraction(int p, int q)
{
    grz_instant when = {.exact = {.exponent = 0}};
    grz_integer_from_double(p, 0, &when.exact.numerator);
    grz_integer_from_double(q, 0, &when.exact.denominator);
    when.at = grz_time_round(&when.exact);
    return when;
}

// What both ways say of A, moved by time · direction, and B. `clean`: both surfaces are.
static void ask(const grz_object *a, const grz_object *b, const double direction[3], const grz_instant *when,
                grz_overlap *by_contacts, grz_overlap *scaled, bool *clean)
{
    grz_move_call call;
    grz_overlapping start = {.reason = NULL};
    grz_path path;
    const grz_fp_state fp = grz_fp_enter();
    assert_int_equal(grz_move_begin(&call, "test", device, NULL, NULL), GRZ_OK);
    assert_int_equal(grz_overlapping_find_surfaces(&call, a, b, &start), GRZ_OK);
    grz_path_along(&path, a, direction, HUGE_VAL, b);
    assert_int_equal(grz_overlap_at_instant(&call, &path, start.surfaces, when, by_contacts), GRZ_OK);
    assert_int_equal(grz_overlap_of_scaled(&call, &path, when, scaled), GRZ_OK);
    *clean = start.clean;
    grz_overlapping_finish(&call, &start);
    grz_fp_leave(fp);
}

// Two cells overlap if they are less than a cell apart along each axis: offset · q + p · direction, in whole numbers.
static bool cells_overlap(const solid_cells cells[2], const int offset[3], const int direction[3], int p, int q)
{
    for (int i = 0; i < 125; i++)
        for (int j = 0; j < 125; j++) {
            const int at[3] = {i % 5, i / 5 % 5, i / 25}, other[3] = {j % 5, j / 5 % 5, j / 25};
            bool overlap = cells[0].full[at[0]][at[1]][at[2]] && cells[1].full[other[0]][other[1]][other[2]];
            for (int k = 0; k < 3 && overlap; k++)
                overlap = abs((SOLID_CELL_SIZE * (at[k] - other[k]) + offset[k]) * q + p * direction[k]) <
                          SOLID_CELL_SIZE * q;
            if (overlap)
                return true;
        }
    return false;
}

static void solids_overlap_where_cells_do(void **state)
{
    const int cases = TEST_SANITIZED ? 60 : 600;
    random_stream random = {71};
    int seen[2][2] = {{0}}, whole = 0; // by clean, by overlap
    (void)state;
    for (int i = 0; i < cases; i++) {
        const uint32_t full = random_below(&random, 3);
        solid_cells cells[2] = {solid_random(&random, full), solid_random(&random, 1 + random_below(&random, 2))};
        int offset[3], way[3];
        double direction[3];
        for (int k = 0; k < 3; k++) {
            offset[k] = random_below(&random, 2) == 0 ? 4 * ((int)random_below(&random, 5) - 2)
                                                      : (int)random_below(&random, 17) - 8;
            way[k] = random_below(&random, 2) == 0 ? (int)random_below(&random, 13) - 6 : 0;
            direction[k] = way[k];
        }
        // Times at which a cell's wall meets another's, along some axis: there everything is flush.
        const int axis = (int)random_below(&random, 3),
                  q = way[axis] != 0 ? abs(way[axis]) : 1 + (int)random_below(&random, 7),
                  p = (int)random_below(&random, 24);
        grz_instant when = fraction(p, q);
        const bool tiny = i % 4 == 1; // and the way so long that no time is a double but 0
        test_mesh surfaces[2] = {solid_surface(&cells[0], false), solid_surface(&cells[1], true)};
        if (i % 3 == 0) { // what is in one of two solids and not in both: the surface meets itself
            const solid_cells other = solid_random(&random, 2);
            test_mesh_take(&surfaces[0], solid_surface(&other, false));
            for (int n = 0; n < 125; n++)
                cells[0].full[n % 5][n / 5 % 5][n / 25] ^= other.full[n % 5][n / 5 % 5][n / 25];
        }
        grz_object a = grz_object_at(test_mesh_upload(device, &surfaces[0]),
                                     grz_pose_from_translation(offset[0], offset[1], offset[2])),
                   b = grz_object_at_origin(test_mesh_upload(device, &surfaces[1]));
        for (int k = 0; k < 3 && tiny; k++) {
            a.pose.m[k][k] = b.pose.m[k][k] = 0x1p-900;
            a.pose.m[k][3] *= 0x1p-900;
            direction[k] *= 0x1p250;
        }
        if (tiny) {
            when.exact.exponent = -1150;
            when.at = grz_time_round(&when.exact);
        }
        grz_overlap by_contacts, scaled;
        bool clean;
        ask(&a, &b, direction, &when, &by_contacts, &scaled, &clean);
        const grz_overlap expected = cells_overlap(cells, offset, way, p, q) ? GRZ_OVERLAP_YES : GRZ_OVERLAP_NO;
        if (scaled != expected || by_contacts != (clean ? expected : GRZ_OVERLAP_UNKNOWN))
            fail_msg("case %d, time %d/%d along %d %d %d: %d by contacts, %d scaled, %d by cells, clean %d", i, p, q,
                     way[0], way[1], way[2], by_contacts, scaled, expected, clean);
        seen[clean][expected == GRZ_OVERLAP_YES]++;
        whole += p % q == 0;
        for (int n = 0; n < 2; n++)
            test_mesh_finish(&surfaces[n]);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
    }
    print_message("clean: %d overlap, %d do not; others: %d, %d; %d times are whole numbers\n", seen[1][1], seen[1][0],
                  seen[0][1], seen[0][0], whole);
    for (int n = 0; n < 4; n++)
        assert_true(seen[n / 2][n % 2] >= cases / 60);
}

// A box of uneven numbers in a box with the same walls, and just outside of it, at times that are no doubles.
static void flush_boxes_of_any_doubles(void **state)
{
    const double low[2][3] = {{0.1, 0.2, 0.3}, {0.7, 0.2, 0.3}}, high[2][3] = {{0.7, 0.9, 1.1}, {1.3, 0.9, 1.1}},
                 way[3] = {-0.3, 0.0, 0.0};
    (void)state;
    test_mesh surfaces[2];
    grz_object objects[2];
    for (int i = 0; i < 2; i++) {
        const double corners[2][3] = {{low[i][0], low[i][1], low[i][2]}, {high[i][0], high[i][1], high[i][2]}};
        surfaces[i] = test_mesh_box(corners[0], corners[1]);
        objects[i] = grz_object_at_origin(test_mesh_upload(device, &surfaces[i]));
    }
    // B moves onto A, by 2/7 of its way; until it has the place of A and 1/3 beyond; past it.
    const struct {
        int p, q;
        grz_overlap expected;
    } cases[] = {{0, 1, GRZ_OVERLAP_NO},
                 {2, 7, GRZ_OVERLAP_YES},
                 {2, 1, GRZ_OVERLAP_YES},
                 {7, 3, GRZ_OVERLAP_YES},
                 {13, 3, GRZ_OVERLAP_NO}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const grz_instant when = fraction(cases[i].p, cases[i].q);
        grz_overlap by_contacts, scaled;
        bool clean;
        ask(&objects[1], &objects[0], way, &when, &by_contacts, &scaled, &clean);
        assert_true(clean);
        assert_int_equal(by_contacts, cases[i].expected);
        // Sevenths and thirds of tenths have too many digits to be scaled.
        assert_int_equal(scaled, cases[i].q == 1 ? cases[i].expected : GRZ_OVERLAP_UNKNOWN);
    }
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy((grz_mesh *)objects[i].mesh);
        test_mesh_finish(&surfaces[i]);
    }
}

// A prism of three sides along x: its ridge is at y = 0, z = 0.
static test_mesh prism(double from, double to, double width, double height)
{
    const double low[3] = {from, -width, -height}, high[3] = {to, width, 0.0};
    test_mesh mesh = test_mesh_box(low, high);
    for (uint64_t v = 0; v < mesh.vertex_count; v++)
        if (mesh.positions[3 * v + 2] == 0.0)
            mesh.positions[3 * v + 1] = 0.0;
    return mesh;
}

// A narrow prism in a wide one: they have but a part of the ridge in common, and what is beside that is inside both. On
// the other side of the ridge, turned over, nothing is.
static void prisms_with_a_common_ridge(void **state)
{
    const double way[3] = {0, 0, 3};
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        test_mesh narrow = prism(1.0, 2.0, 0.25, 0.5), wide = prism(0.0, 3.0, 1.0, 1.0);
        for (uint64_t v = 0; v < narrow.vertex_count && turned == 1; v++)
            narrow.positions[3 * v + 2] = -narrow.positions[3 * v + 2];
        const grz_object a = grz_object_at(test_mesh_upload(device, &narrow), grz_pose_from_translation(0, 0, -1)),
                         b = grz_object_at_origin(test_mesh_upload(device, &wide));
        const grz_instant when = fraction(1, 3);
        grz_overlap by_contacts, scaled;
        bool clean;
        ask(&a, &b, way, &when, &by_contacts, &scaled, &clean);
        assert_int_equal(scaled, turned == 1 ? GRZ_OVERLAP_NO : GRZ_OVERLAP_YES);
        assert_int_equal(by_contacts, clean ? scaled : GRZ_OVERLAP_UNKNOWN);
        assert_true(clean);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
        test_mesh_finish(&narrow);
        test_mesh_finish(&wide);
    }
}

// A box beside another, flush with it, and one of the same mesh deep inside of it, or far away: the latter has no
// contact, and decides.
static void shells_without_contacts_decide(void **state)
{
    const double way[3] = {-3, 0, 0};
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        test_mesh block = test_mesh_cube(0, 0, 0, 4), parts = test_mesh_cube(4, 1, 1, 1);
        test_mesh_take(&parts, inside == 1 ? test_mesh_cube(1, 1, 1, 1) : test_mesh_cube(9, 1, 1, 1));
        const grz_object a = grz_object_at(test_mesh_upload(device, &parts), grz_pose_from_translation(1, 0, 0)),
                         b = grz_object_at_origin(test_mesh_upload(device, &block));
        const double back[3] = {3, 0, 0};
        const grz_instant when = fraction(1, 3);
        grz_overlap by_contacts, scaled;
        bool clean;
        for (int swapped = 0; swapped < 2; swapped++) {
            ask(swapped ? &b : &a, swapped ? &a : &b, swapped ? back : way, &when, &by_contacts, &scaled, &clean);
            assert_true(clean);
            assert_int_equal(scaled, inside == 1 ? GRZ_OVERLAP_YES : GRZ_OVERLAP_NO);
            assert_int_equal(by_contacts, scaled);
        }
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
        test_mesh_finish(&block);
        test_mesh_finish(&parts);
    }
}

// Numbers of too many limbs are noticed, and computed no further.
static void what_is_too_long_is_said(void **state)
{
    const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, way[3] = {0x1.123456789abcdp-900, 0x1p300, 0x1p-1000},
                 points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0x1p-1060, 0}, {0x1p300, 0x1p-1050, 0}};
    const double corners[2][3] = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    grz_instant when = fraction(1, 3);
    grz_moment moment;
    grz_moment_corner corner[4];
    grz_path path;
    (void)state;
    test_mesh box = test_mesh_box(corners[0], corners[1]);
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &box));
    when.exact.exponent = -8000;
    when.at = grz_time_round(&when.exact);
    grz_path_along(&path, &a, way, HUGE_VAL, &a);
    grz_moment_set(&moment, &path, &when);
    for (int i = 0; i < 4; i++)
        corner[i] = grz_moment_corner_of(&moment, points[i], i == 3);
    assert_false(moment.too_long);
    assert_int_equal(grz_moment_orient3d(&moment, &corner[0], &corner[1], &corner[2], &corner[3]), 0);
    assert_true(moment.too_long);
    test_mesh_finish(&box);
    grz_mesh_destroy((grz_mesh *)a.mesh);
}

// 6/14 · 2^k becomes 3/7; what has no small numbers stays.
static void times_are_shortened(void **state)
{
    (void)state;
    for (int p = 1; p < 60; p++)
        for (int q = 1; q < 60; q++) {
            grz_instant long_one = fraction(p, q);
            grz_integer factor, product;
            grz_integer_from_double(0x1.9p60, 0, &factor);
            grz_integer_multiply(&long_one.exact.numerator, &factor, &product);
            grz_integer_copy(&product, &long_one.exact.numerator);
            grz_integer_multiply(&long_one.exact.denominator, &factor, &product);
            grz_integer_copy(&product, &long_one.exact.denominator);
            const grz_time before = long_one.exact;
            grz_time_shorten(&long_one.exact);
            assert_int_equal(grz_times_compare(&before, &long_one.exact), 0);
            assert_int_equal(long_one.exact.numerator.count, 1);
            assert_int_equal(long_one.exact.denominator.count, 1);
        }
}

// Between two times there is a third one, also if they are closer to each other than doubles are, and written with
// other powers of two.
static void a_time_between_two_is_found(void **state)
{
    random_stream random = {.state = 29};
    int fractions = 0;
    (void)state;
    for (int i = 0; i < 2000; i++) {
        grz_instant times[2], between;
        const int q = 3 + (int)random_below(&random, 1000), p = 1 + (int)random_below(&random, (uint32_t)q - 1);
        times[0] = times[1] = fraction(p, q);
        // p/q, and a little more: both multiplied by 2^60, less or more of which is in the exponent.
        for (int n = 0; n < 2; n++) {
            const int more = n == 0 ? 0 : 40 + (int)random_below(&random, 30);
            grz_integer one, shifted;
            grz_integer_shift_left(&times[n].exact.numerator, 60 + more, &shifted);
            grz_integer_from_double(n == 0 ? 0.0 : 1.0 + (double)random_below(&random, 1000), 0, &one);
            grz_integer_add(&shifted, &one, 1, &times[n].exact.numerator);
            times[n].exact.exponent = -60 - more;
            times[n].at = grz_time_round(&times[n].exact);
        }
        if (grz_instant_is_double(&times[0]) || grz_instant_is_double(&times[1]))
            continue;
        assert_true(grz_instants_compare(&times[0], &times[1]) < 0);
        assert_true(grz_instant_between(&times[0], &times[1], &between));
        assert_true(grz_instants_compare(&times[0], &between) < 0 && grz_instants_compare(&between, &times[1]) < 0);
        fractions += !grz_instant_is_double(&between);
    }
    grz_instant zero, one, between;
    grz_instant_set(&zero, 0.0);
    grz_instant_set(&one, 0x1p-1074);
    assert_true(grz_instant_between(&zero, &one, &between) && grz_instants_compare(&zero, &between) < 0);
    assert_true(grz_instants_compare(&between, &one) < 0);
    print_message("%d times between two are no doubles\n", fractions);
    assert_true(fractions > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_overlap_where_cells_do),  cmocka_unit_test(flush_boxes_of_any_doubles),
        cmocka_unit_test(prisms_with_a_common_ridge),     cmocka_unit_test(what_is_too_long_is_said),
        cmocka_unit_test(shells_without_contacts_decide), cmocka_unit_test(times_are_shortened),
        cmocka_unit_test(a_time_between_two_is_found)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
