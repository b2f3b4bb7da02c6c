// SPDX-License-Identifier: MIT
// Sorts the touching triangle pairs of a query by job, faces and triangles, and removes repeats. Many pairs are sorted
// by a radix sort (least significant byte first) that skips the bytes in which all entries agree; a few by insertion
// sort.
#include "result/found.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_INSERTED = 48, // entries, at most, that are sorted by insertion
    FIELDS = 5          // of a sort key
};

// The fields of the sort key, least significant first.
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

// Find the bits of each key field that differ between entries. If every triangle has its face's number (all faces are
// triangles), sorting by faces sorts the triangles as well, and the triangle fields are reported as all equal.
static void find_differences(const grz_found *items, size_t count, uint32_t differ[FIELDS])
{
    uint32_t parts_a = 0, parts_b = 0;
    memset(differ, 0, FIELDS * sizeof *differ);
    for (size_t i = 0; i < count; i++) {
        for (int field = 0; field < FIELDS; field++)
            differ[field] |= key_field(&items[i], field) ^ key_field(&items[0], field);
        parts_a |= items[i].triangle_a ^ items[i].face_a;
        parts_b |= items[i].triangle_b ^ items[i].face_b;
    }
    differ[0] = parts_b != 0 ? differ[0] : 0;
    differ[1] = parts_a != 0 ? differ[1] : 0;
}

// One stable pass of the radix sort: by byte `shift / 8` of a field, from one array to the other.
static void radix_pass(const grz_found *from, grz_found *to, size_t count, int field, unsigned shift)
{
    assert(from != to && 0 <= field && field < FIELDS && shift <= 24);
    size_t start[257] = {0};
    for (size_t i = 0; i < count; i++)
        start[((key_field(&from[i], field) >> shift) & 255u) + 1]++;
    for (int i = 0; i < 256; i++)
        start[i + 1] += start[i];
    for (size_t i = 0; i < count; i++)
        to[start[(key_field(&from[i], field) >> shift) & 255u]++] = from[i];
}

// Remove the second and later of equal entries. The entries are sorted.
static size_t drop_repeats(grz_found *items, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        assert(kept == 0 || compare(&items[kept - 1], &items[i]) <= 0);
        if (kept == 0 || compare(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    }
    return kept;
}

bool grz_found_sort(const grz_allocator *allocator, grz_found_array *found)
{
    const size_t count = found->count;
    if (count <= MOST_INSERTED) {
        insertion_sort(found->items, count);
        found->count = drop_repeats(found->items, count);
        return true;
    }
    grz_found *spare = grz_allocate(allocator, count, sizeof *spare);
    if (spare == NULL)
        return false;
    grz_found *from = found->items, *to = spare;
    uint32_t differ[FIELDS];
    find_differences(from, count, differ);
    for (int field = 0; field < FIELDS; field++) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            if ((differ[field] >> shift & 255u) == 0)
                continue;
            radix_pass(from, to, count, field, shift);
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
