// SPDX-License-Identifier: MIT
// Draws an environment into a view: objects of Graze, then what a callback of the caller's draws.
#ifndef GRZ_IMAGE_ENVIRONMENT_ENVIRONMENT_DRAW_H
#define GRZ_IMAGE_ENVIRONMENT_ENVIRONMENT_DRAW_H

#include <graze/environment.h>

#include "gl/gl.h"
#include "gpu/view.h"

// Which fragments a picture takes.
typedef enum grz_environment_takes {
    GRZ_TAKES_NEAREST,    // the nearest one of each pixel
    GRZ_TAKES_SILHOUETTE, // the same, where the stencil is 1
    // In each pixel the fragment that is drawn as number `layer`, counted from 0, whatever its depth. The stencil must
    // be 0 everywhere; it counts the fragments.
    GRZ_TAKES_LAYER
} grz_environment_takes;

// A picture of an environment, and how to draw it.
typedef struct grz_environment_picture {
    grz_gl *gl;
    const grz_environment *environment; // its object_count is below 2^32
    const grz_object *inside;           // is left out, and ignores by group and mask; views are in its coordinates
    GLuint framebuffer;
    uint32_t record; // GRZ_RECORD_…: outputs of the framebuffer
    bool culled;     // leave out faces that point forwards
    grz_environment_takes takes;
    uint32_t layer;
    grz_gl_buffer *block;                               // the uniforms of a callback; may be empty
    grz_status (*renew)(void *owner, grz_error *error); // attaches pictures again, whatever a callback did to them
    void *owner;
    grz_control *control;
    grz_error *error;
} grz_environment_picture;

// Draw everything into one view, which is that part of the picture. Nothing is cleared before.
grz_status grz_environment_draw_view(const grz_environment_picture *picture, const grz_view *view, uint32_t number,
                                     const int32_t viewport[4]);

// A direction of the mesh of `object` in the world, of length 1. Returns the length that a unit vector gets there.
double grz_environment_forwards(const grz_object *object, const double away[3], double forwards[3]);

#endif
