// SPDX-License-Identifier: MIT
// World points seen from a posed mesh: each comes back within the slack, whatever the pose. Poses that turn, stretch,
// shear, nearly flatten the mesh to a plane or to a line, at sizes from 2^-200 to 2^200, near the origin and far away.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "filter/lookup/seen_from.h"
#include "geometry/pose.h"
#include "support_devices.h"
#include "support_meshes.h"

enum {
    POSES = 4000,
    POINTS = 8,
    KINDS = 5
};

// Rows of size 1 or so.
static void random_matrix(int kind, random_stream *random, double m[3][3])
{
    double row[3], other[3];
    for (int j = 0; j < 3; j++) {
        row[j] = random_signed(random);
        other[j] = random_signed(random);
    }
    for (int i = 0; i < 3; i++) {
        const double part = random_signed(random), along = random_signed(random);
        for (int j = 0; j < 3; j++) {
            const double free = random_signed(random);
            m[i][j] = kind <= 1   ? free
                      : kind == 2 ? part * row[j] + along * other[j] + ldexp(free, -(int)random_below(random, 38))
                                  : row[j] + ldexp(free, kind == 3 ? -19 : -10); // all rows nearly one line
        }
    }
}

static grz_pose random_pose(int kind, random_stream *random)
{
    grz_pose pose;
    double m[3][3];
    random_matrix(kind, random, m);
    const int size = kind == 1 ? (int)random_below(random, 400) - 200 : 0;
    const double far = random_below(random, 3) == 0 ? 1e6 : 1.0;
    for (int i = 0; i < 3; i++) {
        const int stretch = kind == 1 ? (int)random_below(random, 40) : 0;
        for (int j = 0; j < 3; j++)
            pose.m[i][j] = ldexp(m[i][j], size - stretch);
        pose.m[i][3] = far * ldexp(random_signed(random), size);
    }
    return pose;
}

static void every_point_comes_back_within_the_slack(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(0, 2520);
    unsigned bounded[KINDS] = {0}, beyond[KINDS] = {0}; // beyond: the inverse alone is worse than its rounding
    test_mesh shape = test_mesh_icosphere(1.0, 1);
    grz_mesh *mesh = test_mesh_upload(test_device, &shape);
    for (int k = 0; k < POSES; k++) {
        const int kind = k % KINDS;
        const grz_object object = grz_object_at(mesh, random_pose(kind, &random));
        const double reach = random_below(&random, 2) == 0 ? 0.0 : ldexp(1.0, -(int)random_below(&random, 60));
        for (int i = 0; i < POINTS; i++) {
            double world[3], largest[3], back[3];
            const double *x = grz_mesh_position(mesh, random_below(&random, mesh->vertex_count));
            grz_world_position(&object.pose, x, world);
            for (int j = 0; j < 3; j++) {
                world[j] += reach * random_signed(&random) * 0.999;
                largest[j] = fabs(world[j]);
            }
            const grz_seen_from seen = grz_seen_from_object(&object, reach, largest);
            if (!(seen.slack[0] < HUGE_VAL && seen.slack[1] < HUGE_VAL && seen.slack[2] < HUGE_VAL))
                continue;
            bounded[kind]++;
            grz_seen_from_point(&seen, world, back);
            for (int j = 0; j < 3; j++) {
                if (!(fabs(back[j] - x[j]) <= seen.slack[j]))
                    fail_msg("pose %d: coordinate %d is off by %g, the slack is %g", k, j, fabs(back[j] - x[j]),
                             seen.slack[j]);
                beyond[kind] += reach == 0.0 && fabs(back[j] - x[j]) > 0x1p-40;
            }
        }
    }
    for (int kind = 0; kind < KINDS; kind++) {
        print_message("  kind %d: %u points, %u coordinates off by more than 2^-40\n", kind, bounded[kind],
                      beyond[kind]);
        assert_true(bounded[kind] > POSES * POINTS / KINDS / 4);
    }
    assert_true(beyond[3] > 100);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

// Of a pose that has no inverse nothing is known.
static void a_flat_pose_has_no_bound(void **state)
{
    (void)state;
    const double largest[3] = {1.0, 1.0, 1.0};
    test_mesh shape = test_mesh_icosphere(1.0, 0);
    grz_mesh *mesh = test_mesh_upload(test_device, &shape);
    const grz_pose flat = {{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {1.0, 1.0, 0.0, 0.0}}};
    const grz_object object = grz_object_at(mesh, flat);
    const grz_seen_from seen = grz_seen_from_object(&object, 0.0, largest);
    for (int j = 0; j < 3; j++)
        assert_true(seen.slack[j] == HUGE_VAL); // NOLINT: it is exactly that
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_point_comes_back_within_the_slack),
                                       cmocka_unit_test(a_flat_pose_has_no_bound)};
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
