// SPDX-License-Identifier: MIT
// A ball drops onto a floor and breaks into closed pieces, which bounce, hit each other and come to rest in a heap. At
// first there is one mesh; when it touches the floor it is replaced by the pieces, each with new faces. The pieces
// react to what the query of the scene found (bodies.h): to its pairs of pieces, points and normals.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "demo.h"

enum {
    MOST_CUTS = 2,
    MOST_ROWS = 8, // of faces along an edge of a piece's outer side
    STEPS = 2      // of motion in a frame
};

// The ball is a net of 20 sides, each cut into cuts² pieces, whose outer side has rows² faces. Object 0 is the floor,
// object 1 the ball, and later object i + 1 piece i.
typedef struct shards {
    uint32_t cuts, rows;
    uint32_t count; // of pieces
    bool broken;
    body *bodies;     // of the floor and the pieces
    double ball_drop; // how far the ball's centre is above the floor
    double ball_speed;
    grz_mesh **meshes, *ball, *floor;
    uint8_t **colours; // of the faces of each object
    uint8_t *ball_colors;
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

static double random_signed(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

// The ball's outer side is blue, a little different for each piece; what was inside is pale.
static uint8_t *paint(uint32_t face_count, uint32_t outer_faces, double shade)
{
    static const double outside[3] = {96.0, 140.0, 186.0}, inside[3] = {232.0, 224.0, 208.0};
    uint8_t *colours = demo_get(face_count, 3);
    for (uint32_t i = 0; i < 3 * face_count; i++)
        colours[i] = (uint8_t)(i / 3 < outer_faces ? (1.0 + 0.1 * shade) * outside[i % 3]
                                                   : (1.0 + 0.04 * shade) * inside[i % 3]);
    return colours;
}

// Put a piece's centre into the middle of its vertices, and say of its sides where they look.
static void make_body(body *b, arrays *a, uint32_t rows)
{
    const uint32_t side = a->outer_vertices, ends[3] = {0, rows, side - 1};
    double square = 0.0;
    for (uint32_t v = 0; v < 3 * a->vertex_count; v++)
        b->at[v % 3] += a->positions[v / 3][v % 3] / a->vertex_count;
    for (uint32_t v = 0; v < 3 * a->vertex_count; v++) {
        a->positions[v / 3][v % 3] -= b->at[v % 3];
        square += a->positions[v / 3][v % 3] * a->positions[v / 3][v % 3] / a->vertex_count;
    }
    b->points = demo_get(a->vertex_count, sizeof *b->points);
    memcpy(b->points, a->positions, a->vertex_count * sizeof *b->points);
    b->point_count = a->vertex_count;
    b->turn[3] = 1.0;
    b->lightness = 1.0;
    b->readiness = 1.0 / (0.6 * square);
    for (int k = 0; k < 3; k++) {
        const double *p = a->positions[ends[k]], *q = a->positions[ends[(k + 1) % 3]],
                     *inner = a->positions[side + ends[k]], *opposite = a->positions[ends[(k + 2) % 3]];
        for (int i = 0; i < 3; i++) { // of the walls, and outwards
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            b->axes[k][i] = (q[j] - p[j]) * (inner[l] - p[l]) - (q[l] - p[l]) * (inner[j] - p[j]);
            b->axes[3][i] = (q[j] - p[j]) * (opposite[l] - p[l]) - (q[l] - p[l]) * (opposite[j] - p[j]);
            b->axes[4][i] = b->at[i];
        }
    }
}

// One piece, its corners in a side of the net.
static void add_piece(const demo *d, shards *s, const double corners[3][3], uint64_t *random, arrays *a)
{
    const uint32_t i = ++s->count;
    body *b = &s->bodies[i];
    make_piece(corners, s->rows, a);
    add_to_ball(a);
    make_body(b, a, s->rows);
    for (int axis = 0; axis < 3; axis++) { // when the ball breaks
        b->speed[axis] = 0.5 * b->at[axis] * (1.0 + 0.4 * random_signed(random));
        b->spin[axis] = 1.5 * random_signed(random);
    }
    const double shade = random_signed(random);
    s->colours[i] = paint(a->triangle_count, a->outer_triangles, shade);
    s->ball_colors = s->ball_colors != NULL ? s->ball_colors : demo_get((size_t)MOST_PIECES * MOST_ROWS * MOST_ROWS, 3);
    memcpy(s->ball_colors + 3 * (size_t)(a->ball_triangle_count - a->outer_triangles), s->colours[i],
           3 * (size_t)a->outer_triangles);
    s->meshes[i] = demo_mesh(d, a->positions, a->vertex_count, &a->triangles[0][0], 3 * (uint64_t)a->triangle_count, 0);
}

// Cut one side of the net into pieces.
static void cut_side(const demo *d, shards *s, const double net[3][3], uint64_t *random, arrays *a)
{
    const uint32_t n = s->cuts;
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t y = 0; x + y < n; y++)
            for (uint32_t down = 0; down < 2 && x + y + down < n; down++) {
                const uint32_t up[3][3] = {{x, y, n - x - y}, {x + 1, y, n - x - y - 1}, {x, y + 1, n - x - y - 1}};
                const uint32_t other[3][3] = {
                    {x + 1, y, n - x - y - 1}, {x + 1, y + 1, n - x - y - 2}, {x, y + 1, n - x - y - 1}};
                double corners[3][3];
                for (int c = 0; c < 3; c++)
                    blend(net, down == 0 ? up[c] : other[c], n, corners[c]);
                add_piece(d, s, (const double(*)[3])corners, random, a);
            }
}

// A slab whose upper side is at y = 0.
static void make_floor(const demo *d, shards *s)
{
    static const uint32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double corners[8][3];
    for (int i = 0; i < 8; i++) {
        corners[i][0] = i % 2 == 0 ? -3.6 : 3.6;
        corners[i][1] = i / 2 % 2 == 0 ? -0.15 : 0.0;
        corners[i][2] = i / 4 == 0 ? -3.6 : 3.6;
    }
    s->floor = s->meshes[0] = demo_mesh(d, corners, 8, &triangles[0][0], 36, 0);
    s->bodies[0].turn[3] = 1.0;
    body_set_pose(&s->bodies[0]);
}

static void make(const demo *d, shards *s)
{
    uint64_t random = 12345;
    arrays *a = demo_get(1, sizeof *a);
    s->cuts = d->small ? 1 : MOST_CUTS;
    s->rows = d->small ? 2 : MOST_ROWS;
    s->ball_drop = d->small ? 1.1 : 2.5;
    const size_t most = 20 * (size_t)s->cuts * s->cuts + 1;
    s->meshes = demo_get(most, sizeof(grz_mesh *));
    s->colours = demo_get(most, sizeof(uint8_t *));
    s->bodies = demo_get(most, sizeof *s->bodies);
    make_floor(d, s);
    for (int i = 0; i < 12; i++)
        for (int j = i + 1; j < 12; j++)
            for (int k = j + 1; k < 12; k++) {
                double net[3][3];
                net_corner(i, net[0]);
                net_corner(j, net[1]);
                net_corner(k, net[2]);
                if (distance(net[0], net[1]) < 2.1 && distance(net[1], net[2]) < 2.1 && distance(net[2], net[0]) < 2.1)
                    cut_side(d, s, (const double(*)[3])net, &random, a);
            }
    s->ball =
        demo_mesh(d, a->ball, a->ball_vertex_count, &a->ball_triangles[0][0], 3 * (uint64_t)a->ball_triangle_count, 0);
    free(a);
}

static uint32_t object_count(const shards *s)
{
    return s->broken ? s->count + 1 : 2;
}

static void set_objects(const shards *s, grz_object *objects)
{
    for (uint32_t i = 0; i < object_count(s); i++) {
        objects[i] = grz_object_at_origin(s->meshes[i]);
        objects[i].pose = s->bodies[i].pose;
    }
    if (!s->broken)
        objects[1] = grz_object_at(s->ball, grz_pose_from_translation(0.0, s->ball_drop, 0.0));
}

// The pieces are where the ball's parts were, and keep a part of its speed.
static void break_ball(shards *s)
{
    s->broken = true;
    for (uint32_t i = 1; i <= s->count; i++) {
        s->bodies[i].at[1] += s->ball_drop;
        s->bodies[i].speed[1] -= 0.7 * s->ball_speed;
        body_set_pose(&s->bodies[i]);
    }
}

// One step from what the last query found. The ball falls until it touches the floor.
static void step(shards *s, const grz_result *result)
{
    const double seconds = 1.0 / (60.0 * STEPS);
    if (s->broken) {
        bodies_move(s->bodies, s->count + 1, result, seconds);
    } else if (grz_result_summary(result)->colliding) {
        break_ball(s);
    } else {
        s->ball_speed += 9.8 * seconds;
        s->ball_drop -= s->ball_speed * seconds;
    }
}

// Move on by one frame. Each step begins with what the query before it found.
static grz_scene *next_frame(const demo *d, shards *s, grz_scene *scene, grz_object *objects, grz_result *result)
{
    grz_error error;
    for (int i = 0; i < STEPS; i++) {
        const bool was_broken = s->broken;
        step(s, result);
        set_objects(s, objects);
        if (s->broken != was_broken) {
            grz_scene_destroy(scene);
            scene = demo_scene(d, objects, object_count(s));
        }
        for (uint32_t k = 0; k < object_count(s); k++)
            demo_check(grz_scene_set_pose(scene, k, &objects[k].pose, &error), &error);
        demo_ask_scene(d, scene, d->method, GRZ_FIND_CONTACTS, result);
    }
    return scene;
}

// How many pairs of pieces touch, and how many pieces touch the floor, which is object 0.
static void describe(const shards *s, const grz_result *result, char *text, size_t size)
{
    uint64_t pairs, on_floor = 0;
    const grz_scene_pair *touching = grz_result_scene_pairs(result, &pairs);
    while (on_floor < pairs && touching[on_floor].a == 0)
        on_floor++;
    if (s->broken)
        snprintf(text, size,
                 "%" PRIu64 " pairs of %" PRIu32 " pieces touch, and %" PRIu64 " pieces touch the floor: ochre",
                 pairs - on_floor, s->count, on_floor);
    else
        snprintf(text, size, "the ball %s the floor", on_floor > 0 ? "touches" : "is above");
}

// The floor is grey. The faces of pieces that touch have a warm tint.
static void set_view(demo *d, const shards *s, uint8_t *colours, uint8_t *touched)
{
    static const uint8_t grey[3] = {222, 222, 220}, warm[3] = {224, 160, 96};
    grz_picture_options *picture = &d->picture;
    for (uint32_t i = 0; i <= s->count; i++) {
        memcpy(colours + 3 * (size_t)i, grey, sizeof grey);
        memcpy(touched + 3 * (size_t)i, i == 0 ? grey : warm, sizeof grey);
    }
    picture->colours = colours;
    picture->touch_colours = touched;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = -0.5;
    picture->direction[1] = -0.45;
    picture->direction[2] = -0.8;
    picture->region_min[0] = picture->region_min[2] = -2.4;
    picture->region_max[0] = picture->region_max[2] = 2.4;
    picture->region_max[1] = 3.0;
}

// Show a frame: its pairs only, because curves of all contacts would hide the pieces. With --check these are compared
// with those of a new scene, which remembers nothing.
static bool show(demo *d, uint64_t frame, const shards *s, grz_scene *scene, const grz_object *objects,
                 grz_result *pairs, grz_result *reference)
{
    char found[128];
    demo_ask_scene(d, scene, d->method, GRZ_FIND_PAIRS, pairs);
    const uint8_t *ball_colors[2] = {NULL, s->ball_colors};
    if (d->check) {
        grz_scene *fresh = demo_scene(d, objects, object_count(s));
        demo_ask_scene(d, fresh, d->reference, GRZ_FIND_PAIRS, reference);
        demo_compare(d, frame, pairs, reference);
        grz_scene_destroy(fresh);
    }
    describe(s, pairs, found, sizeof found);
    d->picture.face_colours = s->broken ? (const uint8_t *const *)s->colours : ball_colors;
    const bool more = demo_show(d, frame, objects, object_count(s), pairs, found);
    d->picture.face_colours = NULL;
    return more;
}

static void destroy(shards *s)
{
    for (uint32_t i = 0; i <= s->count; i++) {
        grz_mesh_destroy(s->meshes[i]);
        free(s->bodies[i].points);
        free(s->colours[i]);
    }
    grz_mesh_destroy(s->ball);
    free(s->meshes);
    free(s->bodies);
    free(s->colours);
    free(s->ball_colors);
}

int main(int argc, char **argv)
{
    demo d = {.name = "shatter",
              .about = "a ball drops, breaks into pieces, and they come to rest in a heap",
              .usual_frames = 200};
    shards s = {.count = 0};
    grz_error error;
    grz_result *result, *pairs, *reference;
    demo_open(&d, argc, argv);
    make(&d, &s);
    uint8_t *colours = demo_get(s.count + 1, 3), *touched = demo_get(s.count + 1, 3);
    set_view(&d, &s, colours, touched);
    grz_object *objects = demo_get(s.count + 1, sizeof *objects);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &pairs, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("shatter: %" PRIu32 " pieces, method %s\n", s.count, d.method);
    set_objects(&s, objects);
    grz_scene *scene = demo_scene(&d, objects, object_count(&s));
    demo_ask_scene(&d, scene, d.method, GRZ_FIND_CONTACTS, result);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        scene = next_frame(&d, &s, scene, objects, result);
        if (!show(&d, frame, &s, scene, objects, pairs, reference))
            break;
    }
    grz_scene_destroy(scene);
    destroy(&s);
    free(objects);
    free(colours);
    free(touched);
    grz_result_destroy(result);
    grz_result_destroy(pairs);
    grz_result_destroy(reference);
    demo_close(&d);
    return 0;
}
