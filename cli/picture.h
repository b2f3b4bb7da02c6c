// SPDX-License-Identifier: MIT
// --picture FILE.png: what a query found, drawn by the library and written as PNG.
#ifndef GRZ_CLI_PICTURE_H
#define GRZ_CLI_PICTURE_H

#include "options.h"

// Whether the picture that is asked for can be written: its file is made for that where there was none, and is none of those to be read.
// False after a complaint; true where no picture is asked for.
bool picture_claim(const options *given);

// Take away what picture_claim() made, where nothing was written to it.
void picture_give_up(const char *path);

// Draw and write. On failure returns false and says why in `error`.
bool picture_write(const char *path, grz_device *device, const grz_object *objects, size_t count, const grz_result *result,
                   grz_error *error);

#endif
