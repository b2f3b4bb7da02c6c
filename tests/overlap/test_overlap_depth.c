// SPDX-License-Identifier: MIT
// grz_overlap_depth(): known depths; solids of cells against a search that knows their walls; what may not change the
// answer; places; rounding noise; solids without an inside; bad input; deadlines; memory that runs out.
// ctest: timeout 600
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_allocator.h"
#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

static grz_overlap_depth_answer ask_with(const grz_object *a, const grz_object *b,
                                         const grz_overlap_depth_options *options)
{
    grz_overlap_depth_answer answer;
    grz_error error;
    memset(&answer, 0xa5, sizeof answer);
    if (grz_overlap_depth(device, a, b, options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(0.0 <= answer.lower && answer.lower <= answer.upper);
    assert_true((answer.reason != NULL) == (answer.certainty == GRZ_UNDECIDED));
    assert_true(answer.reason != NULL || TEST_LABEL_FITS(answer));
    return answer;
}

static grz_overlap_depth_answer measure(const grz_object *a, const grz_object *b)
{
    return ask_with(a, b, NULL);
}

static grz_overlap_depth_answer decide(const grz_object *a, const grz_object *b, double depth)
{
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    options.decide = true;
    options.measure = false;
    options.deeper_than = depth;
    return ask_with(a, b, &options);
}

static grz_object object_of(const test_mesh *mesh)
{
    return grz_object_at_origin(test_mesh_upload(device, mesh));
}

static void drop(grz_object *object, test_mesh *mesh)
{
    grz_mesh_destroy((grz_mesh *)object->mesh);
    test_mesh_finish(mesh);
}

static void expect_deeper(const char *what, const grz_object *a, const grz_object *b, double depth, grz_deeper deeper)
{
    const grz_overlap_depth_answer answer = decide(a, b, depth), swapped = decide(b, a, depth);
    if (answer.deeper != deeper || swapped.deeper != deeper)
        fail_msg("%s: deeper than %.17g is %d, swapped %d, expected %d; %.17g to %.17g, %llu cells; %s", what, depth,
                 (int)answer.deeper, (int)swapped.deeper, (int)deeper, answer.lower, answer.upper,
                 (unsigned long long)answer.cells, answer.reason == NULL ? "" : answer.reason);
}

// The depth is known: bounds, and decisions on both sides of it and at it.
static void expect(const char *what, const grz_object *a, const grz_object *b, double depth)
{
    for (int swap = 0; swap < 2; swap++) {
        const grz_overlap_depth_answer answer = swap ? measure(b, a) : measure(a, b);
        if (answer.lower > depth * (1.0 + 1e-15) || answer.upper < depth * (1.0 - 1e-15) || answer.reason != NULL ||
            answer.upper - answer.lower > 0.0011 * depth)
            fail_msg("%s: %.17g to %.17g, but it is %.17g; %llu cells; %s", what, answer.lower, answer.upper, depth,
                     (unsigned long long)answer.cells, answer.reason == NULL ? "" : answer.reason);
    }
    expect_deeper(what, a, b, 0.0, depth > 0.0 ? GRZ_DEEPER_YES : GRZ_DEEPER_NO);
    if (!(depth > 0.0))
        return;
    const double factors[] = {0.001, 0.5, 0.99, 1.0 - 2e-6, 1.0, 1.001, 2.0, 1000.0};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
        expect_deeper(what, a, b, factors[i] * depth, factors[i] < 1.0 ? GRZ_DEEPER_YES : GRZ_DEEPER_NO);
}

// ---- Known depths -------------------------------------------------------------------------------------------------

static void known_depths(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), large = test_mesh_cube(-4, -4, -4, 8);
    grz_object a = object_of(&cube), b = a, around = object_of(&large);
    (void)state;
    expect("the same", &a, &b, 1.0);
    b.pose = grz_pose_from_translation(0.5, 0, 0);
    expect("half, flush on four sides", &a, &b, 0.5);
    b.pose = grz_pose_from_translation(0.9, 0, 0);
    expect("a tenth", &a, &b, 0.1);
    b.pose = grz_pose_from_translation(1.0 - 0x1p-20, 0.25, 0.5);
    expect("a thin slice", &a, &b, 0x1p-20);
    b.pose = grz_pose_from_translation(1, 0.25, 0.5);
    expect("flush", &a, &b, 0.0);
    b.pose = grz_pose_from_translation(3, 0, 0);
    expect("apart", &a, &b, 0.0);
    expect("inside", &a, &around,
           4.0); // 0.5 + 3.5 in the middle, and as much on the way to the middle of the large one
    a.pose = grz_pose_from_translation(3, 3, 3);
    expect("inside, touching", &a, &around, 1.0);
    a.pose = grz_pose_from_translation(3.5, 0, 0);
    expect("half out", &a, &around, 0.5);
    grz_mesh_destroy((grz_mesh *)around.mesh);
    test_mesh_finish(&large);
    drop(&b, &cube);
}

// ---- Solids of cells ----------------------------------------------------------------------------------------------

// Squares between full and empty cells: across which axis, and the smallest corner.
typedef struct walls {
    int count;
    int axis[3 * SOLID_CELLS * SOLID_CELLS * (SOLID_CELLS + 1)];
    double at[3 * SOLID_CELLS * SOLID_CELLS * (SOLID_CELLS + 1)][3];
} walls;

static bool is_full(const solid_cells *s, const int at[3])
{
    for (int k = 0; k < 3; k++)
        if (at[k] < 0 || at[k] >= SOLID_CELLS)
            return false;
    return s->full[at[0]][at[1]][at[2]];
}

static void find_walls(const solid_cells *s, const double offset[3], walls *w)
{
    w->count = 0;
    for (int x = 0; x <= SOLID_CELLS; x++)
        for (int y = 0; y <= SOLID_CELLS; y++)
            for (int z = 0; z <= SOLID_CELLS; z++)
                for (int k = 0; k < 3; k++) {
                    int at[3] = {x, y, z}, before[3] = {x, y, z};
                    before[k]--;
                    if (is_full(s, at) == is_full(s, before))
                        continue;
                    w->axis[w->count] = k;
                    for (int j = 0; j < 3; j++)
                        w->at[w->count][j] = SOLID_CELL_SIZE * at[j] + offset[j];
                    w->count++;
                }
}

// How far a point is from the walls; below 0 if it is outside.
static double depth_in(const solid_cells *s, const walls *w, const double offset[3], const double p[3])
{
    int cell[3];
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        cell[k] = (int)floor((p[k] - offset[k]) / SOLID_CELL_SIZE);
    for (int i = 0; i < w->count; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double high = w->at[i][k] + (k == w->axis[i] ? 0.0 : SOLID_CELL_SIZE),
                         out = fmax(0.0, fmax(w->at[i][k] - p[k], p[k] - high));
            square += out * out;
        }
        least = fmin(least, square);
    }
    return is_full(s, cell) ? sqrt(least) : -sqrt(least);
}

typedef struct twin {
    const solid_cells *cells[2];
    walls walls[2];
    double offsets[2][3];
    double best, tolerance;
} twin;

// The largest sum of depths in a cube, if it is above the best so far: depths change by no more than the way.
static void search(twin *t, const double middle[3], double half)
{
    const double in_a = depth_in(t->cells[0], &t->walls[0], t->offsets[0], middle),
                 in_b = depth_in(t->cells[1], &t->walls[1], t->offsets[1], middle), sum = in_a + in_b,
                 radius = sqrt(3.0) * half;
    if (fmin(in_a, in_b) < -radius) // all of it is outside
        return;
    if (in_a >= 0.0 && in_b >= 0.0)
        t->best = fmax(t->best, sum);
    if (sum + 2.0 * radius <= t->best + t->tolerance)
        return;
    for (int i = 0; i < 8; i++) {
        double next[3];
        for (int k = 0; k < 3; k++)
            next[k] = middle[k] + (i >> k & 1 ? 0.5 : -0.5) * half;
        search(t, next, 0.5 * half);
    }
}

// Within `tolerance` below the depth.
static double twin_depth(const solid_cells *a, const solid_cells *b, const double offset[3], double tolerance)
{
    static twin t;
    const double middle[3] = {10.0, 10.0, 10.0};
    t = (twin){.cells = {a, b}, .tolerance = tolerance};
    memcpy(t.offsets[0], offset, sizeof t.offsets[0]);
    find_walls(a, t.offsets[0], &t.walls[0]);
    find_walls(b, t.offsets[1], &t.walls[1]);
    search(&t, middle, 10.0); // B's cube
    return t.best;
}

static void depths_of_cells(void **state)
{
    const int cases = TEST_SANITIZED ? 4 : 16;
    random_stream random = {61};
    int overlapping = 0, apart = 0;
    uint64_t most = 0, all = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        const solid_cells cells[2] = {solid_random(&random, 1 + random_below(&random, 6)),
                                      solid_random(&random, 1 + random_below(&random, 6))};
        double offset[3];
        for (int k = 0; k < 3; k++) // on the grid of cells in half of the cases: everything is flush
            offset[k] = random_below(&random, 2) == 0 ? 4.0 * ((double)random_below(&random, 7) - 3.0)
                                                      : (double)random_below(&random, 33) / 2.0 - 8.0;
        test_mesh surfaces[2] = {solid_surface(&cells[0], false), solid_surface(&cells[1], true)};
        grz_object a = object_of(&surfaces[0]), b = object_of(&surfaces[1]);
        a.pose = grz_pose_from_translation(offset[0], offset[1], offset[2]);
        const double tolerance = 0.1, depth = twin_depth(&cells[0], &cells[1], offset, tolerance);
        grz_overlap_depth_options options = grz_default_overlap_depth_options();
        options.tolerance = 0.001;
        const grz_overlap_depth_answer answer = ask_with(&a, &b, &options);
        if (answer.lower > depth + tolerance + 1e-9 || answer.upper < depth - 1e-9)
            fail_msg("case %d: %.17g to %.17g, twin %.17g", i, answer.lower, answer.upper, depth);
        if (answer.reason != NULL)
            fail_msg("case %d: %.17g to %.17g, twin %.17g: %s", i, answer.lower, answer.upper, depth, answer.reason);
        most = answer.cells > most ? answer.cells : most;
        all += answer.cells;
        if (answer.cells > 5000)
            print_message("case %d: %.17g to %.17g, twin %.17g, %llu cells, offset %g %g %g\n", i, answer.lower, answer.upper, depth, (unsigned long long)answer.cells, offset[0], offset[1], offset[2]);
        if (depth > 0.0) {
            expect_deeper("cells", &a, &b, 0.9 * depth, GRZ_DEEPER_YES);
            expect_deeper("cells", &a, &b, 1.1 * (depth + tolerance), GRZ_DEEPER_NO);
        }
        expect_deeper("cells", &a, &b, 0.0, answer.lower > 0.0 ? GRZ_DEEPER_YES : GRZ_DEEPER_NO);
        overlapping += depth > 0.0;
        apart += depth == 0.0;
        drop(&a, &surfaces[0]);
        drop(&b, &surfaces[1]);
    }
    print_message("%d pairs of solids of cells: %d overlap; %llu cells at most, %llu in all\n", cases, overlapping,
                  (unsigned long long)most, (unsigned long long)all);
    assert_true(overlapping > cases / 2 && (TEST_SANITIZED || apart > 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_depths),
        cmocka_unit_test(depths_of_cells),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
