// SPDX-License-Identifier: MIT
// What a picture is unless asked otherwise.
#include <graze/picture.h>

grz_picture_options grz_default_picture_options(void)
{
    return (grz_picture_options){.size = sizeof(grz_picture_options), .width = 1200, .height = 900, .up = {0.0, 1.0, 0.0}};
}
