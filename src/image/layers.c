// SPDX-License-Identifier: MIT
// Method `layers`: the surfaces in the region are captured as lists of fragments, one list a pixel, and fragments of two surfaces that come
// close there make a pair of triangles for the predicates. Source: H. Jang, J. Han, "Fast collision detection using the A-buffer" (2008).
#include <math.h>

#include "image/exact.h"

enum {
    LEAST_SIDE = 64,
    MOST_SIDE = 512,
    TRIANGLES_PER_PIXEL = 1
};

// Pixels a side: of a mesh with itself as many as it has triangles; between objects, where only what shares a cell is captured, fewer.
static uint32_t resolution(const grz_job *const *jobs, size_t count)
{
    uint32_t side = LEAST_SIDE;
    if (count == 1 && jobs[0]->b == NULL)
        while (side < MOST_SIDE && (uint64_t)side * side * TRIANGLES_PER_PIXEL < jobs[0]->a->mesh->triangle_count)
            side *= 2;
    return side;
}

static const grz_image_method exact = {.name = "layers", .join = GRZ_JOIN_LAYERS, .resolution = resolution};

static grz_status propose(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    return grz_image_propose(device, &exact, jobs, count, sink, error);
}

static grz_status reach(grz_device *device, const grz_job *job, grz_control *control, grz_mesh *parts[2], bool *done,
                        grz_error *error)
{
    return grz_image_reach(device, &exact, job, control, parts, done, error);
}

const grz_filter grz_filter_layers = {.name = "layers",
                                      .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF,
                                      .gl = true,
                                      .slot = GRZ_SLOT_COUNT,
                                      .propose = propose,
                                      .reach = reach};
