// SPDX-License-Identifier: MIT
// Sorting what was found by job, faces and triangles: a radix sort, least significant byte first, that skips the bytes in which all
// entries agree; insertion sort for a few. Repeats fall out afterwards.
#include <string.h>

#include "query/decide.h"

enum {
    FEW = 48,
    FIELDS = 5
};

// The sort's key fields, least significant first.
static uint32_t key_field(const grz_found *entry, int field)
{
    switch (field) {
    case 0:
        return entry->triangle_b;
    case 1:
        return entry->triangle_a;
    case 2:
        return entry->face_b;
    case 3:
        return entry->face_a;
    default:
        return entry->job;
    }
}

static int compare(const grz_found *x, const grz_found *y)
{
    for (int field = FIELDS - 1; field >= 0; field--) {
        uint32_t key_x = key_field(x, field), key_y = key_field(y, field);
        if (key_x != key_y)
            return key_x < key_y ? -1 : 1;
    }
    return 0;
}

static void insertion_sort(grz_found *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const grz_found entry = items[i];
        size_t place = i;
        for (; place > 0 && compare(&items[place - 1], &entry) > 0; place--)
            items[place] = items[place - 1];
        items[place] = entry;
    }
}

// One pass over byte `shift / 8` of a field, from one array to the other. False: all entries agree in it, nothing was moved.
static bool radix_pass(const grz_found *from, grz_found *to, size_t count, int field, unsigned shift)
{
    size_t start[257] = {0};
    for (size_t i = 0; i < count; i++)
        start[((key_field(&from[i], field) >> shift) & 255u) + 1]++;
    if (start[((key_field(&from[0], field) >> shift) & 255u) + 1] == count)
        return false;
    for (int i = 0; i < 256; i++)
        start[i + 1] += start[i];
    for (size_t i = 0; i < count; i++)
        to[start[(key_field(&from[i], field) >> shift) & 255u]++] = from[i];
    return true;
}

static size_t drop_repeats(grz_found *items, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    return kept;
}

bool grz_found_sort(const grz_allocator *allocator, grz_found_array *found)
{
    const size_t count = found->count;
    if (count <= FEW) {
        insertion_sort(found->items, count);
        found->count = drop_repeats(found->items, count);
        return true;
    }
    grz_found *spare = grz_allocate(allocator, count, sizeof *spare);
    if (spare == NULL)
        return false;
    grz_found *from = found->items, *to = spare;
    for (int field = 0; field < FIELDS; field++) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            if (!radix_pass(from, to, count, field, shift))
                continue;
            grz_found *sorted = to;
            to = from;
            from = sorted;
        }
    }
    if (from != found->items)
        memcpy(found->items, from, count * sizeof *from);
    grz_release(allocator, spare, count, sizeof *spare);
    found->count = drop_repeats(found->items, count);
    return true;
}
