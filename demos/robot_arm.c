// SPDX-License-Identifier: MIT
// A robot arm swings from one box to another over a wall that is a little too high. Each of its nine parts has a height
// map and a pose of its own, and is compared with all parts and with its cell; neighbours ignore each other. That is J.
// Fabrizio's way with articulated objects ("Easy real-time collision detection", figure 5, <graze/environment.h>). An
// exact query of the same scene says what really touches.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include <graze/gl.h>
#include <graze/io.h>

enum {
    JOINTS = 7,
    PARTS = 9, // link 0 to link 7, and the hand
    CELL = 4,  // table, wall, two boxes
    OBJECTS = PARTS + CELL,
    RESOLUTION = 64,
    APART = 2 // parts that are so many places apart, or fewer, ignore each other: they share a joint or nearly do
};

static const double pi = 3.14159265358979324;

static const char *const names[OBJECTS] = {"link 0", "link 1", "link 2", "link 3",   "link 4", "link 5", "link 6",
                                           "link 7", "hand",   "table",  "the wall", "a box",  "a box"};

// A joint turns about the z axis of a frame that hangs on the part before it: moved, then turned about the x axis by a
// right angle or not at all (data/robot/fer_kinematics.yaml).
static const struct {
    double at[3], quarter_turns;
} frames[JOINTS] = {{{0.0, 0.0, 0.333}, 0.0},  {{0.0, 0.0, 0.0}, -1.0},       {{0.0, -0.316, 0.0}, 1.0},
                    {{0.0825, 0.0, 0.0}, 1.0}, {{-0.0825, 0.384, 0.0}, -1.0}, {{0.0, 0.0, 0.0}, 1.0},
                    {{0.088, 0.0, 0.0}, 1.0}};

// Angles of the joints in radians, at the beginning, over the wall, and at the end of the swing.
static const double stations[3][JOINTS] = {{-0.9, 0.30, 0.0, -2.05, 0.0, 2.35, 0.785},
                                           {0.0, 0.05, 0.0, -2.05, 0.0, 2.10, 0.785},
                                           {0.9, 0.30, 0.0, -2.05, 0.0, 2.35, 0.785}};

// The boxes of the cell: two opposite corners each, in metres.
static const double boxes[CELL][6] = {{-0.35, -0.75, -0.06, 0.95, 0.75, -0.005},
                                      {0.30, -0.02, 0.0, 0.75, 0.02, 0.40},
                                      {0.24, -0.55, 0.0, 0.44, -0.33, 0.18},
                                      {0.24, 0.33, 0.0, 0.44, 0.55, 0.235}};

static const uint8_t part_color[3] = {232, 234, 236}, alerted[3] = {96, 150, 235}, red[3] = {224, 24, 32};
static const uint8_t cell_colors[CELL][3] = {{168, 172, 176}, {52, 128, 128}, {214, 168, 92}, {214, 168, 92}};

typedef struct arm {
    grz_mesh *meshes[OBJECTS];
    grz_object objects[OBJECTS];
    grz_heightmap *heightmaps[PARTS];
    grz_scene *scenes[2]; // for the method and for its reference
    uint8_t colours[3 * OBJECTS];
    bool alerts[PARTS], touches[PARTS]; // in this frame, by height maps and exactly
    uint64_t frames, exact, missed, invented;
} arm;

// ---- Meshes --------------------------------------------------------------------------------------------------------

static grz_mesh *load_part(const demo *d, int part)
{
    char path[sizeof DEMOS_DATA + 40];
    grz_io_model *model;
    grz_error error;
    if (part < PARTS - 1)
        snprintf(path, sizeof path, "%s/robot/fer_link%d.stl", DEMOS_DATA, part);
    else
        snprintf(path, sizeof path, "%s/robot/fer_hand.stl", DEMOS_DATA);
    demo_check(grz_io_load_file(path, NULL, &model, &error), &error);
    grz_mesh *mesh = demo_mesh(d, model->positions, model->vertex_count, model->indices, model->index_count, 0);
    grz_io_model_destroy(model);
    return mesh;
}

// The lattice of a side of a box: how many squares there are along an axis.
static uint32_t squares(const demo *d, const double corners[6], int axis)
{
    const double length = corners[3 + axis] - corners[axis];
    return d->small || length > 0.9 ? 1 + (uint32_t)(length / 0.2) : 1 + (uint32_t)(length / 0.03);
}

typedef struct lattice {
    double (*positions)[3];
    uint32_t (*triangles)[3];
    uint32_t vertex_count, triangle_count;
} lattice;

// Add the side of a box across `axis`, at its smaller or larger end, wound outwards.
static void add_side(lattice *l, const demo *d, const double corners[6], int axis, bool larger)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const uint32_t along_u = squares(d, corners, u), along_v = squares(d, corners, v), first = l->vertex_count;
    for (uint32_t j = 0; j <= along_v; j++)
        for (uint32_t i = 0; i <= along_u; i++) {
            double *at = l->positions[l->vertex_count++];
            at[axis] = corners[axis + (larger ? 3 : 0)];
            at[u] = i < along_u ? corners[u] + (corners[u + 3] - corners[u]) * i / along_u : corners[u + 3];
            at[v] = j < along_v ? corners[v] + (corners[v + 3] - corners[v]) * j / along_v : corners[v + 3];
        }
    for (uint32_t j = 0; j < along_v; j++)
        for (uint32_t i = 0; i < along_u; i++) {
            const uint32_t at = first + j * (along_u + 1) + i, above = at + along_u + 1;
            const uint32_t square[2][3] = {{at, at + 1, above}, {at + 1, above + 1, above}};
            for (int t = 0; t < 2; t++) {
                uint32_t *triangle = l->triangles[l->triangle_count++];
                triangle[0] = square[t][0];
                triangle[larger ? 1 : 2] = square[t][1];
                triangle[larger ? 2 : 1] = square[t][2];
            }
        }
}

static grz_mesh *make_box(const demo *d, const double corners[6])
{
    size_t room = 0;
    for (int axis = 0; axis < 3; axis++)
        room += 2 * (size_t)(squares(d, corners, (axis + 1) % 3) + 1) * (squares(d, corners, (axis + 2) % 3) + 1);
    lattice l = {.positions = demo_get(room, sizeof *l.positions),
                 .triangles = demo_get(2 * room, sizeof *l.triangles)};
    for (int side = 0; side < 6; side++)
        add_side(&l, d, corners, side / 2, side % 2 == 1);
    grz_mesh *mesh = demo_mesh(d, l.positions, l.vertex_count, &l.triangles[0][0], 3 * (uint64_t)l.triangle_count, 0);
    free(l.positions);
    free(l.triangles);
    return mesh;
}

// ---- The motion ----------------------------------------------------------------------------------------------------

static grz_pose turned_about(int axis, double angle)
{
    grz_pose pose = grz_pose_identity();
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    pose.m[u][u] = pose.m[v][v] = cos(angle);
    pose.m[u][v] = -sin(angle);
    pose.m[v][u] = sin(angle);
    return pose;
}

// From 0 at x = 0 and below to 1 at x = 1 and above.
static double ramp(double x)
{
    x = fmin(fmax(x, 0.0), 1.0);
    return x * x * (3.0 - 2.0 * x);
}

static void move(arm *a, double time)
{
    const double rise = ramp(time / 0.35), fall = ramp((time - 0.55) / 0.35), swing = ramp((time - 0.1) / 0.8);
    grz_pose pose = grz_pose_identity();
    a->objects[0].pose = pose;
    for (int i = 0; i < JOINTS; i++) {
        const double from = stations[0][i], over = stations[1][i], to = stations[2][i];
        const double angle = i == 0 ? from + swing * (to - from) : from + rise * (over - from) + fall * (to - over);
        const double *at = frames[i].at;
        pose = grz_pose_product(pose, grz_pose_from_translation(at[0], at[1], at[2]));
        pose = grz_pose_product(pose, turned_about(0, 0.5 * pi * frames[i].quarter_turns));
        pose = grz_pose_product(pose, turned_about(2, angle));
        a->objects[i + 1].pose = pose;
    }
    pose = grz_pose_product(pose, grz_pose_from_translation(0.0, 0.0, 0.107));
    a->objects[PARTS - 1].pose = grz_pose_product(pose, turned_about(2, -0.25 * pi));
}

// ---- The answers ---------------------------------------------------------------------------------------------------

// Which parts hit something, each by its own height map.
static void ask_height_maps(arm *a)
{
    grz_environment environment = grz_default_environment();
    environment.objects = a->objects;
    environment.object_count = OBJECTS;
    for (int i = 0; i < PARTS; i++) {
        grz_heightmap_answer answer;
        grz_error error;
        demo_check(grz_heightmap_collide(a->heightmaps[i], &a->objects[i], &environment, &answer, &error), &error);
        a->alerts[i] = answer.colliding;
    }
}

static void ask(const demo *d, const arm *a, grz_scene *scene, const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_error error;
    for (uint32_t i = 0; i < PARTS; i++)
        demo_check(grz_scene_set_pose(scene, i, &a->objects[i].pose, &error), &error);
    demo_check(grz_collide_scene(d->device, scene, &options, result, &error), &error);
}

static void count(arm *a, const grz_result *result)
{
    uint64_t pairs;
    const grz_scene_pair *touching = grz_result_scene_pairs(result, &pairs);
    memset(a->touches, 0, sizeof a->touches);
    for (uint64_t i = 0; i < pairs; i++) {
        if (touching[i].a < PARTS)
            a->touches[touching[i].a] = true;
        if (touching[i].b < PARTS)
            a->touches[touching[i].b] = true;
    }
    a->frames++;
    a->exact += pairs > 0;
    for (int i = 0; i < PARTS; i++) {
        a->missed += a->touches[i] && !a->alerts[i];
        a->invented += a->alerts[i] && !a->touches[i];
    }
}

// "hand, link 7": the parts of a list.
static void list_parts(const bool parts[PARTS], char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "none");
    for (int i = PARTS - 1; i >= 0; i--)
        if (parts[i] && used + 12 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", names[i]);
}

static void describe(const arm *a, const grz_result *result, char *text, size_t size)
{
    char alerts[100], exact[100] = "nothing touches";
    uint64_t pairs, faces;
    const grz_scene_pair *touching = grz_result_scene_pairs(result, &pairs);
    grz_result_pairs(result, &faces);
    list_parts(a->alerts, alerts, sizeof alerts);
    if (pairs > 0)
        snprintf(exact, sizeof exact, "%s and %s%s touch at %" PRIu64 " pairs of faces: red", names[touching[0].a],
                 names[touching[0].b], pairs > 1 ? " and others" : "", faces);
    snprintf(text, size, "height maps of %d parts hit (blue): %s; %s", PARTS, alerts, exact);
}

// ---- The demo ------------------------------------------------------------------------------------------------------

static void make(const demo *d, arm *a)
{
    grz_heightmap_options options = grz_default_heightmap_options();
    grz_error error;
    options.resolution = RESOLUTION;
    options.projection = GRZ_PROJECTION_OPPOSITE;
    for (int i = 0; i < OBJECTS; i++) {
        a->meshes[i] = i < PARTS ? load_part(d, i) : make_box(d, boxes[i - PARTS]);
        a->objects[i] = grz_object_at_origin(a->meshes[i]);
        a->objects[i].group = i < PARTS ? 1u << i : 1u << PARTS;
        a->objects[i].mask = i < PARTS ? ~0u : (1u << PARTS) - 1; // the cell stands still
        for (int k = 0; k < PARTS && i < PARTS; k++)
            if (abs(k - i) <= APART)
                a->objects[i].mask &= ~(1u << k);
    }
    a->objects[0].mask &= ~(1u << PARTS); // it stands on the table
    for (int i = 0; i < PARTS; i++)
        demo_check(grz_heightmap_create(d->device, a->meshes[i], &options, &a->heightmaps[i], &error), &error);
    move(a, 0.0);
    for (int k = 0; k < 2; k++) {
        demo_check(grz_scene_create(d->device, &a->scenes[k], &error), &error);
        for (int i = 0; i < OBJECTS; i++) {
            uint32_t id;
            demo_check(grz_scene_add(a->scenes[k], &a->objects[i], &id, &error), &error);
        }
    }
}

static void set_view(demo *d, arm *a)
{
    static const double direction[3] = {-1.0, 0.95, -0.55}, up[3] = {0.0, 0.0, 1.0}, low[3] = {-0.15, -0.62, -0.03},
                        high[3] = {0.75, 0.62, 0.85};
    static uint8_t touched[3 * OBJECTS];
    for (int i = 0; i < OBJECTS; i++)
        memcpy(touched + 3 * (size_t)i, red, sizeof red);
    d->picture.colours = a->colours;
    d->picture.touch_colours = touched;
    d->picture.has_direction = d->picture.has_region = true;
    memcpy(d->picture.direction, direction, sizeof direction);
    memcpy(d->picture.up, up, sizeof up);
    memcpy(d->picture.region_min, low, sizeof low);
    memcpy(d->picture.region_max, high, sizeof high);
}

static void set_colors(arm *a)
{
    for (int i = 0; i < OBJECTS; i++)
        memcpy(a->colours + 3 * (size_t)i,
               i >= PARTS     ? cell_colors[i - PARTS]
               : a->alerts[i] ? alerted
                              : part_color,
               3);
}

// The closer view looks at the hand.
static void set_closer(demo *d, const arm *a)
{
    const grz_pose *hand = &a->objects[PARTS - 1].pose;
    const double below[3] = {0.0, 0.0, 0.06}, direction[3] = {-1.0, 0.25, -0.35};
    d->closer = (demo_closer){.shown = true, .width = 400, .height = 400, .radius = 0.14};
    grz_pose_apply(*hand, below, d->closer.middle);
    memcpy(d->closer.direction, direction, sizeof direction);
}

static void finish(arm *a)
{
    for (int k = 0; k < 2; k++)
        grz_scene_destroy(a->scenes[k]);
    for (int i = 0; i < PARTS; i++)
        grz_heightmap_destroy(a->heightmaps[i]);
    for (int i = 0; i < OBJECTS; i++)
        grz_mesh_destroy(a->meshes[i]);
}

int main(int argc, char **argv)
{
    demo d = {.name = "robot_arm",
              .about =
                  "a robot arm swings over a wall; the height maps of its parts and an exact method say what touches",
              .usual_frames = 120};
    arm a = {.frames = 0};
    grz_error error;
    grz_result *result, *reference;
    demo_open(&d, argc, argv);
    make(&d, &a);
    set_view(&d, &a);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        char found[300];
        move(&a, d.frames > 1 ? (double)frame / (double)(d.frames - 1) : 0.5);
        ask(&d, &a, a.scenes[0], d.method, result);
        if (d.check) {
            ask(&d, &a, a.scenes[1], d.reference, reference);
            demo_compare(&d, frame, result, reference);
        }
        ask_height_maps(&a);
        count(&a, result);
        describe(&a, result, found, sizeof found);
        set_colors(&a);
        set_closer(&d, &a);
        if (!demo_show(&d, frame, a.objects, OBJECTS, result, found))
            break;
    }
    printf("robot_arm: something touches in %" PRIu64 " of %" PRIu64
           " frames; of %d parts a frame, height maps missed %" PRIu64 " and invented %" PRIu64 " in all\n",
           a.exact, a.frames, PARTS, a.missed, a.invented);
    grz_result_destroy(result);
    grz_result_destroy(reference);
    finish(&a);
    demo_close(&d);
    return 0;
}
