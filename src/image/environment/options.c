// SPDX-License-Identifier: MIT
// The default environment. Also part of builds without OpenGL.
#include "image/environment/environment.h"

#include "base/options.h"

static const grz_options_type environment_type = {"grz_environment", "grz_default_environment()",
                                                  sizeof(grz_environment),
                                                  GRZ_MEMBER_END(grz_environment, object_count)};
static const grz_environment no_environment = {.size = sizeof(grz_environment)};

void grz_environment_init(grz_environment *environment, size_t size)
{
    grz_options_init(&environment_type, &no_environment, environment, size);
}

grz_status grz_environment_read(const grz_environment *given, grz_environment *out, grz_error *error)
{
    *out = no_environment;
    return grz_options_read(&environment_type, "environment", "environment", given, out, error);
}
