// SPDX-License-Identifier: MIT
// Asks by method `heightmap`, by other methods and libraries, or draws the meshes alone (ways.h).
#include <graze/gl.h>

#include "ways.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/control.h"
#include "geometry/pose.h"

enum {
    WARM = 8, // frames before the clock starts
    MOST_ROUNDS = 9
};

void flight_make(run *r, const char *part, const char *name, peer_mesh ship, uint32_t step, flight *f)
{
    *f = (flight){.part = part, .name = name, .ship = ship, .tunnel = tunnel_make()};
    f->ship_mesh = upload(r, &f->ship);
    f->tunnel_mesh = upload(r, &f->tunnel);
    for (uint32_t number = 0; number < TUNNEL_FRAMES; number += step) {
        const uint32_t i = f->frames++;
        f->numbers[i] = number;
        f->poses[i] = tunnel_pose(number);
        const grz_object a = place(f->ship_mesh, &f->poses[i]), b = grz_object_at_origin(f->tunnel_mesh);
        f->touch[i] = ask_exact(r, "bvh", 0, &a, &b);
        f->hits += f->touch[i];
    }
}

void flight_free(flight *f)
{
    grz_mesh_destroy(f->ship_mesh);
    grz_mesh_destroy(f->tunnel_mesh);
    shape_free(&f->ship);
    shape_free(&f->tunnel);
}

uint64_t ways_drawn_bytes(const peer_mesh *mesh)
{
    return 12 * ((uint64_t)mesh->vertex_count + mesh->triangle_count); // three floats, three 32-bit numbers
}

// ---- Drawing alone --------------------------------------------------------------------------------------------------

// Clear a picture and draw a mesh into it as a query does.
static void draw(grz_gl *gl, flight_way *by, int which, const grz_object *object, grz_control *control)
{
    const grz_mesh_buffers *buffers;
    const float depth = which == GRZ_HEIGHTS_OF_OBJECT ? 0.0f : 1.0f;
    grz_error error;
    check(grz_mesh_buffers_get(object->mesh, control, &buffers, &error), &error);
    glClearNamedFramebufferfv(by->maps.framebuffers[which], GL_DEPTH, 0, &depth);
    check(grz_height_maps_begin(gl, &by->maps, which, &grz_depths_program, &error), &error);
    if (which == GRZ_HEIGHTS_OF_OBJECT) {
        glDepthFunc(GL_GREATER);
        glCullFace(GL_FRONT);
    }
    check(grz_height_maps_draw(gl, &by->maps, 0, &by->maps.views[0], object, buffers, control), NULL);
    grz_depths_end();
}

// Draw both meshes twice, each time into cleared pictures, and wait until that is done.
static void draw_twice(run *r, const flight *f, flight_way *by, const grz_object *ship, const grz_object *tunnel)
{
    const grz_object own = grz_object_at_origin(f->ship_mesh);
    grz_object seen = *tunnel;
    grz_control control;
    grz_error error;
    grz_gl *gl;
    grz_control_init(&control, grz_device_allocator(r->device), NULL);
    check(grz_gl_enter(r->device, "bench", &gl, &error), &error);
    if (by->maps.bin == NULL) {
        if (!grz_height_maps_init(gl, &by->maps))
            peer_die("out of memory");
        check(grz_height_maps_update(gl, f->ship_mesh, &by->options, 0, &control, &by->maps, &error), &error);
    }
    if (!grz_pose_relative(&ship->pose, &tunnel->pose, &seen.pose))
        peer_die("a pose has no inverse");
    for (int i = 0; i < 2; i++) {
        draw(gl, by, GRZ_HEIGHTS_OF_OBJECT, &own, &control);
        draw(gl, by, GRZ_HEIGHTS_OF_ENVIRONMENT, &seen, &control);
    }
    glFinish();
    check(grz_gl_leave(gl, GRZ_OK, &error), &error);
}

// ---- Questions ------------------------------------------------------------------------------------------------------

static bool ask_kept(flight_way *by, const grz_object *ship, const grz_object *tunnel)
{
    grz_environment environment = grz_default_environment();
    grz_heightmap_answer answer;
    grz_error error;
    environment.objects = tunnel;
    environment.object_count = 1;
    check(grz_heightmap_collide(by->kept, ship, &environment, &answer, &error), &error);
    return answer.colliding;
}

static bool ask_query(run *r, const flight_way *by, const grz_object *ship, const grz_object *tunnel)
{
    grz_collide_options collide_options = grz_default_collide_options();
    grz_error error;
    collide_options.method = "heightmap";
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.find = 0;
    collide_options.method_options = &(grz_method_options){.method = "heightmap", .options = &by->options};
    check(grz_collide(r->device, ship, tunnel, &collide_options, r->result, &error), &error);
    return grz_result_summary(r->result)->colliding;
}

// Seconds, and the answer.
static double ask_way(run *r, const flight *f, flight_way *by, uint32_t frame, bool *said)
{
    const grz_object ship = place(f->ship_mesh, &f->poses[frame]), tunnel = grz_object_at_origin(f->tunnel_mesh);
    const peer_pose still = pose_still();
    const stopwatch start = measure_start();
    switch (by->kind) {
    case WAY_KEPT:
        *said = ask_kept(by, &ship, &tunnel);
        break;
    case WAY_QUERY:
        *said = ask_query(r, by, &ship, &tunnel);
        break;
    case WAY_EXACT:
        *said = ask_exact(r, by->method, 0, &ship, &tunnel);
        break;
    case WAY_LIBRARY:
        *said = by->library->touches(by->models[0], &f->poses[frame], by->models[1], &still);
        break;
    case WAY_DRAWING:
        draw_twice(r, f, by, &ship, &tunnel);
        *said = f->touch[frame];
        break;
    }
    return measure_stop(start);
}

// ---- All ways -------------------------------------------------------------------------------------------------------

static void open_library(const flight *f, flight_way *by)
{
    const peer *library = by->library;
    if (library->start != NULL)
        library->start(1);
    const size_t before = library->memory != NULL ? library->memory() : measure_malloc();
    by->models[0] = library->create(&f->ship, false);
    by->models[1] = library->create(&f->tunnel, false);
    by->bytes = (library->memory != NULL ? library->memory() : measure_malloc()) - before;
}

void ways_open(run *r, flight *f, flight_way *ways, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        grz_error error;
        if (ways[i].kind == WAY_KEPT)
            check(grz_heightmap_create(r->device, f->ship_mesh, &ways[i].options, &ways[i].kept, &error), &error);
        else if (ways[i].kind == WAY_LIBRARY)
            open_library(f, &ways[i]);
    }
}

void ways_ask(run *r, const flight *f, flight_way *ways, uint32_t count, uint32_t rounds)
{
    static double times[MOST_WAYS][TUNNEL_FRAMES][MOST_ROUNDS];
    bool said;
    for (uint32_t frame = 0; frame < WARM && frame < f->frames; frame++)
        for (uint32_t i = 0; i < count; i++)
            ask_way(r, f, &ways[i], frame * (f->frames / WARM), &said);
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t frame = 0; frame < f->frames; frame++)
            for (uint32_t k = 0; k < count; k++) {
                const uint32_t i = (k + frame) % count;
                times[i][frame][round] = ask_way(r, f, &ways[i], frame, &ways[i].said[frame]);
            }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t frame = 0; frame < f->frames; frame++)
            ways[i].times[frame] = measure_median(times[i][frame], (int)rounds);
}

// Bytes of a depth texture; with a stencil a pixel has 32 bits of depth, 8 of stencil, and 24 that are not used.
static uint64_t texture_bytes(GLuint name)
{
    GLint width, height, stencil;
    glGetTextureLevelParameteriv(name, 0, GL_TEXTURE_WIDTH, &width);
    glGetTextureLevelParameteriv(name, 0, GL_TEXTURE_HEIGHT, &height);
    glGetTextureLevelParameteriv(name, 0, GL_TEXTURE_STENCIL_SIZE, &stencil);
    return (uint64_t)width * (uint64_t)height * (stencil > 0 ? 8 : 4);
}

void ways_close(run *r, flight_way *ways, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        flight_way *by = &ways[i];
        grz_heightmap_images images;
        grz_error error;
        grz_gl *gl;
        if (by->kind == WAY_KEPT && grz_heightmap_images_of(by->kept, &images)) {
            check(grz_gl_enter(r->device, "bench", &gl, &error), &error);
            by->bytes = texture_bytes(images.object_depth) + texture_bytes(images.environment_depth);
            check(grz_gl_leave(gl, GRZ_OK, &error), &error);
        }
        grz_heightmap_destroy(by->kept);
        grz_height_maps_finish(r->device, &by->maps);
        for (int k = 0; k < 2 && by->kind == WAY_LIBRARY; k++)
            by->library->destroy(by->models[k]);
    }
}
