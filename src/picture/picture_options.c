// SPDX-License-Identifier: MIT
// The default options of pictures, in builds with OpenGL and without.
#include "picture/picture_options.h"

#include "base/options.h"

static const grz_picture_options defaults = {.size = sizeof(grz_picture_options),
                                             .width = 1200,
                                             .height = 900,
                                             .up = {0.0, 1.0, 0.0},
                                             .legend = true,
                                             .inset = true};
static const grz_options_type options_type = GRZ_OPTIONS_TYPE(picture_options, width, defaults);

void grz_picture_options_init(grz_picture_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_picture_options_read(const grz_picture_options *given, grz_picture_options *out, grz_error *error)
{
    return grz_options_read(&options_type, "picture", given, out, error);
}
