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
    assert_true(answer.lower > 0.0 || memcmp(answer.centre, (double[3]){0}, sizeof answer.centre) == 0);
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
        if (answer.lower > depth * (1.0 + 1e-12) || answer.upper < depth * (1.0 - 1e-12) || answer.reason != NULL ||
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

// A block with a hole along z, from 8 to 12 in x and y of 0 to 20.
static test_mesh frame(void)
{
    solid_cells cells = {{{{false}}}};
    for (int x = 0; x < SOLID_CELLS; x++)
        for (int y = 0; y < SOLID_CELLS; y++)
            for (int z = 0; z < SOLID_CELLS; z++)
                cells.full[x][y][z] = x != 2 || y != 2;
    return solid_surface(&cells, false);
}

// A bar in a hole that is too tight by d on all four sides. No small move frees it. At an edge of the hole, r + s =
// d - x + √2 x for points at (x, x) from it, so the depth is √2 d.
static void bars_in_holes(void **state)
{
    static const double tight[] = {0x1p-4, 0x1p-10, 0x1p-16};
    test_mesh block = frame();
    grz_object a = object_of(&block);
    (void)state;
    for (size_t i = 0; i < sizeof tight / sizeof tight[0]; i++) {
        const double d = tight[i], min[3] = {8 - d, 8 - d, -4}, max[3] = {12 + d, 12 + d, 24};
        test_mesh bar = test_mesh_box(min, max);
        grz_object b = object_of(&bar);
        expect("a bar in a tight hole", &a, &b, sqrt(2.0) * d);
        drop(&b, &bar);
    }
    const double min[3] = {8 - 0x1p-40, 8 - 0x1p-40, -4}, max[3] = {12 + 0x1p-40, 12 + 0x1p-40, 24},
                 loose_min[3] = {8, 8, -4}, loose_max[3] = {12, 12, 24};
    test_mesh noisy = test_mesh_box(min, max), fitting = test_mesh_box(loose_min, loose_max);
    grz_object b = object_of(&noisy), c = object_of(&fitting);
    expect_deeper("noise in a hole", &a, &b, 0.0, GRZ_DEEPER_YES);
    expect_deeper("noise in a hole", &a, &b, 1e-8, GRZ_DEEPER_NO);
    expect_deeper("noise in a hole", &a, &b, 1.0, GRZ_DEEPER_NO);
    expect_deeper("fits exactly", &a, &c, 0.0, GRZ_DEEPER_NO);
    expect_deeper("fits exactly", &a, &c, 1e-8, GRZ_DEEPER_NO);
    assert_true(measure(&a, &c).upper == 0.0);
    drop(&a, &block);
    drop(&b, &noisy);
    drop(&c, &fitting);
}

// Two balls overlap along the line between their middles: r + s is there what they overlap by, and nowhere more.
// A long profile that is in a model twice, and one that is in a block: a few points tell, whatever cells promise.
static void profiles_that_fill_each_other_need_no_cells(void **state)
{
    (void)state;
    static const double ends[3][2][3] = {
        {{0, 0, 0}, {5, 0.1, 0.006}}, {{0, 0.094, 0.006}, {5, 0.1, 0.1}}, {{-1, -1, -1}, {6, 1, 1}}};
    test_mesh profile = test_mesh_box(ends[0][0], ends[0][1]), block = test_mesh_box(ends[2][0], ends[2][1]);
    test_mesh_take(&profile, test_mesh_box(ends[1][0], ends[1][1]));
    grz_object a = object_of(&profile), b = object_of(&block);
    const grz_object *others[2] = {&a, &b};
    for (int i = 0; i < 2; i++)
        for (int swap = 0; swap < 2; swap++) {
            const grz_overlap_depth_answer answer = swap ? decide(others[i], &a, 0.001) : decide(&a, others[i], 0.001);
            assert_int_equal(answer.deeper, GRZ_DEEPER_YES);
            assert_true(answer.cells <= 1);
        }
    drop(&a, &profile);
    drop(&b, &block);
}

static void balls(void **state)
{
    test_mesh ball = test_mesh_icosphere(1.0, 3);
    grz_object a = object_of(&ball), b = a;
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double way = 2.0 - 0.5 / (1 << 2 * i);
        b.pose = grz_pose_from_translation(0, 0, way);
        const grz_overlap_depth_answer answer = measure(&a, &b);
        if (answer.reason != NULL || answer.upper > (2.0 - way) * 1.01 || answer.lower < 2.0 - way - 0.03)
            fail_msg("balls %g apart: %.17g to %.17g, %llu cells", way, answer.lower, answer.upper,
                     (unsigned long long)answer.cells);
    }
    drop(&a, &ball);
}

// At an offset, at all sizes.
static void places_and_sizes(void **state)
{
    static const int exponents[] = {0, 200, 290, -100, -290, -340};
    (void)state;
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        const double s = ldexp(1.0, exponents[i]);
        test_mesh cube = test_mesh_cube(0, 0, 0, s);
        grz_object a = object_of(&cube), b = a;
        b.pose = grz_pose_from_translation(0.75 * s, 0.25 * s, 0.5 * s);
        expect("at another size", &a, &b, 0.25 * s);
        drop(&a, &cube);
    }
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), needle = test_mesh_cube(0, 0, 0, 1);
    grz_object a = object_of(&cube), b = a;
    a.pose = grz_pose_from_translation(0x1p20, -0x1p20, 0x1p20);
    b.pose = grz_pose_from_translation(0x1p20 + 0.75, -0x1p20 + 0.25, 0x1p20 + 0.5);
    expect("a million away", &a, &b, 0.25);
    test_mesh_scale(&needle, 0x1p12, 0x1p-12, 0x1p-20);
    grz_object c = object_of(&needle);
    a.pose = grz_pose_from_translation(0.5, -0.5, -0.25);
    expect("a needle", &a, &c, 0.25 + 0x1p-20); // from its middle up, r + s is that
    drop(&a, &cube);
    drop(&c, &needle);
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

// Turned and scaled by integers, so that all corners are exact and depths are known as before: rows are orthogonal and
// `scale` long. No wall is along an axis then, and every flush pair stays flush.
static const struct turn {
    int m[3][3], scale;
} turns[] = {{{{3, -4, 0}, {4, 3, 0}, {0, 0, 5}}, 5},
             {{{1, 2, 2}, {2, 1, -2}, {2, -2, 1}}, 3},
             {{{2, 3, 6}, {3, -6, 2}, {6, 2, -3}}, 7}};

static int determinant(const int m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static test_mesh turned(const test_mesh *mesh, const double offset[3], const struct turn *by)
{
    test_mesh made = test_mesh_copy(mesh);
    for (uint64_t v = 0; v < made.vertex_count; v++) {
        double *at = made.positions + 3 * v;
        const double from[3] = {at[0] + offset[0], at[1] + offset[1], at[2] + offset[2]};
        for (int k = 0; k < 3; k++)
            at[k] = by->m[k][0] * from[0] + by->m[k][1] * from[1] + by->m[k][2] * from[2];
    }
    if (determinant(by->m) < 0)
        test_mesh_reverse(&made);
    return made;
}

static void expect_turned(const test_mesh surfaces[2], const double offset[3], double depth, double tolerance,
                          bool overlaps)
{
    static const double none[3] = {0, 0, 0};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        test_mesh meshes[2] = {turned(&surfaces[0], offset, &turns[i]), turned(&surfaces[1], none, &turns[i])};
        grz_object a = object_of(&meshes[0]), b = object_of(&meshes[1]);
        const double scale = turns[i].scale;
        if (depth > 0.0) {
            expect_deeper("turned cells", &a, &b, 0.9 * scale * depth, GRZ_DEEPER_YES);
            expect_deeper("turned cells", &a, &b, 1.1 * scale * (depth + tolerance), GRZ_DEEPER_NO);
        }
        expect_deeper("turned cells", &a, &b, 0.0, overlaps ? GRZ_DEEPER_YES : GRZ_DEEPER_NO);
        drop(&a, &meshes[0]);
        drop(&b, &meshes[1]);
    }
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
        const double tolerance = 0.2, depth = twin_depth(&cells[0], &cells[1], offset, tolerance);
        grz_overlap_depth_options options = grz_default_overlap_depth_options();
        options.tolerance = 0.001;
        const grz_overlap_depth_answer answer = ask_with(&a, &b, &options);
        if (answer.lower > depth + tolerance + 1e-9 || answer.upper < depth - 1e-9)
            fail_msg("case %d: %.17g to %.17g, twin %.17g", i, answer.lower, answer.upper, depth);
        if (answer.reason != NULL)
            fail_msg("case %d: %.17g to %.17g, twin %.17g: %s", i, answer.lower, answer.upper, depth, answer.reason);
        most = answer.cells > most ? answer.cells : most;
        all += answer.cells;
        if (depth > 0.0) {
            expect_deeper("cells", &a, &b, 0.9 * depth, GRZ_DEEPER_YES);
            expect_deeper("cells", &a, &b, 1.1 * (depth + tolerance), GRZ_DEEPER_NO);
        }
        expect_deeper("cells", &a, &b, 0.0, answer.lower > 0.0 ? GRZ_DEEPER_YES : GRZ_DEEPER_NO);
        expect_turned(surfaces, offset, depth, tolerance, answer.lower > 0.0);
        overlapping += depth > 0.0;
        apart += depth == 0.0;
        drop(&a, &surfaces[0]);
        drop(&b, &surfaces[1]);
    }
    print_message("%d pairs of solids of cells: %d overlap; %llu cells at most, %llu in all\n", cases, overlapping,
                  (unsigned long long)most, (unsigned long long)all);
    assert_true(overlapping > cases / 2 && (TEST_SANITIZED || apart > 0));
}

// ---- Laws ---------------------------------------------------------------------------------------------------------

static bool bounds_meet(const grz_overlap_depth_answer *x, const grz_overlap_depth_answer *y)
{
    return fmax(x->lower, y->lower) <= fmin(x->upper, y->upper);
}

// Other forms of the same solids; points, whose depths are bounds from below; the least way out, one from above.
static void laws_of_rough_balls(void **state)
{
    random_stream random = {62};
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 3 : 10); i++) {
        test_mesh rough = test_mesh_rough_sphere(&random, 1, 0.3, false), ball = test_mesh_icosphere(0x1p10, 1);
        for (uint64_t k = 0; k < 3 * rough.vertex_count; k++) // middles of edges are exact then
            rough.positions[k] = 2.0 * floor(rough.positions[k] * 1000.0);
        for (uint64_t k = 0; k < 3 * ball.vertex_count; k++)
            ball.positions[k] = 2.0 * floor(ball.positions[k]);
        test_mesh fine = test_mesh_subdivided(&rough), shuffled = test_mesh_copy(&rough),
                  scaled = test_mesh_copy(&rough), turned = test_mesh_copy(&rough);
        test_mesh_shuffle(&shuffled, &random, NULL);
        test_mesh_reverse_some(&shuffled, &random);
        for (uint64_t v = 0; v < turned.vertex_count; v++) {
            turned.positions[3 * v] = rough.positions[3 * v + 1];
            turned.positions[3 * v + 1] = rough.positions[3 * v + 2];
            turned.positions[3 * v + 2] = rough.positions[3 * v];
        }
        const double away[3] = {floor(1200 * random_signed(&random)), floor(1200 * random_signed(&random)),
                                floor(2000 * random_signed(&random))};
        grz_object a = object_of(&rough), b = object_of(&ball);
        b.pose = grz_pose_from_translation(away[0], away[1], away[2]);
        const grz_overlap_depth_answer first = measure(&a, &b);
        assert_null(first.reason);
        test_mesh *const forms[4] = {&fine, &shuffled, &scaled, &turned};
        for (int k = 0; k < 4; k++) {
            const double scale = k == 2 ? (i % 2 == 0 ? 0x1p-600 : 0x1p250) : 1.0;
            test_mesh other = test_mesh_copy(&ball);
            test_mesh_scale(forms[k], scale, scale, scale);
            test_mesh_scale(&other, scale, scale, scale);
            for (uint64_t v = 0; v < other.vertex_count && k == 3; v++)
                for (int j = 0; j < 3; j++)
                    other.positions[3 * v + (uint64_t)j] = ball.positions[3 * v + (uint64_t)((j + 1) % 3)];
            grz_object c = object_of(forms[k]), d = object_of(&other);
            d.pose = k == 3 ? grz_pose_from_translation(away[1], away[2], away[0])
                            : grz_pose_from_translation(scale * away[0], scale * away[1], scale * away[2]);
            grz_overlap_depth_answer answer = k % 2 == 0 ? measure(&c, &d) : measure(&d, &c);
            answer.lower /= scale;
            answer.upper /= scale;
            if (!bounds_meet(&first, &answer) || answer.reason != NULL)
                fail_msg("case %d, form %d: %.17g to %.17g and %.17g to %.17g", i, k, first.lower, first.upper,
                         answer.lower, answer.upper);
            drop(&c, forms[k]);
            drop(&d, &other);
        }
        grz_penetration_answer least;
        assert_int_equal(grz_penetration(device, &a, &b, NULL, &least, NULL), GRZ_OK);
        assert_true(first.lower <= least.upper && least.penetrating == (first.upper > 0.0));
        for (int k = 0; k < 200; k++) {
            double p[3];
            grz_point_distance in[2];
            for (int j = 0; j < 3; j++)
                p[j] = 1500 * random_signed(&random) + 0.5 * away[j];
            assert_int_equal(grz_distance_points(device, &a, p, 1, NULL, &in[0], NULL), GRZ_OK);
            assert_int_equal(grz_distance_points(device, &b, p, 1, NULL, &in[1], NULL), GRZ_OK);
            assert_true(in[0].location != GRZ_INSIDE || in[1].location != GRZ_INSIDE ||
                        in[0].lower + in[1].lower <= first.upper * (1.0 + 1e-15));
        }
        if (first.lower > 0.0) { // depths to ask for, in order: once it is not deeper, it stays so
            bool was_deeper = true;
            for (int k = -8; k <= 8; k++) {
                const double asked = first.lower * pow(2.0, 0.5 * k + 0.1);
                const grz_deeper deeper = decide(&a, &b, asked).deeper;
                assert_true(deeper == (asked < first.lower * (1.0 - 2e-6) ? GRZ_DEEPER_YES : GRZ_DEEPER_NO) ||
                            (asked < first.upper && asked > first.lower));
                assert_true(was_deeper || deeper == GRZ_DEEPER_NO);
                was_deeper = deeper == GRZ_DEEPER_YES;
            }
        }
        drop(&a, &rough);
        drop(&b, &ball);
    }
}

// A unit in the last place on each coordinate changes no verdict, if the depth asked for is 1e-9 of the size or more.
static void noise_changes_no_verdict(void **state)
{
    static const double asked[] = {2.5e-8, 1e-6, 1e-3, 0.1};
    random_stream random = {63};
    test_mesh block = frame();
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 6 : 40); i++) {
        const double d = asked[i % 4],
                     share = i % 3 == 0   ? 0.5
                             : i % 3 == 1 ? 0.9
                                          : 2.0,
                     t = share * d / sqrt(2.0), min[3] = {8 - t, 8 - t, i % 2 == 0 ? 0 : -4},
                     max[3] = {12 + t, 12 + t, i % 2 == 0 ? 20 : 24};
        test_mesh meshes[2] = {test_mesh_copy(&block), test_mesh_box(min, max)};
        for (int m = 0; m < 2; m++) // corners at one position stay at one position: what is added depends on it alone
            for (uint64_t k = 0; k < 3 * meshes[m].vertex_count; k++) {
                double *x = &meshes[m].positions[k];
                const uint32_t way = (uint32_t)((int)floor(*x) + i * 7 + (int)(k % 3)) % 3;
                *x = way == 0 ? *x : nextafter(*x, way == 1 ? HUGE_VAL : -HUGE_VAL);
            }
        grz_object a = object_of(&meshes[0]), b = object_of(&meshes[1]);
        const double turn = 0.0125 * i;
        const double quaternion[4] = {0, 0, sin(turn), cos(turn)};
        const double at[3] = {random_signed(&random), 2, 3};
        assert_int_equal(grz_pose_from_quaternion(at, quaternion, &a.pose, NULL), GRZ_OK);
        b.pose = a.pose;
        expect_deeper("noise", &a, &b, d, share > 1.0 ? GRZ_DEEPER_YES : GRZ_DEEPER_NO);
        drop(&a, &meshes[0]);
        drop(&b, &meshes[1]);
    }
    test_mesh_finish(&block);
}

// ---- Places -------------------------------------------------------------------------------------------------------

// A long bar through a block with a cavity goes through two walls: two places. One wall of them is thin.
static void places_are_told_apart(void **state)
{
    solid_cells cells = {{{{false}}}};
    grz_overlap_part parts[4];
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    (void)state;
    for (int x = 0; x < SOLID_CELLS; x++)
        for (int y = 0; y < SOLID_CELLS; y++)
            for (int z = 0; z < SOLID_CELLS; z++)
                cells.full[x][y][z] = x == 0 || x == 4 || y == 0 || y == 4 || z == 0 || z == 4;
    const double min[3] = {2, 9, 9}, max[3] = {19, 11, 11};
    test_mesh hollow = solid_surface(&cells, false), bar = test_mesh_box(min, max);
    grz_object a = object_of(&hollow), b = object_of(&bar);
    options.decide = true;
    options.deeper_than = 1.0;
    options.parts = parts;
    options.part_capacity = 4;
    const grz_overlap_depth_answer both = ask_with(&a, &b, &options);
    assert_true(both.deeper == GRZ_DEEPER_YES && both.part_count == 2);
    assert_true(parts[0].lower >= parts[1].lower && parts[1].lower > 1.0);
    for (int i = 0; i < 2; i++) {
        const bool low = parts[i].max[0] < 10.0;
        const double most = 17.0 / 8.0; // an eighth of the common box: that far a place's box may be too long
        assert_true(low ? parts[i].min[0] >= 2.0 && parts[i].max[0] <= 4.0 + most
                        : parts[i].min[0] >= 16.0 - most && parts[i].max[0] <= 19.0);
        assert_true(parts[i].lower <= parts[i].upper);
        for (int k = 0; k < 3; k++)
            assert_true(parts[i].min[k] <= parts[i].centre[k] && parts[i].centre[k] <= parts[i].max[k]);
    }
    assert_true(parts[0].max[0] < 10.0 || parts[1].max[0] < 10.0);
    assert_true(parts[0].min[0] > 10.0 || parts[1].min[0] > 10.0);
    options.part_capacity = 1; // no more are written
    memset(parts, 0xa5, sizeof parts);
    const grz_overlap_part untouched = parts[1];
    assert_true(ask_with(&a, &b, &options).part_count == 2);
    assert_memory_equal(&untouched, &parts[1], sizeof untouched);
    options.deeper_than = 100.0;
    assert_true(ask_with(&a, &b, &options).part_count == 0);
    drop(&a, &hollow);
    drop(&b, &bar);
}

// ---- What has no depth, and bad input -----------------------------------------------------------------------------

static void what_is_not_determined_has_a_reason(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 2), sheet = test_mesh_grid(2, 2, 1.0),
              crossed = test_mesh_cube(1, 1, 1, 2), ball = test_mesh_icosphere(1.0, 2);
    test_mesh_take(&crossed, test_mesh_cube(2, 2, 2, 2)); // two cubes that cross, in one mesh
    grz_object a = object_of(&cube), b = object_of(&sheet), c = object_of(&crossed), d = object_of(&ball), e = d;
    (void)state;
    const grz_overlap_depth_answer open = measure(&a, &b), asked = decide(&b, &a, 0.1);
    assert_true(open.certainty == GRZ_UNDECIDED && open.lower == 0.0 && open.upper == HUGE_VAL);
    assert_true(asked.deeper == GRZ_DEEPER_UNKNOWN);
    assert_non_null(strstr(open.reason, "open"));
    // Even-odd: the cube from 1 to 2 of the first is solid, and the cube A reaches into it from 0 to 2.
    expect("a solid that meets itself", &a, &c, 1.0);
    // Too few cells: bounds, and a reason.
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    options.max_cells = 1;
    e.pose = grz_pose_from_translation(0.4, 0.2, 0.3);
    const grz_overlap_depth_answer few = ask_with(&d, &e, &options);
    assert_true(few.certainty == GRZ_UNDECIDED && few.lower <= 1.4 && few.upper >= 1.4 && few.upper < HUGE_VAL);
    assert_non_null(strstr(few.reason, "cells"));
    drop(&a, &cube);
    drop(&b, &sheet);
    drop(&c, &crossed);
    drop(&d, &ball);
}

static void bad_input_is_refused(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), ball = test_mesh_icosphere(1.0, 5);
    grz_object a = object_of(&cube), b = object_of(&ball), c = b;
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    grz_overlap_depth_answer answer;
    grz_error error;
    const int stop = 1;
    (void)state;
    assert_int_equal(grz_overlap_depth(device, &a, &a, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_overlap_depth(NULL, &a, &a, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_overlap_depth(device, &a, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_true(error.element == 1 && answer.upper == HUGE_VAL && answer.lower == 0.0);
    assert_non_null(strstr(error.message, "overlap depth"));
    c.pose.m[1][3] = (double)NAN;
    assert_int_equal(grz_overlap_depth(device, &a, &c, NULL, &answer, &error), GRZ_ERROR_POSE);
    const double wrong[] = {-1.0, (double)NAN, HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        options.deeper_than = wrong[i];
        assert_int_equal(grz_overlap_depth(device, &a, &a, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "deeper_than"));
    }
    options.deeper_than = 0.0;
    const double tolerances[] = {0.0, -1.0, (double)NAN, 2.0};
    for (int i = 0; i < 4; i++) {
        options.tolerance = tolerances[i];
        assert_int_equal(grz_overlap_depth(device, &a, &a, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "tolerance"));
    }
    options.tolerance = 0.001;
    options.part_capacity = 1;
    assert_int_equal(grz_overlap_depth(device, &a, &a, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "parts"));
    options.part_capacity = 0;
    options.inside_rule = (grz_inside_rule)7;
    assert_int_equal(grz_overlap_depth(device, &a, &a, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
    options.inside_rule = GRZ_EVEN_ODD;
    options.limits.cancel = &stop;
    assert_int_equal(grz_overlap_depth(device, &a, &b, &options, &answer, &error), GRZ_ERROR_CANCELLED);
    assert_true(answer.lower == 0.0 && answer.upper >= 1.0 && answer.certainty == GRZ_UNDECIDED);
    // What is proved until the deadline holds.
    options.limits.cancel = NULL;
    options.limits.deadline = 2e-3;
    options.tolerance = 1e-9;
    c.pose = grz_pose_from_translation(0.1, 0.2, 0.3);
    const grz_status status = grz_overlap_depth(device, &b, &c, &options, &answer, &error);
    assert_true(status == GRZ_ERROR_DEADLINE && answer.certainty == GRZ_UNDECIDED);
    assert_true(answer.lower < 1.7 && answer.upper > 1.5);
    drop(&a, &cube);
    drop(&b, &ball);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device_options wanted = grz_default_device_options();
    test_mesh block = frame(), ball = test_mesh_icosphere(6.0, 1);
    bool again = true;
    int failures = 0;
    (void)state;
    wanted.allocator = test_strict_allocator_of(&strict);
    wanted.threads = 1;
    for (long fail_at = 1; again; fail_at++) {
        grz_device *own;
        grz_overlap_depth_answer answer;
        grz_overlap_part part;
        grz_overlap_depth_options options = grz_default_overlap_depth_options();
        strict.fail_at = 0;
        assert_int_equal(grz_device_open(&wanted, &own, NULL), GRZ_OK);
        grz_object a = grz_object_at_origin(test_mesh_upload(own, &block)),
                   b = grz_object_at_origin(test_mesh_upload(own, &ball));
        b.pose = grz_pose_from_translation(3, 1, 2);
        options.decide = true;
        options.deeper_than = 0.5;
        options.tolerance = 0.5;
        options.max_cells = 300;
        options.parts = &part;
        options.part_capacity = 1;
        strict.calls = 0;
        strict.failed = false;
        strict.fail_at = fail_at;
        const grz_status status = grz_overlap_depth(own, &a, &b, &options, &answer, NULL);
        again = strict.failed;
        if (status == GRZ_OK) {
            assert_true(answer.deeper == GRZ_DEEPER_YES && answer.part_count > 0);
        } else {
            assert_true(again && status == GRZ_ERROR_MEMORY && answer.upper == HUGE_VAL);
            failures++;
        }
        strict.fail_at = 0;
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
        grz_device_close(own);
        assert_true(strict.blocks == 0 && strict.bytes == 0 && !strict.misused);
    }
    print_message("memory ran out %d times\n", failures);
    assert_true(failures > 15);
    test_mesh_finish(&block);
    test_mesh_finish(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_depths),
        cmocka_unit_test(bars_in_holes),
        cmocka_unit_test(profiles_that_fill_each_other_need_no_cells),
        cmocka_unit_test(balls),
        cmocka_unit_test(places_and_sizes),
        cmocka_unit_test(depths_of_cells),
        cmocka_unit_test(laws_of_rough_balls),
        cmocka_unit_test(noise_changes_no_verdict),
        cmocka_unit_test(places_are_told_apart),
        cmocka_unit_test(what_is_not_determined_has_a_reason),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
