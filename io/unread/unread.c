// SPDX-License-Identifier: MIT
// Looks a file up in the table of formats that are not read. A file whose bytes say nothing is recognised by its name.
#include "unread/unread.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

text_token grz_io_extension(const char *name)
{
    static const char packed[] = ".gz";
    const char *slash = name != NULL ? strrchr(name, '/') : NULL;
    const char *first = slash != NULL ? slash + 1 : name != NULL ? name : "";
    size_t length = strlen(first), dot;
    if (length > sizeof packed - 1 && strcasecmp(first + length - (sizeof packed - 1), packed) == 0)
        length -= sizeof packed - 1;
    for (dot = length; dot > 0 && first[dot - 1] != '.'; dot--) {
    }
    if (dot <= 1) // no dot, or a hidden file
        dot = length;
    return (text_token){(const unsigned char *)first + dot, length - dot};
}

bool grz_io_is_listed(const char *list, text_token word)
{
    for (const char *listed = list; word.length > 0 && *listed != '\0';) {
        const size_t length = strcspn(listed, " ");
        if (length == word.length && strncasecmp(listed, (const char *)word.at, length) == 0)
            return true;
        listed += length;
        listed += strspn(listed, " ");
    }
    return false;
}

static const unread_format *find_by_bytes(const unsigned char *bytes, size_t size)
{
    const text_token root = size > 0 ? grz_io_xml_root(bytes, size) : (text_token){0};
    for (size_t i = 0; size > 0 && i < grz_io_unread_format_count; i++) {
        const unread_format *format = &grz_io_unread_formats[i];
        if (format->start != NULL &&
            (size < format->start_size || memcmp(bytes, format->start, format->start_size) != 0))
            continue;
        if (format->xml_root != NULL && !grz_io_is_listed(format->xml_root, root))
            continue;
        if (format->fits != NULL ? format->fits(bytes, size) : format->start != NULL || format->xml_root != NULL)
            return format;
    }
    return NULL;
}

static const unread_format *find_by_name(text_token extension)
{
    for (size_t i = 0; i < grz_io_unread_format_count; i++)
        if (grz_io_unread_formats[i].extensions != NULL &&
            grz_io_is_listed(grz_io_unread_formats[i].extensions, extension))
            return &grz_io_unread_formats[i];
    return NULL;
}

bool grz_io_is_unread_by_bytes(const unsigned char *bytes, size_t size)
{
    return find_by_bytes(bytes, size) != NULL;
}

bool grz_io_is_unread_by_name(text_token extension)
{
    return find_by_name(extension) != NULL;
}

bool grz_io_explain_unread(const char *name, const unsigned char *bytes, size_t size, char reason[UNREAD_REASON_SIZE])
{
    char room[64];
    const unread_format *format = find_by_bytes(bytes, size);
    if (format == NULL)
        format = find_by_name(grz_io_extension(name));
    if (format == NULL)
        return false;
    const char *what = format->name != NULL ? format->name(bytes, size, room, sizeof room) : NULL;
    (void)snprintf(reason, UNREAD_REASON_SIZE, "%s is not read%s", what != NULL ? what : format->what, format->advice);
    return true;
}
