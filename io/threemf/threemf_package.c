// SPDX-License-Identifier: MIT
// The names of a package's files. Two names are the same if they differ in the case of ASCII letters, in a leading
// slash, or in characters that one of them writes as % and two digits.
// Source: ECMA-376-2, "Open Packaging Conventions", fifth edition, 2021, sections 6.2.2 and 7.3.
#include "threemf/threemf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = (char)(c | ('a' - 'A'));
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The name by which names are compared: no leading slash, small letters, no escapes; of the last those stay that would
// make a slash. Written over `name`, never longer than it. Returns its length.
static size_t make_key(const char *name, char *key)
{
    size_t n = 0;
    while (*name == '/' || *name == '\\' || (*name == '.' && (name[1] == '/' || name[1] == '\\')))
        name++;
    for (; *name != '\0'; name++) {
        char c = *name == '\\' ? '/' : *name;
        const int high = c == '%' ? digit_of(name[1]) : -1, low = high >= 0 ? digit_of(name[2]) : -1;
        const int escaped = low >= 0 ? 16 * high + low : 0;
        if (escaped > ' ' - 1 && escaped != '/' && escaped != '\\' && escaped != '%') {
            c = (char)escaped;
            name += 2;
        }
        key[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    key[n] = '\0';
    return n;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const threemf_file *)a)->key, ((const threemf_file *)b)->key);
}

static bool ends_in_model(const char *key)
{
    static const char end[] = ".model";
    const size_t length = strlen(key);
    return length >= sizeof end - 1 && strcmp(key + length - (sizeof end - 1), end) == 0;
}

bool grz_io_threemf_sort_files(threemf *t)
{
    // The names stand one after the other. Their keys go behind them, and there is room for all before any is made.
    size_t keys;
    const size_t size = t->names.size;
    if (t->file_count == 0)
        return true;
    if (!grz_io_threemf_add_text(t, &t->names, NULL, size, &keys))
        return false;
    char *name = t->names.bytes, *key = t->names.bytes + keys;
    for (size_t i = 0; i < t->file_count; i++) {
        threemf_file *file = &t->files[i];
        const size_t length = strlen(name);
        file->name = name + strspn(name, "/\\");
        file->key = key;
        key += make_key(name, key) + 1;
        name += length + 1;
        if (ends_in_model(file->key) && file->size <= UINT64_MAX - t->model_bytes)
            t->model_bytes += file->size;
    }
    qsort(t->files, t->file_count, sizeof *t->files, compare_files);
    return true;
}

bool grz_io_threemf_find_file(threemf *t, const char *path, size_t *file)
{
    const size_t room = strlen(path) + 1;
    char *key = grz_io_control_reallocate(t->r->control, NULL, 0, room);
    *file = THREEMF_NONE;
    if (key == NULL)
        return grz_io_fail_memory(t->r);
    (void)make_key(path, key);
    const threemf_file wanted = {.key = key};
    const threemf_file *found = NULL;
    if (t->file_count > 0)
        found = bsearch(&wanted, t->files, t->file_count, sizeof *t->files, compare_files);
    grz_io_control_release(t->r->control, key, room);
    if (found == NULL)
        return true;
    *file = (size_t)(found - t->files);
    const bool before = *file > 0 && compare_files(found - 1, found) == 0;
    const bool behind = *file + 1 < t->file_count && compare_files(found, found + 1) == 0;
    return (!before && !behind) || grz_io_threemf_fail(t, *file, 0, "the package has several files of this name");
}

const char *grz_io_threemf_place(const threemf *t, size_t file, char place[THREEMF_PLACE_SIZE])
{
    enum {
        ROOM = THREEMF_PLACE_SIZE - 6
    }; // dots, a colon, a blank, NUL
    const char *name = t->files[file].name, *dots = "";
    const size_t length = strlen(name);
    if (length > ROOM) {
        name += length - ROOM;
        dots = "...";
    }
    (void)snprintf(place, THREEMF_PLACE_SIZE, "%s%s: ", dots, name);
    for (char *p = place; *p != '\0'; p++)
        if ((unsigned char)*p > '~')
            *p = '?';
    return place;
}

bool grz_io_threemf_fail(threemf *t, size_t file, uint64_t line, const char *format, ...)
{
    char what[REASON_SIZE], place[THREEMF_PLACE_SIZE], at[40] = "";
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (line > 0)
        (void)snprintf(at, sizeof at, "line %llu: ", (unsigned long long)line);
    return grz_io_control_fail(t->r->control, GRZ_ERROR_FORMAT, line > 0 ? line : GRZ_NO_ELEMENT, "%s%s%s",
                               grz_io_threemf_place(t, file, place), at, what);
}
