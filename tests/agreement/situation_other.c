// SPDX-License-Identifier: MIT
// Situations of convex solids, of triangles, and of surfaces whose positions are any numbers.
#include <math.h>
#include <string.h>

#include "situation.h"
#include "support_solids.h"

static int64_t six_volumes(const int64_t c[4][3])
{
    int64_t e[3][3], sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            e[i][k] = c[i + 1][k] - c[0][k];
    for (int k = 0; k < 3; k++)
        sum += e[0][k] * (e[1][(k + 1) % 3] * e[2][(k + 2) % 3] - e[1][(k + 2) % 3] * e[2][(k + 1) % 3]);
    return sum;
}

static void to_doubles(const int64_t (*from)[3], int count, double (*to)[3])
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            to[i][k] = (double)from[i][k];
}

static void draw_corner(agree_source *s, int64_t corner[3])
{
    for (int k = 0; k < 3; k++)
        corner[k] = agree_between(s, -3, 3);
}

// A tetrahedron of small whole numbers. One axis is stretched.
static void make_tetrahedron(agree_source *s, const int64_t stretch[3], agree_body *body)
{
    int64_t corners[4][3];
    double positions[4][3];
    for (int i = 0; i < 4; i++)
        draw_corner(s, corners[i]);
    for (int tries = 0; tries < 8 && six_volumes((const int64_t(*)[3])corners) == 0; tries++)
        draw_corner(s, corners[tries % 4]);
    if (six_volumes((const int64_t(*)[3])corners) == 0) {
        const int64_t plain[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
        memcpy(corners, plain, sizeof corners);
    }
    for (int i = 0; i < 12; i++)
        corners[i / 3][i % 3] *= stretch[i % 3];
    agree_add_tetrahedron(&body->pieces, (const int64_t(*)[3])corners);
    to_doubles((const int64_t(*)[3])corners, 4, positions);
    body->mesh = test_mesh_tetrahedron((const double(*)[3])positions);
}

static void make_box(agree_source *s, const int64_t stretch[3], agree_body *body)
{
    int64_t low[3], edges[3][3] = {{0}};
    double from[3], to[3];
    draw_corner(s, low);
    for (int k = 0; k < 3; k++) {
        low[k] *= stretch[k];
        edges[k][k] = agree_between(s, 1, 4) * stretch[k];
        from[k] = (double)low[k];
        to[k] = (double)(low[k] + edges[k][k]);
    }
    agree_add_box(&body->pieces, low, (const int64_t(*)[3])edges);
    body->mesh = agree_one_in(s, 2) ? test_mesh_box(from, to) : test_mesh_box_quads(from, to);
}

static void make_convex_body(agree_source *s, const int64_t stretch[3], agree_body *body)
{
    body->pose = grz_pose_identity();
    body->pieces.known = body->closed = body->convex = body->bare = body->wound = true;
    if (agree_one_in(s, 3))
        make_box(s, stretch, body);
    else
        make_tetrahedron(s, stretch, body);
}

static void draw_direction(agree_source *s, int d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = agree_between(s, -4, 4) * (agree_one_in(s, 3) ? 0 : 1);
    if (d[0] == 0 && d[1] == 0 && d[2] == 0)
        d[agree_below(s, 3)] = agree_one_in(s, 2) ? 1 : -1;
}

void agree_make_convex(agree_situation *s)
{
    static const int64_t plain[3] = {1, 1, 1};
    for (int i = 0; i < 2; i++)
        make_convex_body(&s->source, plain, &s->bodies[i]);
    draw_direction(&s->source, s->d);
}

// One axis of each is 2^6 to 2^10 times as long as another.
void agree_make_slivers(agree_situation *s)
{
    for (int i = 0; i < 2; i++) {
        int64_t stretch[3] = {1, 1, 1};
        if (i == 0 || !agree_one_in(&s->source, 3))
            stretch[agree_below(&s->source, 3)] = INT64_C(1) << agree_between(&s->source, 6, 10);
        if (agree_one_in(&s->source, 3))
            stretch[agree_below(&s->source, 3)] = INT64_C(1) << agree_between(&s->source, 6, 10);
        make_convex_body(&s->source, stretch, &s->bodies[i]);
    }
    draw_direction(&s->source, s->d);
}

static grz_pose draw_pose(agree_source *s)
{
    const double at[3] = {2.0 * agree_signed(s), 2.0 * agree_signed(s), 2.0 * agree_signed(s)};
    double turn[4];
    for (int k = 0; k < 4; k++)
        turn[k] = agree_signed(s);
    grz_pose pose;
    if (agree_one_in(s, 4) || grz_pose_from_quaternion(at, turn, &pose, NULL) != GRZ_OK)
        pose = grz_pose_from_translation(at[0], at[1], at[2]);
    return pose;
}

// Open triangles of small whole numbers, some of them with the corners of others.
void agree_make_soup(agree_situation *s)
{
    for (int i = 0; i < 2; i++) {
        agree_body *body = &s->bodies[i];
        body->pose = grz_pose_identity();
        const uint32_t count = 1 + agree_below(&s->source, 8);
        for (uint32_t n = 0; n < count; n++) {
            uint32_t corners[3];
            for (int j = 0; j < 3; j++) {
                if (body->mesh.vertex_count > 0 && agree_one_in(&s->source, 3)) {
                    corners[j] = agree_below(&s->source, (uint32_t)body->mesh.vertex_count);
                    continue;
                }
                int64_t at[3];
                draw_corner(&s->source, at);
                corners[j] = test_mesh_add_vertex(&body->mesh, (double)at[0] + 3.0 * i, (double)at[1], (double)at[2]);
            }
            test_mesh_add_triangle(&body->mesh, corners[0], corners[1], corners[2]);
        }
        for (int k = 0; k < 3; k++)
            body->pose.m[k][3] = agree_between(&s->source, -2, 2);
    }
    draw_direction(&s->source, s->d);
}

void agree_make_loose(agree_situation *s)
{
    for (int i = 0; i < 2; i++) {
        agree_body *body = &s->bodies[i];
        const uint32_t count = 1 + agree_below(&s->source, 10);
        for (uint32_t n = 0; n < count; n++) {
            double corners[3][3];
            for (int j = 0; j < 9; j++)
                corners[j / 3][j % 3] = agree_signed(&s->source);
            test_mesh_add_loose_triangle(&body->mesh, (const double(*)[3])corners);
        }
        body->pose = draw_pose(&s->source);
    }
    draw_direction(&s->source, s->d);
}

// Closed surfaces that do not cross themselves: spheres with a rough skin, and rings.
static test_mesh draw_closed(agree_source *s)
{
    if (agree_one_in(s, 4))
        return test_mesh_torus(1.0, 0.4, 5 + agree_below(s, 3), 3 + agree_below(s, 3));
    test_mesh ball = test_mesh_icosphere(1.0, agree_one_in(s, 4) ? 1 : 0);
    for (uint64_t v = 0; v < ball.vertex_count; v++) {
        const double factor = 1.0 + 0.3 * agree_signed(s);
        for (uint64_t k = 0; k < 3; k++)
            ball.positions[3 * v + k] *= factor;
    }
    return ball;
}

void agree_make_rough(agree_situation *s)
{
    for (int i = 0; i < 2; i++) {
        s->bodies[i].mesh = draw_closed(&s->source);
        s->bodies[i].pose = draw_pose(&s->source);
        s->bodies[i].closed = s->bodies[i].bare = s->bodies[i].wound = true;
    }
    draw_direction(&s->source, s->d);
}

// B is A, or a box, beside or a little in A: moved by about its width, give or take a few units in the last place.
void agree_make_floats(agree_situation *s)
{
    agree_source *from = &s->source;
    const double low[3] = {-0.5 + 0.1 * agree_signed(from), -0.7, -0.3},
                 high[3] = {0.5, 0.7 + 0.1 * agree_signed(from), 0.3};
    for (int i = 0; i < 2; i++) {
        s->bodies[i].mesh = test_mesh_box(low, high);
        s->bodies[i].closed = s->bodies[i].convex = s->bodies[i].bare = s->bodies[i].wound = true;
        for (uint64_t j = 0; j < 3 * s->bodies[i].mesh.vertex_count; j++)
            s->bodies[i].mesh.positions[j] = (double)(float)s->bodies[i].mesh.positions[j];
        s->bodies[i].pose = i == 0 && agree_one_in(from, 2) ? draw_pose(from) : s->bodies[0].pose;
        if (i == 0 && s->bodies[0].pose.m[0][0] == 0.0)
            s->bodies[0].pose = grz_pose_identity();
    }
    const int axis = (int)agree_below(from, 3);
    const double step = step_ulps(high[axis] - low[axis], agree_between(from, -4, 4));
    for (int k = 0; k < 3; k++)
        s->bodies[1].pose.m[k][3] += s->bodies[1].pose.m[k][axis] * step;
    draw_direction(from, s->d);
}
