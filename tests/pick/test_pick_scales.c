// SPDX-License-Identifier: MIT
// Rays of every size against meshes of every size: the tree and every spatial structure give the bytes that all
// triangles give, for the first hit, for any and for all. Coordinates and directions go from 2^-1070 to 2^299, so that
// parameters of hits under- and overflow; rays begin inside and outside of closed surfaces, and end before and behind
// them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    MESHES = TEST_SANITIZED ? 32 : 160,
    RAYS = 24, // for each mesh
    ROOM = 700,
    METHODS = 8
};

// The first is the reference.
static const char *const methods[METHODS] = {"naive", "bvh", "grid", "octree", "kdtree", "bsp", "obbtree", "kdop"};

static double power_between(random_stream *random, int from, int to)
{
    return ldexp(1.0, from + (int)random_below(random, (uint32_t)(to - from + 1)));
}

static test_mesh random_mesh(random_stream *random)
{
    static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    switch (random_below(random, 4)) {
    case 0:
        return test_mesh_tetrahedron(corners);
    case 1:
        return test_mesh_icosphere(1.0, random_below(random, 3));
    case 2: // large triangles in several pieces of a ray: the first that is found need not be the nearest
        return test_mesh_random_triangles(random, random_below(random, 2) == 0 ? 60 : 600, 0.7, 0);
    default:
        return test_mesh_cube_quads(-0.5, -0.5, -0.5, 1.0);
    }
}

// A ray near a mesh of about size 1, then scaled: its origin and the mesh by `size`, its direction by `length`.
static grz_ray random_ray(random_stream *random, double size, double length)
{
    static const double ends[] = {-HUGE_VAL, -1.0, 0.0,      0.0,      0.0,      0.5,
                                  1.0,       4.0,  HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const uint32_t count = sizeof ends / sizeof *ends, from = random_below(random, 5);
    const double away = random_below(random, 2) == 0 ? 0.2 : 3.0; // from inside or outside
    grz_ray ray = {.from = 0.0, .to = HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        const double origin = away * random_signed(random),
                     target = random_below(random, 4) == 0 ? 0.0 : 0.4 * random_signed(random);
        ray.origin[k] = origin * size;
        ray.direction[k] = (target - origin) * length;
        if (random_below(random, 12) == 0)
            ray.direction[k] *= power_between(random, -400, 0); // nearly along a plane
    }
    if (!(fabs(ray.direction[0]) + fabs(ray.direction[1]) + fabs(ray.direction[2]) > 0.0))
        ray.direction[1] = 0x1p-1074;
    // The parameter of the target is size / length.
    ray.from = ends[from] * size / length;
    ray.to = ends[from + 1 + random_below(random, count - 1 - from)] * size / length;
    if (ray.from != ray.from || ray.from == HUGE_VAL)
        ray.from = 0.0;
    if (!(ray.to >= ray.from && ray.to > -HUGE_VAL))
        ray.to = HUGE_VAL;
    return ray;
}

static void print_ray(const grz_ray *ray)
{
    for (int k = 0; k < 3; k++)
        print_message("origin %a, direction %a\n", ray->origin[k], ray->direction[k]);
    print_message("from %a to %a\n", ray->from, ray->to);
}

static uint64_t hit_counts[2]; // rays that hit nothing, something

// Byte for byte, without what the compiler adds at the end.
static bool same_hits(const grz_ray_hit *x, const grz_ray_hit *y, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (memcmp(&x[i], &y[i], offsetof(grz_ray_hit, side) + sizeof x->side) != 0)
            return false;
    return true;
}

// All methods on one object.
static void check_rays(const grz_object *object, const grz_ray *rays)
{
    static grz_ray_hit first[METHODS][RAYS], all[METHODS][ROOM];
    static bool any[RAYS];
    grz_pick_options options = grz_default_pick_options();
    for (int m = 0; m < METHODS; m++) {
        grz_error error;
        options.method = methods[m];
        if (grz_pick(test_devices[0], grz_targets_of_objects(object, 1), rays, RAYS, &options, first[m], &error) !=
            GRZ_OK)
            fail_msg("%s", error.message);
        assert_int_equal(
            grz_pick_any(test_devices[0], grz_targets_of_objects(object, 1), rays, RAYS, &options, any, &error),
            GRZ_OK);
        for (int i = 0; i < RAYS; i++) {
            const bool hits = first[0][i].face != GRZ_NO_FACE;
            if (same_hits(&first[m][i], &first[0][i], 1) && any[i] == hits)
                continue;
            print_message("%s: face %u, all triangles: %u\n", methods[m], first[m][i].face, first[0][i].face);
            print_ray(&rays[i]);
            fail();
        }
    }
    for (int i = 0; i < RAYS; i++) {
        uint64_t found[METHODS];
        for (int m = 0; m < METHODS; m++) {
            options.method = methods[m];
            assert_int_equal(grz_pick_all(test_devices[0], grz_targets_of_objects(object, 1), &rays[i], &options,
                                          all[m], ROOM, &found[m], NULL),
                             GRZ_OK);
            assert_true(found[m] <= ROOM);
            if (found[m] == found[0] && same_hits(all[m], all[0], found[0]))
                continue;
            print_message("%s: %lu hits, all triangles: %lu\n", methods[m], (unsigned long)found[m],
                          (unsigned long)found[0]);
            print_ray(&rays[i]);
            fail();
        }
        hit_counts[found[0] > 0]++;
    }
}

static void rays_of_all_sizes_agree(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 4204);
    (void)state;
    for (int n = 0; n < MESHES; n++) {
        test_mesh mesh = random_mesh(&random);
        const double size = power_between(&random, n % 8 == 0 ? -1070 : -1000, 298);
        grz_pose pose = grz_pose_identity();
        grz_ray rays[RAYS];
        test_mesh_scale(&mesh, size, size, size);
        grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
        if (n % 3 == 1) // turned, mirrored
            for (int i = 0; i < 3; i++)
                pose.m[i][i] = 0.0, pose.m[i][(i + 1) % 3] = i == 0 ? -1.0 : 1.0;
        if (n % 3 == 2 && size < 0x1p200) { // larger or smaller in the world
            const double more = power_between(&random, size > 0x1p-900 ? -60 : 0, 60);
            for (int i = 0; i < 9; i++)
                pose.m[i / 3][i % 3] *= more;
            for (int i = 0; i < RAYS; i++)
                rays[i] = random_ray(&random, size * more, power_between(&random, -1070, 297));
        } else {
            for (int i = 0; i < RAYS; i++)
                rays[i] = random_ray(&random, size, power_between(&random, -1070, 297));
        }
        const grz_object object = grz_object_at(uploaded, pose);
        check_rays(&object, rays);
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
    print_message("%lu rays hit, %lu do not\n", (unsigned long)hit_counts[1], (unsigned long)hit_counts[0]);
    assert_true(hit_counts[1] > hit_counts[0] / 4 && hit_counts[0] > hit_counts[1] / 8);
}

// The parameter 3e-361 is below all doubles; the distance is not.
static void a_tiny_tetrahedron_is_hit_by_a_huge_direction(void **state)
{
    static const double corners[4][3] = {{0, 0, 0}, {4.1e-301, 0, 0}, {0, 4.1e-301, 0}, {0, 0, 4.1e-301}};
    const grz_ray ray = grz_ray_along((double[3]){1e-301, 1e-301, -3e-301}, (double[3]){0.0, 0.0, 1e60});
    test_mesh mesh = test_mesh_tetrahedron(corners);
    grz_mesh *uploaded = test_mesh_upload(test_devices[0], &mesh);
    const grz_object object = grz_object_at_origin(uploaded);
    grz_pick_options options = grz_default_pick_options();
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        grz_ray_hit hit, all[4];
        uint64_t found;
        options.method = methods[m];
        assert_int_equal(grz_pick(test_devices[0], grz_targets_of_objects(&object, 1), &ray, 1, &options, &hit, NULL),
                         GRZ_OK);
        if (hit.face == GRZ_NO_FACE)
            fail_msg("%s misses", methods[m]);
        assert_true(hit.t == 0.0 && hit.lower == 0.0 && hit.upper == 0x1p-1074 && hit.distance == 3e-301);
        assert_true(hit.point[0] == 1e-301 && hit.point[1] == 1e-301 && hit.point[2] == 0.0);
        assert_int_equal(
            grz_pick_all(test_devices[0], grz_targets_of_objects(&object, 1), &ray, &options, all, 4, &found, NULL),
            GRZ_OK);
        assert_int_equal(found, 2);
    }
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_of_all_sizes_agree),
        cmocka_unit_test(a_tiny_tetrahedron_is_hit_by_a_huge_direction),
    };
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
