// SPDX-License-Identifier: MIT
// grz_projections_find() as a program sees it. Shapes whose directions are known: convex ones, channels, cups, crossing
// tunnels, closed hollows, which must be split. Uncovered area, at random points of the surface by a second program, is
// what the report says within its bound. Nothing changes with the number of threads; scaling by powers of two,
// exchanging axes, renumbering and turning faces change only what they must. Several poses; parts in a pose that was
// not examined.
// ctest: timeout 600
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <graze/gl.h>
#include <graze/io.h>

#include "support_arrays.h"
#include "support_projections.h"
#include "support_sanitizer.h"

static grz_device *device, *device_of_four;

// Under a sanitizer with fewer cells and candidates, where more were asked for.
static grz_projections *find_one(const test_mesh *shape, const grz_projections_options *options)
{
    grz_mesh *mesh = test_mesh_upload(device, shape);
    const grz_mesh *pose = mesh;
    grz_projections_options fewer = *options;
    if (TEST_SANITIZED && fewer.cells > 4096)
        fewer.cells = 4096;
    if (TEST_SANITIZED && fewer.candidates > 13)
        fewer.candidates = 13;
    grz_projections *found = projections_find(device, &pose, 1, &fewer);
    grz_mesh_destroy(mesh); // the result does not need it
    return found;
}

static grz_projections *find_bounded(const test_mesh *shape)
{
    const grz_projections_options options = projections_bounded();
    return find_one(shape, &options);
}

// Expect numbers of parts and directions that cover all of a shape, and free it.
static void expect(const char *what, grz_projection projection, test_mesh shape, uint32_t parts, uint32_t directions)
{
    grz_projections_options options = grz_default_projections_options();
    options.projection = projection;
    options.cells = TEST_SHORT ? 1000 : 4000;
    grz_projections *found = find_one(&shape, &options);
    const grz_projections_summary summary = projections_summary(found);
    if (summary.parts != parts || summary.directions != directions || summary.fewest != directions ||
        summary.coverage.uncovered > 0.001 * summary.coverage.area || summary.invented_volume != 0.0)
        fail_msg("%s: %u parts, %u directions (%u at least), uncovered %g of %g, invented %g", what, summary.parts,
                 summary.directions, summary.fewest, summary.coverage.uncovered, summary.coverage.area,
                 summary.invented_volume);
    grz_projections_destroy(found);
    test_mesh_finish(&shape);
}

enum {
    FEW_CELLS = TEST_SHORT ? 600 : 2000 // where the numbers found do not matter
};

// ---- Known shapes -------------------------------------------------------------------------------------------------

#define BOUNDED GRZ_PROJECTION_BOUNDED
#define SINGLE GRZ_PROJECTION_SINGLE
#define EMPTY ".....", ".....", ".....", ".....", "....."
#define FULL "#####", "#####", "#####", "#####", "#####"
#define RING "#####", "#...#", "#...#", "#...#", "#####"

// Two walls on a floor: open along y.
static const char *const CHANNEL[25] = {"#####", "#####", "#####", "#####", "#####", "#...#", "#...#", "#...#", "#...#",
                                        "#...#", "#...#", "#...#", "#...#", "#...#", "#...#", EMPTY,   EMPTY};
// A cup is open at the top, a box nowhere.
static const char *const CUP[25] = {FULL, RING, RING, RING, RING};
static const char *const BOX[25] = {FULL, RING, RING, RING, FULL};
// A plate, and a rod at its edge.
static const char *const PLATE_WITH_ROD[25] = {".....", ".....", "#....", ".....", ".....", ".....", ".....",
                                               "#....", ".....", ".....", FULL,    EMPTY,   EMPTY};
// A hollow that a plane through the middle of the block misses.
static const char *const BUBBLE[25] = {FULL, "#####", "#.###", "#####", "#####", "#####", FULL, FULL, FULL};
// A block with a tunnel along x below one along y.
static const char *const TUNNELS[25] = {FULL,    "#####", "#####", ".....", "#####", "#####", FULL,
                                        "##.##", "##.##", "##.##", "##.##", "##.##", FULL};

static void known_shapes_need_the_directions_that_they_need(void **state)
{
    (void)state;
    expect("cube", BOUNDED, test_mesh_cube(-3, 0, 5, 2), 1, 1);
    expect("sphere", BOUNDED, test_mesh_icosphere(1.0, 3), 1, 1);
    expect("torus", BOUNDED, test_mesh_torus(2.0, 0.5, 24, 12), 1, 1);
    expect("channel", BOUNDED, sight_shape(CHANNEL), 1, 1);
    expect("cup", BOUNDED, sight_shape(CUP), 1, 1);
    expect("plate with rod", BOUNDED, sight_shape(PLATE_WITH_ROD), 1, 1);
    expect("two tunnels", BOUNDED, sight_shape(TUNNELS), 1, 2);
    expect("hollow box", BOUNDED, sight_shape(BOX), 2, 2);
    expect("bubble", BOUNDED, sight_shape(BUBBLE), 2, 2);
    expect("shells", BOUNDED, test_mesh_shells(2, 0), 2, 2);
}

// From the rear of the part on: what faces backwards is covered only if another direction sees it, or it is the rear.
static void known_shapes_seen_from_the_rear(void **state)
{
    (void)state;
    expect("cube", SINGLE, test_mesh_cube(-3, 0, 5, 2), 1, 1);
    expect("channel", SINGLE, sight_shape(CHANNEL), 1, 1);
    expect("cup", SINGLE, sight_shape(CUP), 1, 1);
    expect("two tunnels", SINGLE, sight_shape(TUNNELS), 1, 2);
    expect("hollow box", SINGLE, sight_shape(BOX), 2, 2);
}

static void directions_look_along_channels_and_into_cups(void **state)
{
    (void)state;
    const struct {
        const char *const *rows;
        int axis;
    } cases[] = {{CHANNEL, 1}, {CUP, 2}};
    for (size_t i = 0; i < 2; i++) {
        test_mesh shape = sight_shape(cases[i].rows);
        // Turned, so that no axis and no direction of the grid is the right one.
        const double c = cos(0.3), s = sin(0.3), d = cos(0.7), t = sin(0.7);
        const double turn[3][3] = {{c, -s, 0.0}, {s * d, c * d, -t}, {s * t, c * t, d}};
        for (uint64_t v = 0; v < shape.vertex_count; v++) {
            double p[3];
            memcpy(p, shape.positions + 3 * v, sizeof p);
            for (int k = 0; k < 3; k++)
                shape.positions[3 * v + (uint64_t)k] = turn[k][0] * p[0] + turn[k][1] * p[1] + turn[k][2] * p[2];
        }
        // Rounding opens cracks between vertices that are not shared: weld by rounding coarsely.
        for (uint64_t k = 0; k < 3 * shape.vertex_count; k++)
            shape.positions[k] = rint(shape.positions[k] * 0x1p30) * 0x1p-30;
        grz_projections *found = find_bounded(&shape);
        grz_projections_part part = {.triangle_count = 0};
        assert_true(grz_projections_part_of(found, 0, &part));
        double cosine = 0.0;
        for (int k = 0; k < 3; k++)
            cosine += part.directions[0][k] * turn[k][cases[i].axis];
        assert_true(part.direction_count == 1 && fabs(cosine) > 1.0 - 1e-6);
        grz_projections_destroy(found);
        test_mesh_finish(&shape);
    }
}

static void one_map_of_the_front_needs_more_directions(void **state)
{
    (void)state;
    test_mesh sphere = test_mesh_icosphere(1.0, 3), cube = test_mesh_cube(0, 0, 0, 1);
    grz_projections_options options = projections_bounded();
    options.projection = GRZ_PROJECTION_SINGLE;
    grz_projections *found = find_one(&sphere, &options);
    grz_projections_part part = {.triangle_count = 0};
    assert_true(grz_projections_part_of(found, 0, &part));
    assert_true(part.direction_count >= 2 && part.coverage.uncovered <= 0.001 * part.coverage.area);
    grz_projections_destroy(found);
    found = find_one(&cube, &options); // its rear is the box's
    assert_int_equal(projections_summary(found).directions, 1);
    grz_projections_destroy(found);
    options.projection = GRZ_PROJECTION_OPPOSITE;
    found = find_one(&sphere, &options);
    assert_int_equal(projections_summary(found).directions, 1);
    grz_projections_destroy(found);
    test_mesh_finish(&sphere);
    test_mesh_finish(&cube);
}

static void a_limit_on_parts_leaves_a_hollow_uncovered_and_says_so(void **state)
{
    (void)state;
    test_mesh shape = sight_shape(BOX); // the hollow: 12³, in a cube of 20³
    grz_projections_options options = projections_bounded();
    options.max_parts = 1;
    grz_projections *found = find_one(&shape, &options);
    const grz_projections_summary summary = projections_summary(found);
    assert_int_equal(summary.parts, 1);
    assert_true(fabs(summary.coverage.area - 6 * (400 + 144)) < 1e-3);
    // Slanted directions see a little, where the gap is thin: at the edges of the hollow.
    assert_true(summary.coverage.uncovered > 0.9 * 6 * 144 && summary.coverage.uncovered <= 6 * 144);
    assert_true(summary.coverage.deepest > 10.0 && summary.coverage.deepest < 12.01);
    assert_true(fabs(summary.invented_volume - 12 * 12 * 12) < 0.15 * 12 * 12 * 12);
    assert_true(summary.invented_volume == summary.invented_volume_of_one);
    grz_projections_destroy(found);
    options.max_parts = 2; // a limit on the tolerance instead
    options.tolerance = 12.5;
    found = find_one(&shape, &options);
    assert_true(projections_summary(found).parts == 1 && projections_summary(found).coverage.uncovered == 0.0);
    grz_projections_destroy(found);
    test_mesh_finish(&shape);
}

// ---- The report ---------------------------------------------------------------------------------------------------

// The triangles of one part in mesh coordinates.
typedef struct part_soup {
    double (*triangles)[3][3];
    size_t count;
} part_soup;

static part_soup soup_of(const grz_projections *found, uint32_t number, const grz_mesh *mesh)
{
    grz_projections_part part = {.triangle_count = 0};
    assert_true(grz_projections_part_of(found, number, &part));
    double(*positions)[3] = allocate_zeroed((size_t)part.vertex_count, sizeof *positions);
    part_soup soup = {allocate_zeroed((size_t)part.triangle_count, sizeof *soup.triangles),
                      (size_t)part.triangle_count};
    assert_int_equal(grz_projections_positions(found, number, mesh, positions[0], NULL), GRZ_OK);
    for (size_t t = 0; t < soup.count; t++)
        for (size_t i = 0; i < 3; i++)
            memcpy(soup.triangles[t][i], positions[part.indices[3 * t + i]], sizeof positions[0]);
    free(positions);
    return soup;
}

static double signed_volume(const part_soup *soup, double from)
{
    double volume = 0.0;
    for (size_t t = 0; t < soup->count; t++) {
        double c[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                c[i][j] = soup->triangles[t][i][j] - from;
        volume +=
            (c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) - c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
             c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0])) /
            6.0;
    }
    return volume;
}

// Points of the surface at random, by area: the share that no direction of a single part covers.
static double sampled_uncovered(const grz_projections *found, const part_soup *soup, uint32_t count,
                                random_stream *random)
{
    const grz_projections_summary summary = projections_summary(found);
    grz_projections_part part = {.triangle_count = 0};
    double *sums = allocate_zeroed(soup->count, sizeof *sums), total = 0.0;
    uint32_t uncovered = 0;
    assert_true(grz_projections_part_of(found, 0, &part));
    for (size_t t = 0; t < soup->count; t++) {
        const double(*c)[3] = (const double(*)[3])soup->triangles[t];
        double n[3];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            n[i] = (c[1][j] - c[0][j]) * (c[2][k] - c[0][k]) - (c[1][k] - c[0][k]) * (c[2][j] - c[0][j]);
        }
        total += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        sums[t] = total;
    }
    for (uint32_t k = 0; k < count; k++) {
        const double at = (0.5 + 0.5 * random_signed(random)) * total;
        double u = 0.5 + 0.5 * random_signed(random), v = 0.5 + 0.5 * random_signed(random), n[3], p[3], length = 0.0;
        size_t t = 0;
        while (t + 1 < soup->count && sums[t] < at)
            t++;
        const double(*c)[3] = (const double(*)[3])soup->triangles[t];
        if (u + v > 1.0) {
            u = 1.0 - u;
            v = 1.0 - v;
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            n[i] = (c[1][j] - c[0][j]) * (c[2][l] - c[0][l]) - (c[1][l] - c[0][l]) * (c[2][j] - c[0][j]);
            length += n[i] * n[i];
        }
        for (int i = 0; i < 3; i++)
            p[i] = c[0][i] + (c[1][i] - c[0][i]) * u + (c[2][i] - c[0][i]) * v + n[i] / sqrt(length) * 1e-5;
        bool covered = false;
        for (uint32_t d = 0; d < part.direction_count && !covered; d++) {
            const double *along = part.directions[d], facing = n[0] * along[0] + n[1] * along[1] + n[2] * along[2];
            const sight_truth line =
                sight_cast(p, along, (const double(*)[3][3])soup->triangles, soup->count, NULL, NULL);
            covered = sight_truth_depth(&line, facing > 0.0 ? 1 : -1) <= summary.tolerance;
        }
        uncovered += !covered;
    }
    free(sums);
    return (double)uncovered / count;
}

static void uncovered_area_is_that_of_random_points(void **state)
{
    (void)state;
    enum {
        POINTS = TEST_SHORT ? 500 : 2500
    };
    random_stream random = {3};
    for (uint32_t k = TEST_SHORT ? 1 : 0; k < 5; k += TEST_SHORT ? 3 : 1) {
        test_mesh shape = k == 4 ? test_mesh_load("data/cow_spot.ply") : test_mesh_rough_sphere(&random, 2, 0.8, false);
        grz_projections_options options = projections_bounded();
        options.max_parts = 1;
        options.max_directions = 1 + k % 2;
        options.cells = (TEST_SHORT ? 512u : 2048u) << k;
        options.tolerance = k == 4 ? 0.0 : 0.02;
        grz_mesh *mesh = test_mesh_upload(device, &shape);
        const grz_mesh *pose = mesh;
        grz_projections *found = projections_find(device, &pose, 1, &options);
        const grz_coverage coverage = projections_summary(found).coverage;
        part_soup soup = soup_of(found, 0, mesh);
        const double sampled = sampled_uncovered(found, &soup, POINTS, &random);
        const double share = coverage.uncovered / coverage.area, bound = coverage.bound / coverage.area;
        const double noise = 4.0 * sqrt((sampled + 1e-3) / POINTS);
        print_message("uncovered %.4f, bound %.4f, at random points %.4f\n", share, bound, sampled);
        assert_true(sampled <= share + bound + noise);
        // Nothing bounds it from below; cells are small, though.
        assert_true(sampled >= share - noise - 0.01);
        assert_true(bound > 0.0 && bound < (TEST_SHORT ? 0.4 : 0.2));
        free(soup.triangles);
        grz_projections_destroy(found);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&shape);
    }
}

static void more_cells_make_the_bound_smaller(void **state)
{
    (void)state;
    test_mesh shape = test_mesh_load("data/cow_spot.ply");
    grz_projections_options options = projections_bounded();
    double bounds[2];
    for (int i = 0; i < 2; i++) {
        options.cells = TEST_SANITIZED ? 1024u << 2 * i : 4096u << 3 * i;
        grz_projections *found = find_one(&shape, &options);
        bounds[i] = projections_summary(found).coverage.bound / projections_summary(found).coverage.area;
        grz_projections_destroy(found);
    }
    print_message("bound: %.5f of the area, then %.5f\n", bounds[0], bounds[1]);
    assert_true(bounds[1] < (TEST_SANITIZED ? 1.0 : 0.7) * bounds[0]);
    test_mesh_finish(&shape);
}

// The table that this prints stands in docs/internals/heightmap.md.
static void scanned_objects_are_covered(void **state)
{
    (void)state;
    static const char *const files[] = {"data/cow_spot.ply", "data/nbody_a_itokawa.ply", "data/scalpel_sword128.obj"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int k = TEST_SHORT ? (int)i : 0; k < (TEST_SHORT ? (int)i + 1 : 3); k++) {
            test_mesh shape = test_mesh_load(files[i]);
            grz_projections_options options = grz_default_projections_options();
            options.projection = (grz_projection)k;
            const clock_t start = clock();
            grz_projections *found = find_one(&shape, &options);
            const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
            const grz_projections_summary s = projections_summary(found);
            print_message(
                "%s, projection %d: %u directions of %u, %u at least; uncovered %.3f %%, bound %.3f %%, invented "
                "volume %.3g, with one map %.3g; %.2f s of processor time\n",
                files[i], k, s.directions, s.candidates, s.fewest, 100.0 * s.coverage.uncovered / s.coverage.area,
                100.0 * s.coverage.bound / s.coverage.area, s.invented_volume, s.invented_volume_of_one, seconds);
            assert_true(s.parts == 1 && s.fewest <= s.directions && s.directions <= s.fewest + 1);
            assert_true(TEST_SANITIZED || (s.coverage.uncovered <= 0.001 * s.coverage.area &&
                                           s.coverage.bound <= 0.01 * s.coverage.area));
            assert_true(s.invented_volume <= 1e-6);
            grz_projections_destroy(found);
            test_mesh_finish(&shape);
        }
}

// ---- Laws ---------------------------------------------------------------------------------------------------------

// Compare everything that two results say.
static void expect_same(const grz_projections *a, const grz_projections *b)
{
    const grz_projections_summary of_a = projections_summary(a), of_b = projections_summary(b);
    assert_memory_equal(&of_a, &of_b, sizeof of_a);
    for (uint32_t i = 0; i < of_a.parts; i++) {
        grz_projections_part p = {.triangle_count = 0}, q = p;
        assert_true(grz_projections_part_of(a, i, &p) && grz_projections_part_of(b, i, &q));
        assert_int_equal(p.triangle_count, q.triangle_count);
        assert_int_equal(p.direction_count, q.direction_count);
        assert_memory_equal(&p.coverage, &q.coverage, sizeof p.coverage);
        assert_memory_equal(p.indices, q.indices, 12 * p.triangle_count);
        assert_memory_equal(p.faces, q.faces, 4 * p.triangle_count);
        assert_memory_equal(p.directions, q.directions, p.direction_count * sizeof *p.directions);
    }
}

static test_mesh some_shape(uint64_t seed)
{
    random_stream random = {seed};
    const solid_cells cells = solid_random(&random, 4);
    return solid_surface(&cells, false);
}

static void threads_change_no_byte(void **state)
{
    (void)state;
    for (uint64_t seed = 40; seed < (TEST_SHORT ? 41 : 43); seed++) {
        test_mesh shape = some_shape(seed);
        grz_projections_options options = projections_bounded();
        options.cells = TEST_SHORT ? 1000 : 3000;
        grz_mesh *mesh = test_mesh_upload(device, &shape);
        const grz_mesh *pose = mesh;
        grz_projections *one = projections_find(device, &pose, 1, &options),
                        *four = projections_find(device_of_four, &pose, 1, &options),
                        *again = projections_find(device_of_four, &pose, 1, &options);
        expect_same(one, four);
        expect_same(one, again);
        grz_projections_destroy(one);
        grz_projections_destroy(four);
        grz_projections_destroy(again);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&shape);
    }
}

static void scaling_by_a_power_of_two_scales_the_numbers(void **state)
{
    (void)state;
    const int exponents[] = {-280, -3, 7, 290};
    test_mesh shape = some_shape(50);
    grz_projections_options options = projections_bounded();
    options.cells = FEW_CELLS;
    grz_projections *first = find_one(&shape, &options);
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i += TEST_SHORT ? 3 : 1) {
        const double scale = ldexp(1.0, exponents[i]);
        test_mesh scaled = test_mesh_copy(&shape);
        test_mesh_scale(&scaled, scale, scale, scale);
        grz_projections *second = find_one(&scaled, &options);
        grz_projections_summary a = projections_summary(first), b = projections_summary(second);
        assert_true(b.tolerance == a.tolerance * scale && b.coverage.deepest == a.coverage.deepest * scale);
        assert_true(b.coverage.area == a.coverage.area * scale * scale);
        assert_true(b.coverage.uncovered == a.coverage.uncovered * scale * scale);
        assert_true(b.coverage.bound == a.coverage.bound * scale * scale);
        assert_true(b.invented_volume_of_one == a.invented_volume_of_one * scale * scale * scale);
        assert_true(a.parts == b.parts && a.directions == b.directions && a.fewest == b.fewest);
        for (uint32_t k = 0; k < a.parts; k++) {
            grz_projections_part p = {.triangle_count = 0}, q = p;
            assert_true(grz_projections_part_of(first, k, &p) && grz_projections_part_of(second, k, &q));
            assert_memory_equal(p.directions, q.directions, p.direction_count * sizeof *p.directions);
        }
        grz_projections_destroy(second);
        test_mesh_finish(&scaled);
    }
    grz_projections_destroy(first);
    test_mesh_finish(&shape);
}

static void renumbering_and_turning_faces_change_no_number(void **state)
{
    (void)state;
    random_stream random = {9};
    test_mesh shape = some_shape(60);
    grz_projections_options options = projections_bounded();
    options.cells = 1; // one cell a triangle: its middle does not depend on where the triangle starts
    grz_projections *first = find_one(&shape, &options);
    const grz_projections_summary a = projections_summary(first);
    for (int kind = 0; kind < 3; kind++) {
        test_mesh other = test_mesh_copy(&shape);
        if (kind == 1)
            test_mesh_reverse(&other);
        else if (kind == 2)
            test_mesh_reverse_some(&other, &random);
        test_mesh_shuffle(&other, &random, NULL);
        grz_projections *second = find_one(&other, &options);
        const grz_projections_summary b = projections_summary(second);
        assert_true(a.parts == b.parts && a.directions == b.directions && a.fewest == b.fewest);
        assert_true(a.coverage.area == b.coverage.area && a.coverage.uncovered == b.coverage.uncovered);
        assert_true(a.probes == b.probes && a.candidates == b.candidates);
        grz_projections_destroy(second);
        test_mesh_finish(&other);
    }
    grz_projections_destroy(first);
    test_mesh_finish(&shape);
}

static void exchanging_axes_exchanges_those_of_directions(void **state)
{
    (void)state;
    test_mesh shape = sight_shape(TUNNELS);
    test_mesh_scale(&shape, 1.0, 1.25, 1.5); // no two axes are alike
    grz_projections *first = find_bounded(&shape);
    grz_projections_part p = {.triangle_count = 0}, q = p;
    assert_true(grz_projections_part_of(first, 0, &p));
    for (int turn = 1; turn < 3; turn++) {
        test_mesh turned = test_mesh_copy(&shape);
        for (uint64_t v = 0; v < shape.vertex_count; v++)
            for (int i = 0; i < 3; i++)
                turned.positions[3 * v + (uint64_t)((i + turn) % 3)] = shape.positions[3 * v + (uint64_t)i];
        grz_projections *second = find_bounded(&turned);
        assert_true(grz_projections_part_of(second, 0, &q));
        assert_true(p.direction_count == q.direction_count && p.coverage.uncovered == q.coverage.uncovered);
        for (uint32_t k = 0; k < p.direction_count; k++) {
            double best = 0.0; // equally good ones may come in another order
            for (uint32_t l = 0; l < p.direction_count; l++) {
                double cosine = 0.0;
                for (int i = 0; i < 3; i++)
                    cosine += p.directions[k][i] * q.directions[l][(i + turn) % 3];
                best = fmax(best, fabs(cosine));
            }
            assert_true(best > 1.0 - 1e-9);
        }
        grz_projections_destroy(second);
        test_mesh_finish(&turned);
    }
    grz_projections_destroy(first);
    test_mesh_finish(&shape);
}

// ---- Parts and poses ----------------------------------------------------------------------------------------------

static void parts_are_closed_and_together_the_object(void **state)
{
    (void)state;
    for (uint64_t seed = 70; seed < (TEST_SHORT ? 72 : 76); seed++) {
        test_mesh shape = some_shape(seed);
        grz_mesh *mesh = test_mesh_upload(device, &shape);
        const grz_mesh *pose = mesh;
        grz_projections_options options = projections_bounded();
        options.cells = FEW_CELLS;
        options.uncovered_share = 0.0;
        options.candidates = 3;
        grz_projections *found = projections_find(device, &pose, 1, &options);
        const grz_projections_summary summary = projections_summary(found);
        double volume = 0.0, whole = 0.0;
        for (uint32_t i = 0; i < summary.parts; i++) {
            part_soup soup = soup_of(found, i, mesh);
            const double v = signed_volume(&soup, 0.0);
            assert_true(v > 0.0 && fabs(v - signed_volume(&soup, 100.0)) < 1e-6); // the same from anywhere: closed
            volume += v;
            free(soup.triangles);
        }
        for (uint64_t t = 0; t < shape.face_count; t++) {
            double c[3][3];
            for (uint64_t i = 0; i < 3; i++)
                memcpy(c[i], shape.positions + 3 * (uint64_t)shape.indices[3 * t + i], sizeof c[i]);
            const part_soup one = {&c, 1};
            whole += signed_volume(&one, 0.0);
        }
        assert_true(fabs(volume - whole) < 1e-6);
        grz_projections_destroy(found);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&shape);
    }
}

// A flat bar that is rolled up: by a turn of 0 to 1, in steps.
static test_mesh rolled_bar(double turn)
{
    test_mesh bar = {0};
    enum {
        STEPS = 32
    };
    for (uint32_t i = 0; i <= STEPS; i++)
        for (uint32_t k = 0; k < 4; k++) {
            const double along = (double)i / STEPS, height = k / 2 == 0 ? -0.05 : 0.05, side = k % 2 == 0 ? -0.3 : 0.3;
            const double angle = turn * 6.0 * along, radius = turn > 0.0 ? 1.0 / turn / 6.0 : 0.0;
            const double x = turn > 0.0 ? (radius - height) * sin(angle) : along;
            const double z = turn > 0.0 ? radius - (radius - height) * cos(angle) : height;
            test_mesh_add_vertex(&bar, x, side, z);
        }
    static const uint32_t around[4] = {0, 1, 3, 2};
    for (uint32_t i = 0; i < STEPS; i++)
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t p = 4 * i + around[k], q = 4 * i + around[(k + 1) % 4];
            test_mesh_add_triangle(&bar, p, q, q + 4);
            test_mesh_add_triangle(&bar, p, q + 4, p + 4);
        }
    test_mesh_add_triangle(&bar, 0, 2, 3);
    test_mesh_add_triangle(&bar, 0, 3, 1);
    const uint32_t last = 4 * STEPS;
    test_mesh_add_triangle(&bar, last, last + 1, last + 3);
    test_mesh_add_triangle(&bar, last, last + 3, last + 2);
    return bar;
}

static void directions_suit_all_poses(void **state)
{
    (void)state;
    enum {
        POSES = 5
    };
    test_mesh shapes[POSES];
    grz_mesh *meshes[POSES];
    const grz_mesh *poses[POSES];
    grz_projections_options options = projections_bounded();
    const double along_z[3] = {0.0, 0.0, 1.0};
    options.cells = FEW_CELLS;
    for (int i = 0; i < POSES; i++) {
        shapes[i] = rolled_bar(0.25 * i);
        poses[i] = meshes[i] = test_mesh_upload(device, &shapes[i]);
    }
    // Flat, the bar is convex; rolled up, only a look along y sees its inside.
    grz_projections *flat = projections_find(device, poses, 1, &options),
                    *all = projections_find(device, poses, POSES, &options);
    grz_projections_part part = {.triangle_count = 0};
    grz_coverage coverage;
    assert_int_equal(projections_summary(flat).directions, 1);
    assert_true(grz_projections_part_of(all, 0, &part));
    assert_true(part.direction_count == 1 && fabs(part.directions[0][1]) > 1.0 - 1e-9);
    double area = 0.0;
    for (uint32_t i = 0; i < POSES; i++) {
        assert_true(grz_projections_pose_of(all, i, &coverage) && coverage.uncovered <= 1e-3 * coverage.area);
        area += coverage.area / POSES;
    }
    assert_true(fabs(area - projections_summary(all).coverage.area) < 1e-9);
    assert_false(grz_projections_pose_of(all, POSES, &coverage));
    assert_true(coverage.area == 0.0);
    grz_projections_destroy(all);
    // With one direction that is wrong for all but the flat pose, poses differ.
    options.directions = along_z;
    options.direction_count = 1;
    options.max_directions = 1;
    options.max_parts = 1;
    options.candidates = 0;
    all = projections_find(device, poses, POSES, &options);
    double shares[POSES];
    for (uint32_t i = 0; i < POSES; i++) {
        assert_true(grz_projections_pose_of(all, i, &coverage));
        shares[i] = coverage.uncovered / coverage.area;
    }
    assert_true(grz_projections_part_of(all, 0, &part));
    assert_true(shares[0] == 0.0);
    grz_projections_destroy(all);
    grz_projections_destroy(flat);
    // The same pose twice is as good as once.
    const grz_mesh *twice[2] = {poses[3], poses[3]};
    options = projections_bounded();
    options.cells = FEW_CELLS;
    flat = projections_find(device, twice, 1, &options);
    all = projections_find(device, twice, 2, &options);
    grz_projections_part once = {.triangle_count = 0};
    assert_true(grz_projections_part_of(flat, 0, &once) && grz_projections_part_of(all, 0, &part));
    assert_true(projections_summary(flat).probes * 2 == projections_summary(all).probes &&
                once.direction_count == part.direction_count);
    assert_memory_equal(once.directions, part.directions, once.direction_count * sizeof *once.directions);
    assert_memory_equal(&once.coverage, &part.coverage, sizeof once.coverage);
    grz_projections_destroy(all);
    grz_projections_destroy(flat);
    for (int i = 0; i < POSES; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
}

static void parts_follow_a_mesh_that_deforms(void **state)
{
    (void)state;
    test_mesh shape = sight_shape(BOX), moved = test_mesh_copy(&shape);
    // A shear, and a scale of 2: cuts stay flat, volumes are doubled.
    for (uint64_t v = 0; v < moved.vertex_count; v++) {
        double *p = moved.positions + 3 * v;
        p[0] = 2.0 * p[0] + p[2];
        p[1] += 0.5 * p[2];
    }
    grz_mesh *mesh = test_mesh_upload(device, &shape), *deformed = test_mesh_upload(device, &moved);
    const grz_mesh *pose = mesh;
    grz_projections_options options = projections_bounded();
    options.cells = TEST_SHORT ? 1000 : 4096;
    grz_projections *found = projections_find(device, &pose, 1, &options);
    const uint32_t parts = projections_summary(found).parts;
    assert_int_equal(parts, 2);
    for (uint32_t i = 0; i < parts; i++) {
        part_soup before = soup_of(found, i, mesh), after = soup_of(found, i, deformed);
        assert_true(fabs(2.0 * signed_volume(&before, 0.0) - signed_volume(&after, 30.0)) < 1e-6);
        free(before.triangles);
        free(after.triangles);
    }
    grz_heightmap_options map = grz_default_heightmap_options();
    grz_projections_part part = {.triangle_count = 0};
    assert_true(grz_projections_part_of(found, 1, &part));
    assert_true(grz_projections_heightmap(found, 1, 0, &map));
    assert_true(map.has_direction && map.both_sides && map.projection == GRZ_PROJECTION_BOUNDED &&
                map.resolution == 128);
    assert_memory_equal(map.direction, part.directions[0], sizeof map.direction);
    map.direction[0] = 7.0;
    assert_false(grz_projections_heightmap(found, 1, part.direction_count, &map));
    assert_false(grz_projections_heightmap(found, 2, 0, &map));
    assert_false(grz_projections_heightmap(NULL, 0, 0, &map));
    assert_true(map.direction[0] == 7.0);
    grz_projections_destroy(found);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(deformed);
    test_mesh_finish(&shape);
    test_mesh_finish(&moved);
}

// Overlapping shells: inside of one is no empty space under GRZ_NONZERO, but it is under GRZ_EVEN_ODD.
static void the_rule_says_what_is_empty(void **state)
{
    (void)state;
    test_mesh both = test_mesh_cube(0, 0, 0, 4);
    test_mesh_take(&both, test_mesh_cube(1, 1, 1, 2));
    grz_projections_options options = projections_bounded();
    options.max_parts = 1;
    grz_projections *found = find_one(&both, &options);
    assert_true(projections_summary(found).coverage.uncovered > 20.0);
    grz_projections_destroy(found);
    options.inside_rule = GRZ_NONZERO;
    found = find_one(&both, &options);
    assert_true(projections_summary(found).coverage.uncovered == 0.0 && projections_summary(found).directions == 1);
    assert_true(projections_summary(found).invented_volume_of_one == 0.0);
    grz_projections_destroy(found);
    test_mesh_finish(&both);
}

static int open_devices(void **state)
{
    (void)state;
    device = test_device_open(1);
    device_of_four = test_device_open(4);
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    grz_device_close(device);
    grz_device_close(device_of_four);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_shapes_need_the_directions_that_they_need),
        cmocka_unit_test(known_shapes_seen_from_the_rear),
        cmocka_unit_test(directions_look_along_channels_and_into_cups),
        cmocka_unit_test(one_map_of_the_front_needs_more_directions),
        cmocka_unit_test(a_limit_on_parts_leaves_a_hollow_uncovered_and_says_so),
        cmocka_unit_test(uncovered_area_is_that_of_random_points),
        cmocka_unit_test(more_cells_make_the_bound_smaller),
        cmocka_unit_test(scanned_objects_are_covered),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(scaling_by_a_power_of_two_scales_the_numbers),
        cmocka_unit_test(renumbering_and_turning_faces_change_no_number),
        cmocka_unit_test(exchanging_axes_exchanges_those_of_directions),
        cmocka_unit_test(parts_are_closed_and_together_the_object),
        cmocka_unit_test(directions_suit_all_poses),
        cmocka_unit_test(parts_follow_a_mesh_that_deforms),
        cmocka_unit_test(the_rule_says_what_is_empty),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
