// SPDX-License-Identifier: MIT
// The table of file formats, and how a file's format is told: by a signature, by the extension, by a guess, in this
// order.
#include "format.h"

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

// The extension without its dot; "" where the name has none.
static const char *extension_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}

// Whether `extension` is one of the words in `list`, in any case.
static bool is_listed(const char *list, const char *extension)
{
    const size_t length = strlen(extension);
    for (const char *word = list; length > 0 && *word != '\0';) {
        const size_t word_length = strcspn(word, " ");
        if (word_length == length && strncasecmp(word, extension, length) == 0)
            return true;
        word += word_length;
        word += strspn(word, " ");
    }
    return false;
}

static bool fits(const file_format *format, const unsigned char *bytes, size_t size)
{
    return format->fits != NULL && format->fits(bytes, size);
}

const file_format *grz_io_detect_format(const char *name, const unsigned char *bytes, size_t size,
                                        grz_io_evidence *evidence)
{
    const char *extension = name != NULL ? extension_of(name) : "";
    *evidence = GRZ_IO_BY_BYTES;
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->has_signature != NULL && formats[i]->has_signature(bytes, size))
            return formats[i];
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (is_listed(formats[i]->about.extensions, extension)) {
            *evidence = fits(formats[i], bytes, size) ? GRZ_IO_BY_BYTES : GRZ_IO_BY_NAME;
            return formats[i];
        }
    *evidence = GRZ_IO_GUESS;
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (fits(formats[i], bytes, size))
            return formats[i];
    *evidence = GRZ_IO_UNKNOWN;
    return NULL;
}

const char *grz_io_detect(const char *name, const void *bytes, size_t size, grz_io_evidence *evidence)
{
    grz_io_evidence found;
    const file_format *format = grz_io_detect_format(name, bytes, bytes != NULL ? size : 0, &found);
    if (evidence != NULL)
        *evidence = found;
    return format != NULL ? format->about.name : NULL;
}
