// SPDX-License-Identifier: MIT
// The steps of grz_projections_find() against a second program. Which candidate covers which probe is what lines
// against all triangles say, for random solids, whole and cut into parts, for every projection. Cells that are proved
// to be covered are so at random points. The greedy choice covers what it says; the least number of directions is that
// of a search through all sets. Cuts make parts that do not overlap and together are the object.
// ctest: timeout 600
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/projections/bound.h"
#include "ask/projections/candidates.h"
#include "ask/projections/sight.h"
#include "ask/projections/split.h"
#include "base/clock.h"
#include "base/control.h"
#include "support_arrays.h"
#include "support_projections.h"
#include "support_sanitizer.h"
#define TEST_DEVICE_THREADS 2
#include "support_own_device.h"

// One search, taken apart.
typedef struct bench {
    grz_mesh *mesh;
    const grz_mesh *poses[1];
    grz_control control;
    grz_sight_surface surface;
    grz_sight_candidates candidates;
    grz_sight_search search;
    grz_sight_choice choices[8];
    // The model's triangles in the frame.
    size_t triangle_count;
    double (*triangles)[3][3];
    bool *cap, *own;
} bench;

static void list_triangles(bench *b)
{
    const grz_sight_model *model = &b->search.model;
    double(*positions)[3] = allocate_zeroed(grz_sight_vertex_count(model), sizeof *positions);
    b->triangle_count = model->triangles.count;
    b->triangles = allocate_zeroed(b->triangle_count, sizeof *b->triangles);
    b->cap = allocate_zeroed(b->triangle_count, sizeof *b->cap);
    b->own = allocate_zeroed(b->triangle_count, sizeof *b->own);
    grz_sight_positions(model, b->mesh, &b->surface.frame, positions);
    for (size_t t = 0; t < b->triangle_count; t++) {
        b->cap[t] = model->triangles.items[t].source == GRZ_SIGHT_CAP;
        for (int i = 0; i < 3; i++)
            memcpy(b->triangles[t][i], positions[model->triangles.items[t].corners[i]], sizeof positions[0]);
    }
    free(positions);
}

static void begin(bench *b, const test_mesh *shape, const grz_projections_options *options)
{
    memset(b, 0, sizeof *b);
    b->mesh = test_mesh_upload(device, shape);
    b->poses[0] = b->mesh;
    grz_control_init(&b->control, b->mesh->allocator, NULL);
    assert_int_equal(grz_sight_surface_init(&b->surface, device, b->poses, 1, options->cells, options->inside_rule,
                                            &b->control, NULL),
                     GRZ_OK);
    assert_int_equal(grz_sight_candidates_find(&b->candidates, &b->surface, options, &b->control, NULL), GRZ_OK);
    b->search = (grz_sight_search){.device = device,
                                   .control = &b->control,
                                   .surface = &b->surface,
                                   .directions = (const double(*)[3])b->candidates.directions,
                                   .direction_count = b->candidates.count,
                                   .projection = options->projection,
                                   .tolerance = 0.02 * b->surface.frame.diagonal,
                                   .max_directions = options->max_directions,
                                   .max_parts = options->max_parts,
                                   .uncovered_share = options->uncovered_share,
                                   .inside_rule = options->inside_rule};
    assert_true(grz_sight_rows_init(&b->search));
    assert_int_equal(grz_sight_split(&b->search, b->choices), GRZ_OK);
    list_triangles(b);
}

static void end(bench *b)
{
    grz_sight_model_finish(&b->search.model, b->mesh->allocator);
    grz_sight_rows_finish(&b->search);
    grz_sight_surface_finish(&b->surface, b->mesh->allocator);
    grz_mesh_destroy(b->mesh);
    free(b->triangles);
    free(b->cap);
    free(b->own);
}

static void look_at_part(bench *b, uint32_t part)
{
    for (size_t t = 0; t < b->triangle_count; t++)
        b->own[t] = b->search.model.triangles.items[t].part == part;
}

// The depth at which the projection's own end of the solid lies, along a direction.
static double anchor_of(const bench *b, const double direction[3])
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t t = 0; t < b->triangle_count; t++)
        for (int i = 0; i < 3 && b->own[t]; i++) {
            const double *p = b->triangles[t][i],
                         along = p[0] * direction[0] + p[1] * direction[1] + p[2] * direction[2];
            low = fmin(low, along);
            high = fmax(high, along);
        }
    return b->search.projection == GRZ_PROJECTION_SINGLE || b->search.projection == GRZ_PROJECTION_FLOOR
               ? low
               : 0.5 * (low + high);
}

// The depth in front of a point by the second program; *sure is false where rounding may decide.
static double true_depth(const bench *b, const double point[3], const double normal[3], uint32_t candidate, bool *sure)
{
    const double *d = b->search.directions[candidate];
    const double facing = normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2];
    sight_truth line = sight_cast(point, d, (const double(*)[3][3])b->triangles, b->triangle_count, b->own, b->cap);
    if (line.top >= line.bottom && b->search.projection != GRZ_PROJECTION_BOUNDED) {
        const double at = anchor_of(b, d) - (point[0] * d[0] + point[1] * d[1] + point[2] * d[2]);
        line.top = fmax(line.top, at);
        line.bottom = fmin(line.bottom, at);
    }
    *sure = line.sure && fabs(line.top) > 1e-9 && fabs(line.bottom) > 1e-9;
    return sight_truth_depth(&line, facing > 1e-6 ? 1 : facing < -1e-6 ? -1 : 0);
}

// Compare rows with the second program, for a share of the cells. Returns how many were uncovered.
static uint64_t compare_rows(bench *b, uint32_t every)
{
    uint64_t compared = 0, uncovered = 0;
    for (uint32_t part = 0; part < b->search.model.part_count; part++) {
        look_at_part(b, part);
        for (size_t i = 0; i < b->surface.cells.count; i += every) {
            const grz_sight_cell *cell = &b->surface.cells.items[i];
            if (grz_sight_part(&b->search, i) != part || cell->buried)
                continue;
            for (uint32_t c = 0; c < b->search.direction_count; c++) {
                bool sure;
                const double depth = true_depth(b, cell->probe, cell->normal, c, &sure);
                if (!sure || fabs(depth - b->search.tolerance) < 1e-9)
                    continue;
                const bool covered = depth <= b->search.tolerance;
                compared++;
                uncovered += !covered;
                if (covered != grz_sight_covers(&b->search, c, i))
                    fail_msg("cell %zu, part %u, candidate %u: depth %g is %scovered", i, part, c, depth,
                             covered ? "" : "not ");
            }
        }
    }
    assert_true(compared > 1000);
    return uncovered;
}

static grz_projections_options small_search(uint32_t cells, uint32_t candidates, uint32_t parts)
{
    grz_projections_options options = grz_default_projections_options();
    options.cells = cells;
    options.candidates = candidates;
    options.max_parts = parts;
    options.uncovered_share = 0.0;
    return options;
}

static void rows_are_those_of_lines_against_all_triangles(void **state)
{
    (void)state;
    uint64_t uncovered = 0, parts = 0;
    for (uint64_t seed = 1; seed <= (TEST_SANITIZED ? 3 : 6); seed++) {
        random_stream random = {seed};
        const solid_cells cells = solid_random(&random, 3 + (uint32_t)(seed % 3));
        test_mesh shape = solid_surface(&cells, seed % 2 == 0);
        const grz_projections_options options = small_search(TEST_SANITIZED ? 100 : 300, TEST_SANITIZED ? 13 : 49, 4);
        bench b;
        begin(&b, &shape, &options);
        uncovered += compare_rows(&b, 1);
        parts += b.search.model.part_count;
        end(&b);
        test_mesh_finish(&shape);
    }
    assert_true(TEST_SANITIZED || (uncovered > 1000 && parts > 6));
}

static void rows_of_every_projection(void **state)
{
    (void)state;
    for (int projection = 0; projection <= GRZ_PROJECTION_FLOOR; projection++) {
        random_stream random = {77};
        test_mesh shape = test_mesh_rough_sphere(&random, 2, 0.5, false);
        grz_projections_options options = small_search(TEST_SANITIZED ? 60 : 400, 13, 1);
        options.projection = (grz_projection)projection;
        bench b;
        begin(&b, &shape, &options);
        assert_true(compare_rows(&b, 1) > 0);
        end(&b);
        test_mesh_finish(&shape);
    }
}

// A random point of a triangle.
static void point_in(random_stream *random, double corners[3][3], double point[3])
{
    double u = 0.5 + 0.5 * random_signed(random), v = 0.5 + 0.5 * random_signed(random);
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    for (int j = 0; j < 3; j++)
        point[j] = corners[0][j] + (corners[1][j] - corners[0][j]) * u + (corners[2][j] - corners[0][j]) * v;
}

// Test a proof about one cell at random points.
static void check_proof(const bench *b, const grz_sight_view *view, const grz_sight_anchor *anchor, size_t i,
                        uint32_t candidate, random_stream *random, uint64_t counts[2])
{
    const grz_sight_cell *cell = &b->surface.cells.items[i];
    double corners[3][3], point[3];
    grz_sight_cell_corners(&b->surface, cell, corners);
    const bool proved =
        grz_sight_proves(view, corners, cell->normal, grz_sight_part(&b->search, i), anchor, b->search.tolerance);
    counts[proved]++;
    for (int k = 0; k < 20 && proved; k++) {
        bool sure;
        point_in(random, corners, point);
        const double depth = true_depth(b, point, cell->normal, candidate, &sure);
        if (sure && depth > b->search.tolerance + 1e-9)
            fail_msg("cell %zu, candidate %u is proved, but at (%.17g, %.17g, %.17g) the gap is %g deep", i, candidate,
                     point[0], point[1], point[2], depth);
    }
}

static void proofs_hold_at_random_points(void **state)
{
    (void)state;
    random_stream random = {5};
    uint64_t counts[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const solid_cells cells = solid_random(&random, 4);
        test_mesh shape = seed < 3 ? solid_surface(&cells, false) : test_mesh_rough_sphere(&random, 2, 0.6, false);
        const grz_projections_options options = small_search(TEST_SANITIZED ? 200 : 1500, 9, 3);
        bench b;
        begin(&b, &shape, &options);
        for (uint32_t part = 0; part < b.search.model.part_count; part++)
            for (uint32_t c = 0; c < b.search.direction_count; c++) {
                grz_sight_view view;
                grz_sight_anchor anchors[8];
                look_at_part(&b, part);
                assert_int_equal(
                    grz_sight_view_init(&view, &b.surface, &b.search.model, 0, b.search.directions[c], &b.control),
                    GRZ_OK);
                grz_sight_anchors(&view, b.search.projection, b.search.model.part_count, anchors);
                for (size_t i = c; i < b.surface.cells.count; i += b.search.direction_count)
                    if (grz_sight_part(&b.search, i) == part)
                        check_proof(&b, &view, &anchors[part], i, c, &random, counts);
                grz_sight_view_finish(&view);
            }
        end(&b);
        test_mesh_finish(&shape);
    }
    assert_true(TEST_SANITIZED || (counts[0] > 100 && counts[1] > 1000));
}

// ---- Choices ------------------------------------------------------------------------------------------------------

static uint64_t weight_of_set(const grz_sight_search *search, uint32_t part, uint32_t set)
{
    uint64_t weight = 0;
    for (size_t i = 0; i < search->surface->cells.count; i++)
        for (uint32_t c = 0; c < search->direction_count && grz_sight_part(search, i) == part; c++)
            if ((set >> c & 1) != 0 && grz_sight_covers(search, c, i)) {
                weight += search->surface->cells.items[i].weight;
                break;
            }
    return weight;
}

// All sets of candidates: the smallest that covers as much as the chosen one.
static uint32_t fewest_of_all(const grz_sight_search *search, uint32_t part, uint64_t goal)
{
    uint32_t fewest = UINT32_MAX;
    for (uint32_t set = 1; set < UINT32_C(1) << search->direction_count; set++) {
        const uint32_t count = (uint32_t)__builtin_popcount(set);
        if (count < fewest && weight_of_set(search, part, set) >= goal)
            fewest = count;
    }
    return fewest;
}

static void the_fewest_directions_are_those_of_a_search_through_all_sets(void **state)
{
    (void)state;
    uint64_t several = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        random_stream random = {seed * 1000};
        const solid_cells cells = solid_random(&random, 4);
        test_mesh shape = seed % 3 == 0 ? test_mesh_rough_sphere(&random, 2, 0.7, false) : solid_surface(&cells, true);
        grz_projections_options options = small_search(150, 3, 2);
        options.projection = seed % 2 == 0 ? GRZ_PROJECTION_BOUNDED : GRZ_PROJECTION_OPPOSITE;
        options.uncovered_share = seed % 4 == 0 ? 0.05 : 0.0;
        bench b;
        begin(&b, &shape, &options);
        b.search.direction_count = b.search.direction_count > 10 ? 10 : b.search.direction_count;
        for (uint32_t part = 0; part < b.search.model.part_count; part++) {
            grz_sight_choice choice;
            assert_int_equal(grz_sight_choose(&b.search, part, &choice), GRZ_OK);
            const grz_sight_choice greedy = choice;
            uint32_t set = 0;
            assert_int_equal(grz_sight_find_smallest_cover(&b.search, part, &choice), GRZ_OK);
            for (uint32_t k = 0; k < choice.count; k++)
                set |= UINT32_C(1) << choice.chosen[k];
            assert_int_equal(weight_of_set(&b.search, part, set), choice.covered);
            assert_true(choice.covered >= greedy.covered && choice.count <= greedy.count);
            assert_true(choice.coverable ==
                        weight_of_set(&b.search, part, (UINT32_C(1) << b.search.direction_count) - 1));
            assert_int_equal(choice.fewest, fewest_of_all(&b.search, part, greedy.covered));
            assert_int_equal(choice.fewest, choice.count);
            several += choice.count > 1;
        }
        end(&b);
        test_mesh_finish(&shape);
    }
    assert_true(several > 4);
}

// ---- Cuts ---------------------------------------------------------------------------------------------------------

// How often a ray from a point meets a part's triangles; *sure as above.
static uint32_t crossings(const bench *b, const double point[3], const double direction[3], uint32_t part, bool *sure)
{
    uint32_t count = 0;
    for (size_t t = 0; t < b->triangle_count; t++) {
        if (part != UINT32_MAX && b->search.model.triangles.items[t].part != part)
            continue;
        if (part == UINT32_MAX && b->cap[t])
            continue;
        const sight_truth line = sight_cast(point, direction, (const double(*)[3][3])b->triangles + t, 1, NULL, NULL);
        *sure = *sure && line.sure;
        count += line.above < HUGE_VAL;
    }
    return count;
}

static void cuts_make_parts_that_are_the_object_together(void **state)
{
    (void)state;
    uint64_t inside = 0, parts = 0;
    random_stream random = {11};
    const double direction[3] = {0.6, 0.64, 0.48};
    enum {
        SEEDS = 8
    };
    for (uint64_t seed = 1; seed <= SEEDS; seed += TEST_SANITIZED ? 3 : 1) {
        const solid_cells cells = solid_random(&random, 4);
        test_mesh shape = seed < 7 ? solid_surface(&cells, false)
                                   : test_mesh_rough_sphere(&random, TEST_SANITIZED ? 2 : 3, 0.8, false);
        const grz_projections_options options = small_search(400, 3, 6);
        bench b;
        begin(&b, &shape, &options);
        parts += b.search.model.part_count;
        for (int k = 0; k < (TEST_SANITIZED ? 50 : 300); k++) {
            const double point[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
            bool sure = true;
            const bool in = crossings(&b, point, direction, UINT32_MAX, &sure) % 2 == 1;
            uint32_t in_parts = 0;
            for (uint32_t part = 0; part < b.search.model.part_count; part++)
                in_parts += crossings(&b, point, direction, part, &sure) % 2;
            if (!sure)
                continue;
            inside += in;
            if (in_parts != in)
                fail_msg("seed %d, (%g, %g, %g): in %u parts, %s the object", (int)seed, point[0], point[1], point[2],
                         in_parts, in ? "inside" : "outside of");
        }
        end(&b);
        test_mesh_finish(&shape);
    }
    print_message("%d points inside, %d parts of %d objects\n", (int)inside, (int)parts, SEEDS);
    assert_true(TEST_SANITIZED || (inside > 100 && parts >= 2 * SEEDS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_lines_against_all_triangles),
        cmocka_unit_test(rows_of_every_projection),
        cmocka_unit_test(proofs_hold_at_random_points),
        cmocka_unit_test(the_fewest_directions_are_those_of_a_search_through_all_sets),
        cmocka_unit_test(cuts_make_parts_that_are_the_object_together),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
