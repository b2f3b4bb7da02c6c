// SPDX-License-Identifier: MIT
// The default options of method `layers`. Also part of builds without OpenGL.
#include "image/layers/layers_options.h"

#include "base/options.h"

static const grz_layers_options defaults = {.size = sizeof(grz_layers_options),
                                            .resolution = 64,
                                            .capture = GRZ_LAYERS_LISTS,
                                            .layers = 8,
                                            .threshold = 1.0 / 32.0};
static const grz_options_type options_type = GRZ_OPTIONS_TYPE(layers_options, resolution, defaults);

void grz_layers_options_init(grz_layers_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_layers_options_read(const grz_layers_options *given, grz_layers_options *out, grz_error *error)
{
    return grz_options_read(&options_type, "layers", given, out, error);
}

static const grz_layers_volume_options volume_defaults = {.size = sizeof(grz_layers_volume_options), .resolution = 256};
const grz_options_type grz_layers_volume_type = GRZ_LIMITED_OPTIONS_TYPE(layers_volume_options, volume_defaults);

void grz_layers_volume_options_init(grz_layers_volume_options *options, size_t size)
{
    grz_options_init(&grz_layers_volume_type, options, size);
}
