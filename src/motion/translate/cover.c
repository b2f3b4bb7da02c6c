// SPDX-License-Identifier: MIT
// A sorted list of intervals.
#include "motion/translate/cover.h"

#include <string.h>

// The first part that ends at `time` or later.
static size_t first_after(const grz_cover *cover, double time)
{
    size_t low = 0, high = cover->parts.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (cover->parts.items[middle].to < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool grz_cover_add(grz_cover *cover, const grz_allocator *allocator, double from, double to)
{
    const size_t first = first_after(cover, from);
    size_t end = first;
    for (; end < cover->parts.count && cover->parts.items[end].from <= to; end++) {
        const grz_cover_part *part = &cover->parts.items[end];
        from = part->from < from ? part->from : from;
        to = part->to > to ? part->to : to;
    }
    if (end == first) { // a part of its own
        if (!grz_array_add(allocator, &cover->parts))
            return false;
        grz_cover_part *at = cover->parts.items + first;
        memmove(at + 1, at, (cover->parts.count - 1 - first) * sizeof *at);
    } else { // instead of parts first to end - 1
        grz_cover_part *at = cover->parts.items + first;
        memmove(at + 1, at + (end - first), (cover->parts.count - end) * sizeof *at);
        cover->parts.count -= end - first - 1;
    }
    cover->parts.items[first] = (grz_cover_part){from, to};
    return true;
}

bool grz_cover_holds(const grz_cover *cover, double from, double to)
{
    const size_t at = first_after(cover, to);
    return at < cover->parts.count && cover->parts.items[at].from < from && to < cover->parts.items[at].to;
}
