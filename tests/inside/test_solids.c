// SPDX-License-Identifier: MIT
// How two meshes lie to each other as solids. The truth is counted: solids of unit cells, of several components, with
// cavities, with cells that meet in an edge or a corner, cut into faces in different ways and on different grids, also
// sheared, turned and mirrored by integer matrices, so that every position is exact.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_lattice.h"
#include "support_queries.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static grz_device *device;
static grz_result *result;

static const char *const names[] = {"not asked",  "apart",      "touching", "penetrating",
                                    "a inside b", "b inside a", "same",     "undecidable"};

static grz_solids swapped(grz_solids solids)
{
    return solids == GRZ_SOLIDS_A_INSIDE_B   ? GRZ_SOLIDS_B_INSIDE_A
           : solids == GRZ_SOLIDS_B_INSIDE_A ? GRZ_SOLIDS_A_INSIDE_B
                                             : solids;
}

static grz_summary ask_objects(const grz_object *a, const grz_object *b, uint32_t find, grz_inside_rule rule)
{
    grz_error error = {0};
    grz_collide_options options = grz_default_collide_options();
    options.find = find;
    options.inside_rule = rule;
    if (grz_collide(device, a, b, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return *grz_result_summary(result);
}

// Ask for solids alone, in both orders.
static grz_solids ask_ruled(const test_mesh *a, const test_mesh *b, const grz_pose *pose, grz_inside_rule rule)
{
    grz_object objects[2] = {grz_object_at_origin(test_mesh_upload(device, a)),
                             grz_object_at_origin(test_mesh_upload(device, b))};
    if (pose != NULL)
        objects[0].pose = objects[1].pose = *pose;
    const grz_summary s = ask_objects(&objects[0], &objects[1], GRZ_FIND_SOLIDS, rule),
                      t = ask_objects(&objects[1], &objects[0], GRZ_FIND_SOLIDS, rule);
    if (t.solids != swapped(s.solids))
        fail_msg("swapped: %s, then %s", names[s.solids], names[t.solids]);
    assert_int_equal(s.solids == GRZ_SOLIDS_UNDECIDABLE, s.solids_reason != NULL);
    grz_mesh_destroy((grz_mesh *)objects[0].mesh);
    grz_mesh_destroy((grz_mesh *)objects[1].mesh);
    return s.solids;
}

static void expect(const char *what, const test_mesh *a, const test_mesh *b, grz_solids expected)
{
    const grz_solids found = ask_ruled(a, b, NULL, GRZ_EVEN_ODD);
    if (found != expected)
        fail_msg("%s: %s, expected %s", what, names[found], names[expected]);
}

// ---- Solids of cells ----

static lattice_style random_style(random_stream *random, int size, const int origin[3])
{
    return (lattice_style){.size = size,
                           .origin = {origin[0], origin[1], origin[2]},
                           .diagonals = random_below(random, 2) == 0,
                           .merge = random_below(random, 2) == 0,
                           .soup = random_below(random, 4) == 0,
                           .spin = random_below(random, 4) == 0};
}

static const double matrices[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},  {{1, 2, 0}, {0, 1, 3}, {1, 0, 1}},    {{2, 1, -1}, {1, 3, 1}, {-1, 2, 4}},
    {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},  {{3, -4, 0}, {4, 3, 0}, {0, 0, 5}},   {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}},
    {{7, 0, 1}, {0, -3, 2}, {5, 1, -1}}};

static grz_pose pose_of(const double m[3][3])
{
    grz_pose pose = grz_pose_identity();
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            pose.m[i][k] = m[i][k];
    pose.m[0][3] = 1000;
    pose.m[2][3] = -77;
    return pose;
}

// Two sets of cells and how their surfaces are to be made.
typedef struct lattice_case {
    lattice a, b;
    lattice_style style_a, style_b;
} lattice_case;

static lattice_case random_case(random_stream *random)
{
    static const int sizes[] = {1, 1, 2, 3};
    const int size_a = sizes[random_below(random, 4)], size_b = sizes[random_below(random, 4)];
    const int count_a = 1 + (int)random_below(random, size_a == 1 ? 5 : 3),
              count_b = 1 + (int)random_below(random, size_b == 1 ? 5 : 3);
    int origin_a[3], origin_b[3];
    const int spread = 1 + (int)random_below(random, 3);
    for (int i = 0; i < 3; i++) {
        origin_a[i] = (int)random_below(random, (uint32_t)spread + 1);
        origin_b[i] = (int)random_below(random, (uint32_t)spread + 1);
    }
    const uint32_t share_a = 2 + random_below(random, 15), share_b = 2 + random_below(random, 15);
    lattice_case c = {.a = lattice_random(random, origin_a, count_a, size_a, share_a),
                      .b = lattice_random(random, origin_b, count_b, size_b, share_b)};
    c.style_a = random_style(random, size_a, origin_a);
    c.style_b = random_style(random, size_b, origin_b);
    const uint32_t relation = random_below(random, 6);
    const bool same_grid = relation < 4;
    if (same_grid && relation > 0) {
        c.style_b.size = 1; // the same place, a finer cut
        for (int i = 0; i < LATTICE * LATTICE * LATTICE; i++) {
            const bool full = (&c.a.full[0][0][0])[i];
            (&c.b.full[0][0][0])[i] = relation == 1   ? full
                                      : relation == 2 ? full && random_below(random, 8) > 0
                                                      : !full && i % 17 != 0 && random_below(random, 3) > 0;
        }
    }
    return c;
}

static void cells_are_classified_as_they_are_counted(void **state)
{
    (void)state;
    enum {
        CASES = 6000
    };
    random_stream random = {.state = 23};
    size_t counts[COUNT(names)] = {0}, runs = 0;
    for (int i = 0; i < CASES; i++) {
        const lattice_case c = random_case(&random);
        if (lattice_count(&c.a) == 0 || lattice_count(&c.b) == 0)
            continue;
        const grz_solids expected = lattice_classify(&c.a, &c.b);
        test_mesh a = lattice_surface(&c.a, &c.style_a, &random, 1.0),
                  b = lattice_surface(&c.b, &c.style_b, &random, 1.0);
        const size_t which = random_below(&random, COUNT(matrices));
        const grz_pose pose = pose_of(matrices[which]);
        const bool posed = random_below(&random, 2) == 0;
        if (!posed) {
            test_mesh_transform(&a, matrices[which]);
            test_mesh_transform(&b, matrices[which]);
        }
        grz_solids found = ask_ruled(&a, &b, posed ? &pose : NULL, GRZ_EVEN_ODD);
        if (found != expected)
            fail_msg("case %d, matrix %zu: %s, counted %s", i, which, names[found], names[expected]);
        runs += 2;
        if (!c.style_a.spin && !c.style_b.spin) {
            found = ask_ruled(&a, &b, posed ? &pose : NULL, GRZ_NONZERO);
            if (found != expected)
                fail_msg("case %d, matrix %zu, nonzero rule: %s, counted %s", i, which, names[found], names[expected]);
            runs += 2;
        }
        counts[expected]++;
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
    for (int i = GRZ_SOLIDS_APART; i < GRZ_SOLIDS_UNDECIDABLE; i++) {
        print_message("  %-11s %5zu\n", names[i], counts[i]);
        assert_true(counts[i] > 50);
    }
    print_message("  %zu queries\n", runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_are_classified_as_they_are_counted)};
    device = test_device_open(1);
    result = test_result_create(device);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    grz_result_destroy(result);
    grz_device_close(device);
    test_queries_finish();
    (void)expect;
    return failed;
}
