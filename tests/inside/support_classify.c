// SPDX-License-Identifier: MIT
// Asks how two meshes lie to each other as solids, and makes random pairs of sets of cells.
#include "support_classify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

grz_device *classify_device;
grz_result *classify_result;

void classify_open(void)
{
    classify_device = test_device_open(1);
    classify_result = test_result_create(classify_device);
}

void classify_close(void)
{
    grz_result_destroy(classify_result);
    grz_device_close(classify_device);
}

const char *const solids_names[SOLIDS_COUNT] = {"not asked",  "apart",      "touching", "penetrating",
                                                "a inside b", "b inside a", "same",     "undecidable"};

const double matrices[MATRIX_COUNT][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},   {{1, 2, 0}, {0, 1, 3}, {1, 0, 1}},
                                             {{2, 1, -1}, {1, 3, 1}, {-1, 2, 4}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
                                             {{3, -4, 0}, {4, 3, 0}, {0, 0, 5}},  {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}},
                                             {{7, 0, 1}, {0, -3, 2}, {5, 1, -1}}};

grz_pose pose_of(const double m[3][3])
{
    grz_pose pose = grz_pose_identity();
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            pose.m[i][k] = m[i][k];
    pose.m[0][3] = 1000;
    pose.m[2][3] = -77;
    return pose;
}

static grz_solids swapped(grz_solids solids)
{
    return solids == GRZ_SOLIDS_A_INSIDE_B   ? GRZ_SOLIDS_B_INSIDE_A
           : solids == GRZ_SOLIDS_B_INSIDE_A ? GRZ_SOLIDS_A_INSIDE_B
                                             : solids;
}

grz_summary ask_objects(const grz_object *a, const grz_object *b, uint32_t find, grz_inside_rule rule)
{
    grz_error error = {0};
    grz_collide_options options = grz_default_collide_options();
    options.find = find;
    options.inside_rule = rule;
    if (grz_collide(classify_device, a, b, &options, classify_result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return *grz_result_summary(classify_result);
}

grz_solids ask_ruled(const test_mesh *a, const test_mesh *b, const grz_pose *pose, grz_inside_rule rule)
{
    grz_object objects[2] = {grz_object_at_origin(test_mesh_upload(classify_device, a)),
                             grz_object_at_origin(test_mesh_upload(classify_device, b))};
    if (pose != NULL)
        objects[0].pose = objects[1].pose = *pose;
    const grz_summary s = ask_objects(&objects[0], &objects[1], GRZ_FIND_SOLIDS, rule),
                      t = ask_objects(&objects[1], &objects[0], GRZ_FIND_SOLIDS, rule);
    if (t.solids != swapped(s.solids))
        fail_msg("swapped: %s, then %s", solids_names[s.solids], solids_names[t.solids]);
    assert_int_equal(s.solids == GRZ_SOLIDS_UNDECIDABLE, s.solids_reason != NULL);
    grz_mesh_destroy((grz_mesh *)objects[0].mesh);
    grz_mesh_destroy((grz_mesh *)objects[1].mesh);
    return s.solids;
}

static lattice_style random_style(random_stream *random, int size, const int origin[3])
{
    return (lattice_style){.size = size,
                           .origin = {origin[0], origin[1], origin[2]},
                           .diagonals = random_below(random, 2) == 0,
                           .merge = random_below(random, 2) == 0,
                           .soup = random_below(random, 4) == 0,
                           .spin = random_below(random, 4) == 0};
}

lattice_case random_case(random_stream *random)
{
    static const int sizes[] = {1, 1, 2, 3};
    const int size_a = sizes[random_below(random, 4)], size_b = sizes[random_below(random, 4)];
    const uint32_t most = random_below(random, 16) == 0 ? 5 : 3;
    const int count_a = 1 + (int)random_below(random, size_a == 1 ? most : 2),
              count_b = 1 + (int)random_below(random, size_b == 1 ? most : 2);
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
