// SPDX-License-Identifier: MIT
// Convex parts of solids made of integer cubes, where all cuts are doubles: each part is inside the solid, no two
// overlap, and their volumes add up to the solid's, exactly; so their union is the solid. Solids with slanted faces,
// whose corners are rounded: their volumes add up, too. Bad input, limits, memory that runs out.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "support_devices.h"
#include "support_meshes.h"

enum {
    SIDE = 4 // cubes along an axis
};

typedef bool cubes[SIDE][SIDE][SIDE];

static bool is_filled(cubes c, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < SIDE && y < SIDE && z < SIDE && c[x][y][z];
}

// The surface of the cubes, two triangles for each side that is not shared.
static test_mesh surface_of(cubes c)
{
    test_mesh mesh = {.positions = NULL};
    for (int i = 0; i < 6 * SIDE * SIDE * SIDE; i++) {
        const int axis = i % 3, end = i / 3 % 2, cell = i / 6;
        const int at[3] = {cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE};
        int beside[3] = {at[0], at[1], at[2]};
        beside[axis] += 2 * end - 1;
        if (!is_filled(c, at[0], at[1], at[2]) || is_filled(c, beside[0], beside[1], beside[2]))
            continue;
        double p[4][3];
        for (int k = 0; k < 4; k++) {
            p[k][axis] = at[axis] + end;
            p[k][(axis + 1) % 3] = at[(axis + 1) % 3] + (k == 1 || k == 2);
            p[k][(axis + 2) % 3] = at[(axis + 2) % 3] + (k >= 2);
        }
        for (int half = 1; half < 3; half++) {
            double t[3][3];
            memcpy(t[0], p[0], sizeof t[0]);
            memcpy(t[1], p[end == 1 ? half : half + 1], sizeof t[1]);
            memcpy(t[2], p[end == 1 ? half + 1 : half], sizeof t[2]);
            test_mesh_add_loose_triangle(&mesh, (const double(*)[3])t);
        }
    }
    return mesh;
}

static grz_solids relation(const grz_mesh *a, const grz_mesh *b)
{
    grz_result *result = test_result_create(test_device);
    grz_collide_options options = grz_default_collide_options();
    const grz_object one = grz_object_at_origin(a), two = grz_object_at_origin(b);
    options.find |= GRZ_FIND_SOLIDS;
    assert_int_equal(grz_collide(test_device, &one, &two, &options, result, NULL), GRZ_OK);
    const grz_solids found = grz_result_summary(result)->solids;
    grz_result_destroy(result);
    return found;
}

// Cut a mesh. Returns the sum of the volumes. `exact`: no part may be flat, as rounding may make it.
static double cut(const grz_mesh *mesh, bool exact, grz_convex_parts **parts)
{
    double sum = 0.0;
    grz_error error;
    if (grz_convex_parts_of_mesh(mesh, NULL, parts, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < grz_convex_parts_count(*parts); i++) {
        double volume;
        assert_true(grz_hull_dimension(grz_convex_part_hull(*parts, i)) == 3 || !exact);
        assert_int_equal(grz_hull_volume(grz_convex_part_hull(*parts, i), &volume, NULL), GRZ_OK);
        sum += volume;
    }
    return sum;
}

static void cubes_are_cut_exactly(void **state)
{
    (void)state;
    random_stream random = {31};
    uint32_t most = 0;
    for (int round = 0; round < 12; round++) {
        cubes c;
        int filled = 0;
        const uint32_t share = 2 + random_below(&random, 7);
        for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
            c[i % SIDE][i / SIDE % SIDE][i / SIDE / SIDE] = random_below(&random, 10) < share;
            filled += c[i % SIDE][i / SIDE % SIDE][i / SIDE / SIDE];
        }
        test_mesh surface = surface_of(c);
        grz_mesh *mesh = test_mesh_upload(test_device, &surface);
        grz_convex_parts *parts;
        const double volume = cut(mesh, true, &parts);
        const uint32_t count = grz_convex_parts_count(parts);
        assert_true(fabs(volume - filled) < 1e-9);
        grz_mesh *all[SIDE * SIDE * SIDE];
        assert_true(count <= SIDE * SIDE * SIDE);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(grz_hull_mesh(grz_convex_part_hull(parts, i), &all[i], NULL), GRZ_OK);
            const double *p = grz_hull_vertices(grz_convex_part_hull(parts, i));
            for (uint32_t k = 0; k < 3 * grz_hull_vertex_count(grz_convex_part_hull(parts, i)); k++)
                assert_true(p[k] == floor(p[k]));
            const grz_solids inside = relation(all[i], mesh);
            assert_true(inside == GRZ_SOLIDS_A_INSIDE_B || inside == GRZ_SOLIDS_SAME);
            for (uint32_t j = 0; j < i; j++) {
                const grz_solids beside = relation(all[i], all[j]);
                assert_true(beside == GRZ_SOLIDS_APART || beside == GRZ_SOLIDS_TOUCHING);
            }
        }
        for (uint32_t i = 0; i < count; i++)
            grz_mesh_destroy(all[i]);
        most = count > most ? count : most;
        grz_convex_parts_destroy(parts);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&surface);
    }
    printf("the most parts of cubes: %u\n", most);
    assert_true(most > 5);
}

static double volume_of(const test_mesh *mesh)
{
    double sum = 0.0;
    for (uint64_t f = 0; f < mesh->face_count; f++) {
        const double *a = mesh->positions + 3 * mesh->indices[3 * f],
                     *b = mesh->positions + 3 * mesh->indices[3 * f + 1],
                     *c = mesh->positions + 3 * mesh->indices[3 * f + 2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6.0;
}

// Volumes add up, and no part is deeper in another one than the rounding.
static void check_slanted(const test_mesh *shape, uint32_t least_parts)
{
    grz_mesh *mesh = test_mesh_upload(test_device, shape);
    grz_convex_parts *parts;
    const double volume = cut(mesh, false, &parts), expected = volume_of(shape);
    printf("%llu faces: %u parts, rounding %g\n", (unsigned long long)shape->face_count, grz_convex_parts_count(parts),
           grz_convex_parts_rounding(parts));
    assert_true(fabs(volume - expected) <= 1e-9 * expected);
    assert_true(grz_convex_parts_count(parts) >= least_parts);
    for (uint32_t i = 0; i < grz_convex_parts_count(parts); i++)
        for (uint32_t v = 0; v < grz_hull_vertex_count(grz_convex_part_hull(parts, i)); v++)
            for (int k = 0; k < 3; k++) // within the mesh's box
                assert_true(fabs(grz_hull_vertices(grz_convex_part_hull(parts, i))[3 * v + (uint32_t)k]) < 20.0);
    grz_convex_parts_destroy(parts);
    grz_mesh_destroy(mesh);
}

static void slanted_solids_keep_their_volume(void **state)
{
    (void)state;
    test_mesh torus = test_mesh_torus(3.0, 1.0, 9, 5), sphere = test_mesh_icosphere(1.0, 1);
    check_slanted(&torus, 5);
    check_slanted(&sphere, 1);
    test_mesh star = {.positions = NULL}; // a prism over a star of seven points, with its fan from the centre
    for (int i = 0; i < 14; i++)
        for (int z = 0; z < 2; z++)
            test_mesh_add_vertex(&star, (i % 2 + 1) * cos(i * 0.4487989505128276),
                                 (i % 2 + 1) * sin(i * 0.4487989505128276), z);
    test_mesh_add_vertex(&star, 0.0, 0.0, 0.0);
    test_mesh_add_vertex(&star, 0.0, 0.0, 1.0);
    for (uint32_t i = 0; i < 14; i++) {
        const uint32_t a = 2 * i, b = 2 * ((i + 1) % 14);
        test_mesh_add_triangle(&star, b, a, 28);
        test_mesh_add_triangle(&star, a + 1, b + 1, 29);
        test_mesh_add_triangle(&star, a, b, b + 1);
        test_mesh_add_triangle(&star, a, b + 1, a + 1);
    }
    check_slanted(&star, 5);
    // Turned by an angle that rounds: faces of one plane are in slightly different ones then.
    for (uint64_t v = 0; v < star.vertex_count; v++) {
        double *p = star.positions + 3 * v;
        const double x = 0.6 * p[0] - 0.8 * p[2], z = 0.8 * p[0] + 0.6 * p[2];
        p[0] = 0.28 * x - 0.96 * p[1];
        p[1] = 0.96 * x + 0.28 * p[1];
        p[2] = z / 3.0;
    }
    check_slanted(&star, 5);
    test_mesh_finish(&torus);
    test_mesh_finish(&sphere);
    test_mesh_finish(&star);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    cubes c = {{{false}}};
    c[0][0][0] = c[1][0][0] = c[0][1][0] = c[0][0][1] = true;
    test_mesh shape = surface_of(c);
    grz_mesh *mesh = test_mesh_upload(test_device, &shape);
    grz_convex_parts *parts = (grz_convex_parts *)&shape;
    grz_error error;
    grz_convex_parts_options options = grz_default_convex_parts_options();
    assert_int_equal(grz_convex_parts_of_mesh(NULL, NULL, &parts, &error), GRZ_ERROR_ARGUMENT);
    assert_null(parts);
    assert_int_equal(grz_convex_parts_of_mesh(mesh, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    options.max_parts = 0;
    assert_int_equal(grz_convex_parts_of_mesh(mesh, &options, &parts, &error), GRZ_ERROR_ARGUMENT);
    options.max_parts = 2;
    assert_int_equal(grz_convex_parts_of_mesh(mesh, &options, &parts, &error), GRZ_ERROR_LIMIT);
    assert_string_equal(error.message, "convex parts: there are more than 2 parts, see options.max_parts");
    const int raised = 1;
    options = grz_default_convex_parts_options();
    options.limits.cancel = &raised;
    assert_int_equal(grz_convex_parts_of_mesh(mesh, &options, &parts, &error), GRZ_ERROR_CANCELLED);
    grz_mesh_destroy(mesh);
    test_mesh_reverse(&shape);
    mesh = test_mesh_upload(test_device, &shape);
    assert_int_equal(grz_convex_parts_of_mesh(mesh, NULL, &parts, &error), GRZ_ERROR_MESH);
    assert_string_equal(error.message, "convex parts: the mesh is inside out, its faces are clockwise from outside");
    grz_mesh_destroy(mesh);
    shape.face_count--;
    shape.index_count -= 3;
    mesh = test_mesh_upload(test_device, &shape);
    assert_int_equal(grz_convex_parts_of_mesh(mesh, NULL, &parts, &error), GRZ_ERROR_MESH);
    assert_string_equal(error.message,
                        "convex parts: edge 83-82 of face 27: the mesh is not closed there, it has no inside");
    assert_true(error.element < shape.face_count);
    shape.face_count++;
    shape.index_count += 3;
    grz_mesh_destroy(mesh);
    // One face the other way round.
    uint32_t *corner = shape.indices + shape.index_count - 3;
    const uint32_t kept = corner[0];
    corner[0] = corner[1];
    corner[1] = kept;
    mesh = test_mesh_upload(test_device, &shape);
    assert_int_equal(grz_convex_parts_of_mesh(mesh, NULL, &parts, &error), GRZ_ERROR_MESH);
    assert_string_equal(error.message,
                        "convex parts: edge 83-82: face 27 runs through it in the same direction as another face");
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
    grz_convex_parts_destroy(NULL);
    assert_null(grz_convex_part_hull(NULL, 0));
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cubes c = {{{false}}};
    c[0][0][0] = c[1][0][0] = c[0][1][0] = true;
    test_mesh shape = surface_of(c);
    grz_status status = GRZ_ERROR_MEMORY;
    long at = 0;
    while (status == GRZ_ERROR_MEMORY) {
        counting_allocator counter = {.fail_at = 0};
        grz_device *device = counting_device_open(&counter);
        grz_mesh *mesh = test_mesh_upload(device, &shape);
        grz_convex_parts *parts;
        counter.calls = 0;
        counter.fail_at = ++at;
        status = grz_convex_parts_of_mesh(mesh, NULL, &parts, NULL);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
        grz_convex_parts_destroy(parts);
        grz_mesh_destroy(mesh);
        grz_device_close(device);
        assert_int_equal(counter.live, 0);
    }
    assert_true(at > 30);
    test_mesh_finish(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_are_cut_exactly), cmocka_unit_test(slanted_solids_keep_their_volume),
        cmocka_unit_test(bad_input_is_refused), cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
