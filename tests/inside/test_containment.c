// SPDX-License-Identifier: MIT
// Inside or apart, by both rules. Shells, components, windings, open meshes and poses whose answer is worked out by
// hand. Then random ones: solids of unit cells, where a point's cell gives the answer without arithmetic, while the ray
// runs along edges, through corners and within walls; and surfaces that cross themselves, wind twice or are one-sided,
// where the GMP oracle counts along another ray. Every query is run in both orders, by each method, with one thread and
// with two.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle_inside.h"
#include "support_queries.h"
#include "support_sanitizer.h"
#include "support_solids.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static grz_relation swapped(grz_relation relation)
{
    return relation == GRZ_A_INSIDE_B ? GRZ_B_INSIDE_A : relation == GRZ_B_INSIDE_A ? GRZ_A_INSIDE_B : relation;
}

// The expected answer. If nothing touches, the relation is decided unless `open` names the meshes ("A", "B", "both")
// that leave it undecided.
static void expect_ruled(const char *what, grz_inside_rule rule, const test_mesh *a, const grz_pose *pose_a,
                         const test_mesh *b, const grz_pose *pose_b, grz_relation relation, const char *open)
{
    test_query query = test_query_of_pair(a, b, GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT);
    query.rule = rule;
    query.pose_a = *pose_a;
    query.pose_b = *pose_b;
    for (int order = 0; order < 2; order++) {
        test_answer answer = test_ask(what, &query);
        const grz_summary *s = &answer.summary;
        const grz_relation expected = order == 0 ? relation : swapped(relation);
        const grz_containment containment = expected == GRZ_COLLIDING ? GRZ_CONTAINMENT_NOT_ASKED
                                            : open != NULL            ? GRZ_CONTAINMENT_UNDECIDABLE
                                                                      : GRZ_CONTAINMENT_DECIDED;
        if (s->relation != expected || s->containment != containment || (s->reason != NULL) != (open != NULL))
            fail_msg("%s, order %d: relation %d, containment %d, reason %s; expected %d, %d", what, order,
                     (int)s->relation, (int)s->containment, s->reason != NULL ? s->reason : "none", (int)expected,
                     (int)containment);
        if (open != NULL && s->reason != NULL) {
            const char *who = order == 0 || strcmp(open, "both") == 0 ? open : strcmp(open, "A") == 0 ? "B" : "A";
            char culprit[16];
            snprintf(culprit, sizeof culprit, strcmp(who, "both") == 0 ? " the other: " : ": %s is ", who);
            if (strstr(s->reason, culprit) == NULL)
                fail_msg("%s, order %d: the reason is \"%s\", should contain \"%s\"", what, order, s->reason, culprit);
        }
        assert_int_equal(s->colliding, s->relation != GRZ_APART);
        assert_int_equal(s->certainty, GRZ_EXACT);
        assert_int_equal(answer.pair_count > 0, s->relation == GRZ_COLLIDING);
        test_answer_finish(&answer);
        query = (test_query){.a = b, .b = a, .pose_a = *pose_b, .pose_b = *pose_a, .find = query.find, .rule = rule};
    }
}

// By both rules: for containers whose parts do not overlap, all wound outwards or all inwards.
static void expect_posed(const char *what, const test_mesh *a, const grz_pose *pose_a, const test_mesh *b,
                         const grz_pose *pose_b, grz_relation relation, const char *open)
{
    expect_ruled(what, GRZ_EVEN_ODD, a, pose_a, b, pose_b, relation, open);
    expect_ruled(what, GRZ_NONZERO, a, pose_a, b, pose_b, relation, open);
}

static void expect_by(grz_inside_rule rule, const char *what, const test_mesh *a, const test_mesh *b,
                      grz_relation relation, const char *open)
{
    const grz_pose identity = grz_pose_identity();
    expect_ruled(what, rule, a, &identity, b, &identity, relation, open);
}

static void expect_relation(const char *what, const test_mesh *a, const test_mesh *b, grz_relation relation,
                            const char *open)
{
    const grz_pose identity = grz_pose_identity();
    expect_posed(what, a, &identity, b, &identity, relation, open);
}

static void finish(test_mesh *meshes[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        test_mesh_finish(meshes[i]);
}

static test_mesh reversed(test_mesh mesh)
{
    test_mesh_reverse(&mesh);
    return mesh;
}

// A cube without its top: the faces 2 and 3 left out.
static test_mesh open_cube(double x, double y, double z, double size)
{
    test_mesh closed = test_mesh_cube(x, y, z, size), mesh = {0};
    for (uint64_t v = 0; v < closed.vertex_count; v++)
        test_mesh_add_vertex(&mesh, closed.positions[3 * v], closed.positions[3 * v + 1], closed.positions[3 * v + 2]);
    for (uint64_t face = 0; face < closed.face_count; face++)
        if (face != 2 && face != 3)
            test_mesh_add_face(&mesh, closed.indices + 3 * face, 3);
    test_mesh_finish(&closed);
    return mesh;
}

static void a_closed_mesh_within_another_is_inside(void **state)
{
    (void)state;
    test_mesh big = test_mesh_cube(0, 0, 0, 8), small = test_mesh_cube(2, 2, 2, 2), beside = test_mesh_cube(9, 0, 0, 8);
    test_mesh touching = test_mesh_cube(0, 2, 2, 2), corner = test_mesh_cube(8, 8, 8, 2),
              ball = test_mesh_icosphere(1, 3);
    test_mesh_move(&ball, 4, 4, 4);
    expect_relation("cube in cube", &small, &big, GRZ_A_INSIDE_B, NULL);
    expect_relation("cube beside cube", &big, &beside, GRZ_APART, NULL);
    expect_relation("ball in cube", &ball, &big, GRZ_A_INSIDE_B, NULL);
    // Touching from within is touching.
    expect_relation("cube on the inner wall", &touching, &big, GRZ_COLLIDING, NULL);
    expect_relation("corner on corner", &corner, &big, GRZ_COLLIDING, NULL);
    test_mesh *all[] = {&big, &small, &beside, &touching, &corner, &ball};
    finish(all, COUNT(all));
}

static void nested_shells_follow_the_even_odd_rule(void **state)
{
    (void)state;
    // A wall between the cubes [0,16]³ and [4,12]³. The inner cube may be turned inside out, as in a hollow body, or
    // not: that does not matter.
    for (int turned = 0; turned < 2; turned++) {
        test_mesh hollow = test_mesh_cube(0, 0, 0, 16);
        test_mesh_take(&hollow, turned ? reversed(test_mesh_cube(4, 4, 4, 8)) : test_mesh_cube(4, 4, 4, 8));
        test_mesh cavity = test_mesh_cube(7, 7, 7, 2), wall = test_mesh_cube(1, 1, 1, 2),
                  around = test_mesh_cube(-1, -1, -1, 18);
        expect_by(GRZ_EVEN_ODD, "in the cavity", &cavity, &hollow, GRZ_APART, NULL);
        expect_by(GRZ_EVEN_ODD, "in the wall", &wall, &hollow, GRZ_A_INSIDE_B, NULL);
        expect_by(GRZ_EVEN_ODD, "around it all", &around, &hollow, GRZ_B_INSIDE_A, NULL);
        // A third shell in the cavity makes its inside solid again.
        test_mesh_take(&hollow, test_mesh_cube(5, 5, 5, 6));
        expect_by(GRZ_EVEN_ODD, "in the core", &cavity, &hollow, GRZ_A_INSIDE_B, NULL);
        // A shell in the wall all round the cavity: it lies inside, and the core and the cavity's surface lie inside
        // it.
        test_mesh between = test_mesh_cube(2, 2, 2, 12);
        expect_by(GRZ_EVEN_ODD, "in the wall, all round", &between, &hollow, GRZ_A_INSIDE_B, NULL);
        // The same if it is open, though the core might then lie inside it.
        test_mesh open = open_cube(2, 2, 2, 12);
        expect_by(GRZ_EVEN_ODD, "in the wall, all round, open", &open, &hollow, GRZ_A_INSIDE_B, NULL);
        test_mesh *all[] = {&hollow, &cavity, &wall, &around, &between, &open};
        finish(all, COUNT(all));
    }
}

// Five nested cubes, each wound either way: 32 ways. A point between them is inside by the number of cubes around it,
// or by the sum of their windings.
static void shells_five_deep_follow_either_rule(void **state)
{
    (void)state;
    uint64_t counts[2][3] = {0};
    for (uint32_t turned = 0; turned < 32; turned++) {
        test_mesh shells = test_mesh_shells(5, turned);
        int winding = 0;
        for (uint32_t depth = 0; depth <= 5; depth++) {
            // The faces of the cubes lie at ±5, ±4, … ±1.
            const double at = depth < 5 ? 5.5 - depth : 0.5;
            test_mesh probe = test_mesh_cube(at - 0.25, -0.25, 0.125, 0.25),
                      around = test_mesh_cube(-at, -at, -at, 2 * at);
            winding += depth == 0 ? 0 : (turned >> (depth - 1) & 1) != 0 ? -1 : 1;
            for (int rule = 0; rule < 2; rule++) {
                char what[64];
                const bool inside = rule == GRZ_NONZERO ? winding != 0 : depth % 2 != 0;
                snprintf(what, sizeof what, "shells %02x, rule %d, depth %u", turned, rule, depth);
                expect_by((grz_inside_rule)rule, what, &probe, &shells, inside ? GRZ_A_INSIDE_B : GRZ_APART, NULL);
                // A cube around inner shells contains these, and all of them only if it is the outermost.
                const grz_relation relation = inside       ? GRZ_A_INSIDE_B
                                              : depth == 0 ? GRZ_B_INSIDE_A
                                              : depth == 5 ? GRZ_APART
                                                           : GRZ_OVERLAPPING;
                expect_by((grz_inside_rule)rule, what, &around, &shells, relation, NULL);
                counts[rule][relation == GRZ_A_INSIDE_B ? 1 : relation == GRZ_OVERLAPPING ? 2 : 0]++;
            }
            test_mesh_finish(&probe);
            test_mesh_finish(&around);
        }
        test_mesh_finish(&shells);
    }
    for (int rule = 0; rule < 2; rule++) {
        print_message("  rule %d: inside %llu, overlapping %llu, else %llu\n", rule,
                      (unsigned long long)counts[rule][1], (unsigned long long)counts[rule][2],
                      (unsigned long long)counts[rule][0]);
        assert_true(counts[rule][0] > 0 && counts[rule][1] > 0 && counts[rule][2] > 0);
    }
}

static void some_components_inside_overlap(void **state)
{
    (void)state;
    test_mesh big = test_mesh_cube(0, 0, 0, 16), parts = test_mesh_cube(1, 1, 1, 2);
    test_mesh_take(&parts, test_mesh_cube(5, 5, 5, 2));
    expect_relation("both inside", &parts, &big, GRZ_A_INSIDE_B, NULL);
    test_mesh_take(&parts, test_mesh_cube(20, 0, 0, 2));
    expect_relation("one outside", &parts, &big, GRZ_OVERLAPPING, NULL);
    // Each mesh has a part inside a part of the other.
    test_mesh other = test_mesh_cube(0, 0, 0, 4), mutual = test_mesh_cube(1, 1, 1, 2);
    test_mesh_take(&other, test_mesh_cube(11, 1, 1, 2));
    test_mesh_take(&mutual, test_mesh_cube(10, 0, 0, 4));
    expect_relation("mutual", &other, &mutual, GRZ_OVERLAPPING, NULL);
    test_mesh far = test_mesh_cube(-9, 0, 0, 2);
    test_mesh_take(&far, test_mesh_cube(30, 0, 0, 2));
    expect_relation("on both sides", &far, &big, GRZ_APART, NULL);
    test_mesh *all[] = {&big, &parts, &other, &mutual, &far};
    finish(all, COUNT(all));
}

static void components_may_touch_each_other(void **state)
{
    (void)state;
    // Two cubes that share a wall, each with its own copy of it: every point inside either is inside, as the ray meets
    // two walls or none.
    test_mesh pair = test_mesh_cube(0, 0, 0, 8);
    test_mesh_take(&pair, test_mesh_cube(0, 0, 8, 8));
    test_mesh low = test_mesh_cube(3, 3, 3, 2), high = test_mesh_cube(3, 3, 11, 2),
              around = test_mesh_cube(-4, -4, -4, 24);
    expect_relation("in the lower", &low, &pair, GRZ_A_INSIDE_B, NULL);
    expect_relation("in the upper", &high, &pair, GRZ_A_INSIDE_B, NULL);
    expect_relation("touching parts in a cube", &pair, &around, GRZ_A_INSIDE_B, NULL);
    // Two cubes that overlap: their common part is outside by the even-odd rule only.
    test_mesh crossing = test_mesh_cube(0, 0, 0, 8);
    test_mesh_take(&crossing, test_mesh_cube(4, 4, 4, 8));
    test_mesh common = test_mesh_cube(5, 5, 5, 2), own = test_mesh_cube(1, 1, 1, 2);
    expect_by(GRZ_EVEN_ODD, "in the common part", &common, &crossing, GRZ_APART, NULL);
    expect_by(GRZ_NONZERO, "in the common part", &common, &crossing, GRZ_A_INSIDE_B, NULL);
    expect_relation("in one of them", &own, &crossing, GRZ_A_INSIDE_B, NULL);
    // Two cubes joined in one corner are one component.
    test_mesh joined = test_mesh_cube(0, 0, 0, 4);
    test_mesh_take(&joined, test_mesh_cube(4, 4, 4, 4));
    expect_relation("joined by a corner", &joined, &around, GRZ_A_INSIDE_B, NULL);
    test_mesh *all[] = {&pair, &low, &high, &around, &crossing, &common, &own, &joined};
    finish(all, COUNT(all));
}

// A cube in a cube that touches it from within in a point, along an edge or with a face, both in one mesh; with
// vertices of its own or shared ones, wound alike or not.
static void shells_may_touch_from_within(void **state)
{
    (void)state;
    const double low[4][3] = {{1, 1, 1}, {0, 0, 1}, {0, 0, 0}, {0, 1, 2}};
    const char *const names[4] = {"within", "along an edge", "in a corner and three faces", "with a face"};
    for (int kind = 0; kind < 5; kind++) {
        for (int turned = 0; turned < 2; turned++) {
            test_mesh shells = test_mesh_cube(0, 0, 0, 8), inner = {0};
            if (kind < 4) {
                inner = test_mesh_cube(low[kind][0], low[kind][1], low[kind][2], 4);
            } else { // the tip of a pyramid on the outer cube's wall
                const double corners[4][3] = {{0, 3, 3}, {2, 2, 2}, {2, 5, 2}, {2, 2, 5}};
                inner = test_mesh_tetrahedron(corners);
                test_mesh_reverse(&inner);
            }
            if (turned != 0)
                test_mesh_reverse(&inner);
            test_mesh_take(&shells, inner);
            const char *what = kind < 4 ? names[kind] : "in a point";
            const double place = kind < 4 ? 3.0 : 2.25, x = kind < 4 ? low[kind][0] + 1.5 : 1.875;
            test_mesh in_both = test_mesh_cube(x, place, place, 0.0625), in_one = test_mesh_cube(7, 7, 7, 0.5),
                      beside = test_mesh_cube(9, 3, 3, 1);
            expect_by(GRZ_EVEN_ODD, what, &in_both, &shells, GRZ_APART, NULL);
            expect_by(GRZ_NONZERO, what, &in_both, &shells, turned != 0 ? GRZ_APART : GRZ_A_INSIDE_B, NULL);
            expect_relation(what, &in_one, &shells, GRZ_A_INSIDE_B, NULL);
            expect_relation(what, &beside, &shells, GRZ_APART, NULL);
            test_mesh *all[] = {&shells, &in_both, &in_one, &beside};
            finish(all, COUNT(all));
        }
    }
}

static void winding_matters_by_the_nonzero_rule_only(void **state)
{
    (void)state;
    random_stream random = {.state = 11};
    test_mesh small = test_mesh_cube(3, 3, 3, 2), above = test_mesh_cube(3, 3, 9, 2);
    for (int round = 0; round < 8; round++) {
        test_mesh big = test_mesh_cube(0, 0, 0, 8);
        for (uint64_t face = 0; face < big.face_count; face++) {
            if (round == 0 || random_below(&random, 2) == 0) {
                const uint32_t first = big.indices[3 * face];
                big.indices[3 * face] = big.indices[3 * face + 1];
                big.indices[3 * face + 1] = first;
            }
        }
        // In the first round all faces are turned over, which is consistent again.
        expect_by(GRZ_EVEN_ODD, "turned faces", &small, &big, GRZ_A_INSIDE_B, NULL);
        expect_by(GRZ_NONZERO, "turned faces", &small, &big, round == 0 ? GRZ_A_INSIDE_B : GRZ_APART,
                  round == 0 ? NULL : "B");
        expect_relation("turned faces, above", &above, &big, GRZ_APART, NULL);
        test_mesh_finish(&big);
    }
    // One face of twelve.
    test_mesh one = test_mesh_cube(0, 0, 0, 8), around = test_mesh_cube(-1, -1, -1, 12);
    assert_true(oracle_edges_of(&one).balanced);
    const uint32_t first = one.indices[0];
    one.indices[0] = one.indices[1];
    one.indices[1] = first;
    assert_true(oracle_edges_of(&one).closed && !oracle_edges_of(&one).balanced);
    expect_by(GRZ_NONZERO, "one turned face", &small, &one, GRZ_APART, "B");
    // As the inner mesh its winding does not matter.
    expect_by(GRZ_NONZERO, "a turned face within", &one, &around, GRZ_A_INSIDE_B, NULL);
    test_mesh *all[] = {&small, &above, &one, &around};
    finish(all, COUNT(all));
}

static void an_open_container_cannot_be_decided(void **state)
{
    (void)state;
    test_mesh open = open_cube(0, 0, 0, 8), small = test_mesh_cube(3, 3, 3, 2), closed = test_mesh_cube(-2, -2, -2, 12);
    test_mesh small_open = open_cube(3, 3, 3, 2), beside = open_cube(20, 0, 0, 2), peeking = test_mesh_cube(3, 3, 3, 2);
    expect_relation("closed in open", &small, &open, GRZ_APART, "B");
    expect_relation("open in open", &small_open, &open, GRZ_APART, "B");
    // An open mesh may lie inside a closed one.
    expect_relation("open in closed", &open, &closed, GRZ_A_INSIDE_B, NULL);
    expect_relation("boxes apart", &open, &beside, GRZ_APART, NULL);
    for (int v = 4; v < 8; v++)
        peeking.positions[3 * v + 2] = 12;
    // A mesh that reaches out of the open mesh's box through the missing top is not inside, whichever vertex comes
    // first.
    random_stream random = {.state = 3};
    for (int round = 0; round < 8; round++) {
        expect_relation("out of the mouth", &peeking, &open, GRZ_APART, NULL);
        test_mesh_shuffle(&peeking, &random, NULL);
    }
    // Two open triangles, each with a corner in the other's box, but neither wholly in it: decided.
    const double one[3][3] = {{3, 3, 1}, {0, 0, 0}, {4, 4, 0}}, two[3][3] = {{1, 2, 1}, {5, 5, 0}, {5, 5, 3}};
    test_mesh a = {0}, b = {0};
    test_mesh_add_loose_triangle(&a, one);
    test_mesh_add_loose_triangle(&b, two);
    expect_relation("open triangles", &a, &b, GRZ_APART, NULL);
    // Two parts each, one of them in the box of the other's open cube: both might contain something.
    test_mesh mutual_a = open_cube(0, 0, 0, 8), mutual_b = open_cube(20, 0, 0, 8);
    test_mesh_take(&mutual_a, test_mesh_cube(23, 3, 3, 2));
    test_mesh_take(&mutual_b, test_mesh_cube(3, 3, 3, 2));
    expect_relation("mutual", &mutual_a, &mutual_b, GRZ_APART, "both");
    // One part is certainly inside, and there is an open container: they overlap, and it cannot be decided whether one
    // is inside.
    test_mesh mixed = test_mesh_cube(23, 3, 3, 2), solid = test_mesh_cube(20, 0, 0, 8);
    test_mesh_take(&mixed, open_cube(0, 0, 0, 8));
    test_mesh_take(&solid, test_mesh_cube(3, 3, 3, 2));
    expect_relation("certain and uncertain", &mixed, &solid, GRZ_OVERLAPPING, "A");
    test_mesh *all[] = {&open, &small, &closed,   &small_open, &beside, &peeking,
                        &a,    &b,     &mutual_a, &mutual_b,   &mixed,  &solid};
    finish(all, COUNT(all));
}

// A face is cut at an edge's midpoint and its neighbour is not: the surface looks closed, but is open by position. A
// triangle without area in the crack closes it.
static void a_crack_without_width_is_an_opening(void **state)
{
    (void)state;
    test_mesh small = test_mesh_cube(3, 3, 3, 2), above = test_mesh_cube(3, 3, 9, 2);
    for (int filled = 0; filled < 2; filled++) {
        for (uint64_t face = 0; face < 12; face++) {
            test_mesh cracked = test_mesh_cube(0, 0, 0, 8);
            test_mesh_split_one_side(&cracked, face, filled != 0);
            expect_relation("crack", &small, &cracked, filled != 0 ? GRZ_A_INSIDE_B : GRZ_APART,
                            filled != 0 ? NULL : "B");
            expect_relation("above the crack", &above, &cracked, GRZ_APART, NULL);
            test_mesh_finish(&cracked);
        }
    }
    test_mesh_finish(&small);
    test_mesh_finish(&above);
}

// Two meshes, each with a part in the box of the other's container, and containers with different faults.
static void the_fault_of_the_container_is_named(void **state)
{
    (void)state;
    static const char *const names[3] = {"sound", "open", "not wound consistently"};
    for (int fault_a = 0; fault_a < 3; fault_a++)
        for (int fault_b = 0; fault_b < 3; fault_b++)
            for (int rule = 0; rule < 2; rule++) {
                const int faults[2] = {fault_a, fault_b};
                test_mesh meshes[2];
                for (int k = 0; k < 2; k++) {
                    meshes[k] = faults[k] == 1 ? open_cube(20 * k, 0, 0, 8) : test_mesh_cube(20 * k, 0, 0, 8);
                    if (faults[k] == 2) {
                        const uint32_t first = meshes[k].indices[0];
                        meshes[k].indices[0] = meshes[k].indices[1];
                        meshes[k].indices[1] = first;
                    }
                    test_mesh_take(&meshes[k], test_mesh_cube(20 * (1 - k) + 3, 3, 3, 2));
                }
                test_query query = test_query_of_pair(&meshes[0], &meshes[1], GRZ_FIND_CONTAINMENT);
                query.rule = (grz_inside_rule)rule;
                const bool counts_a = fault_a == 1 || (fault_a == 2 && rule == GRZ_NONZERO),
                           counts_b = fault_b == 1 || (fault_b == 2 && rule == GRZ_NONZERO);
                test_answer answer = test_ask("faults", &query);
                const char *reason = answer.summary.reason;
                assert_int_equal(answer.summary.relation, counts_a && counts_b ? GRZ_APART : GRZ_OVERLAPPING);
                assert_int_equal(answer.summary.containment,
                                 counts_a || counts_b ? GRZ_CONTAINMENT_UNDECIDABLE : GRZ_CONTAINMENT_DECIDED);
                assert_int_equal(reason != NULL, counts_a || counts_b);
                if (reason != NULL) {
                    const char *culprit = counts_a && counts_b ? " the other: "
                                          : counts_a           ? " inside A: A is "
                                                               : " inside B: B is ";
                    assert_non_null(strstr(reason, culprit));
                    for (int fault = 1; fault < 3; fault++)
                        assert_int_equal(strstr(reason, names[fault]) != NULL,
                                         (counts_a && fault_a == fault) || (counts_b && fault_b == fault));
                    if (counts_a && counts_b && fault_a != fault_b) {
                        char text[64];
                        snprintf(text, sizeof text, "A is %s, B is %s", names[fault_a], names[fault_b]);
                        assert_non_null(strstr(reason, text));
                    }
                }
                test_answer_finish(&answer);
                test_mesh_finish(&meshes[0]);
                test_mesh_finish(&meshes[1]);
            }
}

static void closed_is_decided_by_present_positions(void **state)
{
    (void)state;
    test_mesh cube = test_mesh_cube(0, 0, 0, 8), soup = test_mesh_soup(&cube), small = test_mesh_cube(3, 3, 3, 2);
    expect_relation("soup", &small, &soup, GRZ_A_INSIDE_B, NULL);
    // GRZ_MESH_INDEX_ONLY concerns self-collision only.
    test_query query = test_query_of_pair(&soup, &small, GRZ_FIND_CONTAINMENT);
    query.flags = GRZ_MESH_INDEX_ONLY;
    test_answer answer = test_ask("soup by index", &query);
    assert_int_equal(answer.summary.relation, GRZ_B_INSIDE_A);
    test_answer_finish(&answer);
    // One triangle of the soup is moved away: open. All of it is enlarged: still closed.
    test_mesh torn = test_mesh_copy(&soup), grown = test_mesh_copy(&soup);
    for (int i = 0; i < 9; i++)
        torn.positions[i] -= 1.0;
    test_mesh_scale(&grown, 2, 2, 2);
    query.flags = 0;
    query.moved_a = torn.positions;
    answer = test_ask("torn soup", &query);
    assert_int_equal(answer.summary.relation, GRZ_APART);
    assert_int_equal(answer.summary.containment, GRZ_CONTAINMENT_UNDECIDABLE);
    test_answer_finish(&answer);
    query.moved_a = grown.positions;
    answer = test_ask("grown soup", &query);
    assert_int_equal(answer.summary.relation, GRZ_B_INSIDE_A);
    test_answer_finish(&answer);
    test_mesh *all[] = {&cube, &soup, &small, &torn, &grown};
    finish(all, COUNT(all));
}

static void containment_is_reported_only_if_asked(void **state)
{
    (void)state;
    test_mesh big = test_mesh_cube(0, 0, 0, 8), small = test_mesh_cube(2, 2, 2, 2);
    const uint32_t finds[] = {0, GRZ_FIND_PAIRS, GRZ_FIND_CURVES};
    for (size_t i = 0; i < COUNT(finds); i++) {
        test_query query = test_query_of_pair(&small, &big, finds[i]);
        test_answer answer = test_ask("not asked", &query);
        assert_int_equal(answer.summary.relation, GRZ_APART);
        assert_int_equal(answer.summary.containment, GRZ_CONTAINMENT_NOT_ASKED);
        test_answer_finish(&answer);
        query.find |= GRZ_FIND_CONTAINMENT;
        answer = test_ask("asked", &query);
        assert_int_equal(answer.summary.relation, GRZ_A_INSIDE_B);
        test_answer_finish(&answer);
        // For a mesh with itself containment is not a question.
        query = test_query_of_self(&small, finds[i] | GRZ_FIND_CONTAINMENT);
        answer = test_ask("self", &query);
        assert_int_equal(answer.summary.relation, GRZ_APART);
        assert_int_equal(answer.summary.containment, GRZ_CONTAINMENT_NOT_ASKED);
        test_answer_finish(&answer);
    }
    test_mesh_finish(&big);
    test_mesh_finish(&small);
}

static void poses_move_the_inside_too(void **state)
{
    (void)state;
    const double translation[3] = {1, 2, 3}, turn[4] = {0.1, 0.7, -0.3, 0.5};
    test_mesh big = test_mesh_cube_quads(-4, -4, -4, 8), small = test_mesh_cube_quads(-1, -1, -1, 2),
              ring = test_mesh_torus(8, 2, 12, 8);
    grz_pose rotated, identity = grz_pose_identity();
    assert_int_equal(grz_pose_from_quaternion(translation, turn, &rotated, NULL), GRZ_OK);
    const grz_pose moved = grz_pose_from_translation(1, 2, 3), away = grz_pose_from_translation(0, 0, 7);
    const grz_pose mirrored = {{{-2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}}},
                   tiny = {{{0x1p-200, 0, 0, 0}, {0, 0x1p-200, 0, 0}, {0, 0, 0x1p-200, 0}}};
    expect_posed("both rotated", &small, &rotated, &big, &rotated, GRZ_A_INSIDE_B, NULL);
    expect_posed("the inner one rotated", &small, &rotated, &big, &moved, GRZ_A_INSIDE_B, NULL);
    expect_posed("moved out", &small, &away, &big, &identity, GRZ_APART, NULL);
    expect_posed("mirrored and grown", &small, &moved, &big, &mirrored, GRZ_A_INSIDE_B, NULL);
    expect_posed("shrunk", &big, &tiny, &small, &identity, GRZ_A_INSIDE_B, NULL);
    // Far away, where coordinates are still exact; and both so small that products of them vanish.
    const grz_pose far = grz_pose_from_translation(0x1p50, -0x1p50, 0x1p50),
                   far_out = grz_pose_from_translation(0x1p50, -0x1p50, 0x1p50 + 7);
    expect_posed("far away", &small, &far, &big, &far, GRZ_A_INSIDE_B, NULL);
    expect_posed("far away, outside", &small, &far_out, &big, &far, GRZ_APART, NULL);
    for (int exponent = -1000; exponent >= -1070; exponent -= 35) {
        grz_pose shrunk = grz_pose_identity();
        for (int i = 0; i < 3; i++)
            shrunk.m[i][i] = ldexp(exponent % 2 == 0 ? 1.0 : -1.0, exponent);
        grz_pose shrunk_out = shrunk;
        shrunk_out.m[1][3] = ldexp(6.0, exponent);
        expect_posed("both shrunk", &small, &shrunk, &big, &shrunk, GRZ_A_INSIDE_B, NULL);
        expect_posed("both shrunk, outside", &small, &shrunk_out, &big, &shrunk, GRZ_APART, NULL);
        expect_posed("shrunk within a tube", &small, &shrunk, &ring, &identity, GRZ_APART, NULL);
    }
    // Flattened to z = 0, a ring contains nothing, neither in its hole nor above its tube. A cube flattened within the
    // ring's tube lies inside.
    const grz_pose flat = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}},
                   flat_in_tube = {{{0.5, 0, 0, 8}, {0, 0.5, 0, 0}, {0, 0, 0, 0}}};
    const grz_pose above_tube = grz_pose_from_translation(8, 0, 2);
    expect_posed("in the flat ring's hole", &small, &identity, &ring, &flat, GRZ_APART, NULL);
    expect_posed("above the flat ring", &small, &above_tube, &ring, &flat, GRZ_APART, NULL);
    expect_posed("through the flat ring", &small, &flat_in_tube, &ring, &flat, GRZ_COLLIDING, NULL);
    expect_posed("flat in the tube", &small, &flat_in_tube, &ring, &identity, GRZ_A_INSIDE_B, NULL);
    // A mesh that the pose moves to one point.
    const grz_pose point = {{{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}}};
    expect_posed("a point", &ring, &point, &big, &identity, GRZ_A_INSIDE_B, NULL);
    test_mesh *all[] = {&big, &small, &ring};
    finish(all, COUNT(all));
}

// ---- Solids of cells ------------------------------------------------------------------------------------------------

// A box of size 2 about the point, its first vertex above or below a cell's corner, edge or middle, the point at the
// middle of a layer.
static test_mesh probe_at(const double *centre, random_stream *random)
{
    const double low[3] = {centre[0] - 1, centre[1] - 1, centre[2] - 1},
                 high[3] = {centre[0] + 1, centre[1] + 1, centre[2] + 1};
    test_mesh box = test_mesh_box(low, high), mesh = {0};
    // The vertex that the ray starts from is likely the first: let it be the middle of the bottom, straight below
    // corners and edges.
    test_mesh_add_vertex(&mesh, centre[0], centre[1], centre[2]);
    test_mesh_add_vertex(&mesh, centre[0] + 0.5, centre[1], centre[2]);
    test_mesh_add_vertex(&mesh, centre[0], centre[1] + 0.5, centre[2]);
    test_mesh_add_triangle(&mesh, 0, 1, 2);
    if (random_below(random, 2) == 0)
        test_mesh_append(&mesh, &box);
    test_mesh_finish(&box);
    return mesh;
}

// The cells around a probe: all full (1), all empty (0) or mixed (-1). A probe extends 1 from its centre.
static int cells_around(const solid_cells *s, const double *centre)
{
    int full = 0, seen = 0;
    for (int k = 0; k < 8; k++) {
        int cell[3];
        for (int axis = 0; axis < 3; axis++) {
            const double x = centre[axis] + ((k >> axis & 1) != 0 ? 1.5 : -1.5);
            cell[axis] = x < 0 ? -1 : (int)(x / SOLID_CELL_SIZE);
        }
        full += solid_is_full(s, cell[0], cell[1], cell[2]);
        seen++;
    }
    return full == seen ? 1 : full == 0 ? 0 : -1;
}

// A pose that turns axes and may flip them: exact for these coordinates.
static grz_pose random_turn(random_stream *random)
{
    grz_pose pose = {{{0}}};
    const int first = (int)random_below(random, 3), step = 1 + (int)random_below(random, 2);
    for (int axis = 0; axis < 3; axis++) {
        pose.m[axis][(first + axis * step) % 3] = random_below(random, 2) == 0 ? 1.0 : -1.0;
        pose.m[axis][3] = (double)random_below(random, 64) - 32.0;
    }
    return pose;
}

static void probes_are_inside_if_their_cell_is_full(void **state)
{
    (void)state;
    uint64_t counts[2] = {0, 0};
    for (uint32_t seed = 0; seed < (TEST_SANITIZED ? 20 : TEST_SHORT ? 45 : 150); seed++) {
        random_stream random = {.state = UINT64_C(0xce11) << 32 | seed};
        const solid_cells s = solid_random(&random, 2 + seed % 5);
        test_mesh container = solid_surface(&s, seed % 3 == 0);
        for (int k = 0; k < 6; k++) {
            double centre[3];
            for (int axis = 0; axis < 3; axis++)
                centre[axis] =
                    2.0 * (double)random_below(&random, 2 * SOLID_CELLS + 1); // a cell's corner plane, or its middle
            const int truth = cells_around(&s, centre);
            if (truth < 0)
                continue;
            char what[64];
            test_mesh probe = probe_at(centre, &random);
            grz_pose turn = k % 2 == 0 ? grz_pose_identity() : random_turn(&random);
            snprintf(what, sizeof what, "solid, seed %u, probe %d", seed, k);
            expect_posed(what, &probe, &turn, &container, &turn, truth == 1 ? GRZ_A_INSIDE_B : GRZ_APART, NULL);
            counts[truth]++;
            test_mesh_finish(&probe);
        }
        test_mesh_finish(&container);
    }
    print_message("  %llu probes inside, %llu outside\n", (unsigned long long)counts[1], (unsigned long long)counts[0]);
    assert_true(counts[0] > (TEST_SANITIZED ? 5 : 50) && counts[1] > (TEST_SANITIZED ? 5 : 50));
}

// ---- Random surfaces ------------------------------------------------------------------------------------------------

static bool within_box(const test_mesh *inner, const test_mesh *outer)
{
    for (uint64_t axis = 0; axis < 3; axis++) {
        double min[2] = {HUGE_VAL, HUGE_VAL}, max[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int k = 0; k < 2; k++) {
            const test_mesh *mesh = k == 0 ? inner : outer;
            for (uint64_t v = 0; v < mesh->vertex_count; v++) {
                min[k] = fmin(min[k], mesh->positions[3 * v + axis]);
                max[k] = fmax(max[k], mesh->positions[3 * v + axis]);
            }
        }
        if (min[0] < min[1] || max[0] > max[1])
            return false;
    }
    return true;
}

// Surfaces whose inside the oracle knows, and tiny tetrahedra: inside, outside or on the surface.
static void surfaces_contain_what_the_oracle_counts(void **state)
{
    (void)state;
    enum {
        OF_EACH = TEST_SHORT ? 3 : 10,
        LEAST = TEST_SHORT ? 1 : 10,
        CLASSES = 6,
        PROBES = 10
    };
    static const char *const names[CLASSES] = {"rough",      "crumpled",     "double tube",
                                               "degenerate", "Klein bottle", "turned faces"};
    uint64_t counts[CLASSES][2][3] = {0}; // by rule: outside, inside, undecidable
    uint64_t colliding = 0;
    for (uint32_t seed = 0; seed < OF_EACH * CLASSES; seed++) {
        const uint32_t class = seed % CLASSES;
        random_stream random = {.state = UINT64_C(0x5ef) << 32 | seed};
        test_mesh surface = class == 2   ? test_mesh_double_tube(2.5, 7, 13)
                            : class == 4 ? test_mesh_klein_bottle(9, 10)
                                         : test_mesh_rough_sphere(&random, 2, class == 1 ? 0.9 : 0.4, class == 1);
        if (class == 3)
            test_mesh_add_degenerates(&surface, &random);
        else if (class == 5)
            test_mesh_reverse_some(&surface, &random);
        const oracle_edges edges = oracle_edges_of(&surface);
        const grz_pose identity = grz_pose_identity();
        double *corners = oracle_corners(&surface, &identity), centres[3 * PROBES];
        for (int i = 0; i < 3 * PROBES; i++)
            centres[i] = (i % 3 == 2 ? 1.2 : class == 2 || class == 4 ? 3.6 : 2.2) * random_signed(&random);
        oracle_surface *oracle = oracle_surface_create(corners, (size_t)surface.face_count, centres, PROBES);
        for (size_t k = 0; k < PROBES; k++) {
            const double size = 0x1p-6, *c = centres + 3 * k;
            const double probe_corners[4][3] = {
                {c[0], c[1], c[2]}, {c[0] + size, c[1], c[2]}, {c[0], c[1] + size, c[2]}, {c[0], c[1], c[2] + size}};
            test_mesh probe = test_mesh_tetrahedron(probe_corners);
            const test_query query = test_query_of_pair(&probe, &surface, GRZ_FIND_PAIRS);
            char what[64];
            snprintf(what, sizeof what, "%s, seed %u, probe %zu", names[class], seed, k);
            test_answer answer = test_ask(what, &query);
            const oracle_place place = oracle_surface_locate(oracle, k, &random);
            colliding += answer.pair_count > 0;
            for (int rule = 0; rule < 2 && answer.pair_count == 0; rule++) {
                // Outside of its box nothing is inside, whatever fault the surface has.
                const bool in_box = within_box(&probe, &surface);
                const bool told = (rule == GRZ_NONZERO ? edges.balanced : edges.closed) || !in_box;
                const bool inside = in_box && (rule == GRZ_NONZERO ? place.winding != 0 : place.odd);
                expect_ruled(what, (grz_inside_rule)rule, &probe, &identity, &surface, &identity,
                             told && inside ? GRZ_A_INSIDE_B : GRZ_APART, told ? NULL : "B");
                counts[class][rule][told ? inside : 2]++;
            }
            test_answer_finish(&answer);
            test_mesh_finish(&probe);
        }
        oracle_surface_destroy(oracle);
        free(corners);
        test_mesh_finish(&surface);
    }
    for (int class = 0; class < CLASSES; class ++) {
        print_message("  %-13s", names[class]);
        for (int rule = 0; rule < 2; rule++) {
            const uint64_t *n = counts[class][rule];
            print_message("  %s: outside %3llu inside %3llu undecidable %3llu", rule == 0 ? "even-odd" : "nonzero",
                          (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2]);
            if (rule == GRZ_NONZERO && class >= 4)
                assert_true(n[1] == 0 && n[2] > LEAST);
            else
                assert_true(n[0] > LEAST && n[1] > LEAST && n[2] == 0);
        }
        print_message("\n");
    }
    print_message("  %llu probes on a surface\n", (unsigned long long)colliding);
    assert_true(colliding > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_mesh_within_another_is_inside),
        cmocka_unit_test(nested_shells_follow_the_even_odd_rule),
        cmocka_unit_test(shells_five_deep_follow_either_rule),
        cmocka_unit_test(some_components_inside_overlap),
        cmocka_unit_test(components_may_touch_each_other),
        cmocka_unit_test(shells_may_touch_from_within),
        cmocka_unit_test(winding_matters_by_the_nonzero_rule_only),
        cmocka_unit_test(an_open_container_cannot_be_decided),
        cmocka_unit_test(a_crack_without_width_is_an_opening),
        cmocka_unit_test(the_fault_of_the_container_is_named),
        cmocka_unit_test(closed_is_decided_by_present_positions),
        cmocka_unit_test(containment_is_reported_only_if_asked),
        cmocka_unit_test(poses_move_the_inside_too),
        cmocka_unit_test(probes_are_inside_if_their_cell_is_full),
        cmocka_unit_test(surfaces_contain_what_the_oracle_counts),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
