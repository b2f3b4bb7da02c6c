// SPDX-License-Identifier: MIT
// Layers as they are drawn: fragments of all objects' surfaces in a region, and the sets of triangles that come close in some pixel.
#ifndef GRZ_IMAGE_LAYERS_SAMPLE_H
#define GRZ_IMAGE_LAYERS_SAMPLE_H

#include <graze/layers.h>

#include "image/view.h"
#include "image/voxels.h"

// What is drawn.
typedef struct grz_layers_request {
    const grz_object *const *objects; // one: it is asked about itself, in its own coordinates
    size_t count;
    grz_box region; // of the world, or of the mesh
    const grz_layers_options *options;
    bool reduce; // false: pairs of fragments are only counted, as many as would be read back if none were taken out
    bool time;   // wait for each step, to measure it
} grz_layers_request;

// Potentially colliding sets. Zero it to start.
typedef struct grz_layers_sets {
    grz_voxel_candidate *items; // their triangles are numbered through all objects, in order
    size_t count, room;
    uint64_t captured,
        left_out;               // fragments, by lists; and those that were left out for want of layers, where their number is fixed
    uint64_t raw_count;         // pairs of fragments, one for each pixel that they share
    uint64_t read_bytes;        // in all
    double capture_ms, sets_ms; // where that was asked for
    grz_view view;              // that it was drawn in
} grz_layers_sets;

// Refuse settings that no device can take.
grz_status grz_layers_check(const grz_layers_options *options, grz_error *error);

// Inside and out again. What the sets held is released first; their memory is the control's allocator's.
grz_status grz_layers_sample(grz_device *device, const grz_layers_request *request, grz_control *control, grz_layers_sets *sets,
                             grz_error *error);
void grz_layers_sets_finish(grz_layers_sets *sets, grz_control *control);

#endif
