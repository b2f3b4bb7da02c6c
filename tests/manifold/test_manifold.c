// SPDX-License-Identifier: MIT
// grz_manifold_find(): known contacts; the largest area against all choices; depths against lines through convex
// bodies, clipped by the planes of their faces; the same bytes for any order of faces and of the bodies; bad input.
// ctest: concurrent orders_and_threads
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

static grz_manifold_answer find_with(grz_device *device, const grz_object *a, const grz_object *b,
                                     const grz_manifold_options *options)
{
    grz_manifold_answer answer;
    grz_error error;
    if (grz_manifold_find(device, a, b, options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < answer.count; i++) {
        const grz_manifold_point *p = &answer.points[i];
        const double square = p->normal[0] * p->normal[0] + p->normal[1] * p->normal[1] + p->normal[2] * p->normal[2];
        assert_true(fabs(square - 1.0) < 1e-14 && p->depth >= 0.0 && p->depth <= answer.upper);
    }
    return answer;
}

static grz_manifold_answer find(const grz_object *a, const grz_object *b)
{
    return find_with(test_device, a, b, NULL);
}

// Its `user` is the mesh, so that it can be destroyed.
static grz_object place(grz_device *device, const test_mesh *mesh)
{
    grz_mesh *made = test_mesh_upload(device, mesh);
    grz_object object = grz_object_at_origin(made);
    object.user = made;
    return object;
}

static grz_object object_of(test_mesh mesh)
{
    const grz_object object = place(test_device, &mesh);
    test_mesh_finish(&mesh);
    return object;
}

static void destroy(grz_object *object)
{
    grz_mesh_destroy(object->user);
}

static test_mesh box(double x, double y, double z, double to_x, double to_y, double to_z)
{
    return test_mesh_box((double[3]){x, y, z}, (double[3]){to_x, to_y, to_z});
}

static bool has_point(const grz_manifold_answer *m, double x, double y, double z)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const double *p = m->points[i].position;
        if (fabs(p[0] - x) < 1e-12 && fabs(p[1] - y) < 1e-12 && fabs(p[2] - z) < 1e-12)
            return true;
    }
    return false;
}

static void expect_normal(const grz_manifold_point *point, double x, double y, double z)
{
    if (fabs(point->normal[0] - x) > 1e-12 || fabs(point->normal[1] - y) > 1e-12 || fabs(point->normal[2] - z) > 1e-12)
        fail_msg("normal %g %g %g, expected %g %g %g", point->normal[0], point->normal[1], point->normal[2], x, y, z);
}

// The points, normals and depths are the same bytes.
static void expect_same(const grz_manifold_answer *x, const grz_manifold_answer *y, double sign)
{
    assert_int_equal(x->count, y->count);
    assert_true(x->depth == y->depth && x->lower == y->lower && x->upper == y->upper);
    for (uint32_t i = 0; i < x->count; i++) {
        assert_memory_equal(x->points[i].position, y->points[i].position, sizeof x->points[i].position);
        assert_true(x->points[i].depth == y->points[i].depth);
        for (int k = 0; k < 3; k++)
            assert_true(x->points[i].normal[k] == sign * y->points[i].normal[k]);
    }
}

// ---- Bodies that touch --------------------------------------------------------------------------------------------

static test_mesh floor_of(int kind)
{
    if (kind == 0)
        return box(-8, -8, -1, 8, 8, 0);
    test_mesh mesh = test_mesh_grid(kind == 1 ? 64 : 37, kind == 1 ? 64 : 41, kind == 1 ? 0.25 : 0.4375);
    test_mesh_move(&mesh, -8.0, -8.0, 0.0);
    return mesh;
}

static void a_box_on_a_floor_has_its_corners(void **state)
{
    grz_object cargo = object_of(box(-1.3, -0.7, 0, 1.1, 0.9, 2));
    (void)state;
    for (int kind = 0; kind < 3; kind++) { // two triangles, 8,192, and some whose edges are elsewhere
        grz_object ground = object_of(floor_of(kind));
        const grz_manifold_answer m = find(&cargo, &ground);
        assert_int_equal(m.count, 4);
        assert_true(m.depth == 0.0 && m.upper == 0.0 && !m.penetrating);
        assert_int_equal(m.certainty, kind == 0 ? GRZ_EXACT : GRZ_UNDECIDED);
        for (int i = 0; i < 4; i++)
            assert_true(has_point(&m, i & 1 ? 1.1 : -1.3, i & 2 ? 0.9 : -0.7, 0.0));
        for (uint32_t i = 0; i < 4; i++)
            expect_normal(&m.points[i], 0, 0, 1);
        destroy(&ground);
    }
    destroy(&cargo);
}

static void edges_and_corners(void **state)
{
    // A cube that stands on an edge, and one that stands on a corner: turned by exact steps.
    const double edge[] = {0, -1, 0, 2, -1, 2, 0, -1, 4, -2, -1, 2, 0, 1, 0, 2, 1, 2, 0, 1, 4, -2, 1, 2};
    static const uint32_t quads[] = {0, 1, 2, 3, 7, 6, 5, 4, 0, 4, 5, 1, 1, 5, 6, 2, 2, 6, 7, 3, 3, 7, 4, 0};
    grz_object ground = object_of(floor_of(1)), beam = object_of(test_mesh_make(edge, 8, quads, 6, 4));
    (void)state;
    grz_manifold_answer m = find(&beam, &ground);
    assert_int_equal(m.count, 2);
    assert_true(has_point(&m, 0, -1, 0) && has_point(&m, 0, 1, 0));
    expect_normal(&m.points[0], 0, 0, 1);
    destroy(&beam);
    const double tip[4][3] = {{1, 0, 1}, {0.1, 0.2, 0}, {0, 1, 1}, {0, 0, 1}};
    grz_object cone = object_of(test_mesh_tetrahedron(tip));
    m = find(&cone, &ground);
    assert_int_equal(m.count, 1);
    assert_true(has_point(&m, 0.1, 0.2, 0));
    expect_normal(&m.points[0], 0, 0, 1);
    destroy(&cone);
    // On a corner of the floor's triangles, and on an edge of them, the floor is as flat.
    const double on_corner[4][3] = {{1, 0, 1}, {0.25, 0.5, 0}, {0, 1, 1}, {0, 0, 1}},
                 on_edge[4][3] = {{1, 0, 1}, {0.25, 0.4, 0}, {0, 1, 1}, {0, 0, 1}};
    for (int i = 0; i < 2; i++) {
        cone = object_of(test_mesh_tetrahedron(i == 0 ? on_corner : on_edge));
        m = find(&cone, &ground);
        assert_int_equal(m.count, 1);
        expect_normal(&m.points[0], 0, 0, 1);
        destroy(&cone);
    }
    destroy(&ground);
    // Two edges across each other.
    const double roof[4][3] = {{1, 0, 0}, {-1, 0, 0}, {0, -1, -1}, {0, 1, -1}},
                 keel[4][3] = {{0, 1, 0}, {0, -1, 0}, {-1, 0, 1}, {1, 0, 1}};
    grz_object below = object_of(test_mesh_tetrahedron(roof)), above = object_of(test_mesh_tetrahedron(keel));
    m = find(&above, &below);
    assert_int_equal(m.count, 1);
    assert_true(has_point(&m, 0, 0, 0));
    expect_normal(&m.points[0], 0, 0, 1);
    destroy(&above);
    destroy(&below);
}

// Boxes whose sides are flush: no normal to the side. A box in a corner: all three normals.
static void stacks_and_corners(void **state)
{
    grz_object low = object_of(box(0, 0, 0, 2, 2, 1)), high = object_of(box(0, 0, 1, 2, 2, 3));
    (void)state;
    grz_manifold_answer m = find(&high, &low);
    assert_int_equal(m.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        expect_normal(&m.points[i], 0, 0, 1);
    for (int i = 0; i < 4; i++)
        assert_true(has_point(&m, i & 1 ? 2.0 : 0.0, i & 2 ? 2.0 : 0.0, 1.0));
    destroy(&high);
    destroy(&low);
    // Two cubes that have one edge in common: between the faces of the two.
    low = object_of(box(0, 0, 0, 1, 1, 1));
    high = object_of(box(1, 0, 1, 2, 1, 2));
    m = find(&high, &low);
    assert_int_equal(m.count, 2);
    expect_normal(&m.points[0], sqrt(0.5), 0, sqrt(0.5));
    destroy(&high);
    destroy(&low);
    test_mesh room = box(0, 0, 0, 8, 8, 8);
    test_mesh_reverse(&room);
    grz_object walls = object_of(room), cargo = object_of(box(0, 0, 0, 1, 2, 3));
    grz_manifold_options options = grz_default_manifold_options();
    options.surfaces = true; // the room is no solid
    m = find_with(test_device, &cargo, &walls, &options);
    assert_int_equal(m.count, 12);
    int seen[3] = {0, 0, 0};
    for (uint32_t i = 0; i < m.count; i++)
        for (int k = 0; k < 3; k++)
            seen[k] += m.points[i].normal[k] == 1.0 && m.points[i].position[k] == 0.0;
    assert_true(seen[0] == 4 && seen[1] == 4 && seen[2] == 4);
    destroy(&walls);
    destroy(&cargo);
}

// A prism with a random convex base: the area of its four points is the largest of all choices.
static void four_points_span_the_largest_area(void **state)
{
    random_stream random = {.state = 11};
    grz_object ground = object_of(floor_of(0));
    (void)state;
    for (int round = 0; round < 200; round++) {
        double x[24], y[24];
        uint32_t corners = 3 + random_below(&random, 14), top[24], bottom[24];
        test_mesh mesh = {.vertex_count = 0};
        double angle[24];
        for (uint32_t i = 0; i < corners; i++)
            angle[i] = (i + 0.9 * fabs(random_signed(&random))) * 6.283185307179586 / corners;
        for (uint32_t i = 0; i < corners; i++) {
            x[i] = 3.0 * cos(angle[i]);
            y[i] = cos(angle[i] + 0.5 * sin((double)round)) + sin(angle[i]);
            bottom[corners - 1 - i] = test_mesh_add_vertex(&mesh, x[i], y[i], 0.0);
        }
        for (uint32_t i = 0; i < corners; i++)
            top[i] = test_mesh_add_vertex(&mesh, x[i], y[i], 1.0);
        test_mesh_add_face(&mesh, bottom, corners);
        test_mesh_add_face(&mesh, top, corners);
        for (uint32_t i = 0; i < corners; i++) {
            const uint32_t j = (i + 1) % corners;
            test_mesh_add_face(&mesh, (uint32_t[]){i, j, corners + j, corners + i}, 4);
        }
        grz_object prism = object_of(mesh);
        const grz_manifold_answer m = find(&prism, &ground);
        assert_int_equal(m.count, corners < 4 ? corners : 4);
        double best = 0.0, got = 0.0;
        for (uint32_t i = 0; i < corners && corners >= 4; i++)
            for (uint32_t j = i + 1; j < corners; j++)
                for (uint32_t k = j + 1; k < corners; k++)
                    for (uint32_t l = k + 1; l < corners; l++)
                        best = fmax(best, fabs((x[k] - x[i]) * (y[l] - y[j]) - (y[k] - y[i]) * (x[l] - x[j])));
        for (int order = 0; order < 3 && corners >= 4; order++) { // which one is opposite to the first
            const int k = 1 + order, j = order == 0 ? 2 : 1, l = order == 2 ? 2 : 3;
            const double *p = m.points[0].position, *q = m.points[j].position, *r = m.points[k].position,
                         *s = m.points[l].position;
            got = fmax(got, fabs((r[0] - p[0]) * (s[1] - q[1]) - (r[1] - p[1]) * (s[0] - q[0])));
        }
        if (!(got >= best * (1.0 - 1e-9)))
            fail_msg("round %d, %u corners: area %.17g of %.17g", round, corners, got, best);
        destroy(&prism);
    }
    destroy(&ground);
}

// ---- Bodies that penetrate ----------------------------------------------------------------------------------------

static void a_box_sunk_into_a_floor(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        grz_object ground = object_of(floor_of(kind)), cargo = object_of(box(-1.3, -0.7, -0.25, 1.1, 0.9, 2));
        const grz_manifold_answer m = find(&cargo, &ground);
        assert_true(m.penetrating);
        assert_true(m.lower <= 0.25 && m.upper >= 0.25 && m.upper - m.lower < 1e-12);
        if (kind == 0)
            assert_true(m.depth == 0.25 && m.certainty == GRZ_EXACT);
        assert_int_equal(m.count, 4);
        for (int i = 0; i < 4; i++)
            assert_true(has_point(&m, i & 1 ? 1.1 : -1.3, i & 2 ? 0.9 : -0.7, -0.125));
        for (uint32_t i = 0; i < 4; i++) {
            expect_normal(&m.points[i], 0, 0, 1);
            assert_true(fabs(m.points[i].depth - 0.25) < 1e-14);
        }
        destroy(&ground);
        destroy(&cargo);
    }
}

// Tilted: the low edge is deep, the high one is not. Edge down: two points.
static void tilted_boxes(void **state)
{
    static const uint32_t quads[] = {0, 1, 2, 3, 7, 6, 5, 4, 0, 4, 5, 1, 1, 5, 6, 2, 2, 6, 7, 3, 3, 7, 4, 0};
    const double edge[] = {0, -1, -0.125, 2, -1, 2, 0, -1, 4, -2, -1, 2, 0, 1, -0.125, 2, 1, 2, 0, 1, 4, -2, 1, 2};
    const double tilt[] = {-1, -1, -0.25, 1, -1, -0.125, 0.875, -1, 2, -1.125, -1, 1.875,
                           -1, 1,  -0.25, 1, 1,  -0.125, 0.875, 1,  2, -1.125, 1,  1.875};
    grz_object ground = object_of(floor_of(0)), on_edge = object_of(test_mesh_make(edge, 8, quads, 6, 4)),
               tilted = object_of(test_mesh_make(tilt, 8, quads, 6, 4));
    (void)state;
    grz_manifold_answer m = find(&on_edge, &ground);
    assert_int_equal(m.count, 2);
    assert_true(m.depth == 0.125 && has_point(&m, 0, -1, -0.0625) && has_point(&m, 0, 1, -0.0625));
    m = find(&tilted, &ground);
    assert_int_equal(m.count, 4);
    assert_true(m.depth == 0.25 && has_point(&m, -1, -1, -0.125) && has_point(&m, 1, 1, -0.0625));
    for (uint32_t i = 0; i < 4; i++)
        assert_true(m.points[i].depth == (m.points[i].position[0] < 0.0 ? 0.25 : 0.125));
    destroy(&ground);
    destroy(&on_edge);
    destroy(&tilted);
}

static void beams_across_and_bodies_inside(void **state)
{
    grz_object low = object_of(box(-4, -0.5, -1, 4, 0.5, 0)), high = object_of(box(-0.5, -4, -0.25, 0.5, 4, 1));
    (void)state;
    grz_manifold_answer m = find(&high, &low);
    assert_int_equal(m.count, 4);
    assert_true(m.depth == 0.25);
    for (int i = 0; i < 4; i++)
        assert_true(has_point(&m, i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, -0.125));
    destroy(&high);
    destroy(&low);
    low = object_of(box(0, 0, 0, 8, 8, 8));
    high = object_of(box(3, 3, 6, 5, 5, 7));
    m = find(&high, &low);
    assert_true(m.penetrating && m.depth == 2.0 && m.count == 4);
    expect_normal(&m.points[0], 0, 0, 1);
    assert_true(has_point(&m, 3, 3, 7));
    const grz_manifold_options up = {.size = sizeof up, .max_points = 3, .direction = {-2, 0, 0}};
    m = find_with(test_device, &high, &low, &up);
    assert_true(m.depth == 5.0 && m.count == 3);
    expect_normal(&m.points[0], -1, 0, 0);
    destroy(&high);
    destroy(&low);
    // Two hooks: the arm of A is under the arm of B and does not touch it. They overlap elsewhere, a little.
    test_mesh b = box(0, 0, 0, 1, 4, 6);
    test_mesh_take(&b, box(1, 0, 5, 4, 4, 5.5));
    test_mesh a = box(3, 0, 2, 7, 4, 3);
    test_mesh_take(&a, box(0.5, 0, 0, 6, 4, 0.5));
    low = object_of(b);
    high = object_of(a);
    const grz_manifold_options along = {.size = sizeof along, .max_points = 4, .direction = {0, 0, 1}};
    m = find_with(test_device, &high, &low, &along);
    for (uint32_t i = 0; i < m.count; i++)
        assert_true(m.points[i].position[0] <= 1.0); // not where the arms look at each other
    destroy(&high);
    destroy(&low);
}

// The part of a line, at + s · way, in a convex mesh whose faces are wound outwards; in doubles.
static bool clip(const test_mesh *mesh, const double at[3], const double way[3], double *from, double *to)
{
    *from = -HUGE_VAL;
    *to = HUGE_VAL;
    for (uint64_t i = 0; i < mesh->face_count; i++) {
        const double *p = mesh->positions + 3 * (size_t)mesh->indices[3 * i],
                     *q = mesh->positions + 3 * (size_t)mesh->indices[3 * i + 1],
                     *r = mesh->positions + 3 * (size_t)mesh->indices[3 * i + 2];
        double n[3], above = 0.0, rate = 0.0;
        for (int k = 0; k < 3; k++) {
            const int x = (k + 1) % 3, y = (k + 2) % 3;
            n[k] = (q[x] - p[x]) * (r[y] - p[y]) - (q[y] - p[y]) * (r[x] - p[x]);
        }
        for (int k = 0; k < 3; k++) {
            above += n[k] * (at[k] - p[k]);
            rate += n[k] * way[k];
        }
        if (rate > 0.0)
            *to = fmin(*to, -above / rate);
        else if (rate < 0.0)
            *from = fmax(*from, -above / rate);
    }
    return *from <= *to + 1e-9;
}

// A convex body: a box, sheared and turned.
static test_mesh random_body(random_stream *random, double x, double y, double z)
{
    test_mesh mesh = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
    double m[3][3];
    do
        for (int i = 0; i < 9; i++)
            m[i / 3][i % 3] = random_signed(random);
    while (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0.2);
    for (uint64_t i = 0; i < mesh.vertex_count; i++) {
        double *p = mesh.positions + 3 * i, q[3];
        for (int k = 0; k < 3; k++)
            q[k] = m[k][0] * p[0] + m[k][1] * p[1] + m[k][2] * p[2];
        memcpy(p, q, sizeof q);
    }
    test_mesh_move(&mesh, x, y, z);
    return mesh;
}

static void depths_of_convex_bodies(void **state)
{
    const int rounds = TEST_SANITIZED ? 200 : 1500;
    random_stream random = {.state = 21};
    int overlaps = 0, points = 0;
    (void)state;
    for (int round = 0; round < rounds; round++) {
        test_mesh meshes[2];
        meshes[0] = random_body(&random, 0, 0, 0);
        const double x = 0.7 * random_signed(&random), y = 0.7 * random_signed(&random);
        meshes[1] = random_body(&random, x, y, 0.5);
        grz_object a = place(test_device, &meshes[0]), b = place(test_device, &meshes[1]);
        const grz_manifold_answer m = find(&a, &b);
        grz_penetration_answer along;
        grz_error error;
        double deepest = 0.0;
        if (m.penetrating) {
            overlaps++;
            assert_int_equal(grz_penetration_along(test_device, &a, &b, m.normal, NULL, &along, &error), GRZ_OK);
            assert_true(m.lower <= along.upper && along.lower <= m.upper && m.upper - m.lower < 1e-12);
            assert_true(m.count > 0);
        }
        for (uint32_t i = 0; i < m.count && m.penetrating; i++) {
            double of_a[2], of_b[2];
            const grz_manifold_point *p = &m.points[i];
            assert_true(clip(&meshes[0], p->position, p->normal, &of_a[0], &of_a[1]));
            assert_true(clip(&meshes[1], p->position, p->normal, &of_b[0], &of_b[1]));
            if (fabs((of_b[1] - of_a[0]) - p->depth) > 1e-7 || fabs(of_b[1] + of_a[0]) > 1e-7)
                fail_msg("round %d, point %u: depth %.17g, by planes %.17g, off the middle by %g", round, i, p->depth,
                         of_b[1] - of_a[0], 0.5 * (of_b[1] + of_a[0]));
            deepest = fmax(deepest, p->depth);
            points++;
        }
        if (m.penetrating && !(fabs(deepest - m.depth) < 1e-9))
            fail_msg("round %d: the deepest of %u points is %.17g, the depth %.17g", round, m.count, deepest, m.depth);
        // Exchanged and shuffled, the same bytes.
        test_mesh shuffled = test_mesh_copy(&meshes[0]);
        test_mesh_shuffle(&shuffled, &random, NULL);
        grz_object c = place(test_device, &shuffled);
        const grz_manifold_answer exchanged = find(&b, &c);
        expect_same(&m, &exchanged, -1.0);
        destroy(&a);
        destroy(&b);
        destroy(&c);
        test_mesh_finish(&meshes[0]);
        test_mesh_finish(&meshes[1]);
        test_mesh_finish(&shuffled);
    }
    if (overlaps < rounds / 2 || points < 3 * rounds / 2)
        fail_msg("%d overlaps, %d points", overlaps, points);
}

// Times a power of two, tiny and huge, the points are the same times that power, and the normals the same bytes.
static void scales(void **state)
{
    static const int powers[] = {-1000, -700, -540, -200, 200, 290};
    (void)state;
    for (int pair = 0; pair < 7; pair++) {
        grz_manifold_answer first = {.count = 0};
        for (int i = -1; i < (int)(sizeof powers / sizeof powers[0]); i++) {
            const int power = i < 0 ? 0 : powers[i];
            test_mesh meshes[2] = {pair == 0   ? box(-2, -2, -1, 2, 2, 0)
                                   : pair == 1 ? box(-8, -8, -1, 8, 8, 0)
                                   : pair == 2 ? box(-4, -0.5, -1, 4, 0.5, 0)
                                               : test_mesh_icosphere(1.0, 1),
                                   pair == 0   ? box(-1, -0.75, 0, 1, 0.875, 2)
                                   : pair == 1 ? box(-1, -0.75, -0.25, 1, 0.875, 2)
                                   : pair == 2 ? box(-0.5, -4, -0.25, 0.5, 4, 1)
                                               : test_mesh_icosphere(0.75, 1)};
            grz_object objects[2];
            if (pair > 2)
                test_mesh_move(&meshes[1], 0.5, 0.25, 1.75 - pair * 0.125);
            for (int m = 0; m < 2; m++) {
                for (uint32_t k = 0; k < 3 * meshes[m].vertex_count; k++)
                    meshes[m].positions[k] = ldexp((double)(float)meshes[m].positions[k], power);
                objects[m] = object_of(meshes[m]);
            }
            grz_manifold_answer m = find(&objects[0], &objects[1]);
            m.depth = ldexp(m.depth, -power);
            m.lower = ldexp(m.lower, -power);
            m.upper = ldexp(m.upper, -power);
            for (uint32_t k = 0; k < m.count; k++) {
                m.points[k].depth = ldexp(m.points[k].depth, -power);
                for (int axis = 0; axis < 3; axis++)
                    m.points[k].position[axis] = ldexp(m.points[k].position[axis], -power);
            }
            if (i < 0)
                first = m;
            else
                expect_same(&first, &m, 1.0);
            destroy(&objects[0]);
            destroy(&objects[1]);
        }
        assert_true(first.count > 0);
    }
}

static void orders_and_threads(void **state)
{
    random_stream random = {.state = 5};
    grz_device *threads = test_device_open(3);
    (void)state;
    for (int sunk = 0; sunk < 2; sunk++) {
        test_mesh ground = floor_of(2), ball = test_mesh_icosphere(1.0, TEST_SANITIZED ? 2 : 3);
        test_mesh_move(&ball, 0.3, 0.2, sunk ? 0.9 : 1.0 + 0x1p-30);
        if (!sunk) { // flat below, so that it stands on many faces
            for (uint64_t i = 0; i < ball.vertex_count; i++)
                ball.positions[3 * i + 2] = fmax(ball.positions[3 * i + 2], 0.125) - 0.125;
        }
        test_mesh other_ground = test_mesh_soup(&ground), other_ball = test_mesh_copy(&ball);
        test_mesh_shuffle(&other_ground, &random, NULL);
        test_mesh_shuffle(&other_ball, &random, NULL);
        grz_object a = object_of(ball), b = object_of(ground), c = place(threads, &other_ball),
                   d = place(threads, &other_ground);
        const grz_manifold_answer x = find(&a, &b), y = find_with(threads, &c, &d, NULL),
                                  z = find_with(threads, &d, &c, NULL);
        assert_true(x.count >= 4 && x.penetrating == sunk);
        expect_same(&x, &y, 1.0);
        expect_same(&x, &z, -1.0);
        grz_manifold_options naive = grz_default_manifold_options();
        naive.method = "naive";
        const grz_manifold_answer w = find_with(test_device, &a, &b, &naive);
        expect_same(&x, &w, 1.0);
        destroy(&a);
        destroy(&b);
        destroy(&c);
        destroy(&d);
        test_mesh_finish(&other_ball);
        test_mesh_finish(&other_ground);
    }
    grz_device_close(threads);
}

// ---- Bad input ----------------------------------------------------------------------------------------------------

static void expect_error(const grz_object *a, const grz_object *b, const grz_manifold_options *options,
                         grz_status status, const char *text)
{
    grz_manifold_answer answer;
    grz_error error = {.code = GRZ_OK};
    const grz_status got = grz_manifold_find(test_device, a, b, options, &answer, &error);
    if (got != status || strstr(error.message, text) == NULL)
        fail_msg("got %d, expected %d: '%s' does not have '%s'", got, status, error.message, text);
    assert_int_equal(answer.count, 0);
    assert_true(answer.upper == HUGE_VAL && answer.certainty == GRZ_UNDECIDED);
}

static void bad_input(void **state)
{
    grz_object a = object_of(box(0, 0, 0, 1, 1, 1)), b = object_of(box(0, 0, 0.5, 1, 1, 2)), wrong = a;
    grz_manifold_options options = grz_default_manifold_options();
    volatile int cancel = 1;
    grz_error error;
    (void)state;
    options.max_points = 0;
    expect_error(&a, &b, &options, GRZ_ERROR_ARGUMENT, "options.max_points is 0");
    options.max_points = 17;
    expect_error(&a, &b, &options, GRZ_ERROR_ARGUMENT, "options.max_points is 17");
    options = grz_default_manifold_options();
    options.direction[1] = (double)NAN;
    expect_error(&a, &b, &options, GRZ_ERROR_ARGUMENT, "options.direction[1]");
    options = grz_default_manifold_options();
    options.size = 8;
    expect_error(&a, &b, &options, GRZ_ERROR_ARGUMENT, "grz_manifold_options");
    options = grz_default_manifold_options();
    options.method = "slow";
    expect_error(&a, &b, &options, GRZ_ERROR_UNSUPPORTED, "slow");
    options = grz_default_manifold_options();
    options.limits.deadline = -1.0;
    expect_error(&a, &b, &options, GRZ_ERROR_ARGUMENT, "deadline");
    options.limits.deadline = 1e-12;
    expect_error(&a, &b, &options, GRZ_ERROR_DEADLINE, "");
    options = grz_default_manifold_options();
    options.limits.cancel = &cancel;
    expect_error(&a, &b, &options, GRZ_ERROR_CANCELLED, "");
    options = grz_default_manifold_options();
    options.limits.memory_limit = 1;
    expect_error(&a, &b, &options, GRZ_ERROR_MEMORY, "");
    wrong.mesh = NULL;
    expect_error(&wrong, &b, NULL, GRZ_ERROR_ARGUMENT, "A");
    wrong = a;
    memset(&wrong.pose, 0, sizeof wrong.pose);
    expect_error(&a, &wrong, NULL, GRZ_ERROR_POSE, "B");
    assert_int_equal(grz_manifold_find(test_device, &a, &b, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    grz_manifold_answer answer;
    assert_int_equal(grz_manifold_find(NULL, &a, &b, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    // Apart: no points, no error.
    wrong = a;
    wrong.pose = grz_pose_from_translation(9, 0, 0);
    answer = find(&wrong, &b);
    assert_true(answer.count == 0 && answer.depth == 0.0 && answer.certainty == GRZ_EXACT);
    destroy(&a);
    destroy(&b);
}

static void memory_that_runs_out(void **state)
{
    (void)state;
    for (int sunk = 0; sunk < 2; sunk++) {
        counting_allocator counter = {.fail_at = 0};
        grz_device *device = counting_device_open(&counter);
        test_mesh cargo = box(0.2, 0.2, sunk ? -0.25 : 0.0, 0.8, 0.8, 1), ground = box(-2, -2, -2, 2, 2, 0);
        const grz_object a = place(device, &cargo), b = place(device, &ground);
        grz_manifold_answer answer;
        grz_error error;
        int failures = 0;
        for (long i = 1; i < 2000; i++) {
            counter.calls = 0;
            counter.fail_at = i;
            const grz_status status = grz_manifold_find(device, &a, &b, NULL, &answer, &error);
            if (status == GRZ_OK)
                break;
            assert_int_equal(status, GRZ_ERROR_MEMORY);
            assert_int_equal(answer.count, 0);
            failures++;
        }
        assert_true(failures >= 8 && failures < 1999);
        assert_int_equal(answer.count, 4);
        counter.fail_at = 0;
        grz_mesh_destroy(a.user);
        grz_mesh_destroy(b.user);
        grz_device_close(device);
        assert_int_equal(counter.live, 0);
        test_mesh_finish(&cargo);
        test_mesh_finish(&ground);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_on_a_floor_has_its_corners),
        cmocka_unit_test(edges_and_corners),
        cmocka_unit_test(stacks_and_corners),
        cmocka_unit_test(four_points_span_the_largest_area),
        cmocka_unit_test(a_box_sunk_into_a_floor),
        cmocka_unit_test(tilted_boxes),
        cmocka_unit_test(beams_across_and_bodies_inside),
        cmocka_unit_test(depths_of_convex_bodies),
        cmocka_unit_test(scales),
        cmocka_unit_test(orders_and_threads),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
