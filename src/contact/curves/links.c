// SPDX-License-Identifier: MIT
// Finds which sides of contacts can be part of a curve. All sides between the same two nodes are examined together. A
// segment is a candidate if no polygon has a side there. A polygon's side is a candidate if all polygons with that side
// lie in one half-plane, because then it bounds them. If they lie in two or more half-planes, the side runs inside the
// area that they form together, flat or bent.
#include <assert.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "contact/curves/curves.h"

// A side in the list of its lower node.
typedef struct grz_side_entry {
    size_t high;
    grz_side side;
} grz_side_entry;

// All sides, grouped by their lower nodes.
typedef struct grz_side_lists {
    size_t *start; // node_count + 2 offsets
    grz_side_entry *entries;
    size_t count; // number of entries
} grz_side_lists;

static uint32_t side_count(const grz_contact *contact)
{
    return contact->point_count == 2 ? 1 : contact->point_count > 2 ? contact->point_count : 0;
}

static void ends_of(const grz_joiner *joiner, grz_side side, size_t *low, size_t *high)
{
    size_t corner[2];
    grz_curves_side_ends(joiner, side, corner);
    const size_t p = joiner->node_of[corner[0]], q = joiner->node_of[corner[1]];
    *low = p < q ? p : q;
    *high = p < q ? q : p;
}

// Count the sides of each lower node, and mark the nodes of contacts with extent.
static bool count_sides(grz_joiner *joiner, grz_side_lists *lists)
{
    for (size_t i = 0; i < joiner->contact_count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        for (uint32_t k = 0; k < side_count(&joiner->contacts[i]); k++) {
            size_t low, high;
            ends_of(joiner, (grz_side){i, k}, &low, &high);
            joiner->flags[joiner->node_corner[low]] |= GRZ_NODE_TOUCHED;
            joiner->flags[joiner->node_corner[high]] |= GRZ_NODE_TOUCHED;
            assert(low < high);
            lists->start[low + 2]++;
            lists->count++;
        }
    }
    return true;
}

static bool list_sides(const grz_joiner *joiner, grz_side_lists *lists)
{
    size_t *next = lists->start + 1;
    for (size_t i = 0; i < joiner->contact_count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        for (uint32_t k = 0; k < side_count(&joiner->contacts[i]); k++) {
            size_t low, high;
            ends_of(joiner, (grz_side){i, k}, &low, &high);
            lists->entries[next[low]++] = (grz_side_entry){high, {i, k}};
        }
    }
    return true;
}

static int compare_entries(const void *left, const void *right, void *context)
{
    const grz_side_entry *p = left, *q = right;
    (void)context;
    return (p->high > q->high) - (p->high < q->high);
}

// Examine all sides between two nodes, and add a candidate if they can be part of a curve.
static bool add_candidate(grz_joiner *joiner, size_t low, const grz_side_entry *entries, size_t count)
{
    grz_candidate_link candidate = {.low = low, .high = entries[0].high, .side = entries[0].side};
    grz_half_plane first, other;
    for (size_t i = 0; i < count; i++) {
        if (joiner->contacts[entries[i].side.contact].point_count == 2)
            continue;
        if (grz_control_expired_at(joiner->control, i + 1, 8))
            return false;
        if (!candidate.outer) {
            candidate.side = entries[i].side;
            candidate.outer = grz_curves_half_plane(joiner, candidate.side, &first);
        } else if (grz_curves_half_plane(joiner, entries[i].side, &other) &&
                   !grz_curves_same_half_plane(&first, &other)) {
            return true;
        }
    }
    if (!grz_array_add(joiner->allocator, &joiner->candidates))
        return false;
    joiner->candidates.items[joiner->candidates.count - 1] = candidate;
    return true;
}

static bool examine_sides(grz_joiner *joiner, const grz_side_lists *lists)
{
    for (size_t node = 0; node < joiner->node_count; node++) {
        grz_side_entry *entries = lists->entries + lists->start[node];
        const size_t count = lists->start[node + 1] - lists->start[node];
        if (grz_control_expired_at(joiner->control, node, 8))
            return false;
        if (count > 1 && grz_sort(entries, count, sizeof *entries, compare_entries, NULL, joiner->control) != GRZ_OK)
            return false;
        for (size_t i = 0, end = 0; i < count; i = end) {
            while (end < count && entries[end].high == entries[i].high)
                end++;
            if (!add_candidate(joiner, node, entries + i, end - i))
                return false;
        }
    }
    return true;
}

bool grz_curves_find_candidates(grz_joiner *joiner)
{
    grz_side_lists lists = {.count = 0};
    lists.start = grz_allocate_zeroed(joiner->allocator, joiner->node_count + 2, sizeof *lists.start);
    bool done = lists.start != NULL && count_sides(joiner, &lists);
    for (size_t i = 2; done && i < joiner->node_count + 2; i++)
        lists.start[i] += lists.start[i - 1];
    if (done && lists.count > 0) {
        lists.entries = grz_allocate(joiner->allocator, lists.count, sizeof *lists.entries);
        done = lists.entries != NULL && list_sides(joiner, &lists) && examine_sides(joiner, &lists);
    }
    grz_release(joiner->allocator, lists.start, joiner->node_count + 2, sizeof *lists.start);
    grz_release(joiner->allocator, lists.entries, lists.count, sizeof *lists.entries);
    return done;
}

static int compare_links(const void *left, const void *right, void *context)
{
    const grz_link *p = left, *q = right;
    (void)context;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->high > q->high) - (p->high < q->high);
}

bool grz_curves_order_links(grz_joiner *joiner)
{
    grz_link *links = joiner->links.items;
    size_t kept = 0;
    bool sorted = true;
    for (size_t i = 0; i < joiner->links.count; i++) {
        const grz_link link = links[i];
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        if (link.low > link.high)
            links[i] = (grz_link){link.high, link.low};
        sorted = sorted && (i == 0 || compare_links(&links[i - 1], &links[i], NULL) < 0);
    }
    if (sorted)
        return true;
    if (grz_sort(links, joiner->links.count, sizeof *links, compare_links, NULL, joiner->control) != GRZ_OK)
        return false;
    for (size_t i = 0; i < joiner->links.count; i++)
        if (kept == 0 || compare_links(&links[kept - 1], &links[i], NULL) != 0)
            links[kept++] = links[i];
    joiner->links.count = kept;
    return true;
}

bool grz_curves_add_link(grz_joiner *joiner, size_t p, size_t q)
{
    assert(p != q);
    if (!grz_array_add(joiner->allocator, &joiner->links))
        return false;
    joiner->links.items[joiner->links.count - 1] = (grz_link){p < q ? p : q, p < q ? q : p};
    return true;
}
