// SPDX-License-Identifier: MIT
// --picture FILE.png: what a query found, drawn by the library and written as PNG.
#ifndef GRZ_CLI_PICTURE_H
#define GRZ_CLI_PICTURE_H

#include "arguments/options.h"

// Whether the picture that is asked for can be written, and is none of the files to be read. It is begun under a
// temporary name. False after a complaint; true if neither a picture nor its camera is asked for. picture_give_up() is
// due in any case.
bool picture_claim(const options *given);

// Remove what picture_claim() began, unless picture_write() has finished it.
void picture_give_up(void);

// Draw and write the picture, and give it its name. names[i] is what the legend calls object i; what all names begin
// with ("data/robot/arm.gltf:") is left out. `count` is at least 1. On failure returns false and says why in `error`.
bool picture_write(const options *given, grz_device *device, const grz_object *objects, size_t count,
                   const char *const *names, const grz_result *result, grz_error *error);

// Size and camera of a picture: the options' or the defaults. Robots stand upright: in URDF z is up.
grz_picture_options picture_options(const options *given);

#endif
