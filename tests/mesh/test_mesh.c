// SPDX-License-Identifier: MIT
// ctest: concurrent two_threads_may_ask_the_same_mesh_at_once
// Meshes created, deformed and destroyed: refusals and their messages, how positions and faces are stored, what stays
// after new positions, the slots for derived data, failures of every allocation, and several threads that ask for the
// same data at once.
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "support_arrays.h"
#include "support_control.h"

static void expect_refusal(const grz_mesh_description *d, grz_status code, uint64_t element, const char *text)
{
    grz_error error = {0};
    grz_mesh *mesh = (grz_mesh *)&error; // anything but NULL
    assert_int_equal(grz_mesh_create(test_device, d, &mesh, &error), code);
    assert_null(mesh);
    assert_int_equal(error.code, code);
    if (strstr(error.message, text) == NULL)
        fail_msg("\"%s\" should say \"%s\"", error.message, text);
    assert_true(error.element == element);
    assert_int_equal(grz_mesh_create(test_device, d, &mesh, NULL), code);
}

static void bad_layouts_are_refused_as_arguments(void **state)
{
    (void)state;
    const grz_mesh_description cube = describe_mesh(CUBE, 8, CUBE_QUADS, 6, 4);
    grz_mesh_description d;
    grz_mesh *mesh;
    grz_error error;
    d = cube, d.size = 0;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "size is 0");
    d = cube, d.size = SIZE_MAX;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "start from grz_default_mesh_description()");
    d = cube, d.positions = NULL;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "positions is NULL");
    d = cube, d.position_stride = 16;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "position_stride is 16");
    d = cube, d.position_stride = 28;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "multiple of 8");
    d = cube, d.position_stride = SIZE_MAX / 8 * 8;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "more than memory can hold");
    d = cube, d.position_type = (grz_scalar)7;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "position_type 7");
    d = cube, d.flags = 1u << 9;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flags 0x200");
    d = cube, d.index_count = 23;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "index_count is 23, but the faces have 24 corners");
    d = describe_mesh(CUBE, 8, NULL, 2, 4), d.index_count = 7;
    expect_refusal(&d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "index_count is 7");
    assert_int_equal(grz_mesh_create(NULL, &cube, &mesh, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_create(test_device, NULL, &mesh, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_create(test_device, &cube, NULL, &error), GRZ_ERROR_ARGUMENT);
    grz_mesh_destroy(NULL);
}

static void bad_faces_are_refused_by_name(void **state)
{
    (void)state;
    const grz_mesh_description cube = describe_mesh(CUBE, 8, CUBE_QUADS, 6, 4);
    grz_mesh_description d;
    uint32_t indices[24], counts[6] = {4, 4, 4, 2, 4, 4};
    d = cube, d.vertex_count = 0;
    expect_refusal(&d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "no vertices");
    d = cube, d.vertex_count = UINT64_C(1) << 32;
    expect_refusal(&d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "4294967296 vertices, the most is 2^32 - 1");
    d = cube, d.face_count = 0;
    expect_refusal(&d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "no faces");
    d = cube, d.face_count = UINT64_MAX;
    expect_refusal(&d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "the most is 2^32 - 2");
    d = cube, d.face_count = GRZ_MAX_TRIANGLES, d.corners_per_face = UINT32_MAX;
    expect_refusal(&d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "the most is 2^32 - 2");
    d = cube, d.face_count = (GRZ_MAX_TRIANGLES / 2) + 1;
    expect_refusal(&d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "4294967296 triangles");
    d = cube, d.corners_per_face = 2;
    expect_refusal(&d, GRZ_ERROR_MESH, 0, "face 0: 2 corners, need at least 3");
    d = cube, d.corner_counts = counts;
    expect_refusal(&d, GRZ_ERROR_MESH, 3, "face 3: 2 corners, need at least 3");
    memcpy(indices, CUBE_QUADS, sizeof indices);
    indices[13] = 99;
    d = cube, d.indices = indices;
    expect_refusal(&d, GRZ_ERROR_MESH, 3, "face 3: corner 1 is vertex 99, but there are only 8 vertices");
    counts[2] = 3, counts[3] = 5;
    d.corner_counts = counts;
    expect_refusal(&d, GRZ_ERROR_MESH, 3, "face 3: corner 2 is vertex 99, but there are only 8 vertices");
    d = describe_mesh(CUBE, 8, NULL, 3, 3);
    expect_refusal(&d, GRZ_ERROR_MESH, 2, "face 2: corner 2 is vertex 8, but there are only 8 vertices");
}

static void bad_positions_are_refused_by_name(void **state)
{
    (void)state;
    const struct {
        double bad;
        const char *text;
    } cases[] = {{(double)NAN, "vertex 5: y is NaN"},
                 {-(double)NAN, "vertex 5: y is NaN"},
                 {(double)INFINITY, "vertex 5: y is infinite"},
                 {(double)-INFINITY, "vertex 5: y is minus infinite"},
                 {nextafter(0x1p300, 0x1p301), "vertex 5: y is 2.03704e+90, larger than 2^300 in magnitude"},
                 {-0x1p301, "vertex 5: y is -4.07"}};
    double positions[24] = {0};
    grz_mesh_description d = describe_mesh(positions, 8, CUBE_QUADS, 6, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(positions, CUBE, sizeof positions);
        positions[16] = cases[i].bad;
        expect_refusal(&d, GRZ_ERROR_MESH, 5, cases[i].text);
        positions[16] = 0x1p300;
        grz_mesh_destroy(create_mesh(&d));
        grz_mesh *mesh = create_mesh(&d);
        grz_error error = {0};
        uint64_t version = mesh->version;
        positions[0] = 77.0;
        positions[16] = cases[i].bad;
        assert_int_equal(grz_mesh_set_positions(mesh, positions, &error), GRZ_ERROR_MESH);
        assert_true(error.element == 5 && strstr(error.message, cases[i].text) != NULL);
        assert_true(mesh->version == version && mesh->positions[0] == 0.0 && mesh->bounds.max[0] == 1.0);
        grz_mesh_destroy(mesh);
    }
}

static void every_layout_of_positions_reads_the_same(void **state)
{
    (void)state;
    // 0.1f and a float32 subnormal must be widened exactly.
    const float narrow[9] = {0.1f, -0.0f, 1e-40f, 1.0f, 2.0f, 3.0f, -4.0f, 5.0f, 0x1p100f};
    double wide[9];
    for (int i = 0; i < 9; i++)
        wide[i] = (double)narrow[i];
    unsigned char strided[200];
    for (int type = 0; type < 2; type++)
        for (size_t extra = 0; extra < 3; extra++)
            for (size_t misaligned = 0; misaligned < 2; misaligned++) {
                size_t size = type == GRZ_FLOAT32 ? sizeof(float) : sizeof(double), stride = (3 + extra) * size;
                for (size_t v = 0; v < 3; v++)
                    memcpy(strided + misaligned + v * stride,
                           type == GRZ_FLOAT32 ? (const void *)(narrow + 3 * v) : (const void *)(wide + 3 * v),
                           3 * size);
                grz_mesh_description d = describe_mesh(NULL, 3, NULL, 1, 3);
                d.positions = strided + misaligned;
                d.position_type = (grz_scalar)type;
                d.position_stride = extra ? stride : 0;
                grz_mesh *mesh = create_mesh(&d);
                assert_memory_equal(mesh->positions, wide, sizeof wide);
                assert_true(mesh->max_abs[0] == 4.0 && mesh->max_abs[1] == 5.0 && mesh->max_abs[2] == 0x1p100);
                assert_true(mesh->bounds.min[0] == -4.0 && mesh->bounds.max[2] == 0x1p100 &&
                            mesh->bounds.min[2] == (double)1e-40f);
                assert_int_equal(grz_mesh_vertex_count(mesh), 3);
                assert_int_equal(grz_mesh_face_count(mesh), 1);
                assert_int_equal(grz_mesh_triangle_count(mesh), 1);
                grz_mesh_destroy(mesh);
            }
}

static void the_callers_rounding_and_flushing_change_nothing(void **state)
{
    (void)state;
    const float narrow[9] = {0x1p-149f, 0.0f, 0.0f, 3 * 0x1p-149f, 0.0f, 0.0f, 0.0f, 0x1p-140f, 0.0f};
    grz_mesh_description d = describe_mesh(NULL, 3, NULL, 1, 3);
    d.positions = narrow;
    d.position_type = GRZ_FLOAT32;
    assert_int_equal(fesetround(FE_DOWNWARD), 0);
#if defined(__SSE2__)
    const unsigned flush = 0x8040, before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | flush);
#endif
    grz_mesh *mesh = create_mesh(&d);
    grz_mesh_report report = check_mesh(mesh);
    int rounding = fegetround();
#if defined(__SSE2__)
    unsigned after = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before);
    assert_int_equal(after & flush, flush);
#endif
    (void)fesetround(FE_TONEAREST);
    assert_int_equal(rounding, FE_DOWNWARD);
    assert_true(mesh->positions[0] == 0x1p-149 && mesh->positions[3] == 3 * 0x1p-149 && mesh->positions[7] == 0x1p-140);
    assert_int_equal(report.degenerate_faces, 0);
    assert_int_equal(report.duplicate_vertices, 0);
    grz_mesh_destroy(mesh);
}

static void mixed_faces_keep_their_corners_and_their_number(void **state)
{
    (void)state;
    const double positions[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 1, 3, 0, 5, 5, 5};
    const uint32_t indices[] = {0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 4, 3}, counts[] = {3, 4, 5};
    grz_mesh_description d = describe_mesh(positions, 6, indices, 3, 3);
    d.index_count = 12;
    d.corner_counts = counts;
    grz_mesh *mesh = create_mesh(&d);
    assert_int_equal(mesh->triangle_count, 6);
    const uint32_t faces[6] = {0, 1, 1, 2, 2, 2};
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(grz_mesh_triangle_face(mesh, i), faces[i]);
    for (uint32_t face = 0, first = 0, count; face < 3; face++, first += count) {
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        assert_int_equal(count, counts[face]);
        assert_memory_equal(corners, indices + first, count * sizeof *corners);
    }
    // The vertex that no face uses counts for max_abs, not for the bounds.
    assert_true(mesh->bounds.max[2] == 0.0 && mesh->max_abs[2] == 5.0);
    assert_false(grz_mesh_uses(mesh, 5));
    grz_mesh_destroy(mesh);
}

static void a_mesh_tells_what_it_was_made_of(void **state)
{
    (void)state;
    const double positions[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 1, 3, 0, 5, 5, 5};
    const uint32_t indices[] = {0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 4, 3}, counts[] = {3, 4, 5};
    grz_mesh_description d = describe_mesh(positions, 6, indices, 3, 3);
    d.index_count = 12;
    d.corner_counts = counts;
    grz_mesh *mesh = create_mesh(&d);
    assert_memory_equal(grz_mesh_positions(mesh), positions, sizeof positions);
    const uint32_t faces[6] = {0, 1, 1, 2, 2, 2};
    assert_memory_equal(grz_mesh_triangle_faces(mesh), faces, sizeof faces);
    uint32_t count = 0;
    for (uint64_t face = 0, first = 0; face < 3; face++, first += count) {
        assert_memory_equal(grz_mesh_face(mesh, face, &count), indices + first, counts[face] * sizeof *indices);
        assert_int_equal(count, counts[face]);
        for (uint64_t i = 0; i < 18; i++) // the triangles of a face have its corners
            if (faces[i / 3] == face) {
                bool found = false;
                for (uint64_t j = first; j < first + count; j++)
                    found |= grz_mesh_triangles(mesh)[i] == indices[j];
                assert_true(found);
            }
    }
    assert_null(grz_mesh_face(mesh, 3, &count));
    assert_int_equal(count, 0);
    assert_non_null(grz_mesh_face(mesh, 2, NULL));
    // New positions are read at the same place.
    double moved[18];
    for (int i = 0; i < 18; i++)
        moved[i] = positions[i] + 1.0;
    const double *place = grz_mesh_positions(mesh);
    assert_int_equal(grz_mesh_set_positions(mesh, moved, NULL), GRZ_OK);
    assert_ptr_equal(grz_mesh_positions(mesh), place);
    assert_memory_equal(place, moved, sizeof moved);
    grz_mesh_destroy(mesh);

    // Of triangles only: they are the faces. Of a soup: corners are 0, 1, 2, …
    const float soup[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.1f, 1, 0, 0, 0, 1, 1};
    d = describe_mesh(NULL, 6, NULL, 2, 3);
    d.positions = soup;
    d.position_type = GRZ_FLOAT32;
    mesh = create_mesh(&d);
    assert_null(grz_mesh_triangle_faces(mesh));
    assert_true(grz_mesh_positions(mesh)[11] == (double)0.1f);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(grz_mesh_triangles(mesh)[i], i);
    assert_int_equal(grz_mesh_face(mesh, 1, &count)[0], 3);
    assert_int_equal(count, 3);
    grz_mesh_destroy(mesh);
    assert_null(grz_mesh_positions(NULL));
    assert_null(grz_mesh_triangles(NULL));
    assert_null(grz_mesh_triangle_faces(NULL));
    assert_null(grz_mesh_face(NULL, 0, &count));
}

static void the_identity_of_corners_outlives_their_positions(void **state)
{
    (void)state;
    // Two triangles of a soup that share an edge by position, once as -0, once as +0.
    double positions[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -0.0, 1, -0.0, 1, -0.0, 0, 1, 1, 0};
    grz_mesh_description d = describe_mesh(positions, 6, NULL, 2, 3);
    grz_mesh *mesh = create_mesh(&d);
    const uint32_t expected[6] = {0, 1, 2, 2, 1, 5};
    assert_memory_equal(mesh->identity, expected, sizeof expected);
    assert_int_equal(check_mesh(mesh).boundary_edges, 4);
    assert_int_equal(check_mesh(mesh).duplicate_vertices, 2);
    // Pull the triangles apart, and move corner 5 onto corner 0: neither changes which corners are the same.
    positions[9] = positions[12] = 8.0;
    positions[15] = positions[16] = positions[17] = 0.0;
    assert_int_equal(mesh->version, 1);
    assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
    assert_int_equal(mesh->version, 2);
    assert_memory_equal(mesh->identity, expected, sizeof expected);
    assert_true(mesh->bounds.max[0] == 8.0 && mesh->max_abs[0] == 8.0);
    grz_mesh_report report = check_mesh(mesh);
    assert_int_equal(report.boundary_edges, 6);
    assert_int_equal(report.duplicate_vertices, 1);
    assert_int_equal(report.first_duplicate_vertex, 5);
    assert_int_equal(grz_mesh_set_positions(mesh, NULL, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_set_positions(NULL, positions, NULL), GRZ_ERROR_ARGUMENT);
    grz_mesh_destroy(mesh);

    d.flags = GRZ_MESH_INDEX_ONLY;
    mesh = create_mesh(&d);
    assert_null(mesh->identity);
    assert_int_equal(check_mesh(mesh).duplicate_vertices, 1);
    grz_mesh_destroy(mesh);
}

static void a_deformed_polygon_keeps_its_triangles(void **state)
{
    (void)state;
    double positions[12] = {0, 0, 0, 4, 1, 0, 1, 1, 0, 1, 4, 0};
    const uint32_t quad[4] = {0, 1, 2, 3};
    grz_mesh_description d = describe_mesh(positions, 4, quad, 1, 4);
    grz_mesh *mesh = create_mesh(&d);
    uint32_t before[6];
    memcpy(before, mesh->triangles, sizeof before);
    positions[0] = 9.0;
    assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
    assert_memory_equal(mesh->triangles, before, sizeof before);
    grz_mesh_destroy(mesh);
}

// A slot whose first preparation fails.
static int slot_attempts, slot_released;

static grz_status prepare_second_time(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    (void)mesh;
    (void)control;
    (void)error;
    if (++slot_attempts == 1)
        return GRZ_ERROR_MEMORY;
    *state = &slot_attempts;
    return GRZ_OK;
}

static void release_slot(const grz_mesh *mesh, void *state)
{
    (void)mesh;
    assert_ptr_equal(state, &slot_attempts);
    slot_released++;
}

static void a_slot_that_failed_is_tried_again_and_released_once(void **state)
{
    (void)state;
    static const grz_slot_type type = {prepare_second_time, release_slot};
    grz_mesh_description d = describe_mesh(CUBE, 8, CUBE_QUADS, 6, 4);
    grz_mesh *mesh = create_mesh(&d);
    void *got = mesh;
    slot_attempts = slot_released = 0;
    assert_int_equal(test_mesh_slot(mesh, &type, &got), GRZ_ERROR_MEMORY);
    assert_null(got);
    assert_int_equal(test_mesh_slot(mesh, &type, &got), GRZ_OK);
    assert_ptr_equal(got, &slot_attempts);
    assert_int_equal(test_mesh_slot(mesh, &type, &got), GRZ_OK);
    assert_int_equal(slot_attempts, 2);
    assert_int_equal(grz_mesh_set_positions(mesh, CUBE, NULL), GRZ_OK);
    assert_int_equal(test_mesh_slot(mesh, &type, &got), GRZ_OK);
    assert_int_equal(slot_attempts, 3);
    grz_mesh_destroy(mesh);
    assert_int_equal(slot_released, 1);
}

static void a_failure_of_any_allocation_is_reported(void **state)
{
    (void)state;
    // Duplicates, an unused vertex, a triangle, a convex and a bridged polygon: every allocation there is.
    const double positions[] = {0, 0, 0, 9, 0, 0, 9, 9, 0, 0, 9, 0, 3, 3, 0,
                                3, 6, 0, 6, 6, 0, 6, 3, 0, 0, 0, 0, 1, 1, 1};
    const uint32_t indices[] = {0, 1, 2, 8, 1, 2, 3, 0, 1, 2, 3, 8, 4, 5, 6, 7, 4}, counts[] = {3, 4, 10};
    grz_mesh_description d = describe_mesh(positions, 10, indices, 3, 3);
    d.corner_counts = counts;
    d.index_count = 17;
    counting_allocator counter = {0};
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    options.allocator = counting_allocator_of(&counter);
    grz_device *counted;
    assert_int_equal(grz_device_open(&options, &counted, NULL), GRZ_OK);
    long live_before = counter.live, fail_at = 1, failures[4] = {0};
    for (bool done = false; !done; fail_at++) {
        grz_mesh *mesh;
        grz_mesh_report report;
        const grz_topology *topology;
        grz_error error = {0};
        counter.calls = 0;
        counter.fail_at = fail_at;
        grz_status created = grz_mesh_create(counted, &d, &mesh, &error);
        assert_true(created == GRZ_OK ? mesh != NULL
                                      : created == GRZ_ERROR_MEMORY && mesh == NULL && error.code == created);
        failures[0] += created != GRZ_OK;
        if (created == GRZ_OK) {
            grz_status checked = grz_mesh_check(mesh, &report, &error);
            assert_true(checked == GRZ_OK || (checked == GRZ_ERROR_MEMORY && error.code == checked));
            bool closed = false;
            grz_status told = grz_mesh_is_closed(mesh, &closed, &error);
            assert_true(told == GRZ_OK || (told == GRZ_ERROR_MEMORY && error.code == told && !closed));
            grz_status derived = test_mesh_topology(mesh, &topology, &error);
            assert_true(derived == GRZ_OK || (derived == GRZ_ERROR_MEMORY && topology == NULL));
            failures[1] += checked != GRZ_OK;
            failures[2] += derived != GRZ_OK;
            failures[3] += told != GRZ_OK;
            assert_true((checked != GRZ_OK) + (told != GRZ_OK) + (derived != GRZ_OK) <= 1); // only this one fails
            done = checked == GRZ_OK && told == GRZ_OK && derived == GRZ_OK;
            grz_mesh_destroy(mesh);
        }
        assert_int_equal(counter.live, live_before);
    }
    print_message("allocations that failed in turn: %ld of create, %ld of check, %ld of topology, %ld of closed\n",
                  failures[0], failures[1], failures[2], failures[3]);
    assert_true(failures[0] > 10 && failures[1] > 5 && failures[2] > 5 && failures[3] > 1);
    grz_device_close(counted);
}

typedef struct asker {
    const grz_mesh *mesh;
    grz_mesh_report report;
    const grz_topology *topology;
    grz_status status;
} asker;

static void *ask(void *argument)
{
    asker *a = argument;
    a->status = test_mesh_topology(a->mesh, &a->topology, NULL);
    if (a->status == GRZ_OK)
        a->status = grz_mesh_check(a->mesh, &a->report, NULL);
    return NULL;
}

static void two_threads_may_ask_the_same_mesh_at_once(void **state)
{
    (void)state;
    enum {
        AROUND = 60,
        ACROSS = 40
    };
    static double positions[3 * AROUND * ACROSS];
    static uint32_t indices[4 * AROUND * ACROSS];
    make_torus(AROUND, ACROSS, false, positions, indices);
    const uint64_t quads = (uint64_t)AROUND * ACROSS;
    grz_mesh_description d = describe_mesh(positions, quads, indices, quads, 4);
    grz_mesh *mesh = create_mesh(&d);
    for (int round = 0; round < 20; round++) {
        asker askers[4];
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) {
            askers[i] = (asker){.mesh = mesh};
            assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
        }
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(askers[i].status, GRZ_OK);
            assert_ptr_equal(askers[i].topology, askers[0].topology);
            assert_memory_equal(&askers[i].report, &askers[0].report, sizeof askers[0].report);
        }
        assert_int_equal(grz_mesh_set_positions(mesh, positions, NULL), GRZ_OK);
    }
    grz_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_layouts_are_refused_as_arguments),
        cmocka_unit_test(bad_faces_are_refused_by_name),
        cmocka_unit_test(bad_positions_are_refused_by_name),
        cmocka_unit_test(every_layout_of_positions_reads_the_same),
        cmocka_unit_test(the_callers_rounding_and_flushing_change_nothing),
        cmocka_unit_test(mixed_faces_keep_their_corners_and_their_number),
        cmocka_unit_test(a_mesh_tells_what_it_was_made_of),
        cmocka_unit_test(the_identity_of_corners_outlives_their_positions),
        cmocka_unit_test(a_deformed_polygon_keeps_its_triangles),
        cmocka_unit_test(a_slot_that_failed_is_tried_again_and_released_once),
        cmocka_unit_test(a_failure_of_any_allocation_is_reported),
        cmocka_unit_test(two_threads_may_ask_the_same_mesh_at_once),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
