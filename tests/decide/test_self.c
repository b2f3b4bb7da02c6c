// SPDX-License-Identifier: MIT
// Self-collision by its definition: two triangles collide if their intersection is not contained in the convex hull of
// the corners that they share. Triangles that share three corners always collide; triangles of one face are never
// paired. The meshes are small, and a comment derives their pairs and kinds. Every query is run by each method, with
// one thread and with two. test_self_random.c has random meshes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "support_queries.h"

enum {
    MAX_EXPECTED = 64
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// ---- Meshes worked out by hand --------------------------------------------------------------------------------------

// A test case: vertices, triangles and expected pairs.
typedef struct paper_case {
    const char *what;
    double vertices[16][3];
    uint64_t vertex_count;
    uint32_t triangles[16][3];
    uint64_t triangle_count;
    grz_pair pairs[MAX_EXPECTED];
    uint64_t pair_count;
} paper_case;

static test_mesh paper_mesh(const paper_case *c)
{
    return test_mesh_make(&c->vertices[0][0], c->vertex_count, &c->triangles[0][0], c->triangle_count, 3);
}

// Ask about the case as it is, with the faces reversed, and with all coordinates scaled down until products underflow.
static void check_paper(const paper_case *c)
{
    test_mesh mesh = paper_mesh(c);
    const test_query query = test_query_of_self(&mesh, GRZ_FIND_PAIRS);
    test_expect_query(c->what, &query, c->pairs, c->pair_count);
    test_mesh_reverse(&mesh);
    test_expect_query(c->what, &query, c->pairs, c->pair_count);
    test_mesh_scale(&mesh, 0x1p-1000, 0x1p-1000, 0x1p-1000);
    test_expect_query(c->what, &query, c->pairs, c->pair_count);
    test_mesh_finish(&mesh);
}

static void neighbours_collide_only_when_folded_flat(void **state)
{
    (void)state;
    // Edge 0-1 on the x axis is shared. With both free corners at y > 0 in the plane z = 0 the triangles overlap with
    // area.
    const paper_case flat = {"folded flat",
                             {{0, 0, 0}, {4, 0, 0}, {1, 3, 0}, {2, 2, 0}},
                             4,
                             {{0, 1, 2}, {1, 0, 3}},
                             2,
                             {{0, 1, GRZ_COPLANAR}},
                             1};
    // The free corner a hair above the plane: the planes differ, their common line is the x axis, the intersection is
    // the shared edge.
    const paper_case nearly = {"folded nearly flat",
                               {{0, 0, 0}, {4, 0, 0}, {1, 3, 0}, {2, 2, 0x1p-60}},
                               4,
                               {{0, 1, 2}, {1, 0, 3}},
                               2,
                               {{0, 0, 0}},
                               0};
    // Free corners on both sides of the edge in one plane: the intersection is the edge.
    const paper_case unfolded = {
        "unfolded flat", {{0, 0, 0}, {4, 0, 0}, {1, 3, 0}, {2, -2, 0}}, 4, {{0, 1, 2}, {1, 0, 3}}, 2, {{0, 0, 0}}, 0};
    // A right angle.
    const paper_case bent = {
        "bent", {{0, 0, 0}, {4, 0, 0}, {1, 3, 0}, {2, 0, 2}}, 4, {{0, 1, 2}, {1, 0, 3}}, 2, {{0, 0, 0}}, 0};
    check_paper(&flat);
    check_paper(&nearly);
    check_paper(&unfolded);
    check_paper(&bent);
}

static void three_shared_corners_always_collide(void **state)
{
    (void)state;
    // Faces 0, 1 and 2 have the same corners; 2 is turned over, 3 repeats them at other vertices. Six pairs, each with
    // area.
    const paper_case copies = {"copies",
                               {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
                               6,
                               {{0, 1, 2}, {1, 2, 0}, {0, 2, 1}, {3, 4, 5}},
                               4,
                               {{0, 1, GRZ_COPLANAR},
                                {0, 2, GRZ_COPLANAR},
                                {0, 3, GRZ_COPLANAR},
                                {1, 2, GRZ_COPLANAR},
                                {1, 3, GRZ_COPLANAR},
                                {2, 3, GRZ_COPLANAR}},
                               6};
    // A segment and a point, twice each. The copies collide, without area: touching. Segment and point lie apart.
    const paper_case degenerate = {"degenerate copies",
                                   {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {9, 0, 0}},
                                   4,
                                   {{0, 1, 2}, {2, 0, 1}, {3, 3, 3}, {3, 3, 3}},
                                   4,
                                   {{0, 1, GRZ_TOUCHING}, {2, 3, GRZ_TOUCHING}},
                                   2};
    check_paper(&copies);
    check_paper(&degenerate);
}

static void triangles_that_meet_in_their_common_corner_do_not_collide(void **state)
{
    (void)state;
    // A bow tie in one plane, and one whose wings stand at a right angle: they meet in vertex 0 alone, which is shared.
    const paper_case flat = {"flat bow tie",
                             {{0, 0, 0}, {4, 1, 0}, {4, -1, 0}, {-4, 1, 0}, {-4, -1, 0}},
                             5,
                             {{0, 1, 2}, {0, 3, 4}},
                             2,
                             {{0, 0, 0}},
                             0};
    const paper_case turned = {"turned bow tie",
                               {{0, 0, 0}, {4, 1, 0}, {4, -1, 0}, {-4, 0, 1}, {-4, 0, -1}},
                               5,
                               {{0, 1, 2}, {0, 3, 4}},
                               2,
                               {{0, 0, 0}},
                               0};
    // Eight sectors round one vertex, a flat disc: neighbours share an edge, others the vertex.
    const paper_case disc = {
        "disc",
        {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {-2, 2, 0}, {-2, 0, 0}, {-2, -2, 0}, {0, -2, 0}, {2, -2, 0}},
        9,
        {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}, {0, 7, 8}, {0, 8, 1}},
        8,
        {{0, 0, 0}},
        0};
    check_paper(&flat);
    check_paper(&turned);
    check_paper(&disc);
}

static void triangles_that_share_a_corner_collide_where_more_is_common(void **state)
{
    (void)state;
    // Face 1 lies in the plane x = y, upright through the inside of face 0: common is the segment from the shared
    // (0,0,0) to (1,1,0), inside both but for its first end: crossing.
    const paper_case crossing = {"corner and crossing",
                                 {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 2}, {1, 1, -2}},
                                 5,
                                 {{0, 1, 2}, {0, 3, 4}},
                                 2,
                                 {{0, 1, GRZ_CROSSING}},
                                 1};
    // Edges 0-1 and 0-3 lie on the x axis: common is the segment from (0,0,0) to (2,0,0), an edge of face 1: touching.
    const paper_case edges = {"corner and edges on a line",
                              {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 0, 0}, {1, -2, 1}},
                              5,
                              {{0, 1, 2}, {0, 3, 4}},
                              2,
                              {{0, 1, GRZ_TOUCHING}},
                              1};
    // The same in one plane, unfolded: still a segment. Folded: an area.
    const paper_case flat = {"corner and edges on a line, flat",
                             {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 0, 0}, {1, -2, 0}},
                             5,
                             {{0, 1, 2}, {0, 3, 4}},
                             2,
                             {{0, 1, GRZ_TOUCHING}},
                             1};
    const paper_case area = {"corner and area",
                             {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 1, 0}, {1, 2, 0}},
                             5,
                             {{0, 1, 2}, {0, 3, 4}},
                             2,
                             {{0, 1, GRZ_COPLANAR}},
                             1};
    // The far edge of face 1 runs down through the edge 1-2 of face 0 at (2,2,0): the segment from the corner to there.
    const paper_case far_edge = {"corner and far edge",
                                 {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 2, 3}, {2, 2, -3}},
                                 5,
                                 {{0, 1, 2}, {0, 3, 4}},
                                 2,
                                 {{0, 1, GRZ_CROSSING}},
                                 1};
    check_paper(&crossing);
    check_paper(&edges);
    check_paper(&flat);
    check_paper(&area);
    check_paper(&far_edge);
}

static void what_touches_without_a_shared_corner_collides(void **state)
{
    (void)state;
    // A T-junction: corner 3 of face 1 lies in the middle of edge 0-1 of face 0 and is no corner of it.
    const paper_case junction = {"T-junction",
                                 {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 0, 0}, {2, -2, 0}, {4, -2, 0}},
                                 6,
                                 {{0, 1, 2}, {3, 4, 5}},
                                 2,
                                 {{0, 1, GRZ_TOUCHING}},
                                 1};
    // A long edge 0-1 against two short ones 0-3, 3-1. Face 1 shares corner 0 with face 0, face 2 corner 1; each meets
    // face 0 in half the long edge. Faces 1 and 2 meet in their shared edge 3-4.
    const paper_case hanging = {"hanging vertex",
                                {{0, 0, 0}, {4, 0, 0}, {2, 4, 0}, {2, 0, 0}, {2, -2, 0}},
                                5,
                                {{0, 1, 2}, {0, 4, 3}, {3, 4, 1}},
                                3,
                                {{0, 1, GRZ_TOUCHING}, {0, 2, GRZ_TOUCHING}},
                                2};
    // A corner on a face; an edge through an edge; planes parallel and apart.
    const paper_case others = {"corner on a face, edge on an edge, apart",
                               {{0, 0, 0},
                                {4, 0, 0},
                                {0, 4, 0},
                                {1, 1, 0},
                                {1, 2, 3},
                                {2, 1, 3},
                                {0, -1, -1},
                                {0, 1, 1},
                                {-3, 0, 0},
                                {0, 0, 9},
                                {4, 0, 9},
                                {0, 4, 9}},
                               12,
                               {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}},
                               4,
                               {{0, 1, GRZ_TOUCHING}, {0, 2, GRZ_TOUCHING}},
                               2};
    check_paper(&junction);
    check_paper(&hanging);
    check_paper(&others);
}

static void degenerate_faces_collide_like_any_other(void **state)
{
    (void)state;
    // Corners 0 and 1 end an edge with 3 in its middle. Faces: 0 a triangle on that edge; 1 the segment 0-1; 2 the
    // segment 0-3; 3 the point 3; 4 the segment 0-1 again; 5 the point 1. 0-1: the segment is the hull of the shared 0,
    // 1. 0-2: the segment 0-3 is more than the shared 0. 0-3: nothing is shared. 0-4: as 0-1. 0-5: the point 1 is
    // shared. 1-2: 0 and 3 are shared. 1-3: 3 is. 1-4: three corners are. 1-5: 1 is. 2-3: 3 is. 2-4: as 1-2. 2-5:
    // apart. 3-4: as 1-3. 3-5: apart. 4-5: as 1-5.
    const paper_case small = {"segments and points",
                              {{0, 0, 0}, {4, 0, 0}, {1, 4, 0}, {2, 0, 0}},
                              4,
                              {{0, 1, 2}, {0, 1, 3}, {0, 3, 3}, {3, 3, 3}, {0, 3, 1}, {1, 1, 1}},
                              6,
                              {{0, 2, GRZ_TOUCHING}, {0, 3, GRZ_TOUCHING}, {1, 4, GRZ_TOUCHING}},
                              3};
    // A needle of no width whose tip 3 reaches beyond the shared edge 0-1: segments 0-1-3 on a line. Face 0 stands on
    // 0-1, and meets the needle in just that edge; face 2 stands on 0-3: its edge is the hull of what it shares with
    // the needle, but more than the corner 0 that it shares with face 0.
    const paper_case needle = {"needle", {{0, 0, 0}, {2, 0, 0}, {0, 4, 0}, {4, 0, 0}, {0, -4, 0}},
                               5,        {{0, 1, 2}, {0, 1, 3}, {0, 3, 4}},
                               3,        {{0, 2, GRZ_TOUCHING}},
                               1};
    // A segment through the inside of a triangle, one that ends there, and one that shares a corner and runs through
    // the inside.
    const paper_case through = {
        "segments through a face",
        {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}, {1, 1, 1}, {1, 1, -1}, {2, 2, 0}, {2, 2, 5}, {3, 3, 0}},
        8,
        {{0, 1, 2}, {3, 4, 4}, {5, 6, 6}, {1, 7, 7}},
        4,
        {{0, 1, GRZ_TOUCHING}, {0, 2, GRZ_TOUCHING}, {0, 3, GRZ_TOUCHING}},
        3};
    check_paper(&small);
    check_paper(&needle);
    check_paper(&through);
}

static void closed_surfaces_do_not_collide(void **state)
{
    (void)state;
    const double corners[4][3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
    test_mesh meshes[] = {test_mesh_cube(0, 0, 0, 2),    test_mesh_tetrahedron(corners),      test_mesh_icosphere(1, 3),
                          test_mesh_torus(3, 1, 24, 12), test_mesh_cube_quads(-1, -1, -1, 2), test_mesh_grid(12, 9, 1)};
    for (size_t i = 0; i < COUNT(meshes); i++) {
        char what[40];
        snprintf(what, sizeof what, "closed surface %zu", i);
        test_query query = test_query_of_self(&meshes[i], GRZ_FIND_PAIRS);
        test_expect_query(what, &query, NULL, 0);
        query.flags = GRZ_MESH_INDEX_ONLY;
        test_expect_query(what, &query, NULL, 0);
        test_mesh_finish(&meshes[i]);
    }
}

static void a_soup_collides_with_itself_if_corners_are_shared_by_index_only(void **state)
{
    (void)state;
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), quads = test_mesh_cube_quads(0, 0, 0, 1);
    test_mesh soup = test_mesh_soup(&cube), quad_soup = test_mesh_soup(&quads);
    test_query query = test_query_of_self(&soup, GRZ_FIND_PAIRS);
    test_expect_query("cube soup", &query, NULL, 0);
    // By index nothing is shared, so every pair with a common corner touches. The diagonals 0-2, 4-6, 0-5, 1-6, 2-7,
    // 3-4 give corners 0, 2, 4, 6 five triangles and the others four: 4·10 + 4·6 = 64 pairs, of which the 18 with a
    // common edge were counted twice: 46. Of those in one plane none has area in common.
    query.flags = GRZ_MESH_INDEX_ONLY;
    test_answer answer = test_ask("cube soup by index", &query);
    assert_int_equal(answer.pair_count, 46);
    assert_int_equal(answer.summary.kinds[GRZ_TOUCHING], 46);
    test_answer_finish(&answer);
    // Six quads: all pairs but the three opposite ones.
    query.a = &quad_soup;
    const grz_pair expected[12] = {{0, 2, GRZ_TOUCHING}, {0, 3, GRZ_TOUCHING}, {0, 4, GRZ_TOUCHING},
                                   {0, 5, GRZ_TOUCHING}, {1, 2, GRZ_TOUCHING}, {1, 3, GRZ_TOUCHING},
                                   {1, 4, GRZ_TOUCHING}, {1, 5, GRZ_TOUCHING}, {2, 3, GRZ_TOUCHING},
                                   {2, 5, GRZ_TOUCHING}, {3, 4, GRZ_TOUCHING}, {4, 5, GRZ_TOUCHING}};
    test_expect_query("quad soup by index", &query, expected, 12);
    query.flags = 0;
    test_expect_query("quad soup", &query, NULL, 0);
    test_mesh *all[] = {&cube, &quads, &soup, &quad_soup};
    for (size_t i = 0; i < COUNT(all); i++)
        test_mesh_finish(all[i]);
}

static void both_zeros_are_one_position(void **state)
{
    (void)state;
    // Two triangles side by side, their common edge from (0,0,0) to (0,2,0) written with zeros of both signs.
    paper_case seam = {
        "zeros", {{0.0, 0.0, -0.0}, {0.0, 2, 0.0}, {2, 0, 0}, {-0.0, -0.0, 0.0}, {-0.0, 2, -0.0}, {-2, 0, 0}},
        6,       {{0, 1, 2}, {3, 4, 5}},
        2,       {{0, 0, 0}},
        0};
    check_paper(&seam);
    test_mesh mesh = paper_mesh(&seam);
    test_query query = test_query_of_self(&mesh, GRZ_FIND_PAIRS);
    query.flags = GRZ_MESH_INDEX_ONLY;
    const grz_pair expected[1] = {{0, 1, GRZ_TOUCHING}};
    test_expect_query("zeros by index", &query, expected, 1);
    test_mesh_finish(&mesh);
}

// ---- Polygons -------------------------------------------------------------------------------------------------------

static void triangles_of_one_face_are_never_paired(void **state)
{
    (void)state;
    // A quad folded shut: both triangles of its fan, (0,0) (4,0) (0,4) and (0,0) (0,4) (4,4), lie on the same side of
    // their common edge and overlap. And one that is far from plane.
    const double folded[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 0}},
                 warped[4][3] = {{0, 0, 0}, {4, 0, 3}, {4, 4, 0}, {0, 4, 5}};
    static const uint32_t corners[4] = {0, 1, 2, 3};
    test_mesh one = test_mesh_make(&folded[0][0], 4, corners, 1, 4),
              other = test_mesh_make(&warped[0][0], 4, corners, 1, 4);
    test_query query = test_query_of_self(&one, GRZ_FIND_PAIRS);
    test_expect_query("folded quad", &query, NULL, 0);
    query.a = &other;
    test_expect_query("warped quad", &query, NULL, 0);
    // The same face twice: its triangles collide with those of the other, one pair with area.
    test_mesh_take(&one, test_mesh_copy(&one));
    query.a = &one;
    const grz_pair expected[1] = {{0, 1, GRZ_COPLANAR}};
    test_expect_query("folded quad twice", &query, expected, 1);
    test_mesh_finish(&one);
    test_mesh_finish(&other);
}

static void a_pair_of_polygons_takes_its_strongest_kind(void **state)
{
    (void)state;
    // Quad 0: the square [0,4]² at z = 0. Quad 1: upright at y = 1, x from 1 to 3, through it. Quad 2: upright at y = 3
    // with its lower edge in the plane: touching. Quad 3: in the plane, overlapping quad 0 in x from 3 to 4, away from
    // quads 1 and 2 (y > 3).
    const double vertices[16][3] = {{0, 0, 0},   {4, 0, 0},   {4, 4, 0}, {0, 4, 0}, {1, 1, -2}, {3, 1, -2},
                                    {3, 1, 2},   {1, 1, 2},   {1, 3, 0}, {3, 3, 0}, {3, 3, 2},  {1, 3, 2},
                                    {3, 3.5, 0}, {6, 3.5, 0}, {6, 5, 0}, {3, 5, 0}};
    static const uint32_t corners[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    test_mesh mesh = test_mesh_make(&vertices[0][0], 16, corners, 4, 4);
    const test_query query = test_query_of_self(&mesh, GRZ_FIND_CURVES);
    const grz_pair expected[3] = {{0, 1, GRZ_CROSSING}, {0, 2, GRZ_TOUCHING}, {0, 3, GRZ_COPLANAR}};
    test_expect_query("quads", &query, expected, 3);
    test_mesh_finish(&mesh);
}

static void crossing_sheets_collide_face_by_face(void **state)
{
    (void)state;
    // Faces 0 to 3: squares of side 4 at z = 0, 0 and 1 at y < 4. Faces 4 to 7: a sheet at y = 2 with columns x from 1
    // to 3 and 3 to 7, rows z from -4 to -1 and -1 to 4. The upper row, 6 and 7, meets z = 0: 6 within square 0; 7 from
    // x = 3 to 4 in 0, from 4 to 7 in 1.
    test_mesh mesh = test_mesh_grid_quads(2, 2, 4);
    const double x[3] = {1, 3, 7}, z[3] = {-4, -1, 4};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            test_mesh_add_vertex(&mesh, x[column], 2, z[row]);
    for (uint32_t row = 0; row < 2; row++) {
        for (uint32_t column = 0; column < 2; column++) {
            const uint32_t first = 9 + 3 * row + column, corners[4] = {first, first + 1, first + 4, first + 3};
            test_mesh_add_face(&mesh, corners, 4);
        }
    }
    const test_query query = test_query_of_self(&mesh, GRZ_FIND_PAIRS);
    const grz_pair expected[3] = {{0, 6, GRZ_CROSSING}, {0, 7, GRZ_CROSSING}, {1, 7, GRZ_CROSSING}};
    test_expect_query("sheets", &query, expected, 3);
    test_mesh_finish(&mesh);
}

// ---- New positions --------------------------------------------------------------------------------------------------

typedef struct landing {
    const char *what;
    double positions[6][3];
    uint64_t pair_count;
    uint32_t kind;
} landing;

// Move the vertices of two triangles, which share no index, from `start` to the positions of each landing.
static void expect_landings(const double start[6][3], const landing *landings, size_t count)
{
    static const uint32_t corners[6] = {0, 1, 2, 3, 4, 5};
    test_mesh mesh = test_mesh_make(&start[0][0], 6, corners, 2, 3);
    for (size_t i = 0; i < count; i++) {
        const grz_pair expected[1] = {{0, 1, landings[i].kind}};
        test_query query = test_query_of_self(&mesh, GRZ_FIND_PAIRS);
        query.moved_a = &landings[i].positions[0][0];
        test_expect_query(landings[i].what, &query, expected, landings[i].pair_count);
    }
    test_mesh_finish(&mesh);
}

static void a_vertex_that_lands_on_another_is_a_contact(void **state)
{
    (void)state;
    const double start[6][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 3}, {2, 1, 5}, {1, 2, 5}};
    // Vertex 3 moves onto the face, onto an edge, onto corner 0, and through the face. In the last case all of face 1
    // lies exactly on face 0.
    const landing landings[] = {
        {"stays", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}, {2, 1, 5}, {1, 2, 5}}, 0, 0},
        {"on the face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}, {2, 1, 5}, {1, 2, 5}}, 1, GRZ_TOUCHING},
        {"on the edge", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 0, 0}, {2, 1, 5}, {1, 2, 5}}, 1, GRZ_TOUCHING},
        {"on the corner", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 0}, {2, 1, 5}, {1, 2, 5}}, 1, GRZ_TOUCHING},
        {"on the other zero",
         {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {-0.0, -0.0, -0.0}, {2, 1, 5}, {1, 2, 5}},
         1,
         GRZ_TOUCHING},
        {"through", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {2, 1, 5}, {1, 2, 5}}, 1, GRZ_CROSSING},
        {"on all corners", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, 1, GRZ_COPLANAR},
    };
    expect_landings(start, landings, COUNT(landings));
}

static void corners_that_were_one_at_creation_are_shared_while_they_stay_together(void **state)
{
    (void)state;
    // Two triangles joined along (0,0,0)-(0,4,0) by position: vertices 0 and 3, 1 and 4.
    const double start[6][3] = {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}, {0, 0, 0}, {0, 4, 0}, {-4, 0, 0}};
    const landing landings[] = {
        // The seam moves as one.
        {"together", {{1, 0, 7}, {1, 4, 7}, {4, 0, 0}, {1, 0, 7}, {1, 4, 7}, {-4, 0, 0}}, 0, 0},
        // It opens wholly; at one end, with the other still shared.
        {"apart", {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}, {-1, 0, 0}, {-1, 4, 0}, {-4, 0, 0}}, 0, 0},
        {"half open", {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}, {-1, 0, 0}, {0, 4, 0}, {-4, 0, 0}}, 0, 0},
        // Vertex 3 slides along the edge of face 0. It is no longer at vertex 0, so it is not shared any more and
        // touches; the edge from it to the still shared (0,4,0) is common.
        {"slid along", {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}, {0, 1, 0}, {0, 4, 0}, {-4, 0, 0}}, 1, GRZ_TOUCHING},
        // Vertices 3 and 4 change places: the same edge, but no corner of it is where its partner is.
        {"crosswise", {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 0}, {-4, 0, 0}}, 1, GRZ_TOUCHING},
        // Folded over, the seam still closed.
        {"folded", {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}, {0, 0, 0}, {0, 4, 0}, {3, 1, 0}}, 1, GRZ_COPLANAR},
        {"back again", {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}, {0, 0, 0}, {0, 4, 0}, {-4, 0, 0}}, 0, 0},
    };
    expect_landings(start, landings, COUNT(landings));
}

static void split_normals_do_not_collide(void **state)
{
    (void)state;
    test_mesh sphere = test_mesh_icosphere(1, 2), soup = test_mesh_soup(&sphere);
    test_query query = test_query_of_self(&soup, GRZ_FIND_PAIRS);
    test_expect_query("sphere with split normals", &query, NULL, 0);
    // Grown to twice the size the seams stay closed.
    test_mesh grown = test_mesh_copy(&soup);
    test_mesh_scale(&grown, 2, 3, 4);
    query.moved_a = grown.positions;
    test_expect_query("grown sphere", &query, NULL, 0);
    test_mesh_finish(&grown);
    test_mesh_finish(&soup);
    test_mesh_finish(&sphere);
}

static void a_pose_moves_the_points_only(void **state)
{
    (void)state;
    // A segment from (1,1,0) to (3,1,0), mirrored in x, halved in z and moved: to (4,2,6) and (6,2,6), smaller end
    // first.
    const double vertices[6][3] = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}, {1, 1, -1}, {3, 1, -1}, {2, 1, 9}};
    static const uint32_t corners[6] = {0, 1, 2, 3, 4, 5};
    test_mesh mesh = test_mesh_make(&vertices[0][0], 6, corners, 2, 3);
    test_query query = test_query_of_self(&mesh, GRZ_FIND_CONTACTS);
    test_answer plain = test_ask("plain", &query);
    query.pose_a = (grz_pose){{{-1, 0, 0, 7}, {0, 1, 0, 1}, {0, 0, 0.5, 6}}};
    test_answer posed = test_ask("posed", &query);
    assert_int_equal(plain.pair_count, 1);
    assert_int_equal(posed.pair_count, 1);
    assert_int_equal(posed.point_count, 2);
    // At z = 0 the sloping sides of face 1 are a tenth of the way up: x = 1.1 and 2.9, rounded. World: 7 - x.
    assert_true(posed.points[0] == 7.0 - plain.points[3] && posed.points[3] == 7.0 - plain.points[0]);
    assert_true(posed.points[1] == 2.0 && posed.points[2] == 6.0 && posed.points[4] == 2.0 && posed.points[5] == 6.0);
    // A singular pose flattens what is reported, never what is decided.
    query.pose_a = (grz_pose){{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 5}}};
    test_answer flat = test_ask("flat", &query);
    assert_int_equal(flat.pair_count, 1);
    assert_int_equal(flat.pairs[0].kind, GRZ_CROSSING);
    test_answer_finish(&plain);
    test_answer_finish(&posed);
    test_answer_finish(&flat);
    test_mesh_finish(&mesh);
}

// A coordinate that a pose moves to -0 is reported as +0 in contacts, curves and the region.
static void points_moved_to_zero_are_plus_zero(void **state)
{
    (void)state;
    // Two triangles cross from (1, 1, 0) to (1.5, 1, 0); apart from them two more touch in (1, 1, 4).
    const double vertices[12][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 1, 1}, {2, 1, 1},
                                    {0, 0, 4}, {4, 0, 4}, {0, 4, 4}, {1, 1, 4},  {2, 1, 5}, {1, 2, 5}};
    static const uint32_t corners[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    // Mirroring and flattening turn positive coordinates into -0. Adding 0 does not fix that, and adding -0 keeps it.
    const grz_pose poses[] = {
        {{{-1, 0, 0, 1}, {0, 1, 0, -1}, {0, 0, 1, 0}}},
        {{{-0.0, 0, -0.0, -0.0}, {-0.0, -0.0, -0.0, -0.0}, {-0.0, -0.0, -0.0, -0.0}}},
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {-0.0, -0.0, -1, -0.0}}},
        {{{1e-300, 0, 0, -0.0}, {0, -1e-300, 0, -0.0}, {-1e-300, -0.0, -1, -0.0}}},
        {{{-0x1p-1074, -0.0, -0.0, -0.0}, {-0.0, -0x1p-1074, -0.0, -0.0}, {-0.0, -0.0, -0x1p-1074, -0.0}}},
    };
    test_mesh mesh = test_mesh_make(&vertices[0][0], 12, corners, 4, 3);
    test_mesh halved = test_mesh_copy(&mesh); // what the last pose moves rounds to -0
    test_mesh_scale(&halved, 0.125, 0.125, 0.125);
    uint64_t zeros = 0;
    for (size_t i = 0; i < 2 * COUNT(poses); i++) {
        test_query query = test_query_of_self(i % 2 ? &halved : &mesh, GRZ_FIND_CURVES);
        query.pose_a = poses[i / 2];
        test_answer answer = test_ask("moved to zero", &query);
        const grz_summary *s = &answer.summary;
        assert_int_equal(answer.pair_count, 2);
        assert_true(s->has_region);
        for (uint64_t k = 0; k < 3 * (answer.point_count + answer.curve_point_count); k++) {
            const double x =
                k < 3 * answer.point_count ? answer.points[k] : answer.curve_points[k - 3 * answer.point_count];
            if (x == 0.0 && signbit(x))
                fail_msg("pose %zu: coordinate %llu is -0", i, (unsigned long long)k);
            zeros += x == 0.0;
        }
        for (int k = 0; k < 3; k++)
            assert_false((s->region_min[k] == 0.0 && signbit(s->region_min[k])) ||
                         (s->region_max[k] == 0.0 && signbit(s->region_max[k])));
        test_answer_finish(&answer);
    }
    assert_true(zeros > 30);
    test_mesh_finish(&halved);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_collide_only_when_folded_flat),
        cmocka_unit_test(three_shared_corners_always_collide),
        cmocka_unit_test(triangles_that_meet_in_their_common_corner_do_not_collide),
        cmocka_unit_test(triangles_that_share_a_corner_collide_where_more_is_common),
        cmocka_unit_test(what_touches_without_a_shared_corner_collides),
        cmocka_unit_test(degenerate_faces_collide_like_any_other),
        cmocka_unit_test(closed_surfaces_do_not_collide),
        cmocka_unit_test(a_soup_collides_with_itself_if_corners_are_shared_by_index_only),
        cmocka_unit_test(both_zeros_are_one_position),
        cmocka_unit_test(triangles_of_one_face_are_never_paired),
        cmocka_unit_test(a_pair_of_polygons_takes_its_strongest_kind),
        cmocka_unit_test(crossing_sheets_collide_face_by_face),
        cmocka_unit_test(a_vertex_that_lands_on_another_is_a_contact),
        cmocka_unit_test(corners_that_were_one_at_creation_are_shared_while_they_stay_together),
        cmocka_unit_test(split_normals_do_not_collide),
        cmocka_unit_test(a_pose_moves_the_points_only),
        cmocka_unit_test(points_moved_to_zero_are_plus_zero),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
