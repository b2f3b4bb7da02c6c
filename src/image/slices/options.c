// SPDX-License-Identifier: MIT
// The presets of method `slices`. Also part of builds without OpenGL. Source: J. Dinerstein, P. Egbert, section 4.1.
#include "image/slices/options.h"

#include "base/options.h"
#include "result/discrete.h"

static const grz_options_type options_type = {"grz_slices_options", "grz_default_slices_options()",
                                              sizeof(grz_slices_options),
                                              GRZ_MEMBER_END(grz_slices_options, resolution)};

static const grz_slices_options presets[] = {
    [GRZ_SLICES_FAST] = {.size = sizeof(grz_slices_options), .resolution = 32, .slices = 16, .volumes = 1},
    [GRZ_SLICES_BALANCED] =
        {.size = sizeof(grz_slices_options), .resolution = 64, .slices = 16, .refinements = 1, .volumes = 1},
    [GRZ_SLICES_ACCURATE] = {.size = sizeof(grz_slices_options),
                             .resolution = 128,
                             .slices = 16,
                             .refinements = 2,
                             .volumes = 1,
                             .last_slices = 32},
};

void grz_slices_options_init(grz_slices_options *options, size_t size, grz_slices_preset preset)
{
    const bool known = preset == GRZ_SLICES_FAST || preset == GRZ_SLICES_ACCURATE;
    grz_options_init(&options_type, &presets[known ? preset : GRZ_SLICES_BALANCED], options, size);
}

grz_status grz_slices_options_read(const char *call, const grz_slices_options *given, grz_slices_options *out,
                                   grz_error *error)
{
    *out = presets[GRZ_SLICES_BALANCED];
    return given != NULL ? grz_options_read(&options_type, call, "options", given, out, error) : GRZ_OK;
}

bool grz_result_slices(const grz_result *result, grz_slices_statistics *statistics)
{
    grz_slices_statistics read = {.resolution = 0};
    uint64_t resolution, slices;
    const bool there = grz_result_statistic(result, "slices", &slices);
    if (there) {
        grz_result_statistic(result, "resolution", &resolution);
        grz_result_statistic(result, "cells", &read.cells);
        read.resolution = (uint32_t)resolution;
        read.slices = (uint32_t)slices;
    }
    if (statistics != NULL)
        *statistics = read;
    return there;
}
