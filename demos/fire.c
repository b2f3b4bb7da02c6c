// SPDX-License-Identifier: MIT
// A skillet moves to and fro over a fire of 50,000 particles. They share one height map, seen from the fire upwards,
// and bounce off the skillet on the normals that are recorded there (<graze/particles.h>). That is J. Fabrizio's scene
// of particles ("Easy real-time collision detection", figure 7). An exact query says whether the path of any particle
// touches the skillet.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <graze/gl.h>

#include "burner.h"
#include "demo.h"
#include "flames.h"
#include "skillet.h"

enum {
    MOST = 50000,          // particles
    BOUNCES = 2,           // of a particle in a frame: what is left of the frame is left out then
    SEGMENTS = 1 + BOUNCES // of a path, at most
};

static const double frame_seconds = 1.0 / 60.0;
static const uint8_t steel[3] = {92, 98, 112}, red[3] = {224, 24, 32};

typedef struct fire {
    burner burner;
    float before[MOST][3]; // positions, before a frame
    bool pushed[MOST];     // in this frame
    grz_particle_map *map;
    grz_mesh *skillet;
    skillet shape;
    grz_object objects[2]; // the skillet, and the paths as faces without area
    double (*path_positions)[3];
    uint32_t *path_corners;
    grz_particle_answer answer;
    uint64_t frames, bounces;
    uint64_t touching[2], all_touching[2]; // pairs of paths and faces: of particles that were not pushed, and of others
    flame_picture picture;
} fire;

static void burn(fire *f)
{
    const grz_particle_array array = {.memory = f->burner.particles[0].position, .count = f->burner.count};
    grz_particle_step step = grz_default_particle_step();
    grz_environment environment = grz_default_environment();
    grz_error error;
    environment.objects = f->objects;
    environment.object_count = 1;
    demo_check(grz_particle_map_draw(f->map, &environment, &error), &error);
    for (uint32_t i = 0; i < f->burner.count; i++)
        memcpy(f->before[i], f->burner.particles[i].position, sizeof f->before[i]);
    step.seconds = frame_seconds;
    step.restitution = 0.3;
    step.friction = 0.05;
    step.max_bounces = BOUNCES;
    step.max_hits = (uint64_t)f->burner.count * (BOUNCES + 1);
    demo_check(grz_particle_map_step(f->map, &array, &step, &f->answer, &error), &error);
}

// The path of each particle in this frame, from where it was, or was pushed to, by way of its bounces.
static void set_paths(const demo *d, fire *f)
{
    uint64_t hit_count, next = 0;
    const grz_particle_hit *hits = grz_particle_map_hits(f->map, &hit_count);
    for (uint32_t i = 0; i < f->burner.count; i++) {
        float points[SEGMENTS + 1][3];
        int count = 1;
        memcpy(points[0], f->before[i], sizeof points[0]);
        f->pushed[i] = false;
        for (; next < hit_count && hits[next].particle == i; next++) {
            const bool pushed = hits[next].kind == GRZ_PARTICLE_PUSHED;
            f->pushed[i] = f->pushed[i] || pushed;
            memcpy(points[pushed ? 0 : count++], hits[next].position, sizeof points[0]);
        }
        for (; count <= SEGMENTS; count++)
            memcpy(points[count], f->burner.particles[i].position, sizeof points[0]);
        for (int k = 0; k < 2 * SEGMENTS; k++)
            for (int j = 0; j < 3; j++)
                f->path_positions[(size_t)2 * SEGMENTS * i + (size_t)k][j] = (double)points[(k + 1) / 2][j];
    }
    grz_mesh_destroy((grz_mesh *)f->objects[1].mesh); // they end anywhere else in each frame, so a new tree is better
    const uint64_t segments = SEGMENTS * (uint64_t)f->burner.count;
    f->objects[1] =
        grz_object_at_origin(demo_mesh(d, f->path_positions, 2 * segments, f->path_corners, 3 * segments, 0));
}

// ---- The demo ------------------------------------------------------------------------------------------------------

static void ask(const demo *d, const fire *f, const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_scene *scene;
    grz_error error;
    demo_check(grz_scene_create(d->device, &scene, &error), &error);
    for (int i = 0; i < 2; i++) {
        uint32_t id;
        demo_check(grz_scene_add(scene, &f->objects[i], &id, &error), &error);
    }
    demo_check(grz_collide_scene(d->device, scene, &options, result, &error), &error);
    grz_scene_destroy(scene);
}

static void make_map(const demo *d, fire *f)
{
    grz_particle_map_options options = grz_default_particle_map_options();
    grz_error error;
    options.resolution = d->small ? 256 : 1024;
    options.layers = 4; // where the handle joins the pan, there are four surfaces over each other
    options.centre[2] = 0.3;
    options.half[0] = options.half[1] = 0.45;
    options.half[2] = 0.3;
    demo_check(grz_particle_map_create(d->device, &options, &f->map, &error), &error);
}

// It has burnt for a while before the first frame.
static void start(fire *f)
{
    for (int i = -60; i < 0; i++) {
        f->objects[0].pose = burner_skillet(i / 240.0);
        burner_stir(&f->burner, i * frame_seconds, frame_seconds);
        burn(f);
    }
}

static void make(const demo *d, fire *f)
{
    burner_light(&f->burner, d->small ? 3000 : MOST);
    skillet_make(&f->shape, d->small);
    f->skillet = demo_mesh(d, f->shape.positions, f->shape.vertex_count, &f->shape.triangles[0][0],
                           3 * (uint64_t)f->shape.triangle_count, 0);
    const size_t segments = SEGMENTS * (size_t)f->burner.count;
    f->path_corners = demo_get(3 * segments, sizeof *f->path_corners);
    f->path_positions = demo_get(2 * segments, sizeof *f->path_positions);
    for (uint32_t i = 0; i < segments; i++) {
        f->path_corners[3 * (size_t)i] = 2 * i;
        f->path_corners[3 * (size_t)i + 1] = f->path_corners[3 * (size_t)i + 2] = 2 * i + 1;
    }
    f->objects[0] = grz_object_at_origin(f->skillet);
    make_map(d, f);
    start(f);
}

static void set_view(demo *d)
{
    static const double direction[3] = {0.3, 1.0, -0.16}, up[3] = {0.0, 0.0, 1.0}, low[3] = {-0.26, -0.16, -0.02},
                        high[3] = {0.36, 0.16, 0.42};
    static uint8_t colours[6], touched[6];
    memcpy(colours, steel, sizeof steel);
    memcpy(touched, red, sizeof red);
    d->picture.colours = colours;
    d->picture.touch_colours = touched;
    d->picture.has_direction = d->picture.has_region = true;
    memcpy(d->picture.direction, direction, sizeof direction);
    memcpy(d->picture.up, up, sizeof up);
    memcpy(d->picture.region_min, low, sizeof low);
    memcpy(d->picture.region_max, high, sizeof high);
}

static void paint(demo *d, const grz_picture_view *view)
{
    fire *f = d->user;
    flame_picture_start(&f->picture, d->pixels, d->picture.width, d->picture.height, view);
    flame_picture_hide(&f->picture, f->shape.positions, f->shape.vertex_count, &f->shape.triangles[0][0],
                       f->shape.triangle_count, &f->objects[0].pose);
    flame_picture_add(&f->picture, f->burner.particles, f->burner.count);
    flame_picture_end(&f->picture);
}

// Count the pairs of paths and faces that touch. Faces of the second object are segments of paths.
static void count(fire *f, const grz_result *result)
{
    uint64_t pairs;
    const grz_pair *touching = grz_result_pairs(result, &pairs);
    f->touching[0] = f->touching[1] = 0;
    for (uint64_t i = 0; i < pairs; i++)
        f->touching[f->pushed[touching[i].face_b / SEGMENTS]]++;
    for (int k = 0; k < 2; k++)
        f->all_touching[k] += f->touching[k];
    f->frames++;
    f->bounces += f->answer.bounces;
}

// One frame. False if the window was closed.
static bool show(demo *d, fire *f, uint64_t frame, grz_result *result, grz_result *reference)
{
    grz_object shown[2];
    char found[200];
    const double share = (double)frame / (d->small ? 24.0 : 240.0);
    f->objects[0].pose = burner_skillet(share);
    burner_stir(&f->burner, (double)frame * frame_seconds, frame_seconds);
    burn(f);
    set_paths(d, f);
    ask(d, f, d->method, result);
    if (d->check) {
        ask(d, f, d->reference, reference);
        demo_compare(d, frame, result, reference);
    }
    count(f, result);
    snprintf(found, sizeof found,
             "%" PRIu64 " of %" PRIu32 " particles bounce off, %" PRIu64 " are pushed; paths touch at %" PRIu64
             " pairs (pushed: %" PRIu64 ")",
             f->answer.hit, f->burner.count, f->answer.pushed, f->touching[0], f->touching[1]);
    memcpy(shown, f->objects, sizeof shown);
    shown[1].mesh = NULL;
    return demo_show(d, frame, shown, 2, result, found);
}

static void finish(fire *f)
{
    grz_particle_map_destroy(f->map);
    grz_mesh_destroy(f->skillet);
    grz_mesh_destroy((grz_mesh *)f->objects[1].mesh);
    skillet_free(&f->shape);
    burner_free(&f->burner);
    free(f->path_positions);
    free(f->path_corners);
    flame_picture_free(&f->picture);
}

int main(int argc, char **argv)
{
    static fire f;
    demo d = {.name = "fire",
              .about =
                  "a skillet over a fire; particles bounce off its height map, and an exact method checks their paths",
              .usual_frames = 120,
              .paint = paint,
              .user = &f};
    grz_error error;
    grz_result *result, *reference;
    demo_open(&d, argc, argv);
    make(&d, &f);
    set_view(&d);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("fire: %u particles, a skillet of %u triangles, method %s\n", f.burner.count, f.shape.triangle_count,
           d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++)
        if (!show(&d, &f, frame, result, reference))
            break;
    printf("fire: %" PRIu64 " frames, %" PRIu64 " bounces; paths touch faces at %" PRIu64 " pairs, those of particles "
           "that were pushed at %" PRIu64 "\n",
           f.frames, f.bounces, f.all_touching[0], f.all_touching[1]);
    grz_result_destroy(result);
    grz_result_destroy(reference);
    finish(&f);
    demo_close(&d);
    return 0;
}
