// SPDX-License-Identifier: MIT
// The lecture's structures: whatever has a point in common with a probe is found, at every size and however the mesh
// lies; what is far is not; new positions are followed; a build that runs out of memory or is cancelled can be
// repeated.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/control.h"
#include "geometry/triangle/pair.h"
#include "mesh/triangles.h"
#include "support_devices.h"
#include "space/structures/structure.h"
#include "support_control.h"
#include "support_meshes.h"
#include "support_sanitizer.h"
#include "support_shapes.h"

enum {
    PROBES = TEST_SANITIZED ? 4 : 24
};

static const char *const names[GRZ_STRUCTURES] = {"uniform grid", "octree",   "kd-tree",
                                                  "BSP tree",     "OBB tree", "k-DOP tree"};

static bool is_listed(const grz_near_list *near, uint32_t triangle)
{
    for (size_t i = 0; i < near->count; i++)
        if (near->items[i] == triangle)
            return true;
    return false;
}

static void random_point_of(const grz_mesh *mesh, uint32_t triangle, random_stream *random, double point[3])
{
    double corners[3][3], weights[3], sum = 0.0;
    grz_mesh_corners(mesh, triangle, corners);
    for (int i = 0; i < 3; i++)
        sum += weights[i] = random_below(random, 4) == 0 ? 0.0 : 1.0 + random_signed(random);
    for (int j = 0; j < 3; j++)
        point[j] = sum > 0.0 ? (weights[0] / sum * corners[0][j] + weights[1] / sum * corners[1][j]) +
                                   weights[2] / sum * corners[2][j]
                             : corners[0][j];
}

// A probe near a random triangle, or right through it, of a size that varies.
static grz_probe random_probe(const grz_mesh *mesh, random_stream *random, double scale)
{
    grz_probe probe = {.slack = {0.0}};
    const uint32_t triangle = random_below(random, mesh->triangle_count);
    const double size = scale * (random_below(random, 8) == 0 ? 3.0 : random_below(random, 2) == 0 ? 0.3 : 0.01);
    random_point_of(mesh, triangle, random, probe.corners[0]);
    for (int i = 1; i < 3; i++)
        for (int j = 0; j < 3; j++)
            probe.corners[i][j] = probe.corners[0][j] + size * random_signed(random);
    if (random_below(random, 3) == 0) // corners, edges and faces of the mesh itself
        grz_mesh_corners(mesh, triangle, probe.corners);
    if (random_below(random, 6) == 0)
        memcpy(probe.corners[2], probe.corners[1], sizeof probe.corners[2]);
    grz_probe_set_box(&probe);
    return probe;
}

static void gather(const grz_structure_type *type, const grz_mesh *mesh, const grz_probe *probe, grz_near_list *near)
{
    void *structure;
    near->count = 0;
    assert_int_equal(test_mesh_slot(mesh, &type->slot, &structure), GRZ_OK);
    assert_true(type->gather(mesh, structure, probe, test_allocator_of(mesh), near));
    grz_near_list_unique(near);
    for (size_t i = 0; i < near->count; i++) {
        assert_in_range(near->items[i], 0, mesh->triangle_count - 1);
        assert_true(i == 0 || near->items[i - 1] < near->items[i]);
    }
}

// Every triangle that the probe touches is found.
static void expect_touching(int type, const grz_mesh *mesh, const grz_probe *probe, const grz_near_list *near)
{
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        double corners[3][3];
        grz_mesh_corners(mesh, i, corners);
        if (grz_triangles_touch((const double(*)[3])corners, (const double(*)[3])probe->corners) && !is_listed(near, i))
            fail_msg("%s: triangle %u touches the probe and was not found", names[type], i);
    }
}

// A probe that is somewhat beside a triangle, and has as much slack as that.
static void expect_within_slack(int type, const grz_mesh *mesh, random_stream *random, double scale,
                                grz_near_list *near)
{
    grz_probe probe;
    const uint32_t triangle = random_below(random, mesh->triangle_count);
    double point[3];
    random_point_of(mesh, triangle, random, point);
    for (int j = 0; j < 3; j++) {
        const double off = scale * 0.2 * random_signed(random);
        probe.slack[j] = (off < 0.0 ? -off : off) * (1.0 + 0x1p-40) + 0x1p-45 * scale + 0x1p-49 * fabs(point[j]);
        probe.corners[0][j] = point[j] + off;
        for (int i = 1; i < 3; i++)
            probe.corners[i][j] = probe.corners[0][j] + scale * random_signed(random);
    }
    grz_probe_set_box(&probe);
    gather(grz_structures[type], mesh, &probe, near);
    if (!is_listed(near, triangle))
        fail_msg("%s: triangle %u is within the slack and was not found", names[type], triangle);
    for (int j = 0; j < 3; j++)
        probe.slack[j] = HUGE_VAL;
    probe.corners[0][0] = (double)NAN; // as it is where numbers leave the range of doubles
    grz_probe_set_box(&probe);
    gather(grz_structures[type], mesh, &probe, near);
    assert_int_equal(near->count, mesh->triangle_count);
}

static void check_mesh_with_probes(const grz_mesh *mesh, random_stream *random, double scale)
{
    grz_near_list near = {NULL, 0, 0};
    for (int i = 0; i < PROBES; i++) {
        const grz_probe probe = random_probe(mesh, random, scale);
        for (int type = 0; type < GRZ_STRUCTURES; type++) {
            gather(grz_structures[type], mesh, &probe, &near);
            expect_touching(type, mesh, &probe, &near);
            if (i % 4 == 0)
                expect_within_slack(type, mesh, random, scale, &near);
        }
    }
    grz_array_finish(test_allocator_of(mesh), &near);
}

static void everything_near_is_found(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 1e6, 0x1p-300, 0x1p-1040, 0x1p280};
    random_stream random = random_stream_of_block(0, 2511);
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++)
        for (int shape = 0; shape < TEST_STRUCTURE_SHAPES; shape++) {
            test_mesh made = test_structure_shape(shape, &random);
            const double scale = scales[s];
            test_mesh_scale(&made, scale, scale, scale);
            if (s == 1) // far from the origin: many bits are lost
                test_mesh_move(&made, 1e13, -3e13, 2e12);
            grz_mesh *mesh = test_mesh_upload(test_device, &made);
            check_mesh_with_probes(mesh, &random, scale);
            grz_mesh_destroy(mesh);
            test_mesh_finish(&made);
        }
}

static void new_positions_are_followed(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(0, 2512);
    test_mesh made = test_mesh_icosphere(1.0, 3);
    grz_mesh *mesh = test_mesh_upload(test_device, &made);
    for (int step = 0; step < 12; step++) {
        const bool wild = step % 4 == 3; // the tree is no good any more
        for (uint64_t i = 0; i < 3 * made.vertex_count; i++)
            made.positions[i] = wild ? random_signed(&random) : made.positions[i] + 0.02 * random_signed(&random);
        assert_int_equal(grz_mesh_set_positions(mesh, made.positions, NULL), GRZ_OK);
        check_mesh_with_probes(mesh, &random, 1.0);
    }
    grz_mesh_destroy(mesh);
    test_mesh_finish(&made);
}

// Small probes at a sphere find few triangles, and a structure takes a bounded number of bytes.
static void what_is_far_is_not_found(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(0, 2513);
    test_mesh made = test_mesh_icosphere(1.0, 5);
    grz_mesh *mesh = test_mesh_upload(test_device, &made);
    grz_near_list near = {NULL, 0, 0};
    for (int type = 0; type < GRZ_STRUCTURES; type++) {
        size_t found = 0;
        void *structure;
        grz_control control;
        grz_control_init(&control, test_allocator_of(mesh), NULL);
        assert_int_equal(grz_mesh_slot_get(mesh, &grz_structures[type]->slot, &control, &structure, NULL), GRZ_OK);
        const double bytes = (double)atomic_load(&control.memory) / mesh->triangle_count; // that it keeps
        for (int i = 0; i < 200; i++) {
            grz_probe probe = {.slack = {0.0}};
            random_point_of(mesh, random_below(&random, mesh->triangle_count), &random, probe.corners[0]);
            memcpy(probe.corners[1], probe.corners[0], sizeof probe.corners[0]);
            memcpy(probe.corners[2], probe.corners[0], sizeof probe.corners[0]);
            grz_probe_set_box(&probe);
            gather(grz_structures[type], mesh, &probe, &near);
            found += near.count;
        }
        printf("  %-12s %5.1f triangles found near a point, %4.0f bytes a triangle\n", names[type],
               (double)found / 200.0, bytes);
        assert_true((double)found / 200.0 < 40.0);
        assert_true(bytes > 8.0 && bytes < 200.0);
    }
    grz_array_finish(test_allocator_of(mesh), &near);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&made);
}

static void a_build_that_ends_early_can_be_repeated(void **state)
{
    (void)state;
    static const volatile int raised = 1;
    test_mesh made = test_mesh_torus(1.0, 0.25, 30, 20);
    for (int type = 0; type < GRZ_STRUCTURES; type++) {
        const grz_slot_type *slot = &grz_structures[type]->slot;
        grz_mesh *mesh = test_mesh_upload(test_device, &made);
        grz_control control;
        grz_error error;
        void *structure;
        int failures = 0;
        grz_control_init(&control, test_allocator_of(mesh), NULL);
        control.limits.cancel = &raised;
        assert_int_equal(grz_mesh_slot_get(mesh, slot, &control, &structure, &error), GRZ_ERROR_CANCELLED);
        for (uint64_t limit = 16;; limit += limit / 8 + 16) {
            grz_control_init(&control, test_allocator_of(mesh), NULL);
            control.limits.memory_limit = limit;
            const grz_status status = grz_mesh_slot_get(mesh, slot, &control, &structure, &error);
            if (status == GRZ_OK)
                break;
            assert_int_equal(status, GRZ_ERROR_MEMORY);
            failures++;
        }
        assert_true(failures > 10);
        // A refit that is cancelled.
        assert_int_equal(grz_mesh_set_positions(mesh, made.positions, NULL), GRZ_OK);
        grz_control_init(&control, test_allocator_of(mesh), NULL);
        control.limits.cancel = &raised;
        assert_int_equal(grz_mesh_slot_get(mesh, slot, &control, &structure, &error), GRZ_ERROR_CANCELLED);
        random_stream random = random_stream_of_block(0, 2514);
        check_mesh_with_probes(mesh, &random, 1.0);
        grz_mesh_destroy(mesh);
    }
    test_mesh_finish(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_near_is_found), cmocka_unit_test(new_positions_are_followed),
        cmocka_unit_test(what_is_far_is_not_found), cmocka_unit_test(a_build_that_ends_early_can_be_repeated)};
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
