// SPDX-License-Identifier: MIT
// Draws the scene by OpenGL, in a context of the benchmark's own as a game has one: to a picture, and as the
// environment of a height map. Flag, plants and particles are made by shaders and never reach the processor.
#ifndef GRZ_BENCH_HEIGHTMAP_SCENE_DRAWN_H
#define GRZ_BENCH_HEIGHTMAP_SCENE_DRAWN_H

#include <graze/gl.h>
#include <graze/environment.h>

#include "gl/context.h"
#include "run.h"
#include "scene_shapes.h"

enum {
    SCENE_WIDTH = 1280,
    SCENE_HEIGHT = 720,
    SCENE_MADE = SCENE_THINGS - SCENE_MESHES, // things that shaders make
    SCENE_SHIP = SCENE_MESHES                 // of the buffers, the ship's
};

// Programs of one thing differ in what comes last: colours for the screen, ids, nothing but depths.
typedef enum scene_output {
    SCENE_COLOURS,
    SCENE_IDS,
    SCENE_DEPTHS,
    SCENE_OUTPUTS
} scene_output;

typedef struct scene_buffers {
    GLuint positions, triangles, vertex_array;
    GLsizei corners;
} scene_buffers;

typedef struct scene_drawn {
    grz_context context;
    grz_device *device;                      // works in this context
    scene_buffers buffers[SCENE_MESHES + 1]; // of the meshes, and of the ship
    grz_mesh *meshes[SCENE_MESHES];          // for Graze, in these buffers
    GLuint solid, programs[SCENE_MADE][SCENE_OUTPUTS], step;
    GLuint feet, particles[2]; // where plants stand; positions and speeds
    GLuint vertex_arrays[SCENE_MADE];
    GLuint camera, framebuffer, pictures[2]; // the uniform block of the camera; colours and depths
    scene_output output;                     // of the next call of scene_drawn_environment()
} scene_drawn;

// Make all of it on the renderer of r->device. The context becomes and stays current; Graze's own calls leave it so.
void scene_drawn_open(const run *r, const scene_shapes *shapes, scene_drawn *drawn);
void scene_drawn_close(scene_drawn *drawn);

// Move the particles by some steps of a frame.
void scene_drawn_step(const scene_drawn *drawn, uint32_t steps);

// Set the time of a frame. It stays until the next call.
void scene_drawn_time(const scene_drawn *drawn, uint32_t frame);

// Draw all of the scene to the picture. Does not wait until that is done.
void scene_drawn_frame(const scene_drawn *drawn, const peer_pose *ship, const peer_pose *airship);

// What shaders make, for a height map: grz_environment::draw. `user` is a scene_drawn.
grz_status scene_drawn_environment(void *user, const grz_environment_view *view);

// How many triangles, lines or points the shaders make of something.
uint32_t scene_drawn_primitives(scene_drawn *drawn, scene_thing thing);

#endif
