// SPDX-License-Identifier: MIT
// The presets of method `slices`. Also part of builds without OpenGL. Source: J. Dinerstein, P. Egbert, section 4.1.
#include "image/slices/slices_options.h"

#include "base/options.h"
#include "result/discrete.h"

static const grz_slices_options presets[] = {
    [GRZ_SLICES_FAST] = {.size = sizeof(grz_slices_options), .resolution = 32, .slices = 16, .max_boxes = 1},
    [GRZ_SLICES_BALANCED] =
        {.size = sizeof(grz_slices_options), .resolution = 64, .slices = 16, .refinements = 1, .max_boxes = 1},
    [GRZ_SLICES_ACCURATE] = {.size = sizeof(grz_slices_options),
                             .resolution = 128,
                             .slices = 16,
                             .refinements = 2,
                             .max_boxes = 1,
                             .last_slices = 32},
};

static const grz_options_type types[] = {
    [GRZ_SLICES_FAST] = GRZ_OPTIONS_TYPE(slices_options, resolution, presets[GRZ_SLICES_FAST]),
    [GRZ_SLICES_BALANCED] = GRZ_OPTIONS_TYPE(slices_options, resolution, presets[GRZ_SLICES_BALANCED]),
    [GRZ_SLICES_ACCURATE] = GRZ_OPTIONS_TYPE(slices_options, resolution, presets[GRZ_SLICES_ACCURATE]),
};

void grz_slices_options_init(grz_slices_options *options, size_t size, grz_slices_preset preset)
{
    const bool known = preset == GRZ_SLICES_FAST || preset == GRZ_SLICES_ACCURATE;
    grz_options_init(&types[known ? preset : GRZ_SLICES_BALANCED], options, size);
}

grz_status grz_slices_options_read(const char *call, const grz_slices_options *given, grz_slices_options *out,
                                   grz_error *error)
{
    return grz_options_read(&types[GRZ_SLICES_BALANCED], call, given, out, error);
}
