// SPDX-License-Identifier: MIT
// Leaf boxes (mesh/leaves/): every face is in one leaf, no leaf has too many, boxes fit by brute force, before and
// after new positions and with every SIMD width. Groups of faces that fall apart become two leaves.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/control.h"
#include "mesh/leaves/leaf_boxes.h"
#include "support_arrays.h"
#include "support_meshes.h"

static grz_leaf_boxes build(const grz_mesh *mesh, uint32_t max_faces)
{
    grz_leaf_boxes leaves;
    grz_control control;
    grz_error error;
    grz_control_init(&control, mesh->allocator, NULL);
    if (grz_leaf_boxes_build(&leaves, mesh, max_faces, &control, &error) != GRZ_OK)
        fail_msg("leaves of %u faces: %s", max_faces, error.message);
    return leaves;
}

// The box of some faces, one corner after the other.
static grz_box box_of_faces(const grz_mesh *mesh, const uint32_t *faces, uint32_t count)
{
    grz_box box = grz_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        uint32_t corner_count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, faces[i], &corner_count);
        for (uint32_t k = 0; k < corner_count; k++)
            grz_box_add_point(&box, grz_mesh_position(mesh, corners[k]));
    }
    return box;
}

static bool same_box(const grz_box *a, const grz_box *b)
{
    for (int j = 0; j < 3; j++)
        if (a->min[j] != b->min[j] || a->max[j] != b->max[j])
            return false;
    return true;
}

static void expect_boxes(const char *what, const grz_mesh *mesh, const grz_leaf_boxes *leaves)
{
    grz_box whole = grz_box_empty();
    for (uint32_t k = 0; k < leaves->leaf_count; k++) {
        const grz_leaf *leaf = &leaves->leaves.items[k];
        const grz_box box = box_of_faces(mesh, leaves->faces + leaf->first_face, leaf[1].first_face - leaf->first_face);
        if (!same_box(&box, &leaves->boxes[k]))
            fail_msg("%s: the box of leaf %u does not fit its faces", what, k);
        grz_box_add_box(&whole, &box);
    }
    if (!same_box(&whole, &leaves->whole))
        fail_msg("%s: the box of all leaves is not that of the leaves", what);
}

// The numbers from first_run on are consecutive, and no more of them are.
static void expect_run(const char *what, const grz_leaf_boxes *leaves, uint32_t k)
{
    const grz_leaf *leaf = &leaves->leaves.items[k];
    const uint32_t *vertices = leaves->vertices, run = leaf->first_run;
    assert_in_range(run, leaf->first_vertex, leaf[1].first_vertex - 1);
    for (uint32_t v = run + 1; v < leaf[1].first_vertex; v++)
        if (vertices[v] != vertices[v - 1] + 1)
            fail_msg("%s: the run of leaf %u has a gap", what, k);
    if (run > leaf->first_vertex && vertices[run] == vertices[run - 1] + 1)
        fail_msg("%s: the run of leaf %u begins earlier", what, k);
}

// Every leaf's lists: faces and triangles each once, the triangles of the faces, the vertices of the triangles.
static void expect_lists(const char *what, const grz_mesh *mesh, const grz_leaf_boxes *leaves)
{
    uint8_t *faces = allocate_zeroed(mesh->face_count, 1), *triangles = allocate_zeroed(mesh->triangle_count, 1);
    const grz_leaf *leaf = leaves->leaves.items;
    if (leaf[0].first_face != 0 || leaf[leaves->leaf_count].first_face != mesh->face_count ||
        leaf[leaves->leaf_count].first_triangle != mesh->triangle_count ||
        leaf[leaves->leaf_count].first_vertex != leaves->vertex_total)
        fail_msg("%s: the lists are not whole", what);
    for (uint32_t k = 0; k < leaves->leaf_count; k++, leaf++) {
        uint32_t of_faces = 0, of_corners = 0;
        if (leaf[1].first_face - leaf->first_face > leaves->max_faces || leaf[1].first_face <= leaf->first_face)
            fail_msg("%s: leaf %u has %u faces", what, k, leaf[1].first_face - leaf->first_face);
        for (uint32_t i = leaf->first_face; i < leaf[1].first_face; i++) {
            faces[leaves->faces[i]]++;
            of_faces += grz_first_triangle(mesh, leaves->faces[i] + 1) - grz_first_triangle(mesh, leaves->faces[i]);
        }
        if (of_faces != leaf[1].first_triangle - leaf->first_triangle)
            fail_msg("%s: leaf %u has %u triangles, its faces have %u", what, k,
                     leaf[1].first_triangle - leaf->first_triangle, of_faces);
        for (uint32_t i = leaf->first_triangle; i < leaf[1].first_triangle; i++) {
            const uint32_t t = leaves->triangles[i];
            triangles[t]++;
            bool listed = false;
            for (uint32_t j = leaf->first_face; j < leaf[1].first_face; j++)
                listed = listed || leaves->faces[j] == grz_mesh_triangle_face(mesh, t);
            if (!listed)
                fail_msg("%s: triangle %u is in leaf %u without its face", what, t, k);
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t v = leaf->first_vertex;
                while (v < leaf[1].first_vertex && leaves->vertices[v] != mesh->triangles[3 * (size_t)t + c])
                    v++;
                if (v == leaf[1].first_vertex)
                    fail_msg("%s: leaf %u lacks vertex %u", what, k, mesh->triangles[3 * (size_t)t + c]);
            }
            of_corners += 3;
        }
        for (uint32_t v = leaf->first_vertex + 1; v < leaf[1].first_vertex; v++)
            if (leaves->vertices[v - 1] >= leaves->vertices[v])
                fail_msg("%s: the vertices of leaf %u are not ascending", what, k);
        assert_true(leaf[1].first_vertex - leaf->first_vertex <= of_corners);
        expect_run(what, leaves, k);
    }
    for (uint32_t i = 0; i < mesh->face_count; i++)
        if (faces[i] != 1)
            fail_msg("%s: face %u is in %u leaves", what, i, faces[i]);
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        if (triangles[i] != 1)
            fail_msg("%s: triangle %u is in %u leaves", what, i, triangles[i]);
    free(faces);
    free(triangles);
}

// Move every vertex by itself, and fit the boxes with every width.
static void expect_refit(const char *what, grz_mesh *mesh, const test_mesh *m, grz_leaf_boxes *leaves)
{
    const size_t count = 3 * (size_t)m->vertex_count;
    random_stream random = {.state = count};
    double *positions = allocate_zeroed(count, sizeof *positions);
    grz_control control;
    grz_control_init(&control, mesh->allocator, NULL);
    for (size_t i = 0; i < count; i++)
        positions[i] = m->positions[i] + 0.5 * random_signed(&random);
    assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
    assert_int_equal(grz_leaf_boxes_refit(leaves, mesh, &control), GRZ_OK);
    expect_boxes(what, mesh, leaves);
    for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
        if (!grz_simd_available((grz_simd)simd))
            continue;
        memset(leaves->boxes, 0xff, leaves->leaf_count * sizeof *leaves->boxes);
        grz_leaf_refit_for((grz_simd)simd)(mesh->positions, leaves, 0, leaves->leaf_count);
        expect_boxes(grz_simd_name((grz_simd)simd), mesh, leaves);
    }
    free(positions);
}

static void expect_leaves(const char *what, const test_mesh *m)
{
    static const uint32_t sizes[] = {1, 2, 7, 64, 600, UINT32_MAX};
    grz_mesh *mesh = test_mesh_upload(test_device, m);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        grz_leaf_boxes leaves = build(mesh, sizes[i]);
        expect_lists(what, mesh, &leaves);
        expect_boxes(what, mesh, &leaves);
        expect_refit(what, mesh, m, &leaves);
        grz_leaf_boxes_finish(&leaves);
        grz_leaf_boxes_finish(&leaves); // twice: nothing is left to finish
    }
    grz_mesh_destroy(mesh);
}

static void every_face_is_in_one_leaf_and_boxes_fit(void **state)
{
    (void)state;
    random_stream random = {.state = 21};
    test_mesh meshes[] = {
        test_mesh_icosphere(1.0, 3),
        test_mesh_torus(2.0, 0.5, 40, 20),
        test_mesh_grid_quads(30, 20, 0.25), // flat, and of quads
        test_mesh_random_triangles(&random, 700, 0.1, 0),
        test_mesh_cube_quads(0.0, 0.0, 0.0, 1.0),
    };
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        char what[32];
        snprintf(what, sizeof what, "mesh %zu", i);
        expect_leaves(what, &meshes[i]);
        test_mesh_finish(&meshes[i]);
    }
}

// A hundred times the same face, and faces whose distances double each time: no cut in the middle of their box parts
// them well.
static void faces_that_no_middle_parts_are_halved_by_number(void **state)
{
    (void)state;
    test_mesh same = {0}, doubling = {0};
    for (int i = 0; i < 100; i++) {
        const double x = ldexp(1.0, 2 * i), corners[2][3][3] = {{{0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                                                                {{x, 0.0, 0.0}, {x, 1.0, 0.0}, {x, 0.0, 1.0}}};
        test_mesh_add_loose_triangle(&same, corners[0]);
        test_mesh_add_loose_triangle(&doubling, corners[1]);
    }
    expect_leaves("the same face", &same);
    expect_leaves("doubling distances", &doubling);
    test_mesh_finish(&same);
    test_mesh_finish(&doubling);
}

static void a_leaf_of_two_separate_parts_is_cut_once_more(void **state)
{
    (void)state;
    // Two cubes, a gap between them or a common side.
    const double gaps[] = {0.5, 0.0};
    for (int i = 0; i < 2; i++) {
        test_mesh m = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
        test_mesh_take(&m, test_mesh_cube(1.0 + gaps[i], 0.0, 0.0, 1.0));
        grz_mesh *mesh = test_mesh_upload(test_device, &m);
        grz_leaf_boxes leaves = build(mesh, 24);
        assert_int_equal(leaves.leaf_count, gaps[i] > 0.0 ? 2 : 1);
        grz_leaf_boxes_finish(&leaves);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&m);
    }
    // Four cubes in a row: cut once more, not twice.
    test_mesh m = {0};
    for (int i = 0; i < 4; i++)
        test_mesh_take(&m, test_mesh_cube(2.0 * i, 0.0, 0.0, 1.0));
    grz_mesh *mesh = test_mesh_upload(test_device, &m);
    grz_leaf_boxes leaves = build(mesh, 48);
    assert_int_equal(leaves.leaf_count, 2);
    grz_leaf_boxes_finish(&leaves);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&m);
}

static void small_meshes_have_smaller_leaves(void **state)
{
    (void)state;
    assert_int_equal(grz_leaf_faces_for(1, 1), 16);
    assert_int_equal(grz_leaf_faces_for(128, 128), 16);
    assert_int_equal(grz_leaf_faces_for(1252, 1252), 78);
    assert_int_equal(grz_leaf_faces_for(51883, 51883), 128);
    assert_int_equal(grz_leaf_faces_for(UINT32_MAX, UINT32_MAX), 128);
    assert_int_equal(grz_leaf_faces_for(5000, 10000), 64);          // quads
    assert_int_equal(grz_leaf_faces_for(3, 3 * UINT32_C(9000)), 1); // each face has more than a leaf should
}

static void leaves_of_no_face_are_refused(void **state)
{
    (void)state;
    test_mesh m = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *mesh = test_mesh_upload(test_device, &m);
    grz_leaf_boxes leaves;
    grz_control control;
    grz_error error;
    grz_control_init(&control, mesh->allocator, NULL);
    assert_int_equal(grz_leaf_boxes_build(&leaves, mesh, 0, &control, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "leaf boxes: max_faces is 0, need at least 1");
    grz_leaf_boxes_finish(&leaves);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&m);
}

// Every allocation fails once. Nothing leaks, and the error says what memory was for.
static void memory_that_runs_out_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    counting_allocator counter = {0};
    grz_device *device = counting_device_open(&counter);
    test_mesh m = test_mesh_icosphere(1.0, 2);
    grz_mesh *mesh = test_mesh_upload(device, &m);
    const long before = counter.live;
    grz_status status = GRZ_ERROR_MEMORY;
    long refused = 0;
    while (status != GRZ_OK) {
        grz_leaf_boxes leaves;
        grz_control control;
        grz_error error;
        counter.fail_at = counter.calls + ++refused;
        grz_control_init(&control, mesh->allocator, NULL);
        status = grz_leaf_boxes_build(&leaves, mesh, 10, &control, &error);
        if (status != GRZ_OK) {
            assert_int_equal(status, GRZ_ERROR_MEMORY);
            assert_string_equal(error.message, "leaf boxes: out of memory for 320 faces");
        }
        counter.fail_at = 0;
        grz_leaf_boxes_finish(&leaves);
        assert_int_equal(counter.live, before);
    }
    assert_true(refused > 5);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&m);
    grz_device_close(device);
    assert_int_equal(counter.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_face_is_in_one_leaf_and_boxes_fit),
        cmocka_unit_test(faces_that_no_middle_parts_are_halved_by_number),
        cmocka_unit_test(a_leaf_of_two_separate_parts_is_cut_once_more),
        cmocka_unit_test(small_meshes_have_smaller_leaves),
        cmocka_unit_test(leaves_of_no_face_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
