// SPDX-License-Identifier: MIT
// In place of what this folder does with OpenGL, in builds without it.
#include <graze/picture.h>

#include "base/fail.h"

// NOLINTBEGIN(readability-non-const-parameter): the parameters are those of the public function
grz_status grz_picture_draw(grz_device *device, const grz_object *objects, size_t count, const grz_result *result,
                            const grz_picture_options *options, uint8_t *pixels, grz_picture_view *view, grz_error *error)
{
    (void)device;
    (void)objects;
    (void)count;
    (void)result;
    (void)options;
    (void)pixels;
    (void)view;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "picture: OpenGL is not in this build");
}
// NOLINTEND(readability-non-const-parameter)
