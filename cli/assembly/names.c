// SPDX-License-Identifier: MIT
// Names of objects. They may hold anything, colons and the signs of globs included: what is called exactly so goes
// before what a glob fits.
#include "assembly/names.h"

#include "arguments/nearest.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool fits(const char *name, size_t length, const char *wanted);

static bool fits_exactly(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

static bool fits_as_glob(const char *name, size_t length, const char *wanted)
{
    char *copy = strndup(name, length);
    const bool yes = copy != NULL && fnmatch(wanted, copy, 0) == 0;
    free(copy);
    return yes;
}

static bool is_called(const scene_objects *objects, size_t i, fits *how, const char *wanted)
{
    const char *name = objects->names[i];
    const scene_object_name *parts = &objects->parts[i];
    if (how(name, strlen(name), wanted))
        return true;
    if (parts->part > 0 && how(name + parts->part, strlen(name + parts->part), wanted))
        return true;
    return parts->group > 0 &&
           (how(name, parts->part + parts->group, wanted) || how(name + parts->part, parts->group, wanted));
}

static void find(const scene_objects *objects, fits *how, const char *wanted, named *out)
{
    for (size_t i = objects->count; i-- > 0;) {
        out->holds[i] = is_called(objects, i, how, wanted);
        if (!out->holds[i])
            continue;
        out->count++;
        out->first = i;
    }
}

// A silent name is "file:link"; the link alone stands for it, too.
static bool is_silent(const scene_objects *objects, fits *how, const char *wanted)
{
    for (size_t i = 0; i < objects->silent_count; i++) {
        const char *name = objects->silent[i].name, *link = name + objects->silent[i].part;
        if (how(name, strlen(name), wanted) || how(link, strlen(link), wanted))
            return true;
    }
    return false;
}

void names_find(const scene_objects *objects, const char *wanted, named *out)
{
    *out = (named){.holds = out->holds};
    find(objects, fits_exactly, wanted, out);
    out->silent = is_silent(objects, fits_exactly, wanted);
    if (out->count > 0 || out->silent)
        return;
    find(objects, fits_as_glob, wanted, out);
    out->silent = is_silent(objects, fits_as_glob, wanted);
    out->is_a_glob = out->count > 0 || out->silent;
    if (out->is_a_glob)
        return;
    char *end;
    const unsigned long number = strtoul(wanted, &end, 10);
    if (wanted[0] >= '0' && wanted[0] <= '9' && *end == '\0' && number < objects->count) {
        out->holds[number] = true;
        out->count = 1;
        out->first = number;
    }
}

bool names_one_body(const scene_objects *objects, const named *found)
{
    const scene_object_name *first = &objects->parts[found->first];
    for (size_t i = found->first + 1; i < objects->count; i++)
        if (found->holds[i] && (first->body == 0 || objects->parts[i].body != first->body))
            return false;
    return true;
}

const char *names_nearest(const scene_objects *objects, const char *wanted)
{
    nearest near = nearest_begin(wanted);
    for (size_t i = 0; i < objects->count; i++) {
        nearest_try(&near, objects->names[i] + objects->parts[i].part);
        nearest_try(&near, objects->names[i]);
    }
    for (size_t i = 0; i < objects->silent_count; i++)
        nearest_try(&near, objects->silent[i].name + objects->silent[i].part);
    return near.best;
}

bool names_refuse(const scene_objects *objects, const char *wanted, char *message, size_t size)
{
    const char *near = names_nearest(objects, wanted);
    if (near != NULL)
        snprintf(message, size, "no object is called %.200s; did you mean %.200s?", wanted, near);
    else
        snprintf(message, size, "no object is called %.200s; there are %zu, and number 0 is %.200s", wanted,
                 objects->count, objects->count > 0 ? objects->names[0] : "none");
    return false;
}
