// SPDX-License-Identifier: MIT
// The default environment. Also part of builds without OpenGL.
#include "image/environment/environment.h"

#include "base/options.h"

static const grz_environment no_environment = {.size = sizeof(grz_environment)};
const grz_options_type grz_environment_type =
    GRZ_STRUCTURE_TYPE(environment, limits, no_environment, true, "environment");

void grz_environment_init(grz_environment *environment, size_t size)
{
    grz_options_init(&grz_environment_type, environment, size);
}
