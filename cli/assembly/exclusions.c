// SPDX-License-Identifier: MIT
// A sorted list of pairs. A rule of two globs may exclude millions of them: 12 bytes each.
#include "assembly/exclusions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 200,         // bytes of a name in a message
    MOST_PAIRS = 1 << 24 // 192 MiB. Names that many objects share exclude as many pairs as their product
};

static bool fail_memory(char *message, size_t size)
{
    snprintf(message, size, "out of memory for the pairs that are excluded");
    return false;
}

uint32_t exclusions_reason(exclusions *e, const char *why)
{
    if (e->why_count == e->why_capacity) {
        const size_t wanted = 2 * e->why_capacity + 16;
        char **moved = realloc(e->whys, wanted * sizeof *moved);
        if (moved == NULL)
            return UINT32_MAX;
        e->whys = moved;
        e->why_capacity = wanted;
    }
    e->whys[e->why_count] = strdup(why);
    return e->whys[e->why_count] != NULL ? (uint32_t)e->why_count++ : UINT32_MAX;
}

bool exclusions_note(exclusions *e, const char *note)
{
    char **moved = realloc(e->notes, (e->note_count + 1) * sizeof *moved);
    if (moved == NULL)
        return false;
    e->notes = moved;
    moved[e->note_count] = strdup(note);
    return moved[e->note_count] != NULL && ++e->note_count > 0;
}

bool exclusions_add(exclusions *e, uint32_t a, uint32_t b, uint32_t why)
{
    if (e->count == e->capacity) {
        const size_t wanted = 2 * e->capacity + 64;
        exclusion *moved = wanted < SIZE_MAX / sizeof *moved ? realloc(e->items, wanted * sizeof *moved) : NULL;
        if (moved == NULL)
            return false;
        e->items = moved;
        e->capacity = wanted;
    }
    e->items[e->count++] = (exclusion){a < b ? a : b, a < b ? b : a, why};
    return true;
}

// How many pairs of two different objects two sets make: |A| |B| - |A n B| - (|A n B| over 2).
static uint64_t count_pairs(const scene_objects *objects, const named *one, const named *other)
{
    uint64_t shared = 0;
    for (size_t i = 0; i < objects->count; i++)
        shared += one->holds[i] && other->holds[i];
    return (uint64_t)one->count * other->count - shared - (shared > 0 ? shared * (shared - 1) / 2 : 0);
}

static bool add_products(exclusions *e, const scene_objects *objects, const named *one, const named *other,
                         const char *why, char *message, size_t size)
{
    const size_t before = e->count;
    const uint64_t more = count_pairs(objects, one, other);
    if (more > MOST_PAIRS || e->count + more > MOST_PAIRS) {
        snprintf(message, size,
                 "it stands for %llu pairs, more than %d with those before: give names that fit fewer objects",
                 (unsigned long long)more, MOST_PAIRS);
        return false;
    }
    const uint32_t reason = exclusions_reason(e, why);
    bool added = reason != UINT32_MAX;

    for (uint32_t i = 0; added && i < objects->count; i++) {
        if (!one->holds[i] && !other->holds[i])
            continue;
        for (uint32_t k = i + 1; added && k < objects->count; k++)
            if ((one->holds[i] && other->holds[k]) || (one->holds[k] && other->holds[i]))
                added = exclusions_add(e, i, k, reason);
    }
    if (!added)
        return fail_memory(message, size);
    if (e->count > before || one->silent || other->silent)
        return true;
    snprintf(message, size, "it names one object only, %.*s, and no pair", SHOWN, objects->names[one->first]);
    return false;
}

// Two sets of objects.
static bool make_sets(const scene_objects *objects, named *one, named *other)
{
    *one = (named){.holds = calloc(objects->count + 1, sizeof(bool))};
    *other = (named){.holds = calloc(objects->count + 1, sizeof(bool))};
    return one->holds != NULL && other->holds != NULL;
}

static bool is_known(const named *found)
{
    return found->count > 0 || found->silent;
}

bool exclusions_add_named(exclusions *e, const scene_objects *objects, const char *a, const char *b, const char *why,
                          char *message, size_t size)
{
    named one, other;
    bool added = make_sets(objects, &one, &other) || fail_memory(message, size);

    if (added) {
        names_find(objects, a, &one);
        names_find(objects, b, &other);
        if (!is_known(&one))
            added = names_refuse(objects, a, message, size);
        else if (!is_known(&other))
            added = names_refuse(objects, b, message, size);
        else
            added = add_products(e, objects, &one, &other, why, message, size);
    }
    free(one.holds);
    free(other.holds);
    return added;
}

// A pair divided at one of its colons: the first name, which is a part of the text, and the second, which is the rest.
typedef struct reading {
    const char *a, *b;
    size_t a_length;
} reading;

// How a pair may be read: at how many colons both names are known, and the first two of these; else the colon at which
// most is known.
typedef struct division {
    size_t count;
    reading first, second;
} division;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

// Find what the text before a colon stands for. `name` has room for it.
static void find_before(const scene_objects *objects, bool blanks, char *name, reading *r, named *out)
{
    memcpy(name, r->a, r->a_length);
    name[r->a_length] = '\0';
    names_find(objects, name, out);
    if (is_known(out) || !blanks)
        return;
    while (r->a_length > 0 && is_blank(name[r->a_length - 1]))
        r->a_length--;
    name[r->a_length] = '\0';
    names_find(objects, name, out);
}

static void find_behind(const scene_objects *objects, bool blanks, reading *r, named *out)
{
    names_find(objects, r->b, out);
    if (is_known(out) || !blanks)
        return;
    while (is_blank(*r->b))
        r->b++;
    names_find(objects, r->b, out);
}

// `blanks`: those beside a colon may be left out where nothing is called by a name that has them.
static bool find_division(const scene_objects *objects, const char *pair, bool blanks, division *out)
{
    char *name = strdup(pair);
    named one, other;
    const bool room = make_sets(objects, &one, &other) && name != NULL;
    bool half_known = false;

    *out = (division){0};
    for (const char *colon = strchr(pair, ':'); room && colon != NULL; colon = strchr(colon + 1, ':')) {
        reading r = {.a = pair, .b = colon + 1, .a_length = (size_t)(colon - pair)};
        find_before(objects, blanks, name, &r, &one);
        find_behind(objects, blanks, &r, &other);
        if (r.a_length == 0 || *r.b == '\0')
            continue;
        if (is_known(&one) && is_known(&other)) {
            *(out->count++ == 0 ? &out->first : &out->second) = r;
        } else if (out->count == 0 && (out->first.a == NULL || (!half_known && (is_known(&one) || is_known(&other))))) {
            out->first = r;
            half_known = is_known(&one) || is_known(&other);
        }
    }
    free(name);
    free(one.holds);
    free(other.holds);
    return room;
}

bool exclusions_add_pair(exclusions *e, const scene_objects *objects, const char *pair, const char *why, char *message,
                         size_t size)
{
    division divided;

    if (!find_division(objects, pair, false, &divided) ||
        (divided.count == 0 && !find_division(objects, pair, true, &divided)))
        return fail_memory(message, size);
    const reading *r = &divided.first;
    if (r->a == NULL) {
        snprintf(message, size, "must be A:B, two names or globs with a colon between them");
        return false;
    }
    if (divided.count > 1) {
        snprintf(message, size,
                 "can be read as %.*s and %.*s, and as %.*s and %.*s: write ? for the colons within names",
                 (int)r->a_length, r->a, SHOWN, r->b, (int)divided.second.a_length, divided.second.a, SHOWN,
                 divided.second.b);
        return false;
    }
    char *a = strndup(r->a, r->a_length);
    const bool added =
        a != NULL ? exclusions_add_named(e, objects, a, r->b, why, message, size) : fail_memory(message, size);
    free(a);
    return added;
}

// By objects, then by rules, which were added in order.
static int compare(const void *one, const void *other)
{
    const exclusion *x = one, *y = other;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->why > y->why) - (x->why < y->why);
}

void exclusions_sort(exclusions *e)
{
    size_t kept = 0;
    if (e->count > 0)
        qsort(e->items, e->count, sizeof *e->items, compare);
    for (size_t i = 0; i < e->count; i++)
        if (kept == 0 || e->items[kept - 1].a != e->items[i].a || e->items[kept - 1].b != e->items[i].b)
            e->items[kept++] = e->items[i];
    e->count = kept;
}

const exclusion *exclusions_find(const exclusions *e, uint32_t a, uint32_t b)
{
    size_t low = 0, high = e->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const exclusion *found = &e->items[middle];
        if (found->a == a && found->b == b)
            return found;
        if (found->a < a || (found->a == a && found->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool exclusions_hold(const exclusions *e, uint32_t a, uint32_t b)
{
    return exclusions_find(e, a, b) != NULL;
}

void exclusions_keep(exclusions *e, uint32_t object)
{
    size_t kept = 0;
    for (size_t i = 0; i < e->count; i++)
        if (e->items[i].a == object || e->items[i].b == object)
            e->items[kept++] = e->items[i];
    e->count = kept;
}

void exclusions_finish(exclusions *e)
{
    for (size_t i = 0; i < e->why_count; i++)
        free(e->whys[i]);
    for (size_t i = 0; i < e->note_count; i++)
        free(e->notes[i]);
    free(e->notes);
    free(e->whys);
    free(e->items);
    *e = (exclusions){0};
}
