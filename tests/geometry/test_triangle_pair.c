// SPDX-License-Identifier: MIT
// Triangle against triangle, for pairs of eight classes: verdict, kind, and the corners of the intersection with their
// features and positions, against the clipping oracle. The clipping oracle is compared with the rational one on a
// sample, and both with cases made by hand. Two million pairs unless GRZ_ORACLE_PAIRS says otherwise. Prints a table of
// class by kind, in which no cell may be empty.
// ctest: timeout 900
// ctest: processors 2
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "block_runner.h"
#include "geometry/exact/predicates.h"
#include "geometry/triangle/pair.h"
#include "oracle.h"

enum {
    BLOCK_SIZE = 2000,
    RATIONAL_BLOCK_SIZE = 20,
    POSITIONS_IN = 4, // positions are checked on one pair in so many
    APART = GRZ_KIND_COUNT,
    VERDICTS,
    VARIANTS = 2 * 6 * 6
};

typedef const double (*corners)[3];

typedef struct worker {
    oracle *oracle;
    oracle_rational *rational;
    uint64_t table[PAIR_CLASS_COUNT][VERDICTS];
    uint64_t exact[PAIR_CLASS_COUNT]; // pairs that reached an exact stage
    uint64_t positions;
    double worst_ulps; // of positions
} worker;

// --- nodes

static bool same_node(grz_node p, grz_node q)
{
    return p.a == q.a && p.b == q.b;
}

// Whether two cyclic sequences of nodes are the same, forwards or backwards.
static bool same_cycle(uint32_t count, const grz_node *p, const grz_node *q)
{
    for (uint32_t start = 0; start < count; start++) {
        bool forwards = true, backwards = true;
        for (uint32_t i = 0; i < count; i++) {
            forwards = forwards && same_node(p[i], q[(start + i) % count]);
            backwards = backwards && same_node(p[i], q[(start + count - i) % count]);
        }
        if (forwards || backwards)
            return true;
    }
    return count == 0;
}

static int feature_dimension(int feature)
{
    return feature < GRZ_EDGE_0 ? 0 : feature < GRZ_FACE ? 1 : 2;
}

// True if a node names this extreme point by features that contain it and are the smallest that do.
static bool names_point(oracle *o, const oracle_answer *truth, grz_node node, uint32_t point)
{
    return oracle_holds(o, 0, node.a, point) && oracle_holds(o, 1, node.b, point) &&
           feature_dimension(node.a) == feature_dimension(truth->nodes[point].a) &&
           feature_dimension(node.b) == feature_dimension(truth->nodes[point].b);
}

// Find the extreme point of each node. Features of degenerate triangles coincide, so their points are compared; there
// are at most two.
static bool match_nodes(oracle *o, const oracle_answer *truth, const grz_intersection *got,
                        uint32_t point_of[GRZ_MAX_NODES])
{
    if (truth->degenerate[0] || truth->degenerate[1]) {
        for (uint32_t turn = 0; turn < truth->points; turn++) {
            bool all = true;
            for (uint32_t i = 0; i < truth->points; i++) {
                point_of[i] = (i + turn) % truth->points;
                all = all && names_point(o, truth, got->nodes[i], point_of[i]);
            }
            if (all)
                return true;
        }
        return truth->points == 0;
    }
    for (uint32_t i = 0; i < truth->points; i++) {
        point_of[i] = 0;
        while (point_of[i] < truth->points && !same_node(got->nodes[i], truth->nodes[point_of[i]]))
            point_of[i]++;
        if (point_of[i] == truth->points)
            return false;
    }
    return same_cycle(truth->points, got->nodes, truth->nodes);
}

// --- positions

static int ulp_exponent(double x)
{
    int exponent;
    frexp(x, &exponent);
    return x == 0 || exponent < -1021 ? -1074 : exponent - 53;
}

// Every coordinate is the double nearest to the exact one. The oracle's distances are good to about 15 digits.
static bool position_is_nearest(worker *w, uint32_t point, const double position[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double error = oracle_distance(w->oracle, point, axis, position[axis], ulp_exponent(position[axis]));
        if (error > 0.5 + 0x1p-40)
            return false;
        w->worst_ulps = fmax(w->worst_ulps, error);
    }
    w->positions++;
    return true;
}

static const char *check_positions(worker *w, corners a, corners b, const oracle_answer *truth,
                                   const grz_intersection *got, double positions[GRZ_MAX_NODES][3])
{
    uint32_t point_of[GRZ_MAX_NODES];
    if (!match_nodes(w->oracle, truth, got, point_of))
        return "nodes";
    for (uint32_t i = 0; i < got->node_count; i++) {
        grz_node_position(a, b, got->nodes[i], positions[i]);
        if (!position_is_nearest(w, point_of[i], positions[i]))
            return "position of a node";
    }
    return NULL;
}

// --- the same pair in other orders

typedef struct variant {
    double a[3][3], b[3][3];
    int order[2][3]; // corner i of the variant's triangle was this corner of the original's
    bool swapped;
} variant;

// `which` of the VARIANTS orders: the swap, then both triangles' permutations.
static void make_variant(uint32_t which, corners a, corners b, variant *out)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    out->swapped = which >= 36;
    for (int n = 0; n < 2; n++) {
        const int *order = orders[n ? which % 6 : which / 6 % 6];
        corners from = (n == 1) == out->swapped ? a : b;
        memcpy(out->order[n], order, sizeof out->order[n]);
        for (int i = 0; i < 3; i++)
            memcpy((n ? out->b : out->a)[i], from[order[i]], sizeof(double[3]));
    }
}

// A feature of the variant's triangle, by its number in the original's: edge i lies opposite to corner (i + 2) % 3.
static uint8_t original_feature(const int order[3], uint8_t feature)
{
    if (feature < GRZ_EDGE_0)
        return (uint8_t)order[feature];
    if (feature < GRZ_FACE)
        return (uint8_t)(GRZ_EDGE_0 + (order[(feature - GRZ_EDGE_0 + 2) % 3] + 1) % 3);
    return GRZ_FACE;
}

static grz_node original_node(const variant *v, grz_node node)
{
    uint8_t a = original_feature(v->order[0], node.a), b = original_feature(v->order[1], node.b);
    return v->swapped ? (grz_node){b, a} : (grz_node){a, b};
}

static int compare_bits(const void *p, const void *q)
{
    return memcmp(p, q, sizeof(double[3]));
}

// Swapping the triangles and permuting their corners changes neither verdict nor kind nor, where `positions` are given,
// a bit of them.
static const char *check_variant(random_stream *random, corners a, corners b, const oracle_answer *truth,
                                 const grz_intersection *got, double positions[GRZ_MAX_NODES][3])
{
    variant v;
    make_variant(random_below(random, VARIANTS), a, b, &v);
    corners va = (corners)v.a, vb = (corners)v.b;
    grz_intersection other;
    grz_triangles_intersect(va, vb, &other);
    if (other.node_count != got->node_count || (got->node_count && other.kind != got->kind))
        return "verdict or kind after a permutation";
    if (!truth->degenerate[0] && !truth->degenerate[1]) {
        grz_node nodes[GRZ_MAX_NODES];
        for (uint32_t i = 0; i < other.node_count; i++)
            nodes[i] = original_node(&v, other.nodes[i]);
        if (!same_cycle(got->node_count, nodes, got->nodes))
            return "nodes after a permutation";
    }
    if (!positions)
        return NULL;
    double sorted[GRZ_MAX_NODES][3], moved[GRZ_MAX_NODES][3];
    for (uint32_t i = 0; i < other.node_count; i++)
        grz_node_position(va, vb, other.nodes[i], moved[i]);
    memcpy(sorted, positions, sizeof sorted);
    qsort(sorted, got->node_count, sizeof sorted[0], compare_bits);
    qsort(moved, got->node_count, sizeof moved[0], compare_bits);
    return memcmp(sorted, moved, got->node_count * sizeof sorted[0]) ? "bits of positions after a permutation" : NULL;
}

// --- one pair

static uint64_t exact_calls(void)
{
    grz_predicate_counts plane = grz_orient2d_counts(), space = grz_orient3d_counts();
    return plane.expansion + plane.integer + space.expansion + space.integer;
}

// The first mistake in the library's answer for a pair, or NULL.
static const char *check_pair(worker *w, pair_class group, random_stream *random, bool with_positions, corners a,
                              corners b)
{
    oracle_answer truth;
    grz_intersection got;
    double positions[GRZ_MAX_NODES][3] = {{0}};
    uint32_t point_of[GRZ_MAX_NODES];
    oracle_intersect(w->oracle, a, b, &truth);
    w->table[group][truth.points ? (int)truth.kind : APART]++;
    uint64_t before = exact_calls();
    bool touch = grz_triangles_touch(a, b);
    grz_triangles_intersect(a, b, &got);
    w->exact[group] += exact_calls() != before;
    if (touch != (truth.points > 0))
        return "grz_triangles_touch";
    if (got.node_count != truth.points)
        return "number of nodes";
    if (truth.points == 0)
        return check_variant(random, a, b, &truth, &got, NULL);
    if (got.kind != truth.kind)
        return "kind";
    const char *wrong = NULL;
    if (with_positions)
        wrong = check_positions(w, a, b, &truth, &got, positions);
    else if (!match_nodes(w->oracle, &truth, &got, point_of))
        wrong = "nodes";
    return wrong ? wrong : check_variant(random, a, b, &truth, &got, with_positions ? positions : NULL);
}

static bool check_block(void *data, pair_class group, uint64_t block, uint32_t count)
{
    random_stream random = random_stream_of_block(group, block), choices = random_stream_of_block(group, ~block);
    for (uint32_t n = 0; n < count; n++) {
        double a[3][3], b[3][3];
        pair_generate(group, &random, a, b);
        const char *wrong = check_pair(data, group, &choices, n % POSITIONS_IN == 0, (corners)a, (corners)b);
        if (wrong) {
            print_failing_pair(wrong, group, block, n, (corners)a, (corners)b);
            return false;
        }
    }
    return true;
}

// --- the rational oracle

// NULL if both oracles agree: verdict, kind, and the same exact points with the same features.
static const char *oracles_differ(worker *w, corners a, corners b)
{
    oracle_answer clipped;
    mpq_t p[3];
    mpq_inits(p[0], p[1], p[2], NULL);
    oracle_rational *r = w->rational;
    const char *wrong = NULL;
    oracle_intersect(w->oracle, a, b, &clipped);
    oracle_rational_intersect(r, a, b);
    if (clipped.points != r->answer.points || (clipped.points && clipped.kind != r->answer.kind))
        wrong = "the oracles' verdicts or kinds differ";
    bool degenerate = clipped.degenerate[0] || clipped.degenerate[1];
    for (uint32_t i = 0; i < clipped.points && !wrong; i++) {
        bool found = false;
        oracle_point(w->oracle, i, p);
        for (uint32_t j = 0; j < clipped.points && !found; j++)
            found = mpq_equal(p[0], r->points[j][0]) && mpq_equal(p[1], r->points[j][1]) &&
                    mpq_equal(p[2], r->points[j][2]) && (degenerate || same_node(clipped.nodes[i], r->answer.nodes[j]));
        wrong = found ? NULL : "the oracles' points differ";
    }
    mpq_clears(p[0], p[1], p[2], NULL);
    return wrong;
}

static bool rational_block(void *data, pair_class group, uint64_t block, uint32_t count)
{
    worker *w = data;
    random_stream random = random_stream_of_block(group, block + (UINT64_C(1) << 40));
    for (uint32_t n = 0; n < count; n++) {
        double a[3][3], b[3][3];
        pair_generate(group, &random, a, b);
        const char *wrong = oracles_differ(w, (corners)a, (corners)b);
        if (!wrong) {
            grz_intersection got;
            grz_triangles_intersect((corners)a, (corners)b, &got);
            if (got.node_count != w->rational->answer.points ||
                (got.node_count && got.kind != w->rational->answer.kind))
                wrong = "the rational oracle's verdict or kind is another";
        }
        if (wrong) {
            print_failing_pair(wrong, group, block, n, (corners)a, (corners)b);
            return false;
        }
        w->table[group][w->rational->answer.points ? (int)w->rational->answer.kind : APART]++;
    }
    return true;
}

// --- the tests

static int make_workers(worker *workers, void **pointers, bool rational)
{
    int count = block_worker_count();
    for (int i = 0; i < count; i++) {
        workers[i] = (worker){.oracle = oracle_create(), .rational = rational ? malloc(sizeof(oracle_rational)) : NULL};
        assert_non_null(workers[i].oracle);
        if (rational) {
            assert_non_null(workers[i].rational);
            oracle_rational_init(workers[i].rational);
        }
        pointers[i] = &workers[i];
    }
    return count;
}

static void destroy_workers(worker *workers, int count)
{
    for (int i = 0; i < count; i++) {
        oracle_destroy(workers[i].oracle);
        if (workers[i].rational)
            oracle_rational_finish(workers[i].rational);
        free(workers[i].rational);
    }
}

// Add up the workers' tables and print them. Returns true if a cell is empty that should not be, or the reverse.
static bool print_table(const worker *workers, int count, bool with_stages)
{
    bool empty = false;
    uint64_t pairs = 0, exact = 0;
    printf("%-14s %10s %10s %10s %10s%s\n", "class", "apart", "touching", "coplanar", "crossing",
           with_stages ? "  exact stage" : "");
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        uint64_t sum[VERDICTS] = {0}, all = 0, staged = 0;
        for (int i = 0; i < count; i++) {
            for (int v = 0; v < VERDICTS; v++)
                sum[v] += workers[i].table[group][v];
            staged += workers[i].exact[group];
        }
        for (int v = 0; v < VERDICTS; v++) {
            all += sum[v];
            empty = empty || (sum[v] == 0) != (v == GRZ_NEAR); // no pair of triangles is near, see grz_kind
        }
        printf("%-14s %10llu %10llu %10llu %10llu", pair_class_name((pair_class)group), (unsigned long long)sum[APART],
               (unsigned long long)sum[GRZ_TOUCHING], (unsigned long long)sum[GRZ_COPLANAR],
               (unsigned long long)sum[GRZ_CROSSING]);
        if (with_stages)
            printf(" %10.1f %%", 100.0 * (double)staged / (double)(all ? all : 1));
        printf("\n");
        pairs += all;
        exact += staged;
    }
    printf("%llu pairs", (unsigned long long)pairs);
    if (with_stages)
        printf(", %.1f %% of them reached an exact stage", 100.0 * (double)exact / (double)(pairs ? pairs : 1));
    printf("\n");
    return empty || (with_stages && exact * 10 < pairs * 3);
}

static void every_verdict_kind_and_node_is_exact(void **state)
{
    (void)state;
    static worker workers[BLOCK_MAX_WORKERS];
    void *pointers[BLOCK_MAX_WORKERS];
    int count = make_workers(workers, pointers, false);
    bool passed = run_blocks(oracle_pairs() / PAIR_CLASS_COUNT, BLOCK_SIZE, check_block, pointers, count);
    bool lacking = print_table(workers, count, true);
    uint64_t positions = 0;
    double worst_ulps = 0;
    for (int i = 0; i < count; i++) {
        positions += workers[i].positions;
        worst_ulps = fmax(worst_ulps, workers[i].worst_ulps);
    }
    printf("%llu positions: worst error %.3f ulp\n", (unsigned long long)positions, worst_ulps);
    destroy_workers(workers, count);
    assert_true(passed);
    assert_false(lacking); // an empty cell, or fewer than 30 % of the pairs reached an exact stage
}

static void the_two_oracles_and_the_library_agree(void **state)
{
    (void)state;
    static worker workers[BLOCK_MAX_WORKERS];
    void *pointers[BLOCK_MAX_WORKERS];
    int count = make_workers(workers, pointers, true);
    uint64_t pairs = oracle_pairs() / 2000;
    bool passed = run_blocks(pairs < 60 ? 60 : pairs, RATIONAL_BLOCK_SIZE, rational_block, pointers, count);
    print_table(workers, count, false);
    destroy_workers(workers, count);
    assert_true(passed);
}

typedef struct hand_made {
    const char *name;
    uint32_t points;
    grz_kind kind;
    double a[3][3], b[3][3];
} hand_made;

static const hand_made cases[] = {
    {"far apart", 0, GRZ_TOUCHING, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{5, 5, 5}, {6, 5, 5}, {5, 6, 6}}},
    {"parallel planes",
     0,
     GRZ_TOUCHING,
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{0, 0, 0x1p-1074}, {4, 0, 0x1p-1074}, {0, 4, 0x1p-1074}}},
    {"planes cross beside the triangles",
     0,
     GRZ_TOUCHING,
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{3, 3, -1}, {3, 3, 1}, {9, 3, 0}}},
    {"coplanar apart", 0, GRZ_TOUCHING, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{3, 3, 0}, {5, 3, 0}, {3, 5, 0}}},
    {"identical", 3, GRZ_COPLANAR, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
    {"reversed", 3, GRZ_COPLANAR, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 4, 0}, {4, 0, 0}, {0, 0, 0}}},
    {"inside", 3, GRZ_COPLANAR, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}},
    {"inside, touching an edge", 3, GRZ_COPLANAR, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{1, 0, 0}, {2, 1, 0}, {1, 2, 0}}},
    {"a star of David", 6, GRZ_COPLANAR, {{0, 3, 0}, {6, 3, 0}, {3, 9, 0}}, {{0, 7, 0}, {6, 7, 0}, {3, 1, 0}}},
    {"overlap in a quadrilateral",
     4,
     GRZ_COPLANAR,
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{1, 1, 0}, {9, 1, 0}, {1, 3, 0}}},
    {"coplanar, one edge in common",
     2,
     GRZ_TOUCHING,
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{0, 0, 0}, {4, 0, 0}, {0, -4, 0}}},
    {"coplanar, edges overlap", 2, GRZ_TOUCHING, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{2, 0, 0}, {6, 0, 0}, {0, -4, 0}}},
    {"coplanar, edges on one line end to end",
     1,
     GRZ_TOUCHING,
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{4, 0, 0}, {6, 0, 0}, {5, -4, 0}}},
    {"coplanar, a corner on an edge",
     1,
     GRZ_TOUCHING,
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{2, 2, 0}, {6, 3, 0}, {3, 6, 0}}},
    {"coplanar, corner to corner",
     1,
     GRZ_TOUCHING,
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{0, 0, 0}, {-4, 0, 0}, {0, -4, 0}}},
    {"an edge pierces the face",
     2,
     GRZ_CROSSING,
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{1, 1, -1}, {1, 1, 1}, {9, 9, 0}}},
    {"linked", 2, GRZ_CROSSING, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{1, 1, -1}, {2, 1, 3}, {1, 2, 3}}},
    {"a corner on the face", 1, GRZ_TOUCHING, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{1, 1, 0}, {2, 1, 3}, {1, 2, 3}}},
    {"a corner on the face, the rest through it",
     2,
     GRZ_CROSSING,
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{1, 1, 0}, {3, 1, 3}, {3, 1, -3}}},
    {"an edge on the face", 2, GRZ_TOUCHING, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{1, 1, 0}, {2, 1, 0}, {1, 2, 3}}},
    {"an edge in the plane, across the face",
     2,
     GRZ_TOUCHING,
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{-1, 1, 0}, {9, 1, 0}, {1, 2, 3}}},
    {"a corner on an edge", 1, GRZ_TOUCHING, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{4, 0, 0}, {4, -4, 2}, {4, -4, -2}}},
    {"edges cross in a point", 1, GRZ_TOUCHING, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{4, 0, -1}, {4, 0, 1}, {4, -5, 0}}},
    {"edges cross, then the face",
     2,
     GRZ_CROSSING,
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{4, 0, -1}, {4, 0, 1}, {4, 5, 0}}},
    {"one corner in common", 1, GRZ_TOUCHING, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{0, 0, 0}, {1, 1, 5}, {-1, 1, 5}}},
    {"one corner in common, crossing from it",
     2,
     GRZ_CROSSING,
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{0, 0, 0}, {1, 1, 5}, {1, 1, -5}}},
    {"one edge in common", 2, GRZ_TOUCHING, {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, {{0, 0, 0}, {8, 0, 0}, {0, 1, 5}}},
    {"folded flat on a common edge",
     3,
     GRZ_COPLANAR,
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{0, 0, 0}, {8, 0, 0}, {1, 1, 0}}},
    {"the common edge is part of the other's",
     2,
     GRZ_TOUCHING,
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{2, 0, 0}, {3, 0, 0}, {0, 1, 5}}},
    {"minus zero",
     3,
     GRZ_COPLANAR,
     {{-0.0, 0, -0.0}, {4, -0.0, 0}, {0, 4, 0}},
     {{0, -0.0, 0}, {4, 0, 0}, {-0.0, 4, -0.0}}},
    {"equal points", 1, GRZ_TOUCHING, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}},
    {"points an ulp apart",
     0,
     GRZ_TOUCHING,
     {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
     {{1, 2, 3 + 0x1p-51}, {1, 2, 3 + 0x1p-51}, {1, 2, 3 + 0x1p-51}}},
    {"a point on a segment", 1, GRZ_TOUCHING, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 0, 0}, {2, 2, 2}, {0, 0, 0}}},
    {"a point at a segment's doubled end",
     1,
     GRZ_TOUCHING,
     {{2, 2, 2}, {2, 2, 2}, {2, 2, 2}},
     {{0, 0, 0}, {2, 2, 2}, {2, 2, 2}}},
    {"a point beyond a segment", 0, GRZ_TOUCHING, {{3, 3, 3}, {3, 3, 3}, {3, 3, 3}}, {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}}},
    {"a point in a face", 1, GRZ_TOUCHING, {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
    {"a point above a face", 0, GRZ_TOUCHING, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
    {"segments cross", 1, GRZ_TOUCHING, {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, -1, 0}, {0, 2, 0}, {0, 1, 0}}},
    {"segments overlap", 2, GRZ_TOUCHING, {{0, 0, 0}, {4, 4, 4}, {2, 2, 2}}, {{3, 3, 3}, {6, 6, 6}, {1, 1, 1}}},
    {"segments on one line apart",
     0,
     GRZ_TOUCHING,
     {{0, 0, 0}, {4, 4, 4}, {2, 2, 2}},
     {{5, 5, 5}, {6, 6, 6}, {5, 5, 5}}},
    {"segments on one line end to end",
     1,
     GRZ_TOUCHING,
     {{0, 0, 0}, {4, 4, 4}, {2, 2, 2}},
     {{4, 4, 4}, {6, 6, 6}, {5, 5, 5}}},
    {"segments pass each other",
     0,
     GRZ_TOUCHING,
     {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}},
     {{0, -1, 1}, {0, 1, 1}, {0, 0, 1}}},
    {"parallel segments", 0, GRZ_TOUCHING, {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{-1, 1, 0}, {1, 1, 0}, {0, 1, 0}}},
    {"a segment pierces a face",
     1,
     GRZ_TOUCHING,
     {{1, 1, -1}, {1, 1, 1}, {1, 1, 0}},
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
    {"a segment lies in a face", 2, GRZ_TOUCHING, {{1, 1, 0}, {2, 1, 0}, {1, 1, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
    {"a segment crosses a face in its plane",
     2,
     GRZ_TOUCHING,
     {{-1, 1, 0}, {9, 1, 0}, {0, 1, 0}},
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
    {"a segment covers an edge",
     2,
     GRZ_TOUCHING,
     {{-1, 0, 0}, {9, 0, 0}, {2, 0, 0}},
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
    {"a segment's middle corner touches a corner",
     1,
     GRZ_TOUCHING,
     {{-1, 1, 0}, {1, -1, 0}, {0, 0, 0}},
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
};

static void hand_made_cases(void **state)
{
    (void)state;
    static worker w; // the hand-made cases do not count in a table that must be full
    w = (worker){.oracle = oracle_create(), .rational = malloc(sizeof(oracle_rational))};
    assert_non_null(w.oracle);
    assert_non_null(w.rational);
    oracle_rational_init(w.rational);
    random_stream random = random_stream_of_block(PAIR_GRID, UINT64_C(1) << 41);
    uint32_t failures = 0;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const hand_made *c = &cases[n];
        oracle_answer truth;
        for (uint32_t which = 0; which < VARIANTS; which++) {
            variant v;
            make_variant(which, c->a, c->b, &v);
            corners a = (corners)v.a, b = (corners)v.b;
            oracle_intersect(w.oracle, a, b, &truth);
            const char *wrong = oracles_differ(&w, a, b);
            if (truth.points != c->points || (c->points && truth.kind != c->kind))
                wrong = "the oracle is wrong";
            if (!wrong)
                wrong = check_pair(&w, PAIR_GRID, &random, true, a, b);
            if (wrong) {
                printf("case \"%s\":\n", c->name);
                print_failing_pair(wrong, PAIR_GRID, 0, (uint32_t)n, a, b);
                failures++;
                break;
            }
        }
    }
    destroy_workers(&w, 1);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_made_cases),
        cmocka_unit_test(the_two_oracles_and_the_library_agree),
        cmocka_unit_test(every_verdict_kind_and_node_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
