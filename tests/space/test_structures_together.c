// SPDX-License-Identifier: MIT
// Two meshes walked together: each triangle of the smaller one that touches the other, or comes within reach of it, is
// in a group that is left, by every structure, at every size and in every pose; where nothing is near little is
// compared. The truth comes from all pairs of triangles.
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
#include "filter/lookup/together.h"
#include "geometry/pose.h"
#include "geometry/triangle/pair.h"
#include "mesh/triangles.h"
#include "support_arrays.h"
#include "support_control.h"
#include "support_meshes.h"
#include "support_sanitizer.h"
#include "support_shapes.h"

enum {
    PAIRS = TEST_SANITIZED ? TEST_STRUCTURE_SHAPES : TEST_STRUCTURE_SHAPES * TEST_STRUCTURE_SHAPES
};

// Two posed meshes, and which triangles of the second one a walk leaves.
typedef struct meeting {
    grz_object owner, other;
    double reach;
    bool nearest_first;
    bool *left;     // of each triangle of `other`
    size_t count;   // of those
    uint64_t steps; // comparisons
} meeting;

// Walk down to the groups that are left. False: nothing is known of how the two lie.
static bool walk(const grz_structure_type *type, meeting *m)
{
    const grz_allocator *allocator = test_allocator_of(m->owner.mesh);
    void *structure, *groups;
    grz_together together;
    grz_part_list parts = {NULL, 0, 0};
    grz_together_list waiting = {NULL, 0, 0};
    assert_int_equal(test_mesh_slot(m->owner.mesh, &type->slot, &structure), GRZ_OK);
    assert_int_equal(test_mesh_slot(m->other.mesh, &grz_groups_slot_type, &groups), GRZ_OK);
    memset(m->left, 0, m->other.mesh->triangle_count * sizeof *m->left);
    m->count = 0;
    m->steps = 0;
    if (!grz_together_set(type, &m->owner, structure, &m->other, groups, m->reach, m->nearest_first, &together))
        return false;
    assert_true(grz_together_begin(&together, allocator, &parts, &waiting));
    while (waiting.count > 0) {
        const grz_together_group group = waiting.items[--waiting.count];
        parts.count = group.to;
        assert_true(grz_together_narrow(&together, &group, allocator, &parts, &m->steps));
        if (parts.count == group.to)
            continue;
        if (group.level > 0) {
            assert_true(grz_together_open(&together, &group, group.to, allocator, &parts, &waiting));
            continue;
        }
        for (size_t i = group.number * GRZ_GROUP; i < (group.number + 1) * GRZ_GROUP; i++)
            if (i < together.groups->triangle_count) {
                assert_false(m->left[together.groups->triangles[i]]); // each triangle is in one group
                m->left[together.groups->triangles[i]] = true;
                m->count++;
            }
    }
    grz_array_finish(allocator, &waiting);
    grz_array_finish(allocator, &parts);
    return true;
}

static bool within_reach(const double a[3][3], const double b[3][3], double reach)
{
    for (int i = 0; i < 9; i++)
        if (fabs(a[i / 3][0] - b[i % 3][0]) <= reach && fabs(a[i / 3][1] - b[i % 3][1]) <= reach &&
            fabs(a[i / 3][2] - b[i % 3][2]) <= reach)
            return true;
    return false;
}

// Which triangles of `other` touch one of the owner's, or have a corner within reach of one of its corners.
static size_t find_meeting(const meeting *m, bool *meets)
{
    const uint32_t others = m->owner.mesh->triangle_count;
    double(*a)[3][3] = allocate_zeroed(others, sizeof *a);
    grz_box *at = allocate_zeroed(others, sizeof *at);
    size_t count = 0;
    for (uint32_t j = 0; j < others; j++) {
        grz_world_corners(m->owner.mesh, &m->owner.pose, j, a[j]);
        at[j] = grz_triangle_box((const double(*)[3])a[j]);
    }
    for (uint32_t i = 0; i < m->other.mesh->triangle_count; i++) {
        double b[3][3];
        grz_world_corners(m->other.mesh, &m->other.pose, i, b);
        grz_box box = grz_triangle_box((const double(*)[3])b);
        box = grz_box_grown(&box, m->reach);
        meets[i] = false;
        for (uint32_t j = 0; j < others && !meets[i]; j++)
            meets[i] = grz_boxes_overlap(&at[j], &box) &&
                       (grz_triangles_touch((const double(*)[3])a[j], (const double(*)[3])b) ||
                        (m->reach > 0.0 && within_reach((const double(*)[3])a[j], (const double(*)[3])b, m->reach)));
        count += meets[i];
    }
    free(a);
    free(at);
    return count;
}

// Turned, stretched and sheared; then two points of the meshes are at about the same place.
static void pose_two(random_stream *random, meeting *m)
{
    const bool same = random_below(random, 3) == 0;
    double from[3], to[3];
    grz_pose *pose[2] = {&m->owner.pose, &m->other.pose};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                pose[k]->m[i][j] = (double)(i == j) + 0.6 * random_signed(random);
    for (int i = 0; i < 3; i++)
        pose[0]->m[i][3] = m->owner.mesh->max_abs[i] * random_signed(random);
    if (same)
        *pose[1] = *pose[0];
    grz_world_position(pose[0], grz_mesh_position(m->owner.mesh, random_below(random, m->owner.mesh->vertex_count)),
                       to);
    grz_world_position(pose[1], grz_mesh_position(m->other.mesh, random_below(random, m->other.mesh->vertex_count)),
                       from);
    for (int i = 0; i < 3 && !same; i++)
        pose[1]->m[i][3] += to[i] - from[i];
}

static void check_meeting(meeting *m, int shape, int other_shape, size_t *known, size_t *met)
{
    bool *meets = allocate_zeroed(m->other.mesh->triangle_count, sizeof *meets);
    m->left = allocate_zeroed(m->other.mesh->triangle_count, sizeof *m->left);
    *met += find_meeting(m, meets);
    for (int type = 0; type < GRZ_STRUCTURES; type++) {
        if (!walk(grz_structures[type], m))
            continue;
        *known += 1;
        for (uint32_t i = 0; i < m->other.mesh->triangle_count; i++)
            if (meets[i] && !m->left[i])
                fail_msg("structure %d: shape %d misses triangle %u of shape %d, reach %g", type, shape, i, other_shape,
                         m->reach);
    }
    free(m->left);
    free(meets);
}

static void what_meets_is_left(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 1e6, 0x1p-300, 0x1p-1040, 0x1p280};
    random_stream random = random_stream_of_block(0, 2531);
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        size_t known = 0, met = 0;
        const int pairs = s == 0 ? PAIRS : (PAIRS + 2) / 3;
        for (int k = 0; k < pairs; k++) {
            const int shape = k % TEST_STRUCTURE_SHAPES, other_shape = (k / 9 + 4 * k) % TEST_STRUCTURE_SHAPES;
            test_mesh a = test_structure_shape(shape, &random), b = test_structure_shape(other_shape, &random);
            test_mesh_scale(&a, scales[s], scales[s], scales[s]);
            test_mesh_scale(&b, scales[s], scales[s], scales[s]);
            if (s == 1)
                test_mesh_move(&a, 1e13, -3e13, 2e12);
            grz_mesh *mesh_a = test_mesh_upload(test_device, &a), *mesh_b = test_mesh_upload(test_device, &b);
            meeting m = {.owner = grz_object_at_origin(mesh_a), .other = grz_object_at_origin(mesh_b)};
            m.reach = k % 4 == 0 ? scales[s] * ldexp(1.0, -(int)random_below(&random, 12)) : 0.0;
            m.nearest_first = k % 2 == 0;
            pose_two(&random, &m);
            check_meeting(&m, shape, other_shape, &known, &met);
            grz_mesh_destroy(mesh_a);
            grz_mesh_destroy(mesh_b);
            test_mesh_finish(&a);
            test_mesh_finish(&b);
        }
        printf("  size %g: %zu walks, %zu triangles meet\n", scales[s], known, met);
        assert_true(met > (size_t)pairs * 6 && known > (size_t)pairs * 3);
    }
}

// Two balls side by side, and one in the middle of another.
static void what_is_apart_costs_little(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_icosphere(1.0, 5);
    grz_mesh *mesh = test_mesh_upload(test_device, &shape);
    meeting m = {.owner = grz_object_at_origin(mesh), .other = grz_object_at_origin(mesh)};
    m.left = allocate_zeroed(mesh->triangle_count, sizeof *m.left);
    for (int type = 0; type < GRZ_STRUCTURES; type++)
        for (int inside = 0; inside < 2; inside++) {
            grz_pose *pose = &m.other.pose;
            *pose = grz_pose_identity();
            for (int i = 0; i < 3; i++) {
                pose->m[i][i] = inside ? 0.5 : 1.0;
                pose->m[i][3] = inside ? 0.0 : 1.5;
            }
            assert_true(walk(grz_structures[type], &m));
            printf("  structure %d, %s: %llu comparisons, %zu triangles left\n", type, inside ? "inside" : "beside",
                   (unsigned long long)m.steps, m.count);
            assert_true(m.count <= mesh->triangle_count / 100); // where the curve jumps, a group is large
            assert_true(m.steps < (inside ? 20000 : 400));
        }
    free(m.left);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

// Of a pose that has no inverse nothing is known.
static void a_flat_pose_is_not_walked(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_icosphere(1.0, 1);
    grz_mesh *mesh = test_mesh_upload(test_device, &shape);
    meeting m = {.owner = grz_object_at_origin(mesh), .other = grz_object_at_origin(mesh)};
    m.left = allocate_zeroed(mesh->triangle_count, sizeof *m.left);
    assert_true(walk(&grz_structure_grid, &m));
    m.owner.pose.m[1][1] = 0.0;
    assert_false(walk(&grz_structure_grid, &m));
    m.owner.pose.m[1][1] = 1.0;
    m.other.pose.m[1][1] = 0.0;
    assert_false(walk(&grz_structure_grid, &m));
    free(m.left);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

// Groups follow new positions, and can be made again after what ended early.
static void groups_follow_new_positions(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(0, 2532);
    test_mesh a = test_mesh_icosphere(1.0, 3), b = test_mesh_torus(1.0, 0.25, 30, 20);
    grz_mesh *mesh_a = test_mesh_upload(test_device, &a), *mesh_b = test_mesh_upload(test_device, &b);
    size_t known = 0, met = 0;
    for (int step = 0; step < 8; step++) {
        const bool wild = step % 4 == 3; // the order is no good any more
        meeting m = {.owner = grz_object_at_origin(mesh_a), .other = grz_object_at_origin(mesh_b)};
        grz_control control;
        grz_error error;
        void *groups;
        for (uint64_t i = 0; i < 3 * b.vertex_count; i++)
            b.positions[i] = wild ? random_signed(&random) : b.positions[i] + 0.02 * random_signed(&random);
        assert_int_equal(grz_mesh_set_positions(mesh_b, b.positions, NULL), GRZ_OK);
        for (uint64_t limit = 16; step % 2 == 1 || step == 0; limit += limit / 2) {
            grz_control_init(&control, test_allocator_of(mesh_b), NULL);
            control.limits.memory_limit = limit;
            const grz_status status = grz_mesh_slot_get(mesh_b, &grz_groups_slot_type, &control, &groups, &error);
            if (status == GRZ_OK)
                break;
            assert_int_equal(status, GRZ_ERROR_MEMORY);
        }
        check_meeting(&m, 0, 1, &known, &met);
    }
    assert_true(known == 8 * GRZ_STRUCTURES && met > 100);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_meets_is_left), cmocka_unit_test(what_is_apart_costs_little),
        cmocka_unit_test(a_flat_pose_is_not_walked), cmocka_unit_test(groups_follow_new_positions)};
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
