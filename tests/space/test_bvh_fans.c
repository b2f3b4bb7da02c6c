// SPDX-License-Identifier: MIT
// Fans. By the exact predicates, triangles of one clear fan meet only in the corners they share. Most fans of sound
// meshes are clear; those that fold or wind twice are not. All SIMD widths agree. New positions discard the fans.
// Answers are the same without them.
// ctest: concurrent threads_that_race_for_fans_agree
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/control.h"
#include "base/device.h"
#include "decide/self_pair.h"
#include "filter/bvh/bvh_filter.h"
#include "space/bvh/fans.h"
#include "support_control.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

static const uint32_t *fans_of(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), NULL);
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    const uint32_t *names = grz_bvh_fans(bvh, mesh, true, &control);
    assert_non_null(names);
    return names;
}

static bool has_fans(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    return atomic_load(&bvh->fans) != NULL;
}

static size_t count_clear(const grz_mesh *mesh, const uint32_t *names)
{
    size_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        count += names[v] != GRZ_FAN_UNCLEAR && !grz_fan_is_hub(names[v]);
    return count;
}

static bool share_clear_name(const grz_mesh *mesh, const uint32_t *names, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            const uint32_t name = names[mesh->triangles[3 * (size_t)a + i]];
            if (name != GRZ_FAN_UNCLEAR && !grz_fan_is_hub(name) && name == names[mesh->triangles[3 * (size_t)b + j]])
                return true;
        }
    return false;
}

// Expect that no two triangles of one clear fan collide. Returns the number of clear fans.
static size_t expect_truth(const grz_mesh *mesh, const uint32_t *names, const char *what, int round)
{
    for (uint32_t a = 0; a < mesh->triangle_count; a++)
        for (uint32_t b = a + 1; b < mesh->triangle_count; b++) {
            grz_intersection intersection;
            if (share_clear_name(mesh, names, a, b) && grz_self_pair_collides(mesh, a, b, &intersection))
                fail_msg("%s %d: triangles %u and %u share a clear fan and collide", what, round, a, b);
        }
    return count_clear(mesh, names);
}

static bool collides(const grz_mesh *mesh)
{
    for (uint32_t a = 0; a < mesh->triangle_count; a++)
        for (uint32_t b = a + 1; b < mesh->triangle_count; b++) {
            grz_intersection intersection;
            if (grz_self_pair_collides(mesh, a, b, &intersection))
                return true;
        }
    return false;
}

// A fan around vertex 0: `count` outer corners at the angles given, heights above the plane, lengths.
static test_mesh make_fan(const double *angle, const double *height, const double *length, uint32_t count, bool closed)
{
    test_mesh mesh = {0};
    test_mesh_add_vertex(&mesh, 0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < count; i++)
        test_mesh_add_vertex(&mesh, length[i] * cos(angle[i]), length[i] * sin(angle[i]), height[i]);
    for (uint32_t i = 0; i + (closed ? 0 : 1) < count; i++)
        test_mesh_add_triangle(&mesh, 0, 1 + i, 1 + (i + 1) % count);
    return mesh;
}

static bool center_is_clear(grz_device *device, const test_mesh *fan, const char *what, int round)
{
    grz_mesh *mesh = test_mesh_upload(device, fan);
    const uint32_t *names = fans_of(mesh);
    expect_truth(mesh, names, what, round);
    const bool clear = names[0] == 0;
    grz_mesh_destroy(mesh);
    return clear;
}

enum {
    ONCE,   // round, closed
    OPEN,   // part of the way round
    TWICE,  // round, closed, so that it crosses itself or is covered by itself
    SPIRAL, // open, more than once round
    ANYHOW,
    KIND_COUNT
};

static const char *const kind_name[KIND_COUNT] = {"once", "open", "twice", "spiral", "anyhow"};

// The angles of a fan's outer corners.
static void some_angles(random_stream *random, int kind, uint32_t count, double *angle)
{
    const double full = 6.283185307179586,
                 way = kind == ONCE    ? full
                       : kind == OPEN  ? full * (0.3 + 0.65 * random_below(random, 1000) / 1000.0)
                       : kind == TWICE ? 2.0 * full
                                       : full * (1.01 + 0.9 * random_below(random, 1000) / 1000.0);
    const uint32_t steps = kind == ONCE || kind == TWICE ? count : count - 1;
    for (uint32_t i = 0; i < count; i++)
        angle[i] = kind == ANYHOW ? full * random_signed(random)
                                  : way * (i + (i > 0 && i + 1 < count ? 0.25 * random_signed(random) : 0.0)) / steps;
}

// Wind some faces the other way.
static void turn_faces(test_mesh *fan, random_stream *random)
{
    for (uint64_t i = 0; i < fan->face_count; i++)
        if (random_below(random, 4) == 0) {
            const uint32_t kept = fan->indices[3 * i + 1];
            fan->indices[3 * i + 1] = fan->indices[3 * i + 2];
            fan->indices[3 * i + 2] = kept;
        }
}

// Add two faces without area: one on an edge of the fan, and one that may lie on the same.
static void add_flat(test_mesh *fan, random_stream *random)
{
    for (int i = 0; i < 2; i++) {
        const uint32_t corner = 1 + random_below(random, 18);
        test_mesh_add_triangle(fan, 0, corner, corner);
    }
}

// Fans of all kinds, flat and steep, of any size. The predicates confirm each clear fan; a nearly flat fan that winds
// more than once is never clear.
static void clear_fans_are_clear_by_the_predicates(void **state)
{
    (void)state;
    random_stream random = {.state = 8};
    grz_device *device = test_device_open(1);
    int clear[KIND_COUNT] = {0}, asked[KIND_COUNT] = {0};
    for (int round = 0; round < (TEST_SANITIZED ? 2000 : 20000); round++) {
        const int kind = (int)random_below(&random, KIND_COUNT);
        const uint32_t least = kind == TWICE || kind == SPIRAL ? 7 : 4;
        const uint32_t count =
            least + random_below(&random, round % 8 == 0 ? 60 : 12); // large ones have code of their own
        const double steep = random_below(&random, 3) == 0 ? 0.0 : ldexp(1.0, 1 - (int)random_below(&random, 20));
        double angle[80], height[80], length[80];
        some_angles(&random, kind, count, angle);
        for (uint32_t i = 0; i < count; i++) {
            length[i] = 1.0 + 0.5 * random_signed(&random);
            height[i] = steep * (kind == SPIRAL ? i + 0.1 * random_signed(&random) : random_signed(&random));
        }
        test_mesh fan =
            make_fan(angle, height, length, count, kind == ONCE || kind == TWICE || (kind == ANYHOW && round % 2 == 0));
        if (round % 4 == 0)
            turn_faces(&fan, &random);
        if (count > 17 && round % 16 == 0)
            add_flat(&fan, &random);
        const double scale = ldexp(1.0, (int)random_below(&random, 200) - 100);
        if (random_below(&random, 2) == 0)
            test_mesh_scale(&fan, scale, scale, scale);
        const bool narrow = random_below(&random, 4) == 0;
        if (narrow)
            test_mesh_scale(&fan, 1.0, ldexp(1.0, -(int)random_below(&random, 30)), 1.0);
        const bool is_clear = center_is_clear(device, &fan, kind_name[kind], round);
        if (is_clear && !narrow && steep < 0.03 &&
            (kind == TWICE || kind == SPIRAL)) // steeper ones may be clear, seen from another side
            fail_msg("round %d: a fan that winds more than once is called clear", round);
        clear[kind] += is_clear;
        asked[kind] += steep <= 0.5;
        test_mesh_finish(&fan);
    }
    for (int kind = 0; kind < KIND_COUNT; kind++)
        print_message("  %s: %d clear, %d gently sloped\n", kind_name[kind], clear[kind], asked[kind]);
    assert_true(clear[ONCE] > asked[ONCE] * 9 / 10 && clear[OPEN] > asked[OPEN] * 9 / 10);
    grz_device_close(device);
}

// Flat fans with one outer corner on the line through the corner before, as near as doubles allow, on either side of
// it.
static void fans_that_hardly_turn_are_not_clear_if_they_collide(void **state)
{
    (void)state;
    random_stream random = {.state = 16};
    grz_device *device = test_device_open(1);
    const int rounds = TEST_SANITIZED ? 3000 : 40000;
    int clear = 0, colliding = 0;
    for (int round = 0; round < rounds; round++) {
        const uint32_t count = 5 + random_below(&random, 6), next = 1 + random_below(&random, count - 1);
        const double far = 0.2 + 0.01 * random_below(&random, 200), flat[16] = {0.0};
        double angle[32], length[32];
        some_angles(&random, ONCE, count, angle);
        for (uint32_t i = 0; i < count; i++)
            length[i] = 1.0 + 0.5 * random_signed(&random);
        test_mesh fan = make_fan(angle, flat, length, count, round % 2 == 0);
        test_mesh_move(&fan, 0.1 * random_signed(&random), 0.1 * random_signed(&random), 0.0);
        for (size_t axis = 0; axis < 2; axis++) {
            const double middle = fan.positions[axis];
            fan.positions[3 * (size_t)(next + 1) + axis] =
                middle + far * (fan.positions[3 * (size_t)next + axis] - middle);
        }
        grz_mesh *mesh = test_mesh_upload(device, &fan);
        const uint32_t *names = fans_of(mesh);
        expect_truth(mesh, names, "hardly turning", round);
        clear += names[0] == 0;
        colliding += collides(mesh);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&fan);
    }
    print_message("  %d collide, %d clear\n", colliding, clear);
    assert_true(colliding > rounds / 10 && colliding < rounds);
    grz_device_close(device);
}

// Outer corners on a small grid: collinear, coincident, opposite.
static void fans_on_a_grid_are_clear_by_the_predicates(void **state)
{
    (void)state;
    random_stream random = {.state = 15};
    grz_device *device = test_device_open(1);
    int clear = 0;
    for (int round = 0; round < (TEST_SANITIZED ? 3000 : 40000); round++) {
        test_mesh fan = {0};
        const uint32_t count = 3 + random_below(&random, 5), flat = random_below(&random, 2);
        test_mesh_add_vertex(&fan, 0.0, 0.0, 0.0);
        for (uint32_t i = 0; i < count; i++) // flat ones are likely to go round
            test_mesh_add_vertex(&fan, (int)random_below(&random, 5) - 2, (int)random_below(&random, 5) - 2,
                                 flat ? 0.0 : (int)random_below(&random, 3) - 1);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t other =
                random_below(&random, 10) == 0 ? 1 + random_below(&random, count) : 1 + (i + 1) % count;
            if (i + 1 < count || random_below(&random, 3) > 0)
                test_mesh_add_triangle(&fan, 0, 1 + i, other);
        }
        clear += center_is_clear(device, &fan, "grid", round);
        test_mesh_finish(&fan);
    }
    print_message("  %d clear\n", clear);
    assert_true(clear > 100);
    grz_device_close(device);
}

// A sink that takes no candidates, and counts how often the walk looks whether it shall go on: once in 64 openings.
typedef struct counting_sink {
    grz_sink sink;
    uint64_t candidates, looks;
} counting_sink;

static bool count_candidates(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    (void)candidates;
    ((counting_sink *)sink)->candidates += count;
    return true;
}

static bool count_looks(grz_sink *sink, uint32_t job)
{
    (void)job;
    ((counting_sink *)sink)->looks++;
    return false;
}

// The tip of a cone and the cap of a cylinder: all triangles' boxes meet at the tip. The walk does not look at each
// pair, of which there are 200 million.
static void large_fans_cost_no_more_than_their_triangles(void **state)
{
    (void)state;
    enum {
        COUNT = 20000
    };
    static double angle[COUNT], height[COUNT], length[COUNT];
    grz_device *device = test_device_open(1);
    for (int tip = 0; tip < 2; tip++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            angle[i] = 6.283185307179586 * i / COUNT;
            height[i] = tip;
            length[i] = 1.0;
        }
        test_mesh fan = make_fan(angle, height, length, COUNT, true);
        if (tip == 1) { // a face wound the other way, and one without area
            fan.indices[1] = 2;
            fan.indices[2] = 1;
            test_mesh_add_triangle(&fan, 0, 7, 7);
        }
        grz_mesh *mesh = test_mesh_upload(device, &fan);
        const grz_object object = grz_object_at_origin(mesh);
        const grz_job job = {.a = 0, .b = GRZ_SELF, .clip = mesh->bounds};
        const grz_job_set set = {.objects = &object, .object_count = 1, .jobs = &job, .job_count = 1};
        grz_control control;
        counting_sink counting = {.sink = {.push = count_candidates, .stopped = count_looks, .control = &control}};
        grz_control_init(&control, test_allocator_of(mesh), NULL);
        assert_true(fans_of(mesh)[0] == 0);
        assert_int_equal(grz_filter_bvh.propose(device, &set, &counting.sink, NULL), GRZ_OK);
        print_message("  %llu candidates, %llu pairs of nodes opened\n", (unsigned long long)counting.candidates,
                      64 * (unsigned long long)counting.looks);
        assert_int_equal(counting.candidates, 0);
        assert_true(64 * counting.looks < COUNT);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&fan);
    }
    grz_device_close(device);
}

static void expect_clear(grz_mesh *mesh, size_t least, const char *what)
{
    const uint32_t *names = fans_of(mesh);
    const size_t clear = expect_truth(mesh, names, what, 0);
    print_message("  %s: %zu of %u\n", what, clear, mesh->vertex_count);
    assert_true(clear >= least);
}

// All fans of a ball, of a flat sheet with its rim, and of a box; also where every face has vertices of its own.
// Vertices of one corner that have moved apart are not clear, nor are those around them.
static void sound_meshes_have_clear_fans(void **state)
{
    (void)state;
    grz_device *device = test_device_open(2);
    test_mesh ball = test_mesh_icosphere(1.0, 3), sheet = test_mesh_grid(20, 30, 0.1),
              cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    test_mesh torn = test_mesh_soup(&ball);
    const test_mesh *shapes[] = {&ball, &sheet, &cube, &torn};
    for (int i = 0; i < 4; i++) {
        grz_mesh *mesh = test_mesh_upload(device, shapes[i]);
        expect_clear(mesh, (size_t)shapes[i]->vertex_count,
                     i == 0   ? "ball"
                     : i == 1 ? "sheet"
                     : i == 2 ? "cube"
                              : "ball in pieces");
        grz_mesh_destroy(mesh);
    }
    grz_mesh *mesh = test_mesh_upload(device, &torn);
    for (size_t face = 0; face < torn.face_count; face += 40) // a little larger and further in, through its neighbours
        for (size_t axis = 0; axis < 3; axis++) {
            double *p = torn.positions + 9 * face + axis;
            const double middle = (p[0] + p[3] + p[6]) / 3.0;
            for (size_t corner = 0; corner < 9; corner += 3)
                p[corner] += 0.3 * (p[corner] - middle) - 0.01 * middle;
        }
    assert_int_equal(grz_mesh_set_positions(mesh, torn.positions, NULL), GRZ_OK);
    assert_false(has_fans(mesh));
    const uint32_t *names = fans_of(mesh);
    const size_t clear = expect_truth(mesh, names, "torn", 0);
    assert_true(clear < torn.vertex_count && clear > torn.vertex_count / 2);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&torn);
    test_mesh_finish(&cube);
    test_mesh_finish(&sheet);
    test_mesh_finish(&ball);
    grz_device_close(device);
}

// A rough ball whose faces share no vertices. One corner of a face moves across the opposite edge, so its face crosses
// those around the other two corners. The fan that the corner belonged to before must not hide that.
static void a_corner_that_moves_alone_leaves_its_fan(void **state)
{
    (void)state;
    random_stream random = {.state = 23};
    grz_device *device = test_device_open(1);
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    for (size_t i = 0; i < 3 * ball.vertex_count; i++)
        ball.positions[i] += 0.08 * random_signed(&random);
    test_mesh torn = test_mesh_soup(&ball);
    grz_mesh *mesh = test_mesh_upload(device, &torn);
    int crossed = 0;
    for (int round = 0; round < 40; round++) {
        const size_t face = random_below(&random, (uint32_t)torn.face_count),
                     moved = 3 * face + random_below(&random, 3);
        double *p = torn.positions + 3 * moved, before[3];
        memcpy(before, p, sizeof before);
        for (size_t axis = 0; axis < 3; axis++) {
            const double *corners = torn.positions + 9 * face + axis,
                         sum = corners[0] + corners[3] + corners[6] - before[axis];
            p[axis] = 0.5 * sum + 1.5 * (0.5 * sum - before[axis]) + 0.1 * random_signed(&random);
        }
        assert_int_equal(grz_mesh_set_positions(mesh, torn.positions, NULL), GRZ_OK);
        expect_truth(mesh, fans_of(mesh), "a corner moved", round);
        for (uint32_t other = 0; other < mesh->triangle_count; other++) {
            grz_intersection meets;
            crossed += other != face && grz_self_pair_collides(mesh, (uint32_t)face, other, &meets);
        }
        memcpy(p, before, sizeof before);
    }
    print_message("  %d crossed\n", crossed);
    assert_true(crossed > 5);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&torn);
    test_mesh_finish(&ball);
    grz_device_close(device);
}

// All SIMD widths find the same clear fans.
static void all_widths_agree(void **state)
{
    (void)state;
    random_stream random = {.state = 4};
    for (int round = 0; round < 40; round++) {
        test_mesh shape = test_mesh_icosphere(1.0, 3);
        const double rough = ldexp(1.0, -(int)random_below(&random, 12));
        uint32_t *expected = NULL;
        for (size_t i = 0; i < 3 * shape.vertex_count; i++)
            shape.positions[i] += rough * random_signed(&random);
        test_mesh_shuffle(&shape, &random, NULL);
        for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
            if (!grz_simd_available((grz_simd)simd))
                continue;
            assert_int_equal(setenv("GRZ_SIMD", grz_simd_name((grz_simd)simd), 1), 0);
            grz_device *device = test_device_open(1);
            grz_mesh *mesh = test_mesh_upload(device, &shape);
            const size_t size = mesh->vertex_count * sizeof *expected;
            const uint32_t *names = fans_of(mesh);
            if (expected == NULL) {
                expected = malloc(size);
                assert_non_null(expected);
                memcpy(expected, names, size);
            }
            assert_memory_equal(names, expected, size);
            grz_mesh_destroy(mesh);
            grz_device_close(device);
        }
        assert_int_equal(unsetenv("GRZ_SIMD"), 0);
        free(expected);
        test_mesh_finish(&shape);
    }
}

static grz_status ask_itself(grz_device *device, const grz_mesh *mesh, uint32_t find, const grz_collide_options *given,
                             grz_result *result)
{
    const grz_object object = grz_object_at_origin(mesh);
    grz_collide_options options = given != NULL ? *given : grz_default_collide_options();
    options.method = "bvh";
    options.find = find;
    return grz_collide_self(device, &object, &options, result, NULL);
}

// A ball through whose wall a spike of its own goes, far from where a walk begins, or not at all.
static test_mesh make_spiked_ball(bool spiked)
{
    test_mesh ball = test_mesh_icosphere(1.0, 5);
    if (spiked)
        for (int axis = 0; axis < 3; axis++)
            ball.positions[3 * (ball.vertex_count - 1) + (size_t)axis] *= -1.1;
    return ball;
}

// A query for a list makes fans at once; one for yes or no, after some traversal. Fans remove candidates and change no
// answer.
static void fans_are_made_when_they_pay(void **state)
{
    (void)state;
    for (int spiked = 0; spiked < 2; spiked++) {
        grz_device *device = test_device_open(2);
        grz_result *result = test_result_create(device);
        test_mesh shape = make_spiked_ball(spiked != 0);
        grz_mesh *mesh = test_mesh_upload(device, &shape);
        grz_collide_options naive = grz_default_collide_options();
        assert_int_equal(ask_itself(device, mesh, 0, NULL, result), GRZ_OK);
        assert_int_equal(grz_result_summary(result)->colliding, spiked);
        assert_true(spiked || has_fans(mesh)); // the whole tree was traversed
        assert_int_equal(grz_mesh_set_positions(mesh, shape.positions, NULL), GRZ_OK);
        assert_false(has_fans(mesh));
        assert_int_equal(ask_itself(device, mesh, GRZ_FIND_PAIRS, NULL, result), GRZ_OK);
        assert_true(has_fans(mesh));
        assert_true(grz_result_summary(result)->candidates < 2 * mesh->triangle_count);
        uint64_t count, expected_count;
        const grz_pair *pairs = grz_result_pairs(result, &count);
        grz_result *expected = test_result_create(device);
        const grz_object object = grz_object_at_origin(mesh);
        naive.method = "naive";
        naive.find = GRZ_FIND_PAIRS;
        assert_int_equal(grz_collide_self(device, &object, TEST_SANITIZED ? NULL : &naive, expected, NULL), GRZ_OK);
        const grz_pair *expected_pairs = grz_result_pairs(expected, &expected_count);
        assert_int_equal(count, expected_count);
        assert_true((count > 0) == spiked);
        if (count > 0)
            assert_memory_equal(pairs, expected_pairs, (size_t)count * sizeof *pairs);
        grz_result_destroy(expected);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&shape);
        grz_result_destroy(result);
        grz_device_close(device);
    }
}

// Without memory for fans, the query runs without them; the next query tries to make them again.
static void queries_work_without_memory_for_fans(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    test_mesh shape = make_spiked_ball(true);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    grz_collide_options limited = grz_default_collide_options();
    limited.limits.memory_limit = 100000;
    assert_int_equal(grz_mesh_prepare(mesh, "bvh", NULL), GRZ_OK);
    assert_int_equal(ask_itself(device, mesh, GRZ_FIND_PAIRS, &limited, result), GRZ_OK);
    assert_false(has_fans(mesh));
    const uint64_t pairs = grz_result_summary(result)->pair_count, candidates = grz_result_summary(result)->candidates;
    assert_int_equal(ask_itself(device, mesh, GRZ_FIND_PAIRS, NULL, result), GRZ_OK);
    assert_true(has_fans(mesh));
    assert_int_equal(grz_result_summary(result)->pair_count, pairs);
    assert_true(grz_result_summary(result)->candidates < candidates / 4);
    const volatile int stop = 1;
    grz_collide_options stopped = grz_default_collide_options();
    stopped.limits.cancel = &stop;
    assert_int_equal(grz_mesh_set_positions(mesh, shape.positions, NULL), GRZ_OK);
    assert_int_equal(grz_mesh_prepare(mesh, "bvh", NULL), GRZ_OK);
    assert_int_equal(ask_itself(device, mesh, GRZ_FIND_PAIRS, &stopped, result), GRZ_ERROR_CANCELLED);
    assert_false(has_fans(mesh));
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
    grz_result_destroy(result);
    grz_device_close(device);
}

typedef struct race_run {
    grz_device *device;
    const grz_mesh *mesh;
    uint64_t pairs;
} race_run;

static void *race(void *context)
{
    race_run *racer = context;
    grz_result *result = NULL;
    if (grz_result_create(racer->device, &result, NULL) != GRZ_OK)
        return NULL;
    if (ask_itself(racer->device, racer->mesh, GRZ_FIND_PAIRS, NULL, result) == GRZ_OK)
        racer->pairs = grz_result_summary(result)->pair_count;
    grz_result_destroy(result);
    return racer;
}

static void threads_that_race_for_fans_agree(void **state)
{
    (void)state;
    grz_device *device = test_device_open(2);
    grz_result *result = test_result_create(device);
    test_mesh shape = make_spiked_ball(true);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    assert_int_equal(ask_itself(device, mesh, GRZ_FIND_PAIRS, NULL, result), GRZ_OK);
    const uint64_t pairs = grz_result_summary(result)->pair_count;
    assert_true(pairs > 0);
    for (int round = 0; round < 6; round++) {
        race_run racers[4];
        pthread_t threads[4];
        assert_int_equal(grz_mesh_set_positions(mesh, shape.positions, NULL), GRZ_OK);
        for (int i = 0; i < 4; i++) {
            racers[i] = (race_run){.device = device, .mesh = mesh};
            assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            void *done;
            assert_int_equal(pthread_join(threads[i], &done), 0);
            assert_non_null(done);
            assert_int_equal(racers[i].pairs, pairs);
        }
        assert_true(has_fans(mesh));
    }
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
    grz_result_destroy(result);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_fans_are_clear_by_the_predicates),
        cmocka_unit_test(fans_that_hardly_turn_are_not_clear_if_they_collide),
        cmocka_unit_test(fans_on_a_grid_are_clear_by_the_predicates),
        cmocka_unit_test(large_fans_cost_no_more_than_their_triangles),
        cmocka_unit_test(sound_meshes_have_clear_fans),
        cmocka_unit_test(a_corner_that_moves_alone_leaves_its_fan),
        cmocka_unit_test(all_widths_agree),
        cmocka_unit_test(fans_are_made_when_they_pay),
        cmocka_unit_test(queries_work_without_memory_for_fans),
        cmocka_unit_test(threads_that_race_for_fans_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
