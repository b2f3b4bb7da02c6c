// SPDX-License-Identifier: MIT
// A ball breaks into hundreds of closed pieces, which fly apart in a box, return from its walls and hit each other. In
// the first frames there is one mesh; then it is replaced by pieces, each with new faces. A formula gives each piece's
// pose, so pieces do not react to contact: they go through each other, and every touching pair is listed. The scene is
// tested in every frame.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"

enum {
    MOST_CUTS = 4,
    MOST_ROWS = 8, // of faces along an edge of a piece's outer side
    WHOLE_FRAMES = 5
};

// The ball is a net of 20 sides, each cut into cuts² pieces, whose outer side has rows² faces.
typedef struct shards {
    uint32_t cuts, rows;
    uint32_t count; // of pieces
    grz_mesh **meshes, *ball;
    double (*middles)[3]; // their centres in the ball, around which they rotate
    double (*speeds)[3], (*spins)[4];
} shards;

// The icosahedron.
static const double golden = 1.618033988749895;

static void net_corner(int i, double p[3])
{
    const double a = i % 2 == 0 ? 1.0 : -1.0, b = i / 2 % 2 == 0 ? golden : -golden;
    const int axis = i / 4;
    p[axis] = 0.0;
    p[(axis + 1) % 3] = a;
    p[(axis + 2) % 3] = b;
}

static double distance(const double p[3], const double q[3])
{
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

// A point of the bumpy ball; `inner`: nearer to its centre.
static void put_on_ball(double p[3], bool inner)
{
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    double bump = 1.0;
    for (int i = 0; i < 3; i++)
        p[i] /= length;
    bump += inner ? 0.0 : 0.03 * sin(9.0 * p[0] + 2.0) * cos(11.0 * p[1]) + 0.02 * sin(13.0 * p[2]);
    for (int i = 0; i < 3; i++)
        p[i] *= inner ? 0.3 : bump;
}

// The point of a triangle by its weights, of `whole` together.
static void blend(const double corners[3][3], const uint32_t weights[3], uint32_t whole, double p[3])
{
    for (int i = 0; i < 3; i++)
        p[i] = (weights[0] * corners[0][i] + weights[1] * corners[1][i] + weights[2] * corners[2][i]) / whole;
}

// The number of a point of a side of a piece: row by row.
static uint32_t point_number(uint32_t rows, uint32_t row, uint32_t column)
{
    return row * (rows + 1) - row * (row - 1) / 2 + column;
}

enum {
    MOST_POINTS = (MOST_ROWS + 1) * (MOST_ROWS + 2) / 2,    // of a side of a piece
    MOST_FACES = 2 * MOST_ROWS * MOST_ROWS + 6 * MOST_ROWS, // of a piece
    MOST_PIECES = 20 * MOST_CUTS * MOST_CUTS
};

typedef struct arrays {
    double positions[2 * MOST_POINTS][3];
    uint32_t triangles[MOST_FACES][3], vertex_count, triangle_count, outer_vertices,
        outer_triangles;                       // the outer side's are first
    double ball[MOST_PIECES * MOST_POINTS][3]; // of all outer sides so far
    uint32_t ball_triangles[MOST_PIECES * MOST_ROWS * MOST_ROWS][3], ball_vertex_count, ball_triangle_count;
} arrays;

static void add(arrays *a, uint32_t i, uint32_t j, uint32_t k)
{
    const uint32_t t[3] = {i, j, k};
    memcpy(a->triangles[a->triangle_count++], t, sizeof t);
}

// A closed piece: an outer side, an inner one, walls between.
static void make_piece(const double corners[3][3], uint32_t rows, arrays *a)
{
    const uint32_t side = (rows + 1) * (rows + 2) / 2;
    a->vertex_count = 2 * side;
    a->triangle_count = 0;
    for (uint32_t i = 0; i <= rows; i++)
        for (uint32_t j = 0; i + j <= rows; j++)
            for (uint32_t inner = 0; inner < 2; inner++) {
                const uint32_t weights[3] = {i, j, rows - i - j};
                double *p = a->positions[inner * side + point_number(rows, i, j)];
                blend(corners, weights, rows, p);
                put_on_ball(p, inner == 1);
            }
    for (uint32_t inner = 0; inner < 2; inner++) {
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t j = 0; i + j < rows; j++) {
                const uint32_t v = inner * side + point_number(rows, i, j), right = v + 1;
                const uint32_t up = inner * side + point_number(rows, i + 1, j);
                add(a, v, inner == 0 ? up : right, inner == 0 ? right : up);
                if (i + j + 1 < rows)
                    add(a, right, inner == 0 ? up : up + 1, inner == 0 ? up + 1 : up);
            }
        a->outer_triangles = inner == 0 ? a->triangle_count : a->outer_triangles;
    }
    a->outer_vertices = side;
    for (uint32_t k = 0; k < rows; k++) {
        const uint32_t edges[3][2] = {{point_number(rows, k, 0), point_number(rows, k + 1, 0)},
                                      {point_number(rows, 0, k + 1), point_number(rows, 0, k)},
                                      {point_number(rows, k + 1, rows - k - 1), point_number(rows, k, rows - k)}};
        for (int e = 0; e < 3; e++) {
            add(a, edges[e][1], edges[e][0], side + edges[e][0]);
            add(a, edges[e][1], side + edges[e][0], side + edges[e][1]);
        }
    }
}

// Append a piece's outer side to the ball.
static void add_to_ball(arrays *a)
{
    const uint32_t first = a->ball_vertex_count;
    memcpy(a->ball[first], a->positions, a->outer_vertices * sizeof *a->ball);
    a->ball_vertex_count += a->outer_vertices;
    for (uint32_t t = 0; t < a->outer_triangles; t++, a->ball_triangle_count++)
        for (int k = 0; k < 3; k++)
            a->ball_triangles[a->ball_triangle_count][k] = first + a->triangles[t][k];
}

static grz_mesh *upload(const demo *d, const double (*positions)[3], uint32_t vertex_count,
                        const uint32_t (*triangles)[3], uint32_t triangle_count)
{
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *mesh;
    grz_error error;
    description.positions = positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = vertex_count;
    description.indices = &triangles[0][0];
    description.index_count = 3 * (uint64_t)triangle_count;
    description.face_count = triangle_count;
    demo_check(grz_mesh_create(d->device, &description, &mesh, &error), &error);
    return mesh;
}

static double random_signed(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

// One piece, its corners in a side of the net.
static void add_piece(const demo *d, shards *s, const double corners[3][3], uint64_t *random, arrays *a)
{
    const uint32_t i = s->count++;
    make_piece(corners, s->rows, a);
    for (int axis = 0; axis < 3; axis++) {
        s->middles[i][axis] = 0.0;
        for (uint32_t v = 0; v < a->vertex_count; v++)
            s->middles[i][axis] += a->positions[v][axis] / a->vertex_count;
    }
    for (int axis = 0; axis < 3; axis++) {
        s->speeds[i][axis] =
            1.6 * s->middles[i][axis] * (1.0 + 0.5 * random_signed(random)) + 0.3 * random_signed(random);
        s->spins[i][axis] = random_signed(random);
    }
    s->spins[i][3] = 2.0 * random_signed(random);
    s->meshes[i] = upload(d, (const double(*)[3])a->positions, a->vertex_count, (const uint32_t(*)[3])a->triangles,
                          a->triangle_count);
    add_to_ball(a);
}

static void make(const demo *d, shards *s)
{
    uint64_t random = 12345;
    arrays *a = demo_get(1, sizeof *a);
    s->cuts = d->small ? 2 : 4;
    s->rows = d->small ? 2 : 8;
    const size_t most = 20 * (size_t)s->cuts * s->cuts;
    s->meshes = demo_get(most, sizeof(grz_mesh *));
    s->middles = demo_get(most, sizeof *s->middles);
    s->speeds = demo_get(most, sizeof *s->speeds);
    s->spins = demo_get(most, sizeof *s->spins);
    for (int i = 0; i < 12; i++)
        for (int j = i + 1; j < 12; j++)
            for (int k = j + 1; k < 12; k++) {
                double net[3][3];
                net_corner(i, net[0]);
                net_corner(j, net[1]);
                net_corner(k, net[2]);
                if (distance(net[0], net[1]) > 2.1 || distance(net[1], net[2]) > 2.1 || distance(net[2], net[0]) > 2.1)
                    continue; // no side
                for (uint32_t x = 0; x < s->cuts; x++)
                    for (uint32_t y = 0; x + y < s->cuts; y++)
                        for (uint32_t down = 0; down < 2 && x + y + down < s->cuts; down++) {
                            const uint32_t up[3][3] = {{x, y, s->cuts - x - y},
                                                       {x + 1, y, s->cuts - x - y - 1},
                                                       {x, y + 1, s->cuts - x - y - 1}};
                            const uint32_t other[3][3] = {{x + 1, y, s->cuts - x - y - 1},
                                                          {x + 1, y + 1, s->cuts - x - y - 2},
                                                          {x, y + 1, s->cuts - x - y - 1}};
                            double corners[3][3];
                            for (int c = 0; c < 3; c++)
                                blend((const double(*)[3])net, down == 0 ? up[c] : other[c], s->cuts, corners[c]);
                            add_piece(d, s, (const double(*)[3])corners, &random, a);
                        }
            }
    s->ball = upload(d, (const double(*)[3])a->ball, a->ball_vertex_count, (const uint32_t(*)[3])a->ball_triangles,
                     a->ball_triangle_count);
    free(a);
}

// Back and forth between two walls.
static double between_walls(double x, double wall)
{
    const double round = fmod(fabs(x + wall), 4.0 * wall);
    return round < 2.0 * wall ? round - wall : 3.0 * wall - round;
}

// The pose of a piece at a time after the ball broke: rotated around its centre, which flies between the walls.
static grz_pose pose_at(const shards *s, uint32_t i, double time)
{
    const double zero[3] = {0.0, 0.0, 0.0}, half = 0.5 * s->spins[i][3] * time;
    double quaternion[4], length = 1e-9;
    grz_pose pose;
    grz_error error;
    for (int axis = 0; axis < 3; axis++)
        length = hypot(length, s->spins[i][axis]);
    for (int axis = 0; axis < 3; axis++)
        quaternion[axis] = sin(half) * s->spins[i][axis] / length;
    quaternion[3] = cos(half);
    demo_check(grz_pose_from_quaternion(zero, quaternion, &pose, &error), &error);
    for (int row = 0; row < 3; row++) {
        double moved = between_walls(s->middles[i][row] + s->speeds[i][row] * time, 1.7);
        for (int column = 0; column < 3; column++)
            moved -= pose.m[row][column] * s->middles[i][column];
        pose.m[row][3] = time > 0.0 ? moved : 0.0;
    }
    return pose;
}

static void ask(const demo *d, grz_scene *scene, const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_error error;
    demo_check(grz_collide_scene(d->device, scene, &options, result, &error), &error);
}

// A scene with all objects of a frame.
static grz_scene *make_scene(const demo *d, const grz_object *objects, uint32_t count)
{
    grz_scene *scene;
    grz_error error;
    demo_check(grz_scene_create(d->device, &scene, &error), &error);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id;
        demo_check(grz_scene_add(scene, &objects[i], &id, &error), &error);
    }
    return scene;
}

// The picture is fitted to a square that holds most of the pieces. Faces that touch are red,
// which no piece is.
static void set_view(demo *d, const uint8_t *touch_colors)
{
    grz_picture_options *picture = &d->picture;
    picture->touch_colors = touch_colors;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = -0.5;
    picture->direction[1] = -0.3;
    picture->direction[2] = -0.8;
    picture->region_min[0] = picture->region_min[1] = -1.9;
    picture->region_max[0] = picture->region_max[1] = 1.9;
}

int main(int argc, char **argv)
{
    demo d = {.name = "shatter", .about = "a ball breaks into pieces, which hit each other", .usual_frames = 120};
    static const uint8_t red[3] = {214, 30, 40};
    shards s = {.count = 0};
    grz_error error;
    grz_result *result, *reference;
    demo_open(&d, argc, argv);
    make(&d, &s);
    uint8_t *reds = demo_get(s.count, sizeof red);
    for (uint32_t i = 0; i < s.count; i++)
        memcpy(reds + 3 * (size_t)i, red, sizeof red);
    set_view(&d, reds);
    grz_object *objects = demo_get(s.count, sizeof *objects);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("shatter: %" PRIu32 " pieces, method %s\n", s.count, d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        const bool whole = frame < WHOLE_FRAMES;
        const uint32_t count = whole ? 1 : s.count;
        for (uint32_t i = 0; i < count; i++) {
            objects[i] = grz_object_at_origin(whole ? s.ball : s.meshes[i]);
            if (!whole)
                objects[i].pose = pose_at(&s, i, 0.02 * (double)(frame - WHOLE_FRAMES));
        }
        grz_scene *scene = make_scene(&d, objects, count);
        ask(&d, scene, d.method, result);
        grz_scene_destroy(scene);
        const grz_summary *summary = grz_result_summary(result);
        uint64_t touching;
        grz_result_scene_pairs(result, &touching);
        char found[128];
        snprintf(found, sizeof found,
                 "%" PRIu64 " pairs of %" PRIu32 " pieces touch, at %" PRIu64 " pairs of faces: red", touching, count,
                 summary->pair_count);
        if (d.check) {
            scene = make_scene(&d, objects, count); // a new scene, without remembered state
            ask(&d, scene, d.reference, reference);
            demo_compare(&d, frame, result, reference);
            grz_scene_destroy(scene);
        }
        if (!demo_show(&d, frame, objects, count, result, found))
            break;
    }
    for (uint32_t i = 0; i < s.count; i++)
        grz_mesh_destroy(s.meshes[i]);
    grz_mesh_destroy(s.ball);
    free(s.meshes);
    free(s.middles);
    free(s.speeds);
    free(s.spins);
    free(objects);
    free(reds);
    grz_result_destroy(result);
    grz_result_destroy(reference);
    demo_close(&d);
    return 0;
}
