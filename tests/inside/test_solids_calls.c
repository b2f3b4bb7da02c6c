// SPDX-License-Identifier: MIT
// Solids at the limits of a call: memory that runs out, a cancel flag and a deadline in the middle, scenes by the
// nonzero rule; and of the code: many crossings that prove nothing, many faces, many pages, coordinates of 2^300.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support_classify.h"
#include "support_sanitizer.h"

static void expect_both_ways(const char *what, const test_mesh *a, const test_mesh *b, grz_inside_rule rule,
                             grz_solids expected)
{
    const grz_solids found = ask_ruled(a, b, NULL, rule);
    if (found != expected)
        fail_msg("%s: %s, expected %s", what, solids_names[found], solids_names[expected]);
}

// ---- Limits of the code ----

// `count` triangles there and back, in a row that begins at the edge from (4, 1, 1) to (4, 1, 3) of a cube: one
// component.
static void add_row_of_walls(test_mesh *mesh, int count)
{
    uint32_t low = test_mesh_add_vertex(mesh, 4, 1, 1), high = test_mesh_add_vertex(mesh, 4, 1, 3);
    for (int i = 1; i <= count; i++) {
        const uint32_t next = test_mesh_add_vertex(mesh, 4 + i * 0x1p-8, 1, i % 2 == 0 ? 3 : 1);
        test_mesh_add_triangle(mesh, low, high, next);
        test_mesh_add_triangle(mesh, high, low, next);
        if (i % 2 == 0)
            high = next;
        else
            low = next;
    }
}

// No contact. The faces that show that the cube bounds something come after more than 256 that do not, or among them.
static void more_faces_than_are_looked_at_first(void **state)
{
    (void)state;
    random_stream random = {.state = 41};
    const double min[3] = {2, 1, 1}, max[3] = {4, 3, 3};
    for (int i = TEST_SANITIZED ? 1 : 0; i < (TEST_SHORT ? 2 : 6); i++) {
        test_mesh a = {0}, outer = test_mesh_cube(0, 0, 0, 8);
        add_row_of_walls(&a, 300);
        test_mesh_take(&a, test_mesh_box(min, max));
        if (i > 0)
            test_mesh_shuffle(&a, &random, NULL);
        expect_both_ways("a cube with a row of walls", &a, &outer, GRZ_EVEN_ODD, GRZ_SOLIDS_A_INSIDE_B);
        // The walls alone bound nothing.
        test_mesh walls = {0};
        add_row_of_walls(&walls, 300);
        if (i > 0)
            test_mesh_shuffle(&walls, &random, NULL);
        expect_both_ways("a row of walls", &walls, &outer, GRZ_EVEN_ODD, GRZ_SOLIDS_APART);
        test_mesh_finish(&walls);
        test_mesh_finish(&a);
        test_mesh_finish(&outer);
    }
}

// More than 64 crossings of walls there and back prove nothing. Behind them the two penetrate, touch, or are apart.
static void more_crossings_than_are_looked_at_first(void **state)
{
    (void)state;
    random_stream random = {.state = 42};
    static const struct {
        double at;
        grz_solids expected;
    } cases[] = {{1, GRZ_SOLIDS_PENETRATING}, {4, GRZ_SOLIDS_TOUCHING}, {5, GRZ_SOLIDS_APART}};
    for (int i = 0; i < 6; i++) {
        test_mesh a = {0}, b = {0};
        for (int k = 0; k < 12; k++)
            for (int way = 0; way < 2; way++) {
                const double flat[3][3] = {{-20, -20, -30 - k}, {20, -20, -30 - k}, {0, 30, -30 - k}},
                             steep[3][3] = {{k * 0.5, -9, -60}, {k * 0.5, 9, -60}, {k * 0.5, 0, -20}};
                uint32_t f[3], s[3];
                for (int n = 0; n < 3; n++) {
                    f[n] = test_mesh_add_vertex(&a, flat[n][0], flat[n][1], flat[n][2]);
                    s[n] = test_mesh_add_vertex(&b, steep[n][0], steep[n][1], steep[n][2]);
                }
                test_mesh_add_triangle(&a, f[0], f[1 + way], f[2 - way]);
                test_mesh_add_triangle(&b, s[0], s[1 + way], s[2 - way]);
            }
        test_mesh_take(&a, test_mesh_cube(0, 0, 0, 4));
        test_mesh_take(&b, test_mesh_cube(cases[i / 2].at, 1, 1, 4));
        if (i % 2 == 1) {
            test_mesh_shuffle(&a, &random, NULL);
            test_mesh_shuffle(&b, &random, NULL);
        }
        expect_both_ways("behind walls that cross", &a, &b, GRZ_EVEN_ODD, cases[i / 2].expected);
        expect_both_ways("behind walls that cross", &a, &b, GRZ_NONZERO, cases[i / 2].expected);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
}

// A point of the border of the square [-12, 12]², counter-clockwise from (12, -12), and half of it.
static void direction(int i, double factor, double p[3])
{
    const int side = i / 24 % 4, along = i % 24 - 12;
    const int x = side == 0   ? 12
                  : side == 1 ? -along
                  : side == 2 ? -12
                              : along,
              y = side == 0   ? along
                  : side == 1 ? 12
                  : side == 2 ? -along
                              : -12;
    p[0] = factor * x;
    p[1] = factor * y;
    p[2] = 0;
}

// A wedge around the segment from (0, 0, -4) to (0, 0, 4), from one direction to another one.
static test_mesh wedge(int from, int to, double factor)
{
    double corners[4][3] = {{0, 0, -4}, {0, 0, 4}};
    direction(from, factor, corners[2]);
    direction(to, factor, corners[3]);
    return test_mesh_tetrahedron((const double(*)[3])corners);
}

// Twelve wedges around one edge: 24 faces on it. Another one meets them in the edge alone.
static void many_faces_on_one_edge(void **state)
{
    (void)state;
    random_stream random = {.state = 43};
    for (int i = 0; i < 12; i += TEST_SANITIZED ? 4 : 1) {
        static const struct {
            int from, to;
            double factor;
            grz_solids expected;
        } cases[] = {{1, 2, 0.5, GRZ_SOLIDS_B_INSIDE_A},
                     {5, 6, 0.5, GRZ_SOLIDS_TOUCHING},
                     {2, 5, 0.5, GRZ_SOLIDS_PENETRATING},
                     {4, 6, 1.0, GRZ_SOLIDS_TOUCHING}};
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
            for (size_t which = 0; which < MATRIX_COUNT; which++) {
                test_mesh a = {0}, b = wedge(8 * i + cases[k].from, 8 * i + cases[k].to, cases[k].factor);
                for (int n = 0; n < 12; n++)
                    test_mesh_take(&a, wedge(8 * n, 8 * n + 3, 1.0));
                test_mesh_shuffle(&a, &random, NULL);
                test_mesh_transform(&a, matrices[which]);
                test_mesh_transform(&b, matrices[which]);
                expect_both_ways("a wedge among wedges", &a, &b, GRZ_EVEN_ODD, cases[k].expected);
                expect_both_ways("a wedge among wedges", &a, &b, GRZ_NONZERO, cases[k].expected);
                test_mesh_finish(&a);
                test_mesh_finish(&b);
            }
    }
}

// Cubes as large as coordinates may be, and cubes of the smallest numbers.
static void the_whole_range_of_coordinates(void **state)
{
    (void)state;
    static const double sizes[] = {0x1p300, 0x1p299, 0x1p298, 0x1p297, 0x1p-1070, 0x1p-1060};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const double most = sizes[i], half = most / 2;
        const struct {
            double at, size;
            grz_solids expected;
        } cases[] = {{0, most, GRZ_SOLIDS_TOUCHING},
                     {-most, most, GRZ_SOLIDS_SAME},
                     {-most, half, GRZ_SOLIDS_B_INSIDE_A},
                     {-half, most, GRZ_SOLIDS_PENETRATING},
                     {half, half, GRZ_SOLIDS_APART}};
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
            for (int walls = 0; walls < 2; walls++) { // with walls, they are not clean
                test_mesh a = test_mesh_cube(-most, -most, -most, most),
                          b = test_mesh_cube(cases[k].at, -most, -most, cases[k].size);
                if (walls) {
                    const uint32_t v = test_mesh_add_vertex(&a, -most, -most, most),
                                   w = test_mesh_add_vertex(&a, 0, -most, most),
                                   x = test_mesh_add_vertex(&a, 0, most, half);
                    test_mesh_add_triangle(&a, v, w, x);
                    test_mesh_add_triangle(&a, w, v, x);
                }
                expect_both_ways("large or small cubes", &a, &b, GRZ_EVEN_ODD, cases[k].expected);
                expect_both_ways("large or small cubes", &a, &b, GRZ_NONZERO, cases[k].expected);
                test_mesh_finish(&a);
                test_mesh_finish(&b);
            }
    }
}

// A plate that is 2^-60 thick, moved to z = 0.5, where doubles are 2^-53 apart: its two sides become one, and bound
// nothing.
static void a_plate_that_its_pose_flattens_has_no_inside(void **state)
{
    (void)state;
    const double low[3] = {0, 0, 0}, high[3] = {4, 4, 0x1p-60}, cube_low[3] = {1, 1, 0}, cube_high[3] = {3, 3, 2};
    test_mesh plate = test_mesh_box(low, high), cube = test_mesh_box(cube_low, cube_high);
    grz_object a = grz_object_at_origin(test_mesh_upload(classify_device, &plate)),
               b = grz_object_at_origin(test_mesh_upload(classify_device, &cube));
    a.pose = grz_pose_from_translation(0, 0, 0.5);
    b.pose = grz_pose_from_translation(0, 0, -0x1p-61);
    assert_int_equal(ask_objects(&a, &b, GRZ_FIND_SOLIDS, GRZ_EVEN_ODD).solids, GRZ_SOLIDS_APART);
    a.pose = grz_pose_from_translation(0, 0, 0);
    assert_int_equal(ask_objects(&a, &b, GRZ_FIND_SOLIDS, GRZ_EVEN_ODD).solids, GRZ_SOLIDS_PENETRATING);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&plate);
    test_mesh_finish(&cube);
}

// ---- Scenes, memory, and calls that end early ----

enum {
    PARTS = 7
};

// What an allocator does at one of its calls.
typedef enum mischief {
    FAIL,
    RAISE_FLAG,
    SLEEP
} mischief;

typedef struct bad_allocator {
    long calls, at, live;
    mischief mischief;
    double pause; // seconds
    volatile int flag;
} bad_allocator;

static void *bad_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    bad_allocator *bad = user;
    (void)old_size;
    if (++bad->calls == bad->at) {
        const struct timespec pause = {(time_t)bad->pause, (long)(1e9 * (bad->pause - floor(bad->pause)))};
        if (bad->mischief == FAIL)
            return NULL;
        if (bad->mischief == RAISE_FLAG)
            bad->flag = 1;
        else
            nanosleep(&pause, NULL);
    }
    bad->live += block == NULL;
    return realloc(block, new_size);
}

static void bad_release(void *block, size_t size, void *user)
{
    (void)size;
    ((bad_allocator *)user)->live--;
    free(block);
}

// A small assembly: cubes side by side, one inside, one that overlaps, and two halves that lie flush with a third one,
// which meets another side of the first cube: no plane parts them from it. The last part fills the place of the one
// inside with two halves, whose surface has to be looked at line by line.
typedef struct assembly {
    bad_allocator bad;
    grz_device *device;
    grz_scene *scene;
    grz_result *result;
    grz_mesh *meshes[PARTS];
} assembly;

static void assembly_open(assembly *all)
{
    grz_error error = {0};
    grz_device_options options = grz_default_device_options();
    static const double at[PARTS][4] = {{0, 0, 0, 4},   {4, 0, 0, 4},  {5, 1, 1, 2}, {7, 1, 1, 4},
                                        {0.1, 4, 0, 4}, {-4, 0, 0, 2}, {5, 1, 1, 2}};
    all->bad = (bad_allocator){.at = 0};
    options.threads = 1;
    options.allocator = (grz_allocator){bad_reallocate, bad_release, &all->bad};
    assert_int_equal(grz_device_open(&options, &all->device, &error), GRZ_OK);
    assert_int_equal(grz_scene_create(all->device, &all->scene, &error), GRZ_OK);
    all->result = test_result_create(all->device);
    for (int i = 0; i < PARTS; i++) {
        test_mesh cube = test_mesh_cube(at[i][0], at[i][1], at[i][2], at[i][3]);
        if (i == 6) {
            test_mesh_scale(&cube, 1, 1, 0.5);
            test_mesh_take(&cube, test_mesh_copy(&cube));
            for (uint64_t v = 0; v < cube.vertex_count; v++)
                cube.positions[3 * v + 2] += 0.5 + (v < cube.vertex_count / 2 ? 0 : 1);
        }
        if (i == 5) {
            test_mesh_take(&cube, test_mesh_cube(-2, 0, 0, 2));
            test_mesh_take(&cube, test_mesh_cube(0, -2, 0, 2));
        }
        all->meshes[i] = test_mesh_upload(all->device, &cube);
        test_mesh_finish(&cube);
        const grz_object object = grz_object_at(all->meshes[i], grz_pose_from_translation(i == 4 ? 0.2 : 0, 0, 0));
        uint32_t id;
        assert_int_equal(grz_scene_add(all->scene, &object, &id, &error), GRZ_OK);
    }
}

static void assembly_close(assembly *all)
{
    grz_scene_destroy(all->scene);
    grz_result_destroy(all->result);
    for (int i = 0; i < PARTS; i++)
        grz_mesh_destroy(all->meshes[i]);
    grz_device_close(all->device);
    assert_int_equal(all->bad.live, 0);
}

static grz_status assembly_ask(assembly *all, const grz_collide_options *options)
{
    grz_error error = {0};
    const grz_status status = grz_collide_scene(all->device, all->scene, options, all->result, &error);
    if (status == GRZ_ERROR_MEMORY || status == GRZ_ERROR_CANCELLED || status == GRZ_ERROR_DEADLINE)
        assert_true(error.message[0] != '\0');
    else if (status != GRZ_OK)
        fail_msg("%s", error.message);
    return status;
}

// Ask without mischief, and check every answer.
static void assembly_expect(assembly *all)
{
    static const struct {
        uint32_t a, b;
        grz_solids solids;
    } expected[] = {{0, 1, GRZ_SOLIDS_TOUCHING},   {0, 4, GRZ_SOLIDS_TOUCHING},    {0, 5, GRZ_SOLIDS_TOUCHING},
                    {1, 2, GRZ_SOLIDS_B_INSIDE_A}, {1, 3, GRZ_SOLIDS_PENETRATING}, {1, 4, GRZ_SOLIDS_TOUCHING},
                    {1, 6, GRZ_SOLIDS_B_INSIDE_A}, {2, 3, GRZ_SOLIDS_TOUCHING},    {2, 6, GRZ_SOLIDS_SAME},
                    {3, 6, GRZ_SOLIDS_TOUCHING}};
    grz_collide_options options = grz_default_collide_options();
    uint64_t count, solid_count;
    options.find = GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT;
    all->bad.at = 0;
    assert_int_equal(assembly_ask(all, &options), GRZ_OK);
    const grz_scene_pair *pairs = grz_result_scene_pairs(all->result, &count);
    const grz_pair_solids *solids = grz_result_scene_solids(all->result, &solid_count);
    assert_int_equal(count, sizeof expected / sizeof expected[0]);
    assert_int_equal(solid_count, count);
    for (uint64_t i = 0; i < count; i++) {
        assert_int_equal(pairs[i].a, expected[i].a);
        assert_int_equal(pairs[i].b, expected[i].b);
        assert_int_equal(solids[i].solids, expected[i].solids);
    }
}

// The number of calls of the allocator in a first query.
static long calls_of(uint32_t find)
{
    assembly all;
    grz_collide_options options = grz_default_collide_options();
    options.find = find;
    assembly_open(&all);
    all.bad.calls = 0;
    assert_int_equal(assembly_ask(&all, &options), GRZ_OK);
    const long calls = all.bad.calls;
    assembly_close(&all);
    return calls;
}

static double seconds_of_a_query(void)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    calls_of(GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

// Do mischief at every call of the allocator that a first query makes, from the first given on in steps; afterwards the
// same query must succeed. Returns how often the query ended with `expected`.
static long endings(mischief what, grz_status expected, long first, long step)
{
    long ended = 0;
    const double deadline = 0.04 + 3.0 * seconds_of_a_query();
    for (long at = first;; at += step) {
        assembly all;
        grz_collide_options options = grz_default_collide_options();
        assembly_open(&all);
        options.find = GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT;
        if (what == RAISE_FLAG)
            options.limits.cancel = &all.bad.flag;
        if (what == SLEEP)
            options.limits.deadline = all.bad.pause = deadline; // the pause alone takes as long
        all.bad.mischief = what;
        all.bad.calls = 0;
        all.bad.at = at;
        const grz_status status = assembly_ask(&all, &options);
        assert_true(status == GRZ_OK || status == expected);
        const long calls = all.bad.calls;
        ended += status == expected;
        assembly_expect(&all);
        assembly_close(&all);
        if (calls < at)
            return ended;
    }
}

static void memory_that_runs_out_in_a_scene_is_an_error(void **state)
{
    (void)state;
    assert_true(endings(FAIL, GRZ_ERROR_MEMORY, 1, 1) > calls_of(GRZ_FIND_CONTAINMENT) + 100);
}

static void a_flag_that_is_raised_while_solids_are_classified_ends_the_call(void **state)
{
    (void)state;
    assert_true(endings(RAISE_FLAG, GRZ_ERROR_CANCELLED, calls_of(GRZ_FIND_CONTAINMENT) + 1, 1) > 50);
}

static void a_deadline_that_passes_while_solids_are_classified_ends_the_call(void **state)
{
    (void)state;
    if (TEST_SANITIZED) // the query is too slow for its deadline without any pause
        skip();
    assert_true(endings(SLEEP, GRZ_ERROR_DEADLINE, calls_of(GRZ_FIND_CONTAINMENT) + 1, 23) > 3);
}

// More pairs of faces than max_pairs allows: it is said that they touch, and why nothing is said of the solids.
static void too_many_pairs_are_a_reason(void **state)
{
    (void)state;
    grz_error error = {0};
    test_mesh cube = test_mesh_cube(0, 0, 0, 2);
    grz_mesh *mesh = test_mesh_upload(classify_device, &cube);
    const grz_object a = grz_object_at_origin(mesh), b = grz_object_at(mesh, grz_pose_from_translation(2, 0, 0));
    for (int asked = 0; asked < 2; asked++) {
        grz_collide_options options = grz_default_collide_options();
        options.find = asked ? GRZ_FIND_SOLIDS | GRZ_FIND_PAIRS : GRZ_FIND_PAIRS;
        options.max_pairs = 3;
        assert_int_equal(grz_collide(classify_device, &a, &b, &options, classify_result, &error), GRZ_ERROR_LIMIT);
        const grz_summary *summary = grz_result_summary(classify_result);
        assert_int_equal(summary->relation, GRZ_COLLIDING);
        assert_int_equal(summary->solids, asked ? GRZ_SOLIDS_UNDECIDABLE : GRZ_SOLIDS_NOT_ASKED);
        assert_int_equal(asked, summary->solids_reason != NULL && strstr(summary->solids_reason, "max_pairs") != NULL);
    }
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
}

// Piles of blocks in a scene, by both rules: each pair is what the pair alone is.
static void scenes_by_both_rules_say_what_pairs_say(void **state)
{
    (void)state;
    enum {
        OBJECTS = 16
    };
    random_stream random = {.state = 44};
    grz_error error = {0};
    size_t different = 0, counts[SOLIDS_COUNT] = {0};
    grz_scene *scene;
    grz_mesh *meshes[OBJECTS];
    grz_device *device = test_device_open(2);
    grz_result *result = test_result_create(device);
    assert_int_equal(grz_scene_create(device, &scene, &error), GRZ_OK);
    for (int i = 0; i < OBJECTS; i++) {
        test_mesh pile = {0};
        // Cubes in cubes, and next to them: cavities or not, depending on the rule.
        const double at[3] = {random_below(&random, 4), random_below(&random, 4), random_below(&random, 4)};
        for (int k = 0; k < 1 + i % 3; k++)
            test_mesh_take(&pile, test_mesh_cube(at[0] + k, at[1] + k, at[2] + k % 2, i < 8 ? 6 - 2 * k : 2));
        meshes[i] = test_mesh_upload(device, &pile);
        const grz_object object = grz_object_at(meshes[i], grz_pose_from_translation(i % 4 == 3 ? 0.1 : 0, 0, 0));
        uint32_t id;
        assert_int_equal(grz_scene_add(scene, &object, &id, &error), GRZ_OK);
        test_mesh_finish(&pile);
    }
    grz_solids first[OBJECTS * OBJECTS];
    for (int rule = 0; rule < 2; rule++) {
        grz_collide_options options = grz_default_collide_options();
        uint64_t pair_count, solid_count;
        options.find = GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT;
        options.inside_rule = rule == 0 ? GRZ_EVEN_ODD : GRZ_NONZERO;
        assert_int_equal(grz_collide_scene(device, scene, &options, result, &error), GRZ_OK);
        const grz_scene_pair *pairs = grz_result_scene_pairs(result, &pair_count);
        const grz_pair_solids *solids = grz_result_scene_solids(result, &solid_count);
        assert_int_equal(solid_count, pair_count);
        for (uint64_t i = 0; i < solid_count; i++) {
            const grz_summary alone =
                ask_objects(grz_scene_object(scene, pairs[i].a), grz_scene_object(scene, pairs[i].b), options.find,
                            options.inside_rule);
            assert_int_equal(solids[i].solids, alone.solids);
            grz_solids *of_first = &first[pairs[i].a * OBJECTS + pairs[i].b];
            different += rule == 1 && *of_first != solids[i].solids;
            *of_first = solids[i].solids;
            counts[solids[i].solids]++;
        }
    }
    assert_true(different > 0 && counts[GRZ_SOLIDS_PENETRATING] > 0 && counts[GRZ_SOLIDS_UNDECIDABLE] == 0);
    grz_scene_destroy(scene);
    for (int i = 0; i < OBJECTS; i++)
        grz_mesh_destroy(meshes[i]);
    grz_result_destroy(result);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_faces_than_are_looked_at_first),
        cmocka_unit_test(more_crossings_than_are_looked_at_first),
        cmocka_unit_test(many_faces_on_one_edge),
        cmocka_unit_test(the_whole_range_of_coordinates),
        cmocka_unit_test(a_plate_that_its_pose_flattens_has_no_inside),
        cmocka_unit_test(memory_that_runs_out_in_a_scene_is_an_error),
        cmocka_unit_test(a_flag_that_is_raised_while_solids_are_classified_ends_the_call),
        cmocka_unit_test(a_deadline_that_passes_while_solids_are_classified_ends_the_call),
        cmocka_unit_test(too_many_pairs_are_a_reason),
        cmocka_unit_test(scenes_by_both_rules_say_what_pairs_say),
    };
    classify_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    classify_close();
    return failed;
}
