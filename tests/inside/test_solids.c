// SPDX-License-Identifier: MIT
// How two meshes lie to each other as solids: joints, corners, cavities and meshes that meet themselves, whose answer
// is seen at once; and laws: poses that round, scenes, other questions in the same query, memory that runs out.
// test_solids_twins.c has random pairs.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle_inside.h"
#include "support_classify.h"
#include "support_devices.h"
#include "support_queries.h"
#include "support_sanitizer.h"
#include "support_solids.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void expect(const char *what, const test_mesh *a, const test_mesh *b, grz_solids expected)
{
    const grz_solids found = ask_ruled(a, b, NULL, GRZ_EVEN_ODD);
    if (found != expected)
        fail_msg("%s: %s, expected %s", what, solids_names[found], solids_names[expected]);
}

// ---- Cases whose answer is seen at once ----

// A prism over a polygon given counter-clockwise, from z = low up to high, its sides cut in `cuts` parts.
static test_mesh prism(const double (*corners)[2], uint32_t count, double low, double high, uint32_t cuts)
{
    test_mesh mesh = {0};
    uint32_t cap[32];
    for (uint32_t level = 0; level <= cuts; level++)
        for (uint32_t i = 0; i < count; i++)
            test_mesh_add_vertex(&mesh, corners[i][0], corners[i][1], low + (high - low) * level / cuts);
    for (uint32_t i = 0; i < count; i++)
        cap[i] = count - 1 - i;
    test_mesh_add_face(&mesh, cap, count);
    for (uint32_t i = 0; i < count; i++)
        cap[i] = cuts * count + i;
    test_mesh_add_face(&mesh, cap, count);
    for (uint32_t level = 0; level < cuts; level++)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t next = (i + 1) % count, base = level * count;
            const uint32_t quad[4] = {base + i, base + next, base + count + next, base + count + i};
            test_mesh_add_face(&mesh, quad, 4);
        }
    return mesh;
}

static const double octagon[8][2] = {{3, 1}, {1, 3}, {-1, 3}, {-3, 1}, {-3, -1}, {-1, -3}, {1, -3}, {3, -1}};

// A plate with a hole in the shape of the octagon.
static test_mesh plate(double low, double high)
{
    test_mesh mesh = {0};
    for (int ring = 0; ring < 4; ring++) { // inner low, inner high, outer low, outer high
        const double size = ring < 2 ? 1.0 : 2.0;
        for (int i = 0; i < 8; i++)
            test_mesh_add_vertex(&mesh, octagon[i][0] * size, octagon[i][1] * size, ring % 2 == 0 ? low : high);
    }
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t n = (i + 1) % 8;
        const uint32_t quads[4][4] = {{n, i, 8 + i, 8 + n},
                                      {16 + i, 16 + n, 24 + n, 24 + i},
                                      {8 + i, 24 + i, 24 + n, 8 + n},
                                      {i, n, 16 + n, 16 + i}};
        for (int k = 0; k < 4; k++)
            test_mesh_add_face(&mesh, quads[k], 4);
    }
    return mesh;
}

// The same two meshes through all integer matrices, moved by exact steps, renumbered, as soups: nothing may change.
static void expect_everywhere(const char *what, test_mesh a, test_mesh b, grz_solids expected)
{
    random_stream random = {.state = 25};
    for (size_t i = 0; i < MATRIX_COUNT; i++) {
        test_mesh x = test_mesh_triangulated(&a), y = i % 2 == 0 ? test_mesh_soup(&b) : test_mesh_copy(&b);
        test_mesh_transform(&x, matrices[i]);
        test_mesh_transform(&y, matrices[i]);
        test_mesh_shuffle(&x, &random, NULL);
        expect(what, &x, &y, expected);
        const double size = i % 3 == 0 ? 0x1p-400 : i % 3 == 1 ? 0x1p270 : 1.0;
        test_mesh_scale(&x, size, size, size);
        test_mesh_scale(&y, size, size, size);
        expect(what, &x, &y, expected);
        test_mesh_finish(&x);
        test_mesh_finish(&y);
    }
    expect(what, &a, &b, expected);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

static test_mesh moved(test_mesh mesh, double x, double y, double z)
{
    test_mesh_move(&mesh, x, y, z);
    return mesh;
}

static test_mesh without(test_mesh mesh, test_mesh cavity)
{
    test_mesh_reverse(&cavity);
    test_mesh_take(&mesh, cavity);
    return mesh;
}

static test_mesh with(test_mesh mesh, test_mesh other)
{
    test_mesh_take(&mesh, other);
    return mesh;
}

static void joints_fit(void **state)
{
    (void)state;
    static const double tail[][2] = {{0, 0}, {6, 0}, {4, 4}, {2, 4}};
    static const double socket[][2] = {{-2, -2}, {8, -2}, {8, 4}, {4, 4}, {6, 0}, {0, 0}, {2, 4}, {-2, 4}};
    static const double wedge[][2] = {{2, 1}, {4, 5}, {0, 5}},
                        groove[][2] = {{-2, -1}, {6, -1}, {6, 5}, {4, 5}, {2, 1}, {0, 5}, {-2, 5}};
    expect_everywhere("dovetail", prism(tail, 4, 0, 8, 1), prism(socket, 8, 0, 8, 1), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("dovetail, shifted", prism(tail, 4, 3, 12, 1), prism(socket, 8, 0, 8, 2), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("dovetail, raised", moved(prism(tail, 4, 0, 8, 1), 0, 1, 0), prism(socket, 8, 0, 8, 1),
                      GRZ_SOLIDS_PENETRATING);
    expect_everywhere("wedge in groove", prism(wedge, 3, -3, 4, 1), prism(groove, 7, 0, 8, 1), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("wedge above groove", moved(prism(wedge, 3, 0, 8, 1), 0, 1, 0), prism(groove, 7, 0, 8, 1),
                      GRZ_SOLIDS_APART);
    expect_everywhere("pin in hole", prism(octagon, 8, -2, 8, 1), plate(0, 4), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("pin in hole, cut otherwise", prism(octagon, 8, 0, 4, 4), plate(0, 4), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("pin beside hole", moved(prism(octagon, 8, -2, 8, 1), 2, 0, 0), plate(0, 4),
                      GRZ_SOLIDS_PENETRATING);
    expect_everywhere("pin as a plug", with(prism(octagon, 8, 0, 4, 2), moved(test_mesh_cube(0, 0, 0, 2), 20, 0, 0)),
                      with(plate(0, 4), moved(test_mesh_cube(0, 0, 0, 4), 20, 0, 0)), GRZ_SOLIDS_PENETRATING);
}

static void corners_and_edges_touch(void **state)
{
    (void)state;
    static const double up[4][3] = {{0, 0, 0}, {4, 0, 4}, {0, 4, 4}, {-4, -4, 4}},
                        edge_up[4][3] = {{-2, 0, 0}, {2, 0, 0}, {0, 4, 4}, {0, -4, 4}},
                        edge_down[4][3] = {{0, -2, 0}, {0, 2, 0}, {4, 0, -4}, {-4, 0, -4}},
                        line_down[4][3] = {{-3, 0, 0}, {1, 0, 0}, {0, 4, -4}, {0, -4, -4}},
                        low[4][3] = {{0, 0, -2}, {4, 0, 4}, {0, 4, 4}, {-4, -4, 4}};
    const double min[3] = {-8, -8, -8}, max[3] = {8, 8, 0}, above[3] = {8, 8, 8};
    expect_everywhere("corner on face", test_mesh_tetrahedron(up), test_mesh_box(min, max), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("corner through face", test_mesh_tetrahedron(low), test_mesh_box(min, max),
                      GRZ_SOLIDS_PENETRATING);
    expect_everywhere("edge on face", test_mesh_tetrahedron(edge_up), test_mesh_box_quads(min, max),
                      GRZ_SOLIDS_TOUCHING);
    expect_everywhere("edge across edge", test_mesh_tetrahedron(edge_up), test_mesh_tetrahedron(edge_down),
                      GRZ_SOLIDS_TOUCHING);
    expect_everywhere("edge along edge", test_mesh_tetrahedron(edge_up), test_mesh_tetrahedron(line_down),
                      GRZ_SOLIDS_TOUCHING);
    expect_everywhere("corner on face from within", test_mesh_tetrahedron(up), test_mesh_box(min, above),
                      GRZ_SOLIDS_A_INSIDE_B);
    // All corners of one on faces of the other, from within and from a cavity: no corner decides.
    static const double star[6][3] = {{4, 0, 0}, {-4, 0, 0}, {0, 4, 0}, {0, -4, 0}, {0, 0, 4}, {0, 0, -4}};
    static const uint32_t eight[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                         {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int hollow = 0; hollow < 2; hollow++) {
        test_mesh cube = test_mesh_cube(-4, -4, -4, 8);
        if (hollow)
            cube = without(test_mesh_cube(-6, -6, -6, 12), cube);
        expect_everywhere("a star in a cube", test_mesh_make(&star[0][0], 6, &eight[0][0], 8, 3), cube,
                          hollow ? GRZ_SOLIDS_TOUCHING : GRZ_SOLIDS_A_INSIDE_B);
    }
}

static void cavities_count(void **state)
{
    (void)state;
    // The surface of A lies in the material of B, but A fills B's cavity.
    expect_everywhere("around a cavity", test_mesh_cube(1, 1, 1, 6),
                      without(test_mesh_cube(0, 0, 0, 8), test_mesh_cube(2, 2, 2, 4)), GRZ_SOLIDS_PENETRATING);
    expect_everywhere("in a cavity", test_mesh_cube(3, 3, 3, 2),
                      without(test_mesh_cube(0, 0, 0, 8), test_mesh_cube(2, 2, 2, 4)), GRZ_SOLIDS_APART);
    expect_everywhere("a cavity filled", test_mesh_cube(2, 2, 2, 4),
                      without(test_mesh_cube(0, 0, 0, 8), test_mesh_cube(2, 2, 2, 4)), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("a shell in a wall", without(test_mesh_cube(1, 1, 1, 14), test_mesh_cube(2, 2, 2, 12)),
                      without(test_mesh_cube(0, 0, 0, 16), test_mesh_cube(3, 3, 3, 10)), GRZ_SOLIDS_A_INSIDE_B);
    expect_everywhere("some parts in", with(test_mesh_cube(1, 1, 1, 2), test_mesh_cube(20, 0, 0, 2)),
                      test_mesh_cube(0, 0, 0, 8), GRZ_SOLIDS_PENETRATING);
    // One part touches; another one, which touches nothing, is inside.
    expect_everywhere("one touches, one is inside", with(test_mesh_cube(8, 0, 0, 4), test_mesh_cube(2, 2, 2, 2)),
                      test_mesh_cube(0, 0, 0, 8), GRZ_SOLIDS_PENETRATING);
    expect_everywhere("one touches, one is in a cavity", with(test_mesh_cube(8, 0, 0, 4), test_mesh_cube(3, 3, 3, 2)),
                      without(test_mesh_cube(0, 0, 0, 8), test_mesh_cube(2, 2, 2, 4)), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("the same but for a cavity", test_mesh_cube(0, 0, 0, 8),
                      without(test_mesh_cube(0, 0, 0, 8), test_mesh_cube(2, 2, 2, 4)), GRZ_SOLIDS_B_INSIDE_A);
}

// ---- What cannot be decided, and what can all the same ----

static void expect_reason(const char *what, test_mesh a, test_mesh b, grz_inside_rule rule, const char *words)
{
    const grz_object x = grz_object_at_origin(test_mesh_upload(classify_device, &a)),
                     y = grz_object_at_origin(test_mesh_upload(classify_device, &b));
    const grz_summary s = ask_objects(&x, &y, GRZ_FIND_SOLIDS, rule);
    if (s.solids != GRZ_SOLIDS_UNDECIDABLE || strstr(s.solids_reason, words) == NULL)
        fail_msg("%s: %s, reason %s", what, solids_names[s.solids], s.solids_reason != NULL ? s.solids_reason : "none");
    grz_mesh_destroy((grz_mesh *)x.mesh);
    grz_mesh_destroy((grz_mesh *)y.mesh);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

static test_mesh opened(test_mesh mesh)
{
    test_mesh_drop_face(&mesh, 0);
    return mesh;
}

static test_mesh half_turned(test_mesh mesh)
{
    const uint32_t first = mesh.indices[0];
    mesh.indices[0] = mesh.indices[1];
    mesh.indices[1] = first;
    return mesh;
}

static void what_has_no_inside_is_undecidable(void **state)
{
    (void)state;
    expect_reason("B open", test_mesh_cube(0, 0, 0, 2), opened(test_mesh_cube(1, 0, 0, 2)), GRZ_EVEN_ODD, "B is open");
    expect_reason("A open, far away", opened(test_mesh_cube(10, 0, 0, 2)), test_mesh_cube(1, 0, 0, 2), GRZ_EVEN_ODD,
                  "A is open");
    expect_reason("both open", opened(test_mesh_cube(0, 0, 0, 2)), opened(test_mesh_cube(1, 0, 0, 2)), GRZ_EVEN_ODD,
                  "both meshes are open");
    expect_reason("A not oriented", half_turned(test_mesh_cube(0, 0, 0, 2)), test_mesh_cube(2, 0, 0, 2), GRZ_NONZERO,
                  "A is not wound");
    test_mesh a = half_turned(test_mesh_cube(0, 0, 0, 2)), b = test_mesh_cube(2, 0, 0, 2);
    expect("by the even-odd rule winding does not matter", &a, &b, GRZ_SOLIDS_TOUCHING);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

static void meshes_that_meet_themselves(void **state)
{
    (void)state;
    // Two cubes in one mesh that overlap, lie flush, or are one and the same.
    expect_everywhere("A crosses itself", with(test_mesh_cube(0, 0, 0, 4), test_mesh_cube(1, 1, 1, 4)),
                      test_mesh_cube(-2, 0, 0, 2), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("where both cubes are is a cavity", with(test_mesh_cube(0, 0, 0, 4), test_mesh_cube(2, 2, 2, 4)),
                      test_mesh_cube(2, 2, 2, 2), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("B lies flush on itself", test_mesh_cube(-2, 0, 0, 2),
                      with(test_mesh_cube(0, 0, 0, 4), test_mesh_cube(4, 1, 1, 2)), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("two cubes are a block", with(test_mesh_cube(0, 0, 0, 4), test_mesh_cube(4, 0, 0, 4)),
                      with(test_mesh_cube(0, 0, 0, 2), test_mesh_cube(2, 0, 0, 2)), GRZ_SOLIDS_B_INSIDE_A);
    expect_everywhere("twice the same part is none", with(test_mesh_cube(1, 1, 1, 2), test_mesh_cube(1, 1, 1, 2)),
                      test_mesh_cube(0, 0, 0, 8), GRZ_SOLIDS_APART);
    // A crossing decides whatever the rest looks like, and so do parts without contact.
    expect_everywhere("a clean crossing elsewhere",
                      with(with(test_mesh_cube(0, 0, 0, 4), test_mesh_cube(1, 1, 1, 4)), test_mesh_cube(20, 0, 0, 4)),
                      test_mesh_cube(22, 1, 1, 4), GRZ_SOLIDS_PENETRATING);
    expect_everywhere("crossed, inside without contact", with(test_mesh_cube(1, 1, 1, 4), test_mesh_cube(2, 2, 2, 4)),
                      test_mesh_cube(0, 0, 0, 8), GRZ_SOLIDS_A_INSIDE_B);
    expect_everywhere("crossed, apart", with(test_mesh_cube(1, 1, 1, 4), test_mesh_cube(2, 2, 2, 4)),
                      test_mesh_cube(20, 0, 0, 8), GRZ_SOLIDS_APART);
    // A wall without thickness, two faces over each other, bounds nothing.
    static const double wall[3][3] = {{-40, 1, 1}, {40, 3, 1}, {0, 2, 40}};
    static const uint32_t both_ways[2][3] = {{0, 1, 2}, {2, 1, 0}};
    expect_everywhere("through a wall of B", test_mesh_cube(0, 0, 0, 8),
                      with(test_mesh_cube(100, 0, 0, 8), test_mesh_make(&wall[0][0], 3, &both_ways[0][0], 2, 3)),
                      GRZ_SOLIDS_APART);
    // A crack that a face without area fills.
    test_mesh cracked = test_mesh_cube(0, 0, 0, 4);
    test_mesh_split_one_side(&cracked, 0, true);
    expect_everywhere("a filled crack", cracked, test_mesh_cube(4, 0, 0, 4), GRZ_SOLIDS_TOUCHING);
    // A spike without width is no part of a solid.
    test_mesh spiked = test_mesh_cube(0, 0, 0, 4);
    const uint32_t tip = test_mesh_add_vertex(&spiked, 12, 6, 6);
    test_mesh_add_triangle(&spiked, 6, tip, 6);
    expect_everywhere("a spike", spiked, test_mesh_cube(8, 0, 0, 8), GRZ_SOLIDS_APART);
    // Corners and edges of cells that meet are clean.
    expect_everywhere("two parts at a corner", with(test_mesh_cube(0, 0, 0, 2), test_mesh_cube(2, 2, 2, 2)),
                      test_mesh_cube(2, 0, 0, 2), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("two parts at an edge", with(test_mesh_cube(0, 0, 0, 2), test_mesh_cube(2, 2, 0, 2)),
                      test_mesh_cube(2, 0, 0, 2), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("two parts at an edge, over it", with(test_mesh_cube(0, 0, 0, 2), test_mesh_cube(2, 2, 0, 2)),
                      test_mesh_cube(1, 1, 1, 2), GRZ_SOLIDS_PENETRATING);
}

// Meshes of several closed shells are taken apart.
static void parts_that_lie_flush(void **state)
{
    (void)state;
    // A meets B's surface from outside, and has another part inside one of B's, which begins before others of B.
    test_mesh bars = with(with(test_mesh_cube(0, 0, 0, 8), test_mesh_cube(8, 0, 0, 2)), test_mesh_cube(2, 8, 0, 2));
    test_mesh two = with(test_mesh_cube(-2, 0, 0, 2), test_mesh_cube(-4, 0, 0, 2));
    expect_everywhere("a part inside a part", with(test_mesh_copy(&two), test_mesh_cube(5, 2, 2, 1)),
                      test_mesh_copy(&bars), GRZ_SOLIDS_PENETRATING);
    expect_everywhere("beside a part", with(two, test_mesh_cube(5, 9, 2, 1)), test_mesh_copy(&bars),
                      GRZ_SOLIDS_TOUCHING);
    expect_everywhere("of a clean mesh, a part inside a part",
                      with(test_mesh_cube(-2, 0, 0, 2), test_mesh_cube(5, 2, 2, 1)), test_mesh_copy(&bars),
                      GRZ_SOLIDS_PENETRATING);
    expect_everywhere("a part that fills a part", with(test_mesh_cube(-2, 0, 0, 2), test_mesh_cube(8, 0, 0, 2)),
                      test_mesh_copy(&bars), GRZ_SOLIDS_PENETRATING);
    // In a notch that three of four flush blocks leave, where no plane parts the two.
    test_mesh notch = with(with(test_mesh_cube(0, 0, 0, 4), test_mesh_cube(4, 0, 0, 4)), test_mesh_cube(0, 4, 0, 4));
    expect_everywhere("in a notch", test_mesh_cube(4, 4, 0, 4), test_mesh_copy(&notch), GRZ_SOLIDS_TOUCHING);
    expect_everywhere("deeper than the notch", test_mesh_cube(3, 3, 0, 5), test_mesh_copy(&notch),
                      GRZ_SOLIDS_PENETRATING);
    // All that touches B is there twice, and so it is no part of the solid.
    expect_everywhere("a part that is there twice",
                      with(with(test_mesh_cube(0, 0, 0, 2), test_mesh_cube(2, 0, 0, 2)),
                           with(test_mesh_cube(8, 0, 0, 2), test_mesh_cube(8, 0, 0, 2))),
                      test_mesh_cube(10, 0, 0, 2), GRZ_SOLIDS_APART);
    // In a cavity, which is a part of its own.
    expect_everywhere("in a cavity beside a flush part",
                      with(without(test_mesh_cube(0, 0, 0, 8), test_mesh_cube(2, 2, 2, 4)), test_mesh_cube(8, 0, 0, 2)),
                      test_mesh_cube(2, 2, 2, 2), GRZ_SOLIDS_TOUCHING);
    test_mesh_finish(&bars);
    test_mesh_finish(&notch);
}

static void rules_differ_on_nested_shells(void **state)
{
    (void)state;
    // Two cubes wound the same way, one in the other: a cavity by the even-odd rule, solid by the other one.
    test_mesh nested = with(test_mesh_cube(0, 0, 0, 8), test_mesh_cube(2, 2, 2, 4)), cube = test_mesh_cube(2, 2, 2, 4),
              small = test_mesh_cube(3, 3, 3, 2), big = test_mesh_cube(0, 0, 0, 8), middle = test_mesh_cube(1, 1, 1, 6);
    const struct {
        const test_mesh *a;
        grz_solids even_odd, nonzero;
    } cases[] = {{&cube, GRZ_SOLIDS_TOUCHING, GRZ_SOLIDS_A_INSIDE_B},
                 {&small, GRZ_SOLIDS_APART, GRZ_SOLIDS_A_INSIDE_B},
                 {&middle, GRZ_SOLIDS_PENETRATING, GRZ_SOLIDS_A_INSIDE_B},
                 {&big, GRZ_SOLIDS_B_INSIDE_A, GRZ_SOLIDS_SAME},
                 {&nested, GRZ_SOLIDS_SAME, GRZ_SOLIDS_SAME}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(ask_ruled(cases[i].a, &nested, NULL, GRZ_EVEN_ODD), cases[i].even_odd);
        assert_int_equal(ask_ruled(cases[i].a, &nested, NULL, GRZ_NONZERO), cases[i].nonzero);
    }
    test_mesh *all[] = {&nested, &cube, &small, &big, &middle};
    for (size_t i = 0; i < COUNT(all); i++)
        test_mesh_finish(all[i]);
}

// By the nonzero rule the bar's faces in the block have inside on both sides. They share an edge with a cavity, which
// the other box surrounds while it meets the bar alone.
static void faces_between_two_insides_tell_nothing_of_their_shell(void **state)
{
    (void)state;
    static const double ends[4][2][3] = {{{-50, -50, -50}, {50, 50, 50}},
                                         {{-4, -4, 0}, {0, 0, 4}},
                                         {{0, 0, 0}, {20, 4, 4}},
                                         {{-8, -8, -8}, {10, 10, 10}}};
    test_mesh a = test_mesh_box(ends[0][0], ends[0][1]), cavity = test_mesh_box(ends[1][0], ends[1][1]),
              b = test_mesh_box(ends[3][0], ends[3][1]);
    test_mesh_reverse(&cavity);
    test_mesh_take(&a, cavity);
    test_mesh_take(&a, test_mesh_box(ends[2][0], ends[2][1]));
    assert_int_equal(ask_ruled(&a, &b, NULL, GRZ_NONZERO), GRZ_SOLIDS_PENETRATING);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

// Three tetrahedra wound alike, each inside the one before, which share edges: their windings are carried from one to
// the other around these edges, in an order that depends on the numbers of vertices.
static void windings_are_carried_over_shared_edges(void **state)
{
    (void)state;
    static const double nested[3][4][3] = {{{0, 0, 0}, {60, 0, 0}, {30, 60, 0}, {30, 20, 60}},
                                           {{0, 0, 0}, {60, 0, 0}, {30, 20, 10}, {30, 15, 20}},
                                           {{30, 20, 10}, {30, 15, 20}, {24, 9, 8}, {36, 9, 8}}};
    random_stream random = {.state = 29};
    for (int i = 0; i < 100; i++) {
        test_mesh outer = test_mesh_tetrahedron(nested[0]), middle = test_mesh_tetrahedron(nested[1]),
                  all = test_mesh_tetrahedron(nested[0]);
        test_mesh_take(&all, test_mesh_tetrahedron(nested[1]));
        test_mesh_take(&all, test_mesh_tetrahedron(nested[2]));
        test_mesh_shuffle(&all, &random, NULL);
        assert_int_equal(ask_ruled(&all, &outer, NULL, GRZ_NONZERO), GRZ_SOLIDS_SAME);
        assert_int_equal(ask_ruled(&all, &outer, NULL, GRZ_EVEN_ODD), GRZ_SOLIDS_A_INSIDE_B);
        assert_int_equal(ask_ruled(&all, &middle, NULL, GRZ_NONZERO), GRZ_SOLIDS_B_INSIDE_A);
        assert_int_equal(ask_ruled(&all, &middle, NULL, GRZ_EVEN_ODD), GRZ_SOLIDS_PENETRATING);
        test_mesh_finish(&outer);
        test_mesh_finish(&middle);
        test_mesh_finish(&all);
    }
}

// ---- Laws ----

static test_mesh baked(const test_mesh *mesh, const grz_pose *pose)
{
    test_mesh at_place = test_mesh_copy(mesh);
    for (uint64_t v = 0; v < mesh->vertex_count; v++)
        oracle_pose(pose, mesh->positions + 3 * v, at_place.positions + 3 * v);
    return at_place;
}

// A pose that rounds has the answer of the mesh whose vertices are at the rounded positions.
static void rounded_poses_are_those_of_rounded_positions(void **state)
{
    (void)state;
    random_stream random = {.state = 26};
    size_t counts[SOLIDS_COUNT] = {0};
    for (int i = 0; i < (TEST_SANITIZED ? 30 : TEST_SHORT ? 100 : 600); i++) {
        lattice_case c = random_case(&random);
        if (lattice_count(&c.a) == 0 || lattice_count(&c.b) == 0)
            continue;
        c.style_a.diagonals = c.style_b.diagonals = true; // polygons could be cut otherwise at rounded positions
        test_mesh a = lattice_surface(&c.a, &c.style_a, &random, 0.1),
                  b = lattice_surface(&c.b, &c.style_b, &random, 0.1);
        grz_pose pose = grz_pose_identity();
        for (int k = 0; k < 3; k++)
            pose.m[k][3] = random_signed(&random);
        if (i % 3 == 0) {
            const double rotation[4] = {random_signed(&random), random_signed(&random), random_signed(&random), 1};
            const double translation[3] = {0.1, 0.2, 0.3};
            assert_int_equal(grz_pose_from_quaternion(translation, rotation, &pose, NULL), GRZ_OK);
        }
        test_mesh x = baked(&a, &pose), y = baked(&b, &pose);
        const grz_solids posed = ask_ruled(&a, &b, &pose, GRZ_EVEN_ODD), placed = ask_ruled(&x, &y, NULL, GRZ_EVEN_ODD);
        if (posed != placed)
            fail_msg("case %d: posed %s, at the rounded positions %s", i, solids_names[posed], solids_names[placed]);
        counts[posed]++;
        test_mesh *all[] = {&a, &b, &x, &y};
        for (size_t k = 0; k < COUNT(all); k++)
            test_mesh_finish(all[k]);
    }
    assert_true(counts[GRZ_SOLIDS_PENETRATING] > 0 && counts[GRZ_SOLIDS_TOUCHING] > 0);
}

// Rounding may close a gap of one ulp between two parts of a mesh.
static void rounding_may_make_a_mesh_meet_itself(void **state)
{
    (void)state;
    test_mesh gap = with(test_mesh_cube(0, 0, 0, 1), test_mesh_cube(1 + 0x1p-52, 0, 0, 1)),
              beside = test_mesh_cube(-1, 0, 0, 1);
    const double min[3] = {-1, 0, 0}, max[3] = {2, 1, 1};
    test_mesh whole = test_mesh_box(min, max);
    test_mesh_take(&gap, test_mesh_cube(-1, 0, 0, 1));
    grz_pose far = grz_pose_from_translation(1024, 0, 0);
    expect("the gap is open", &gap, &beside, GRZ_SOLIDS_B_INSIDE_A);
    assert_int_equal(ask_ruled(&gap, &whole, NULL, GRZ_EVEN_ODD), GRZ_SOLIDS_A_INSIDE_B);
    assert_int_equal(ask_ruled(&gap, &whole, &far, GRZ_EVEN_ODD), GRZ_SOLIDS_SAME);
    test_mesh_finish(&whole);
    test_mesh_finish(&gap);
    test_mesh_finish(&beside);
}

// Every method, threads, a result used before, and whatever else is asked for: the same answer, and no other key of the
// summary changes.
static void other_questions_do_not_matter(void **state)
{
    (void)state;
    random_stream random = {.state = 27};
    int asked = 0;
    for (int i = 0; i < (TEST_SANITIZED ? 4 : TEST_SHORT ? 10 : 60); i++) {
        const lattice_case c = random_case(&random);
        if (lattice_count(&c.a) == 0 || lattice_count(&c.b) == 0)
            continue;
        test_mesh a = lattice_surface(&c.a, &c.style_a, &random, 1.0),
                  b = lattice_surface(&c.b, &c.style_b, &random, 1.0);
        const uint32_t lists = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CONTAINMENT;
        const test_query with_solids = test_query_of_pair(&a, &b, lists | GRZ_FIND_SOLIDS),
                         without_solids = test_query_of_pair(&a, &b, lists);
        test_answer x = test_ask("with solids", &with_solids), y = test_ask("without", &without_solids);
        assert_int_equal(x.summary.solids, lattice_classify(&c.a, &c.b));
        assert_int_equal(y.summary.solids, GRZ_SOLIDS_NOT_ASKED);
        y.summary.solids = x.summary.solids;
        assert_true(test_answers_equal("but for solids", &x, &y));
        asked++;
        test_answer_finish(&x);
        test_answer_finish(&y);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
    assert_true(asked > 2);
}

// A scene of cells at poses that round and poses that do not, with shells in shells: each pair is what grz_collide()
// says, also when the scene is asked again, or after a query that did not ask.
static void scenes_say_of_each_pair_what_the_pair_alone_says(void **state)
{
    (void)state;
    enum {
        OBJECTS = 24
    };
    random_stream random = {.state = 28};
    grz_error error = {0};
    size_t counts[SOLIDS_COUNT] = {0};
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        grz_device *own = test_device_open(threads);
        grz_result *all = test_result_create(own);
        grz_scene *scene;
        grz_mesh *meshes[OBJECTS];
        assert_int_equal(grz_scene_create(own, &scene, &error), GRZ_OK);
        for (int i = 0; i < OBJECTS; i++) {
            const int origin[3] = {0, 0, 0};
            const lattice cells = lattice_random(&random, origin, 2, 1 + i % 2, 12);
            const lattice_style style = {.size = 1 + i % 2, .diagonals = true};
            test_mesh surface = lattice_count(&cells) == 0 ? test_mesh_cube(0, 0, 0, 2)
                                                           : lattice_surface(&cells, &style, &random, i % 3 ? 1 : 0.1);
            if (i == 5)
                test_mesh_drop_face(&surface, 0);
            if (i >= 20) { // nested shells
                test_mesh_finish(&surface);
                surface = test_mesh_cube(-20 - i, -20 - i, -20 - i, 60 + 2 * i);
            }
            meshes[i] = test_mesh_upload(own, &surface);
            const grz_pose pose = i % 4 == 0 ? grz_pose_from_translation(0.3, 0.1 * i, 0.7)
                                             : grz_pose_from_translation(i % 3, i / 3 % 3, i % 2);
            const grz_object object = grz_object_at(meshes[i], i >= 20 ? grz_pose_identity() : pose);
            uint32_t id;
            assert_int_equal(grz_scene_add(scene, &object, &id, &error), GRZ_OK);
            test_mesh_finish(&surface);
        }
        static const uint32_t finds[] = {GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT, GRZ_FIND_CONTAINMENT,
                                         GRZ_FIND_SOLIDS | GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT, GRZ_FIND_SOLIDS};
        for (size_t k = 0; k < COUNT(finds); k++) {
            grz_collide_options options = grz_default_collide_options();
            uint64_t pair_count, solid_count;
            options.find = finds[k];
            assert_int_equal(grz_collide_scene(own, scene, &options, all, &error), GRZ_OK);
            const grz_scene_pair *pairs = grz_result_scene_pairs(all, &pair_count);
            const grz_pair_solids *solids = grz_result_scene_solids(all, &solid_count);
            assert_int_equal(solid_count, (finds[k] & GRZ_FIND_SOLIDS) != 0 ? pair_count : 0);
            for (uint64_t i = 0; i < solid_count; i++) {
                const grz_summary alone = ask_objects(grz_scene_object(scene, pairs[i].a),
                                                      grz_scene_object(scene, pairs[i].b), finds[k], GRZ_EVEN_ODD);
                assert_int_equal(solids[i].solids, alone.solids);
                assert_ptr_equal(solids[i].reason, alone.solids_reason);
                counts[alone.solids]++;
            }
        }
        grz_scene_destroy(scene);
        for (int i = 0; i < OBJECTS; i++)
            grz_mesh_destroy(meshes[i]);
        grz_result_destroy(all);
        grz_device_close(own);
    }
    assert_true(counts[GRZ_SOLIDS_PENETRATING] > 0 && counts[GRZ_SOLIDS_TOUCHING] > 0 &&
                counts[GRZ_SOLIDS_A_INSIDE_B] > 0 && counts[GRZ_SOLIDS_UNDECIDABLE] > 0);
}

// Memory that runs out at any place is an error, and nothing is lost.
static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    test_mesh a = with(test_mesh_cube(0, 0, 0, 4), test_mesh_cube(20, 0, 0, 4)),
              b = without(test_mesh_cube(4, 0, 0, 4), test_mesh_cube(5, 1, 1, 2));
    bool done = false;
    long failures = 0;
    for (long fail_at = 1; !done; fail_at++) {
        counting_allocator counter = {.fail_at = 0};
        grz_error error = {0};
        grz_device *own = counting_device_open(&counter);
        grz_mesh *x = test_mesh_upload(own, &a), *y = test_mesh_upload(own, &b);
        grz_result *answer = test_result_create(own);
        const grz_object object_a = grz_object_at_origin(x),
                         object_b = grz_object_at(y, grz_pose_from_translation(0, 0.1, 0));
        grz_collide_options options = grz_default_collide_options();
        options.find = GRZ_FIND_SOLIDS;
        counter.calls = 0;
        counter.fail_at = fail_at;
        const grz_status status = grz_collide(own, &object_a, &object_b, &options, answer, &error);
        counter.fail_at = 0;
        assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
        done = status == GRZ_OK;
        failures += !done;
        assert_int_equal(grz_collide(own, &object_a, &object_b, &options, answer, &error), GRZ_OK);
        assert_int_equal(grz_result_summary(answer)->solids, GRZ_SOLIDS_TOUCHING);
        grz_result_destroy(answer);
        grz_mesh_destroy(x);
        grz_mesh_destroy(y);
        grz_device_close(own);
        assert_int_equal(counter.live, 0);
    }
    assert_true(failures > 10);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

// New positions: what was kept with the mesh is found again.
static void new_positions_are_seen(void **state)
{
    (void)state;
    grz_error error = {0};
    test_mesh cube = test_mesh_cube(0, 0, 0, 2);
    grz_mesh *a = test_mesh_upload(classify_device, &cube), *b = test_mesh_upload(classify_device, &cube);
    const grz_object x = grz_object_at_origin(a), y = grz_object_at_origin(b);
    static const struct {
        double at;
        grz_solids expected;
    } steps[] = {{0, GRZ_SOLIDS_SAME}, {1, GRZ_SOLIDS_PENETRATING}, {2, GRZ_SOLIDS_TOUCHING}, {3, GRZ_SOLIDS_APART}};
    for (size_t i = 0; i < COUNT(steps); i++) {
        test_mesh there = moved(test_mesh_copy(&cube), steps[i].at, 0, 0);
        assert_int_equal(grz_mesh_set_positions(b, there.positions, &error), GRZ_OK);
        assert_int_equal(ask_objects(&x, &y, GRZ_FIND_SOLIDS, GRZ_EVEN_ODD).solids, steps[i].expected);
        test_mesh_finish(&there);
    }
    // Turned inside out, a mesh bounds the same solid.
    test_mesh mirror = test_mesh_copy(&cube);
    test_mesh_scale(&mirror, -1, 1, 1);
    assert_int_equal(grz_mesh_set_positions(b, mirror.positions, &error), GRZ_OK);
    assert_int_equal(ask_objects(&x, &y, GRZ_FIND_SOLIDS, GRZ_EVEN_ODD).solids, GRZ_SOLIDS_TOUCHING);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    test_mesh_finish(&mirror);
    test_mesh_finish(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_fit),
        cmocka_unit_test(corners_and_edges_touch),
        cmocka_unit_test(cavities_count),
        cmocka_unit_test(what_has_no_inside_is_undecidable),
        cmocka_unit_test(meshes_that_meet_themselves),
        cmocka_unit_test(parts_that_lie_flush),
        cmocka_unit_test(rules_differ_on_nested_shells),
        cmocka_unit_test(faces_between_two_insides_tell_nothing_of_their_shell),
        cmocka_unit_test(windings_are_carried_over_shared_edges),
        cmocka_unit_test(new_positions_are_seen),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(scenes_say_of_each_pair_what_the_pair_alone_says),
        cmocka_unit_test(rounding_may_make_a_mesh_meet_itself),
        cmocka_unit_test(other_questions_do_not_matter),
        cmocka_unit_test(rounded_poses_are_those_of_rounded_positions),
    };
    classify_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    classify_close();
    test_queries_finish();
    return failed;
}
