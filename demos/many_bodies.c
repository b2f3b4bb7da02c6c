// SPDX-License-Identifier: MIT
// A tower of many bodies (boxes, bricks, pegs, gems) falls and becomes a heap. Each step asks the scene for all
// pairs that touch: boxes around the bodies pick the pairs to look at, and the bodies react to the contacts (bodies.h).
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "demo.h"

enum {
    STEPS = 2, // of motion in a frame
    KINDS = 4
};

// Object 0 is the floor, object i + 1 body i.
typedef struct crowd {
    uint32_t wide, high, count;
    body *bodies; // with the floor
    grz_mesh *floor, *kinds[KINDS];
    uint32_t *kind_of; // of each body
    grz_object *objects;
} crowd;

static double random_signed(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static const uint32_t box_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static grz_mesh *make_box(const demo *d, const double low[3], const double high[3])
{
    double corners[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = (i >> k & 1) != 0 ? high[k] : low[k];
    return demo_mesh(d, corners, 8, &box_triangles[0][0], 36, 0);
}

// A double pyramid over a square.
static grz_mesh *make_gem(const demo *d, double radius, double height)
{
    const double corners[6][3] = {{radius, 0.0, 0.0}, {0.0, 0.0, -radius}, {-radius, 0.0, 0.0},
                                  {0.0, 0.0, radius}, {0.0, height, 0.0},  {0.0, -height, 0.0}};
    uint32_t triangles[8][3];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t next = (i + 1) % 4, up[3] = {i, next, 4}, down[3] = {next, i, 5};
        memcpy(triangles[i], up, sizeof up);
        memcpy(triangles[4 + i], down, sizeof down);
    }
    return demo_mesh(d, corners, 6, &triangles[0][0], 24, 0);
}

// What a body of a kind is like: half its sides, and the corners of a gem.
static const double half_sides[KINDS][3] = {
    {0.09, 0.09, 0.09}, {0.13, 0.06, 0.08}, {0.05, 0.15, 0.05}, {0.11, 0.11, 0.11}};

static void make_body(body *b, uint32_t kind, const double at[3], uint64_t *random)
{
    const double *half = half_sides[kind];
    const bool gem = kind == 3;
    double length = 0.0;
    b->point_count = gem ? 6 : 8;
    b->points = demo_get(b->point_count, sizeof *b->points);
    for (uint32_t i = 0; i < b->point_count; i++)
        for (uint32_t k = 0; k < 3; k++)
            b->points[i][k] = !gem ? ((i >> k & 1) != 0 ? half[k] : -half[k])
                                   : (i / 2 == k ? (i % 2 == 0 ? half[k] : -half[k]) : 0.0);
    for (int i = 0; i < (gem ? 4 : 3); i++)
        for (int k = 0; k < 3; k++)
            b->axes[i][k] = gem ? (i >> k & 1) != 0 ? -1.0 : 1.0 : (i == k) ? 1.0 : 0.0;
    for (int k = 0; k < 3; k++) {
        b->at[k] = at[k] + 0.01 * random_signed(random);
        b->spin[k] = random_signed(random);
    }
    for (int k = 0; k < 4; k++) {
        b->turn[k] = k == 3 ? 1.0 : 0.2 * random_signed(random);
        length += b->turn[k] * b->turn[k];
    }
    for (int k = 0; k < 4; k++)
        b->turn[k] /= sqrt(length);
    b->lightness = 1.0;
    b->readiness = 3.0 / (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]) * (gem ? 2.0 : 1.0);
    body_set_pose(b);
}

static void make(const demo *d, crowd *c)
{
    static const double low[3] = {-6.0, -0.2, -6.0}, high[3] = {6.0, 0.0, 6.0};
    uint64_t random = 7;
    c->wide = d->small ? 3 : 9;
    c->high = d->small ? 4 : 18;
    c->count = c->wide * c->wide * c->high;
    c->bodies = demo_get((size_t)c->count + 1, sizeof *c->bodies);
    c->kind_of = demo_get(c->count, sizeof *c->kind_of);
    c->objects = demo_get((size_t)c->count + 1, sizeof *c->objects);
    c->floor = make_box(d, low, high);
    for (uint32_t kind = 0; kind < 3; kind++) {
        const double *half = half_sides[kind], back[3] = {-half[0], -half[1], -half[2]};
        c->kinds[kind] = make_box(d, back, half);
    }
    c->kinds[3] = make_gem(d, half_sides[3][0], half_sides[3][1]);
    c->bodies[0].turn[3] = 1.0;
    body_set_pose(&c->bodies[0]);
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t x = i % c->wide, z = i / c->wide % c->wide, y = i / (c->wide * c->wide);
        const double twist = 0.1 * y, u = 0.33 * (x - 0.5 * (c->wide - 1)), w = 0.33 * (z - 0.5 * (c->wide - 1));
        const double at[3] = {u * cos(twist) - w * sin(twist), 0.2 + 0.33 * y, u * sin(twist) + w * cos(twist)};
        c->kind_of[i] = (x + z + y) % KINDS;
        make_body(&c->bodies[i + 1], c->kind_of[i], at, &random);
    }
}

static void set_objects(const crowd *c)
{
    for (uint32_t i = 0; i <= c->count; i++) {
        c->objects[i] = grz_object_at_origin(i == 0 ? c->floor : c->kinds[c->kind_of[i - 1]]);
        c->objects[i].pose = c->bodies[i].pose;
    }
}

// Each step begins with what the query before it found.
static void next_frame(const demo *d, crowd *c, grz_scene *scene, grz_result *result)
{
    grz_error error;
    for (int i = 0; i < STEPS; i++) {
        bodies_move(c->bodies, c->count + 1, result, 1.0 / (60.0 * STEPS));
        set_objects(c);
        for (uint32_t k = 0; k <= c->count; k++)
            demo_check(grz_scene_set_pose(scene, k, &c->objects[k].pose, &error), &error);
        demo_ask_scene(d, scene, d->method, GRZ_FIND_CONTACTS, result);
    }
}

// The floor is grey; layers of the tower go from blue to red. Bodies that touch are a little darker.
static void set_view(demo *d, const crowd *c, uint8_t *colours, uint8_t *touched)
{
    static const double low[3] = {70.0, 120.0, 190.0}, middle[3] = {238.0, 222.0, 160.0}, top[3] = {214.0, 84.0, 62.0};
    grz_picture_options *picture = &d->picture;
    memset(colours, 224, 3);
    memset(touched, 224, 3);
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t layer = i / (c->wide * c->wide);
        const double share = layer / (c->high - 1.0);
        for (int k = 0; k < 3; k++) {
            const double color = share < 0.5 ? low[k] + 2.0 * share * (middle[k] - low[k])
                                             : middle[k] + (2.0 * share - 1.0) * (top[k] - middle[k]);
            colours[3 * (size_t)(i + 1) + (size_t)k] = (uint8_t)color;
            touched[3 * (size_t)(i + 1) + (size_t)k] = (uint8_t)(0.9 * color);
        }
    }
    picture->colours = colours;
    picture->touch_colours = touched;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = -0.5;
    picture->direction[1] = -0.45;
    picture->direction[2] = -0.8;
    const double wide = d->small ? 1.2 : 2.2;
    picture->region_min[0] = picture->region_min[2] = -wide;
    picture->region_max[0] = picture->region_max[2] = wide;
    picture->region_max[1] = 1.4 * wide;
}

// With --check the pairs are compared with those of a new scene, which remembers nothing.
static bool show(demo *d, uint64_t frame, const crowd *c, grz_scene *scene, grz_result *pairs, grz_result *reference)
{
    char found[160];
    uint64_t count, on_floor = 0;
    demo_ask_scene(d, scene, d->method, GRZ_FIND_PAIRS, pairs);
    if (d->check) {
        grz_scene *fresh = demo_scene(d, c->objects, c->count + 1);
        demo_ask_scene(d, fresh, d->reference, GRZ_FIND_PAIRS, reference);
        demo_compare(d, frame, pairs, reference);
        grz_scene_destroy(fresh);
    }
    const grz_scene_pair *touching = grz_result_scene_pairs(pairs, &count);
    while (on_floor < count && touching[on_floor].a == 0)
        on_floor++;
    snprintf(found, sizeof found, "%" PRIu32 " bodies: %" PRIu64 " pairs of them touch, %" PRIu64 " lie on the floor",
             c->count, count - on_floor, on_floor);
    return demo_show(d, frame, c->objects, (size_t)c->count + 1, pairs, found);
}

int main(int argc, char **argv)
{
    demo d = {.name = "many_bodies", .about = "a tower of many bodies falls and becomes a heap", .usual_frames = 240};
    crowd c = {.count = 0};
    grz_error error;
    demo_open(&d, argc, argv);
    make(&d, &c);
    set_objects(&c);
    grz_scene *scene = demo_scene(&d, c.objects, c.count + 1);
    grz_result *contacts, *pairs, *reference;
    demo_check(grz_result_create(d.device, &contacts, &error), &error);
    demo_check(grz_result_create(d.device, &pairs, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    uint8_t *colours = demo_get((size_t)c.count + 1, 3), *touched = demo_get((size_t)c.count + 1, 3);
    set_view(&d, &c, colours, touched);
    demo_ask_scene(&d, scene, d.method, GRZ_FIND_CONTACTS, contacts);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        if (!show(&d, frame, &c, scene, pairs, reference))
            break;
        next_frame(&d, &c, scene, contacts);
    }
    grz_result_destroy(contacts);
    grz_result_destroy(pairs);
    grz_result_destroy(reference);
    grz_scene_destroy(scene);
    for (uint32_t i = 0; i <= c.count; i++)
        free(c.bodies[i].points);
    for (int kind = 0; kind < KINDS; kind++)
        grz_mesh_destroy(c.kinds[kind]);
    grz_mesh_destroy(c.floor);
    free(c.bodies);
    free(c.kind_of);
    free(c.objects);
    free(colours);
    free(touched);
    demo_close(&d);
    return 0;
}
