// SPDX-License-Identifier: MIT
// Hubs: points at which many corners of a polygon meet. Examples: a flower whose petals return to one corner, thousands
// of holes bridged to one corner, a face whose indices cycle over three vertices. To compare a triangle with each
// corner at its own corners would take quadratic time.
//
// The corners at a hub block a triangle with a corner there if an edge of theirs leads into it. So the edges at a hub,
// its spokes, are kept in a balanced tree in the order of their directions, counter-clockwise, by exact signs. Those
// that lead into the triangle lie between two directions less than 180 degrees apart; at a side of the triangle it is
// 180 degrees. Only corners that are not convex have spokes.
#include "geometry/polygon/clipper.h"

enum {
    HUB_LEAST = 9 // corners at a point; fewer are compared one by one
};

// True if corner x comes after corner y in the lexicographic order of points.
static bool comes_after(uint32_t x, uint32_t y, const void *context)
{
    const grz_clipper *clipper = context;
    return grz_polygon_step(grz_clipper_point(clipper, y), grz_clipper_point(clipper, x)) > 0;
}

// The order of two directions from corner `hub`: negative if the one to p comes first. It begins after the direction
// straight down and runs counter-clockwise.
static int compare_directions(const grz_clipper *clipper, uint32_t hub, uint32_t p, uint32_t q)
{
    const double *from = grz_clipper_point(clipper, hub);
    const double *x = grz_clipper_point(clipper, p), *y = grz_clipper_point(clipper, q);
    const int half_x = grz_polygon_step(from, x), half_y = grz_polygon_step(from, y);
    return half_x != half_y ? half_y - half_x : -grz_orient2d(from, x, y);
}

// Insert the spoke from a corner to another one, unless the two are at the same point: it then has no direction.
static void link_spoke(grz_clipper *clipper, uint32_t corner, uint32_t spoke, uint32_t target)
{
    grz_ear_hubs *hubs = &clipper->hubs;
    grz_polygon_hub *hub = &hubs->hubs[hubs->hub_of[corner]];
    uint32_t parent = GRZ_NO_NODE;
    int side = 0;
    if (grz_polygon_step(grz_clipper_point(clipper, corner), grz_clipper_point(clipper, target)) == 0)
        return;
    for (uint32_t node = hub->root; node != GRZ_NO_NODE; node = hubs->nodes[node].child[side]) {
        const int order = compare_directions(clipper, hub->corner, target, hubs->targets[node]);
        side = order > 0 || (order == 0 && spoke > node);
        parent = node;
        clipper->steps++;
    }
    hubs->targets[spoke] = target;
    grz_balanced_insert(hubs->nodes, &hub->root, spoke, parent, side);
}

static void link_spokes(grz_clipper *clipper, uint32_t corner)
{
    if (clipper->ring[corner].convex || clipper->ring[corner].removed)
        return;
    link_spoke(clipper, corner, 2 * corner, clipper->ring[corner].previous);
    link_spoke(clipper, corner, 2 * corner + 1, clipper->ring[corner].next);
}

void grz_hubs_update(grz_clipper *clipper, uint32_t corner)
{
    grz_ear_hubs *hubs = &clipper->hubs;
    if (hubs->hub_of[corner] == GRZ_NO_NODE)
        return;
    grz_polygon_hub *hub = &hubs->hubs[hubs->hub_of[corner]];
    for (uint32_t spoke = 2 * corner; spoke < 2 * corner + 2; spoke++)
        if (hubs->targets[spoke] != GRZ_NO_NODE) {
            grz_balanced_remove(hubs->nodes, &hub->root, spoke);
            hubs->targets[spoke] = GRZ_NO_NODE;
        }
    hub->left -= clipper->ring[corner].removed;
    link_spokes(clipper, corner);
}

// How many spokes of a hub come before the direction to p, which is elsewhere; those in that direction count if
// `including`.
static uint32_t spokes_before(grz_clipper *clipper, const grz_polygon_hub *hub, uint32_t p, bool including)
{
    const grz_ear_hubs *hubs = &clipper->hubs;
    uint32_t before = 0;
    for (uint32_t node = hub->root; node != GRZ_NO_NODE; clipper->steps++) {
        const int order = compare_directions(clipper, hub->corner, hubs->targets[node], p);
        const bool comes_first = order < 0 || (order == 0 && including);
        before += comes_first ? 1 + grz_balanced_size(hubs->nodes, hubs->nodes[node].child[0]) : 0;
        node = hubs->nodes[node].child[comes_first];
    }
    return before;
}

// Any spoke of a hub strictly between two directions, counter-clockwise, or GRZ_NO_NODE. It is chosen at random: in
// watch.c, corners then wait for different spokes, and few are tested again when one of many spokes changes.
static uint32_t spoke_between(grz_clipper *clipper, const grz_polygon_hub *hub, uint32_t from, uint32_t to)
{
    const uint32_t all = grz_balanced_size(clipper->hubs.nodes, hub->root);
    const uint32_t first = spokes_before(clipper, hub, from, true), end = spokes_before(clipper, hub, to, false);
    const bool wraps = compare_directions(clipper, hub->corner, from, to) > 0;
    const uint32_t between = wraps ? all - first + end : end - first;
    if (between == 0)
        return GRZ_NO_NODE;
    return grz_balanced_at(clipper->hubs.nodes, hub->root, (first + grz_clipper_random(clipper) % between) % all);
}

bool grz_hubs_block(grz_clipper *clipper, const uint32_t triangle[3], uint32_t number, grz_ear_level level)
{
    const grz_polygon_hub *hub = &clipper->hubs.hubs[number];
    int side[3], i = 0;
    if (hub->blocking == 0)
        return false;
    switch (grz_clipper_place(clipper, triangle, hub->corner, level, side)) {
    case GRZ_EAR_OUTSIDE:
        return false;
    case GRZ_EAR_INSIDE:
        clipper->blocker = grz_blocked_by_hub(number);
        return true;
    case GRZ_EAR_AT_BOUNDARY:
        break;
    }
    // At corner i of the triangle, the directions inside lie between that to the next corner and that to the one before
    // it; on side i between those to its two ends. A clockwise polygon has the two the other way round.
    while (side[i] != 0 || (side[(i + 1) % 3] == 0 && side[(i + 2) % 3] != 0))
        i++;
    const uint32_t next = triangle[(i + 1) % 3], last = triangle[side[(i + 2) % 3] == 0 ? (i + 2) % 3 : i];
    const bool turned = clipper->orientation < 0;
    const uint32_t spoke = spoke_between(clipper, hub, turned ? last : next, turned ? next : last);
    if (spoke == GRZ_NO_NODE)
        return false;
    assert(grz_clipper_leads_inside(clipper, triangle, side, clipper->hubs.targets[spoke]));
    clipper->blocker = grz_blocked_by_edge(spoke / 2);
    return true;
}

// Make a hub of the corners sorted[first, end), which are at one point.
static void add_hub(grz_clipper *clipper, const uint32_t *sorted, size_t first, size_t end)
{
    grz_ear_hubs *hubs = &clipper->hubs;
    grz_polygon_hub *hub = &hubs->hubs[hubs->count];
    *hub = (grz_polygon_hub){.corner = sorted[first], .left = (uint32_t)(end - first), .root = GRZ_NO_NODE};
    for (size_t i = first; i < end; i++) {
        grz_polygon_corner *corner = &clipper->ring[sorted[i]];
        hubs->hub_of[sorted[i]] = hubs->count;
        hub->blocking += !corner->convex;
        corner->listed = false;
        link_spokes(clipper, sorted[i]);
    }
    clipper->ring[hub->corner].listed = hub->blocking > 0;
    hubs->count++;
}

bool grz_hubs_start(grz_clipper *clipper)
{
    grz_polygon_scratch *scratch = clipper->scratch;
    grz_ear_hubs *hubs = &clipper->hubs;
    const grz_allocator *allocator = clipper->allocator;
    const size_t count = clipper->count;
    if (!grz_array_reserve(allocator, &scratch->ends, count) ||
        !grz_array_reserve(allocator, &scratch->sorted_ends, count) ||
        !grz_array_reserve(allocator, &scratch->hubs, count / 2) ||
        !grz_array_reserve(allocator, &scratch->hub_of, count) ||
        !grz_array_reserve(allocator, &scratch->nodes, 2 * count) ||
        !grz_array_reserve(allocator, &scratch->targets, 2 * count))
        return false;
    *hubs = (grz_ear_hubs){
        true, 0, scratch->hubs.items, scratch->hub_of.items, scratch->nodes.items, scratch->targets.items};
    for (size_t corner = 0; corner < count; corner++)
        hubs->hub_of[corner] = hubs->targets[2 * corner] = hubs->targets[2 * corner + 1] = GRZ_NO_NODE;
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next)
        scratch->ends.items[i] = corner;
    const uint32_t *sorted =
        grz_polygon_sort(scratch, scratch->ends.items, scratch->sorted_ends.items, clipper->left, comes_after, clipper);
    if (sorted == NULL)
        return false;
    for (size_t first = 0, end = 1; first < clipper->left; first = end++) {
        while (end < clipper->left && !comes_after(sorted[end], sorted[first], clipper))
            end++;
        if (end - first >= (scratch->eager ? 2 : HUB_LEAST))
            add_hub(clipper, sorted, first, end);
    }
    clipper->steps += clipper->left;
    clipper->tree.count = 0; // built again when it is needed
    return true;
}
