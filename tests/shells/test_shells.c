// SPDX-License-Identifier: MIT
// The rules by which faces make shells, one case each: edges of two, three and more faces, any angle between them,
// faces without area, faces that coincide, what is wound inwards; polygons; cutting; bad input, memory that runs out.
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

static grz_mesh_shells *shells_of(const test_mesh *mesh)
{
    grz_mesh *uploaded = test_mesh_upload(test_device, mesh);
    grz_mesh_shells *shells;
    assert_int_equal(grz_mesh_shells_find(uploaded, NULL, &shells, NULL), GRZ_OK);
    grz_mesh_destroy(uploaded);
    return shells;
}

// Find the shells and compare the part of each face with `expected`, one digit a face.
static void expect_parts(const test_mesh *mesh, const char *expected)
{
    grz_mesh_shells *shells = shells_of(mesh);
    char found[256];
    const uint32_t *of = grz_mesh_shells_of_faces(shells);
    assert_true(mesh->face_count < sizeof found);
    for (uint64_t f = 0; f < mesh->face_count; f++) {
        grz_mesh_shell shell;
        assert_true(grz_mesh_shells_describe(shells, of[f], &shell));
        found[f] = (char)('0' + shell.part);
    }
    found[mesh->face_count] = '\0';
    assert_string_equal(found, expected);
    grz_mesh_shells_destroy(shells);
}

static test_mesh box(double x, double y, double z, double wide)
{
    return test_mesh_cube_quads(x, y, z, wide);
}

static test_mesh turned(test_mesh mesh)
{
    test_mesh_reverse(&mesh);
    return mesh;
}

// A quad from the z axis outwards, along (x, y), that runs up the axis or down.
static void add_sheet(test_mesh *mesh, double x, double y, bool up)
{
    const uint32_t low = test_mesh_add_vertex(mesh, 0, 0, 0), high = test_mesh_add_vertex(mesh, 0, 0, 1),
                   far = test_mesh_add_vertex(mesh, x, y, 0), above = test_mesh_add_vertex(mesh, x, y, 1);
    if (up)
        test_mesh_add_face(mesh, (const uint32_t[]){low, high, above, far}, 4);
    else
        test_mesh_add_face(mesh, (const uint32_t[]){low, far, above, high}, 4);
}

static void edges_join_and_corners_do_not(void **state)
{
    (void)state;
    test_mesh mesh = box(0, 0, 0, 1);
    test_mesh_take(&mesh, box(1, 1, 1, 1));
    expect_parts(&mesh, "000000111111"); // a common corner
    test_mesh_finish(&mesh);

    for (int ways = 0; ways < 4; ways++) { // two faces, however they are wound
        mesh = (test_mesh){.positions = NULL};
        add_sheet(&mesh, 1, 0, (ways & 1) != 0);
        add_sheet(&mesh, -1, 2, (ways & 2) != 0);
        expect_parts(&mesh, "00");
        test_mesh_finish(&mesh);
    }
}

// Directions around the z axis, counter-clockwise.
static const double AROUND[6][2] = {{2, 0}, {2, 1}, {-1, 2}, {-3, 0}, {-1, -1}, {1, -4}};

// Sheets around the axis: '(' opens a piece of material counter-clockwise, ')' closes one, a space leaves one out.
static void expect_around(const char *sheets, const char *expected)
{
    test_mesh mesh = {.positions = NULL};
    for (int i = 0; sheets[i] != '\0'; i++)
        if (sheets[i] != ' ')
            add_sheet(&mesh, AROUND[i][0], AROUND[i][1], sheets[i] == ')');
    expect_parts(&mesh, expected);
    test_mesh_finish(&mesh);
}

static void fans_join_what_bounds_one_piece(void **state)
{
    (void)state;
    expect_around("()()", "0011");
    expect_around(")()(", "0110");
    expect_around("()()()", "001122");
    expect_around("(())", "0110");   // nested
    expect_around("((())", "01221"); // of five one is left over
    expect_around("())", "001");
    expect_around(")()", "011");
    expect_around("(((", "000"); // all are left over: they are joined
    expect_around("((((", "0000");
    expect_around("()) )", "0011"); // two are left over
}

// A wedge between two directions around the z axis, as a prism of triangles.
static void add_wedge(test_mesh *mesh, const double one[2], const double other[2])
{
    uint32_t v[6];
    for (int k = 0; k < 2; k++) {
        v[3 * k] = test_mesh_add_vertex(mesh, 0, 0, k);
        v[3 * k + 1] = test_mesh_add_vertex(mesh, one[0], one[1], k);
        v[3 * k + 2] = test_mesh_add_vertex(mesh, other[0], other[1], k);
    }
    test_mesh_add_triangle(mesh, v[0], v[2], v[1]);
    test_mesh_add_triangle(mesh, v[3], v[4], v[5]);
    for (int k = 0; k < 3; k++) {
        const uint32_t i = v[k], j = v[(k + 1) % 3], above_i = v[k + 3], above_j = v[(k + 1) % 3 + 3];
        test_mesh_add_triangle(mesh, i, j, above_j);
        test_mesh_add_triangle(mesh, i, above_j, above_i);
    }
}

// Wedges around one edge, with gaps or flush, at angles as small as doubles allow: as many shells.
static void wedges_around_an_edge_are_shells(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_stream random = {seed};
        const int most = 2 + (int)random_below(&random, 30);
        test_mesh mesh = {.positions = NULL};
        uint32_t count = 0, owner[400], moved[400];
        double angle = 0.0;
        for (int i = 0; i < most; i++) {
            const double step = random_below(&random, 4) == 0 ? 1e-15 : 0.05 + 0.1 * fabs(random_signed(&random));
            const double one[2] = {cos(angle), sin(angle)}, other[2] = {cos(angle + step), sin(angle + step)};
            if (angle + step > 6.2)
                break;
            angle += step;
            // Skip what rounding has turned to nothing; leave gaps.
            if (one[0] * other[1] - one[1] * other[0] <= 0 || random_below(&random, 4) == 0)
                continue;
            const uint64_t before = mesh.face_count;
            add_wedge(&mesh, one, other);
            for (uint64_t f = before; f < mesh.face_count; f++)
                owner[f] = count;
            count++;
        }
        if (count == 0)
            continue;
        test_mesh_shuffle(&mesh, &random, moved);
        if (seed % 2 == 0)
            test_mesh_reverse(&mesh);
        grz_mesh_shells *shells = shells_of(&mesh);
        if (grz_mesh_shells_count(shells) != count)
            fail_msg("seed %llu: %u shells of %u wedges", (unsigned long long)seed, grz_mesh_shells_count(shells),
                     count);
        uint32_t shell_of_wedge[400];
        memset(shell_of_wedge, UINT8_MAX, sizeof shell_of_wedge);
        for (uint64_t f = 0; f < mesh.face_count; f++) {
            uint32_t *shell = &shell_of_wedge[owner[f]];
            if (*shell == UINT32_MAX)
                *shell = grz_mesh_shells_of_faces(shells)[moved[f]];
            assert_int_equal(*shell, grz_mesh_shells_of_faces(shells)[moved[f]]);
        }
        grz_mesh_shells_destroy(shells);
        test_mesh_finish(&mesh);
    }
}

static void solids_that_overlap_stay_apart(void **state)
{
    (void)state;
    // Boxes of different sizes from one edge: what other edges join decides.
    test_mesh mesh = test_mesh_box_quads((const double[]){0, 0, 0}, (const double[]){4, 4, 1});
    test_mesh_take(&mesh, test_mesh_box_quads((const double[]){0, 0, 0}, (const double[]){2, 3, 1}));
    test_mesh_take(&mesh, test_mesh_box_quads((const double[]){-1, 0, 0}, (const double[]){0, 3, 1}));
    expect_parts(&mesh, "000000111111222222");
    test_mesh_finish(&mesh);

    // Wedges that overlap in part around one edge: brackets alone would join one's beginning to the other's end.
    mesh = (test_mesh){.positions = NULL};
    add_wedge(&mesh, AROUND[0], AROUND[2]);
    add_wedge(&mesh, AROUND[1], AROUND[3]);
    expect_parts(&mesh, "0000000011111111");
    test_mesh_finish(&mesh);

    // A box twice, and once more inside out: faces that coincide are told apart by their numbers.
    mesh = box(0, 0, 0, 1);
    test_mesh_take(&mesh, box(0, 0, 0, 1));
    expect_parts(&mesh, "000000111111");
    test_mesh_take(&mesh, turned(box(0, 0, 0, 1)));
    expect_parts(&mesh, "000000111111222222");
    test_mesh_finish(&mesh);

    // Flush boxes that are wound differently.
    mesh = box(0, 0, 0, 1);
    test_mesh_take(&mesh, turned(box(1, 0, 0, 1)));
    test_mesh_take(&mesh, box(2, 0, 0, 1));
    expect_parts(&mesh, "000000111111222222");
    test_mesh_finish(&mesh);
}

static void fins_are_parts(void **state)
{
    (void)state;
    test_mesh mesh = box(0, 0, 0, 1); // corner 0 is the origin, and its edges are the axes
    add_sheet(&mesh, -1, -1, false);
    expect_parts(&mesh, "0000001");
    grz_mesh_shells *shells = shells_of(&mesh);
    for (uint32_t i = 0; i < 2; i++) {
        grz_mesh_shell shell;
        assert_true(grz_mesh_shells_describe(shells, i, &shell));
        assert_int_equal(shell.closed, i == 0);
        assert_false(shell.inwards);
        assert_int_equal(shell.face_count, i == 0 ? 6 : 1);
    }
    grz_mesh_shells_destroy(shells);
    test_mesh_finish(&mesh);
}

static void faces_without_area_go_with_their_neighbours(void **state)
{
    (void)state;
    test_mesh mesh = test_mesh_cube(0, 0, 0, 2);
    test_mesh_take(&mesh, test_mesh_cube(2, 0, 0, 2));
    test_mesh_add_triangle(&mesh, 8 + 4, 8 + 5, 8 + 4); // a segment: an edge of the second cube alone
    test_mesh_add_triangle(&mesh, 8 + 6, 8 + 6, 8 + 6); // a point: its corner, which is the first's, too
    test_mesh_add_vertex(&mesh, 9, 9, 9);
    test_mesh_add_triangle(&mesh, 16, 16, 16); // a point by itself
    grz_mesh_shells *shells = shells_of(&mesh);
    const uint32_t *of = grz_mesh_shells_of_faces(shells);
    // Corner 4 of the second cube is (2, 0, 2), and corner 5 (4, 0, 2).
    assert_int_equal(of[24], 1);
    assert_true(of[25] <= 1);
    assert_int_equal(of[26], 2);
    assert_int_equal(grz_mesh_shells_count(shells), 3);
    grz_mesh_shells_destroy(shells);
    test_mesh_finish(&mesh);

    // A needle that fills a T-junction, each edge of which is an edge of another solid, too: it goes with its own.
    mesh = (test_mesh){.positions = NULL};
    static const double heights[3][2] = {{0, 2}, {0, 1}, {1, 2}};
    for (int i = 0; i < 3; i++) {
        const double *z = heights[i];
        test_mesh_take(&mesh, test_mesh_tetrahedron((const double[][3]){
                                  {0, 0, z[0]}, {0, 0, z[1]}, {-1 - i, -1, z[0]}, {-1 - i, -1.5, z[0]}}));
    }
    const uint32_t a = test_mesh_add_vertex(&mesh, 0, 0, 0), b = test_mesh_add_vertex(&mesh, 0, 0, 1),
                   c = test_mesh_add_vertex(&mesh, 0, 0, 2), d = test_mesh_add_vertex(&mesh, 1, 0, 0),
                   e = test_mesh_add_vertex(&mesh, 0, 1, 0);
    const uint32_t faces[6][3] = {{a, c, e}, {a, b, c}, {a, d, b}, {b, d, c}, {a, e, d}, {c, d, e}};
    for (int f = 0; f < 6; f++)
        test_mesh_add_triangle(&mesh, faces[f][0], faces[f][1], faces[f][2]);
    expect_parts(&mesh, "000011112222333333");
    shells = shells_of(&mesh);
    for (uint32_t i = 0; i < 4; i++) {
        grz_mesh_shell shell;
        assert_true(grz_mesh_shells_describe(shells, i, &shell));
        assert_true(shell.closed);
    }
    grz_mesh_shells_destroy(shells);
    test_mesh_finish(&mesh);
}

static void polygons_have_sides_and_diagonals(void **state)
{
    (void)state;
    // Two sheets on the diagonal of a quad, which is no edge of the quad.
    for (int ways = 0; ways < 4; ways++) {
        test_mesh mesh = {.positions = NULL};
        test_mesh_add_vertex(&mesh, 0, 0, 0);
        test_mesh_add_vertex(&mesh, 1, 0, 0.5);
        test_mesh_add_vertex(&mesh, 0, 0, 1);
        test_mesh_add_vertex(&mesh, -1, 0, 0.5);
        test_mesh_add_face(&mesh, (const uint32_t[]){0, 1, 2, 3}, 4);
        add_sheet(&mesh, 2, 1, (ways & 1) != 0);
        add_sheet(&mesh, -1, 2, (ways & 2) != 0);
        expect_parts(&mesh, "011");
        test_mesh_finish(&mesh);
    }

    // The end of a prism is a polygon with a corner in the middle of a straight side.
    test_mesh mesh = {.positions = NULL};
    for (int side = 0; side < 2; side++) {
        const double x = side == 0 ? -2 : 2;
        uint32_t v[2][5];
        for (int k = 0; k < 2; k++) {
            const int end = side == 0 ? k : 1 - k;
            v[k][0] = test_mesh_add_vertex(&mesh, 0, 0, end);
            v[k][1] = test_mesh_add_vertex(&mesh, 0, 1, end);
            v[k][2] = test_mesh_add_vertex(&mesh, 0, 2, end);
            v[k][3] = test_mesh_add_vertex(&mesh, x, 2, end);
            v[k][4] = test_mesh_add_vertex(&mesh, x, 0, end);
        }
        test_mesh_add_face(&mesh, (const uint32_t[]){v[0][4], v[0][3], v[0][2], v[0][1], v[0][0]}, 5);
        test_mesh_add_face(&mesh, (const uint32_t[]){v[1][0], v[1][1], v[1][2], v[1][3], v[1][4]}, 5);
        for (int i = 0; i < 5; i++)
            test_mesh_add_face(&mesh, (const uint32_t[]){v[0][i], v[0][(i + 1) % 5], v[1][(i + 1) % 5], v[1][i]}, 4);
    }
    expect_parts(&mesh, "00000001111111");
    test_mesh_finish(&mesh);
}

static void cavities_stay_with_what_is_around_them(void **state)
{
    (void)state;
    test_mesh mesh = turned(box(1, 1, 1, 1)); // a cavity, first
    test_mesh_take(&mesh, box(0, 0, 0, 9));
    expect_parts(&mesh, "000000000000");
    test_mesh_take(&mesh, turned(box(4, 4, 4, 3))); // another, with a hollow box in it
    test_mesh_take(&mesh, box(5, 5, 5, 1));
    test_mesh_take(&mesh, turned(test_mesh_cube_quads(5.25, 5.25, 5.25, 0.5)));
    expect_parts(&mesh, "000000000000000000111111111111");
    test_mesh_take(&mesh, turned(box(20, 0, 0, 1))); // inside nothing
    test_mesh_take(&mesh, turned(box(8, 1, 1, 2)));  // only in part
    expect_parts(&mesh, "000000000000000000111111111111222222333333");
    test_mesh_finish(&mesh);

    mesh = box(0, 0, 0, 9); // two that hold it: the smaller
    test_mesh_take(&mesh, test_mesh_box_quads((const double[]){0, 0, 0}, (const double[]){9, 9, 8}));
    test_mesh_take(&mesh, turned(box(1, 1, 0, 1))); // it touches from inside
    expect_parts(&mesh, "000000111111111111");
    test_mesh_finish(&mesh);

    mesh = box(0, 0, 0, 9); // an open box holds nothing
    mesh.face_count--;
    mesh.index_count -= 4;
    test_mesh_take(&mesh, turned(box(1, 1, 1, 1)));
    expect_parts(&mesh, "00000111111");
    test_mesh_finish(&mesh);
}

// The sign of a volume that doubles cannot tell, and a volume of exactly 0.
static void tiny_volumes_are_exact(void **state)
{
    (void)state;
    const double up = nextafter(1.0, 2.0);
    for (int way = 0; way < 3; way++) { // a pyramid whose tip is above, in, or below its base by one ulp
        test_mesh mesh = {.positions = NULL};
        const double tip = way == 0 ? 0x1p-53 : way == 1 ? 0.0 : -0x1p-53;
        for (int i = 0; i < 4; i++)
            test_mesh_add_vertex(&mesh, 1e9 * (i == 1) + up, 1e9 * (i == 2) + 3.0, i == 3 ? 0.5 + tip : 0.5);
        mesh.positions[9] = 2.0;
        mesh.positions[10] = 4.0;
        test_mesh_add_triangle(&mesh, 0, 2, 1);
        test_mesh_add_triangle(&mesh, 0, 1, 3);
        test_mesh_add_triangle(&mesh, 1, 2, 3);
        test_mesh_add_triangle(&mesh, 2, 0, 3);
        grz_mesh_shells *shells = shells_of(&mesh);
        grz_mesh_shell shell;
        assert_true(grz_mesh_shells_describe(shells, 0, &shell));
        assert_true(shell.closed);
        assert_int_equal(shell.inwards, way == 2);
        grz_mesh_shells_destroy(shells);
        test_mesh_finish(&mesh);
    }
}

static void parts_are_cut_bit_for_bit(void **state)
{
    (void)state;
    test_mesh mesh = turned(test_mesh_icosphere(0.7, 2)), outer = test_mesh_icosphere(1.1, 2);
    test_mesh_take(&mesh, box(5, 0, 0, 1));
    test_mesh_take(&mesh, outer);
    grz_mesh *whole = test_mesh_upload(test_device, &mesh), *part;
    grz_mesh_shells *shells;
    assert_int_equal(grz_mesh_shells_find(whole, NULL, &shells, NULL), GRZ_OK);
    assert_int_equal(grz_mesh_shells_count(shells), 3);
    assert_int_equal(grz_mesh_shells_part_count(shells), 2);
    for (uint32_t p = 0; p < 2; p++) {
        uint64_t count;
        const uint32_t *faces = grz_mesh_shells_part_faces(shells, p, &count);
        assert_int_equal(grz_mesh_shells_cut(shells, whole, p, &part, NULL), GRZ_OK);
        assert_int_equal(grz_mesh_face_count(part), count);
        assert_int_equal(count, p == 0 ? 640 : 6);
        for (uint64_t f = 0; f < count; f++) {
            uint32_t here, there;
            const uint32_t *a = grz_mesh_face(part, f, &here), *b = grz_mesh_face(whole, faces[f], &there);
            assert_int_equal(here, there);
            for (uint32_t k = 0; k < here; k++)
                assert_memory_equal(grz_mesh_positions(part) + 3 * (size_t)a[k],
                                    grz_mesh_positions(whole) + 3 * (size_t)b[k], 3 * sizeof(double));
        }
        grz_mesh_destroy(part);
    }
    grz_mesh_destroy(whole);
    grz_mesh_shells_destroy(shells);
    test_mesh_finish(&mesh);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    grz_error error;
    grz_mesh_shell shell;
    test_mesh cube = box(0, 0, 0, 1), other = test_mesh_cube(0, 0, 0, 1);
    grz_mesh *mesh = test_mesh_upload(test_device, &cube), *wrong = test_mesh_upload(test_device, &other), *out = mesh;
    grz_mesh_shells *shells = (grz_mesh_shells *)mesh;
    assert_int_equal(grz_mesh_shells_find(NULL, NULL, &shells, &error), GRZ_ERROR_ARGUMENT);
    assert_null(shells);
    assert_int_equal(grz_mesh_shells_find(mesh, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    const int cancel = 1;
    grz_mesh_shells_options options = grz_default_mesh_shells_options();
    options.limits.cancel = &cancel;
    assert_int_equal(grz_mesh_shells_find(mesh, &options, &shells, &error), GRZ_ERROR_CANCELLED);
    assert_null(shells);
    assert_int_equal(grz_mesh_shells_find(mesh, NULL, &shells, &error), GRZ_OK);
    assert_false(grz_mesh_shells_describe(shells, 1, &shell));
    assert_false(grz_mesh_shells_describe(shells, 0, NULL));
    assert_int_equal(grz_mesh_shells_cut(shells, mesh, 1, &out, &error), GRZ_ERROR_ARGUMENT);
    assert_null(out);
    assert_int_equal(grz_mesh_shells_cut(shells, wrong, 0, &out, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_shells_cut(shells, NULL, 0, &out, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_shells_cut(NULL, mesh, 0, &out, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_shells_cut(shells, mesh, 0, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_null(grz_mesh_shells_part_faces(shells, 1, NULL));
    assert_null(grz_mesh_shells_of_faces(NULL));
    assert_int_equal(grz_mesh_shells_count(NULL) + grz_mesh_shells_part_count(NULL), 0);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(wrong);
    grz_mesh_shells_destroy(shells);
    grz_mesh_shells_destroy(NULL);
    test_mesh_finish(&cube);
    test_mesh_finish(&other);
}

// A mesh that takes every way through the code: simple fans and others, faces without area, cavities.
static test_mesh varied(void)
{
    test_mesh mesh = test_mesh_cube(0, 0, 0, 8);
    test_mesh_take(&mesh, test_mesh_cube(8, 0, 0, 8));
    test_mesh_take(&mesh, test_mesh_cube(8, 0, 0, 8));
    test_mesh_take(&mesh, turned(test_mesh_cube(2, 2, 2, 1)));
    test_mesh_add_triangle(&mesh, 0, 1, 0);
    test_mesh_add_triangle(&mesh, 2, 2, 2);
    return mesh;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    counting_allocator counter = {0};
    grz_device *device = counting_device_open(&counter);
    test_mesh mesh = varied();
    grz_mesh *uploaded = test_mesh_upload(device, &mesh), *part = NULL;
    const long live = counter.live;
    long failures = 0;
    for (long at = 1;; at++, failures++) {
        grz_mesh_shells *shells = NULL;
        grz_error error = {0};
        counter.calls = 0;
        counter.fail_at = at;
        grz_status status = grz_mesh_shells_find(uploaded, NULL, &shells, &error);
        if (status == GRZ_OK)
            status = grz_mesh_shells_cut(shells, uploaded, 1, &part, &error);
        const bool reached = counter.calls >= at;
        counter.fail_at = 0;
        grz_mesh_destroy(part);
        part = NULL;
        grz_mesh_shells_destroy(shells);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
        assert_true(status == GRZ_OK || strstr(error.message, "memory") != NULL);
        if (!reached) {
            assert_int_equal(status, GRZ_OK);
            break;
        }
    }
    assert_true(failures > 40);
    assert_int_equal(counter.live, live);
    grz_mesh_destroy(uploaded);
    grz_device_close(device);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_join_and_corners_do_not),
        cmocka_unit_test(fans_join_what_bounds_one_piece),
        cmocka_unit_test(wedges_around_an_edge_are_shells),
        cmocka_unit_test(solids_that_overlap_stay_apart),
        cmocka_unit_test(fins_are_parts),
        cmocka_unit_test(faces_without_area_go_with_their_neighbours),
        cmocka_unit_test(polygons_have_sides_and_diagonals),
        cmocka_unit_test(cavities_stay_with_what_is_around_them),
        cmocka_unit_test(tiny_volumes_are_exact),
        cmocka_unit_test(parts_are_cut_bit_for_bit),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
