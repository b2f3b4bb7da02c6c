// SPDX-License-Identifier: MIT
// Scenes of objects nested in each other, whose containments mostly follow from a few tests: the answers are those of
// all pairs asked one by one, with holes, open and crossing surfaces among them; and the work of n nested shells grows
// as n.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "query/scene.h"
#include "support_queries.h"
#include "support_solids.h"

enum {
    MESHES = 9
};

typedef struct nest {
    grz_device *device;
    grz_mesh *meshes[MESHES];
    grz_scene *scene;
    grz_result *whole, *alone;
    uint32_t count;
} nest;

// Surfaces about 2 wide: whole ones, some with a hollow or several shells, open or crossing themselves.
static nest make_nest(unsigned threads)
{
    nest n = {.device = test_device_open(threads)};
    test_mesh sources[MESHES] = {
        test_mesh_cube(-1, -1, -1, 2), test_mesh_icosphere(1.0, 1),    test_mesh_cube_quads(-1, -1, -1, 2),
        test_mesh_shells(2, 1),        test_mesh_shells(3, 2),         test_mesh_torus(0.75, 0.25, 12, 8),
        test_mesh_cube(-1, -1, -1, 2), test_mesh_klein_bottle(16, 16), test_mesh_double_tube(2.0, 16, 16)};
    test_mesh_drop_face(&sources[6], 3);
    test_mesh_scale(&sources[3], 0.5, 0.5, 0.5);
    test_mesh_scale(&sources[4], 0.25, 0.25, 0.25);
    test_mesh_scale(&sources[7], 0.25, 0.25, 0.25);
    test_mesh_scale(&sources[8], 0.25, 0.25, 0.25);
    for (int i = 0; i < MESHES; i++) {
        n.meshes[i] = test_mesh_upload(n.device, &sources[i]);
        test_mesh_finish(&sources[i]);
    }
    n.whole = test_result_create(n.device);
    n.alone = test_result_create(n.device);
    assert_int_equal(grz_scene_create(n.device, &n.scene, NULL), GRZ_OK);
    return n;
}

static void finish_nest(nest *n)
{
    grz_scene_destroy(n->scene);
    grz_result_destroy(n->whole);
    grz_result_destroy(n->alone);
    for (int i = 0; i < MESHES; i++)
        grz_mesh_destroy(n->meshes[i]);
    grz_device_close(n->device);
}

// A pose that makes a mesh `size` times as large, turns it, or not, and moves it to (x, 0, 0).
static grz_pose pose_of(double size, double angle, double x)
{
    grz_pose pose = grz_pose_identity();
    pose.m[0][0] = pose.m[1][1] = size * cos(angle);
    pose.m[1][0] = size * sin(angle);
    pose.m[0][1] = -pose.m[1][0];
    pose.m[2][2] = size;
    pose.m[0][3] = x;
    return pose;
}

static void add(nest *n, int mesh, const grz_pose *pose)
{
    grz_object object = grz_object_at_origin(n->meshes[mesh]);
    uint32_t id;
    object.pose = *pose;
    assert_int_equal(grz_scene_add(n->scene, &object, &id, NULL), GRZ_OK);
    n->count++;
}

// Ask the scene, and expect what its pairs give alone. Returns how many are one inside the other.
static unsigned compare(nest *n, const grz_collide_options *options, const char *what)
{
    uint64_t count, next = 0;
    unsigned inside = 0;
    assert_int_equal(grz_collide_scene(n->device, n->scene, options, n->whole, NULL), GRZ_OK);
    const grz_scene_pair *pairs = grz_result_scene_pairs(n->whole, &count);
    for (uint32_t a = 0; a < n->count; a++) {
        for (uint32_t b = a + 1; b < n->count; b++) {
            assert_int_equal(grz_collide(n->device, grz_scene_object(n->scene, a), grz_scene_object(n->scene, b),
                                         options, n->alone, NULL),
                             GRZ_OK);
            const grz_summary *s = grz_result_summary(n->alone);
            if (s->relation == GRZ_APART && s->containment != GRZ_CONTAINMENT_UNDECIDABLE)
                continue;
            const grz_scene_pair *pair = &pairs[next];
            if (next == count || pair->a != a || pair->b != b || pair->relation != s->relation ||
                pair->containment != s->containment || pair->pair_count != s->pair_count || pair->reason != s->reason)
                fail_msg("%s: objects %u and %u: alone they have relation %d", what, a, b, (int)s->relation);
            inside += s->relation == GRZ_A_INSIDE_B || s->relation == GRZ_B_INSIDE_A;
            next++;
        }
    }
    if (next != count)
        fail_msg("%s: objects %u and %u are listed and should not be", what, pairs[next].a, pairs[next].b);
    return inside;
}

static void nested_objects_get_the_answers_of_their_pairs(void **state)
{
    (void)state;
    unsigned inside = 0;
    uint64_t follow = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        random_stream random = {.state = seed};
        nest n = make_nest(1 + (unsigned)(seed % 3));
        for (int i = 0; i < 40; i++) {
            // The surfaces of a level are up to √3 times as far from the middle as others of it; few levels touch.
            const double size = pow(1.0 + 0.25 * (double)random_below(&random, 4), (double)random_below(&random, 12));
            const grz_pose pose =
                pose_of(size, 0.25 * (double)random_below(&random, 4), random_below(&random, 6) == 0 ? size : 0.0);
            add(&n, random_below(&random, 3) != 0 ? (int)random_below(&random, 3) : (int)random_below(&random, MESHES),
                &pose);
        }
        for (int step = 0; step < 4; step++) {
            grz_collide_options options = grz_default_collide_options();
            char what[80];
            options.find = GRZ_FIND_CONTAINMENT | (random_below(&random, 2) == 0 ? GRZ_FIND_PAIRS : 0);
            options.inside_rule = random_below(&random, 2) == 0 ? GRZ_EVEN_ODD : GRZ_NONZERO;
            snprintf(what, sizeof what, "seed %llu, step %d, find %u", (unsigned long long)seed, step, options.find);
            inside += compare(&n, &options, what);
            for (uint32_t id = random_below(&random, 3); id < n.count; id += 1 + random_below(&random, 5)) {
                grz_pose pose = grz_scene_object(n.scene, id)->pose;
                pose.m[2][3] = 0.125 * (double)random_below(&random, 3);
                assert_int_equal(grz_scene_set_pose(n.scene, id, &pose, NULL), GRZ_OK);
            }
        }
        follow += n.scene->work.follow;
        finish_nest(&n);
    }
    print_message("%u pairs one inside the other, %llu of them followed\n", inside, (unsigned long long)follow);
    assert_true(inside > follow && follow > 1000);
}

// C has a hollow in B, and A is in the hollow: A is inside B, and B inside C, but A is not inside C.
static void what_lies_in_a_hollow_is_not_inside(void **state)
{
    (void)state;
    nest n = make_nest(1);
    test_mesh hollow = test_mesh_cube(-100, -100, -100, 200);
    test_mesh_take(&hollow, test_mesh_cube(-2, -2, -2, 4));
    grz_mesh *mesh = test_mesh_upload(n.device, &hollow);
    const grz_object outer = grz_object_at_origin(mesh);
    uint32_t id;
    // More objects than MIN_ASKED, so that nests are looked for.
    for (int i = 0; i < 8; i++) {
        const grz_pose small = pose_of(0.25 + 0.1 * i, 0.0, 0.0), large = pose_of(4.0 + i, 0.0, 0.0);
        add(&n, 0, &small);
        add(&n, 0, &large);
    }
    assert_int_equal(grz_scene_add(n.scene, &outer, &id, NULL), GRZ_OK);
    n.count++;
    const grz_collide_options options = grz_default_collide_options();
    // All pairs of the 16 cubes, and the 8 large ones in the hollow cube.
    assert_int_equal(compare(&n, &options, "hollow"), 16 * 15 / 2 + 8);
    assert_true(n.scene->work.follow > 50);
    test_mesh_finish(&hollow);
    grz_mesh_destroy(mesh);
    finish_nest(&n);
}

// Jobs that a scene of n nested shells runs when all are new; when every 10th has moved.
static void count_jobs(uint32_t count, bool lists, uint64_t jobs[2], uint64_t *candidates)
{
    nest n = make_nest(1);
    grz_collide_options options = grz_default_collide_options();
    uint64_t pairs = 0;
    options.find = GRZ_FIND_CONTAINMENT | (lists ? GRZ_FIND_PAIRS : 0);
    for (uint32_t i = 0; i < count; i++) {
        const grz_pose pose = pose_of(1.0 + i * 7919u % count, 0.0, 0.0); // in no order
        add(&n, 1, &pose);
    }
    for (int round = 0; round < 2; round++) {
        const uint64_t before = n.scene->work.jobs;
        assert_int_equal(grz_collide_scene(n.device, n.scene, &options, n.whole, NULL), GRZ_OK);
        grz_result_scene_pairs(n.whole, &pairs);
        assert_int_equal(pairs, (uint64_t)count * (count - 1) / 2);
        jobs[round] = n.scene->work.jobs - before;
        if (round == 0)
            *candidates = grz_result_summary(n.whole)->candidates;
        for (uint32_t id = 0; id < count; id += 10) {
            grz_pose pose = grz_scene_object(n.scene, id)->pose;
            pose.m[0][3] = 0x1p-10;
            assert_int_equal(grz_scene_set_pose(n.scene, id, &pose, NULL), GRZ_OK);
        }
    }
    finish_nest(&n);
}

static void n_nested_shells_need_a_few_tests_each(void **state)
{
    (void)state;
    for (int lists = 0; lists < 2; lists++) {
        uint64_t jobs[2], twice[2], candidates, twice_candidates;
        count_jobs(200, lists != 0, jobs, &candidates);
        count_jobs(400, lists != 0, twice, &twice_candidates);
        print_message("200 shells: %llu jobs, %llu after a tenth moved, %llu candidates; 400: %llu, %llu, %llu\n",
                      (unsigned long long)jobs[0], (unsigned long long)jobs[1], (unsigned long long)candidates,
                      (unsigned long long)twice[0], (unsigned long long)twice[1], (unsigned long long)twice_candidates);
        // One job for each shell, and those with the few outermost ones.
        assert_true(jobs[0] <= 200 * 5 && twice[0] <= 400 * 5);
        assert_true(jobs[1] <= 200 * 5 && twice[1] <= 400 * 5);
        assert_true(twice[0] <= 2 * jobs[0] + 50 && twice_candidates <= 3 * candidates);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_objects_get_the_answers_of_their_pairs),
        cmocka_unit_test(what_lies_in_a_hollow_is_not_inside),
        cmocka_unit_test(n_nested_shells_need_a_few_tests_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
