// SPDX-License-Identifier: MIT
// Reads the options of method `heightmap` that callers of any version give.
#ifndef GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_OPTIONS_H
#define GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_OPTIONS_H

#include <graze/heightmap.h>

// Read and check the options that a caller gave, of any version's size; NULL means the defaults.
grz_status grz_heightmap_options_read(const grz_heightmap_options *given, grz_heightmap_options *out, grz_error *error);

#endif
