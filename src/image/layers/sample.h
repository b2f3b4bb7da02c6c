// SPDX-License-Identifier: MIT
// The discrete answer of method `layers`: draw the fragments of all objects' surfaces in a region, and find the
// potentially colliding sets, which are pairs of triangles that are close in depth in some pixel.
#ifndef GRZ_IMAGE_LAYERS_SAMPLE_H
#define GRZ_IMAGE_LAYERS_SAMPLE_H

#include <graze/layers.h>

#include "gpu/view.h"
#include "image/grid/voxel_grid.h"

// What is drawn.
typedef struct grz_layers_request {
    const grz_object *const *objects; // a single one is tested with itself, in its own coordinates
    size_t count;
    grz_box region; // in world coordinates, for a single object in mesh coordinates
    const grz_layers_options *options;
    bool reduce; // false: only count pairs of fragments, to measure what dropping duplicates saves
    bool time;   // wait after each step, to measure it
    // Not NULL: instead of sets, find for each pixel, row after row, the depths at which two objects are both inside,
    // coded as depths_common.comp says. The surfaces in front of the region and behind it are captured too.
    float *common_depths;
} grz_layers_request;

// A potentially colliding set, as the shader writes it.
typedef struct grz_layers_set {
    uint32_t unused;
    uint32_t triangles[2]; // their numbers count through all objects, in order
    uint32_t untested;     // not 0: counts as a collision without a test
} grz_layers_set;

// Potentially colliding sets. Zero it to start.
typedef struct grz_layers_sets {
    grz_layers_set *items;
    size_t count, room;
    uint64_t captured;          // fragments, with GRZ_LAYERS_LISTS
    uint64_t left_out;          // fragments that found no free layer, with GRZ_LAYERS_FIXED
    uint64_t raw_count;         // pairs of fragments, one for each pixel that two triangles share
    uint64_t read_bytes;        // read back from OpenGL
    double capture_ms, sets_ms; // if request.time
    grz_view view;              // the view that was drawn
} grz_layers_sets;

// Fail with settings that no device can take.
grz_status grz_layers_check(const grz_layers_options *options, grz_error *error);

// Draw and find the sets. What `sets` held is released first; its memory is the control's allocator's. The caller must
// not be inside the device's OpenGL.
grz_status grz_layers_sample(grz_device *device, const grz_layers_request *request, grz_control *control,
                             grz_layers_sets *sets, grz_error *error);
void grz_layers_sets_finish(grz_layers_sets *sets, grz_control *control);

#endif
