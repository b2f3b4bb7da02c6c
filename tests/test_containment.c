// SPDX-License-Identifier: MIT
// Inside or apart. Shells, components, windings, open meshes and poses whose answer is known on paper; then random ones: solids of
// unit cells, where a point's cell tells the truth without any arithmetic and the ray runs along edges, through corners and within
// walls; and rough spheres, where the GMP oracle counts the faces on a segment to a point far outside, not upwards. Every question
// is asked in both orders, by each method, with one thread and with two.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle.h"
#include "support_queries.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static grz_relation swapped(grz_relation relation)
{
    return relation == GRZ_A_INSIDE_B ? GRZ_B_INSIDE_A : relation == GRZ_B_INSIDE_A ? GRZ_A_INSIDE_B : relation;
}

// What is expected; a relation where nothing touches is decided unless `open` names the meshes ("A", "B", "both") that leave it
// undecided.
static void expect_posed(const char *what, const test_mesh *a, const grz_pose *pose_a, const test_mesh *b, const grz_pose *pose_b,
                         grz_relation relation, const char *open)
{
    test_query query = test_query_of_pair(a, b, GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT);
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
            fail_msg("%s, order %d: relation %d, containment %d, reason %s; expected %d, %d", what, order, (int)s->relation,
                     (int)s->containment, s->reason != NULL ? s->reason : "none", (int)expected, (int)containment);
        if (open != NULL) {
            const char *who = order == 0 || strcmp(open, "both") == 0 ? open : strcmp(open, "A") == 0 ? "B" : "A";
            char beginning[16];
            snprintf(beginning, sizeof beginning, strcmp(who, "both") == 0 ? "%s meshes" : "mesh %s ", who);
            if (strncmp(s->reason, beginning, strlen(beginning)) != 0)
                fail_msg("%s, order %d: the reason is \"%s\", should begin with \"%s\"", what, order, s->reason, beginning);
        }
        assert_int_equal(s->colliding, s->relation != GRZ_APART);
        assert_int_equal(s->certainty, GRZ_EXACT);
        assert_int_equal(answer.pair_count > 0, s->relation == GRZ_COLLIDING);
        test_answer_finish(&answer);
        query = (test_query){.a = b, .b = a, .pose_a = *pose_b, .pose_b = *pose_a, .find = query.find};
    }
}

static void expect_relation(const char *what, const test_mesh *a, const test_mesh *b, grz_relation relation, const char *open)
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
    test_mesh touching = test_mesh_cube(0, 2, 2, 2), corner = test_mesh_cube(8, 8, 8, 2), ball = test_mesh_icosphere(1, 3);
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
    // A wall between the cubes [0,16]³ and [4,12]³, the inner one turned inside out as a hollow body has it, or not: that does not
    // matter.
    for (int turned = 0; turned < 2; turned++) {
        test_mesh hollow = test_mesh_cube(0, 0, 0, 16);
        test_mesh_take(&hollow, turned ? reversed(test_mesh_cube(4, 4, 4, 8)) : test_mesh_cube(4, 4, 4, 8));
        test_mesh cavity = test_mesh_cube(7, 7, 7, 2), wall = test_mesh_cube(1, 1, 1, 2), around = test_mesh_cube(-1, -1, -1, 18);
        expect_relation("in the cavity", &cavity, &hollow, GRZ_APART, NULL);
        expect_relation("in the wall", &wall, &hollow, GRZ_A_INSIDE_B, NULL);
        expect_relation("around it all", &around, &hollow, GRZ_B_INSIDE_A, NULL);
        // A third shell in the cavity makes its inside solid again.
        test_mesh_take(&hollow, test_mesh_cube(5, 5, 5, 6));
        expect_relation("in the core", &cavity, &hollow, GRZ_A_INSIDE_B, NULL);
        // A shell in the wall all round the cavity: it lies inside, and the core and the cavity's surface lie inside it.
        test_mesh between = test_mesh_cube(2, 2, 2, 12);
        expect_relation("in the wall, all round", &between, &hollow, GRZ_A_INSIDE_B, NULL);
        // Also if it is open, though the core might then lie inside it.
        test_mesh open = open_cube(2, 2, 2, 12);
        expect_relation("in the wall, all round, open", &open, &hollow, GRZ_A_INSIDE_B, NULL);
        test_mesh *all[] = {&hollow, &cavity, &wall, &around, &between, &open};
        finish(all, COUNT(all));
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
    // Each has a part within a part of the other.
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
    // Two cubes that share a wall, each with its own copy of it: every point inside either is inside, as the ray meets two walls or
    // none.
    test_mesh pair = test_mesh_cube(0, 0, 0, 8);
    test_mesh_take(&pair, test_mesh_cube(0, 0, 8, 8));
    test_mesh low = test_mesh_cube(3, 3, 3, 2), high = test_mesh_cube(3, 3, 11, 2), around = test_mesh_cube(-4, -4, -4, 24);
    expect_relation("in the lower", &low, &pair, GRZ_A_INSIDE_B, NULL);
    expect_relation("in the upper", &high, &pair, GRZ_A_INSIDE_B, NULL);
    expect_relation("touching parts in a cube", &pair, &around, GRZ_A_INSIDE_B, NULL);
    // Two cubes that overlap: their common part is outside by the even-odd rule.
    test_mesh crossing = test_mesh_cube(0, 0, 0, 8);
    test_mesh_take(&crossing, test_mesh_cube(4, 4, 4, 8));
    test_mesh common = test_mesh_cube(5, 5, 5, 2), own = test_mesh_cube(1, 1, 1, 2);
    expect_relation("in the common part", &common, &crossing, GRZ_APART, NULL);
    expect_relation("in one of them", &own, &crossing, GRZ_A_INSIDE_B, NULL);
    // Two cubes joined in one corner are one component.
    test_mesh joined = test_mesh_cube(0, 0, 0, 4);
    test_mesh_take(&joined, test_mesh_cube(4, 4, 4, 4));
    expect_relation("joined by a corner", &joined, &around, GRZ_A_INSIDE_B, NULL);
    test_mesh *all[] = {&pair, &low, &high, &around, &crossing, &common, &own, &joined};
    finish(all, COUNT(all));
}

static void winding_does_not_matter(void **state)
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
        expect_relation("turned faces", &small, &big, GRZ_A_INSIDE_B, NULL);
        expect_relation("turned faces, above", &above, &big, GRZ_APART, NULL);
        test_mesh_finish(&big);
    }
    test_mesh_finish(&small);
    test_mesh_finish(&above);
}

static void an_open_container_cannot_be_decided(void **state)
{
    (void)state;
    test_mesh open = open_cube(0, 0, 0, 8), small = test_mesh_cube(3, 3, 3, 2), closed = test_mesh_cube(-2, -2, -2, 12);
    test_mesh small_open = open_cube(3, 3, 3, 2), beside = open_cube(20, 0, 0, 2), peeking = test_mesh_cube(3, 3, 3, 2);
    expect_relation("closed in open", &small, &open, GRZ_APART, "B");
    expect_relation("open in open", &small_open, &open, GRZ_APART, "B");
    // An open mesh inside a closed one is inside.
    expect_relation("open in closed", &open, &closed, GRZ_A_INSIDE_B, NULL);
    expect_relation("boxes apart", &open, &beside, GRZ_APART, NULL);
    for (int v = 4; v < 8; v++)
        peeking.positions[3 * v + 2] = 12;
    // One that reaches out of the open one's box through the missing top is not inside, whichever vertex comes first.
    random_stream random = {.state = 3};
    for (int round = 0; round < 8; round++) {
        expect_relation("out of the mouth", &peeking, &open, GRZ_APART, NULL);
        test_mesh_shuffle(&peeking, &random, NULL);
    }
    // Two open triangles, each with a corner in the other's box, each within the other's box on no account: decided.
    const double one[3][3] = {{3, 3, 1}, {0, 0, 0}, {4, 4, 0}}, two[3][3] = {{1, 2, 1}, {5, 5, 0}, {5, 5, 3}};
    test_mesh a = {0}, b = {0};
    test_mesh_add_loose_triangle(&a, one);
    test_mesh_add_loose_triangle(&b, two);
    expect_relation("open triangles", &a, &b, GRZ_APART, NULL);
    // Two parts each, one of them in the box of the other's open cube: both might hold something.
    test_mesh mutual_a = open_cube(0, 0, 0, 8), mutual_b = open_cube(20, 0, 0, 8);
    test_mesh_take(&mutual_a, test_mesh_cube(23, 3, 3, 2));
    test_mesh_take(&mutual_b, test_mesh_cube(3, 3, 3, 2));
    expect_relation("mutual", &mutual_a, &mutual_b, GRZ_APART, "both");
    // A part certainly inside, and an open container: they overlap, and how far cannot be told.
    test_mesh mixed = test_mesh_cube(23, 3, 3, 2), solid = test_mesh_cube(20, 0, 0, 8);
    test_mesh_take(&mixed, open_cube(0, 0, 0, 8));
    test_mesh_take(&solid, test_mesh_cube(3, 3, 3, 2));
    expect_relation("certain and uncertain", &mixed, &solid, GRZ_OVERLAPPING, "A");
    test_mesh *all[] = {&open, &small, &closed, &small_open, &beside, &peeking, &a, &b, &mutual_a, &mutual_b, &mixed, &solid};
    finish(all, COUNT(all));
}

static void closed_is_told_by_present_positions(void **state)
{
    (void)state;
    test_mesh cube = test_mesh_cube(0, 0, 0, 8), soup = test_mesh_soup(&cube), small = test_mesh_cube(3, 3, 3, 2);
    expect_relation("soup", &small, &soup, GRZ_A_INSIDE_B, NULL);
    // Whatever index_only says of self-collision.
    test_query query = test_query_of_pair(&soup, &small, GRZ_FIND_CONTAINMENT);
    query.flags = GRZ_MESH_INDEX_ONLY;
    test_answer answer = test_ask("soup by index", &query);
    assert_int_equal(answer.summary.relation, GRZ_B_INSIDE_A);
    test_answer_finish(&answer);
    // One triangle of the soup drawn off: open. All of it grown: closed still.
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

static void containment_is_told_only_where_it_is_asked(void **state)
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
        // With itself there is nothing to be inside of.
        query = test_query_of_self(&small, finds[i] | GRZ_FIND_CONTAINMENT);
        answer = test_ask("self", &query);
        assert_int_equal(answer.summary.relation, GRZ_APART);
        assert_int_equal(answer.summary.containment, GRZ_CONTAINMENT_NOT_ASKED);
        test_answer_finish(&answer);
    }
    test_mesh_finish(&big);
    test_mesh_finish(&small);
}

static void poses_move_insides_too(void **state)
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
    // Flattened to z = 0, a ring holds nothing, neither in its hole nor above its tube; a cube flattened within the ring's tube
    // lies inside.
    const grz_pose flat = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}},
                   flat_in_tube = {{{0.5, 0, 0, 8}, {0, 0.5, 0, 0}, {0, 0, 0, 0}}};
    const grz_pose above_tube = grz_pose_from_translation(8, 0, 2);
    expect_posed("in the flat ring's hole", &small, &identity, &ring, &flat, GRZ_APART, NULL);
    expect_posed("above the flat ring", &small, &above_tube, &ring, &flat, GRZ_APART, NULL);
    expect_posed("through the flat ring", &small, &flat_in_tube, &ring, &flat, GRZ_COLLIDING, NULL);
    expect_posed("flat in the tube", &small, &flat_in_tube, &ring, &identity, GRZ_A_INSIDE_B, NULL);
    // All of a mesh in one point.
    const grz_pose point = {{{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}}};
    expect_posed("a point", &ring, &point, &big, &identity, GRZ_A_INSIDE_B, NULL);
    test_mesh *all[] = {&big, &small, &ring};
    finish(all, COUNT(all));
}

// ---- Solids of cells ---------------------------------------------------------------------------------------------------------

enum {
    CELLS = 5, // along each axis, with an empty margin
    CELL_SIZE = 4
};

typedef struct solid {
    bool full[CELLS][CELLS][CELLS];
} solid;

static bool is_full(const solid *s, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < CELLS && y < CELLS && z < CELLS && s->full[x][y][z];
}

// The surface between full and empty cells, two triangles or a quad a wall; every wall has vertices of its own.
static test_mesh solid_surface(const solid *s, bool quads)
{
    test_mesh mesh = {0};
    for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
        const int cell[3] = {i % CELLS, i / CELLS % CELLS, i / CELLS / CELLS};
        if (!s->full[cell[0]][cell[1]][cell[2]])
            continue;
        for (int side = 0; side < 6; side++) {
            const int axis = side / 2, step = side % 2 == 0 ? -1 : 1;
            int beside[3] = {cell[0], cell[1], cell[2]};
            beside[axis] += step;
            if (is_full(s, beside[0], beside[1], beside[2]))
                continue;
            double low[3] = {CELL_SIZE * cell[0], CELL_SIZE * cell[1], CELL_SIZE * cell[2]};
            low[axis] += step > 0 ? CELL_SIZE : 0;
            uint32_t corner[4];
            for (int k = 0; k < 4; k++) {
                double p[3] = {low[0], low[1], low[2]};
                p[(axis + 1) % 3] += k == 1 || k == 2 ? CELL_SIZE : 0;
                p[(axis + 2) % 3] += k >= 2 ? CELL_SIZE : 0;
                corner[k] = test_mesh_add_vertex(&mesh, p[0], p[1], p[2]);
            }
            test_mesh_add_face(&mesh, corner, 4);
        }
    }
    if (quads)
        return mesh;
    test_mesh triangles = test_mesh_triangulated(&mesh);
    test_mesh_finish(&mesh);
    return triangles;
}

// A box of size 2 about the point, its first vertex above or below a cell's corner, edge or middle, the point at the middle of a
// layer.
static test_mesh probe_at(const double *centre, random_stream *random)
{
    const double low[3] = {centre[0] - 1, centre[1] - 1, centre[2] - 1}, high[3] = {centre[0] + 1, centre[1] + 1, centre[2] + 1};
    test_mesh box = test_mesh_box(low, high), mesh = {0};
    // The vertex that the ray starts from is likely the first: let it be the middle of the bottom, straight below corners and
    // edges.
    test_mesh_add_vertex(&mesh, centre[0], centre[1], centre[2]);
    test_mesh_add_vertex(&mesh, centre[0] + 0.5, centre[1], centre[2]);
    test_mesh_add_vertex(&mesh, centre[0], centre[1] + 0.5, centre[2]);
    test_mesh_add_triangle(&mesh, 0, 1, 2);
    if (random_below(random, 2) == 0)
        test_mesh_append(&mesh, &box);
    test_mesh_finish(&box);
    return mesh;
}

// Whether the cells around a probe are all full (1), all empty (0) or mixed (-1). Probes reach 1 from the centre.
static int cells_around(const solid *s, const double *centre)
{
    int full = 0, seen = 0;
    for (int k = 0; k < 8; k++) {
        int cell[3];
        for (int axis = 0; axis < 3; axis++) {
            const double x = centre[axis] + ((k >> axis & 1) != 0 ? 1.5 : -1.5);
            cell[axis] = x < 0 ? -1 : (int)(x / CELL_SIZE);
        }
        full += is_full(s, cell[0], cell[1], cell[2]);
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

static void cells_of_a_solid_tell_inside_from_outside(void **state)
{
    (void)state;
    uint64_t counts[2] = {0, 0};
    for (uint32_t seed = 0; seed < 150; seed++) {
        random_stream random = {.state = UINT64_C(0xce11) << 32 | seed};
        solid s;
        const uint32_t density = 2 + seed % 5;
        for (int i = 0; i < CELLS * CELLS * CELLS; i++)
            s.full[i % CELLS][i / CELLS % CELLS][i / CELLS / CELLS] = random_below(&random, 7) < density;
        s.full[2][2][2] = true;
        test_mesh container = solid_surface(&s, seed % 3 == 0);
        for (int k = 0; k < 6; k++) {
            double centre[3];
            for (int axis = 0; axis < 3; axis++)
                centre[axis] = 2.0 * (double)random_below(&random, 2 * CELLS + 1); // a cell's corner plane, or its middle
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
    assert_true(counts[0] > 50 && counts[1] > 50);
}

// ---- Rough spheres -----------------------------------------------------------------------------------------------------------

// Whether the segment p-q meets the inside of a triangle: 1 yes, 0 no, -1 where it runs through an edge or an end lies in the
// plane.
static int segment_meets(oracle *o, const double *p, const double *q, const double *corner[3])
{
    const int side_p = oracle_orient3d(o, corner[0], corner[1], corner[2], p),
              side_q = oracle_orient3d(o, corner[0], corner[1], corner[2], q);
    if (side_p == 0 || side_q == 0)
        return -1;
    if (side_p == side_q)
        return 0;
    int turn[3];
    for (int i = 0; i < 3; i++)
        turn[i] = oracle_orient3d(o, p, q, corner[i], corner[(i + 1) % 3]);
    if (turn[0] * turn[1] < 0 || turn[1] * turn[2] < 0 || turn[2] * turn[0] < 0)
        return 0;
    return turn[0] * turn[1] * turn[2] == 0 ? -1 : 1;
}

// Whether a point lies inside a mesh of triangles, counted along a segment to a point far below and to the side.
static bool counted_inside(oracle *o, const test_mesh *mesh, const double *point, random_stream *random)
{
    for (;;) {
        const double far[3] = {40.0 + random_signed(random), 20.0 * random_signed(random), -30.0 + random_signed(random)};
        bool inside = false, sure = true;
        for (uint64_t face = 0; face < mesh->face_count && sure; face++) {
            const double *corner[3];
            for (uint64_t i = 0; i < 3; i++)
                corner[i] = mesh->positions + 3 * (size_t)mesh->indices[3 * face + i];
            const int meets = segment_meets(o, point, far, corner);
            inside = inside != (meets == 1);
            sure = meets >= 0;
        }
        if (sure)
            return inside;
    }
}

static void rough_spheres_hold_what_the_oracle_counts(void **state)
{
    (void)state;
    oracle *o = oracle_create();
    assert_non_null(o);
    uint64_t counts[2] = {0, 0}, colliding = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        random_stream random = {.state = UINT64_C(0x5ef) << 32 | seed};
        // Star-shaped, or crumpled so that it runs through itself.
        test_mesh ball = test_mesh_icosphere(2, 2);
        for (uint64_t v = 0; v < ball.vertex_count; v++) {
            const double factor = 1.0 + 0.4 * random_signed(&random);
            for (int axis = 0; axis < 3; axis++)
                ball.positions[3 * v + (uint64_t)axis] *= seed % 2 == 0 ? factor : 1.0 + 0.9 * random_signed(&random);
        }
        for (int k = 0; k < 12; k++) {
            const double size = 0x1p-6,
                         c[3] = {2.2 * random_signed(&random), 2.2 * random_signed(&random), 2.2 * random_signed(&random)};
            const double corners[4][3] = {
                {c[0], c[1], c[2]}, {c[0] + size, c[1], c[2]}, {c[0], c[1] + size, c[2]}, {c[0], c[1], c[2] + size}};
            test_mesh probe = test_mesh_tetrahedron(corners);
            const test_query query = test_query_of_pair(&probe, &ball, GRZ_FIND_PAIRS);
            char what[64];
            snprintf(what, sizeof what, "rough sphere, seed %u, probe %d", seed, k);
            test_answer answer = test_ask(what, &query);
            const bool inside = counted_inside(o, &ball, corners[0], &random);
            if (answer.summary.relation == GRZ_APART) {
                expect_relation(what, &probe, &ball, inside ? GRZ_A_INSIDE_B : GRZ_APART, NULL);
                counts[inside]++;
            } else {
                colliding++;
            }
            test_answer_finish(&answer);
            test_mesh_finish(&probe);
        }
        test_mesh_finish(&ball);
    }
    print_message("  %llu probes inside, %llu outside, %llu on the surface\n", (unsigned long long)counts[1],
                  (unsigned long long)counts[0], (unsigned long long)colliding);
    assert_true(counts[0] > 100 && counts[1] > 100);
    oracle_destroy(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_mesh_within_another_is_inside),
        cmocka_unit_test(nested_shells_follow_the_even_odd_rule),
        cmocka_unit_test(some_components_inside_overlap),
        cmocka_unit_test(components_may_touch_each_other),
        cmocka_unit_test(winding_does_not_matter),
        cmocka_unit_test(an_open_container_cannot_be_decided),
        cmocka_unit_test(closed_is_told_by_present_positions),
        cmocka_unit_test(containment_is_told_only_where_it_is_asked),
        cmocka_unit_test(poses_move_insides_too),
        cmocka_unit_test(cells_of_a_solid_tell_inside_from_outside),
        cmocka_unit_test(rough_spheres_hold_what_the_oracle_counts),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
