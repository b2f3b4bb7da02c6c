// SPDX-License-Identifier: MIT
// The calls of <graze/hull.h>: hulls of points and of meshes, their meshes, bad input, memory that runs out; convexity:
// hulls are convex however they are cut and renumbered, and each fault is named.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "support_arrays.h"
#include "support_meshes.h"

static grz_convex_report examine(const test_mesh *mesh)
{
    grz_convex_report report;
    grz_mesh *uploaded = test_mesh_upload(test_device, mesh);
    assert_int_equal(grz_mesh_is_convex(uploaded, &report, NULL), GRZ_OK);
    grz_mesh_destroy(uploaded);
    return report;
}

static void a_hull_of_a_mesh_is_convex(void **state)
{
    (void)state;
    random_stream random = {3};
    test_mesh meshes[4] = {test_mesh_icosphere(2.0, 3), test_mesh_torus(2.0, 1.0, 17, 9),
                           test_mesh_cube(1.0, 2.0, 3.0, 2.0), test_mesh_random_triangles(&random, 200, 1.0, 5)};
    for (int i = 0; i < 4; i++) {
        grz_hull *hull, *again;
        grz_mesh *mesh = test_mesh_upload(test_device, &meshes[i]), *solid;
        grz_convex_report report;
        assert_int_equal(grz_hull_of_mesh(mesh, NULL, &hull, NULL), GRZ_OK);
        assert_int_equal(grz_hull_dimension(hull), 3);
        assert_int_equal(grz_hull_mesh(hull, &solid, NULL), GRZ_OK);
        assert_int_equal(grz_mesh_face_count(solid), grz_hull_face_count(hull));
        assert_int_equal(grz_mesh_is_convex(solid, &report, NULL), GRZ_OK);
        assert_int_equal(report.fault, GRZ_CONVEX);
        assert_string_equal(report.message, "convex");
        const grz_mesh_report checked = check_mesh(solid);
        assert_true(checked.closed && checked.manifold && checked.oriented && checked.nonplanar_faces == 0);
        // The hull of the hull.
        assert_int_equal(grz_hull_of_mesh(solid, NULL, &again, NULL), GRZ_OK);
        assert_int_equal(grz_hull_vertex_count(again), grz_hull_vertex_count(hull));
        assert_memory_equal(grz_hull_vertices(again), grz_hull_vertices(hull),
                            3 * sizeof(double) * grz_hull_vertex_count(hull));
        for (uint32_t v = 0; v < grz_hull_vertex_count(again); v++)
            assert_int_equal(grz_hull_points(again)[v], v);
        grz_hull_destroy(again);
        grz_hull_destroy(hull);
        grz_mesh_destroy(solid);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&meshes[i]);
    }
}

// A cube whose sides are grids of triangles, so that vertices lie inside edges and faces.
static test_mesh gridded_cube(int n)
{
    test_mesh cube = {.positions = NULL};
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < n * n; i++) {
                const int column = i % n, row = i / n;
                double c[4][3];
                for (int k = 0; k < 4; k++) {
                    c[k][axis] = end * n;
                    c[k][(axis + 1) % 3] = column + (k == 1 || k == 2);
                    c[k][(axis + 2) % 3] = row + (k >= 2);
                }
                for (int half = 0; half < 2; half++) {
                    const int first = half + 1, second = half + 2;
                    double t[3][3];
                    memcpy(t[0], c[0], sizeof t[0]);
                    memcpy(t[1], c[end == 1 ? first : second], sizeof t[1]);
                    memcpy(t[2], c[end == 1 ? second : first], sizeof t[2]);
                    test_mesh_add_loose_triangle(&cube, (const double(*)[3])t);
                }
            }
    return cube;
}

static void convex_meshes_may_have_flat_edges_and_be_soups(void **state)
{
    (void)state;
    random_stream random = {5};
    test_mesh cube = gridded_cube(3);
    assert_int_equal(examine(&cube).fault, GRZ_CONVEX);
    test_mesh_shuffle(&cube, &random, NULL);
    assert_int_equal(examine(&cube).fault, GRZ_CONVEX);
    test_mesh_reverse(&cube);
    grz_convex_report report = examine(&cube);
    assert_int_equal(report.fault, GRZ_CONVEX_INSIDE_OUT);
    test_mesh_finish(&cube);
}

// A double pyramid over a star with five points that winds twice: every edge is convex.
static test_mesh wound_pyramid(void)
{
    static const double ring[5][2] = {{10, 0}, {3, 10}, {-8, 6}, {-8, -6}, {3, -10}};
    test_mesh mesh = {.positions = NULL};
    for (int i = 0; i < 5; i++)
        test_mesh_add_vertex(&mesh, ring[i][0], ring[i][1], 0.0);
    test_mesh_add_vertex(&mesh, 0.0, 0.0, 5.0);
    test_mesh_add_vertex(&mesh, 0.0, 0.0, -5.0);
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t from = 2 * i % 5, to = 2 * (i + 1) % 5;
        test_mesh_add_triangle(&mesh, from, to, 5);
        test_mesh_add_triangle(&mesh, to, from, 6);
    }
    return mesh;
}

static void each_fault_is_named(void **state)
{
    (void)state;
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 2.0), other = test_mesh_cube(5.0, 0.0, 0.0, 1.0);
    assert_int_equal(examine(&cube).fault, GRZ_CONVEX);

    test_mesh mesh = test_mesh_copy(&cube);
    mesh.face_count--; // the last triangle is gone
    mesh.index_count -= 3;
    grz_convex_report report = examine(&mesh);
    assert_int_equal(report.fault, GRZ_CONVEX_OPEN);
    assert_int_equal(report.faces[1], UINT32_MAX);
    mesh.face_count++;
    mesh.index_count += 3;
    test_mesh_add_triangle(&mesh, mesh.indices[0], mesh.indices[1], mesh.indices[2]);
    assert_int_equal(examine(&mesh).fault, GRZ_CONVEX_NONMANIFOLD);
    test_mesh_finish(&mesh);

    mesh = test_mesh_copy(&cube);
    const uint32_t swap = mesh.indices[3];
    mesh.indices[3] = mesh.indices[4];
    mesh.indices[4] = swap;
    report = examine(&mesh);
    assert_int_equal(report.fault, GRZ_CONVEX_UNORIENTED);
    assert_true(report.faces[0] == 1 || report.faces[1] == 1);
    test_mesh_finish(&mesh);

    mesh = test_mesh_copy(&cube);
    test_mesh_add_triangle(&mesh, 0, 1, 1);
    report = examine(&mesh);
    assert_int_equal(report.fault, GRZ_CONVEX_DEGENERATE);
    assert_int_equal(report.faces[0], 12);
    test_mesh_finish(&mesh);

    mesh = test_mesh_copy(&cube); // one corner pulled in by the smallest step: the edges to its neighbours' diagonals
    mesh.positions[3 * 6] = nextafter(mesh.positions[3 * 6], 0.0);
    assert_int_equal(examine(&mesh).fault, GRZ_CONVEX_REFLEX);
    test_mesh_finish(&mesh);

    mesh = test_mesh_copy(&cube);
    test_mesh_append(&mesh, &other);
    report = examine(&mesh);
    assert_int_equal(report.fault, GRZ_CONVEX_SEVERAL);
    assert_int_equal(report.faces[0], 12);
    assert_string_equal(report.message, "face 12 belongs to a second surface");
    test_mesh_finish(&mesh);

    mesh = wound_pyramid();
    report = examine(&mesh);
    assert_int_equal(report.fault, GRZ_CONVEX_WOUND);
    test_mesh_finish(&mesh);

    mesh = (test_mesh){.positions = NULL}; // a triangle and its back
    for (int i = 0; i < 3; i++)
        test_mesh_add_vertex(&mesh, i, i == 1, 0.0);
    test_mesh_add_triangle(&mesh, 0, 1, 2);
    test_mesh_add_triangle(&mesh, 2, 1, 0);
    assert_int_equal(examine(&mesh).fault, GRZ_CONVEX_REFLEX);
    test_mesh_finish(&mesh);

    // An L of three cubes, as a prism: the edge in its corner.
    static const double l[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    mesh = (test_mesh){.positions = NULL};
    for (int z = 0; z < 2; z++)
        for (int i = 0; i < 6; i++)
            test_mesh_add_vertex(&mesh, l[i][0], l[i][1], z);
    test_mesh_add_face(&mesh, (const uint32_t[]){6, 7, 8, 9, 10, 11}, 6);
    test_mesh_add_face(&mesh, (const uint32_t[]){5, 4, 3, 2, 1, 0}, 6);
    for (uint32_t i = 0; i < 6; i++)
        test_mesh_add_face(&mesh, (const uint32_t[]){i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6}, 4);
    report = examine(&mesh);
    assert_int_equal(report.fault, GRZ_CONVEX_REFLEX);
    assert_true((report.vertices[0] == 3 && report.vertices[1] == 9) ||
                (report.vertices[0] == 9 && report.vertices[1] == 3));
    assert_true(report.faces[0] + report.faces[1] == 4 + 5);
    printf("%s\n", report.message);
    test_mesh_finish(&mesh);
    test_mesh_finish(&cube);
    test_mesh_finish(&other);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    double points[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    grz_hull *hull = (grz_hull *)points;
    grz_error error;
    grz_mesh *mesh;
    grz_convex_report report;
    assert_int_equal(grz_hull_of_points(NULL, points[0], 5, NULL, &hull, &error), GRZ_ERROR_ARGUMENT);
    assert_null(hull);
    assert_int_equal(grz_hull_of_points(test_device, NULL, 5, NULL, &hull, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_hull_of_points(test_device, points[0], 5, NULL, NULL, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_hull_of_points(test_device, points[0], 0, NULL, &hull, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "hull: 0 points, must be 1 to 2^30");
    static const double bad[] = {(double)NAN, HUGE_VAL, -0x1.0000001p300};
    for (int i = 0; i < 3; i++) {
        points[4][1] = bad[i];
        assert_int_equal(grz_hull_of_points(test_device, points[0], 5, NULL, &hull, &error), GRZ_ERROR_MESH);
        assert_int_equal(error.element, 4);
        assert_non_null(strstr(error.message, "hull: point 4: y is "));
    }
    grz_hull_options options = grz_default_hull_options();
    options.limits.deadline = -1.0;
    assert_int_equal(grz_hull_of_points(test_device, points[0], 4, &options, &hull, &error), GRZ_ERROR_ARGUMENT);
    const int raised = 1;
    options = grz_default_hull_options();
    options.limits.cancel = &raised;
    assert_int_equal(grz_hull_of_points(test_device, points[0], 4, &options, &hull, &error), GRZ_ERROR_CANCELLED);
    options = grz_default_hull_options();
    options.limits.memory_limit = 100;
    assert_int_equal(grz_hull_of_points(test_device, points[0], 4, &options, &hull, &error), GRZ_ERROR_MEMORY);
    assert_int_equal(grz_hull_of_mesh(NULL, NULL, &hull, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_is_convex(NULL, &report, &error), GRZ_ERROR_ARGUMENT);

    assert_int_equal(grz_hull_of_points(test_device, points[0], 2, NULL, &hull, NULL), GRZ_OK);
    assert_int_equal(grz_hull_dimension(hull), 1);
    assert_int_equal(grz_hull_face_count(hull), 0);
    assert_null(grz_hull_face(hull, 0, NULL));
    assert_int_equal(grz_hull_mesh(hull, &mesh, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "hull mesh: the hull has no faces, all its points lie on one line");
    grz_hull_destroy(hull);
    grz_hull_destroy(NULL);
    assert_int_equal(grz_hull_dimension(NULL), -1);
    assert_int_equal(grz_hull_vertex_count(NULL), 0);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    test_mesh shape = gridded_cube(2);
    grz_status status = GRZ_ERROR_MEMORY;
    long at = 0;
    while (status == GRZ_ERROR_MEMORY) {
        counting_allocator counter = {.fail_at = 0};
        grz_device *device = counting_device_open(&counter);
        grz_mesh *mesh = test_mesh_upload(device, &shape), *solid = NULL;
        grz_hull *hull;
        grz_convex_report report;
        counter.calls = 0;
        counter.fail_at = ++at;
        status = grz_hull_of_mesh(mesh, NULL, &hull, NULL);
        if (status == GRZ_OK)
            status = grz_hull_mesh(hull, &solid, NULL);
        if (status == GRZ_OK)
            status = grz_mesh_is_convex(mesh, &report, NULL);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
        grz_hull_destroy(hull);
        grz_mesh_destroy(solid);
        grz_mesh_destroy(mesh);
        grz_device_close(device);
        assert_int_equal(counter.live, 0);
    }
    assert_true(at > 30);
    test_mesh_finish(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_hull_of_a_mesh_is_convex),
                                       cmocka_unit_test(convex_meshes_may_have_flat_edges_and_be_soups),
                                       cmocka_unit_test(each_fault_is_named), cmocka_unit_test(bad_input_is_refused),
                                       cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
