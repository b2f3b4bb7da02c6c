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

// Whether two names stand for one file.
static bool same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool picture_claim(const options *given)
{
    if (given->picture == NULL)
        return true;
    for (size_t i = 0; i < given->file_count; i++)
        if (strcmp(given->files[i], "-") != 0 && same_file(given->picture, given->files[i])) {
            complain(given->command, "--picture %s: is one of the files to be read", given->picture);
            return false;
        }
    FILE *file = fopen(given->picture, "ab");
    if (file == NULL) {
        complain(given->command, "--picture %s: %s", given->picture, strerror(errno));
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
    errno = 0;
    const bool written = png_image_write_to_stdio(&image, file, 0, pixels, 0, NULL) != 0;
    const int reason = errno; // libpng says no more than "Write Error"
    const bool closed = fclose(file) == 0;
    if (!written)
        return fail(error, reason != 0 ? strerror(reason) : image.message);
    return closed || fail(error, strerror(errno));
}

bool picture_write(const char *path, grz_device *device, const grz_object *objects, size_t count, const grz_result *result,
                   grz_error *error)
{
    grz_picture_options wanted = grz_default_picture_options();
    uint8_t *pixels = malloc(4 * (size_t)wanted.width * wanted.height);

    if (pixels == NULL)
        return fail(error, "out of memory");
    const bool written = grz_picture_draw(device, objects, count, result, &wanted, pixels, NULL, error) == GRZ_OK &&
                         write_png(path, pixels, wanted.width, wanted.height, error);
    free(pixels);
    return written;
}
