// SPDX-License-Identifier: MIT
// Writes pictures as PNG, by libpng's simplified interface.
#include "control.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

static grz_status fail(const char *path, int number, const char *otherwise, grz_error *error)
{
    char text[128];
    const bool known = number != 0 && strerror_r(number, text, sizeof text) == 0;
    return grz_io_explain(GRZ_ERROR_FILE, GRZ_NO_ELEMENT, path, known ? text : otherwise, error);
}

grz_status grz_io_write_png(const char *path, uint32_t width, uint32_t height, const uint8_t *pixels, grz_error *error)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
    if (path == NULL || pixels == NULL)
        return grz_io_refuse("write PNG", path == NULL ? "path is NULL" : "pixels is NULL", error);
    if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
        return grz_io_refuse("write PNG", "width and height must be 1 to 2147483647", error);
    FILE *file = fopen(path, "wbe");
    if (file == NULL)
        return fail(path, errno, "cannot be opened", error);
    errno = 0;
    const bool written = png_image_write_to_stdio(&image, file, 0, pixels, 0, NULL) != 0;
    const int reason = errno; // libpng says no more than "Write Error"
    const bool closed = fclose(file) == 0;
    if (!written)
        return fail(path, reason, image.message, error);
    return closed ? GRZ_OK : fail(path, errno, "cannot be written", error);
}
