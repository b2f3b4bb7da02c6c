// SPDX-License-Identifier: MIT
// Covers of solids by convex parts: random points of the solid are in a part, random points of the parts are no
// farther from the solid than is said, and the lower bound is not above what is allowed where the parts suffice.
// Solids with a hole, with a cavity, that cross themselves; few parts; any number of threads; bad input, limits,
// memory that runs out.
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "ask/convex_parts/ruler.h"
#include "base/control.h"
#include "support_devices.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

enum {
    POINTS = TEST_SANITIZED ? 300 : 4000,
    LOOSE = TEST_SANITIZED ? 3 : 1 // times the errors allowed
};

static double random_share(random_stream *random)
{
    return random_below(random, 1 << 30) / (double)(1 << 30);
}

// A prism over an L of three squares.
static test_mesh make_l(void)
{
    static const double outline[6][2] = {{1, 1}, {1, 2}, {0, 2}, {0, 0}, {2, 0}, {2, 1}};
    test_mesh mesh = {.positions = NULL};
    for (int i = 0; i < 6; i++)
        for (int z = 0; z < 2; z++)
            test_mesh_add_vertex(&mesh, outline[i][0], outline[i][1], z);
    for (uint32_t i = 1; i + 1 < 6; i++) {
        test_mesh_add_triangle(&mesh, 0, 2 * i + 2, 2 * i);
        test_mesh_add_triangle(&mesh, 1, 2 * i + 1, 2 * i + 3);
    }
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t a = 2 * i, b = 2 * ((i + 1) % 6);
        test_mesh_add_triangle(&mesh, a, b, b + 1);
        test_mesh_add_triangle(&mesh, a, b + 1, a + 1);
    }
    return mesh;
}

// How far a point is from a part, at least.
static double distance_from(const grz_hull *part, const double p[3])
{
    const grz_shape body = grz_shape_hull(grz_hull_vertices(part), grz_hull_vertex_count(part)),
                    point = grz_shape_point(p);
    grz_shape_answer answer;
    grz_shape_options options = grz_default_shape_options();
    options.depth = false;
    assert_int_equal(grz_shapes_compare(test_device, &body, &point, &options, &answer, NULL), GRZ_OK);
    return answer.lower;
}

static void distances(const grz_mesh *mesh, const double *points, grz_point_distance *answers)
{
    const grz_object object = grz_object_at_origin(mesh);
    grz_distance_points_options options = grz_default_distance_points_options();
    assert_int_equal(grz_distance_points(test_device, &object, points, POINTS, &options, answers, NULL), GRZ_OK);
}

// Every point of the solid is in a part.
static void check_cover(const test_mesh *shape, const grz_mesh *mesh, const grz_convex_parts *parts,
                        random_stream *random)
{
    static double points[3 * POINTS];
    static grz_point_distance answers[POINTS];
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    uint32_t inside = 0;
    for (uint64_t i = 0; i < 3 * shape->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], shape->positions[i]);
        high[i % 3] = fmax(high[i % 3], shape->positions[i]);
    }
    for (uint32_t i = 0; i < 3 * POINTS; i++)
        points[i] = low[i % 3] + random_share(random) * (high[i % 3] - low[i % 3]);
    distances(mesh, points, answers);
    for (uint32_t i = 0; i < POINTS; i++) {
        if (answers[i].location != GRZ_INSIDE)
            continue;
        inside++;
        double nearest = HUGE_VAL;
        for (uint32_t part = 0; part < grz_convex_parts_count(parts); part++)
            nearest = fmin(nearest, distance_from(grz_convex_part_hull(parts, part), points + (size_t)3 * i));
        if (nearest > grz_convex_parts_rounding(parts))
            fail_msg("a point is %g outside of all parts, rounding %g", nearest, grz_convex_parts_rounding(parts));
    }
    assert_true(inside > POINTS / 50);
}

// No point of a part is farther from the solid than is said.
static void check_errors(const grz_mesh *mesh, const grz_convex_parts *parts, double allowed, random_stream *random)
{
    static double points[3 * POINTS];
    static grz_point_distance answers[POINTS];
    static uint32_t of[POINTS];
    for (uint32_t i = 0; i < POINTS; i++) {
        of[i] = random_below(random, grz_convex_parts_count(parts));
        const grz_hull *part = grz_convex_part_hull(parts, of[i]);
        double sum = 0.0, share[4];
        memset(points + (size_t)3 * i, 0, 3 * sizeof *points);
        for (int j = 0; j < 4; j++)
            sum += share[j] = 1e-9 + random_share(random) * (double)random_below(random, 2);
        for (int j = 0; j < 4; j++) {
            const double *corner =
                grz_hull_vertices(part) + (size_t)3 * random_below(random, grz_hull_vertex_count(part));
            for (uint32_t k = 0; k < 3; k++)
                points[3 * i + k] += share[j] / sum * corner[k];
        }
    }
    distances(mesh, points, answers);
    for (uint32_t i = 0; i < POINTS; i++) {
        double lower, upper;
        assert_true(grz_convex_part_error(parts, of[i], &lower, &upper));
        assert_true(lower <= upper && (upper <= allowed || upper <= 1.07 * lower));
        if (answers[i].location == GRZ_OUTSIDE)
            assert_true(answers[i].lower <= upper + 4.0 * grz_convex_parts_rounding(parts));
    }
}

static uint32_t check(const char *name, const test_mesh *shape, double allowed, uint32_t most)
{
    random_stream random = {allowed > 0.0 ? 5 : 6};
    grz_mesh *mesh = test_mesh_upload(test_device, shape);
    grz_convex_cover_options options = grz_default_convex_cover_options();
    grz_convex_parts *parts;
    grz_error error;
    double most_lower = 0.0, most_upper = 0.0;
    options.error = allowed;
    options.max_parts = most;
    options.limits.deadline = 120.0; // seconds; they take one or two
    if (grz_convex_cover_of_mesh(mesh, &options, &parts, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const uint32_t count = grz_convex_parts_count(parts);
    assert_in_range(count, 1, most);
    for (uint32_t i = 0; i < count; i++) {
        double lower, upper;
        assert_true(grz_convex_part_error(parts, i, &lower, &upper));
        most_lower = fmax(most_lower, lower);
        most_upper = fmax(most_upper, upper);
    }
    printf("%s: %u parts, they stand out by %.3g to %.3g of %.3g\n", name, count, most_lower, most_upper, allowed);
    check_cover(shape, mesh, parts, &random);
    check_errors(mesh, parts, allowed, &random);
    grz_convex_parts_destroy(parts);
    grz_mesh_destroy(mesh);
    return count;
}

static void solids_are_covered(void **state)
{
    (void)state;
    test_mesh l = make_l(), torus = test_mesh_torus(3.0, 1.0, 24, 12), sphere = test_mesh_icosphere(2.0, 2);
    assert_int_equal(check("an L", &l, 0.05, 64), 2);
    assert_int_equal(check("an L, loosely", &l, 0.8, 64), 1);
    assert_int_equal(check("a ball", &sphere, 0.1, 64), 1);
    assert_in_range(check("a torus", &torus, LOOSE * 0.25, 64), 4, 14);
    assert_in_range(check("a torus, with few parts", &torus, LOOSE * 0.25, 3), 3, 3);
    assert_int_equal(check("a torus, with one", &torus, LOOSE * 0.25, 1), 1);
    for (uint64_t v = 0; v < l.vertex_count; v++) { // turned by an angle that rounds
        double *p = l.positions + 3 * v;
        const double x = 0.6 * p[0] - 0.8 * p[2], z = 0.8 * p[0] + 0.6 * p[2];
        p[0] = 0.28 * x - 0.96 * p[1];
        p[1] = 0.96 * x + 0.28 * p[1];
        p[2] = z / 3.0;
    }
    assert_int_equal(check("an L, turned", &l, 0.05, 64), 2);
    test_mesh_finish(&l);
    test_mesh_finish(&torus);
    test_mesh_finish(&sphere);
}

// The middle of a cavity is far from the solid, though the hull's surface is not.
static void a_cavity_is_not_overlooked(void **state)
{
    (void)state;
    test_mesh shell = test_mesh_cube(0.0, 0.0, 0.0, 4.0), hole = test_mesh_cube(1.0, 1.0, 1.0, 2.0);
    test_mesh_reverse(&hole);
    test_mesh_take(&shell, hole);
    assert_in_range(check("a hollow cube", &shell, 0.2, 64), 6, 12);
    assert_int_equal(check("a hollow cube in one", &shell, 0.2, 1), 1);
    test_mesh_finish(&shell);
}

// Points of a plate that posts pass through, which are in a part or as near to one as is said.
static void check_plate(const grz_mesh *mesh, const grz_convex_parts *parts, double thick, random_stream *random)
{
    static double points[3 * POINTS];
    static grz_point_distance answers[POINTS];
    for (uint32_t i = 0; i < 3 * POINTS; i++)
        points[i] = i % 3 < 2    ? 4.0 * random_share(random)
                    : i % 9 == 2 ? 0.0
                    : i % 9 == 5 ? thick
                                 : thick * random_share(random);
    distances(mesh, points, answers);
    for (uint32_t i = 0; i < POINTS; i++) {
        double nearest = HUGE_VAL;
        for (uint32_t part = 0; answers[i].location != GRZ_OUTSIDE && part < grz_convex_parts_count(parts); part++)
            nearest = fmin(nearest, distance_from(grz_convex_part_hull(parts, part), points + (size_t)3 * i));
        if (answers[i].location != GRZ_OUTSIDE && nearest > grz_convex_parts_rounding(parts))
            fail_msg("a plate of %g: a point is %g outside of all parts, rounding %g", thick, nearest,
                     grz_convex_parts_rounding(parts));
    }
}

// Prisms that cross each other, at coordinates that are roots: a piece is flat, and its volume a little below 0.
static void flat_pieces_are_no_failure(void **state)
{
    // Of each prism: a corner in x and y, the ways along two sides, and the heights of both ends.
    static const double prisms[4][8] = {{1, -2, 2, 0, 0, 2, -1, 1},
                                        {-3.2192225518585715, -1, 4, 0, 0.4384449037171430, 4, -1, 1},
                                        {-1, -2, 2, 0, 0, 2, -3, 1},
                                        {0.6850577509838698, 0, 2, 0, -1.3701155019677396, 4, -1, 1}};
    test_mesh all = {.vertex_count = 0};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const double *m = prisms[i];
        test_mesh prism = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
        for (uint64_t v = 0; v < prism.vertex_count; v++) {
            double *p = prism.positions + 3 * v;
            const double x = p[0], y = p[1];
            p[0] = m[0] + m[2] * x + m[4] * y;
            p[1] = m[1] + m[3] * x + m[5] * y;
            p[2] = p[2] > 0.5 ? m[7] : m[6];
        }
        if (i == 0)
            all = prism;
        else
            test_mesh_take(&all, prism);
    }
    grz_mesh *mesh = test_mesh_upload(test_device, &all);
    for (int i = 2; i <= 7; i++) {
        grz_convex_cover_options options = grz_default_convex_cover_options();
        grz_convex_parts *parts;
        grz_error error;
        options.error = 0.05 * i;
        if (grz_convex_cover_of_mesh(mesh, &options, &parts, &error) != GRZ_OK)
            fail_msg("error %g: %s", options.error, error.message);
        grz_convex_parts_destroy(parts);
    }
    grz_mesh_destroy(mesh);
    test_mesh_finish(&all);
}

// Boxes that cross each other; under the even-odd rule what two of them share is empty. Some pieces are nearly flat.
// To measure them once took minutes, because boxes far beyond their edges were not told from them.
static void nearly_flat_pieces_are_measured(void **state)
{
    static const double boxes[4][2][3] = {{{-2.4004402039486985, -3.7075747913869668, 0.34993833282085185},
                                           {0.34517407668573985, 0.18904755706662413, 3.1313896650999107}},
                                          {{-1.0628119628462604, -0.8056579712915122, -3.085881106305926},
                                           {1.5448727313540482, 0.9830321535838777, -0.42768175745842063}},
                                          {{0.619934085874599, -1.3050259294739188, 0.010616482574754671},
                                           {2.4209077639534575, 0.697984148520554, 1.288468840644804}},
                                          {{-0.5041949575016251, -2.5572584258602022, 0.3797187122199994},
                                           {2.521862970614421, 0.5699039790663161, 3.4315107013231745}}};
    test_mesh all = test_mesh_box(boxes[0][0], boxes[0][1]);
    (void)state;
    for (int i = 1; i < 4; i++)
        test_mesh_take(&all, test_mesh_box(boxes[i][0], boxes[i][1]));
    const double start = (double)clock() / CLOCKS_PER_SEC;
    assert_in_range(check("boxes that cross", &all, LOOSE * 0.05, 64), 6, 30);
    assert_true((double)clock() / CLOCKS_PER_SEC - start < (TEST_SANITIZED ? 300.0 : 30.0));
    test_mesh_finish(&all);
}

// Two plates and their hull: a whole plane between them is farthest from both, so very many boxes are looked at.
static void a_gap_between_plates_is_measured(void **state)
{
    static const double plates[2][2][3] = {{{0, 0, 0}, {4, 4, 0.5}}, {{0, 0, 1.5}, {4, 4, 2}}};
    test_mesh all = test_mesh_box(plates[0][0], plates[0][1]);
    grz_convex_cover_options options = grz_default_convex_cover_options();
    grz_convex_parts *parts;
    double lower, upper;
    (void)state;
    test_mesh_take(&all, test_mesh_box(plates[1][0], plates[1][1]));
    grz_mesh *mesh = test_mesh_upload(test_device, &all);
    options.error = 0.01;
    options.max_parts = 1;
    assert_int_equal(grz_convex_cover_of_mesh(mesh, &options, &parts, NULL), GRZ_OK);
    assert_int_equal(grz_convex_parts_count(parts), 1);
    assert_true(grz_convex_part_error(parts, 0, &lower, &upper));
    assert_true(0.48 < lower && lower <= 0.5 && 0.5 <= upper && upper < 0.54);
    grz_convex_parts_destroy(parts);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&all);
}

// Cuts across a thin plate make corners of cells on its sides.
static void thin_plates_are_covered(void **state)
{
    (void)state;
    random_stream random = {9};
    for (int thinness = 4; thinness <= 44; thinness += TEST_SANITIZED ? 20 : 4) {
        const double thick = ldexp(1.0, -thinness), low[3] = {0.0, 0.0, 0.0}, high[3] = {4.0, 4.0, thick};
        test_mesh all = test_mesh_box(low, high);
        for (int i = 0; i < 3; i++) {
            test_mesh post = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
            for (uint64_t v = 0; v < post.vertex_count; v++) { // askew, and where it is not in the middle
                double *p = post.positions + 3 * v;
                const double x = 0.6 * p[0] - 0.8 * p[1], y = 0.8 * p[0] + 0.6 * p[1];
                p[0] = 0.9 + 1.1 * i + x;
                p[1] = 1.1 + 0.9 * (i % 2 == 0 ? 0 : 1.7) + y;
            }
            test_mesh_take(&all, post);
        }
        grz_mesh *mesh = test_mesh_upload(test_device, &all);
        grz_convex_cover_options options = grz_default_convex_cover_options();
        grz_convex_parts *parts;
        options.error = LOOSE * 0.1;
        assert_int_equal(grz_convex_cover_of_mesh(mesh, &options, &parts, NULL), GRZ_OK);
        printf("a plate of %g: %u parts, rounding %g\n", thick, grz_convex_parts_count(parts),
               grz_convex_parts_rounding(parts));
        check_plate(mesh, parts, thick, &random);
        grz_convex_parts_destroy(parts);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&all);
    }
}

// What two cubes have in common is outside by the even-odd rule.
static void surfaces_that_cross_are_covered(void **state)
{
    (void)state;
    test_mesh both = test_mesh_cube(0.0, 0.0, 0.0, 2.0), other = test_mesh_cube(1.0, 0.5, 0.25, 2.0);
    test_mesh_take(&both, other);
    assert_in_range(check("two cubes that overlap", &both, 0.1, 64), 3, 12);
    test_mesh_finish(&both);
}

// By the even-odd rule a cavity may be wound as the outer surface is, and so may half of a surface that crosses itself.
static void surfaces_may_be_wound_either_way(void **state)
{
    (void)state;
    static const double places[][2] = {{0.25, 0.5}, {0.5, 1.0}, {0.25, 1.0}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const double at = places[i][0];
        test_mesh both = test_mesh_cube(0.0, 0.0, 0.0, 1.0), other = test_mesh_cube(at, at, at, places[i][1]);
        test_mesh_take(&both, other);
        assert_in_range(check("two cubes wound outwards", &both, 0.1, 64), 6, 8);
        test_mesh_finish(&both);
    }
}

// The hull of two cubes with a gap of 1 between them stands out by 0.5, also if both are pressed flat.
static void flat_bodies_are_measured(void **state)
{
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        test_mesh both = test_mesh_cube(0.0, 0.0, 0.0, 1.0), other = test_mesh_cube(2.0, 0.0, 0.0, 1.0);
        grz_convex_cover_options options = grz_default_convex_cover_options();
        grz_convex_parts *parts;
        grz_error error;
        double lower, upper;
        test_mesh_take(&both, other);
        for (uint64_t v = 0; v < both.vertex_count; v++) {
            double *p = both.positions + 3 * v;
            p[2] = flat > 0 ? p[0] : p[2]; // in the plane z = x
        }
        grz_mesh *mesh = test_mesh_upload(test_device, &both);
        options.error = 0.01;
        options.max_parts = 1;
        assert_int_equal(grz_convex_cover_of_mesh(mesh, &options, &parts, &error), GRZ_OK);
        assert_int_equal(grz_convex_parts_count(parts), 1);
        assert_int_equal(grz_hull_dimension(grz_convex_part_hull(parts, 0)), 3 - flat);
        assert_true(grz_convex_part_error(parts, 0, &lower, &upper));
        const double exact = 0.5 * sqrt(1.0 + flat);
        assert_true(lower > 0.93 * exact && lower <= exact * (1.0 + 1e-15));
        assert_true(exact <= upper * (1.0 + 1e-15) && upper < 1.07 * exact);
        grz_convex_parts_destroy(parts);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&both);
    }
}

// A body that is a segment, as of a needle whose corners were rounded, from one of two cubes to the other.
static void segments_are_measured(void **state)
{
    (void)state;
    const grz_allocator allocator = grz_malloc_allocator();
    static const double ends[2][3] = {{0.5, 0.25, 0.25}, {3.5, 0.5, 0.75}};
    test_mesh both = test_mesh_cube(0.0, 0.0, 0.0, 1.0), other = test_mesh_cube(3.0, 0.0, 0.0, 1.0);
    test_mesh_take(&both, other);
    grz_mesh *mesh = test_mesh_upload(test_device, &both);
    grz_control control;
    grz_hull_shape segment;
    grz_parts_measure found;
    grz_control_init(&control, &allocator, NULL);
    const grz_parts_ruler ruler = {
        .device = test_device, .solid = grz_object_at_origin(mesh), .size = 4.0, .control = &control};
    assert_int_equal(grz_hull_build(ends[0], NULL, 2, &control, &segment), GRZ_OK);
    assert_int_equal(segment.dimension, 1);
    assert_int_equal(grz_parts_measure_hull(&ruler, &segment, 1e-3, false, &found), GRZ_OK);
    assert_true(found.lower > 0.93 && found.lower <= 1.0 && found.upper >= 1.0 && found.upper < 1.07);
    grz_hull_shape_finish(&allocator, &segment);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&both);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    test_mesh torus = test_mesh_torus(3.0, 1.0, 16, 8);
    grz_convex_parts *parts[2];
    grz_device *devices[2];
    grz_convex_cover_options options = grz_default_convex_cover_options();
    options.error = LOOSE * 0.15;
    for (unsigned i = 0; i < 2; i++) {
        devices[i] = test_device_open(1 + 3 * i);
        grz_mesh *mesh = test_mesh_upload(devices[i], &torus);
        assert_int_equal(grz_convex_cover_of_mesh(mesh, &options, &parts[i], NULL), GRZ_OK);
        grz_mesh_destroy(mesh);
    }
    assert_int_equal(grz_convex_parts_count(parts[0]), grz_convex_parts_count(parts[1]));
    for (uint32_t i = 0; i < grz_convex_parts_count(parts[0]); i++) {
        const grz_hull *a = grz_convex_part_hull(parts[0], i), *b = grz_convex_part_hull(parts[1], i);
        double bounds[4];
        assert_int_equal(grz_hull_vertex_count(a), grz_hull_vertex_count(b));
        assert_memory_equal(grz_hull_vertices(a), grz_hull_vertices(b), 3 * sizeof(double) * grz_hull_vertex_count(a));
        assert_true(grz_convex_part_error(parts[0], i, &bounds[0], &bounds[1]));
        assert_true(grz_convex_part_error(parts[1], i, &bounds[2], &bounds[3]));
        assert_memory_equal(bounds, bounds + 2, 2 * sizeof *bounds);
    }
    for (int i = 0; i < 2; i++) {
        grz_convex_parts_destroy(parts[i]);
        grz_device_close(devices[i]);
    }
    test_mesh_finish(&torus);
}

static void expect(const grz_mesh *mesh, const grz_convex_cover_options *options, grz_status status,
                   const char *message)
{
    grz_convex_parts *parts = NULL;
    grz_error error;
    assert_int_equal(grz_convex_cover_of_mesh(mesh, options, &parts, &error), status);
    assert_null(parts);
    assert_string_equal(error.message, message);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    test_mesh l = make_l();
    grz_mesh *mesh = test_mesh_upload(test_device, &l);
    grz_convex_cover_options options = grz_default_convex_cover_options();
    const int raised = 1;
    expect(NULL, NULL, GRZ_ERROR_ARGUMENT, "convex cover: mesh is NULL");
    assert_int_equal(grz_convex_cover_of_mesh(mesh, NULL, NULL, NULL), GRZ_ERROR_ARGUMENT);
    options.error = -1.0;
    expect(mesh, &options, GRZ_ERROR_ARGUMENT, "convex cover: options.error is -1, must be 0 or more");
    options.error = (double)NAN;
    assert_int_equal(grz_convex_cover_of_mesh(mesh, &options, &(grz_convex_parts *){NULL}, NULL), GRZ_ERROR_ARGUMENT);
    options = grz_default_convex_cover_options();
    options.max_parts = 0;
    expect(mesh, &options, GRZ_ERROR_ARGUMENT, "convex cover: options.max_parts is 0, must be 1 to 4096");
    options.max_parts = 4097;
    expect(mesh, &options, GRZ_ERROR_ARGUMENT, "convex cover: options.max_parts is 4097, must be 1 to 4096");
    options = grz_default_convex_cover_options();
    options.limits.deadline = -1.0;
    expect(mesh, &options, GRZ_ERROR_ARGUMENT, "convex cover: options.limits.deadline is -1, must be 0 or above");
    options = grz_default_convex_cover_options();
    options.limits.cancel = &raised;
    assert_int_equal(grz_convex_cover_of_mesh(mesh, &options, &(grz_convex_parts *){NULL}, NULL), GRZ_ERROR_CANCELLED);
    options.limits.cancel = NULL;
    options.limits.deadline = 1e-7;
    assert_int_equal(grz_convex_cover_of_mesh(mesh, &options, &(grz_convex_parts *){NULL}, NULL), GRZ_ERROR_DEADLINE);
    options.limits.deadline = 0.0;
    options.limits.memory_limit = 1000;
    assert_int_equal(grz_convex_cover_of_mesh(mesh, &options, &(grz_convex_parts *){NULL}, NULL), GRZ_ERROR_MEMORY);
    grz_mesh_destroy(mesh);
    l.face_count--;
    l.index_count -= 3;
    mesh = test_mesh_upload(test_device, &l);
    expect(mesh, NULL, GRZ_ERROR_MESH,
           "convex cover: edge 11-1 of face 7: the mesh is not closed there, it has no inside");
    grz_mesh_destroy(mesh);
    l.face_count++;
    l.index_count += 3;
    test_mesh_scale(&l, 0x1p290, 0x1p290, 0x1p290);
    mesh = test_mesh_upload(test_device, &l);
    assert_int_equal(grz_convex_cover_of_mesh(mesh, NULL, &(grz_convex_parts *){NULL}, NULL), GRZ_ERROR_UNSUPPORTED);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&l);
    double bound = 7.0;
    assert_false(grz_convex_part_error(NULL, 0, &bound, NULL));
    assert_true(bound == 7.0);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    test_mesh l = make_l();
    grz_status status = GRZ_ERROR_MEMORY;
    long at = 0;
    while (status == GRZ_ERROR_MEMORY) {
        counting_allocator counter = {.fail_at = 0};
        grz_device *device = counting_device_open(&counter);
        grz_mesh *mesh = test_mesh_upload(device, &l);
        grz_convex_parts *parts;
        grz_convex_cover_options options = grz_default_convex_cover_options();
        options.error = 0.3;
        options.max_parts = 1; // joins, too
        counter.calls = 0;
        counter.fail_at = ++at;
        status = grz_convex_cover_of_mesh(mesh, &options, &parts, NULL);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
        grz_convex_parts_destroy(parts);
        grz_mesh_destroy(mesh);
        grz_device_close(device);
        assert_int_equal(counter.live, 0);
        at += at / 40;
    }
    assert_true(at > 50);
    test_mesh_finish(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_covered),
        cmocka_unit_test(a_cavity_is_not_overlooked),
        cmocka_unit_test(a_gap_between_plates_is_measured),
        cmocka_unit_test(flat_pieces_are_no_failure),
        cmocka_unit_test(nearly_flat_pieces_are_measured),
        cmocka_unit_test(thin_plates_are_covered),
        cmocka_unit_test(surfaces_that_cross_are_covered),
        cmocka_unit_test(surfaces_may_be_wound_either_way),
        cmocka_unit_test(flat_bodies_are_measured),
        cmocka_unit_test(segments_are_measured),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
