// SPDX-License-Identifier: MIT
// Drawing for method `slices`, and the analysis of what was drawn, through OpenGL.
#ifndef GRZ_IMAGE_SLICES_DRAW_H
#define GRZ_IMAGE_SLICES_DRAW_H

#include "image/slices.h"

// A query under way.
typedef struct grz_slicing {
    grz_gl *gl;
    const grz_slices_options *options;
    grz_control *control;
    grz_error *error;
    uint32_t drawings; // so far
} grz_slicing;

// Something to draw.
typedef struct grz_slices_drawn {
    const grz_object *object;
    const grz_mesh_buffers *buffers;
    float offset; // in units of the buffers
    bool second;  // it has the second object's bits
} grz_slices_drawn;

// Refuse what the device cannot draw, whatever will be found: resolution, volumes and slices.
grz_status grz_slices_check_size(const grz_gl *gl, const grz_slices_options *options, grz_error *error);

// Draw all of `drawn` into each of up to GRZ_SLICES_MOST_VOLUMES view volumes, side by side in one picture, and analyse it. `tiles`
// receives grz_slices_tile_count() tiles for each view, one view after the other; columns count from the view's own left edge.
grz_status grz_slices_look(grz_slicing *s, const grz_view *views, uint32_t view_count, const grz_slices_drawn *drawn,
                           size_t drawn_count, uint32_t slices, grz_tile *tiles);

#endif
