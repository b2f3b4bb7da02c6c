// SPDX-License-Identifier: MIT
// Draws the pictures of method `slices` and analyses them, through OpenGL.
#ifndef GRZ_IMAGE_SLICES_SLICES_DRAW_H
#define GRZ_IMAGE_SLICES_SLICES_DRAW_H

#include "image/slices/slices.h"

// A query under way.
typedef struct grz_slicing {
    grz_gl *gl;
    const grz_slices_options *options;
    grz_control *control;
    grz_error *error;
    uint32_t resolution; // of the pictures to draw
    uint32_t drawings;   // the pictures drawn so far
} grz_slicing;

// Something to draw.
typedef struct grz_slices_drawn {
    const grz_object *object;
    const grz_mesh_buffers *buffers;
    float offset; // of the surface, in the units of the buffers
    bool second;  // it draws into the bits of the second object
} grz_slices_drawn;

// How far cell_offset moves surfaces in a view, in world units.
double grz_slices_cell_offset(const grz_slicing *s, const grz_view *view, uint32_t slices);

// Fail if the device cannot draw so many pixels, volumes or slices, whatever will be found.
grz_status grz_slices_check_size(const grz_gl *gl, const grz_slices_options *options, grz_error *error);

// Draw all of `drawn` into each of up to GRZ_SLICES_MAX_BOXES view volumes, side by side in one picture, and
// analyse it. `tiles` receives grz_slices_tile_count() tiles for each view, one view after the other; columns count
// from the view's own left edge.
grz_status grz_slices_look(grz_slicing *s, const grz_view *views, uint32_t view_count, const grz_slices_drawn *drawn,
                           size_t drawn_count, uint32_t slices, grz_tile *tiles);

#endif
