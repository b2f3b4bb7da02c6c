// SPDX-License-Identifier: MIT
// A sorted list of intervals, searched by halving.
#include "geometry/interval/interval.h"

#include <string.h>

static int compare(double x, double y)
{
    return (x > y) - (x < y);
}

// The first part that `from` is in, or at the end of, or before.
static size_t first_after(const grz_interval_set *set, double from)
{
    size_t low = 0, high = set->parts.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (grz_ends_join(set->ends, compare(from, set->parts.items[middle].to)))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool grz_interval_set_add(grz_interval_set *set, const grz_allocator *allocator, double from, double to)
{
    if (!grz_ends_join(set->ends, compare(from, to))) // empty
        return true;
    const size_t first = first_after(set, from);
    size_t end = first;
    for (; end < set->parts.count && grz_ends_join(set->ends, compare(set->parts.items[end].from, to)); end++) {
        const grz_interval *part = &set->parts.items[end];
        from = part->from < from ? part->from : from;
        to = part->to > to ? part->to : to;
    }
    if (end == first) { // a part of its own
        if (!grz_array_add(allocator, &set->parts))
            return false;
        grz_interval *at = set->parts.items + first;
        memmove(at + 1, at, (set->parts.count - 1 - first) * sizeof *at);
    } else { // instead of parts first to end - 1
        grz_interval *at = set->parts.items + first;
        memmove(at + 1, at + (end - first), (set->parts.count - end) * sizeof *at);
        set->parts.count -= end - first - 1;
    }
    set->parts.items[first] = (grz_interval){from, to};
    return true;
}

bool grz_interval_set_surrounds(const grz_interval_set *set, double from, double to)
{
    const size_t at = first_after(set, to);
    return at < set->parts.count && set->parts.items[at].from < from && to < set->parts.items[at].to;
}

void grz_interval_set_finish(grz_interval_set *set, const grz_allocator *allocator)
{
    grz_array_finish(allocator, &set->parts);
}
