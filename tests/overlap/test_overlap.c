// SPDX-License-Identifier: MIT
// grz_overlap_volume(): known volumes; solids of cells, whose volume is counted; what may not change the answer; the
// sample models against points in them; solids without an inside; bad input; memory that runs out. ctest: timeout 600
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h>

#include "support_allocator.h"
#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

static grz_overlap_volume_answer ask_by(const grz_object *a, const grz_object *b, const char *method,
                                        grz_inside_rule rule)
{
    grz_move_options options = grz_default_move_options();
    grz_overlap_volume_answer answer;
    grz_error error;
    options.method = method;
    options.inside_rule = rule;
    memset(&answer, 0xa5, sizeof answer);
    if (grz_overlap_volume(device, a, b, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(0.0 <= answer.lower && answer.lower <= answer.upper);
    assert_true(answer.reason == NULL ? TEST_LABEL_FITS(answer) : answer.certainty == GRZ_UNDECIDED);
    return answer;
}

static bool same_bytes(const grz_overlap_volume_answer *x, const grz_overlap_volume_answer *y)
{
    return memcmp(&x->lower, &y->lower, sizeof x->lower) == 0 && memcmp(&x->upper, &y->upper, sizeof x->upper) == 0 &&
           x->certainty == y->certainty;
}

// Both ways round, and by all pairs.
static grz_overlap_volume_answer ask(const grz_object *a, const grz_object *b)
{
    const grz_overlap_volume_answer answer = ask_by(a, b, NULL, GRZ_EVEN_ODD),
                                    swapped = ask_by(b, a, NULL, GRZ_EVEN_ODD),
                                    all = ask_by(a, b, "naive", GRZ_EVEN_ODD);
    if (!same_bytes(&answer, &swapped) || !same_bytes(&answer, &all))
        fail_msg("%a to %a, swapped %a to %a, all pairs %a to %a", answer.lower, answer.upper, swapped.lower,
                 swapped.upper, all.lower, all.upper);
    return answer;
}

// The exact volume is a double.
static void expect(const char *what, const grz_object *a, const grz_object *b, double volume)
{
    const grz_overlap_volume_answer answer = ask(a, b);
    if (!TEST_LABEL_FITS(answer) || answer.lower > volume || answer.upper < volume ||
        answer.upper - answer.lower > 1e-9 * volume || (volume > 0.0) != (answer.upper > 0.0))
        fail_msg("%s: %.17g to %.17g (%.2g apart), but it is %.17g", what, answer.lower, answer.upper,
                 (answer.upper - answer.lower) / volume, volume);
}

static grz_object object_of(const test_mesh *mesh)
{
    return grz_object_at_origin(test_mesh_upload(device, mesh));
}

static void drop(grz_object *object, test_mesh *mesh)
{
    grz_mesh_destroy((grz_mesh *)object->mesh);
    test_mesh_finish(mesh);
}

// ---- Known volumes ------------------------------------------------------------------------------------------------

static void known_volumes(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), large = test_mesh_cube(-4, -4, -4, 8);
    grz_object a = object_of(&cube), b = a, around = object_of(&large);
    (void)state;
    expect("the same", &a, &b, 1.0);
    b.pose = grz_pose_from_translation(0.5, 0, 0);
    expect("half, flush on four sides", &a, &b, 0.5);
    b.pose = grz_pose_from_translation(0.5, 0.25, -0.75);
    expect("a corner", &a, &b, 0.5 * 0.75 * 0.25);
    b.pose = grz_pose_from_translation(1.0 - 0x1p-40, 0.25, 0.5);
    expect("a thin slice", &a, &b, 0x1p-40 * 0.75 * 0.5);
    b.pose = grz_pose_from_translation(1.0 - 0x1p-10, 1.0 - 0x1p-10, 1.0 - 0x1p-10);
    expect("a small corner", &a, &b, 0x1p-30);
    // The volume is less than what rounding leaves open, and yet not 0.
    b.pose = grz_pose_from_translation(1.0 - 0x1p-52, 1.0 - 0x1p-52, 1.0 - 0x1p-52);
    const grz_overlap_volume_answer least = ask(&a, &b);
    assert_true(least.lower <= 0x1p-156 && 0x1p-156 <= least.upper && least.upper < 0x1.01p-156);
    b.pose = grz_pose_from_translation(1, 0, 0);
    expect("flush", &a, &b, 0.0);
    b.pose = grz_pose_from_translation(1, 1, 1);
    expect("a common corner", &a, &b, 0.0);
    b.pose = grz_pose_from_translation(1, 0.1, 0.3);
    expect("a common part of a face", &a, &b, 0.0);
    b.pose = grz_pose_from_translation(3, 0, 0);
    expect("apart", &a, &b, 0.0);
    expect("inside", &a, &around, 1.0);
    a.pose = grz_pose_from_translation(3, 3, 3);
    expect("inside, touching", &a, &around, 1.0);
    a.pose = grz_pose_from_translation(3.5, 0, 0);
    expect("half out", &a, &around, 0.5);
    grz_mesh_destroy((grz_mesh *)around.mesh);
    test_mesh_finish(&large);
    drop(&b, &cube);
}

// A cavity counts for nothing, neither does a solid in it.
static void cavities(void **state)
{
    test_mesh shells = test_mesh_shells(3, 0), core = test_mesh_cube(-0.5, -0.5, -0.5, 1), // cubes of 6, 4 and 2
        room = test_mesh_cube(-1.5, -1.5, -1.5, 3), wall = test_mesh_cube(-2.75, -0.25, -0.25, 0.5),
              rod = test_mesh_cube(-4, -0.5, -0.5, 1);
    grz_object a = object_of(&shells), b = object_of(&core), c = object_of(&room), d = object_of(&wall),
               e = object_of(&rod);
    (void)state;
    expect("inside the innermost", &a, &b, 1.0);
    expect("the cavity and the innermost", &a, &c, 8.0);
    expect("inside the wall", &a, &d, 0.125);
    test_mesh_scale(&rod, 2, 1, 1); // -8 to -6: moved below
    grz_object f = object_of(&rod);
    f.pose = grz_pose_from_translation(5.5, 0, 0); // -2.5 to -0.5: 0.5 of the wall, 0.5 of the innermost
    expect("through the cavity", &a, &f, 0.5 + 0.5);
    expect("into the wall", &a, &e, 0.0);
    e.pose = grz_pose_from_translation(0.5, 0, 0);
    expect("half into the wall", &a, &e, 0.5);
    expect("the same", &a, &a, 216.0 - 64.0 + 8.0);
    grz_mesh_destroy((grz_mesh *)f.mesh);
    drop(&a, &shells);
    drop(&b, &core);
    drop(&c, &room);
    drop(&d, &wall);
    drop(&e, &rod);
}

// By the nonzero rule a cube within another, oriented the same way, is no cavity; its faces bound nothing.
static void the_nonzero_rule(void **state)
{
    test_mesh shells = test_mesh_shells(2, 0), box = test_mesh_cube(-1, -1, -1, 4);
    grz_object a = object_of(&shells), b = object_of(&box);
    (void)state;
    const grz_overlap_volume_answer nonzero = ask_by(&a, &b, NULL, GRZ_NONZERO);
    assert_true(nonzero.lower <= 27.0 && nonzero.upper >= 27.0 && nonzero.upper - nonzero.lower < 1e-10);
    expect("even-odd", &a, &b, 27.0 - 8.0);
    drop(&a, &shells);
    drop(&b, &box);
}

// At an offset, at all sizes, stretched, as slivers. 2^-300: the volume is 2^-900 of that at 1.
static void places_and_sizes(void **state)
{
    static const int exponents[] = {0, 200, 299, -100, -300, -340, -1000};
    (void)state;
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        const double s = ldexp(1.0, exponents[i]);
        test_mesh cube = test_mesh_cube(0, 0, 0, s);
        grz_object a = object_of(&cube), b = a;
        b.pose = grz_pose_from_translation(0.5 * s, 0.25 * s, 0.75 * s);
        const grz_overlap_volume_answer answer = ask(&a, &b);
        const double volume = ldexp(0.09375, 3 * exponents[i]); // 0 where it underflows
        assert_true(answer.lower <= volume && volume <= answer.upper && answer.upper > 0.0);
        assert_true(answer.upper - answer.lower <= fmax(1e-11 * volume, 0x1p-1073));
        drop(&a, &cube);
    }
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), needle = test_mesh_cube(0, 0, 0, 1);
    grz_object a = object_of(&cube), b = a;
    a.pose = grz_pose_from_translation(1e6, -1e6, 1e6);
    b.pose = grz_pose_from_translation(1e6 + 0.5, -1e6 + 0.25, 1e6 + 0.75);
    expect("a million away", &a, &b, 0.09375);
    a.pose = grz_pose_from_translation(0x1p52, 0x1p52, 0x1p52);
    b.pose = grz_pose_from_translation(0x1p52 + 1, 0x1p52, 0x1p52);
    expect("rounded to flush", &a, &b, 0.0);
    test_mesh_scale(&needle, 0x1p12, 0x1p-12, 0x1p-20);
    grz_object c = object_of(&needle);
    a.pose = grz_pose_from_translation(0.5, -0.5, -0.5);
    expect("a needle", &a, &c, 0x1p-32);
    c.pose = grz_pose_from_translation(-0x1p11, 0.5 - 0x1p-13, 0);
    expect("a needle half out", &a, &c, 0x1p-33);
    drop(&a, &cube);
    drop(&c, &needle);
}

// ---- Solids of cells ----------------------------------------------------------------------------------------------

static double volume_of_cells(const solid_cells *a, const solid_cells *b, const double offset[3])
{
    enum {
        CELLS = SOLID_CELLS * SOLID_CELLS * SOLID_CELLS
    };
    double volume = 0.0;
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            const int at[3] = {i % 5, i / 5 % 5, i / 25}, other[3] = {j % 5, j / 5 % 5, j / 25};
            double common = a->full[at[0]][at[1]][at[2]] && b->full[other[0]][other[1]][other[2]] ? 1.0 : 0.0;
            for (int k = 0; k < 3; k++)
                common *= fmax(0.0, SOLID_CELL_SIZE - fabs(SOLID_CELL_SIZE * (double)(at[k] - other[k]) + offset[k]));
            volume += common;
        }
    return volume;
}

static void volumes_of_cells_are_counted(void **state)
{
    const int cases = TEST_SANITIZED ? 15 : 60;
    random_stream random = {51};
    int overlapping = 0, flush = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        const solid_cells cells[2] = {solid_random(&random, 1 + random_below(&random, 6)),
                                      solid_random(&random, 1 + random_below(&random, 6))};
        double offset[3];
        for (int k = 0; k < 3; k++) // on the grid of cells in half of the cases: everything is flush
            offset[k] = random_below(&random, 2) == 0 ? 4.0 * ((double)random_below(&random, 7) - 3.0)
                                                      : (double)random_below(&random, 33) / 2.0 - 8.0;
        test_mesh surfaces[2] = {solid_surface(&cells[0], false), solid_surface(&cells[1], true)};
        grz_object a = object_of(&surfaces[0]), b = object_of(&surfaces[1]);
        a.pose = grz_pose_from_translation(offset[0], offset[1], offset[2]);
        const double volume = volume_of_cells(&cells[0], &cells[1], offset);
        expect("cells", &a, &b, volume);
        overlapping += volume > 0.0;
        flush += volume == 0.0;
        drop(&a, &surfaces[0]);
        drop(&b, &surfaces[1]);
    }
    print_message("%d pairs of solids of cells: %d overlap\n", cases, overlapping);
    assert_true(overlapping > cases / 2 && (TEST_SANITIZED || flush > 0));
}

// ---- Laws ---------------------------------------------------------------------------------------------------------

static void order_and_cuts_do_not_matter(void **state)
{
    random_stream random = {52};
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 4 : 12); i++) {
        test_mesh rough = test_mesh_rough_sphere(&random, 2, 0.3, false), ball = test_mesh_icosphere(1.0, 2),
                  shuffled = test_mesh_copy(&rough), soup = test_mesh_soup(&rough), reversed = test_mesh_copy(&rough),
                  other = test_mesh_copy(&ball);
        const double x = random_signed(&random), y = random_signed(&random), z = random_signed(&random);
        test_mesh_shuffle(&shuffled, &random, NULL);
        test_mesh_shuffle(&other, &random, NULL);
        test_mesh_reverse_some(&reversed, &random);
        const test_mesh *const forms[4] = {&rough, &shuffled, &soup, &reversed};
        grz_overlap_volume_answer first = {.lower = 0.0};
        for (int k = 0; k < 4; k++) {
            grz_object a = object_of(forms[k]), b = object_of(k % 2 == 0 ? &ball : &other);
            b.pose = grz_pose_from_translation(x, y, z);
            const grz_overlap_volume_answer answer = ask(&a, &b);
            first = k == 0 ? answer : first;
            if (!same_bytes(&first, &answer) || !(answer.upper > 0.0) || answer.certainty != GRZ_ENCLOSED)
                fail_msg("case %d: %a to %a, and in form %d %a to %a", i, first.lower, first.upper, k, answer.lower,
                         answer.upper);
            grz_mesh_destroy((grz_mesh *)a.mesh);
            grz_mesh_destroy((grz_mesh *)b.mesh);
        }
        test_mesh_finish(&rough);
        test_mesh_finish(&ball);
        test_mesh_finish(&shuffled);
        test_mesh_finish(&soup);
        test_mesh_finish(&reversed);
        test_mesh_finish(&other);
    }
}

// Finer faces, powers of two, and the solid with itself.
static void equal_solids_have_volumes_in_common(void **state)
{
    random_stream random = {53};
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 3 : 10); i++) {
        test_mesh mesh = test_mesh_rough_sphere(&random, 1, 0.3, false);
        for (uint64_t k = 0; k < 3 * mesh.vertex_count; k++) // middles of edges are exact then
            mesh.positions[k] = 2.0 * floor(mesh.positions[k] * 1000.0);
        test_mesh fine = test_mesh_subdivided(&mesh), scaled = test_mesh_copy(&mesh);
        test_mesh_scale(&scaled, 0x1p-70, 0x1p-70, 0x1p-70);
        grz_object a = object_of(&mesh), b = object_of(&fine), c = object_of(&scaled);
        const grz_overlap_volume_answer own = ask(&a, &a), both = ask(&a, &b), finer = ask(&b, &b), small = ask(&c, &c);
        assert_true(own.lower > 0.0 && fmax(own.lower, finer.lower) <= fmin(own.upper, finer.upper));
        assert_true(fmax(own.lower, both.lower) <= fmin(own.upper, both.upper));
        assert_true(small.lower == own.lower * 0x1p-210 && small.upper == own.upper * 0x1p-210);
        // Moved apart: what is in both, of either fineness.
        grz_object away = a, away_fine = b;
        away.pose = away_fine.pose = grz_pose_from_translation(700, -300, 100);
        const grz_overlap_volume_answer part = ask(&a, &away), part_fine = ask(&a, &away_fine),
                                        fine_part = ask(&b, &away);
        assert_true(fmax(part.lower, part_fine.lower) <= fmin(part.upper, part_fine.upper));
        assert_true(fmax(part.lower, fine_part.lower) <= fmin(part.upper, fine_part.upper));
        assert_true(part.upper < own.lower && part.upper - part.lower < 1e-10 * part.upper);
        drop(&a, &mesh);
        drop(&b, &fine);
        drop(&c, &scaled);
    }
}

// ---- Sample models ------------------------------------------------------------------------------------------------

// Random points in the common box: the share of those in both solids, within five standard deviations.
static void expect_points(const char *file, const double shift[3])
{
    enum {
        POINTS = TEST_SANITIZED ? 6000 : 60000
    };
    static double points[3 * POINTS];
    static grz_location locations[2][POINTS];
    random_stream random = {54};
    test_mesh mesh = test_mesh_load(file);
    grz_object a = object_of(&mesh), b = a;
    double box[2][3] = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}}, size = 1.0;
    int inside = 0;
    b.pose = grz_pose_from_translation(shift[0], shift[1], shift[2]);
    for (uint64_t v = 0; v < mesh.vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            box[0][k] = fmin(box[0][k], mesh.positions[3 * v + (uint64_t)k]);
            box[1][k] = fmax(box[1][k], mesh.positions[3 * v + (uint64_t)k]);
        }
    for (int k = 0; k < 3; k++) {
        box[0][k] = fmax(box[0][k], box[0][k] + shift[k]);
        box[1][k] = fmin(box[1][k], box[1][k] + shift[k]);
        size *= box[1][k] - box[0][k];
    }
    for (int i = 0; i < 3 * POINTS; i++)
        points[i] = box[0][i % 3] + (0.5 + 0.5 * random_signed(&random)) * (box[1][i % 3] - box[0][i % 3]);
    assert_int_equal(grz_locate_points(device, &a, points, POINTS, NULL, locations[0], NULL), GRZ_OK);
    assert_int_equal(grz_locate_points(device, &b, points, POINTS, NULL, locations[1], NULL), GRZ_OK);
    for (int i = 0; i < POINTS; i++)
        inside += locations[0][i] == GRZ_INSIDE && locations[1][i] == GRZ_INSIDE;
    const grz_overlap_volume_answer answer = ask_by(&a, &b, NULL, GRZ_EVEN_ODD);
    const double share = (double)inside / POINTS, deviation = sqrt(share * (1.0 - share) / POINTS) * size;
    print_message("%s: %.15g, %.1g of it wide; by points %.4g ± %.2g\n", file, answer.lower,
                  (answer.upper - answer.lower) / answer.upper, share * size, deviation);
    assert_true(answer.certainty == GRZ_ENCLOSED && answer.upper - answer.lower < 1e-9 * answer.upper);
    assert_true(fabs(share * size - answer.lower) < 5.0 * deviation);
    drop(&a, &mesh);
}

static void points_agree_on_sample_models(void **state)
{
    const double near[3] = {0.1, 0.07, 0.05}, far[3] = {0.5, -0.3, 0.2}, none[3] = {0, 0, 0};
    (void)state;
    expect_points("data/cow_spot.ply", near);
    expect_points("data/cow_spot.ply", none);
    expect_points("data/nbody_a_itokawa.ply", near);
    expect_points("data/nbody_a_bennu.ply", far);
}

// A small part against a large plate of two triangles a side: the bound is as small as the part.
static void small_parts_in_large_ones(void **state)
{
    const double low[3] = {-1e5, -1e5, -1}, high[3] = {1e5, 1e5, 0};
    test_mesh plate = test_mesh_box(low, high), ball = test_mesh_icosphere(1e-2, 3);
    grz_object a = object_of(&plate), b = object_of(&ball);
    (void)state;
    const grz_overlap_volume_answer half = ask(&a, &b);
    b.pose = grz_pose_from_translation(12345.678, 54321.0123, -0.5);
    const grz_overlap_volume_answer whole = ask(&a, &b);
    assert_true(half.certainty == GRZ_ENCLOSED && half.upper - half.lower < 1e-9 * half.upper);
    assert_true(whole.certainty == GRZ_ENCLOSED && whole.upper - whole.lower < 1e-9 * whole.upper);
    assert_true(fabs(half.upper / whole.upper - 0.5) < 1e-6);
    drop(&a, &plate);
    drop(&b, &ball);
}

// ---- What has no volume, and bad input ----------------------------------------------------------------------------

static void what_is_not_determined_has_a_reason(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 2), sheet = test_mesh_grid(2, 2, 1.0),
              crossed = test_mesh_cube(1, 1, 1, 2), dot = test_mesh_cube(0, 0, 0, 0x1p-300);
    test_mesh_take(&crossed, test_mesh_cube(2, 2, 2, 2)); // two cubes that cross, in one mesh
    grz_object a = object_of(&cube), b = object_of(&sheet), c = object_of(&crossed);
    (void)state;
    const grz_overlap_volume_answer open = ask(&a, &b), itself = ask(&a, &c);
    assert_true(open.certainty == GRZ_UNDECIDED && open.lower == 0.0 && open.upper == HUGE_VAL);
    assert_non_null(strstr(open.reason, "open"));
    // By the even-odd rule the common part of the two is outside; it is no part of a.
    assert_true(itself.certainty == GRZ_ENCLOSED && itself.lower <= 1.0 && itself.upper >= 1.0 &&
                itself.upper - itself.lower < 1e-12);
    // A cube inside of both.
    test_mesh small = test_mesh_cube(1.25, 1.25, 1.25, 0.5);
    grz_object d = object_of(&small);
    expect("inside what meets itself", &c, &d, 0.125);
    // A corner of one is 2^-300 inside the other.
    test_mesh huge = test_mesh_cube(0, 0, 0, 0x1p200);
    grz_object e = object_of(&dot), f = object_of(&huge);
    e.pose = grz_pose_from_translation(-0x1p-301, 0, 0);
    const grz_overlap_volume_answer different = ask(&e, &f);
    assert_true(different.certainty == GRZ_UNDECIDED && different.lower == 0.0);
    assert_true(different.upper >= 0x1p-901 && different.upper <= 0x1p-901 * (1.0 + 1e-12));
    assert_non_null(strstr(different.reason, "smaller"));
    drop(&a, &cube);
    drop(&b, &sheet);
    drop(&c, &crossed);
    drop(&d, &small);
    drop(&e, &dot);
    drop(&f, &huge);
}

static void bad_input_is_refused(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), ball = test_mesh_icosphere(1.0, 5);
    grz_object a = object_of(&cube), b = object_of(&ball), c = b;
    grz_move_options options = grz_default_move_options();
    grz_overlap_volume_answer answer;
    grz_error error;
    const int stop = 1;
    (void)state;
    assert_int_equal(grz_overlap_volume(device, &a, &a, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_overlap_volume(NULL, &a, &a, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_overlap_volume(device, &a, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_true(error.element == 1 && answer.upper == HUGE_VAL && answer.lower == 0.0);
    assert_non_null(strstr(error.message, "overlap volume"));
    c.pose.m[1][3] = (double)NAN;
    assert_int_equal(grz_overlap_volume(device, &a, &c, NULL, &answer, &error), GRZ_ERROR_POSE);
    options.method = "slices";
    assert_int_equal(grz_overlap_volume(device, &a, &a, &options, &answer, &error), GRZ_ERROR_UNSUPPORTED);
    // What ends early leaves the bounds of the boxes.
    options.method = NULL;
    options.limits.cancel = &stop;
    assert_int_equal(grz_overlap_volume(device, &a, &b, &options, &answer, &error), GRZ_ERROR_CANCELLED);
    assert_true(answer.lower == 0.0 && answer.upper >= 1.0 && answer.upper < 1.001 &&
                answer.certainty == GRZ_UNDECIDED);
    options.limits.cancel = NULL;
    options.method = "naive";
    options.limits.deadline = 1e-3;
    c.pose = grz_pose_from_translation(0.1, 0.2, 0.3);
    assert_int_equal(grz_overlap_volume(device, &b, &c, &options, &answer, &error), GRZ_ERROR_DEADLINE);
    assert_true(answer.lower == 0.0 && answer.upper > 4.0 && answer.upper < 8.0);
    drop(&a, &cube);
    drop(&b, &ball);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device_options wanted = grz_default_device_options();
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    bool again = true;
    int failures = 0;
    (void)state;
    wanted.allocator = test_strict_allocator_of(&strict);
    wanted.threads = 1;
    for (long fail_at = 1; again; fail_at++) {
        grz_device *own;
        grz_overlap_volume_answer answer;
        strict.fail_at = 0;
        assert_int_equal(grz_device_open(&wanted, &own, NULL), GRZ_OK);
        grz_object a = grz_object_at_origin(test_mesh_upload(own, &ball)), b = a;
        b.pose = grz_pose_from_translation(0.3, 0.1, 0.2);
        strict.calls = 0;
        strict.failed = false;
        strict.fail_at = fail_at;
        const grz_status status = grz_overlap_volume(own, &a, &b, NULL, &answer, NULL);
        again = strict.failed;
        if (status == GRZ_OK) {
            assert_true(answer.certainty == GRZ_ENCLOSED && answer.lower > 2.0);
        } else {
            assert_true(again && status == GRZ_ERROR_MEMORY && answer.upper == HUGE_VAL);
            failures++;
        }
        strict.fail_at = 0;
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_device_close(own);
        assert_true(strict.blocks == 0 && strict.bytes == 0 && !strict.misused);
    }
    print_message("memory ran out %d times\n", failures);
    assert_true(failures > 15);
    test_mesh_finish(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_volumes),
        cmocka_unit_test(cavities),
        cmocka_unit_test(the_nonzero_rule),
        cmocka_unit_test(places_and_sizes),
        cmocka_unit_test(volumes_of_cells_are_counted),
        cmocka_unit_test(order_and_cuts_do_not_matter),
        cmocka_unit_test(equal_solids_have_volumes_in_common),
        cmocka_unit_test(points_agree_on_sample_models),
        cmocka_unit_test(small_parts_in_large_ones),
        cmocka_unit_test(what_is_not_determined_has_a_reason),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
