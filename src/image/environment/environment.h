// SPDX-License-Identifier: MIT
// Reads and checks the description of an environment that callers of any version give.
#ifndef GRZ_IMAGE_ENVIRONMENT_ENVIRONMENT_H
#define GRZ_IMAGE_ENVIRONMENT_ENVIRONMENT_H

#include <graze/environment.h>

#include "base/options.h"

// An environment as its call reads it.
extern const grz_options_type grz_environment_type;

// Check what a query is given. `call` begins error texts.
grz_status grz_environment_check(const char *call, const grz_environment *environment, const grz_device *device,
                                 grz_error *error);

#endif
