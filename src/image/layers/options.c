// SPDX-License-Identifier: MIT
// The default options of method `layers`. Also part of builds without OpenGL.
#include "image/layers/options.h"

#include "base/options.h"

static const grz_options_type options_type = {"grz_layers_options", "grz_default_layers_options()",
                                              sizeof(grz_layers_options),
                                              GRZ_MEMBER_END(grz_layers_options, resolution)};
static const grz_layers_options defaults = {.size = sizeof(grz_layers_options),
                                            .resolution = 64,
                                            .capture = GRZ_CAPTURE_LISTS,
                                            .layers = 8,
                                            .threshold = 1.0 / 32.0};

void grz_layers_options_init(grz_layers_options *options, size_t size)
{
    grz_options_init(&options_type, &defaults, options, size);
}

grz_status grz_layers_options_read(const grz_layers_options *given, grz_layers_options *out, grz_error *error)
{
    *out = defaults;
    return given != NULL ? grz_options_read(&options_type, "layers", "options", given, out, error) : GRZ_OK;
}

static const grz_options_type volume_type = {"grz_layers_volume_options", "grz_default_layers_volume_options()",
                                             sizeof(grz_layers_volume_options),
                                             GRZ_MEMBER_END(grz_layers_volume_options, resolution)};
static const grz_layers_volume_options volume_defaults = {.size = sizeof(grz_layers_volume_options), .resolution = 256};

void grz_layers_volume_options_init(grz_layers_volume_options *options, size_t size)
{
    grz_options_init(&volume_type, &volume_defaults, options, size);
}

grz_status grz_layers_volume_options_read(const grz_layers_volume_options *given, grz_layers_volume_options *out,
                                          grz_error *error)
{
    *out = volume_defaults;
    return given != NULL ? grz_options_read(&volume_type, "layers overlap volume", "options", given, out, error)
                         : GRZ_OK;
}

bool grz_result_layers(const grz_result *result, grz_layers_statistics *statistics)
{
    grz_layers_statistics read = {.resolution = 0};
    uint64_t resolution, layers;
    const bool there = grz_result_statistic(result, "layers", &layers);
    if (there) {
        grz_result_statistic(result, "resolution", &resolution);
        grz_result_statistic(result, "sets", &read.sets);
        read.resolution = (uint32_t)resolution;
        read.layers = (uint32_t)layers;
    }
    if (statistics != NULL)
        *statistics = read;
    return there;
}
