// SPDX-License-Identifier: MIT
// Lists the triangles of contacts, and joins those that have an area in common to planes (disjoint sets; R. Tarjan,
// "Efficiency of a good but not linear set union algorithm", 1975). Nothing is computed for that: a polygon says that
// its two triangles lie in one plane.
#include "contact/curves/contact_triangles.h"

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "contact/curves/contact_tree.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

// A triangle of a contact as a number: first by mesh, then by triangle.
static uint64_t key_of(const grz_joiner *joiner, size_t contact, int half)
{
    const grz_found *found = &joiner->found[contact];
    const uint64_t mesh = half == 1 && joiner->b != NULL ? 1 : 0;
    return mesh << 32 | (half == 0 ? found->triangle_a : found->triangle_b);
}

static uint64_t key_of_item(const grz_contact_triangle *item)
{
    return (uint64_t)item->half << 32 | item->triangle;
}

bool grz_triangle_set_index(const grz_triangle_set *set, size_t contact, int half, size_t *index)
{
    const uint64_t key = key_of(set->joiner, contact, half);
    size_t low = 0, high = set->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (key_of_item(&set->items[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    *index = low;
    return low < set->count && key_of_item(&set->items[low]) == key;
}

static const grz_object *object_of(const grz_triangle_set *set, const grz_contact_triangle *item)
{
    return item->half == 0 ? set->joiner->a : set->joiner->b;
}

static void corners_of(const grz_triangle_set *set, const grz_contact_triangle *item, double corners[3][3])
{
    const grz_object *object = object_of(set, item);
    grz_world_corners(object->mesh, set->joiner->b != NULL ? &object->pose : NULL, item->triangle, corners);
}

void grz_triangle_set_corners(const grz_triangle_set *set, size_t index, double corners[3][3])
{
    assert(index < set->count);
    corners_of(set, &set->items[index], corners);
}

void grz_triangle_set_vertices(const grz_triangle_set *set, size_t index, uint32_t vertices[3])
{
    const grz_contact_triangle *item = &set->items[index];
    const grz_mesh *mesh = object_of(set, item)->mesh;
    for (size_t i = 0; i < 3; i++)
        vertices[i] = grz_mesh_representative(mesh, mesh->triangles[3 * (size_t)item->triangle + i]);
}

// ---- The list ----

static bool add_items(grz_triangle_set *set, const uint64_t *keys, size_t count)
{
    const grz_joiner *joiner = set->joiner;
    set->items = grz_allocate(joiner->allocator, count, sizeof *set->items);
    if (set->items == NULL)
        return false;
    set->room = count;
    for (size_t i = 0; i < count; i++) {
        grz_contact_triangle item = {.half = (uint32_t)(keys[i] >> 32), .triangle = (uint32_t)(keys[i] & UINT32_MAX)};
        double corners[3][3];
        if (grz_control_expired_at(joiner->control, i, 10))
            return false;
        corners_of(set, &item, corners);
        item.area = grz_triangle_dimension((const double(*)[3])corners) == 2;
        item.plane = set->count;
        if (item.area || joiner->b != NULL)
            set->items[set->count++] = item;
    }
    return true;
}

static bool list_items(grz_triangle_set *set, uint64_t *keys, uint64_t *spare)
{
    const grz_joiner *joiner = set->joiner;
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < joiner->contact_count; i++) {
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
        for (int half = 0; half < 2 && joiner->contacts[i].point_count > 1; half++)
            keys[count++] = key_of(joiner, i, half);
    }
    if (!grz_sort_numbers(keys, spare, count, joiner->control))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || keys[i] != keys[kept - 1])
            keys[kept++] = keys[i];
        if (grz_control_expired_at(joiner->control, i, 14))
            return false;
    }
    return add_items(set, keys, kept);
}

// The first triangle of a plane. The way there is made shorter for the next time.
static size_t find_plane(grz_contact_triangle *items, size_t index)
{
    while (items[index].plane != index) {
        items[index].plane = items[items[index].plane].plane;
        index = items[index].plane;
    }
    return index;
}

// Set the planes and the groups of the triangles.
static bool join_planes(grz_triangle_set *set)
{
    const grz_joiner *joiner = set->joiner;
    grz_contact_triangle *items = set->items;
    for (size_t i = 0; i < joiner->contact_count; i++) {
        size_t index[2];
        if (grz_control_expired_at(joiner->control, i, 10))
            return false;
        if (joiner->contacts[i].point_count < 2)
            continue;
        for (int half = 0; half < 2; half++) {
            const uint32_t face = half == 0 ? joiner->found[i].face_a : joiner->found[i].face_b;
            if (grz_triangle_set_index(set, i, half, &index[half]))
                items[index[half]].group = joiner->b != NULL ? (uint32_t)half : face;
        }
        if (joiner->contacts[i].point_count == 2)
            continue;
        const size_t p = find_plane(items, index[0]), q = find_plane(items, index[1]);
        items[p < q ? q : p].plane = p < q ? p : q;
    }
    for (size_t i = 0; i < set->count; i++) {
        items[i].plane = find_plane(items, i);
        if (grz_control_expired_at(joiner->control, i, 12))
            return false;
    }
    return true;
}

// ---- The tree ----

static grz_box box_of_item(const void *owner, size_t item)
{
    const grz_triangle_set *set = owner;
    double corners[3][3];
    if (item >= set->count)
        return grz_curves_contact_box(set->joiner, item - set->count);
    grz_triangle_set_corners(set, item, corners);
    return grz_triangle_box((const double(*)[3])corners);
}

static int compare_items(const void *left, const void *right, void *context)
{
    const grz_triangle_set *set = context;
    const size_t p = *(const size_t *)left, q = *(const size_t *)right;
    if (p < set->count || q < set->count)
        return (p > q) - (p < q);
    return grz_curves_compare_contacts(set->joiner, p - set->count, q - set->count);
}

// True if a contact is listed: a segment with a triangle that is not in the set.
static bool is_listed(const grz_triangle_set *set, size_t contact)
{
    size_t index;
    return set->joiner->contacts[contact].point_count == 2 &&
           (!grz_triangle_set_index(set, contact, 0, &index) || !grz_triangle_set_index(set, contact, 1, &index));
}

static bool build_tree(grz_triangle_set *set)
{
    const grz_joiner *joiner = set->joiner;
    const grz_tree_owner owner = {box_of_item, compare_items, set};
    size_t room = set->count;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < joiner->contact_count && joiner->b == NULL; i++) {
            if (grz_control_expired_at(joiner->control, i, 10))
                return false;
            if (!is_listed(set, i))
                continue;
            if (pass == 0)
                room++;
            else
                set->tree.items[set->tree.item_count++] = set->count + i;
        }
        if (pass == 0 && !grz_box_tree_reserve(joiner, room, &set->tree))
            return false;
        for (size_t i = 0; i < set->count && pass == 0; i++)
            set->tree.items[set->tree.item_count++] = i;
    }
    return grz_box_tree_build(&set->tree, &owner);
}

bool grz_triangle_set_build(const grz_joiner *joiner, grz_triangle_set *set)
{
    size_t room = 0;
    set->joiner = joiner;
    for (size_t i = 0; i < joiner->contact_count; i++)
        room += joiner->contacts[i].point_count > 1 ? 2 : 0;
    uint64_t *keys = grz_allocate(joiner->allocator, room, sizeof *keys);
    uint64_t *spare = grz_allocate(joiner->allocator, room, sizeof *spare);
    const bool done = keys != NULL && spare != NULL && list_items(set, keys, spare);
    grz_release(joiner->allocator, keys, room, sizeof *keys);
    grz_release(joiner->allocator, spare, room, sizeof *spare);
    return done && join_planes(set) && build_tree(set);
}

void grz_triangle_set_finish(const grz_joiner *joiner, grz_triangle_set *set)
{
    grz_release(joiner->allocator, set->items, set->room, sizeof *set->items);
    grz_box_tree_finish(joiner, &set->tree);
}
