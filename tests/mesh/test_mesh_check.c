// SPDX-License-Identifier: MIT
// grz_mesh_check() and grz_mesh_topology() on meshes whose counts are worked out by hand, and their time for a million
// triangles.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "mesh/mesh.h"
#include "support_arrays.h"
#include "support_control.h"
#include "support_sanitizer.h"

// The report, after checking that the topology agrees with it.
static grz_mesh_report check_described(const grz_mesh_description *d)
{
    grz_mesh *mesh = create_mesh(d);
    grz_mesh_report report = check_mesh(mesh);
    const grz_topology *topology;
    assert_int_equal(test_mesh_topology(mesh, &topology, NULL), GRZ_OK);
    assert_int_equal(topology->component_count, report.components);
    assert_int_equal(topology->closed, report.closed);
    if (report.degenerate_faces == 0) // the topology is that of triangles
        assert_int_equal(topology->balanced, report.balanced);
    grz_mesh_destroy(mesh);
    return report;
}

static void a_cube_of_quads_is_closed_and_manifold(void **state)
{
    (void)state;
    grz_mesh_description d = describe_mesh(CUBE, 8, CUBE_QUADS, 6, 4);
    grz_mesh_report r = check_described(&d);
    assert_int_equal(r.vertices, 8);
    assert_int_equal(r.faces, 6);
    assert_int_equal(r.triangles, 12);
    assert_int_equal(r.components, 1);
    assert_true(r.closed && r.manifold && r.oriented);
    assert_int_equal(r.boundary_edges + r.nonmanifold_edges + r.degenerate_faces + r.duplicate_faces, 0);
    assert_int_equal(r.duplicate_vertices + r.unused_vertices + r.nonplanar_faces + r.nonsimple_faces, 0);
    for (int axis = 0; axis < 3; axis++)
        assert_true(r.min[axis] == 0.0 && r.max[axis] == 1.0);
    assert_true(r.first_degenerate_face == GRZ_NO_ELEMENT && r.first_duplicate_face == GRZ_NO_ELEMENT);
    assert_true(r.first_duplicate_vertex == GRZ_NO_ELEMENT && r.first_unused_vertex == GRZ_NO_ELEMENT);
    assert_true(r.first_nonplanar_face == GRZ_NO_ELEMENT && r.first_nonsimple_face == GRZ_NO_ELEMENT);
}

static void a_soup_of_a_cube_is_closed_like_the_cube(void **state)
{
    (void)state;
    double positions[72];
    for (size_t i = 0; i < 24; i++)
        memcpy(positions + 3 * i, CUBE + 3 * (size_t)CUBE_QUADS[i], 3 * sizeof *positions);
    grz_mesh_description d = describe_mesh(positions, 24, NULL, 6, 4);
    grz_mesh_report r = check_described(&d);
    assert_true(r.closed && r.manifold && r.oriented);
    assert_int_equal(r.components, 1);
    assert_int_equal(r.duplicate_vertices, 16);
}

static void an_open_box_has_four_boundary_edges(void **state)
{
    (void)state;
    grz_mesh_description d = describe_mesh(CUBE, 8, CUBE_QUADS, 5, 4);
    grz_mesh_report r = check_described(&d);
    assert_true(!r.closed && r.manifold && r.oriented);
    assert_int_equal(r.boundary_edges, 4);
}

static void a_moebius_strip_is_manifold_and_not_oriented(void **state)
{
    (void)state;
    enum {
        SEGMENTS = 12
    };
    const size_t vertices = 2 * (size_t)SEGMENTS;
    double positions[6 * SEGMENTS];
    uint32_t quads[4 * SEGMENTS];
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        double angle = 2.0 * 3.14159265358979323846 * i / SEGMENTS;
        for (uint32_t side = 0; side < 2; side++) {
            double *p = positions + 6 * (size_t)i + 3 * (size_t)side, offset = side ? 0.3 : -0.3;
            p[0] = (1.0 + offset * cos(angle / 2.0)) * cos(angle);
            p[1] = (1.0 + offset * cos(angle / 2.0)) * sin(angle);
            p[2] = offset * sin(angle / 2.0);
        }
        uint32_t next = (i + 1) % SEGMENTS, flip = i + 1 == SEGMENTS;
        const uint32_t quad[4] = {2 * i, 2 * next + flip, 2 * next + 1 - flip, 2 * i + 1};
        memcpy(quads + 4 * (size_t)i, quad, sizeof quad);
    }
    grz_mesh_description d = describe_mesh(positions, vertices, quads, SEGMENTS, 4);
    grz_mesh_report r = check_described(&d);
    assert_true(!r.closed && r.manifold && !r.oriented);
    assert_int_equal(r.boundary_edges, 2 * SEGMENTS);
    assert_int_equal(r.components, 1);
}

static void cubes_that_share_an_edge_share_a_nonmanifold_one(void **state)
{
    (void)state;
    double positions[48];
    uint32_t quads[48];
    for (int i = 0; i < 24; i++) {
        positions[i] = CUBE[i];
        positions[24 + i] =
            CUBE[i] + (i % 3 < 2 ? 1.0 : 0.0); // moved by (1, 1, 0): the edge from (1,1,0) to (1,1,1) is common
        quads[i] = CUBE_QUADS[i];
        quads[24 + i] = CUBE_QUADS[i] + 8;
    }
    grz_mesh_description d = describe_mesh(positions, 16, quads, 12, 4);
    grz_mesh_report r = check_described(&d);
    assert_true(r.closed && !r.manifold && r.oriented);
    assert_int_equal(r.nonmanifold_edges, 1);
    assert_int_equal(r.duplicate_vertices, 2);
    assert_int_equal(r.components, 1);
    for (int i = 24; i < 48; i++)
        positions[i] += 1.0; // apart
    r = check_described(&d);
    assert_true(r.closed && r.manifold && r.oriented);
    assert_int_equal(r.components, 2);
}

static void faces_that_meet_in_a_vertex_only_are_no_fan(void **state)
{
    (void)state;
    const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0};
    const uint32_t bow_tie[] = {0, 1, 2, 0, 3, 4};
    grz_mesh_description d = describe_mesh(positions, 5, bow_tie, 2, 3);
    grz_mesh_report r = check_described(&d);
    assert_true(!r.manifold && r.oriented && !r.closed);
    assert_int_equal(r.nonmanifold_edges, 0);
    assert_int_equal(r.boundary_edges, 6);
    assert_int_equal(r.components, 1);

    // Two tetrahedra that share a corner: closed, every edge on two sides, and yet not manifold.
    const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1};
    const uint32_t tetrahedra[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 4, 5, 0, 6, 4, 0, 5, 6, 4, 6, 5};
    d = describe_mesh(corners, 7, tetrahedra, 8, 3);
    r = check_described(&d);
    assert_true(r.closed && !r.manifold && r.oriented);
    assert_int_equal(r.nonmanifold_edges, 0);
    assert_int_equal(r.components, 1);
}

static void duplicate_faces_are_found_in_any_order_of_corners(void **state)
{
    (void)state;
    const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -0.0, 1, 0};
    // Rotated, reversed, by an equal position, and one that shares two corners only.
    const uint32_t triangles[] = {0, 1, 2, 1, 2, 0, 2, 1, 0, 0, 1, 4, 0, 1, 3};
    grz_mesh_description d = describe_mesh(positions, 5, triangles, 5, 3);
    grz_mesh_report r = check_described(&d);
    assert_int_equal(r.duplicate_faces, 3);
    assert_int_equal(r.first_duplicate_face, 1);
    assert_int_equal(r.nonmanifold_edges, 3); // 0-1 on five sides, 1-2 and 2-0 on four
    const uint32_t quads[] = {0, 1, 2, 3, 3, 2, 1, 0, 0, 2, 1, 3};
    d = describe_mesh(positions, 5, quads, 3, 4);
    r = check_described(&d);
    assert_int_equal(r.duplicate_faces, 2);
    assert_int_equal(r.first_unused_vertex, 4);
}

static void degenerate_faces_are_found_exactly(void **state)
{
    (void)state;
    const double third = 1.0 / 3.0;
    // Collinear except for the last bit; exactly collinear; two corners equal by position; all equal; tiny but not
    // degenerate.
    const double positions[] = {0,           0,           0,
                                third,       third,       third,
                                2.0 * third, 2.0 * third, nextafter(2.0 * third, 1.0),
                                2.0 * third, 2.0 * third, 2.0 * third,
                                -0.0,        0,           -0.0,
                                0x1p-1074,   0,           0,
                                0,           0x1p-1074,   0};
    const uint32_t triangles[] = {0, 1, 2, 0, 1, 3, 0, 4, 1, 0, 4, 0, 0, 5, 6};
    grz_mesh_description d = describe_mesh(positions, 7, triangles, 5, 3);
    grz_mesh_report r = check_described(&d);
    assert_int_equal(r.degenerate_faces, 3);
    assert_int_equal(r.first_degenerate_face, 1);
    assert_int_equal(r.duplicate_vertices, 1);

    // A mesh that is only a point has no edges, and one component.
    const uint32_t point[] = {0, 4, 0};
    d = describe_mesh(positions, 7, point, 1, 3);
    r = check_described(&d);
    assert_int_equal(r.boundary_edges, 0);
    assert_int_equal(r.components, 1);
    assert_true(r.closed);
}

static void polygons_that_are_not_flat_or_not_simple_are_listed(void **state)
{
    (void)state;
    // A quad that is flat except for the last bit of a corner; an exactly flat one whose first corners are collinear; a
    // pentagram.
    const double positions[] = {0,  0,   0, 2, 0, 2, 2,   2,  4, 0,  2,  nextafter(2.0, 3.0), // 0 to 3
                                0,  0,   0, 1, 1, 1, 2,   2,  2, 0,  5,  3,                   // 4 to 7
                                0,  -10, 0, 6, 8, 0, -10, -3, 0, 10, -3, 0,
                                -6, 8,   0}; // 8 to 12
    const uint32_t indices[] = {4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12}, counts[] = {4, 4, 5};
    grz_mesh_description d = describe_mesh(positions, 13, indices, 3, 3);
    d.corner_counts = counts;
    d.index_count = 13;
    grz_mesh_report r = check_described(&d);
    assert_int_equal(r.nonplanar_faces, 1);
    assert_int_equal(r.first_nonplanar_face, 1);
    assert_int_equal(r.nonsimple_faces, 1);
    assert_int_equal(r.first_nonsimple_face, 2);
    assert_int_equal(r.degenerate_faces, 0);
}

static void a_bridged_hole_closes_a_solid(void **state)
{
    (void)state;
    // A square annulus whose hole is bridged from corner 0 to corner 4: the bridge is an edge on two sides of one face.
    const double positions[] = {0, 0, 0, 9, 0, 0, 9, 9, 0, 0, 9, 0, 3, 3, 0, 3, 6, 0, 6, 6, 0, 6, 3, 0};
    const uint32_t ring[] = {0, 1, 2, 3, 0, 4, 5, 6, 7, 4};
    grz_mesh_description d = describe_mesh(positions, 8, ring, 1, 10);
    grz_mesh_report r = check_described(&d);
    assert_int_equal(r.boundary_edges, 8);
    assert_int_equal(r.nonsimple_faces, 0);
    assert_int_equal(r.degenerate_faces, 0);
    assert_true(r.manifold && r.oriented);
}

static void topology_numbers_components_and_follows_positions(void **state)
{
    (void)state;
    double positions[27] = {5, 5, 5, 9, 0, 0, 9, 1, 0, 9, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 0, 0, 9, 4, 4};
    const uint32_t triangles[] = {4, 5, 6, 1, 2, 3, 7, 8, 3};
    grz_mesh_description d = describe_mesh(positions, 9, triangles, 3, 3);
    grz_mesh *mesh = create_mesh(&d);
    const grz_topology *t;
    assert_int_equal(test_mesh_topology(mesh, &t, NULL), GRZ_OK);
    assert_int_equal(t->component_count, 2);
    assert_int_equal(t->component_vertex[0], 1);
    assert_int_equal(t->component_vertex[1], 4);
    assert_int_equal(t->triangle_component[0], 1);
    assert_int_equal(t->triangle_component[1], 0);
    assert_int_equal(t->triangle_component[2], 0);
    assert_false(t->closed);
    const grz_topology *again;
    assert_int_equal(test_mesh_topology(mesh, &again, NULL), GRZ_OK);
    assert_ptr_equal(t, again);
    for (int i = 0; i < 27; i++)
        positions[i] = 0.0;
    assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
    assert_int_equal(test_mesh_topology(mesh, &t, NULL), GRZ_OK);
    assert_int_equal(t->component_count, 1);
    assert_true(t->closed); // three points on one another have no edges
    grz_mesh_destroy(mesh);
}

static void a_million_triangles_take_little_time(void **state)
{
    (void)state;
    const uint32_t around = 1000, across = 500;
    const size_t quads = (size_t)around * across;
    double *positions = allocate_zeroed(3 * quads, sizeof *positions),
           *soup = allocate_zeroed(18 * quads, sizeof *soup);
    uint32_t *indices = allocate_zeroed(6 * quads, sizeof *indices);
    for (int kind = 0; kind < 3; kind++) {
        static const char *const names[3] = {"triangles", "quads", "soup"};
        make_torus(around, across, kind != 1, positions, indices);
        grz_mesh_description d =
            describe_mesh(positions, quads, indices, kind == 1 ? quads : 2 * quads, kind == 1 ? 4 : 3);
        if (kind == 2) {
            for (size_t i = 0; i < 6 * quads; i++)
                memcpy(soup + 3 * i, positions + 3 * (size_t)indices[i], 3 * sizeof *soup);
            d = describe_mesh(soup, 6 * quads, NULL, 2 * quads, 3);
        }
        double start = grz_clock_seconds();
        grz_mesh *mesh = create_mesh(&d);
        double created = grz_clock_seconds();
        grz_mesh_report r = check_mesh(mesh);
        double checked = grz_clock_seconds();
        assert_int_equal(grz_mesh_set_positions(mesh, d.positions, NULL), GRZ_OK);
        double set = grz_clock_seconds();
        (void)check_mesh(mesh);
        double again = grz_clock_seconds();
        const grz_topology *topology;
        assert_int_equal(test_mesh_topology(mesh, &topology, NULL), GRZ_OK);
        double derived = grz_clock_seconds();
        print_message("%-10s create %6.1f ms, check %6.1f ms, set positions %5.1f ms, check after that %6.1f ms, "
                      "topology %6.1f ms\n",
                      names[kind], (created - start) * 1e3, (checked - created) * 1e3, (set - checked) * 1e3,
                      (again - set) * 1e3, (derived - again) * 1e3);
        assert_true(derived - start < (TEST_SANITIZED ? 60.0 : 10.0));
        assert_true(r.closed && r.manifold && r.oriented && topology->closed);
        assert_int_equal(r.components, 1);
        assert_int_equal(r.degenerate_faces + r.duplicate_faces + r.nonsimple_faces, 0);
        assert_int_equal(r.duplicate_vertices, kind == 2 ? 5 * quads : 0);
        grz_mesh_destroy(mesh);
    }
    free(positions);
    free(soup);
    free(indices);
}

// A fan of many triangles around one vertex, and as many vertices at one position: the time of neither may be
// quadratic.
static void a_vertex_of_many_triangles_takes_no_longer(void **state)
{
    (void)state;
    const uint32_t rim = 300000;
    double *positions = allocate_zeroed(3 * ((size_t)rim + 1), sizeof *positions);
    uint32_t *indices = allocate_zeroed(3 * (size_t)rim, sizeof *indices);
    for (uint32_t i = 0; i < rim; i++) {
        double *p = positions + 3 * ((size_t)i + 1);
        p[0] = cos(i * 2e-5);
        p[1] = sin(i * 2e-5);
        p[2] = 1.0;
        const uint32_t triangle[3] = {0, i + 1, (i + 1) % rim + 1};
        memcpy(indices + 3 * (size_t)i, triangle, sizeof triangle);
    }
    grz_mesh_description d = describe_mesh(positions, rim + 1, indices, rim, 3);
    grz_mesh_report r = check_described(&d);
    assert_int_equal(r.boundary_edges, rim);
    assert_true(r.manifold && r.oriented);
    for (size_t i = 0; i < 3 * ((size_t)rim + 1); i++)
        positions[i] = 7.0;
    double start = grz_clock_seconds();
    r = check_described(&d);
    const double took = grz_clock_seconds() - start;
    print_message("%u triangles at one point: %.1f ms\n", rim, took * 1e3);
    assert_true(took < (TEST_SANITIZED ? 60.0 : 10.0));
    assert_int_equal(r.duplicate_vertices, rim);
    assert_int_equal(r.degenerate_faces, rim);
    assert_int_equal(r.duplicate_faces, rim - 1);
    free(positions);
    free(indices);
}

// Manifold by their edges: a pillow of two triangles back to back, and a surface made of a pentagon, the pentagram on
// its corners and one face of ten corners, where four corners meet in turn at each of the five vertices.
static void doubled_faces_are_found_where_every_vertex_is_manifold(void **state)
{
    (void)state;
    const double positions[15] = {0, 0, 0, 4, 0, 0, 5, 3, 0, 2, 5, 0, -1, 3, 0};
    const uint32_t pillow[6] = {0, 1, 2, 0, 2, 1}, sizes[3] = {5, 5, 10};
    const uint32_t faces[20] = {0, 1, 2, 3, 4, 0, 2, 4, 1, 3, 1, 0, 3, 2, 0, 4, 2, 1, 4, 3};
    grz_mesh_description d = describe_mesh(positions, 3, pillow, 2, 3);
    grz_mesh_report r = check_described(&d);
    assert_true(r.closed && r.manifold && r.oriented);
    assert_int_equal(r.duplicate_faces, 1);
    d = describe_mesh(positions, 5, faces, 3, 3);
    d.corner_counts = sizes;
    d.index_count = 20;
    r = check_described(&d);
    assert_true(r.closed && r.manifold && r.oriented);
    assert_int_equal(r.duplicate_faces, 1);
    assert_int_equal(r.first_duplicate_face, 1);
}

// Two apexes over a rim: the lower-numbered one has the whole rim in its list of edges, twice. Without any one face the
// surface is open.
static void a_spindle_is_closed_until_a_face_is_missing(void **state)
{
    (void)state;
    enum {
        MOST = 70
    };
    double positions[3 * (MOST + 2)];
    uint32_t indices[6 * MOST], present[6 * MOST];
    for (uint32_t rim = 3; rim <= MOST; rim++) { // lists of up to 32 numbers use another algorithm than longer ones
        const double apexes[6] = {0, 0, 1, 0, 0, -1};
        memcpy(positions, apexes, sizeof apexes);
        for (uint32_t i = 0; i < rim; i++) {
            const double point[3] = {cos(i * 6.25 / rim), sin(i * 6.25 / rim), 0};
            const uint32_t here = i + 2, next = (i + 1) % rim + 2, pair[6] = {0, here, next, 1, next, here};
            memcpy(positions + 3 * (size_t)here, point, sizeof point);
            memcpy(indices + 6 * (size_t)i, pair, sizeof pair);
        }
        grz_mesh_description d = describe_mesh(positions, rim + 2, indices, 2 * (size_t)rim, 3);
        assert_true(check_described(&d).closed);
        const size_t missing = (size_t)rim * 7 % (2 * (size_t)rim);
        memcpy(present, indices, 3 * missing * sizeof *present);
        memcpy(present + 3 * missing, indices + 3 * (missing + 1),
               3 * (2 * (size_t)rim - missing - 1) * sizeof *present);
        d = describe_mesh(positions, rim + 2, present, 2 * (size_t)rim - 1, 3);
        assert_false(check_described(&d).closed);
    }
}

// Four faces that run through one edge the same way: of two faces there is no edge, so nothing is against `oriented`.
static void a_book_is_oriented_and_not_balanced(void **state)
{
    (void)state;
    const double points[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0};
    const uint32_t pages[] = {0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 1, 5};
    grz_mesh_description d = describe_mesh(points, 6, pages, 4, 3);
    grz_mesh_report r = check_described(&d);
    assert_true(!r.closed && !r.manifold && r.oriented && !r.balanced);
    assert_int_equal(r.nonmanifold_edges, 1);
    assert_int_equal(r.boundary_edges, 8);
}

// Cones over one triangle: two of them, and two turned over, run through its sides as often in both directions.
static void cones_on_a_ring_are_balanced_if_half_are_turned_over(void **state)
{
    (void)state;
    double points[21] = {1, 0, 0, -1, 1, 0, -1, -1, 0};
    uint32_t faces[36];
    for (int turned = 0; turned <= 4; turned++) {
        for (uint32_t i = 0; i < 12; i++) {
            const uint32_t cone = i / 3, from = i % 3, to = (i + 1) % 3;
            const bool over = (int)cone < turned;
            points[3 * (3 + cone) + 2] = 1.0 + cone;
            memcpy(faces + 3 * (size_t)i, (uint32_t[3]){over ? to : from, over ? from : to, 3 + cone},
                   3 * sizeof *faces);
        }
        grz_mesh_description d = describe_mesh(points, 7, faces, 12, 3);
        grz_mesh_report r = check_described(&d);
        assert_true(r.closed && !r.manifold && r.oriented);
        assert_int_equal(r.balanced, turned == 2);
        assert_int_equal(r.nonmanifold_edges, 3);
    }
}

// Corners at one place are one corner; a face with all of them there is no face.
static void faces_whose_corners_coincide_are_ignored(void **state)
{
    (void)state;
    uint32_t faces[12 + 12];
    const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    memcpy(faces, tetrahedron, sizeof tetrahedron);
    for (uint32_t i = 12; i < 24; i++)
        faces[i] = 3;
    grz_mesh_description d = describe_mesh(corners, 4, faces, 8, 3);
    grz_mesh_report r = check_described(&d);
    assert_true(r.closed && r.manifold && r.oriented && r.balanced);
    assert_int_equal(r.degenerate_faces, 4);
    assert_int_equal(r.boundary_edges + r.nonmanifold_edges, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_of_quads_is_closed_and_manifold),
        cmocka_unit_test(a_soup_of_a_cube_is_closed_like_the_cube),
        cmocka_unit_test(an_open_box_has_four_boundary_edges),
        cmocka_unit_test(a_moebius_strip_is_manifold_and_not_oriented),
        cmocka_unit_test(a_book_is_oriented_and_not_balanced),
        cmocka_unit_test(cones_on_a_ring_are_balanced_if_half_are_turned_over),
        cmocka_unit_test(faces_whose_corners_coincide_are_ignored),
        cmocka_unit_test(cubes_that_share_an_edge_share_a_nonmanifold_one),
        cmocka_unit_test(faces_that_meet_in_a_vertex_only_are_no_fan),
        cmocka_unit_test(duplicate_faces_are_found_in_any_order_of_corners),
        cmocka_unit_test(degenerate_faces_are_found_exactly),
        cmocka_unit_test(polygons_that_are_not_flat_or_not_simple_are_listed),
        cmocka_unit_test(a_bridged_hole_closes_a_solid),
        cmocka_unit_test(topology_numbers_components_and_follows_positions),
        cmocka_unit_test(a_million_triangles_take_little_time),
        cmocka_unit_test(a_vertex_of_many_triangles_takes_no_longer),
        cmocka_unit_test(doubled_faces_are_found_where_every_vertex_is_manifold),
        cmocka_unit_test(a_spindle_is_closed_until_a_face_is_missing),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
