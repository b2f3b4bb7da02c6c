// SPDX-License-Identifier: MIT
// Where two meshes touch: points, segments and polygons with coordinates worked out by hand, their box, and the curves
// that they form. Then the laws: order, ends, completeness, points on both triangles. Swapping the meshes, renumbering
// faces and vertices and rotating triangles' corners change no bit, even where positions coincide or round to the same
// double.
// ctest: concurrent closed_surfaces_meet_in_closed_curves
// ctest: timeout 900
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_contacts.h"
#include "support_sanitizer.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// ---- Two triangles --------------------------------------------------------------------------------------------------

typedef struct pair_case {
    const char *what;
    double a[3][3], b[3][3];
    uint32_t kind, point_count;
    double points[6][3];
} pair_case;

static const pair_case pair_cases[] = {
    // A corner on a face; on an edge; on a corner.
    {"corner on face",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{1, 1, 0}, {1, 1, 3}, {2, 1, 3}},
     GRZ_TOUCHING,
     1,
     {{1, 1, 0}}},
    {"corner on edge",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{2, 0, 0}, {1, 1, 3}, {2, 1, 3}},
     GRZ_TOUCHING,
     1,
     {{2, 0, 0}}},
    {"corner on corner",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{0, 4, 0}, {1, 1, 3}, {2, 1, 3}},
     GRZ_TOUCHING,
     1,
     {{0, 4, 0}}},
    // Two edges cross in (2,0,0), in the middle of both, the rest is apart.
    {"edge on edge",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{2, -1, 1}, {2, 1, -1}, {2, -5, -5}},
     GRZ_TOUCHING,
     1,
     {{2, 0, 0}}},
    // B stands upright at y = 1; at z = 0 it is x = 1 to 3, the slanted side crosses there half way up.
    {"through the face",
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{1, 1, -2}, {5, 1, -2}, {1, 1, 2}},
     GRZ_CROSSING,
     2,
     {{1, 1, 0}, {3, 1, 0}}},
    // As before, but B reaches out of A at x = 3, the middle of A's slanted side at y = 1 being (3,1,0).
    {"through face and side",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{1, 1, -8}, {17, 1, -8}, {1, 1, 8}},
     GRZ_CROSSING,
     2,
     {{1, 1, 0}, {3, 1, 0}}},
    // An edge that lies in the face; two edges that overlap.
    {"edge in the face",
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{1, 2, 0}, {3, 1, 0}, {2, 2, 5}},
     GRZ_TOUCHING,
     2,
     {{1, 2, 0}, {3, 1, 0}}},
    {"edge along an edge",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{2, 0, 0}, {6, 0, 0}, {3, 0, -1}},
     GRZ_TOUCHING,
     2,
     {{2, 0, 0}, {4, 0, 0}}},
    // In one plane. A hexagram: y = 2x and y = 12 - 2x against y = 4 - 2x and y = 2x - 8, cut off at y = 0 and y = 4.
    {"hexagon",
     {{0, 0, 0}, {6, 0, 0}, {3, 6, 0}},
     {{0, 4, 0}, {6, 4, 0}, {3, -2, 0}},
     GRZ_COPLANAR,
     6,
     {{1, 2, 0}, {2, 0, 0}, {4, 0, 0}, {5, 2, 0}, {4, 4, 0}, {2, 4, 0}}},
    // A square cut out of two right triangles: x, y > 0, x + y < 4 and x, y < 2, x + y > -4 (shifted): corners (0,0),
    // (2,0), (2,2), (0,2).
    {"square",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{2, 2, 0}, {-2, 2, 0}, {2, -2, 0}},
     GRZ_COPLANAR,
     4,
     {{0, 0, 0}, {0, 2, 0}, {2, 2, 0}, {2, 0, 0}}},
    // One inside the other, in the upright plane x = 5; the same triangle, its corners in another order.
    {"inside",
     {{5, 0, 0}, {5, 8, 0}, {5, 0, 8}},
     {{5, 3, 3}, {5, 1, 2}, {5, 2, 1}},
     GRZ_COPLANAR,
     3,
     {{5, 1, 2}, {5, 2, 1}, {5, 3, 3}}},
    {"same",
     {{0, 0, 1}, {4, 0, 2}, {0, 4, 3}},
     {{0, 4, 3}, {4, 0, 2}, {0, 0, 1}},
     GRZ_COPLANAR,
     3,
     {{0, 0, 1}, {0, 4, 3}, {4, 0, 2}}},
    // In one plane with a side, and with a corner, in common.
    {"side by side",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{0, 1, 0}, {0, 6, 0}, {-3, 2, 0}},
     GRZ_TOUCHING,
     2,
     {{0, 1, 0}, {0, 4, 0}}},
    {"corner by corner",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{4, 0, 0}, {6, 1, 0}, {6, -1, 0}},
     GRZ_TOUCHING,
     1,
     {{4, 0, 0}}},
    // Segments and points: through the face, in its plane, along a side, crossing in one plane, a point on a face, two
    // equal points.
    {"segment through",
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{1, 2, 3}, {1, 2, -3}, {1, 2, -3}},
     GRZ_TOUCHING,
     1,
     {{1, 2, 0}}},
    {"segment in plane",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{-2, 1, 0}, {9, 1, 0}, {0, 1, 0}},
     GRZ_TOUCHING,
     2,
     {{0, 1, 0}, {3, 1, 0}}},
    {"segments crossing",
     {{0, 0, 0}, {4, 4, 0}, {2, 2, 0}},
     {{0, 4, 0}, {4, 0, 0}, {4, 0, 0}},
     GRZ_TOUCHING,
     1,
     {{2, 2, 0}}},
    {"segments overlapping",
     {{0, 0, 0}, {4, 4, 4}, {4, 4, 4}},
     {{3, 3, 3}, {9, 9, 9}, {5, 5, 5}},
     GRZ_TOUCHING,
     2,
     {{3, 3, 3}, {4, 4, 4}}},
    {"point on face",
     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
     {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}},
     GRZ_TOUCHING,
     1,
     {{1, 1, 0}}},
    {"point on point",
     {{-0.0, 3, 0}, {0, 3, 0}, {0, 3, 0}},
     {{0, 3, -0.0}, {0, 3, 0}, {0, 3, 0}},
     GRZ_TOUCHING,
     1,
     {{0, 3, 0}}},
};

static void contacts_of_two_triangles_are_as_worked_out_by_hand(void **state)
{
    (void)state;
    random_stream random = {.state = 77};
    for (size_t i = 0; i < COUNT(pair_cases); i++) {
        const pair_case *c = &pair_cases[i];
        test_mesh a = {0}, b = {0};
        test_mesh_add_loose_triangle(&a, c->a);
        test_mesh_add_loose_triangle(&b, c->b);
        for (int turn = 0; turn < 6; turn++) {
            test_answer answer = test_ask_with_laws(c->what, &a, &b);
            const grz_pair expected[1] = {{0, 0, c->kind}};
            test_expect_pairs(c->what, &answer, expected, 1);
            if (answer.contact_count != 1 || answer.point_count != c->point_count ||
                memcmp(answer.points, c->points, 3 * sizeof(double) * c->point_count) != 0) {
                for (uint64_t k = 0; k < answer.point_count; k++)
                    fprintf(stderr, "  (%g %g %g)", answer.points[3 * k], answer.points[3 * k + 1],
                            answer.points[3 * k + 2]);
                fail_msg("%s: other points than expected", c->what);
            }
            assert_int_equal(answer.contacts[0].kind, c->kind);
            test_answer_finish(&answer);
            test_mesh_shuffle(&a, &random, NULL);
            test_mesh_shuffle(&b, &random, NULL);
            if (turn % 2 == 1)
                test_mesh_reverse(&b);
        }
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
}

static void a_face_pair_lists_the_contacts_of_its_triangles(void **state)
{
    (void)state;
    // A square of two triangles, cut along y = x, and an upright square at y = 1 from x = 0 to 4, its diagonal from
    // (0,1,-4) to (4,1,4), which meets z = 0 at x = 2. The line y = 1 is cut at the diagonals: contacts x 0 to 1, 1 to
    // 2, 2 to 4; one pair of faces.
    const double flat[4][3] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}},
                 upright[4][3] = {{0, 1, -4}, {4, 1, -4}, {4, 1, 4}, {0, 1, 4}};
    static const uint32_t corners[4] = {0, 1, 2, 3};
    test_mesh a = test_mesh_make(&flat[0][0], 4, corners, 1, 4), b = test_mesh_make(&upright[0][0], 4, corners, 1, 4);
    test_answer answer = test_ask_with_laws("quads", &a, &b);
    const grz_pair expected[1] = {{0, 0, GRZ_CROSSING}};
    test_expect_pairs("quads", &answer, expected, 1);
    test_record *records = test_records_of(&answer, NULL);
    const double ends[3][6] = {{0, 1, 0, 1, 1, 0}, {1, 1, 0, 2, 1, 0}, {2, 1, 0, 4, 1, 0}};
    assert_int_equal(answer.contact_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(records[i].kind, GRZ_CROSSING);
        assert_memory_equal(records[i].points, ends[i], sizeof ends[i]);
    }
    const test_curve curve = {4, false, {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {4, 1, 0}}};
    test_expect_curves("quads", &answer, &curve, 1);
    const double low[3] = {0, 1, 0}, high[3] = {4, 1, 0};
    assert_memory_equal(answer.summary.region_min, low, sizeof low);
    assert_memory_equal(answer.summary.region_max, high, sizeof high);
    free(records);
    test_answer_finish(&answer);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

// ---- Curves ---------------------------------------------------------------------------------------------------------

static void expect_curve_count(const char *what, test_mesh a, test_mesh b, uint64_t closed, uint64_t open)
{
    test_answer answer = test_ask_with_laws(what, &a, &b);
    uint64_t found = 0;
    for (uint64_t i = 0; i < answer.curve_count; i++)
        found += answer.curves[i].closed;
    if (found != closed || answer.curve_count != closed + open)
        fail_msg("%s: %llu closed curves of %llu, expected %llu of %llu", what, (unsigned long long)found,
                 (unsigned long long)answer.curve_count, (unsigned long long)closed,
                 (unsigned long long)(closed + open));
    test_answer_finish(&answer);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

static test_mesh moved(test_mesh mesh, double x, double y, double z)
{
    test_mesh_move(&mesh, x, y, z);
    return mesh;
}

static test_mesh box(double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double min[3] = {x0, y0, z0}, max[3] = {x1, y1, z1};
    return test_mesh_box(min, max);
}

static void closed_surfaces_meet_in_closed_curves(void **state)
{
    (void)state;
    expect_curve_count("sphere and sphere", test_mesh_icosphere(1, 2), moved(test_mesh_icosphere(1, 3), 0.7, 0.31, 0.2),
                       1, 0);
    expect_curve_count("cube and its corner", test_mesh_cube(0, 0, 0, 4), test_mesh_cube(3, 3, 3, 4), 1, 0);
    expect_curve_count("stick through cube", test_mesh_cube(-2, -2, -2, 4), box(-5, -0.5, -0.25, 5, 0.625, 0.375), 2,
                       0);
    expect_curve_count("stick into cube", test_mesh_cube(-2, -2, -2, 4), box(-5, -0.5, -0.25, 1, 0.625, 0.375), 1, 0);
    // Through both sides of the tube: in and out twice. Through the hole: never.
    expect_curve_count("stick through torus", test_mesh_torus(3, 1, 24, 12), box(-6, -0.2, -0.1, 6, 0.3, 0.15), 4, 0);
    expect_curve_count("stick through the hole", test_mesh_torus(3, 1, 24, 12), box(-0.1, -0.2, -6, 0.3, 0.15, 6), 0,
                       0);
    // A plane cuts the ring in two circles, near its middle as well as across the tubes.
    expect_curve_count("sheet along torus", test_mesh_torus(3, 1, 24, 12),
                       moved(test_mesh_grid(9, 9, 1), -4.53, -4.51, 0.1), 2, 0);
    // A smaller torus standing upright in the ring's tube: as it goes round it enters and leaves the tube once.
    test_mesh upright = test_mesh_torus(2, 0.3, 24, 12);
    for (uint64_t v = 0; v < upright.vertex_count; v++) {
        double *p = upright.positions + 3 * v;
        const double y = p[1];
        p[1] = p[2];
        p[2] = y;
    }
    expect_curve_count("torus through torus", test_mesh_torus(3, 0.5, 24, 12), moved(upright, 1.03, 0.02, 0.01), 2, 0);
}

static void open_sheets_meet_in_open_curves(void **state)
{
    (void)state;
    // An upright square within the flat one: at y = 3 from x = 2 to 6. The flat one's sides and diagonals at x = 3 (y =
    // x), 4 and the upright one's own lie on the way.
    test_mesh flat = test_mesh_grid(2, 2, 4), upright = {0};
    test_mesh_add_vertex(&upright, 2, 3, -1);
    test_mesh_add_vertex(&upright, 6, 3, -1);
    test_mesh_add_vertex(&upright, 6, 3, 1);
    test_mesh_add_vertex(&upright, 2, 3, 1);
    test_mesh_add_triangle(&upright, 0, 1, 2);
    test_mesh_add_triangle(&upright, 0, 2, 3);
    test_answer answer = test_ask_with_laws("sheets", &flat, &upright);
    // The upright diagonal meets z = 0 at x = 4, where the flat edge x = 4 is: edge on edge. Flat diagonals: (3,3), and
    // (7,3) beyond.
    const test_curve expected = {4, false, {{2, 3, 0}, {3, 3, 0}, {4, 3, 0}, {6, 3, 0}}};
    test_expect_curves("sheets", &answer, &expected, 1);
    test_answer_finish(&answer);
    test_mesh_finish(&flat);
    test_mesh_finish(&upright);
}

static void a_point_alone_is_a_curve_of_one_point(void **state)
{
    (void)state;
    const double corners[4][3] = {{1, 1, 0}, {1, 0, 3}, {2, 2, 3}, {0, 2, 3}};
    test_mesh flat = test_mesh_grid(1, 1, 4), spike = test_mesh_tetrahedron(corners);
    test_answer answer = test_ask_with_laws("spike", &flat, &spike);
    // The tip lies on the flat square's diagonal: both of the square's triangles touch all three of the spike's. It is
    // still one point.
    const test_curve expected = {1, false, {{1, 1, 0}}};
    assert_int_equal(answer.pair_count, 6);
    test_expect_curves("spike", &answer, &expected, 1);
    test_answer_finish(&answer);
    test_mesh_finish(&flat);
    test_mesh_finish(&spike);
}

// Different points that round to one position. A touches B in a point a third of an ulp from the end of a curve: this
// makes no curve of its own.
static void a_point_at_the_position_of_a_curve_is_not_listed(void **state)
{
    (void)state;
    static const double sheet[3][3] = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}};
    static const double through[3][3] = {{1, 0, 0}, {1, 1, -1}, {1, 1, 1}};
    static const double beside[3][3] = {{1, 0, -1}, {1 + 0x1p-52, 0, 2}, {1, -1, 0}};
    static const test_curve expected[] = {{2, false, {{1, 0, 0}, {1, 1, 0}}}};
    test_mesh a = {0}, b = {0};
    test_mesh_add_loose_triangle(&a, sheet);
    test_mesh_add_loose_triangle(&b, through);
    test_mesh_add_loose_triangle(&b, beside);
    test_answer answer = test_ask_with_laws("a point beside a curve", &a, &b);
    assert_int_equal(answer.contact_count, 2);
    test_expect_curves("a point beside a curve", &answer, expected, COUNT(expected));
    test_answer_finish(&answer);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

// Two segments of one line overlap by a ninth of an ulp: the curve continues through both ends, which round to one
// position.
static void segments_that_overlap_within_one_position_are_one_curve(void **state)
{
    (void)state;
    static const double sheet[3][3] = {{0, -1, 0}, {8, -1, 0}, {0, 8, 0}};
    static const double low[3][3] = {{1, 1, -1}, {1, 1 + 0x1p-52, 1.25}, {1, 0, 0}};
    static const double high[3][3] = {{1, 1, -1}, {1, 1 + 0x1p-52, 2}, {1, 3, 0}};
    static const test_curve expected[] = {{4, false, {{1, 0, 0}, {1, 1, 0}, {1, 1, 0}, {1, 3, 0}}}};
    test_mesh a = {0}, b = {0};
    test_mesh_add_loose_triangle(&a, sheet);
    test_mesh_add_loose_triangle(&b, low);
    test_mesh_add_loose_triangle(&b, high);
    const test_query query = test_query_of_pair(&a, &b, GRZ_FIND_CURVES),
                     swapped = test_query_of_pair(&b, &a, GRZ_FIND_CURVES);
    test_answer answer = test_ask("segments within one place", &query), back = test_ask("the same, swapped", &swapped);
    test_expect_curves("segments within one place", &answer, expected, COUNT(expected));
    test_expect_curves("the same, swapped", &back, expected, COUNT(expected));
    test_answer_finish(&answer);
    test_answer_finish(&back);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

// A quad that crosses itself lies on a sheet of the same mesh, moved. Its triangles 0-1-2 and 0-2-3 are never paired,
// so where the outlines of their contacts cross, in (4, 4), there is no contact point. The first face has the last
// vertices.
static void curves_of_a_moved_mesh_with_itself_are_cut_where_it_is_moved_to(void **state)
{
    (void)state;
    static const double corners[7][3] = {{0, 0, 0},     {6, 6, 0},    {8, 0, 0},   {2, 6, 0}, // the quad
                                         {-16, -16, 0}, {48, -16, 0}, {-16, 48, 0}};
    static const uint32_t quad[4] = {0, 1, 2, 3};
    static const test_curve expected = {6, true, {{1, 2, 4}, {3, 8, 4}, {5, 6, 4}, {7, 8, 4}, {9, 2, 4}, {1, 2, 4}}};
    test_mesh mesh = {0};
    for (int i = 0; i < 7; i++)
        test_mesh_add_vertex(&mesh, corners[i][0], corners[i][1], corners[i][2]);
    test_mesh_add_triangle(&mesh, 4, 5, 6);
    test_mesh_add_face(&mesh, quad, 4);
    test_query query = test_query_of_self(&mesh, GRZ_FIND_CURVES);
    query.pose_a = grz_pose_from_translation(1, 2, 4);
    test_answer answer = test_ask("a crossed quad on a sheet", &query);
    assert_int_equal(answer.contact_count, 2);
    test_expect_curves("a crossed quad on a sheet", &answer, &expected, 1);
    test_answer_finish(&answer);
    test_mesh_finish(&mesh);
}

static void stacked_cubes_meet_in_the_outline_of_their_common_area(void **state)
{
    (void)state;
    test_mesh low = test_mesh_cube(0, 0, 0, 4), low_quads = test_mesh_cube_quads(0, 0, 0, 4);
    // Exactly aligned: the diagonals of the two faces are the same, and lie inside the common square.
    const test_curve square = {5, true, {{0, 0, 4}, {0, 4, 4}, {4, 4, 4}, {4, 0, 4}, {0, 0, 4}}};
    // Shifted by (2, 2): the square [2,4]²; the diagonals overlap inside it.
    const test_curve corner = {5, true, {{2, 2, 4}, {2, 4, 4}, {4, 4, 4}, {4, 2, 4}, {2, 2, 4}}};
    // Shifted by (2, 0): [2,4] × [0,4]. The lower diagonal y = x meets the upper face's side x = 2 in (2,2), the upper
    // one, y = x - 2, meets the lower face's side x = 4 in (4,2).
    const test_curve half = {7, true, {{2, 0, 4}, {2, 2, 4}, {2, 4, 4}, {4, 4, 4}, {4, 2, 4}, {4, 0, 4}, {2, 0, 4}}};
    // A cube of 2 within the face, off the diagonal of the big one but for its own: from (1,1) to (3,3).
    const test_curve within = {5, true, {{1, 1, 4}, {1, 3, 4}, {3, 3, 4}, {3, 1, 4}, {1, 1, 4}}};
    const struct {
        const char *what;
        double x, y, size;
        const test_curve *curve;
    } cases[] = {{"squarely", 0, 0, 4, &square},
                 {"by a corner", 2, 2, 4, &corner},
                 {"by half", 2, 0, 4, &half},
                 {"within", 1, 1, 2, &within}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_mesh high = test_mesh_cube(cases[i].x, cases[i].y, 4, cases[i].size);
        test_answer answer = test_ask_with_laws(cases[i].what, &low, &high);
        test_expect_curves(cases[i].what, &answer, cases[i].curve, 1);
        assert_true(answer.summary.kinds[GRZ_COPLANAR] >= 2);
        test_answer_finish(&answer);
        test_mesh_finish(&high);
        high = test_mesh_cube_quads(cases[i].x, cases[i].y, 4, cases[i].size);
        answer = test_ask_with_laws(cases[i].what, &low_quads, &high);
        test_expect_curves(cases[i].what, &answer, cases[i].curve, 1);
        assert_int_equal(answer.summary.kinds[GRZ_COPLANAR], 1);
        test_answer_finish(&answer);
        test_mesh_finish(&high);
    }
    // By an edge: shifted by 4 in x the common part is the segment from (4,0,4) to (4,4,4).
    const test_curve edge = {2, false, {{4, 0, 4}, {4, 4, 4}}};
    test_mesh high = test_mesh_cube(4, 0, 4, 4);
    test_answer answer = test_ask_with_laws("by an edge", &low, &high);
    test_expect_curves("by an edge", &answer, &edge, 1);
    test_answer_finish(&answer);
    test_mesh_finish(&high);
    // All faces of the lower cube are there twice, and so are the polygons. Their outline is still one curve.
    test_mesh_take(&low, test_mesh_copy(&low));
    high = test_mesh_cube(0, 0, 4, 4);
    answer = test_ask_with_laws("faces there twice", &low, &high);
    test_expect_curves("faces there twice", &answer, &square, 1);
    test_answer_finish(&answer);
    test_mesh_finish(&high);
    test_mesh_finish(&low);
    test_mesh_finish(&low_quads);
}

static void curves_split_where_more_than_two_segments_meet(void **state)
{
    (void)state;
    // Three fins on the z axis between -2 and 2, pointing to -x, +x and -y: a T in the plane z = 0, its bar cut at the
    // stem.
    test_mesh flat = test_mesh_grid(1, 1, 32), fins = {0};
    test_mesh_move(&flat, -20, -8, 0);
    test_mesh_add_vertex(&fins, 0, 0, -2);
    test_mesh_add_vertex(&fins, 0, 0, 2);
    test_mesh_add_vertex(&fins, -4, 0, 0);
    test_mesh_add_vertex(&fins, 4, 0, 0);
    test_mesh_add_vertex(&fins, 0, -4, 0);
    for (uint32_t i = 2; i < 5; i++)
        test_mesh_add_triangle(&fins, 0, 1, i);
    // The flat square's diagonal, y = x + 12, is not reached.
    const test_curve three[3] = {
        {2, false, {{-4, 0, 0}, {0, 0, 0}}}, {2, false, {{0, -4, 0}, {0, 0, 0}}}, {2, false, {{0, 0, 0}, {4, 0, 0}}}};
    test_answer answer = test_ask_with_laws("three fins", &flat, &fins);
    test_expect_curves("three fins", &answer, three, 3);
    test_answer_finish(&answer);
    // Without the stem the bar is one curve through the axis.
    test_mesh bar = test_mesh_make(fins.positions, fins.vertex_count, fins.indices, 2, 3);
    const test_curve one = {3, false, {{-4, 0, 0}, {0, 0, 0}, {4, 0, 0}}};
    answer = test_ask_with_laws("two fins", &flat, &bar);
    test_expect_curves("two fins", &answer, &one, 1);
    test_answer_finish(&answer);
    // Two triangles that cross on the z axis but have no edge there: their curves run through each other and stay
    // whole.
    test_mesh cross = {0};
    const double upright[2][3][3] = {{{-4, 0, 0}, {4, 0, -4}, {4, 0, 4}}, {{0, -4, 0}, {0, 4, -4}, {0, 4, 4}}};
    test_mesh_add_loose_triangle(&cross, upright[0]);
    test_mesh_add_loose_triangle(&cross, upright[1]);
    const test_curve two[2] = {{2, false, {{-4, 0, 0}, {4, 0, 0}}}, {2, false, {{0, -4, 0}, {0, 4, 0}}}};
    answer = test_ask_with_laws("cross", &flat, &cross);
    test_expect_curves("cross", &answer, two, 2);
    test_answer_finish(&answer);
    test_mesh *all[] = {&flat, &fins, &bar, &cross};
    for (size_t i = 0; i < COUNT(all); i++)
        test_mesh_finish(all[i]);
}

static void a_mesh_that_crosses_itself_has_curves(void **state)
{
    (void)state;
    // A stick through a cube, as one mesh: two closed curves. Pairs name the lower face first.
    test_mesh mesh = test_mesh_cube(-2, -2, -2, 4);
    test_mesh_take(&mesh, box(-5, -0.5, -0.25, 5, 0.625, 0.375));
    const test_query query = test_query_of_self(&mesh, GRZ_FIND_CURVES);
    test_answer answer = test_ask("stick and cube", &query);
    test_expect_contact_laws("stick and cube", &answer);
    test_expect_curve_laws("stick and cube", &answer);
    assert_int_equal(answer.curve_count, 2);
    assert_true(answer.curves[0].closed && answer.curves[1].closed);
    for (uint64_t i = 0; i < answer.pair_count; i++)
        assert_true(answer.pairs[i].face_a < answer.pairs[i].face_b);
    random_stream random = {.state = 5};
    uint32_t new_face[24];
    test_mesh_shuffle(&mesh, &random, new_face);
    test_answer shuffled = test_ask("stick and cube, shuffled", &query);
    const test_renumbering renumbering = {.new_a = new_face, .new_b = new_face, .self = true};
    test_expect_same_contacts("stick and cube, shuffled", &answer, &shuffled, &renumbering);
    test_answer_finish(&answer);
    test_answer_finish(&shuffled);
    test_mesh_finish(&mesh);
}

// ---- Laws on random meshes ------------------------------------------------------------------------------------------

// A random mesh of one of several sorts. On the small raster many positions coincide; at the scale of 2^-1072 most
// rounded positions do.
static test_mesh random_mesh(random_stream *random, uint32_t sort)
{
    test_mesh mesh = {0};
    switch (sort) {
    case 0:
        mesh = test_mesh_random_triangles(random, 60, 0.7, 0);
        break;
    case 1:
    case 2:
        mesh = test_mesh_random_triangles(random, 14, 0, 2);
        break;
    case 3:
        mesh = test_mesh_icosphere(1, 2);
        for (uint64_t i = 0; i < 3 * mesh.vertex_count; i++)
            mesh.positions[i] += 0.05 * random_signed(random);
        test_mesh_move(&mesh, 0.6 * random_signed(random), 0.6 * random_signed(random), 0.6 * random_signed(random));
        break;
    case 4:
        for (int i = 0; i < 3; i++) {
            double low[3], high[3];
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = (double)random_below(random, 4);
                high[axis] = low[axis] + 1.0 + (double)random_below(random, 3);
            }
            test_mesh_take(&mesh, i == 1 ? test_mesh_box_quads(low, high) : test_mesh_box(low, high));
        }
        break;
    default:
        mesh = test_mesh_grid_quads(4, 4, 1);
        test_mesh_move(&mesh, -2, -2, 0);
        for (uint64_t i = 0; i < 3 * mesh.vertex_count; i++)
            mesh.positions[i] += (double)random_below(random, 3) - 1.0;
    }
    if (sort == 2)
        test_mesh_scale(&mesh, 0x1p-1073, 0x1p-1073, 0x1p-1073);
    return mesh;
}

enum {
    MESH_SORTS = 6
};

static void swapping_and_renumbering_change_no_bit(void **state)
{
    (void)state;
    uint64_t contacts = 0, curves = 0;
    const uint32_t share = TEST_SANITIZED ? 8 : 2;
    for (uint32_t seed = 0; seed < 40 / share * MESH_SORTS; seed++) {
        char what[64];
        random_stream random = {.state = UINT64_C(0xc0a7) << 32 | seed};
        test_mesh a = random_mesh(&random, seed % MESH_SORTS), b = random_mesh(&random, seed % MESH_SORTS);
        uint32_t *new_a = malloc((size_t)(a.face_count + 1) * sizeof *new_a),
                 *new_b = malloc((size_t)(b.face_count + 1) * sizeof *new_b);
        assert_non_null(new_a);
        assert_non_null(new_b);
        snprintf(what, sizeof what, "random pair, seed %u", seed);
        test_answer plain = test_ask_with_laws(what, &a, &b);
        test_mesh_shuffle(&a, &random, new_a);
        test_mesh_shuffle(&b, &random, new_b);
        snprintf(what, sizeof what, "random pair, seed %u, shuffled", seed);
        test_answer shuffled = test_ask_with_laws(what, &a, &b);
        const test_renumbering renumbering = {.new_a = new_a, .new_b = new_b};
        test_expect_same_contacts(what, &plain, &shuffled, &renumbering);
        contacts += plain.contact_count;
        curves += plain.curve_count;
        test_answer_finish(&plain);
        test_answer_finish(&shuffled);
        // Both as one mesh, with itself.
        test_mesh_take(&a, test_mesh_copy(&b));
        const test_query query = test_query_of_self(&a, GRZ_FIND_CURVES);
        snprintf(what, sizeof what, "random mesh with itself, seed %u", seed);
        plain = test_ask(what, &query);
        test_expect_contact_laws(what, &plain);
        test_expect_curve_laws(what, &plain);
        uint32_t *new_face = malloc((size_t)(a.face_count + 1) * sizeof *new_face);
        assert_non_null(new_face);
        test_mesh_shuffle(&a, &random, new_face);
        shuffled = test_ask(what, &query);
        const test_renumbering own = {.new_a = new_face, .new_b = new_face, .self = true};
        test_expect_same_contacts(what, &plain, &shuffled, &own);
        test_answer_finish(&plain);
        test_answer_finish(&shuffled);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
        free(new_a);
        free(new_b);
        free(new_face);
    }
    print_message("  %llu contacts, %llu curves\n", (unsigned long long)contacts, (unsigned long long)curves);
    assert_true(contacts > 10000 / share && curves > 1000 / share);
}

// How far a point is from a triangle's box and plane, in ulps of the largest coordinate. Computed in long double, so
// that its own rounding does not matter.
static double distance_from_triangle(const double *point, const test_mesh *mesh, uint32_t face)
{
    const double *corner[3];
    double largest = 0.0, worst = 0.0;
    long double normal[3], u[3], v[3], along = 0.0L, length = 0.0L;
    for (int i = 0; i < 3; i++) {
        corner[i] = mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)face + (size_t)i];
        for (int axis = 0; axis < 3; axis++)
            largest = fabs(corner[i][axis]) > largest ? fabs(corner[i][axis]) : largest;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double low = fmin(fmin(corner[0][axis], corner[1][axis]), corner[2][axis]);
        const double high = fmax(fmax(corner[0][axis], corner[1][axis]), corner[2][axis]);
        worst = fmax(worst, fmax(low - point[axis], point[axis] - high));
        u[axis] = (long double)corner[1][axis] - (long double)corner[0][axis];
        v[axis] = (long double)corner[2][axis] - (long double)corner[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
        along += normal[axis] * ((long double)point[axis] - (long double)corner[0][axis]);
        length += normal[axis] * normal[axis];
    }
    worst = fmax(worst, (double)(fabsl(along) / sqrtl(length)));
    return worst / (largest * 0x1p-52);
}

static void contact_points_lie_on_both_triangles(void **state)
{
    (void)state;
    double worst = 0.0;
    uint64_t points = 0;
    for (uint32_t seed = 0; seed < 30; seed++) {
        random_stream random = {.state = UINT64_C(0x4ea4) << 32 | seed};
        test_mesh a = random_mesh(&random, seed % 2 == 0 ? 0 : 3), b = random_mesh(&random, seed % 2 == 0 ? 0 : 3);
        const test_query query = test_query_of_pair(&a, &b, GRZ_FIND_CONTACTS);
        test_answer answer = test_ask("points", &query);
        for (uint64_t i = 0; i < answer.contact_count; i++) {
            const grz_contact *c = &answer.contacts[i];
            const grz_pair *pair = &answer.pairs[c->pair];
            for (uint64_t k = 0; k < c->point_count; k++) {
                const double *point = answer.points + 3 * (c->first_point + k);
                const double distance = fmax(distance_from_triangle(point, &a, pair->face_a),
                                             distance_from_triangle(point, &b, pair->face_b));
                if (!(distance < 8.0))
                    fail_msg("seed %u: a point of pair %u-%u is %g ulp off", seed, pair->face_a, pair->face_b,
                             distance);
                worst = fmax(worst, distance);
            }
        }
        points += answer.point_count;
        test_answer_finish(&answer);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
    print_message("  %llu points, at most %.2g ulp off\n", (unsigned long long)points, worst);
    assert_true(points > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_of_two_triangles_are_as_worked_out_by_hand),
        cmocka_unit_test(a_face_pair_lists_the_contacts_of_its_triangles),
        cmocka_unit_test(closed_surfaces_meet_in_closed_curves),
        cmocka_unit_test(open_sheets_meet_in_open_curves),
        cmocka_unit_test(a_point_alone_is_a_curve_of_one_point),
        cmocka_unit_test(a_point_at_the_position_of_a_curve_is_not_listed),
        cmocka_unit_test(segments_that_overlap_within_one_position_are_one_curve),
        cmocka_unit_test(curves_of_a_moved_mesh_with_itself_are_cut_where_it_is_moved_to),
        cmocka_unit_test(stacked_cubes_meet_in_the_outline_of_their_common_area),
        cmocka_unit_test(curves_split_where_more_than_two_segments_meet),
        cmocka_unit_test(a_mesh_that_crosses_itself_has_curves),
        cmocka_unit_test(swapping_and_renumbering_change_no_bit),
        cmocka_unit_test(contact_points_lie_on_both_triangles),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
