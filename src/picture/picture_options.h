// SPDX-License-Identifier: MIT
// The options of a picture, as a caller of any version gives them.
#ifndef GRZ_PICTURE_PICTURE_OPTIONS_H
#define GRZ_PICTURE_PICTURE_OPTIONS_H

#include <graze/picture.h>

// The options that a caller gave, or the defaults where it gave NULL, at this version's size.
grz_status grz_picture_options_read(const grz_picture_options *given, grz_picture_options *out, grz_error *error);

#endif
