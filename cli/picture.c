// SPDX-License-Identifier: MIT
// Pictures as PNG files. That a file cannot be written is found before the query, so that nobody
// waits for nothing.

#define _POSIX_C_SOURCE 200809L

#include "picture.h"

#include "arguments/refuse.h"
#include "assembly/robot_objects.h"
#include "output.h"
#include "whole_file.h"

#include <graze/io.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Whether two names stand for one file.
static bool same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool picture_claim(const options *given)
{
    if (given->picture == NULL)
        return (given->flags & OPTIONS_CAMERA) == 0 || (given->flags & OPTION_PIXEL) != 0 ||
               option_refuse(given->command, "--size, --look and --up are for --picture");
    for (size_t i = 0; i < given->file_count; i++)
        if (strcmp(given->files[i], "-") != 0 && same_file(given->picture, given->files[i])) {
            complain(given->command, "--picture %s: is one of the files to be read", given->picture);
            return false;
        }
    if (whole_file_begin(given->picture))
        return true;
    complain(given->command, "--picture %s: %s", given->picture, strerror(errno));
    whole_file_drop();
    return false;
}

void picture_give_up(void)
{
    whole_file_drop();
}

static bool fail(grz_error *error, const char *reason)
{
    snprintf(error->message, sizeof error->message, "%s", reason);
    return false;
}

static bool write_png(const uint8_t *pixels, uint32_t width, uint32_t height, grz_error *error)
{
    const char *path = whole_file_path();
    const size_t length = strlen(path);
    if (grz_io_write_png(path, width, height, pixels, error) == GRZ_OK)
        return whole_file_end() || fail(error, strerror(errno));
    // The caller names the file, and this one has a temporary name.
    char *message = error->message;
    if (strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0)
        memmove(message, message + length + 2, strlen(message + length + 2) + 1);
    return false;
}

// How many bytes at the start of all names are the same, up to and including a '/' or ':': what need not be repeated in
// a legend.
static size_t shared_start(const char *const *names, size_t count)
{
    size_t same = strlen(names[0]);

    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < same; k++)
            if (names[i][k] != names[0][k])
                same = k;
    while (same > 0 && names[0][same - 1] != '/' && names[0][same - 1] != ':')
        same--;
    return same;
}

grz_picture_options picture_options(const options *given)
{
    grz_picture_options wanted = grz_default_picture_options();

    if ((given->flags & OPTION_SIZE) != 0) {
        wanted.width = given->size[0];
        wanted.height = given->size[1];
    }
    wanted.has_direction = (given->flags & OPTION_LOOK) != 0;
    memcpy(wanted.direction, given->look, sizeof wanted.direction);
    for (size_t i = 0; i < given->file_count; i++)
        if (robot_objects_is_robot(given->files[i]))
            memcpy(wanted.up, (const double[3]){0.0, 0.0, 1.0}, sizeof wanted.up);
    if ((given->flags & OPTION_UP) != 0)
        memcpy(wanted.up, given->up, sizeof wanted.up);
    return wanted;
}

bool picture_write(const options *given, grz_device *device, const grz_object *objects, size_t count,
                   const char *const *names, const grz_result *result, grz_error *error)
{
    grz_picture_options wanted = picture_options(given);
    uint8_t *pixels = malloc(4 * (size_t)wanted.width * wanted.height);
    const char **shown = malloc((count + 1) * sizeof *shown);

    if (pixels == NULL || shown == NULL) {
        free(pixels);
        free(shown);
        return fail(error, "out of memory");
    }
    const size_t start = count > 0 ? shared_start(names, count) : 0;
    for (size_t i = 0; i < count; i++)
        shown[i] = names[i] + start;
    wanted.names = shown;
    const bool written =
        grz_picture_draw(device, objects, (uint32_t)count, result, &wanted, pixels, NULL, error) == GRZ_OK &&
        write_png(pixels, wanted.width, wanted.height, error);
    free(pixels);
    free(shown);
    return written;
}
