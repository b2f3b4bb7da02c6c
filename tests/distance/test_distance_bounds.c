// SPDX-License-Identifier: MIT
// What the walk of grz_distance() drops nodes by: their ends along a direction, and their slabs. Neither may say more
// than the distance of the triangles below, as all pairs of these have it; and both must say something.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/distance/ends.h"
#include "ask/distance/distance_flat.h"
#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/distance/gap.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    MOST = 64 // triangles below a node that is looked at
};

typedef struct below {
    uint32_t count;
    double corners[MOST][3][3];
} below;

// False if there are too many.
static bool collect(const grz_bvh *bvh, const grz_object *object, uint32_t node, below *out)
{
    bool fits = true;
    for (int i = 0; i < GRZ_BVH_WIDTH && fits; i++) {
        const uint32_t child = bvh->nodes[node].child[i];
        if (child == GRZ_BVH_NONE)
            continue;
        if (!grz_bvh_is_triangle(child))
            fits = collect(bvh, object, child, out);
        else if (out->count < MOST)
            grz_world_corners(object->mesh, &object->pose, grz_bvh_triangle(child), out->corners[out->count++]);
        else
            fits = false;
    }
    return fits;
}

static double distance_of(const below *a, const below *b)
{
    double least = HUGE_VAL, way[3];
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            least = fmin(least, grz_triangle_gap((const double(*)[3])a->corners[i], (const double(*)[3])b->corners[j],
                                                 HUGE_VAL, way)
                                    .upper);
    return least;
}

// A sheet in waves, at a slant.
static test_mesh waves(uint32_t n, double height, double slant)
{
    test_mesh mesh = test_mesh_grid(n, n, 1.0 / n);
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        double *p = mesh.positions + 3 * (size_t)i;
        p[2] = height * sin(5.0 * p[0]) * cos(4.0 * p[1]) + slant * (p[0] + p[1]);
    }
    return mesh;
}

static void expect_bounds(const grz_object *a, const grz_object *b, grz_control *control, uint32_t *told)
{
    const grz_bvh *bvhs[2];
    grz_distance_frames frames;
    grz_distance_reach reach;
    grz_flat flat;
    double way[3] = {b->pose.m[0][3] - a->pose.m[0][3], b->pose.m[1][3] - a->pose.m[1][3],
                     b->pose.m[2][3] - a->pose.m[2][3]};
    assert_int_equal(grz_mesh_bvh(a->mesh, control, &bvhs[0], NULL), GRZ_OK);
    assert_int_equal(grz_mesh_bvh(b->mesh, control, &bvhs[1], NULL), GRZ_OK);
    grz_bvh_count_openings(bvhs[0], 1u << 30);
    grz_bvh_count_openings(bvhs[1], 1u << 30);
    grz_distance_frames_set(&frames, bvhs[0], a, bvhs[1], b);
    grz_flat_set(&flat, &frames);
    grz_flat_take(&flat, &frames, control);
    assert_true(flat.slabs[0] != NULL && flat.slabs[1] != NULL);
    assert_true(grz_distance_reach_init(&reach, &frames, GRZ_SIMD_BASE, grz_control_allocator(control)));
    assert_true(grz_make_unit(way));
    grz_distance_frames_look(&frames, way);
    for (uint32_t i = 0; i < bvhs[0]->node_count; i++)
        for (uint32_t j = 0; j < bvhs[1]->node_count; j++) {
            static below of_a, of_b;
            of_a.count = of_b.count = 0;
            if (!collect(bvhs[0], a, i, &of_a) || !collect(bvhs[1], b, j, &of_b))
                continue;
            const double distance = distance_of(&of_a, &of_b);
            const float gaps[3] = {
                grz_flat_gap(&flat, i, j),
                -(grz_distance_reach_of(&reach, 0, i)->most + grz_distance_reach_of(&reach, 1, j)->most),
                -(grz_distance_reach_refined(&reach, 0, i) + grz_distance_reach_refined(&reach, 1, j))};
            assert_true(gaps[2] >= gaps[1]);
            for (int k = 0; k < 3; k++) {
                const double lower = gaps[k] > 0.0f ? grz_distance_lower(&frames, gaps[k] * gaps[k]) : 0.0;
                if (lower > distance)
                    fail_msg("nodes %u and %u: bound %d is %.17g, the distance %.17g", i, j, k, lower, distance);
                told[k] += lower > 0.9 * distance;
            }
        }
    grz_distance_reach_finish(&reach, grz_control_allocator(control));
}

static void bounds_hold(void **state)
{
    grz_device *device = NULL;
    grz_control control;
    random_stream random = {.state = 77};
    uint32_t told[3] = {0};
    (void)state;
    assert_int_equal(grz_device_open(NULL, &device, NULL), GRZ_OK);
    grz_control_init(&control, grz_device_allocator(device), NULL);
    for (int round = 0; round < (TEST_SANITIZED ? 12 : 60); round++) {
        const double height = 0.05 * random_signed(&random), slant = 2.0 * random_signed(&random),
                     size = ldexp(1.0, (int)random_below(&random, 60) - 30);
        test_mesh meshes[2] = {waves(16, height, slant), waves(14, height, slant)};
        double q[4], t[3];
        grz_pose pose;
        for (int k = 0; k < 4; k++)
            q[k] = random_signed(&random);
        for (int k = 0; k < 3; k++)
            t[k] = size * (round % 3 == 0 ? 1000.0 : 1.0) * random_signed(&random);
        assert_int_equal(grz_pose_from_quaternion(t, q, &pose, NULL), GRZ_OK);
        for (int i = 0; i < 9; i++)
            pose.m[i / 3][i % 3] *= size;
        grz_object objects[2];
        for (int i = 0; i < 2; i++) {
            objects[i] = grz_object_at(test_mesh_upload(device, &meshes[i]), pose);
            for (int k = 0; k < 3 && i == 1; k++) // above the other, by a hundredth to a tenth
                objects[i].pose.m[k][3] += pose.m[k][2] * 0.01 * (1 + random_below(&random, 10));
        }
        expect_bounds(&objects[0], &objects[1], &control, told);
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy((grz_mesh *)objects[i].mesh);
            test_mesh_finish(&meshes[i]);
        }
    }
    print_message("bounds within a tenth of the distance: %u by slabs, %u by ends, %u by ends of grandchildren\n",
                  told[0], told[1], told[2]);
    for (int k = 0; k < 3; k++)
        assert_true(told[k] > 1000);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
