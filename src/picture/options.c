// SPDX-License-Identifier: MIT
// The default options of pictures, in builds with OpenGL and without.
#include "picture/options.h"

#include "base/options.h"

static const grz_options_type options_type = {"grz_picture_options", "grz_default_picture_options()",
                                              sizeof(grz_picture_options), GRZ_MEMBER_END(grz_picture_options, width)};
static const grz_picture_options defaults = {.size = sizeof(grz_picture_options),
                                             .width = 1200,
                                             .height = 900,
                                             .up = {0.0, 1.0, 0.0},
                                             .legend = true,
                                             .inset = true};

void grz_picture_options_init(grz_picture_options *options, size_t size)
{
    grz_options_init(&options_type, &defaults, options, size);
}

grz_status grz_picture_options_read(const grz_picture_options *given, grz_picture_options *out, grz_error *error)
{
    *out = defaults;
    return given != NULL ? grz_options_read(&options_type, "picture", "options", given, out, error) : GRZ_OK;
}
