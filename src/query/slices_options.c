// SPDX-License-Identifier: MIT
// The presets of method `slices`, in builds with OpenGL and without. Source: J. Dinerstein, P. Egbert, section 4.1.
#include <graze/slices.h>

#include "query/result.h"

grz_slices_options grz_default_slices_options(grz_slices_preset preset)
{
    grz_slices_options options = {.size = sizeof options, .resolution = 64, .slices = 16, .refinements = 1, .volumes = 1};
    if (preset == GRZ_SLICES_FAST) {
        options.resolution = 32;
        options.refinements = 0;
    }
    if (preset == GRZ_SLICES_ACCURATE) {
        options.resolution = 128;
        options.refinements = 2;
        options.last_slices = 32;
    }
    return options;
}

const grz_volume *grz_result_volumes(const grz_result *result, uint64_t *count)
{
    *count = result->volumes.count;
    return result->volumes.items;
}
