// SPDX-License-Identifier: MIT
// Reads the options of method `layers`, and of its volumes, that callers of any version give.
#ifndef GRZ_IMAGE_LAYERS_LAYERS_OPTIONS_H
#define GRZ_IMAGE_LAYERS_LAYERS_OPTIONS_H

#include <graze/layers.h>

#include "base/options.h"

// Read the options that a caller gave, of any version's size; NULL means the defaults.
grz_status grz_layers_options_read(const grz_layers_options *given, grz_layers_options *out, grz_error *error);
extern const grz_options_type grz_layers_volume_type;

#endif
