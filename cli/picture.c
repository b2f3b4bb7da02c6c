// SPDX-License-Identifier: MIT
// Pictures as PNG files, by libpng's simplified interface. A file that cannot be written is found before the query, so that nobody
// waits for nothing; one that was made to find out is taken away again where the query fails.

#define _POSIX_C_SOURCE 200809L

#include "picture.h"

#include "output.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool picture_claim(const char *command, const char *path)
{
    FILE *file = fopen(path, "ab");
    if (file == NULL) {
        complain(command, "--picture %s: %s", path, strerror(errno));
        return false;
    }
    fclose(file);
    return true;
}

void picture_give_up(const char *path)
{
    struct stat about;
    if (path != NULL && stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0)
        unlink(path);
}

static bool fail(grz_error *error, const char *reason)
{
    snprintf(error->message, sizeof error->message, "%s", reason);
    return false;
}

static bool write_png(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height, grz_error *error)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return fail(error, strerror(errno));
    const bool written = png_image_write_to_stdio(&image, file, 0, pixels, 0, NULL) != 0;
    const bool closed = fclose(file) == 0;
    if (!written)
        return fail(error, image.message);
    return closed || fail(error, strerror(errno));
}

bool picture_write(const char *path, grz_device *device, const grz_object *objects, size_t count, const grz_result *result,
                   grz_error *error)
{
    grz_picture_options options = grz_default_picture_options();
    uint8_t *pixels = malloc(4 * (size_t)options.width * options.height);

    if (pixels == NULL)
        return fail(error, "out of memory");
    const bool written = grz_picture_draw(device, objects, count, result, &options, pixels, NULL, error) == GRZ_OK &&
                         write_png(path, pixels, options.width, options.height, error);
    free(pixels);
    return written;
}
