// SPDX-License-Identifier: MIT
// Building hierarchies: every triangle once, boxes right to the last bit, the same tree on any number of threads. A
// build that runs out of memory or is cancelled leaves nothing behind.
// ctest: timeout 300
// ctest: concurrent any_number_of_threads_builds_the_same_tree a_shared_build_without_memory_leaves_nothing
// ctest: concurrent a_shared_build_can_be_ended a_runner_is_not_asked_from_within_its_tasks
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "space/bvh/bvh.h"
#include "support_control.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

// Every triangle is a child once, every box is exactly the box of what is below it, and nodes come before their
// children.
static void check_tree(const grz_mesh *mesh, const grz_bvh *bvh)
{
    unsigned char *seen = calloc(mesh->triangle_count, 1), *reached = calloc(bvh->node_count, 1);
    assert_non_null(seen);
    assert_non_null(reached);
    reached[0] = 1;
    for (uint32_t n = 0; n < bvh->node_count; n++) {
        bool none = false, triangle = false;
        assert_int_equal(reached[n], 1);
        for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
            const uint32_t child = bvh->nodes[n].child[i];
            assert_true(!none || child == GRZ_BVH_NONE);
            none = child == GRZ_BVH_NONE;
            if (none)
                continue;
            assert_true(!triangle || grz_bvh_is_triangle(child));
            triangle = grz_bvh_is_triangle(child);
            const grz_box box = grz_bvh_child_box(bvh, n, i);
            if (!triangle) {
                assert_in_range(child, n + 1, bvh->node_count - 1);
                reached[child]++;
                for (int j = 0; j < GRZ_BVH_WIDTH && bvh->nodes[child].child[j] != GRZ_BVH_NONE; j++)
                    for (int axis = 0; axis < 3; axis++)
                        assert_true(bvh->nodes[child].bounds[0][axis][j] >= bvh->nodes[n].bounds[0][axis][i] &&
                                    bvh->nodes[child].bounds[1][axis][j] <= bvh->nodes[n].bounds[1][axis][i]);
                continue;
            }
            assert_in_range(grz_bvh_triangle(child), 0, mesh->triangle_count - 1);
            seen[grz_bvh_triangle(child)]++;
            for (int k = 0; k < 3; k++)
                assert_true(grz_box_contains(
                    &box, grz_mesh_position(mesh, mesh->triangles[3 * (size_t)grz_bvh_triangle(child) + (size_t)k])));
        }
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        assert_int_equal(seen[i], 1);
    free(seen);
    free(reached);
}

static void trees_hold_every_triangle_once(void **state)
{
    (void)state;
    random_stream random = {.state = 9};
    grz_device *device = test_device_open(1);
    uint32_t nodes = 0, triangles = 0;
    for (uint32_t round = 0; round < (TEST_SANITIZED ? 24 : 60); round++) {
        const uint32_t side = 1 + round * round / (TEST_SANITIZED ? 20 : 8);
        test_mesh mesh = round % 3 == 0   ? test_mesh_grid(side, side, 1.0)
                         : round % 3 == 1 ? test_mesh_random_triangles(&random, 1 + side * side, round % 2 ? 0.01 : 1.0,
                                                                       round % 5 ? 0 : 4)
                                          : test_mesh_icosphere(1.0, round / 10);
        grz_mesh *uploaded = test_mesh_upload_flags(device, &mesh, round % 4 == 3 ? GRZ_MESH_FAST_BUILD : 0);
        const grz_bvh *bvh;
        assert_int_equal(test_mesh_bvh(uploaded, &bvh), GRZ_OK);
        check_tree(uploaded, bvh);
        nodes += bvh->node_count;
        triangles += uploaded->triangle_count;
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
    print_message("  %u triangles in %u nodes: %.1f bytes a triangle\n", triangles, nodes,
                  (double)nodes * sizeof(grz_bvh_node) / triangles);
    assert_true((double)nodes * sizeof(grz_bvh_node) / triangles < 64.0);
    grz_device_close(device);
}

// The meshes that are built on several threads: smooth, flat, scattered, and scattered with many triangles at one
// position.
static test_mesh large_mesh(int kind)
{
    random_stream random = {.state = 3};
    switch (kind) {
    case 0:
        return test_mesh_icosphere(1.0, TEST_SANITIZED ? 5 : 6); // 20,480 triangles, or four times as many
    case 1:
        return test_mesh_grid(130, 130, 1.0);
    case 2:
        return test_mesh_random_triangles(&random, 20000, 0.01, 0);
    default:
        return test_mesh_random_triangles(&random, 20000, 1.0, 4);
    }
}

// True if the subtrees below two nodes are equal, whatever the nodes' numbers.
static void expect_same_tree(const grz_bvh *x, uint32_t node_x, const grz_bvh *y, uint32_t node_y)
{
    const grz_bvh_node *p = &x->nodes[node_x], *q = &y->nodes[node_y];
    assert_memory_equal(p->bounds, q->bounds, sizeof p->bounds);
    for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
        assert_int_equal(grz_bvh_is_triangle(p->child[i]), grz_bvh_is_triangle(q->child[i]));
        if (grz_bvh_is_triangle(p->child[i]))
            assert_int_equal(p->child[i], q->child[i]);
        else
            expect_same_tree(x, p->child[i], y, q->child[i]);
    }
}

static void any_number_of_threads_builds_the_same_tree(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        test_mesh mesh = large_mesh(kind);
        const uint32_t flags = kind == 2 ? GRZ_MESH_FAST_BUILD : 0;
        const grz_bvh *alone, *shared;
        grz_device *one = test_device_open(1);
        grz_mesh *on_one = test_mesh_upload_flags(one, &mesh, flags);
        assert_int_equal(test_mesh_bvh(on_one, &alone), GRZ_OK);
        for (unsigned threads = 2; threads <= 5; threads += 3) {
            grz_device *many = test_device_open(threads);
            grz_mesh *on_many = test_mesh_upload_flags(many, &mesh, flags);
            assert_int_equal(test_mesh_bvh(on_many, &shared), GRZ_OK);
            assert_int_equal(shared->node_count, alone->node_count);
            check_tree(on_many, shared);
            expect_same_tree(alone, 0, shared, 0);
            grz_mesh_destroy(on_many);
            grz_device_close(many);
        }
        grz_mesh_destroy(on_one);
        grz_device_close(one);
        test_mesh_finish(&mesh);
    }
}

// An allocator that fails after a given number of blocks, on any thread.
typedef struct short_memory {
    atomic_llong blocks_left, held;
} short_memory;

static void *short_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    short_memory *memory = user;
    if (atomic_fetch_sub(&memory->blocks_left, 1) <= 0)
        return NULL;
    void *moved = realloc(block, new_size);
    if (moved != NULL)
        atomic_fetch_add(&memory->held, (long long)new_size - (long long)old_size);
    return moved;
}

static void short_release(void *block, size_t size, void *user)
{
    short_memory *memory = user;
    atomic_fetch_sub(&memory->held, block != NULL ? (long long)size : 0);
    free(block);
}

static void a_shared_build_without_memory_leaves_nothing(void **state)
{
    (void)state;
    short_memory memory;
    test_mesh mesh = large_mesh(2);
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    atomic_init(&memory.blocks_left, 1000);
    atomic_init(&memory.held, 0);
    options.threads = 3;
    options.allocator = (grz_allocator){short_reallocate, short_release, &memory};
    assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
    grz_mesh *uploaded = test_mesh_upload(device, &mesh);
    const grz_bvh *none;
    atomic_store(&memory.blocks_left, 1); // the tree's slot, which stays with the mesh
    assert_int_equal(test_mesh_bvh(uploaded, &none), GRZ_ERROR_MEMORY);
    const long long before = atomic_load(&memory.held);
    int failures = 0;
    for (long long blocks = 0;; blocks += TEST_SANITIZED ? 7 : 1, failures++) {
        const grz_bvh *bvh;
        atomic_store(&memory.blocks_left, blocks);
        const grz_status status = test_mesh_bvh(uploaded, &bvh);
        atomic_store(&memory.blocks_left, 1000);
        if (status == GRZ_OK) {
            check_tree(uploaded, bvh);
            break;
        }
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        assert_int_equal(atomic_load(&memory.held), before);
    }
    print_message("  ended at each of %d blocks\n", failures);
    assert_true(failures > (TEST_SANITIZED ? 5 : 40)); // those of the subtrees are among them
    grz_mesh_destroy(uploaded);
    grz_device_close(device);
    assert_int_equal(atomic_load(&memory.held), 0);
    test_mesh_finish(&mesh);
}

typedef struct stopper {
    double at; // raises the flag when so much is done
    int raised;
} stopper;

static void stop(double share, void *user)
{
    stopper *s = user;
    if (share >= s->at)
        __atomic_store_n(&s->raised, 1, __ATOMIC_RELAXED);
}

static void a_shared_build_can_be_ended(void **state)
{
    (void)state;
    grz_device *device = test_device_open(3);
    grz_result *result = test_result_create(device);
    test_mesh mesh = large_mesh(0);
    int ended = 0;
    for (int step = 0; step <= 20; step += TEST_SANITIZED ? 5 : 1) {
        stopper s = {.at = 0.025 * step};
        grz_mesh *uploaded = test_mesh_upload(device, &mesh);
        const grz_object object = grz_object_at_origin(uploaded);
        grz_collide_options options = grz_default_collide_options();
        options.limits.cancel = &s.raised;
        options.limits.progress = stop;
        options.limits.progress_user = &s;
        const grz_status status = grz_collide_self(device, &object, &options, result, NULL);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_CANCELLED);
        ended += status == GRZ_ERROR_CANCELLED && !grz_mesh_slot_ready(uploaded, &grz_bvh_slot_type);
        options.limits.cancel = NULL;
        assert_int_equal(grz_collide_self(device, &object, &options, result, NULL), GRZ_OK);
        assert_false(grz_result_summary(result)->colliding);
        const grz_bvh *bvh;
        assert_int_equal(test_mesh_bvh(uploaded, &bvh), GRZ_OK);
        check_tree(uploaded, bvh);
        grz_mesh_destroy(uploaded);
    }
    print_message("  ended in the build %d times\n", ended);
    assert_true(ended >= 1); // on a busy machine the calling thread, which reports the progress, may come late
    test_mesh_finish(&mesh);
    grz_result_destroy(result);
    grz_device_close(device);
}

static double total_area(const grz_bvh *bvh)
{
    double sum = 0.0;
    for (uint32_t n = 0; n < bvh->node_count; n++)
        for (int i = 0; i < GRZ_BVH_WIDTH && bvh->nodes[n].child[i] != GRZ_BVH_NONE; i++) {
            const grz_box box = grz_bvh_child_box(bvh, n, i);
            const double x = box.max[0] - box.min[0], y = box.max[1] - box.min[1], z = box.max[2] - box.min[2];
            sum += x * y + y * z + z * x;
        }
    return sum;
}

// Each triangle of a soup moves to the position of another one, `step` further on; and the whole is enlarged.
static void move_soup(const test_mesh *soup, uint32_t step, double scale, double *positions)
{
    const size_t count = soup->vertex_count / 3;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 9; k++)
            positions[9 * i + k] = scale * soup->positions[9 * (i * step % count) + k];
}

static void a_worn_tree_is_built_again(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    random_stream random = {.state = 21};
    test_mesh soup = test_mesh_random_triangles(&random, 5000, 0.01, 0);
    double *positions = calloc(soup.vertex_count, 3 * sizeof *positions);
    assert_non_null(positions);
    for (int kind = 0; kind < 2; kind++) { // 0: enlarged as a whole; 1: triangles moved to other positions
        grz_mesh *mesh = test_mesh_upload(device, &soup), *fresh = NULL;
        const grz_bvh *bvh, *best;
        double largest = 0.0, last = 0.0;
        for (int frame = 0; frame < 12; frame++) {
            move_soup(&soup, kind == 0 ? 1 : 1009, 1.0 + 0.125 * frame, positions);
            assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
            assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
            assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
            check_tree(mesh, bvh);
            test_mesh moved = soup;
            moved.positions = positions;
            grz_mesh_destroy(fresh);
            fresh = test_mesh_upload(device, &moved);
            assert_int_equal(test_mesh_bvh(fresh, &best), GRZ_OK);
            last = total_area(bvh) / total_area(best);
            largest = last > largest ? last : largest;
            assert_int_equal(bvh->refits, kind == 0 || frame < 8 ? frame + 1 : frame - 8);
        }
        print_message("  boxes at most %.2f times those of a new tree, %.2f in the end\n", largest, last);
        assert_true(kind == 0 ? largest < 1.2 : largest > 2.0 && last < 1.2);
        grz_mesh_destroy(fresh);
        grz_mesh_destroy(mesh);
    }
    free(positions);
    test_mesh_finish(&soup);
    grz_device_close(device);
}

// If there is no memory for a new tree, the worn one stays in use.
static void a_worn_tree_stays_in_use_if_memory_is_short(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    random_stream random = {.state = 22};
    test_mesh soup = test_mesh_random_triangles(&random, 5000, 0.01, 0);
    double *positions = calloc(soup.vertex_count, 3 * sizeof *positions);
    assert_non_null(positions);
    grz_mesh *mesh = test_mesh_upload(device, &soup);
    const grz_object object = grz_object_at_origin(mesh);
    const grz_bvh *bvh;
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    for (int frame = 0; frame < 12; frame++) {
        grz_collide_options options = grz_default_collide_options();
        options.find = 0;
        options.limits.memory_limit = 1 << 16; // a tree takes 200 KB
        move_soup(&soup, 1009, 1.0 + 0.125 * frame, positions);
        assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
        assert_int_equal(grz_collide_self(device, &object, &options, result, NULL), GRZ_OK);
        assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
        assert_int_equal(bvh->refits, frame + 1);
    }
    assert_true(bvh->worn);
    grz_mesh_destroy(mesh);
    free(positions);
    test_mesh_finish(&soup);
    grz_result_destroy(result);
    grz_device_close(device);
}

typedef struct plain_runner {
    int calls, nested;
    bool running;
} plain_runner;

// One triangle far away must leave the others enough digits: only few more candidates than without it, and no pair
// lost.
static void a_triangle_far_away_costs_little(void **state)
{
    (void)state;
    for (int power = 10; power <= 124; power += 19) { // beyond that the others are too small for a float
        grz_device *device = test_device_open(1);
        grz_result *result = test_result_create(device);
        test_mesh mesh = test_mesh_torus(2.0, 0.5, 50, 20), other = test_mesh_torus(2.0, 0.5, 50, 20);
        const double far = ldexp(power % 2 == 0 ? 1.0 : -1.0, power);
        const double corners[3][3] = {{far, far, far}, {far * 1.25, far, far}, {far, far, far * 1.5}};
        uint64_t pairs[2], candidates[2];
        test_mesh_move(&other, 0.5, 0.25, 0.125);
        test_mesh_append(&mesh, &other);
        test_mesh_finish(&other);
        for (int stray = 0; stray < 2; stray++) {
            if (stray == 1)
                test_mesh_add_loose_triangle(&mesh, corners);
            grz_mesh *uploaded = test_mesh_upload(device, &mesh);
            const grz_object object = grz_object_at_origin(uploaded);
            assert_int_equal(grz_collide_self(device, &object, NULL, result, NULL), GRZ_OK);
            pairs[stray] = grz_result_summary(result)->pair_count;
            candidates[stray] = grz_result_summary(result)->candidates;
            grz_mesh_destroy(uploaded);
        }
        assert_int_equal(pairs[0], pairs[1]);
        assert_true(pairs[0] > 100);
        if (candidates[1] > candidates[0] + candidates[0] / 4 + 16)
            fail_msg("2^%d away: %d candidates instead of %d", power, (int)candidates[1], (int)candidates[0]);
        grz_result_destroy(result);
        test_mesh_finish(&mesh);
        grz_device_close(device);
    }
}

static void run_plainly(void (*task)(size_t index, void *context), void *context, size_t count, void *user)
{
    plain_runner *runner = user;
    runner->calls++;
    runner->nested += runner->running;
    runner->running = true;
    for (size_t i = 0; i < count; i++)
        task(i, context);
    runner->running = false;
}

static void a_runner_is_not_asked_from_within_its_tasks(void **state)
{
    (void)state;
    plain_runner runner = {.calls = 0};
    test_mesh mesh = large_mesh(0);
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    options.task_runner = (grz_task_runner){.run = run_plainly, .width = 4, .user = &runner};
    assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
    grz_result *result = test_result_create(device);
    grz_mesh *mesh_a = test_mesh_upload(device, &mesh), *mesh_b = test_mesh_upload(device, &mesh);
    grz_object a = grz_object_at_origin(mesh_a), b = grz_object_at_origin(mesh_b);
    b.pose.m[0][3] = 1.9;
    assert_int_equal(grz_collide(device, &a, &b, NULL, result, NULL), GRZ_OK); // both trees are built, side by side
    assert_true(grz_result_summary(result)->colliding);
    assert_true(runner.calls > 0);
    assert_int_equal(runner.nested, 0);
    const int before = runner.calls;
    grz_mesh *alone = test_mesh_upload(device, &mesh);
    const grz_bvh *bvh;
    assert_int_equal(test_mesh_bvh(alone, &bvh), GRZ_OK);
    check_tree(alone, bvh);
    assert_true(runner.calls > before); // one tree alone is shared
    grz_mesh_destroy(alone);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    grz_result_destroy(result);
    grz_device_close(device);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_hold_every_triangle_once),
        cmocka_unit_test(any_number_of_threads_builds_the_same_tree),
        cmocka_unit_test(a_shared_build_without_memory_leaves_nothing),
        cmocka_unit_test(a_shared_build_can_be_ended),
        cmocka_unit_test(a_runner_is_not_asked_from_within_its_tasks),
        cmocka_unit_test(a_triangle_far_away_costs_little),
        cmocka_unit_test(a_worn_tree_is_built_again),
        cmocka_unit_test(a_worn_tree_stays_in_use_if_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
