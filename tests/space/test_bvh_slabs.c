// SPDX-License-Identifier: MIT
// Slabs. All corners lie in them, to the last bit. Surfaces that face each other and just touch are not separated.
// Slabs are made once a tree has been traversed enough, and discarded by a refit. No answer depends on them, even if
// memory runs out or threads race to make them.
// ctest: timeout 300
// ctest: concurrent threads_that_race_for_slabs_agree
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
#include "mesh/mesh.h"
#include "support_control.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

// Every corner below a node lies in the node's slab.
static void check_slab(const grz_mesh *mesh, const grz_bvh *bvh, const grz_bvh_slab *slab, const grz_bvh_node *below)
{
    for (int i = 0; i < GRZ_BVH_WIDTH && below->child[i] != GRZ_BVH_NONE; i++) {
        if (!grz_bvh_is_triangle(below->child[i])) {
            check_slab(mesh, bvh, slab, &bvh->nodes[below->child[i]]);
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            const uint32_t vertex = mesh->triangles[3 * (size_t)grz_bvh_triangle(below->child[i]) + k];
            double along = 0.0, square = 0.0, length = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                const double y = (grz_mesh_position(mesh, vertex)[axis] - bvh->origin[axis]) * bvh->scale;
                const double from = y - (double)slab->centre[axis], normal = (double)slab->normal[axis];
                along += normal * from;
                square += from * from;
                length += normal * normal;
            }
            assert_true(fabs(along) <= (double)slab->half);
            assert_true(square - along * along / length <= (double)slab->radius * (double)slab->radius);
            assert_true(fabs(length - 1.0) < 0x1p-21);
        }
    }
}

static const grz_bvh_slab *slabs_of(const grz_mesh *mesh, const grz_bvh **bvh)
{
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), NULL);
    assert_int_equal(test_mesh_bvh(mesh, bvh), GRZ_OK);
    return grz_bvh_slabs(*bvh, mesh, &control);
}

// How many nodes have a slab, in percent, all of them checked.
static unsigned check_slabs(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    test_want_slabs(mesh);
    const grz_bvh_slab *slabs = slabs_of(mesh, &bvh);
    uint32_t count = 0;
    assert_non_null(slabs);
    for (uint32_t n = 0; n < bvh->node_count; n++)
        if (slabs[n].half < HUGE_VALF) {
            check_slab(mesh, bvh, &slabs[n], &bvh->nodes[n]);
            count++;
        }
    return bvh->node_count > 0 ? 100 * count / bvh->node_count : 0;
}

// The mesh's positions, bent, enlarged and moved.
static double *bent(const test_mesh *mesh, double bend, double size, double away)
{
    double *positions = malloc(mesh->vertex_count * 3 * sizeof *positions);
    assert_non_null(positions);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *p = mesh->positions + 3 * i;
        positions[3 * i] = size * (p[0] + bend * p[1] * p[1]) + away;
        positions[3 * i + 1] = size * p[1] + away;
        positions[3 * i + 2] = size * p[2];
    }
    return positions;
}

// Nearly all nodes of a ball and of a flat grid have a slab, at any size and position and with any winding of faces.
// Nodes of random triangles seldom do.
static void slabs_hold_what_is_below_them(void **state)
{
    (void)state;
    random_stream random = {.state = 4};
    grz_device *device = test_device_open(2);
    for (int shape = 0; shape < 4; shape++) {
        test_mesh mesh = shape == 0   ? test_mesh_icosphere(1.0, TEST_SANITIZED ? 4 : 5)
                         : shape == 1 ? test_mesh_grid(50, 50, 1.0)
                         : shape == 2 ? test_mesh_icosphere(1.0, 4)
                                      : test_mesh_random_triangles(&random, 5000, 0.1, 0);
        for (size_t i = 0; shape == 2 && i + 3 <= mesh.index_count;
             i += 6) { // every second face is wound the other way
            const uint32_t corner = mesh.indices[i];
            mesh.indices[i] = mesh.indices[i + 1];
            mesh.indices[i + 1] = corner;
        }
        grz_mesh *uploaded = test_mesh_upload(device, &mesh);
        const unsigned at_first = check_slabs(uploaded);
        for (int kind = 0; kind < 4; kind++) {
            double *positions = bent(&mesh, kind == 3 ? 0.5 : 0.1,
                                     kind == 1   ? 0x1p-400
                                     : kind == 2 ? 0x1p200
                                                 : 1.0,
                                     kind == 3 ? 0x1p30 : 0.0);
            assert_int_equal(grz_mesh_set_positions(uploaded, positions, NULL), GRZ_OK);
            const unsigned now = check_slabs(uploaded);
            print_message("  shape %d, kind %d: %u and then %u %% of the nodes\n", shape, kind, at_first, now);
            if (shape < 3)
                assert_true(now > 60);
            else
                assert_true(now < 40);
            free(positions);
        }
        assert_true(shape == 3 ? at_first < 40 : at_first > 70);
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
    grz_device_close(device);
}

// A sheet over the square of -1 to 1, with waves.
static test_mesh some_sheet(random_stream *random)
{
    const uint32_t side = 3 + random_below(random, 12);
    const double height = random_below(random, 3) == 0 ? 0.0 : ldexp(0.2, -(int)random_below(random, 12));
    const double phase = 3.0 * random_signed(random);
    test_mesh mesh = test_mesh_grid(side, side, 2.0 / side);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        double *p = mesh.positions + 3 * i;
        p[0] -= 1.0;
        p[1] -= 1.0;
        p[2] = height * sin(3.0 * p[0] + phase) * cos(2.0 * p[1] - phase);
    }
    return mesh;
}

static void multiply(const double a[3][3], const double b[3][3], double out[3][4])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

// A pose with random rotation, scale and translation, sheared a little.
static void some_frame(random_stream *random, double frame[3][3])
{
    const double translation[3] = {0.0, 0.0, 0.0};
    const double q[4] = {random_signed(random), random_signed(random), random_signed(random), random_signed(random)};
    const double scale = ldexp(1.0, (int)random_below(random, 41) - 20), shear = random_below(random, 2) ? 0.3 : 0.0;
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(translation, q, &pose, NULL), GRZ_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            frame[i][j] = scale * (pose.m[i][j] + shear * random_signed(random) * (i < j));
}

typedef struct sheets {
    grz_device *device;
    grz_mesh *mesh[2][2]; // A and B, without slabs and with them
    grz_pose pose[2];
    double from[3], along[3]; // B's place
    grz_result *result[2];
} sheets;

// Let no slabs be made at the next query.
static void forget_openings(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    atomic_store(&((grz_bvh *)bvh)->openings, 0);
}

static bool sheets_touch(sheets *s, int with_slabs, double way)
{
    grz_object a = grz_object_at_origin(s->mesh[0][with_slabs]), b = grz_object_at_origin(s->mesh[1][with_slabs]);
    grz_collide_options options = grz_default_collide_options();
    a.pose = s->pose[0];
    b.pose = s->pose[1];
    for (int i = 0; i < 3; i++)
        b.pose.m[i][3] = s->from[i] + way * s->along[i];
    options.method = "bvh";
    options.find = GRZ_FIND_PAIRS;
    for (int i = 0; i < 2 && !with_slabs; i++)
        forget_openings(s->mesh[i][0]);
    assert_int_equal(grz_collide(s->device, &a, &b, &options, s->result[with_slabs], NULL), GRZ_OK);
    return grz_result_summary(s->result[with_slabs])->colliding;
}

static void expect_same_pairs(const sheets *s, int round)
{
    uint64_t count[2];
    const grz_pair *plain = grz_result_pairs(s->result[0], &count[0]),
                   *slabs = grz_result_pairs(s->result[1], &count[1]);
    if (count[0] != count[1])
        fail_msg("round %d: %llu pairs, must be %llu", round, (unsigned long long)count[1],
                 (unsigned long long)count[0]);
    if (count[0] > 0)
        assert_memory_equal(plain, slabs, (size_t)count[0] * sizeof *plain);
}

static bool has_slabs(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    return atomic_load(&bvh->slabs) != NULL;
}

// Two sheets are moved towards each other until they just touch by the hierarchy without slabs. There, one step before,
// and further in, slabs change only the number of candidates.
static void sheets_that_just_touch_are_not_separated(void **state)
{
    (void)state;
    random_stream random = {.state = 21};
    sheets s = {.device = test_device_open(1)};
    uint64_t candidates[2] = {0, 0};
    int with_slabs = 0, rounds = TEST_SANITIZED ? 40 : 250;
    for (int i = 0; i < 2; i++)
        s.result[i] = test_result_create(s.device);
    for (int round = 0; round < rounds; round++) {
        test_mesh mesh[2] = {some_sheet(&random), some_sheet(&random)};
        double frame[3][3], inner[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                            size = ldexp(1.0, (int)random_below(&random, 5) - 2);
        const double tilt = random_below(&random, 3) == 0 ? 0.0 : ldexp(0.5, -(int)random_below(&random, 20));
        some_frame(&random, frame);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                inner[i][j] = size * (inner[i][j] + tilt * random_signed(&random));
        multiply((const double(*)[3])frame, (const double(*)[3])inner, s.pose[1].m);
        const double away = random_below(&random, 2) == 0 ? 0.0 : ldexp(1.0, (int)random_below(&random, 20));
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                s.pose[0].m[i][j] = frame[i][j];
            s.pose[0].m[i][3] = away * frame[i][0];
            s.from[i] =
                s.pose[0].m[i][3] + 0.3 * (random_signed(&random) * frame[i][0] + random_signed(&random) * frame[i][1]);
            s.along[i] = frame[i][2];
            for (int k = 0; k < 4; k++)
                if (i < 2 && k < 2)
                    s.mesh[i][k] = test_mesh_upload(s.device, &mesh[i]);
        }
        for (int i = 0; i < 2; i++)
            test_want_slabs(s.mesh[i][1]);
        double apart = 8.0, touching = -4.0;
        for (int bits = 3; bits < 11 && touching == -4.0; bits++) // down through it, in ever smaller steps
            for (int step = 1 << bits; step > -(1 << bits) && touching == -4.0; step--) {
                const double way = ldexp((double)step, -bits);
                touching = sheets_touch(&s, 0, way) ? way : touching;
            }
        for (int step = 0; step < 80 && touching > -4.0; step++) {
            const double middle = 0.5 * apart + 0.5 * touching;
            if (sheets_touch(&s, 0, middle))
                touching = middle;
            else
                apart = middle;
        }
        const double ways[] = {touching,        apart,           touching - 0x1p-30, touching - 0x1p-12,
                               touching - 0.02, apart + 0x1p-20, apart + 0.01};
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            const bool plain = sheets_touch(&s, 0, ways[i]), slabs = sheets_touch(&s, 1, ways[i]);
            if (plain != slabs)
                fail_msg("round %d, way %zu: %s with slabs, %s without", round, i, slabs ? "touch" : "apart",
                         plain ? "touch" : "apart");
            expect_same_pairs(&s, round);
            for (int k = 0; k < 2; k++)
                candidates[k] += grz_result_summary(s.result[k])->candidates;
        }
        with_slabs += has_slabs(s.mesh[0][1]) && has_slabs(s.mesh[1][1]);
        for (int i = 0; i < 2; i++) {
            assert_false(has_slabs(s.mesh[i][0]));
            for (int k = 0; k < 2; k++)
                grz_mesh_destroy(s.mesh[i][k]);
            test_mesh_finish(&mesh[i]);
        }
    }
    print_message("  %d of %d rounds; %llu candidates with slabs, %llu without\n", with_slabs, rounds,
                  (unsigned long long)candidates[1], (unsigned long long)candidates[0]);
    assert_true(candidates[1] < candidates[0] * 9 / 10 && with_slabs > rounds * 3 / 4);
    for (int i = 0; i < 2; i++)
        grz_result_destroy(s.result[i]);
    grz_device_close(s.device);
}

// Two balls beside each other, nearly touching.
typedef struct two_balls {
    grz_device *device;
    grz_mesh *a, *b;
    test_mesh shape;
} two_balls;

static two_balls make_balls(grz_device *device, uint32_t detail)
{
    two_balls balls = {.device = device, .shape = test_mesh_icosphere(1.0, detail)};
    balls.a = test_mesh_upload(device, &balls.shape);
    balls.b = test_mesh_upload(device, &balls.shape);
    return balls;
}

static void finish_balls(two_balls *balls)
{
    grz_mesh_destroy(balls->a);
    grz_mesh_destroy(balls->b);
    test_mesh_finish(&balls->shape);
}

// The pairs of the balls, B turned, at one of 16 distances.
static grz_status ask_balls(const two_balls *balls, unsigned step, const grz_collide_options *given, grz_result *result)
{
    const double translation[3] = {1.97 + 0.002 * (step % 16), 0.0, 0.0}, q[4] = {0.9, 0.1, 0.3, 0.2};
    grz_object a = grz_object_at_origin(balls->a), b = grz_object_at_origin(balls->b);
    grz_collide_options options = given != NULL ? *given : grz_default_collide_options();
    options.method = "bvh";
    options.find = GRZ_FIND_PAIRS;
    assert_int_equal(grz_pose_from_quaternion(translation, q, &b.pose, NULL), GRZ_OK);
    return grz_collide(balls->device, &a, &b, &options, result, NULL);
}

// Slabs are made by themselves when they pay, and a refit discards them.
static void slabs_are_made_by_use_and_discarded_by_new_positions(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    two_balls balls = make_balls(device, 5);
    uint64_t pairs[16], candidates[16];
    unsigned queries = 0;
    for (int time = 0; time < 2; time++) {
        for (queries = 0; queries < 16 || !has_slabs(balls.a) || !has_slabs(balls.b); queries++) {
            assert_int_equal(ask_balls(&balls, queries, NULL, result), GRZ_OK);
            if (queries < 16) {
                pairs[queries] = grz_result_summary(result)->pair_count;
                candidates[queries] = grz_result_summary(result)->candidates;
            }
            assert_true(queries < 20000);
        }
        print_message("  after %u queries\n", queries);
        assert_true(queries > 16);
        uint64_t before = 0, now = 0;
        for (unsigned step = 0; step < 16; step++) {
            assert_int_equal(ask_balls(&balls, step, NULL, result), GRZ_OK);
            assert_int_equal(grz_result_summary(result)->pair_count, pairs[step]);
            before += candidates[step];
            now += grz_result_summary(result)->candidates;
        }
        assert_true(now < before);
        assert_int_equal(grz_mesh_set_positions(balls.a, balls.shape.positions, NULL), GRZ_OK);
        assert_int_equal(ask_balls(&balls, 0, NULL, result), GRZ_OK);
        assert_true(!has_slabs(balls.a) && has_slabs(balls.b));
        assert_int_equal(grz_result_summary(result)->candidates, candidates[0]);
    }
    grz_result_destroy(result);
    finish_balls(&balls);
    grz_device_close(device);
}

// Without memory or time for slabs, the query runs without them, and the next one does not try again at once.
static void queries_work_without_memory_for_slabs(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    two_balls balls = make_balls(device, 4);
    assert_int_equal(ask_balls(&balls, 0, NULL, result), GRZ_OK);
    const uint64_t pairs = grz_result_summary(result)->pair_count;
    grz_collide_options limited = grz_default_collide_options();
    limited.limits.memory_limit = 20000;
    test_want_slabs(balls.a);
    test_want_slabs(balls.b);
    assert_int_equal(grz_mesh_set_positions(balls.b, balls.shape.positions, NULL), GRZ_OK);
    assert_int_equal(grz_mesh_prepare(balls.b, "bvh", NULL), GRZ_OK);
    test_want_slabs(balls.b);
    assert_int_equal(ask_balls(&balls, 15, &limited, result), GRZ_OK); // apart, or a few pairs
    assert_true(!has_slabs(balls.a) && !has_slabs(balls.b));
    assert_int_equal(ask_balls(&balls, 0, NULL, result), GRZ_OK);
    assert_int_equal(grz_result_summary(result)->pair_count, pairs);
    assert_true(!has_slabs(balls.a)); // not at once
    const volatile int stop = 1;
    grz_collide_options stopped = grz_default_collide_options();
    stopped.limits.cancel = &stop;
    test_want_slabs(balls.a);
    assert_int_equal(ask_balls(&balls, 0, &stopped, result), GRZ_ERROR_CANCELLED);
    assert_true(!has_slabs(balls.a));
    test_want_slabs(balls.a);
    test_want_slabs(balls.b);
    assert_int_equal(ask_balls(&balls, 0, NULL, result), GRZ_OK);
    assert_int_equal(grz_result_summary(result)->pair_count, pairs);
    assert_true(has_slabs(balls.a) && has_slabs(balls.b));
    grz_result_destroy(result);
    finish_balls(&balls);
    grz_device_close(device);
}

typedef struct race_run {
    const two_balls *balls;
    unsigned first;
    uint64_t pairs[32];
} race_run;

static void *race(void *context)
{
    race_run *racer = context;
    grz_result *result = NULL;
    if (grz_result_create(racer->balls->device, &result, NULL) != GRZ_OK)
        return NULL;
    for (unsigned i = 0; i < 32; i++)
        racer->pairs[i] = ask_balls(racer->balls, racer->first + i, NULL, result) == GRZ_OK
                              ? grz_result_summary(result)->pair_count
                              : 0;
    grz_result_destroy(result);
    return racer;
}

static void threads_that_race_for_slabs_agree(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 4; round++) {
        grz_device *device = test_device_open(2);
        grz_result *result = test_result_create(device);
        two_balls balls = make_balls(device, 4);
        race_run racers[4];
        pthread_t threads[4];
        uint64_t pairs[16];
        for (unsigned step = 0; step < 16; step++) {
            assert_int_equal(ask_balls(&balls, step, NULL, result), GRZ_OK);
            pairs[step] = grz_result_summary(result)->pair_count;
        }
        test_want_slabs(balls.a);
        if (round % 2 == 0)
            test_want_slabs(balls.b);
        for (unsigned i = 0; i < 4; i++) {
            racers[i] = (race_run){.balls = &balls, .first = i};
            assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
        }
        for (unsigned i = 0; i < 4; i++) {
            void *done;
            assert_int_equal(pthread_join(threads[i], &done), 0);
            assert_non_null(done);
            for (unsigned k = 0; k < 32; k++)
                assert_int_equal(racers[i].pairs[k], pairs[(i + k) % 16]);
        }
        assert_true(has_slabs(balls.a));
        grz_result_destroy(result);
        finish_balls(&balls);
        grz_device_close(device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_hold_what_is_below_them),
        cmocka_unit_test(sheets_that_just_touch_are_not_separated),
        cmocka_unit_test(slabs_are_made_by_use_and_discarded_by_new_positions),
        cmocka_unit_test(queries_work_without_memory_for_slabs),
        cmocka_unit_test(threads_that_race_for_slabs_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
