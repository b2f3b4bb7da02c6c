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

// One of the names of an object.
struct scene_called {
    const char *name;
    size_t length;
    size_t object;
};

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

static int compare_texts(const char *x, size_t x_length, const char *y, size_t y_length)
{
    const int order = memcmp(x, y, x_length < y_length ? x_length : y_length);
    return order != 0 ? order : (x_length > y_length) - (x_length < y_length);
}

static int compare_called(const void *x, const void *y)
{
    const scene_called *one = x, *other = y;
    const int order = compare_texts(one->name, one->length, other->name, other->length);
    return order != 0 ? order : (one->object > other->object) - (one->object < other->object);
}

static void add_called(scene_objects *objects, size_t object, const char *name, size_t length)
{
    objects->called[objects->called_count++] = (scene_called){name, length, object};
}

bool names_sort(scene_objects *objects)
{
    enum {
        MOST_NAMES = 4 // of an object
    };
    free(objects->called);
    objects->called_count = 0;
    objects->called = calloc(MOST_NAMES * objects->count + 1, sizeof *objects->called);
    if (objects->called == NULL)
        return false;
    for (size_t i = 0; i < objects->count; i++) {
        const char *name = objects->names[i];
        const scene_object_name *parts = &objects->parts[i];
        add_called(objects, i, name, strlen(name));
        if (parts->part > 0)
            add_called(objects, i, name + parts->part, strlen(name + parts->part));
        if (parts->group > 0) {
            add_called(objects, i, name, parts->part + parts->group);
            add_called(objects, i, name + parts->part, parts->group);
        }
    }
    qsort(objects->called, objects->called_count, sizeof *objects->called, compare_called);
    return true;
}

// What is called exactly so, by the sorted names.
static void find_sorted(const scene_objects *objects, const char *wanted, named *out)
{
    const size_t length = strlen(wanted);
    size_t low = 0, high = objects->called_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const scene_called *at = &objects->called[middle];
        if (compare_texts(at->name, at->length, wanted, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    memset(out->holds, 0, objects->count * sizeof *out->holds);
    for (; low < objects->called_count; low++) {
        const scene_called *at = &objects->called[low];
        if (compare_texts(at->name, at->length, wanted, length) != 0)
            return;
        if (out->holds[at->object])
            continue;
        out->holds[at->object] = true;
        out->first = out->count == 0 || at->object < out->first ? at->object : out->first;
        out->count++;
    }
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
    if (objects->called != NULL)
        find_sorted(objects, wanted, out);
    else
        find(objects, fits_exactly, wanted, out);
    out->silent = is_silent(objects, fits_exactly, wanted);
    if (out->count > 0 || out->silent)
        return;
    if (strpbrk(wanted, "*?[\\") != NULL) { // without these it fits itself only
        find(objects, fits_as_glob, wanted, out);
        out->silent = is_silent(objects, fits_as_glob, wanted);
        out->is_a_glob = out->count > 0 || out->silent;
        if (out->is_a_glob)
            return;
    }
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

bool names_one_link(const scene_objects *objects, const char *wanted)
{
    named found = {.holds = calloc(objects->count + 1, sizeof(bool))};
    bool one = false;
    if (found.holds != NULL) {
        names_find(objects, wanted, &found);
        one = found.count > 0 ? names_one_body(objects, &found) : found.silent;
    }
    free(found.holds);
    return one;
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
