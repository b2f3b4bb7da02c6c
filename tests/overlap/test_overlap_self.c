// SPDX-License-Identifier: MIT
// The volume that two solids have in common, of meshes that meet themselves, by both inside rules: piles of blocks that
// cross, are flush, nested, there twice or turned inside out, against a count of cells; tetrahedra that cross, against
// rationals; laws. ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle_volume.h"
#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

static const grz_inside_rule RULES[2] = {GRZ_EVEN_ODD, GRZ_NONZERO};

static grz_overlap_volume_answer ask_by(const grz_object *a, const grz_object *b, const char *method,
                                        grz_inside_rule rule)
{
    grz_move_options options = grz_default_move_options();
    grz_overlap_volume_answer answer;
    grz_error error;
    options.method = method;
    options.inside_rule = rule;
    if (grz_overlap_volume(device, a, b, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(0.0 <= answer.lower && answer.lower <= answer.upper);
    return answer;
}

static bool same_bytes(const grz_overlap_volume_answer *x, const grz_overlap_volume_answer *y)
{
    return memcmp(&x->lower, &y->lower, sizeof x->lower) == 0 && memcmp(&x->upper, &y->upper, sizeof x->upper) == 0;
}

// Both ways round, and by all pairs.
static grz_overlap_volume_answer ask(const grz_object *a, const grz_object *b, grz_inside_rule rule)
{
    const grz_overlap_volume_answer answer = ask_by(a, b, NULL, rule), swapped = ask_by(b, a, NULL, rule),
                                    all = ask_by(a, b, "naive", rule);
    if (!same_bytes(&answer, &swapped) || !same_bytes(&answer, &all))
        fail_msg("%a to %a, swapped %a to %a, all pairs %a to %a", answer.lower, answer.upper, swapped.lower,
                 swapped.upper, all.lower, all.upper);
    if (answer.reason != NULL)
        fail_msg("%s", answer.reason);
    return answer;
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

// ---- Piles of blocks ----------------------------------------------------------------------------------------------

enum {
    GRID = 6, // cells along each axis
    MOST_BLOCKS = 5
};

typedef struct block {
    int low[3], high[3];
    int winding; // 1, or -1: inside out
} block;

typedef struct pile {
    block blocks[MOST_BLOCKS];
    int count;
} pile;

static pile random_pile(random_stream *random, bool inside_out)
{
    pile p = {.count = 1 + (int)random_below(random, MOST_BLOCKS)};
    for (int i = 0; i < p.count; i++) {
        block *b = &p.blocks[i];
        const uint32_t kind = random_below(random, 4);
        for (int k = 0; k < 3; k++) {
            b->low[k] = (int)random_below(random, GRID - 1);
            b->high[k] = b->low[k] + 1 + (int)random_below(random, (uint32_t)(GRID - b->low[k] - 1) + 1);
            b->high[k] = b->high[k] > GRID ? GRID : b->high[k];
            if (kind == 0 && i > 0 && k > 0) { // the other ends of a neighbour: flush
                b->low[k] = p.blocks[i - 1].low[k];
                b->high[k] = p.blocks[i - 1].high[k];
            }
        }
        b->winding = inside_out && random_below(random, 3) == 0 ? -1 : 1;
        if (kind == 1 && i > 0) { // there twice
            const int winding = b->winding;
            *b = p.blocks[i - 1];
            b->winding = winding;
        }
    }
    return p;
}

// Columns of an integer matrix.
typedef struct map {
    int m[3][3], shift[3];
} map;

static int determinant(const map *to)
{
    const int(*m)[3] = to->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static map random_map(random_stream *random, bool slanted)
{
    map to = {{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}, {0, 0, 0}};
    while (slanted && abs(determinant(&to)) == 64)
        for (int i = 0; i < 9; i++)
            to.m[i / 3][i % 3] = (int)random_below(random, 9) - 4;
    if (determinant(&to) == 0)
        return random_map(random, slanted);
    return to;
}

static test_mesh surface_of(const pile *p, const map *to, random_stream *random)
{
    test_mesh mesh = {0};
    for (int i = 0; i < p->count; i++) {
        const double low[3] = {p->blocks[i].low[0], p->blocks[i].low[1], p->blocks[i].low[2]},
                     high[3] = {p->blocks[i].high[0], p->blocks[i].high[1], p->blocks[i].high[2]};
        test_mesh box = test_mesh_box(low, high);
        if ((p->blocks[i].winding < 0) != (determinant(to) < 0))
            test_mesh_reverse(&box);
        if (i == 0)
            mesh = box;
        else
            test_mesh_take(&mesh, box);
    }
    for (uint64_t v = 0; v < mesh.vertex_count; v++) {
        double *at = mesh.positions + 3 * v;
        const double from[3] = {at[0], at[1], at[2]};
        for (int k = 0; k < 3; k++)
            at[k] = from[0] * to->m[k][0] + from[1] * to->m[k][1] + from[2] * to->m[k][2];
    }
    test_mesh_shuffle(&mesh, random, NULL);
    return mesh;
}

static bool is_inside(const pile *p, const int at[3], grz_inside_rule rule)
{
    int winding = 0;
    for (int i = 0; i < p->count; i++) {
        bool in = true;
        for (int k = 0; k < 3; k++)
            in = in && p->blocks[i].low[k] <= at[k] && at[k] < p->blocks[i].high[k];
        winding += in ? p->blocks[i].winding : 0;
    }
    return rule == GRZ_NONZERO ? winding != 0 : winding % 2 != 0;
}

// B is moved by whole cells.
static int count_cells(const pile *a, const pile *b, const int shift[3], grz_inside_rule rule)
{
    int count = 0;
    for (int i = 0; i < GRID * GRID * GRID; i++) {
        const int at[3] = {i % GRID, i / GRID % GRID, i / GRID / GRID},
                  other[3] = {at[0] - shift[0], at[1] - shift[1], at[2] - shift[2]};
        count += is_inside(a, at, rule) && is_inside(b, other, rule);
    }
    return count;
}

// The volume of the box that the boxes of two objects have in common.
static double common_box(const grz_object *a, const grz_object *b)
{
    double low[2][3], high[2][3], volume = 1.0;
    assert_int_equal(grz_object_bounds(a, low[0], high[0], NULL), GRZ_OK);
    assert_int_equal(grz_object_bounds(b, low[1], high[1], NULL), GRZ_OK);
    for (int k = 0; k < 3; k++)
        volume *= fmin(high[0][k], high[1][k]) - fmax(low[0][k], low[1][k]);
    return volume;
}

static void volumes_of_piles_are_counted(void **state)
{
    const int cases = TEST_SANITIZED ? 40 : 500;
    random_stream random = {91};
    double widest = 0.0;
    int positive = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        const bool inside_out = i % 3 == 0;
        const pile piles[2] = {random_pile(&random, inside_out), random_pile(&random, inside_out)};
        const map to = random_map(&random, i % 2 == 1);
        int shift[3];
        double moved[3];
        for (int k = 0; k < 3; k++)
            shift[k] = (int)random_below(&random, 5) - 2;
        for (int k = 0; k < 3; k++)
            moved[k] = shift[0] * to.m[k][0] + shift[1] * to.m[k][1] + shift[2] * to.m[k][2];
        test_mesh meshes[2] = {surface_of(&piles[0], &to, &random), surface_of(&piles[1], &to, &random)};
        grz_object a = object_of(&meshes[0]), b = object_of(&meshes[1]);
        b.pose = grz_pose_from_translation(moved[0], moved[1], moved[2]);
        for (int r = 0; r < 2; r++) {
            const grz_overlap_volume_answer answer = ask(&a, &b, RULES[r]);
            const int cells = count_cells(&piles[0], &piles[1], shift, RULES[r]);
            const double volume = (double)cells * abs(determinant(&to));
            if (answer.lower > volume || answer.upper < volume || (cells > 0) != (answer.upper > 0.0))
                fail_msg("case %d, rule %d: %.17g to %.17g, but it is %.17g", i, r, answer.lower, answer.upper, volume);
            positive += cells > 0;
            if (cells > 0)
                widest = fmax(widest, (answer.upper - answer.lower) / common_box(&a, &b));
        }
        drop(&a, &meshes[0]);
        drop(&b, &meshes[1]);
    }
    print_message("%d volumes of piles; the widest bounds differ by %.2g of the common box\n", positive, widest);
    assert_true(positive > cases / 2 && widest < 2e-9);
}

// ---- Tetrahedra ---------------------------------------------------------------------------------------------------

static void random_corners(random_stream *random, double corners[4][3])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = (double)random_below(random, 1 << 12) / 512.0;
}

// Counter-clockwise seen from outside.
static void orient(double corners[4][3])
{
    double e[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            e[i][k] = corners[i + 1][k] - corners[0][k];
    const double turn = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                        e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                        e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    for (int k = 0; k < 3 && turn > 0.0; k++) {
        const double kept = corners[1][k];
        corners[1][k] = corners[2][k];
        corners[2][k] = kept;
    }
}

static double common_volume(const double a[4][3], const double b[4][3])
{
    mpq_t volume;
    mpq_init(volume);
    oracle_add_common_volume(a, b, volume);
    const double rounded = mpq_get_d(volume);
    mpq_clear(volume);
    return rounded;
}

static bool holds(const grz_overlap_volume_answer *answer, double volume, double size)
{
    const double off = 1e-13 * size; // of the rationals, rounded and added up
    return answer->lower <= volume + off && volume - off <= answer->upper &&
           answer->upper - answer->lower < 1e-9 * size;
}

// Two tetrahedra P and Q in one mesh; beside P, and in a box that holds both. What three have in common is not needed.
static void tetrahedra_that_cross(void **state)
{
    const int cases = TEST_SANITIZED ? 20 : 200;
    const double size = 512.0;
    random_stream random = {92};
    test_mesh around = test_mesh_cube(-1, -1, -1, 10);
    grz_object box = object_of(&around);
    int crossing = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        double p[4][3], q[4][3];
        random_corners(&random, p);
        random_corners(&random, q);
        if (i % 4 == 0)
            memcpy(q[0], p[0], sizeof q[0]); // a common corner
        if (i % 8 == 4)
            for (int k = 0; k < 3; k++)
                q[0][k] = 0.5 * p[0][k] + 0.5 * p[1][k]; // a corner on an edge
        orient(p);
        orient(q);
        const double own = common_volume((const double(*)[3])p, (const double(*)[3])p),
                     other = common_volume((const double(*)[3])q, (const double(*)[3])q),
                     common = common_volume((const double(*)[3])p, (const double(*)[3])q);
        if (own < 1e-3 || other < 1e-3)
            continue;
        test_mesh one = test_mesh_tetrahedron((const double(*)[3])p),
                  both = test_mesh_tetrahedron((const double(*)[3])p);
        test_mesh_take(&both, test_mesh_tetrahedron((const double(*)[3])q));
        grz_object a = object_of(&both), b = object_of(&one);
        const grz_overlap_volume_answer sum = ask(&a, &box, GRZ_NONZERO), odd = ask(&a, &box, GRZ_EVEN_ODD),
                                        beside = ask(&a, &b, GRZ_NONZERO), odd_beside = ask(&a, &b, GRZ_EVEN_ODD);
        if (!holds(&sum, own + other - common, size) || !holds(&odd, own + other - 2.0 * common, size) ||
            !holds(&beside, own, size) || !holds(&odd_beside, own - common, size))
            fail_msg(
                "case %d: %.17g and %.17g, %.17g in common; together %.17g to %.17g, even-odd %.17g to %.17g, with "
                "the first %.17g to %.17g and %.17g to %.17g",
                i, own, other, common, sum.lower, sum.upper, odd.lower, odd.upper, beside.lower, beside.upper,
                odd_beside.lower, odd_beside.upper);
        crossing += common > 0.0;
        drop(&a, &both);
        drop(&b, &one);
    }
    print_message("%d of %d pairs of tetrahedra cross\n", crossing, cases);
    assert_true(crossing > cases / 5);
    drop(&box, &around);
}

// V(A∪B ∩ C) + V(A∩B ∩ C) = V(A ∩ C) + V(B ∩ C), and what is in one of A and B is in A∪B and not in A∩B.
static void unions_and_differences_add_up(void **state)
{
    random_stream random = {93};
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 2 : 10); i++) {
        test_mesh a = test_mesh_rough_sphere(&random, 1, 0.2, false),
                  b = test_mesh_rough_sphere(&random, 1, 0.2, false),
                  c = test_mesh_rough_sphere(&random, 1, 0.2, false), both = test_mesh_copy(&a);
        test_mesh_move(&b, 0.5 * random_signed(&random), 0.5 * random_signed(&random), 0.5);
        test_mesh_append(&both, &b);
        grz_object of_a = object_of(&a), of_b = object_of(&b), of_c = object_of(&c), of_both = object_of(&both);
        of_c.pose = grz_pose_from_translation(0.5, 0.25, 0.125);
        const grz_overlap_volume_answer one = ask(&of_a, &of_c, GRZ_NONZERO), other = ask(&of_b, &of_c, GRZ_NONZERO),
                                        all = ask(&of_both, &of_c, GRZ_NONZERO),
                                        odd = ask(&of_both, &of_c, GRZ_EVEN_ODD);
        // V(all) - V(odd) = V(A∩B∩C) = V(one) + V(other) - V(all)
        const double least = 2.0 * all.lower - odd.upper, most = 2.0 * all.upper - odd.lower;
        if (least > one.upper + other.upper || one.lower + other.lower > most || most - least > 1e-10 * most)
            fail_msg("case %d: %.17g to %.17g, but %.17g to %.17g", i, least, most, one.lower + other.lower,
                     one.upper + other.upper);
        assert_true(all.upper >= fmax(one.lower, other.lower) && all.lower > odd.upper);
        // Finer faces, and a pose that rounds.
        test_mesh fine = test_mesh_subdivided(&both);
        grz_object of_fine = object_of(&fine);
        const grz_overlap_volume_answer finer = ask(&of_fine, &of_c, GRZ_NONZERO);
        assert_true(fabs(finer.lower - all.lower) < 1e-10 * all.lower);
        of_both.pose = of_c.pose = grz_pose_from_translation(0.1, 0.2, 0.3);
        of_c.pose.m[0][3] += 0.5, of_c.pose.m[1][3] += 0.25, of_c.pose.m[2][3] += 0.125;
        const grz_overlap_volume_answer moved = ask(&of_both, &of_c, GRZ_NONZERO);
        assert_true(fabs(moved.lower - all.lower) < 1e-10 * all.lower);
        drop(&of_a, &a);
        drop(&of_b, &b);
        drop(&of_c, &c);
        drop(&of_both, &both);
        drop(&of_fine, &fine);
    }
}

// Four blocks around an edge that two of them fill, and two that cross elsewhere.
static void blocks_that_share_an_edge(void **state)
{
    random_stream random = {96};
    (void)state;
    for (int i = 0; i < 20; i++) {
        test_mesh pair = test_mesh_cube(0, 0, 0, 2), around = test_mesh_cube(-1, -1, -1, 16);
        test_mesh_take(&pair, test_mesh_cube(2, 2, 0, 2));
        test_mesh_take(&pair, test_mesh_cube(8, 8, 8, 2));
        test_mesh_take(&pair, test_mesh_cube(9, 9, 9, 2));
        test_mesh_shuffle(&pair, &random, NULL);
        grz_object a = object_of(&pair), b = object_of(&around);
        const grz_overlap_volume_answer all = ask(&a, &b, RULES[i % 2]);
        const double volume = i % 2 == 0 ? 16.0 + 14.0 : 16.0 + 15.0;
        assert_true(all.lower <= volume && volume <= all.upper && all.upper - all.lower < 1e-9);
        drop(&a, &pair);
        drop(&b, &around);
    }
}

// Blocks that cross below or above all of a slab, and one that reaches into it.
static void what_is_below_does_not_count(void **state)
{
    const double wide[3][2] = {{8, 10}, {8.5, 10.5}, {9, 11}}, high[3][2] = {{0.25, 6}, {-1.5, -0.75}, {-1, -0.25}};
    random_stream random = {97};
    (void)state;
    for (int i = 0; i < 24; i++) {
        const int axis = i % 3;
        const bool above = i / 3 % 2 == 1;
        test_mesh blocks = {0};
        double ends[2][3], slab[2][3] = {{0, 0, 0}, {20, 20, 20}};
        slab[1][axis] = 0.5;
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                const double *range = k == axis ? high[j] : wide[j];
                const bool mirrored = k == axis && above; // in the middle of the slab
                ends[0][k] = mirrored ? 0.5 - range[1] : range[0];
                ends[1][k] = mirrored ? 0.5 - range[0] : range[1];
            }
            if (j == 0)
                blocks = test_mesh_box(ends[0], ends[1]);
            else
                test_mesh_take(&blocks, test_mesh_box(ends[0], ends[1]));
        }
        test_mesh around = test_mesh_box(slab[0], slab[1]);
        test_mesh_shuffle(&blocks, &random, NULL);
        grz_object a = object_of(&blocks), b = object_of(&around);
        for (int r = 0; r < 2; r++) {
            const grz_overlap_volume_answer all = ask(&a, &b, RULES[r]);
            if (all.lower > 1.0 || all.upper < 1.0 || all.upper - all.lower > 1e-9)
                fail_msg("case %d: %.17g to %.17g, but it is 1", i, all.lower, all.upper);
        }
        drop(&a, &blocks);
        drop(&b, &around);
    }
}

// By the even-odd rule no triangle's winding counts. The blocks have many triangles that meet no others: these tell
// their neighbours on which sides of them the solid is.
static void triangles_turned_over_change_nothing(void **state)
{
    random_stream random = {98};
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 4 : 30); i++) {
        test_mesh balls = test_mesh_icosphere(2.0, 2), turned = {0}, around = test_mesh_cube(-1, -1, -1, 8);
        test_mesh other = test_mesh_icosphere(2.0, 2);
        for (uint64_t v = 0; v < other.vertex_count; v++)
            for (int k = 0; k < 3; k++)
                other.positions[3 * v + (uint64_t)k] += 1.0 + 0.125 * (k + i);
        test_mesh_take(&balls, other);
        turned = test_mesh_copy(&balls);
        for (uint64_t f = 0; f < turned.face_count; f++)
            if (random_below(&random, 2) == 0) {
                const uint32_t kept = turned.indices[3 * f];
                turned.indices[3 * f] = turned.indices[3 * f + 1];
                turned.indices[3 * f + 1] = kept;
            }
        grz_object a = object_of(&balls), b = object_of(&turned), c = object_of(&around);
        const grz_overlap_volume_answer one = ask(&a, &c, GRZ_EVEN_ODD), two = ask(&b, &c, GRZ_EVEN_ODD);
        if (!same_bytes(&one, &two))
            fail_msg("case %d: %a to %a, turned over %a to %a", i, one.lower, one.upper, two.lower, two.upper);
        drop(&a, &balls);
        drop(&b, &turned);
        drop(&c, &around);
    }
}

// The order of triangles, and of corners, changes no bit.
static void the_order_does_not_matter(void **state)
{
    random_stream random = {94};
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 4 : 40); i++) {
        const pile piles[2] = {random_pile(&random, i % 2 == 0), random_pile(&random, i % 2 == 0)};
        const map to = random_map(&random, true);
        test_mesh a = surface_of(&piles[0], &to, &random), b = surface_of(&piles[1], &to, &random),
                  shuffled = test_mesh_copy(&a);
        test_mesh_shuffle(&shuffled, &random, NULL);
        grz_object of_a = object_of(&a), of_b = object_of(&b), other = object_of(&shuffled);
        for (int r = 0; r < 2; r++) {
            const grz_overlap_volume_answer one = ask(&of_a, &of_b, RULES[r]), two = ask(&other, &of_b, RULES[r]);
            if (!same_bytes(&one, &two))
                fail_msg("case %d: %a to %a and %a to %a", i, one.lower, one.upper, two.lower, two.upper);
        }
        drop(&of_a, &a);
        drop(&of_b, &b);
        drop(&other, &shuffled);
    }
}

// ---- Depth --------------------------------------------------------------------------------------------------------

static grz_overlap_depth_answer depth_of(const grz_object *a, const grz_object *b, grz_inside_rule rule)
{
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    grz_overlap_depth_answer answer;
    grz_error error;
    options.inside_rule = rule;
    if (grz_overlap_depth(device, a, b, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return answer;
}

static void expect_depth(const char *what, const grz_object *a, const grz_object *b, grz_inside_rule rule, double depth)
{
    for (int swap = 0; swap < 2; swap++) {
        const grz_overlap_depth_answer answer = swap ? depth_of(b, a, rule) : depth_of(a, b, rule);
        if (answer.reason != NULL || answer.lower > depth * (1.0 + 1e-12) || answer.upper < depth * (1.0 - 1e-12) ||
            answer.upper - answer.lower > 0.0011 * depth)
            fail_msg("%s, rule %d: %.17g to %.17g, but it is %.17g; %llu cells; %s", what, (int)rule, answer.lower,
                     answer.upper, depth, (unsigned long long)answer.cells, answer.reason == NULL ? "" : answer.reason);
    }
}

// A shell within another is no border of the solid by the nonzero rule, and all of it by the even-odd rule. A point on
// it is as deep as any other.
static void shells_that_are_no_border(void **state)
{
    test_mesh nested = test_mesh_shells(2, 0), rod = test_mesh_cube(-0.5, -0.5, -0.5, 1), // cubes of 4 and of 2
        across = test_mesh_cube(0.5, -0.25, -0.25, 1), turned = test_mesh_shells(2, 0),
              inner = test_mesh_cube(-0.25, -0.25, -0.25, 0.5);
    (void)state;
    test_mesh_reverse(&inner); // one inside out in the middle: a winding number of 1 there
    test_mesh_take(&turned, inner);
    grz_object a = object_of(&nested), b = object_of(&rod), c = object_of(&across), d = object_of(&turned);
    expect_depth("around the middle", &a, &b, GRZ_NONZERO, 2.0 + 0.5);
    expect_depth("in the cavity", &a, &b, GRZ_EVEN_ODD, 0.0);
    expect_depth("across the inner shell", &a, &c, GRZ_NONZERO, 1.0 + 0.5);
    expect_depth("with a shell inside out", &d, &b, GRZ_NONZERO, 2.0 + 0.5);
    // The inner shell first, and two blocks elsewhere that cross.
    test_mesh crossed = test_mesh_cube(-1, -1, -1, 2);
    test_mesh_take(&crossed, test_mesh_cube(-2, -2, -2, 4));
    test_mesh_take(&crossed, test_mesh_cube(8, 8, 8, 2));
    test_mesh_take(&crossed, test_mesh_cube(9, 9, 9, 2));
    grz_object e = object_of(&crossed);
    expect_depth("beside blocks that cross", &e, &b, GRZ_NONZERO, 2.0 + 0.5);
    drop(&e, &crossed);
    drop(&a, &nested);
    drop(&b, &rod);
    drop(&c, &across);
    drop(&d, &turned);
}

// The walls between full and empty cells, as a mesh that has no face twice and none inside.
static test_mesh walls_of(const pile *p, grz_inside_rule rule)
{
    enum {
        MOST_WALLS = 6 * GRID * GRID * GRID
    };
    static double positions[12 * MOST_WALLS];
    static uint32_t indices[4 * MOST_WALLS];
    uint64_t walls = 0;
    for (int i = 0; i < GRID * GRID * GRID; i++)
        for (int side = 0; side < 6; side++) {
            const int at[3] = {i % GRID, i / GRID % GRID, i / GRID / GRID}, axis = side / 2, x = (axis + 1) % 3,
                      y = (axis + 2) % 3;
            int next[3] = {at[0], at[1], at[2]};
            next[axis] += side % 2 == 0 ? 1 : -1;
            if (!is_inside(p, at, rule) || is_inside(p, next, rule))
                continue;
            for (int corner = 0; corner < 4; corner++) {
                const int turn = side % 2 == 0 ? corner : 3 - corner;
                double *to = positions + 12 * walls + 3 * corner;
                to[axis] = 4.0 * (at[axis] + (side % 2 == 0));
                to[x] = 4.0 * (at[x] + (turn == 1 || turn == 2));
                to[y] = 4.0 * (at[y] + (turn >= 2));
                indices[4 * walls + (uint64_t)corner] = (uint32_t)(4 * walls) + (uint32_t)corner;
            }
            walls++;
        }
    return walls > 0 ? test_mesh_make(positions, 4 * walls, indices, walls, 4) : (test_mesh){0};
}

// A pile, and the walls of the same solid: volumes and depths with a third one agree.
static void walls_have_the_depths_of_piles(void **state)
{
    const map straight = {{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}, {0, 0, 0}};
    random_stream random = {95};
    int deep = 0;
    (void)state;
    for (int i = 0; i < (TEST_SANITIZED ? 6 : 60); i++) {
        const grz_inside_rule rule = RULES[i % 2];
        const pile piles[2] = {random_pile(&random, i % 3 == 0), random_pile(&random, i % 3 == 0)};
        test_mesh meshes[2] = {surface_of(&piles[0], &straight, &random), surface_of(&piles[1], &straight, &random)},
                  walls = walls_of(&piles[0], rule);
        grz_object a = object_of(&meshes[0]), b = object_of(&meshes[1]);
        b.pose = grz_pose_from_translation(1, 2, 0.5);
        if (walls.face_count > 0) {
            grz_object of_walls = object_of(&walls);
            grz_overlap_depth_options options = grz_default_overlap_depth_options();
            grz_overlap_depth_answer depth[2];
            const grz_overlap_volume_answer one = ask(&a, &b, rule), other = ask(&of_walls, &b, rule);
            options.inside_rule = rule;
            options.max_cells = 500;
            assert_int_equal(grz_overlap_depth(device, &a, &b, &options, &depth[0], NULL), GRZ_OK);
            assert_int_equal(grz_overlap_depth(device, &of_walls, &b, &options, &depth[1], NULL), GRZ_OK);
            if (one.lower > other.upper || other.lower > one.upper || depth[0].lower > depth[1].upper ||
                depth[1].lower > depth[0].upper)
                fail_msg("case %d: volumes %.17g to %.17g and %.17g to %.17g, depths %.17g to %.17g and %.17g to %.17g",
                         i, one.lower, one.upper, other.lower, other.upper, depth[0].lower, depth[0].upper,
                         depth[1].lower, depth[1].upper);
            deep += depth[0].lower > 0.0 && depth[1].lower > 0.0;
            grz_mesh_destroy((grz_mesh *)of_walls.mesh);
        }
        test_mesh_finish(&walls);
        drop(&a, &meshes[0]);
        drop(&b, &meshes[1]);
    }
    print_message("%d pairs are deep\n", deep);
    assert_true(TEST_SANITIZED || deep > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_of_piles_are_counted),   cmocka_unit_test(tetrahedra_that_cross),
        cmocka_unit_test(unions_and_differences_add_up),  cmocka_unit_test(blocks_that_share_an_edge),
        cmocka_unit_test(what_is_below_does_not_count),   cmocka_unit_test(triangles_turned_over_change_nothing),
        cmocka_unit_test(the_order_does_not_matter),      cmocka_unit_test(shells_that_are_no_border),
        cmocka_unit_test(walls_have_the_depths_of_piles),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
