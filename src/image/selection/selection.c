// SPDX-License-Identifier: MIT
// Method `selection`. Each mesh has leaf boxes. The boxes of two objects that meet select leaves, these select
// triangles, and what is left are pairs for the predicates (image/grid/leaves/). Source: S. Aharon, C. Lenglet,
// "Collision detection algorithm for deformable objects using OpenGL" (2002). The paper lets OpenGL's selection mode
// name what is inside a viewing volume; that mode is gone from OpenGL, so compute shaders make the lists of names.
#include "image/selection/selection.h"

#include <assert.h>

#include "image/grid/propose.h"
#include "image/selection/options.h"

enum {
    CELLS = 1024 // units along the longest side of a job's region; no answer depends on it
};

static uint32_t resolution(const grz_job_set *set, const uint32_t *jobs, size_t count)
{
    (void)set, (void)jobs, (void)count;
    return CELLS;
}

static uint32_t max_faces(const grz_job_set *set)
{
    grz_selection_options options;
    if (grz_selection_options_read(set->options, &options, NULL) != GRZ_OK ||
        options.max_faces == GRZ_SELECTION_AUTOMATIC)
        return 0;
    return options.max_faces < GRZ_LEAF_MOST ? options.max_faces : GRZ_LEAF_MOST;
}

static const grz_image_method exact = {
    .name = "selection", .join = GRZ_JOIN_LEAVES, .resolution = resolution, .max_faces = max_faces};

static grz_status check_options(const void *options, grz_error *error)
{
    grz_selection_options read;
    return grz_selection_options_read(options, &read, error);
}

static grz_status propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    return grz_image_propose(device, &exact, set, sink, error);
}

static grz_status read_near(grz_device *device, const grz_job_set *set, grz_control *control, grz_mesh *parts[2],
                            bool *done, grz_error *error)
{
    return grz_image_read_near(device, &exact, set, control, parts, done, error);
}

const grz_filter grz_filter_selection = {.name = "selection",
                                         .capabilities =
                                             GRZ_CAN_PAIR | GRZ_CAN_MANY | GRZ_CAN_READ_BUFFERS | GRZ_USES_GL,
                                         .check_options = check_options,
                                         .propose = propose,
                                         .read_near = read_near};
