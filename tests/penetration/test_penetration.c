// SPDX-License-Identifier: MIT
// grz_penetration_along() and grz_penetration(): known depths; solids of cells, whose overlap is counted; convex
// solids, whose depth is a minimum over axes; solids without an inside; bad input. ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/penetration/deepest.h"
#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

static grz_penetration_answer ask(const grz_object *a, const grz_object *b, const double direction[3],
                                  const char *method)
{
    grz_move_options options = grz_default_move_options();
    grz_penetration_answer answer;
    grz_error error;
    options.method = method;
    if (grz_penetration_along(device, a, b, direction, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(answer.lower <= answer.depth && answer.depth <= answer.upper);
    assert_true(answer.penetrating == (answer.depth > 0.0) || answer.certainty == GRZ_UNDECIDED);
    return answer;
}

static bool is_exact(const grz_penetration_answer *answer)
{
    assert_true(test_label_fits(answer->certainty, answer->lower, answer->upper));
    return answer->certainty == GRZ_EXACT;
}

// ---- Known depths -------------------------------------------------------------------------------------------------

static void known_depths(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), large = test_mesh_cube(-4, -4, -4, 8);
    grz_mesh *small_mesh = test_mesh_upload(device, &cube), *large_mesh = test_mesh_upload(device, &large);
    grz_object a = grz_object_at_origin(small_mesh),
               b = grz_object_at(small_mesh, grz_pose_from_translation(0.5, 0, 0));
    const double left[3] = {-3, 0, 0}, right[3] = {2, 0, 0}, up[3] = {0, 0, 1}, askew[3] = {-1, 0, 1};
    (void)state;
    // Half a cube, flush on four sides.
    const grz_penetration_answer half = ask(&a, &b, left, NULL), past = ask(&a, &b, right, NULL),
                                 over = ask(&a, &b, up, NULL), slanted = ask(&a, &b, askew, NULL);
    assert_true(is_exact(&half) && half.depth == 0.5 && half.direction[0] == -1.0 && half.reason == NULL);
    assert_true(is_exact(&past) && past.depth == 1.5);
    assert_true(is_exact(&over) && over.depth == 1.0);
    assert_true(is_exact(&slanted) && slanted.depth == sqrt(0.5));
    const double thirds[3] = {-1, 2, -2};
    const grz_penetration_answer third = ask(&a, &b, thirds, NULL);
    assert_true(third.direction[0] == -1.0 / 3.0 && third.direction[1] == 2.0 / 3.0);
    assert_true(third.direction[2] == -2.0 / 3.0);
    // A number that is not a multiple of anything: the cubes part where it says.
    b.pose = grz_pose_from_translation(0.1, 0.03, 0.7);
    const grz_penetration_answer odd = ask(&a, &b, left, NULL);
    assert_true(is_exact(&odd) && odd.lower <= 1.0 - 0.1 && 1.0 - 0.1 <= odd.upper);
    assert_true(odd.face_a != GRZ_NO_FACE && odd.face_b != GRZ_NO_FACE);
    // Side by side, and apart.
    b.pose = grz_pose_from_translation(1, 0, 0);
    const grz_penetration_answer flush = ask(&a, &b, left, NULL);
    assert_true(flush.certainty == GRZ_EXACT && !flush.penetrating && flush.upper == 0.0);
    b.pose = grz_pose_from_translation(3, 0, 0);
    assert_true(ask(&a, &b, right, NULL).upper == 0.0);
    // One inside the other: from -4 to 5 past the wall at 4.
    b = grz_object_at_origin(large_mesh);
    const grz_penetration_answer out = ask(&a, &b, right, NULL), around = ask(&b, &a, right, NULL);
    assert_true(is_exact(&out) && out.depth == 4.0 && is_exact(&around) && around.depth == 5.0);
    // Through the wall, inside without touching, and out on the other side.
    a.pose = grz_pose_from_translation(-4.5, 0.25, 0.25);
    assert_true(ask(&a, &b, right, NULL).depth == 8.5);
    // Out of one wall at the moment at which the next begins: free for that moment.
    const double walls[2][2][3] = {{{0.5, -1, -1}, {1.5, 2, 2}}, {{2.5, -1, -1}, {3.5, 2, 2}}};
    test_mesh both = test_mesh_box(walls[0][0], walls[0][1]);
    test_mesh_take(&both, test_mesh_box(walls[1][0], walls[1][1]));
    const grz_object two_walls = grz_object_at_origin(test_mesh_upload(device, &both));
    a.pose = grz_pose_identity();
    const grz_penetration_answer between = ask(&a, &two_walls, right, NULL);
    assert_true(is_exact(&between) && between.depth == 1.5);
    grz_mesh_destroy((grz_mesh *)two_walls.mesh);
    test_mesh_finish(&both);
    // The same solid.
    assert_true(ask(&a, &a, up, NULL).depth == 1.0);
    grz_mesh_destroy(small_mesh);
    grz_mesh_destroy(large_mesh);
    test_mesh_finish(&cube);
    test_mesh_finish(&large);
}

// Positions on the way are no doubles: a ball goes into a larger one, is inside without touching, and comes out.
static void through_another_solid(void **state)
{
    test_mesh small = test_mesh_icosphere(0.5, 1), large = test_mesh_icosphere(2.0, 2);
    const grz_object a = grz_object_at(test_mesh_upload(device, &small), grz_pose_from_translation(-2.1, 0.123, 0.2)),
                     b = grz_object_at_origin(test_mesh_upload(device, &large));
    const double way[3] = {1.0, 0.0123, -0.0456};
    (void)state;
    const grz_penetration_answer out = ask(&a, &b, way, NULL), back = ask(&b, &a, way, NULL);
    assert_true(is_exact(&out) && out.depth > 4.3 && out.depth < 4.7);
    assert_true(is_exact(&back) && back.depth > 0.2 && back.depth < 0.5);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&small);
    test_mesh_finish(&large);
}

// ---- Solids of cells ----------------------------------------------------------------------------------------------

typedef struct open_interval {
    double from, to;
} open_interval;

enum {
    CELLS = SOLID_CELLS * SOLID_CELLS * SOLID_CELLS
};

// At which times two cells overlap; false: never.
static bool overlap_of_cells(const int a[3], const int b[3], const double offset[3], const double direction[3],
                             open_interval *out)
{
    *out = (open_interval){-HUGE_VAL, HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        const double apart = SOLID_CELL_SIZE * (double)(a[k] - b[k]) + offset[k], v = direction[k];
        if (v == 0.0 && fabs(apart) >= SOLID_CELL_SIZE)
            return false;
        if (v == 0.0)
            continue;
        const double p = (-SOLID_CELL_SIZE - apart) / v, q = (SOLID_CELL_SIZE - apart) / v;
        out->from = fmax(out->from, fmin(p, q));
        out->to = fmin(out->to, fmax(p, q));
    }
    return out->from < out->to && out->to > 0.0;
}

static int compare_intervals(const void *x, const void *y)
{
    const open_interval *p = x, *q = y;
    return (p->from > q->from) - (p->from < q->from);
}

// The smallest time, 0 or more, at which no cells overlap. All numbers are exact.
static double free_time(const solid_cells *a, const solid_cells *b, const double offset[3], const double direction[3])
{
    static open_interval all[CELLS * CELLS];
    size_t count = 0;
    double time = 0.0;
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            const int at[3] = {i % 5, i / 5 % 5, i / 25}, other[3] = {j % 5, j / 5 % 5, j / 25};
            if (a->full[at[0]][at[1]][at[2]] && b->full[other[0]][other[1]][other[2]] &&
                overlap_of_cells(at, other, offset, direction, &all[count]))
                count++;
        }
    qsort(all, count, sizeof all[0], compare_intervals);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < count && all[i].from < time; i++)
            if (all[i].to > time) {
                time = all[i].to;
                again = true;
            }
    }
    return time;
}

static bool starts_overlapping(const solid_cells *a, const solid_cells *b, const double offset[3])
{
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            const int at[3] = {i % 5, i / 5 % 5, i / 25}, other[3] = {j % 5, j / 5 % 5, j / 25};
            bool overlap = a->full[at[0]][at[1]][at[2]] && b->full[other[0]][other[1]][other[2]];
            for (int k = 0; k < 3; k++)
                overlap = overlap && fabs(SOLID_CELL_SIZE * (double)(at[k] - other[k]) + offset[k]) < SOLID_CELL_SIZE;
            if (overlap)
                return true;
        }
    return false;
}

static void solids_of_cells_part_where_no_cells_overlap(void **state)
{
    const int cases = TEST_SANITIZED ? 6 : 20;
    random_stream random = {31};
    int overlapping = 0, exact = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        const solid_cells cells[2] = {solid_random(&random, 1 + random_below(&random, 5)),
                                      solid_random(&random, 1 + random_below(&random, 5))};
        double offset[3], direction[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            // On the grid of cells in a third of the cases: everything is flush.
            offset[k] = random_below(&random, 3) == 0 ? 4.0 * ((double)random_below(&random, 5) - 2.0)
                                                      : (double)random_below(&random, 17) - 8.0;
            direction[k] = random_below(&random, 2) == 0 ? (double)random_below(&random, 5) - 2.0 : 0.0;
        }
        if (direction[0] == 0.0 && direction[1] == 0.0 && direction[2] == 0.0)
            direction[random_below(&random, 3)] = 1.0;
        test_mesh surfaces[2] = {solid_surface(&cells[0], false), solid_surface(&cells[1], true)};
        const grz_object a = grz_object_at(test_mesh_upload(device, &surfaces[0]),
                                           grz_pose_from_translation(offset[0], offset[1], offset[2])),
                         b = grz_object_at_origin(test_mesh_upload(device, &surfaces[1]));
        const double time = starts_overlapping(&cells[0], &cells[1], offset)
                                ? free_time(&cells[0], &cells[1], offset, direction)
                                : 0.0,
                     length =
                         sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
        const grz_penetration_answer answer = ask(&a, &b, direction, NULL);
        const double slack = 0x1p-50 * time * length;
        if (!TEST_LABEL_FITS(answer) || answer.lower > time * length + slack || answer.upper < time * length - slack)
            fail_msg("case %d: %.17g to %.17g, %s; but they part after %.17g", i, answer.lower, answer.upper,
                     answer.reason != NULL ? answer.reason : "", time * length);
        overlapping += time > 0.0;
        exact += time > 0.0 && is_exact(&answer);
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&surfaces[k]);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
    }
    print_message("%d pairs of solids of cells: %d overlap, %d of these depths are exact\n", cases, overlapping, exact);
    assert_true(overlapping > cases / 2 && exact == overlapping);
}

// ---- Instants of freedom ------------------------------------------------------------------------------------------

// Bars of one mesh: `count` of them, one length wide along x and one length apart, flush in y and z with any other's.
static test_mesh comb(double from, double length, int count)
{
    const double first[2][3] = {{from, 0.1, 0.2}, {from + length, 0.4, 0.7}};
    test_mesh all = test_mesh_box(first[0], first[1]);
    for (int i = 1; i < count; i++) {
        const double corners[2][3] = {{from + 2 * i * length, 0.1, 0.2}, {from + (2 * i + 1) * length, 0.4, 0.7}};
        test_mesh_take(&all, test_mesh_box(corners[0], corners[1]));
    }
    return all;
}

// Combs that fit into each other at single instants only: before and after these they overlap. The direction's length
// must not matter, not for one bit; the positions are no doubles on the way, for most of the lengths.
static void combs_are_free_for_an_instant(void **state)
{
    static const double lengths[] = {1.0, 3.0, 0.1, 7.0, 1e-9, 123456.789}, sizes[] = {1.0, 0.5, 0.3, 0x1p100, 1e-20};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        test_mesh meshes[2] = {comb(0.0, sizes[i], 3), comb(0.0, sizes[i], 4)};
        // In between only if the gaps are as wide as the bars, bit for bit.
        const bool fits = i != 2;
        const grz_object a = grz_object_at_origin(test_mesh_upload(device, &meshes[0])),
                         b = grz_object_at_origin(test_mesh_upload(device, &meshes[1]));
        grz_penetration_answer first = {.depth = 0.0};
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            const double way[3] = {lengths[k], 0, 0};
            const grz_penetration_answer answer = ask(&a, &b, way, NULL);
            assert_true(is_exact(&answer));
            if (fits && i != 4)
                assert_true(answer.depth == sizes[i]);
            if (k == 0)
                first = answer;
            assert_true(answer.depth == first.depth && answer.lower == first.lower && answer.upper == first.upper);
            assert_memory_equal(answer.direction, first.direction, sizeof first.direction);
        }
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&meshes[k]);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
    }
}

// Two solids of single-digit integers that are free at one instant along (-1, -1, 4), where crossing pairs of triangles
// end and others begin: after half of the direction, whose length is sqrt(18).
static void crossing_times_that_share_an_end_leave_it_free(void **state)
{
    static const double corners_a[][3] = {{1, 2, 1},   {2, 1, -1},  {3, 3, 0},  {2, 4, 2},   {3, 1, 2},  {4, 0, 0},
                                          {5, 2, 1},   {4, 3, 3},   {3, 0, -3}, {4, -1, -5}, {5, 1, -4}, {4, 2, -2},
                                          {5, -1, -2}, {6, -2, -4}, {7, 0, -3}, {6, 1, -1}};
    static const uint32_t faces_a[][3] = {
        {3, 2, 1},    {3, 1, 0},   {4, 5, 6},   {4, 6, 7},   {4, 7, 3},   {4, 3, 0},  {1, 2, 6},    {1, 6, 5},
        {1, 5, 4},    {1, 4, 0},   {3, 7, 6},   {3, 6, 2},   {11, 10, 9}, {11, 9, 8}, {12, 13, 14}, {12, 14, 15},
        {12, 15, 11}, {12, 11, 8}, {9, 10, 14}, {9, 14, 13}, {9, 13, 12}, {9, 12, 8}, {11, 15, 14}, {11, 14, 10}};
    static const double corners_b[][3] = {{1, 2, 1}, {2, 1, -1}, {3, 3, 0}, {2, 4, 2},
                                          {3, 1, 2}, {4, 0, 0},  {5, 2, 1}, {4, 3, 3}};
    static const uint32_t faces_b[][3] = {{3, 2, 1}, {3, 1, 0}, {4, 5, 6}, {4, 6, 7}, {4, 7, 3}, {4, 3, 0},
                                          {1, 2, 6}, {1, 6, 5}, {1, 5, 4}, {1, 4, 0}, {3, 7, 6}, {3, 6, 2}};
    const double way[3] = {-1, -1, 4}, triple[3] = {-3, -3, 12};
    (void)state;
    grz_mesh *meshes[2] = {NULL, NULL};
    const grz_mesh_description descriptions[2] = {
        grz_mesh_description_from_triangles(corners_a, GRZ_FLOAT64, sizeof corners_a / sizeof corners_a[0], faces_a[0],
                                            sizeof faces_a / sizeof faces_a[0]),
        grz_mesh_description_from_triangles(corners_b, GRZ_FLOAT64, sizeof corners_b / sizeof corners_b[0], faces_b[0],
                                            sizeof faces_b / sizeof faces_b[0])};
    for (int i = 0; i < 2; i++)
        assert_int_equal(grz_mesh_create(device, &descriptions[i], &meshes[i], NULL), GRZ_OK);
    const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
    const grz_penetration_answer answer = ask(&a, &b, way, NULL), same = ask(&a, &b, triple, NULL);
    assert_true(is_exact(&answer) && answer.depth == sqrt(4.5));
    assert_true(same.depth == answer.depth && same.lower == answer.lower && same.upper == answer.upper);
    // The same solids so small, and the direction so long, that its multiples of these times are no doubles.
    const double far[3] = {-0x1p250, -0x1p250, 0x1p252};
    grz_object tiny_a = a, tiny_b = b;
    for (int k = 0; k < 3; k++)
        tiny_a.pose.m[k][k] = tiny_b.pose.m[k][k] = 0x1p-900;
    const grz_penetration_answer tiny = ask(&tiny_a, &tiny_b, far, NULL);
    assert_true(is_exact(&tiny) && tiny.depth == answer.depth * 0x1p-900);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
}

// ---- Convex solids ------------------------------------------------------------------------------------------------

static void extent(const test_mesh *mesh, const double n[3], double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        const double *p = mesh->positions + 3 * v, at = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
}

static void offer_axis(const test_mesh meshes[2], const double n[3], const double direction[3], double *time)
{
    double a[2], b[2];
    const double along = n[0] * direction[0] + n[1] * direction[1] + n[2] * direction[2];
    if (fabs(along) < 1e-9)
        return;
    extent(&meshes[0], n, &a[0], &a[1]);
    extent(&meshes[1], n, &b[0], &b[1]);
    *time = fmin(*time, along > 0.0 ? (b[1] - a[0]) / along : (b[0] - a[1]) / along);
}

static void cross(const double u[3], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

static void edge(const test_mesh *mesh, uint64_t corner, double out[3])
{
    const uint64_t first = corner / 3 * 3, next = first + (corner + 1) % 3;
    for (int k = 0; k < 3; k++)
        out[k] = mesh->positions[3 * mesh->indices[next] + (uint32_t)k] -
                 mesh->positions[3 * mesh->indices[corner] + (uint32_t)k];
}

// Of convex solids that overlap: over the normals of their faces and the products of their edges.
static double convex_time(const test_mesh meshes[2], const double direction[3])
{
    double time = HUGE_VAL, u[3], v[3], n[3];
    for (int i = 0; i < 2; i++)
        for (uint64_t c = 0; c < meshes[i].index_count; c += 3) {
            edge(&meshes[i], c, u);
            edge(&meshes[i], c + 1, v);
            cross(u, v, n);
            offer_axis(meshes, n, direction, &time);
        }
    for (uint64_t c = 0; c < meshes[0].index_count; c++)
        for (uint64_t d = 0; d < meshes[1].index_count; d++) {
            edge(&meshes[0], c, u);
            edge(&meshes[1], d, v);
            cross(u, v, n);
            offer_axis(meshes, n, direction, &time);
        }
    return time;
}

static test_mesh random_tetrahedron(random_stream *random)
{
    double corners[4][3];
    for (int i = 0; i < 12; i++)
        corners[i / 3][i % 3] = random_signed(random);
    return test_mesh_tetrahedron((const double(*)[3])corners);
}

static void convex_solids_part_at_the_first_axis(void **state)
{
    const int cases = TEST_SANITIZED ? 20 : 80;
    random_stream random = {33};
    int overlapping = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        test_mesh meshes[2] = {random_tetrahedron(&random), random_tetrahedron(&random)};
        const double direction[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
        const grz_object a = grz_object_at_origin(test_mesh_upload(device, &meshes[0])),
                         b = grz_object_at_origin(test_mesh_upload(device, &meshes[1]));
        const grz_penetration_answer answer = ask(&a, &b, direction, NULL);
        const double length =
                         sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]),
                     expected = convex_time(meshes, direction) * length;
        if (answer.penetrating) {
            if (!is_exact(&answer) || fabs(answer.depth - expected) > 1e-6 * expected + 1e-9)
                fail_msg("case %d: %.17g (%.17g to %.17g), expected %.17g", i, answer.depth, answer.lower, answer.upper,
                         expected);
            const grz_penetration_answer all = ask(&a, &b, direction, "naive");
            assert_true(all.depth == answer.depth && all.face_a == answer.face_a && all.face_b == answer.face_b);
            overlapping++;
        }
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&meshes[k]);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
    }
    print_message("%d pairs of tetrahedra: %d overlap\n", cases, overlapping);
    assert_true(overlapping > (TEST_SANITIZED ? 3 : 25));
}

// ---- Parallel faces, surfaces that cross themselves, sizes --------------------------------------------------------

// Meshes at a random place along a random direction: every depth is exact.
static int ask_exact(const test_mesh *a, const test_mesh *b, const double shift[3], const double direction[3],
                     double *depth)
{
    const grz_object at_a = grz_object_at_origin(test_mesh_upload(device, a)),
                     at_b = grz_object_at(test_mesh_upload(device, b),
                                          grz_pose_from_translation(shift[0], shift[1], shift[2]));
    const grz_penetration_answer answer = ask(&at_a, &at_b, direction, NULL);
    if (!is_exact(&answer))
        fail_msg("%.17g to %.17g: %s", answer.lower, answer.upper, answer.reason != NULL ? answer.reason : "");
    *depth = answer.depth;
    grz_mesh_destroy((grz_mesh *)at_a.mesh);
    grz_mesh_destroy((grz_mesh *)at_b.mesh);
    return answer.penetrating;
}

static void random_vector(random_stream *random, double size, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = size * random_signed(random);
}

static void equal_solids_have_exact_depths(void **state)
{
    random_stream random = {37};
    int overlapping = 0;
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 12 : 40); i++) {
        test_mesh mesh = random_tetrahedron(&random);
        double shift[3], direction[3], depth;
        random_vector(&random, 0.3, shift);
        random_vector(&random, 1.0, direction);
        overlapping += ask_exact(&mesh, &mesh, shift, direction, &depth);
        test_mesh_finish(&mesh);
    }
    assert_true(overlapping > (TEST_SANITIZED ? 3 : 15));
}

static void surfaces_that_cross_themselves_have_exact_depths(void **state)
{
    random_stream random = {38};
    const double none[3] = {0, 0, 0};
    int overlapping = 0;
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 2 : 10); i++) {
        test_mesh meshes[2] = {random_tetrahedron(&random), random_tetrahedron(&random)};
        double direction[3], depth;
        test_mesh_take(&meshes[0], random_tetrahedron(&random));
        test_mesh_take(&meshes[1], random_tetrahedron(&random));
        random_vector(&random, 1.0, direction);
        overlapping += ask_exact(&meshes[0], &meshes[1], none, direction, &depth);
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&meshes[k]);
    }
    assert_true(TEST_SANITIZED || overlapping > 5);
}

static void the_size_does_not_matter(void **state)
{
    static const int exponents[] = {0, 140, 250, -90, -320, -600, -664, -900};
    random_stream random = {39};
    int overlapping = 0;
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 2 : 8); i++) {
        test_mesh meshes[2] = {random_tetrahedron(&random), random_tetrahedron(&random)};
        double direction[3], first = 0.0;
        random_vector(&random, 1.0, direction);
        for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
            const double size = ldexp(1.0, exponents[e]), none[3] = {0, 0, 0};
            test_mesh scaled[2] = {test_mesh_copy(&meshes[0]), test_mesh_copy(&meshes[1])};
            double depth;
            for (int k = 0; k < 2; k++)
                test_mesh_scale(&scaled[k], size, size, size);
            overlapping += ask_exact(&scaled[0], &scaled[1], none, direction, &depth);
            if (e == 0)
                first = depth;
            if (depth != first * size)
                fail_msg("case %d: %.17g at 2^%d, %.17g at 1", i, depth / size, exponents[e], first);
            for (int k = 0; k < 2; k++)
                test_mesh_finish(&scaled[k]);
        }
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&meshes[k]);
    }
    assert_true(TEST_SANITIZED || overlapping > 20);
}

// Times of more than a thousand digits, whose squares are rooted all the same.
static void parts_of_the_direction_may_differ_by_far(void **state)
{
    static const double DIRECTIONS[][3] = {{1, 1e-300, 0}, {-1e-300, 1, 1e-150}, {1e-250, -1e-290, 1}};
    random_stream random = {41};
    const double none[3] = {0, 0, 0};
    int overlapping = 0;
    (void)state;
    for (int i = 0; i < 30; i++) {
        test_mesh meshes[2] = {random_tetrahedron(&random), random_tetrahedron(&random)};
        double depth, plain = 0.0;
        const double *direction = DIRECTIONS[i % 3];
        const double rounded[3] = {nearbyint(direction[0]), nearbyint(direction[1]), nearbyint(direction[2])};
        if (ask_exact(&meshes[0], &meshes[1], none, direction, &depth)) {
            (void)ask_exact(&meshes[0], &meshes[1], none, rounded, &plain);
            assert_true(fabs(depth - plain) <= 0x1p-50 * plain);
            overlapping++;
        }
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&meshes[k]);
    }
    assert_true(overlapping > 5);
    // Coordinates that differ by far, too.
    static const double CORNERS[2][4][3] = {{{0, 0, 0}, {4, 0, 1e-300}, {0, 4, 0}, {1, 1, 4}},
                                            {{1, 1e-300, 1}, {5, 0, 1}, {0, 5, 1.3}, {1, 1, 5}}};
    static const uint32_t FACES[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    test_mesh far[2] = {{.vertex_count = 0}, {.vertex_count = 0}};
    double depth;
    for (int i = 0; i < 2; i++) {
        for (int v = 0; v < 4; v++)
            (void)test_mesh_add_vertex(&far[i], CORNERS[i][v][0], CORNERS[i][v][1], CORNERS[i][v][2]);
        for (int f = 0; f < 4; f++)
            test_mesh_add_face(&far[i], FACES[f], 3);
    }
    assert_true(ask_exact(&far[0], &far[1], none, DIRECTIONS[0], &depth) && depth == 4.49238578680203);
    for (int i = 0; i < 2; i++)
        test_mesh_finish(&far[i]);
}

// A cube that is half in a slab, and a part of the same mesh without volume, deep in it: a triangle without area, or
// one there and back. The cube is free after 0.5, wherever the part is.
static void parts_without_volume_do_not_count(void **state)
{
    const double low[3] = {0, -10, -10}, high[3] = {4, 10, 10}, right[3] = {1, 0, 0};
    test_mesh slab = test_mesh_box(low, high);
    const grz_object b = grz_object_at_origin(test_mesh_upload(device, &slab));
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        test_mesh mesh = test_mesh_cube(3.5, -0.5, -0.5, 1);
        const uint32_t i = test_mesh_add_vertex(&mesh, 2, 0, 0), j = test_mesh_add_vertex(&mesh, 2, 1, 0),
                       k = test_mesh_add_vertex(&mesh, 2, 0, 1);
        // A sliver, a triangle there and back; and both at a corner of the cube.
        const uint32_t from = kind < 2 ? i : 0;
        test_mesh_add_triangle(&mesh, from, j, kind % 2 == 0 ? j : k);
        if (kind % 2 == 1)
            test_mesh_add_triangle(&mesh, from, k, j);
        const grz_object a = grz_object_at_origin(test_mesh_upload(device, &mesh));
        grz_penetration_answer least;
        const grz_penetration_answer along = ask(&a, &b, right, NULL);
        if (!is_exact(&along) || along.depth != 0.5)
            fail_msg("kind %d: %.17g to %.17g", kind, along.lower, along.upper);
        assert_int_equal(grz_penetration(device, &a, &b, NULL, &least, NULL), GRZ_OK);
        assert_true(least.upper == 0.5 && least.lower <= 0.5);
        // Its points without volume are no reason for a lower bound.
        grz_move_call call;
        grz_deepest deepest;
        assert_int_equal(grz_move_begin(&call, "test", device, NULL, NULL), GRZ_OK);
        assert_int_equal(grz_deepest_find(&call, &a, &a.pose, &b, &deepest), GRZ_OK);
        if (kind % 2 == 0)
            assert_true(deepest.count > 0 && deepest.depths[0] <= 0.5);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        test_mesh_finish(&mesh);
    }
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&slab);
}

// ---- In any direction ---------------------------------------------------------------------------------------------

// The least depth of convex solids that overlap.
static void offer_least(const test_mesh meshes[2], const double axis[3], double *least)
{
    double n[3] = {axis[0], axis[1], axis[2]}, a[2], b[2];
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length < 1e-9)
        return;
    for (int k = 0; k < 3; k++)
        n[k] /= length;
    extent(&meshes[0], n, &a[0], &a[1]);
    extent(&meshes[1], n, &b[0], &b[1]);
    *least = fmin(*least, fmin(b[1] - a[0], a[1] - b[0]));
}

static double least_depth(const test_mesh meshes[2])
{
    double least = HUGE_VAL, u[3], v[3], n[3];
    for (int i = 0; i < 2; i++)
        for (uint64_t c = 0; c < meshes[i].index_count; c += 3) {
            edge(&meshes[i], c, u);
            edge(&meshes[i], c + 1, v);
            cross(u, v, n);
            offer_least(meshes, n, &least);
        }
    for (uint64_t c = 0; c < meshes[0].index_count; c++)
        for (uint64_t d = 0; d < meshes[1].index_count; d++) {
            edge(&meshes[0], c, u);
            edge(&meshes[1], d, v);
            cross(u, v, n);
            offer_least(meshes, n, &least);
        }
    return least;
}

static void the_least_depth_is_between_the_bounds(void **state)
{
    random_stream random = {35};
    int overlapping = 0, found = 0;
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 10 : 30); i++) {
        test_mesh meshes[2] = {random_tetrahedron(&random), random_tetrahedron(&random)};
        const grz_object a = grz_object_at_origin(test_mesh_upload(device, &meshes[0])),
                         b = grz_object_at_origin(test_mesh_upload(device, &meshes[1]));
        grz_penetration_answer answer;
        grz_error error;
        if (grz_penetration(device, &a, &b, NULL, &answer, &error) != GRZ_OK)
            fail_msg("%s", error.message);
        assert_true(TEST_LABEL_FITS(answer));
        if (answer.penetrating) {
            const double least = least_depth((const test_mesh *)meshes);
            if (answer.lower > least * (1.0 + 1e-9) || answer.upper < least * (1.0 - 1e-9))
                fail_msg("case %d: %g to %g, but it is %g", i, answer.lower, answer.upper, least);
            const grz_penetration_answer along = ask(&a, &b, answer.direction, NULL);
            assert_true(along.upper <= answer.upper * (1.0 + 1e-12));
            overlapping++;
            found += answer.upper < 1.001 * least;
        } else {
            assert_true(answer.upper == 0.0);
        }
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&meshes[k]);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
    }
    print_message("%d tetrahedra overlap; the upper bound is the least depth of %d\n", overlapping, found);
    assert_true(TEST_SANITIZED || (overlapping > 10 && found * 10 > overlapping * 7));
}

static void boxes_are_lifted_out_the_short_way(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), sheet = test_mesh_grid(2, 2, 1.0);
    grz_object a = grz_object_at_origin(test_mesh_upload(device, &cube)),
               b = grz_object_at(a.mesh, grz_pose_from_translation(0.25, 0.5, -0.875));
    const grz_object open = grz_object_at_origin(test_mesh_upload(device, &sheet));
    grz_penetration_answer answer;
    (void)state;
    assert_int_equal(grz_penetration(device, &a, &b, NULL, &answer, NULL), GRZ_OK);
    assert_true(answer.upper == 0.125 && answer.direction[2] == 1.0 && answer.penetrating);
    assert_true(answer.lower > 0.0 && answer.lower <= 0.125);
    b.pose = grz_pose_from_translation(0.5, 0, 0); // flush on four sides
    assert_int_equal(grz_penetration(device, &a, &b, NULL, &answer, NULL), GRZ_OK);
    assert_true(answer.depth == 0.5 && answer.lower == 0.5 && answer.upper == 0.5 && answer.direction[0] == -1.0);
    b.pose = grz_pose_from_translation(1, 0, 0);
    assert_int_equal(grz_penetration(device, &a, &b, NULL, &answer, NULL), GRZ_OK);
    assert_true(!answer.penetrating && answer.upper == 0.0 && answer.certainty == GRZ_EXACT);
    assert_int_equal(grz_penetration(device, &a, &open, NULL, &answer, NULL), GRZ_OK);
    assert_true(answer.certainty == GRZ_UNDECIDED && answer.reason != NULL);
    assert_int_equal(grz_penetration(device, &a, &b, NULL, NULL, NULL), GRZ_ERROR_ARGUMENT);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)open.mesh);
    test_mesh_finish(&cube);
    test_mesh_finish(&sheet);
}

// A peg that was pushed half a unit too far into the end of its hole. It is free before it gets to the other end, and
// would overlap again there.
static void a_peg_goes_back_in_its_hole(void **state)
{
    test_mesh hole = test_mesh_cube(0, 0, 0, 10), peg = test_mesh_cube(1, 1, 1, 8);
    test_mesh_append(&hole, &peg); // a cavity of the peg's form
    const grz_object a = grz_object_at(test_mesh_upload(device, &peg), grz_pose_from_translation(0.5, 0, 0)),
                     b = grz_object_at_origin(test_mesh_upload(device, &hole));
    grz_penetration_answer answer;
    (void)state;
    assert_int_equal(grz_penetration(device, &a, &b, NULL, &answer, NULL), GRZ_OK);
    assert_true(answer.penetrating && answer.lower == 0.5 && answer.upper == 0.5 && answer.direction[0] == -1.0);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&hole);
    test_mesh_finish(&peg);
}

// ---- Bad input ----------------------------------------------------------------------------------------------------

static void what_has_no_inside_is_undecided(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), sheet = test_mesh_grid(2, 2, 1.0);
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &cube)),
                     b = grz_object_at_origin(test_mesh_upload(device, &sheet));
    const double up[3] = {0, 0, 1}, zero[3] = {0, 0, 0}, no_number[3] = {0, (double)NAN, 0};
    grz_penetration_answer answer = ask(&a, &b, up, NULL);
    grz_error error;
    (void)state;
    assert_true(answer.certainty == GRZ_UNDECIDED && answer.lower == 0.0 && answer.upper == HUGE_VAL);
    assert_non_null(strstr(answer.reason, "B is open"));
    assert_int_equal(grz_penetration_along(device, &a, &a, zero, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "zero"));
    assert_int_equal(grz_penetration_along(device, &a, &a, no_number, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_penetration_along(device, &a, &a, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_penetration_along(device, &a, &a, up, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_penetration_along(NULL, &a, &a, up, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_penetration_along(device, &a, NULL, up, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_true(error.element == 1 && answer.upper == HUGE_VAL);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&cube);
    test_mesh_finish(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_depths),
        cmocka_unit_test(through_another_solid),
        cmocka_unit_test(solids_of_cells_part_where_no_cells_overlap),
        cmocka_unit_test(combs_are_free_for_an_instant),
        cmocka_unit_test(crossing_times_that_share_an_end_leave_it_free),
        cmocka_unit_test(convex_solids_part_at_the_first_axis),
        cmocka_unit_test(equal_solids_have_exact_depths),
        cmocka_unit_test(surfaces_that_cross_themselves_have_exact_depths),
        cmocka_unit_test(the_size_does_not_matter),
        cmocka_unit_test(parts_of_the_direction_may_differ_by_far),
        cmocka_unit_test(parts_without_volume_do_not_count),
        cmocka_unit_test(the_least_depth_is_between_the_bounds),
        cmocka_unit_test(boxes_are_lifted_out_the_short_way),
        cmocka_unit_test(a_peg_goes_back_in_its_hole),
        cmocka_unit_test(what_has_no_inside_is_undecided),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
