// SPDX-License-Identifier: MIT
// Rays from exact points of a cube's own faces, and which triangles hold points of its edges. What these shortcuts get
// wrong, the classification of solids finds out in a longer way: its tests notice nothing.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/triangle/triangle.h"
#include "inside/solids/exact_ray.h"
#include "mesh/triangles.h"
#include "support_arrays.h"
#include "support_control.h"

// Which triangles have a point on an edge or inside, by doubles: the cube's coordinates are 0 and 1, and the points'
// are exact.
static uint32_t count_holders(const grz_mesh *mesh, const double point[3])
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3], areas = 0.0;
        grz_mesh_corners(mesh, t, c);
        for (int i = 0; i < 3; i++) {
            double n[3], square = 0.0;
            for (int k = 0; k < 3; k++) {
                const int x = (k + 1) % 3, y = (k + 2) % 3;
                const double *p = c[i], *q = c[(i + 1) % 3];
                n[k] = (p[x] - point[x]) * (q[y] - point[y]) - (p[y] - point[y]) * (q[x] - point[x]);
                square += n[k] * n[k];
            }
            areas += sqrt(square);
        }
        count += areas == 1.0 ? 1 : 0; // twice the triangle's area
    }
    return count;
}

static void points_on_edges_are_held(void **state)
{
    (void)state;
    grz_mesh_description d = describe_mesh(CUBE, 8, CUBE_QUADS, 6, 4);
    grz_mesh *mesh = create_mesh(&d);
    const grz_object object = grz_object_at_origin(mesh);
    const grz_bvh *bvh;
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    for (int i = 0; i < 125; i++) {
        const int cell[3] = {i % 5, i / 5 % 5, i / 25};
        const double p[3] = {0.25 * cell[0], 0.25 * cell[1], 0.25 * cell[2]};
        const grz_exact_point point = grz_exact_given(p);
        uint32_t list[16];
        assert_int_equal(grz_exact_holders(&object, bvh, &point, list, 16), count_holders(mesh, p));
    }
    grz_mesh_destroy(mesh);
}

static void rays_leave_the_face_that_they_start_from(void **state)
{
    (void)state;
    grz_mesh_description d = describe_mesh(CUBE, 8, CUBE_QUADS, 6, 4);
    grz_mesh *mesh = create_mesh(&d);
    const grz_object object = grz_object_at_origin(mesh);
    const grz_bvh *bvh;
    int rays = 0;
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3];
        int orientation;
        grz_mesh_corners(mesh, t, c);
        const int axis = grz_projection_axis((const double(*)[3])c, &orientation);
        for (int attempt = 0; attempt < GRZ_INTERIOR_ATTEMPTS; attempt++) {
            grz_exact_point point;
            grz_exact_hits hits;
            if (!grz_exact_interior_point((const double(*)[3])c, attempt, &point))
                continue;
            // Outwards there is nothing; inwards there is the opposite face.
            for (int inwards = 0; inwards < 2; inwards++, rays++) {
                const bool up = (orientation > 0) != (inwards == 1);
                assert_true(grz_exact_ray(&object, bvh, &point, axis, up, t, NULL, &hits));
                assert_false(hits.on_surface);
                assert_int_equal(hits.odd, inwards);
                assert_int_equal(hits.winding, inwards);
            }
            assert_true(grz_exact_ray(&object, bvh, &point, axis, true, UINT32_MAX, NULL, &hits));
            assert_true(hits.on_surface);
        }
    }
    assert_true(rays > 100);
    grz_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_on_edges_are_held),
        cmocka_unit_test(rays_leave_the_face_that_they_start_from),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
