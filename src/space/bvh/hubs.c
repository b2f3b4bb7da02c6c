// SPDX-License-Identifier: MIT
// Makes the hubs of a mesh. The triangles of each hub are collected and become items with boxes of directions. Edges
// that many of them share become books. Each bundle of items is then cut in halves, again and again, along the axis on
// which it is longest.
#include "space/bvh/hubs.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "space/bvh/hub_boxes.h"

enum {
    LEAF = 4,       // items of a leaf, at most
    LOOK_BITS = 12, // steps between two checks of the control, as a power of two
    LARGE = 1 << 16 // the control is checked before so many items are cut in halves
};

// Working memory. Keys hold two numbers, so that sorting groups the lower ones by the upper one.
typedef struct hub_maker {
    const grz_mesh *mesh;
    const uint32_t *names;
    grz_control *control;
    const grz_allocator *allocator;
    GRZ_ARRAY(uint64_t) corners; // a hub's vertex, a triangle
    GRZ_ARRAY(uint64_t) outer;   // of one hub: an outer vertex, an item
    GRZ_ARRAY(uint64_t) spare;
    grz_hubs *hubs;
} hub_maker;

static uint64_t key_of(uint32_t upper, uint32_t lower)
{
    return (uint64_t)upper << 32 | lower;
}

static uint32_t upper_of(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

static size_t end_of_run(const uint64_t *keys, size_t count, size_t first)
{
    size_t end = first + 1;
    while (end < count && upper_of(keys[end]) == upper_of(keys[first]))
        end++;
    return end;
}

// A triangle as seen from one of its corners.
typedef struct hub_view {
    uint32_t outer[2];        // names of the other corners
    const double *from;       // the corner's position
    const double *towards[2]; // those of the other corners
} hub_view;

static hub_view view_from(const grz_mesh *mesh, uint32_t vertex, uint32_t triangle)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    size_t own = 0;
    while (own < 2 && grz_mesh_representative(mesh, corners[own]) != vertex)
        own++;
    assert(grz_mesh_representative(mesh, corners[own]) == vertex);
    hub_view view = {.from = grz_mesh_position(mesh, corners[own])};
    for (size_t i = 0; i < 2; i++) {
        const uint32_t corner = corners[(own + 1 + i) % 3];
        view.outer[i] = grz_mesh_representative(mesh, corner);
        view.towards[i] = grz_mesh_position(mesh, corner);
    }
    return view;
}

// List all corners at hubs: each triangle once for each hub.
static bool list_corners(hub_maker *maker)
{
    const grz_mesh *mesh = maker->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
        const uint32_t a = maker->names[corners[0]], b = maker->names[corners[1]], c = maker->names[corners[2]];
        const bool is_new[3] = {true, b != a, c != a && c != b};
        const uint32_t name[3] = {a, b, c};
        if (grz_control_expired_at(maker->control, t, LOOK_BITS))
            return false;
        for (int i = 0; i < 3; i++) {
            if (!is_new[i] || !grz_fan_is_hub(name[i]))
                continue;
            if (!grz_array_add(maker->allocator, &maker->corners))
                return false;
            maker->corners.items[maker->corners.count - 1] = key_of(grz_fan_hub_vertex(name[i]), t);
        }
    }
    return grz_array_reserve(maker->allocator, &maker->spare, maker->corners.count) &&
           grz_sort_numbers(maker->corners.items, maker->spare.items, maker->corners.count, maker->control);
}

static grz_hub_item *add_item(hub_maker *maker, uint32_t triangle)
{
    grz_hubs *hubs = maker->hubs;
    if (hubs->items.count >= UINT32_MAX - 1 || !grz_array_add(maker->allocator, &hubs->items))
        return NULL;
    grz_hub_item *item = &hubs->items.items[hubs->items.count - 1];
    *item = (grz_hub_item){.books = {{GRZ_FAN_UNCLEAR, GRZ_FAN_UNCLEAR}}, .triangle = triangle};
    return item;
}

// The items of a hub: its triangles as arcs. Lists their outer vertices.
static bool add_arcs(hub_maker *maker, const uint64_t *corners, size_t count)
{
    maker->outer.count = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t vertex = upper_of(corners[i]), triangle = (uint32_t)corners[i];
        const hub_view view = view_from(maker->mesh, vertex, triangle);
        grz_hub_item *item = add_item(maker, triangle);
        if (grz_control_expired_at(maker->control, i, LOOK_BITS) || item == NULL)
            return false;
        item->box = grz_hub_arc_box(view.from, view.towards[0], view.towards[1]);
        for (size_t k = 0; k < 2; k++) {
            if (view.outer[k] == vertex || (k == 1 && view.outer[1] == view.outer[0]))
                continue;
            if (!grz_array_add(maker->allocator, &maker->outer))
                return false;
            maker->outer.items[maker->outer.count - 1] =
                key_of(view.outer[k], (uint32_t)(maker->hubs->items.count - 1));
        }
    }
    return grz_array_reserve(maker->allocator, &maker->spare, maker->outer.count) &&
           grz_sort_numbers(maker->outer.items, maker->spare.items, maker->outer.count, maker->control);
}

// Tell the items of a hub to which books they belong.
static void mark_books(hub_maker *maker)
{
    const uint64_t *outer = maker->outer.items;
    for (size_t i = 0, end; i < maker->outer.count; i = end) {
        end = end_of_run(outer, maker->outer.count, i);
        for (size_t k = i; k < end && end - i > GRZ_BOOK_LEAST; k++) {
            grz_hub_books *books = &maker->hubs->items.items[(uint32_t)outer[k]].books;
            books->names[books->names[0] != GRZ_FAN_UNCLEAR] = upper_of(outer[k]);
        }
    }
}

// The runs of the two largest books of a hub, the largest first; `ends` are equal to `starts` if there are less.
static void largest_books(const hub_maker *maker, size_t starts[2], size_t ends[2])
{
    const uint64_t *outer = maker->outer.items;
    starts[0] = ends[0] = starts[1] = ends[1] = 0;
    for (size_t i = 0, end; i < maker->outer.count; i = end) {
        end = end_of_run(outer, maker->outer.count, i);
        if (end - i <= GRZ_BOOK_LEAST)
            continue;
        const int at = end - i > ends[0] - starts[0] ? 0 : end - i > ends[1] - starts[1] ? 1 : 2;
        if (at == 0) {
            starts[1] = starts[0];
            ends[1] = ends[0];
        }
        if (at < 2) {
            starts[at] = i;
            ends[at] = end;
        }
    }
}

// Let the items of a hub know where they lie, seen along the edges of its two largest books. `first` is the hub's first
// item.
static void look_along_books(hub_maker *maker, uint32_t vertex, size_t first)
{
    size_t starts[2], ends[2];
    largest_books(maker, starts, ends);
    for (size_t book = 0; book < 2 && ends[book] > starts[book]; book++) {
        const uint32_t other = upper_of(maker->outer.items[starts[book]]);
        const double *to = grz_mesh_position(maker->mesh, other);
        for (size_t i = first; i < maker->hubs->items.count; i++) {
            grz_hub_item *item = &maker->hubs->items.items[i];
            const hub_view view = view_from(maker->mesh, vertex, item->triangle);
            const int p = view.outer[0] == other ? 1 : 0, q = view.outer[1] == other ? 0 : 1;
            grz_hub_side_box(view.from, to, view.towards[p], view.towards[q], item->sides.min + 2 * book,
                             item->sides.max + 2 * book);
        }
    }
}

// One coordinate of a box's middle, doubled.
static double middle_of(const grz_hub_item *item, int axis)
{
    return item->box.min[axis] + item->box.max[axis];
}

// Move items so that none of the first `wanted` has a larger middle along the axis than any of the others. After C. A.
// R. Hoare, "Algorithm 65: find" (1961).
static void select_items(grz_hub_item *items, size_t count, size_t wanted, int axis)
{
    size_t low = 0, high = count - 1;
    uint64_t random = count;
    assert(0 < wanted && wanted < count);
    while (low < high) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double pivot = middle_of(&items[low + (size_t)(random >> 33) % (high - low + 1)], axis);
        size_t i = low, j = high;
        while (i <= j) {
            while (middle_of(&items[i], axis) < pivot)
                i++;
            while (middle_of(&items[j], axis) > pivot)
                j--;
            if (i > j)
                break;
            const grz_hub_item kept = items[i];
            items[i++] = items[j];
            items[j] = kept;
            if (j-- == 0)
                break;
        }
        if (wanted >= i)
            low = i;
        else if (wanted <= j)
            high = j;
        else
            return;
    }
}

static int longest_axis(const grz_hub_item *items, size_t count)
{
    double low[3], high[3];
    int longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = middle_of(&items[0], axis);
        for (size_t i = 1; i < count; i++) {
            const double middle = middle_of(&items[i], axis);
            low[axis] = middle < low[axis] ? middle : low[axis];
            high[axis] = middle > high[axis] ? middle : high[axis];
        }
        longest = high[axis] - low[axis] > high[longest] - low[longest] ? axis : longest;
    }
    return longest;
}

static void add_sides(grz_hub_sides *sides, const grz_hub_sides *other)
{
    for (int i = 0; i < 4; i++) {
        sides->min[i] = other->min[i] < sides->min[i] ? other->min[i] : sides->min[i];
        sides->max[i] = other->max[i] > sides->max[i] ? other->max[i] : sides->max[i];
    }
}

static void join_items(const grz_hub_item *items, uint32_t first, uint32_t end, grz_hub_node *node)
{
    *node = (grz_hub_node){items[first].box, items[first].sides, items[first].books};
    for (uint32_t i = first + 1; i < end; i++) {
        grz_box_add_box(&node->box, &items[i].box);
        add_sides(&node->sides, &items[i].sides);
        for (int k = 0; k < 2; k++)
            if (!grz_hub_books_have(&items[i].books, node->books.names[k]))
                node->books.names[k] = GRZ_FAN_UNCLEAR;
    }
}

static void join_nodes(const grz_hub_node *children, grz_hub_node *node)
{
    *node = children[0];
    grz_box_add_box(&node->box, &children[1].box);
    add_sides(&node->sides, &children[1].sides);
    for (int k = 0; k < 2; k++)
        if (!grz_hub_books_have(&children[1].books, node->books.names[k]))
            node->books.names[k] = GRZ_FAN_UNCLEAR;
}

// The items from `first` on become a bundle, whose tree cut_bundle() makes. False: there is no memory.
static bool add_bundle(hub_maker *maker, uint32_t vertex, size_t first)
{
    grz_hubs *hubs = maker->hubs;
    grz_hub_bundle bundle = {.name = vertex | GRZ_FAN_HUB,
                             .first = (uint32_t)first,
                             .count = (uint32_t)(hubs->items.count - first),
                             .nodes = (uint32_t)hubs->nodes.count,
                             .leaf_count = 1};
    while ((uint64_t)LEAF * bundle.leaf_count < bundle.count)
        bundle.leaf_count *= 2;
    const size_t node_count = hubs->nodes.count + 2 * (size_t)bundle.leaf_count;
    if (node_count >= UINT32_MAX || !grz_array_add(maker->allocator, &hubs->bundles) ||
        !grz_array_reserve(maker->allocator, &hubs->nodes, node_count))
        return false;
    hubs->bundles.items[hubs->bundles.count - 1] = bundle;
    hubs->nodes.count = node_count;
    return true;
}

// Bring a bundle's items in the order of a tree, and make its nodes. False: the control says to end.
static bool cut_bundle(hub_maker *maker, const grz_hub_bundle *bundle)
{
    grz_hub_item *items = maker->hubs->items.items + bundle->first;
    grz_hub_node *nodes = maker->hubs->nodes.items + bundle->nodes;
    for (uint32_t level = 1; level < bundle->leaf_count; level *= 2)
        for (uint32_t at = 0; at < level; at++) {
            const uint32_t from = grz_hub_cut(bundle, at, level), end = grz_hub_cut(bundle, at + 1, level),
                           middle = grz_hub_cut(bundle, 2 * at + 1, 2 * level);
            if ((end - from >= LARGE || (at & 1023u) == 1023u) && grz_control_expired(maker->control))
                return false;
            select_items(items + from, end - from, middle - from, longest_axis(items + from, end - from));
        }
    memset(nodes, 0, sizeof *nodes);
    for (uint32_t leaf = 0; leaf < bundle->leaf_count; leaf++)
        join_items(items, grz_hub_cut(bundle, leaf, bundle->leaf_count),
                   grz_hub_cut(bundle, leaf + 1, bundle->leaf_count), &nodes[bundle->leaf_count + leaf]);
    for (uint32_t n = bundle->leaf_count; n-- > 1;)
        join_nodes(&nodes[2 * (size_t)n], &nodes[n]);
    return true;
}

// The pages of the book between a hub and another vertex. Pages of this book that are in another one, too, with a
// vertex before that one, are compared there.
static bool add_book(hub_maker *maker, uint32_t vertex, const uint64_t *outer, size_t count)
{
    const uint32_t other = upper_of(outer[0]);
    const size_t first = maker->hubs->items.count;
    for (size_t i = 0; i < count; i++) {
        const grz_hub_item arc = maker->hubs->items.items[(uint32_t)outer[i]];
        const hub_view view = view_from(maker->mesh, vertex, arc.triangle);
        const int at = view.outer[0] == other ? 0 : 1;
        grz_hub_item *page = add_item(maker, arc.triangle);
        if (grz_control_expired_at(maker->control, i, LOOK_BITS) || page == NULL)
            return false;
        assert(view.outer[at] == other);
        page->box = grz_hub_page_box(view.from, view.towards[at], view.towards[1 - at]);
        for (int k = 0; k < 2; k++)
            page->books.names[k] = arc.books.names[k] < other ? arc.books.names[k] : GRZ_FAN_UNCLEAR;
    }
    return add_bundle(maker, vertex, first) &&
           cut_bundle(maker, &maker->hubs->bundles.items[maker->hubs->bundles.count - 1]);
}

// One hub, with its books. A book between two hubs belongs to the hub with the lower number.
static bool add_hub(hub_maker *maker, const uint64_t *corners, size_t count)
{
    const uint32_t vertex = upper_of(corners[0]);
    const size_t number = maker->hubs->bundles.count;
    if (!add_arcs(maker, corners, count) || !add_bundle(maker, vertex, maker->hubs->items.count - count))
        return false;
    mark_books(maker);
    look_along_books(maker, vertex, maker->hubs->items.count - count);
    const uint64_t *outer = maker->outer.items;
    for (size_t i = 0, end; i < maker->outer.count; i = end) {
        const uint32_t other = upper_of(outer[i]);
        end = end_of_run(outer, maker->outer.count, i);
        if (end - i > GRZ_BOOK_LEAST && !(other < vertex && grz_fan_is_hub(maker->names[other])) &&
            !add_book(maker, vertex, outer + i, end - i))
            return false;
    }
    return cut_bundle(maker, &maker->hubs->bundles.items[number]); // `outer` counts on the old order
}

grz_hubs *grz_hubs_make(const grz_mesh *mesh, const uint32_t *names, grz_control *control)
{
    hub_maker maker = {.mesh = mesh, .names = names, .control = control, .allocator = grz_control_allocator(control)};
    maker.hubs = grz_allocate_zeroed(maker.allocator, 1, sizeof *maker.hubs);
    bool made = maker.hubs != NULL && list_corners(&maker);
    for (size_t i = 0, end; made && i < maker.corners.count; i = end) {
        end = end_of_run(maker.corners.items, maker.corners.count, i);
        made = !grz_control_expired(control) && add_hub(&maker, maker.corners.items + i, end - i);
    }
    grz_array_finish(maker.allocator, &maker.corners);
    grz_array_finish(maker.allocator, &maker.outer);
    grz_array_finish(maker.allocator, &maker.spare);
    if (!made) {
        grz_hubs_finish(maker.hubs, maker.allocator);
        return NULL;
    }
    return maker.hubs;
}

void grz_hubs_finish(grz_hubs *hubs, const grz_allocator *allocator)
{
    if (hubs == NULL)
        return;
    grz_array_finish(allocator, &hubs->items);
    grz_array_finish(allocator, &hubs->nodes);
    grz_array_finish(allocator, &hubs->bundles);
    grz_release(allocator, hubs, 1, sizeof *hubs);
}
