// SPDX-License-Identifier: MIT
// Reads the description of an environment that callers of any version give.
#ifndef GRZ_IMAGE_HEIGHTMAP_ENVIRONMENT_H
#define GRZ_IMAGE_HEIGHTMAP_ENVIRONMENT_H

#include <graze/environment.h>

// Read the structure that a caller gave, of any version's size.
grz_status grz_environment_read(const grz_environment *given, grz_environment *out, grz_error *error);

#endif
