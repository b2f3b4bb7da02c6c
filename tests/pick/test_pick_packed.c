// SPDX-License-Identifier: MIT
// The packed tree of rays: each box holds the one of the tree that it stands for, and all triangles are there, with
// their corners; when it is made; and that it follows new positions. tests/pick/test_pick.c has the rays.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/pick/packed/packed.h"
#include "base/control.h"
#include "base/device.h"
#include "support_devices.h"
#include "support_queries.h"

static void prepare(const grz_mesh *mesh, uint64_t rays, const grz_bvh **bvh, const grz_packed_tree **packed)
{
    grz_control control;
    grz_error error;
    grz_control_init(&control, grz_device_allocator(test_devices[0]), NULL);
    assert_int_equal(grz_mesh_bvh(mesh, &control, bvh, &error), GRZ_OK);
    assert_int_equal(grz_packed_tree_get(mesh, *bvh, rays, &control, packed, &error), GRZ_OK);
}

static void check_leaf(const grz_mesh *mesh, const grz_packed_tree *packed, uint32_t leaf, uint32_t triangle,
                       bool *seen)
{
    assert_true(leaf < packed->leaf_count && !seen[triangle]);
    seen[triangle] = true;
    for (int i = 0; i < 3; i++) {
        const uint32_t vertex = mesh->triangles[3 * (size_t)triangle + (size_t)i];
        if (packed->vertices != NULL) {
            assert_int_equal(packed->vertices[leaf].triangle, triangle);
            assert_int_equal(packed->vertices[leaf].vertex[i], vertex);
            continue;
        }
        assert_int_equal(packed->corners[leaf].triangle, triangle);
        for (int k = 0; k < 3; k++)
            assert_true((double)packed->corners[leaf].at[k][i] == grz_mesh_position(mesh, vertex)[k]);
    }
}

// A box of a node, exactly: an origin and 255 steps at most.
static double plane(const grz_packed_node *node, const float origin[3], int side, int axis, int i)
{
    return (double)origin[axis] + ldexp(node->planes[side][axis][i], node->exponents[axis]);
}

// Check what lies below a node; returns how many nodes that are.
static uint32_t check_node(const grz_mesh *mesh, const grz_bvh *bvh, uint32_t number, const grz_packed_tree *packed,
                           uint32_t packed_number, const float origin[3], bool *seen)
{
    const grz_bvh_node *node = &bvh->nodes[number];
    const grz_packed_node *copy = &packed->nodes[packed_number];
    uint32_t count = 1;
    for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
        const bool there = node->child[i] != GRZ_BVH_NONE;
        assert_int_equal(copy->used >> i & 1, there);
        if (!there)
            continue;
        float below[3];
        for (int k = 0; k < 3; k++) {
            const double low = plane(copy, origin, 0, k, i), high = plane(copy, origin, 1, k, i),
                         step = ldexp(1.0, copy->exponents[k]);
            assert_true(low <= (double)node->bounds[0][k][i] && high >= (double)node->bounds[1][k][i]);
            // Not by more than a step; doubles are rounded.
            assert_true(low > (double)node->bounds[0][k][i] - 1.001 * step - 0x1p-50);
            assert_true(high < (double)node->bounds[1][k][i] + 1.001 * step + 0x1p-50);
            below[k] = (float)copy->planes[0][k][i] * ldexpf(1.0f, copy->exponents[k]) + origin[k];
        }
        if (i < copy->nodes) {
            assert_false(grz_bvh_is_triangle(node->child[i]));
            count += check_node(mesh, bvh, node->child[i], packed, copy->first_node + (uint32_t)i, below, seen);
        } else {
            const uint32_t child = copy->first_child + (uint32_t)i;
            assert_true(grz_bvh_is_triangle(node->child[i]) && grz_bvh_is_triangle(child));
            check_leaf(mesh, packed, grz_bvh_triangle(child), grz_bvh_triangle(node->child[i]), seen);
        }
    }
    return count;
}

static void check_tree(const grz_mesh *mesh, const grz_bvh *bvh, const grz_packed_tree *packed)
{
    bool *seen = calloc(mesh->triangle_count, sizeof *seen);
    assert_non_null(seen);
    assert_non_null(packed);
    assert_int_equal((uintptr_t)packed->nodes % GRZ_PACKED_LINE, 0);
    assert_int_equal(packed->node_count, bvh->node_count);
    assert_int_equal(packed->leaf_count, mesh->triangle_count);
    assert_int_equal(check_node(mesh, bvh, 0, packed, 0, packed->origin, seen), bvh->node_count);
    free(seen);
}

static void make_floats(test_mesh *mesh)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        mesh->positions[i] = (double)(float)mesh->positions[i];
}

static void packed_boxes_hold_the_tree(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 2611);
    for (uint32_t round = 0; round < 24; round++) {
        test_mesh mesh = round % 3 == 0   ? test_mesh_icosphere(1.0, 4)
                         : round % 3 == 1 ? test_mesh_random_triangles(&random, 700, 0.01 + 0.1 * round, 3)
                                          : test_mesh_grid_quads(40, 30, 0.25); // flat: boxes without thickness
        test_mesh_scale(&mesh, 1.0, round % 4 == 1 ? 1e-30 : 1.0, round % 4 == 2 ? 1e-9 : 1.0);
        if (round % 2 == 0)
            make_floats(&mesh);
        grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
        const grz_packed_tree *packed;
        const grz_bvh *bvh;
        prepare(uploaded, 1000000, &bvh, &packed);
        check_tree(uploaded, bvh, packed);
        assert_true((packed->corners != NULL) != (packed->vertices != NULL));
        assert_true(round % 2 == 1 || packed->corners != NULL);
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
}

// It waits for enough rays, in one call or in several, and after new positions again.
static void packing_waits_for_rays(void **state)
{
    (void)state;
    test_mesh mesh = test_mesh_icosphere(1.0, 4);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    const grz_packed_tree *packed;
    const grz_bvh *bvh;
    int calls = 0;
    for (int round = 0; round < 2; round++) {
        do {
            prepare(uploaded, 10, &bvh, &packed);
            calls++;
        } while (packed == NULL && calls < 1000);
        assert_true(calls > 2 && calls < 1000);
        check_tree(uploaded, bvh, packed);
        const grz_packed_tree *again;
        prepare(uploaded, 1, &bvh, &again);
        assert_ptr_equal(again, packed);
        for (size_t i = 0; i < 3 * (size_t)mesh.vertex_count; i++)
            mesh.positions[i] *= 1.0 + 0.25 * (double)(i % 3);
        assert_int_equal(grz_mesh_set_positions(uploaded, mesh.positions, NULL), GRZ_OK);
        prepare(uploaded, 1, &bvh, &packed);
        assert_null(packed);
        calls = 0;
    }
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_boxes_hold_the_tree),
        cmocka_unit_test(packing_waits_for_rays),
    };
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
