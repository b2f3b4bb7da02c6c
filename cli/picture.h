// SPDX-License-Identifier: MIT
// --picture FILE.png: what a query found, drawn by the library and written as PNG.
#ifndef GRZ_CLI_PICTURE_H
#define GRZ_CLI_PICTURE_H

#include <graze/graze.h>

// Whether a file of this name can be written; made for that where there was none. False after a complaint.
bool picture_claim(const char *command, const char *path);

// Take away what picture_claim() made, where nothing was written to it.
void picture_give_up(const char *path);

// Draw and write. On failure returns false and says why in `error`.
bool picture_write(const char *path, grz_device *device, const grz_object *objects, size_t count, const grz_result *result,
                   grz_error *error);

#endif
