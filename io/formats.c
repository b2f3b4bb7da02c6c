// SPDX-License-Identifier: MIT
// The table of file formats, and how a file's format is told: by a signature, by the extension, by a guess, in this
// order; formats that are not read (unread/unread.h) come before the signatures, and before the guess.
#include "format.h"
#include "unread/unread.h"
#include "unwrap/unwrap.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FORMAT_ADDRESS(name) &grz_io_format_##name,
static const file_format *const formats[] = {GRZ_IO_FORMATS(FORMAT_ADDRESS)};

#define COUNT_FORMAT(name) FORMAT_INDEX_##name,
enum {
    GRZ_IO_FORMATS(COUNT_FORMAT) FORMAT_COUNT
};

bool grz_io_format_info(size_t index, grz_io_format *format)
{
    if (format == NULL)
        return index < FORMAT_COUNT;
    *format = index < FORMAT_COUNT ? formats[index]->about : (grz_io_format){0};
    return index < FORMAT_COUNT;
}

const file_format *grz_io_find_format(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (strcasecmp(formats[i]->about.name, name) == 0)
            return formats[i];
    return NULL;
}

static bool fits(const file_format *format, const unsigned char *bytes, size_t size)
{
    return format->fits != NULL && format->fits(bytes, size);
}

bool grz_io_is_wrapped_model(const unsigned char *bytes, size_t size)
{
    return grz_io_is_wrapped(bytes, size) && !fits(&grz_io_format_stl, bytes, size);
}

const file_format *grz_io_detect_format(const char *name, const unsigned char *bytes, size_t size,
                                        grz_io_evidence *evidence)
{
    const text_token extension = grz_io_extension(name);
    *evidence = GRZ_IO_UNKNOWN;
    if (grz_io_is_unread_by_bytes(bytes, size) && !fits(&grz_io_format_stl, bytes, size))
        return NULL;
    *evidence = GRZ_IO_BY_BYTES;
    // Whatever the 80 bytes of text before its facets say, a file called STL that has the size they need is one.
    if (grz_io_is_listed(grz_io_format_stl.about.extensions, extension) && fits(&grz_io_format_stl, bytes, size))
        return &grz_io_format_stl;
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->has_signature != NULL && formats[i]->has_signature(bytes, size))
            return formats[i];
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (grz_io_is_listed(formats[i]->about.extensions, extension)) {
            *evidence = fits(formats[i], bytes, size) ? GRZ_IO_BY_BYTES : GRZ_IO_BY_NAME;
            return formats[i];
        }
    *evidence = GRZ_IO_UNKNOWN;
    if (grz_io_is_unread_by_name(extension))
        return NULL;
    *evidence = GRZ_IO_GUESS;
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (fits(formats[i], bytes, size))
            return formats[i];
    *evidence = GRZ_IO_UNKNOWN;
    return NULL;
}

// The first bytes of what is in a file, and the size of it.
static const unsigned char *look_inside(const void *bytes, unsigned char room[UNWRAP_START_SIZE], size_t *size)
{
    if (bytes == NULL)
        *size = 0;
    if (bytes == NULL || fits(&grz_io_format_stl, bytes, *size))
        return bytes;
    return grz_io_unwrap_start(bytes, *size, room, size);
}

const char *grz_io_detect(const char *name, const void *bytes, size_t size, grz_io_evidence *evidence)
{
    unsigned char room[UNWRAP_START_SIZE];
    grz_io_evidence found;
    const unsigned char *inside = look_inside(bytes, room, &size);
    const file_format *format = grz_io_detect_format(name, inside, size, &found);
    if (evidence != NULL)
        *evidence = found;
    return format != NULL ? format->about.name : NULL;
}

bool grz_io_unread(const char *name, const void *bytes, size_t size, char *reason, size_t reason_size)
{
    unsigned char room[UNWRAP_START_SIZE];
    char text[UNREAD_REASON_SIZE] = "";
    grz_io_evidence evidence;
    const unsigned char *inside = look_inside(bytes, room, &size);
    const bool unread =
        grz_io_detect_format(name, inside, size, &evidence) == NULL && grz_io_explain_unread(name, inside, size, text);
    if (reason != NULL && reason_size > 0)
        (void)snprintf(reason, reason_size, "%s", text);
    return unread;
}
