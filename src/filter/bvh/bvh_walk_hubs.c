// SPDX-License-Identifier: MIT
// The walk of the hubs (space/bvh/hubs.h): each item is compared with the tree over its bundle, as far as that holds
// items behind it. A pair of triangles is proposed once: at the first hub that they share, or in the first book there.
#include <assert.h>

#include "filter/bvh/bvh_walk.h"

enum {
    RANGE = 8,           // items of a range that is not cut any more
    LOOK_EVERY = 1 << 16 // nodes between two looks whether the sink needs no more
};

// True if the walk must propose the pair here: no clear fan and no earlier hub answers for it. `name` is that of the
// hub.
static bool is_for_hub(const grz_bvh_walk *walk, uint32_t name, uint32_t a, uint32_t b)
{
    const uint32_t *corners_a = walk->mesh_a->triangles + 3 * (size_t)a,
                   *corners_b = walk->mesh_a->triangles + 3 * (size_t)b;
    if (grz_mesh_triangle_face(walk->mesh_a, a) == grz_mesh_triangle_face(walk->mesh_a, b))
        return false;
    for (int i = 0; i < 3; i++) {
        const uint32_t own = walk->fans[corners_a[i]];
        if (own == name || own == GRZ_FAN_UNCLEAR || (grz_fan_is_hub(own) && own > name))
            continue;
        for (int j = 0; j < 3; j++)
            if (walk->fans[corners_b[j]] == own)
                return false;
    }
    return true;
}

// Propose the pairs of an item with those behind it in its bundle. False: stop.
static bool compare_item(const grz_bvh_walk *walk, const grz_hub_bundle *bundle, uint32_t number, grz_chunk *chunk)
{
    const grz_hub_item *items = walk->hubs->items.items + bundle->first, *item = &items[number];
    const grz_hub_node *nodes = walk->hubs->nodes.items + bundle->nodes;
    uint32_t stack[33], depth = 0, visited = 0; // depth first: one node waits on each level
    stack[depth++] = 1;
    while (depth > 0) {
        if (++visited % LOOK_EVERY == 0 && walk->sink->stopped(walk->sink, walk->job))
            return false;
        const uint32_t k = stack[--depth], level = UINT32_C(1) << (31 - __builtin_clz(k));
        const uint32_t end = grz_hub_cut(bundle, k - level + 1, level);
        if (end <= number + 1 || !grz_boxes_overlap(&nodes[k].box, &item->box) ||
            !grz_hub_sides_overlap(&nodes[k].sides, &item->sides) || grz_hub_books_share(&nodes[k].books, &item->books))
            continue;
        if (level < bundle->leaf_count) {
            assert(depth + 2 <= sizeof stack / sizeof *stack);
            stack[depth++] = 2 * k + 1;
            stack[depth++] = 2 * k;
            continue;
        }
        const uint32_t first = grz_hub_cut(bundle, k - level, level);
        for (uint32_t i = first > number ? first : number + 1; i < end; i++) {
            const uint32_t a = item->triangle, b = items[i].triangle;
            if (grz_boxes_overlap(&items[i].box, &item->box) && grz_hub_sides_overlap(&items[i].sides, &item->sides) &&
                !grz_hub_books_share(&items[i].books, &item->books) && is_for_hub(walk, bundle->name, a, b) &&
                !grz_chunk_add(chunk, a < b ? a : b, a < b ? b : a))
                return false;
        }
    }
    return true;
}

// The bundle that holds an item.
static const grz_hub_bundle *bundle_of(const grz_hubs *hubs, uint32_t item)
{
    size_t low = 0, high = hubs->bundles.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (hubs->bundles.items[middle].first <= item)
            low = middle;
        else
            high = middle;
    }
    return &hubs->bundles.items[low];
}

size_t grz_bvh_open_hub_items(const grz_bvh_walk *walk, const grz_bvh_pair *pair, grz_bvh_pair *out, grz_chunk *chunk,
                              bool *go_on)
{
    assert(walk->hubs != NULL && pair->a < pair->b && pair->b <= walk->hubs->items.count);
    if (pair->b - pair->a > RANGE) {
        const uint32_t middle = pair->a + (pair->b - pair->a) / 2;
        out[0] = out[1] = *pair;
        out[0].b = out[1].a = middle;
        return 2;
    }
    const grz_hub_bundle *bundle = bundle_of(walk->hubs, pair->a);
    for (uint32_t i = pair->a; i < pair->b; i++) {
        bundle += i == bundle->first + bundle->count;
        if (!compare_item(walk, bundle, i - bundle->first, chunk)) {
            *go_on = false;
            return 0;
        }
    }
    return 0;
}
