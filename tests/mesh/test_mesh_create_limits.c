// SPDX-License-Identifier: MIT
// Making a mesh can be cancelled, has a deadline and a memory limit, and reports its progress. After each failure
// everything is released, and the error says why.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support_meshes.h"
#include "support_sanitizer.h"

static const double full = 6.283185307179586;

// One face that returns to its middle again and again: `petals` triangles round a point, each begun and ended there.
// Cutting it into triangles takes time in proportion to the square of its corners.
static test_mesh make_flower(uint32_t petals)
{
    test_mesh mesh = {0};
    uint32_t *corners = malloc(3 * (size_t)petals * sizeof *corners), count = 0;
    assert_non_null(corners);
    const uint32_t middle = test_mesh_add_vertex(&mesh, 0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < petals; i++) {
        const double from = full * i / petals, to = full * (i + 0.5) / petals;
        corners[count++] = middle;
        corners[count++] = test_mesh_add_vertex(&mesh, cos(from), sin(from), 0.0);
        corners[count++] = test_mesh_add_vertex(&mesh, cos(to), sin(to), 0.0);
    }
    test_mesh_add_face(&mesh, corners, count);
    free(corners);
    return mesh;
}

static grz_mesh_description describe(const test_mesh *mesh)
{
    grz_mesh_description d = grz_default_mesh_description();
    d.positions = mesh->positions;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = mesh->vertex_count;
    d.indices = mesh->indices;
    d.index_count = mesh->index_count;
    d.face_count = mesh->face_count;
    d.corner_counts = mesh->corner_counts;
    return d;
}

// Expect this status, no mesh, and an error that has these words.
static void expect_failure(grz_device *device, const grz_mesh_description *d, grz_status expected, const char *words)
{
    grz_mesh *mesh = (grz_mesh *)d; // anything but NULL
    grz_error error = {.code = GRZ_OK};
    assert_int_equal(grz_mesh_create(device, d, &mesh, &error), expected);
    assert_null(mesh);
    assert_int_equal(error.code, expected);
    if (strstr(error.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

static void a_raised_flag_ends_the_call(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    const volatile int raised = 1, down = 0;
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    grz_mesh_description d = describe(&ball);
    grz_mesh *mesh;
    d.limits.cancel = &raised;
    expect_failure(device, &d, GRZ_ERROR_CANCELLED, "cancelled");
    d.limits.cancel = &down;
    assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_OK);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&ball);
    grz_device_close(device);
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// Without its deadline the call would take minutes.
static void a_deadline_ends_the_cutting_of_a_face(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    test_mesh flower = make_flower(100000);
    grz_mesh_description d = describe(&flower);
    d.limits.deadline = 0.05;
    const double start = processor_seconds();
    expect_failure(device, &d, GRZ_ERROR_DEADLINE, "0.05 s");
    const double took = processor_seconds() - start;
    print_message("  %.2f s\n", took);
    assert_true(took < (TEST_SANITIZED ? 20.0 : 2.0));
    d.limits.deadline = -1.0;
    expect_failure(device, &d, GRZ_ERROR_ARGUMENT, "deadline");
    d.limits.deadline = (double)NAN;
    expect_failure(device, &d, GRZ_ERROR_ARGUMENT, "deadline");
    test_mesh_finish(&flower);
    grz_device_close(device);
}

// Each limit below what is needed is named in the error; nothing stays allocated.
static void a_memory_limit_ends_the_call(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    test_mesh ball = test_mesh_icosphere(1.0, 3);
    grz_mesh_description d = describe(&ball);
    unsigned refused = 0;
    for (uint64_t limit = 1; limit < UINT64_C(1) << 24; limit = limit * 3 / 2 + 1) {
        grz_mesh *mesh = NULL;
        grz_error error = {.code = GRZ_OK};
        d.limits.memory_limit = limit;
        if (grz_mesh_create(device, &d, &mesh, &error) == GRZ_OK) {
            grz_mesh_destroy(mesh);
            continue;
        }
        assert_int_equal(error.code, GRZ_ERROR_MEMORY);
        assert_non_null(strstr(error.message, "limit"));
        assert_null(mesh);
        refused++;
    }
    assert_true(refused > 10);
    grz_mesh *mesh = NULL;
    d.limits.memory_limit = UINT64_C(1) << 24;
    assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_OK);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&ball);
    grz_device_close(device);
}

typedef struct progress {
    double last;
    unsigned calls;
} progress;

static void note(double share, void *user)
{
    progress *p = user;
    assert_true(share >= p->last && share <= 1.0);
    p->last = share;
    p->calls++;
}

static void progress_grows_to_one(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    test_mesh shapes[2] = {test_mesh_icosphere(1.0, 3), make_flower(500)};
    for (int i = 0; i < 2; i++) {
        grz_mesh_description d = describe(&shapes[i]);
        progress p = {0};
        grz_mesh *mesh;
        d.limits.progress = note;
        d.limits.progress_user = &p;
        assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_OK);
        assert_true(p.last == 1.0 && p.calls >= 2);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&shapes[i]);
    }
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_raised_flag_ends_the_call),
        cmocka_unit_test(a_deadline_ends_the_cutting_of_a_face),
        cmocka_unit_test(a_memory_limit_ends_the_call),
        cmocka_unit_test(progress_grows_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
