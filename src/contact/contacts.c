// SPDX-License-Identifier: MIT
// Builds contacts: for every touching triangle pair its points, the features that meet at each point, and the normal.
// The order of the points depends on the points only. Of all orders along a segment or around a polygon, the one with
// the smallest sequence of coordinates is taken.
#include <assert.h>

#include "contact/contacts.h"
#include "base/control.h"
#include "contact/contact_normal.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

// A point of a contact.
typedef struct grz_corner_of_contact {
    grz_exact_point exact; // world coordinates; for a mesh with itself, mesh coordinates
    grz_point world;
    grz_node node;
} grz_corner_of_contact;

// The two triangles of a contact. Kept from one contact to the next, because neighbours in the list often share a
// triangle.
typedef struct grz_contact_pair {
    const grz_object *a, *b; // b NULL: a mesh with itself
    uint32_t triangle_a, triangle_b;
    bool any; // side_a and side_b are valid
    grz_contact_side side_a, side_b;
} grz_contact_pair;

static int compare_places(const grz_corner_of_contact *p, const grz_corner_of_contact *q)
{
    for (int i = 0; i < 3; i++)
        if (p->world.at[i] != q->world.at[i])
            return p->world.at[i] < q->world.at[i] ? -1 : 1;
    return 0;
}

// Compare two orders of the corners: each starts at `first` and proceeds by `step`, modulo `count`. Compares the
// rounded coordinates first. If they are all equal, compares the exact points: different points may have the same
// rounded coordinates.
static int compare_orders(const grz_corner_of_contact *corners, uint32_t count, const uint32_t first[2],
                          const uint32_t step[2])
{
    for (int exact = 0; exact < 2; exact++) {
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t p = (first[0] + i * step[0]) % count, q = (first[1] + i * step[1]) % count;
            const int order = p == q       ? 0
                              : exact == 0 ? compare_places(&corners[p], &corners[q])
                                           : grz_exact_compare(&corners[p].exact, &corners[q].exact);
            if (order != 0)
                return order;
        }
    }
    return 0;
}

// Find the canonical order: corner order[i] comes i-th.
static void canonical_order(const grz_corner_of_contact *corners, uint32_t count, uint32_t order[GRZ_MAX_NODES])
{
    uint32_t first[2] = {0, 0}, step[2] = {1, 1}; // [0]: the best so far; [1]: the one to compare with it
    for (first[1] = 0; first[1] < count; first[1]++) {
        const uint32_t back = count - 1;
        for (int direction = 0; direction < 2; direction++) {
            step[1] = direction == 0 ? 1 : back;
            if (compare_orders(corners, count, first, step) > 0) {
                first[0] = first[1];
                step[0] = step[1];
            }
        }
    }
    for (uint32_t i = 0; i < count; i++)
        order[i] = (first[0] + i * step[0]) % count;
}

// ---- Features ----

// One half of a node key (result/result.h): the name of a triangle's feature.
static void feature_key(const grz_mesh *mesh, uint32_t triangle, uint8_t feature, uint32_t half[2])
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    if (feature <= GRZ_CORNER_2) {
        half[0] = grz_mesh_representative(mesh, vertex[feature]);
        half[1] = GRZ_KEY_CORNER;
    } else if (feature <= GRZ_EDGE_2) {
        const uint32_t i = (uint32_t)(feature - GRZ_EDGE_0);
        const uint32_t p = grz_mesh_representative(mesh, vertex[i]);
        const uint32_t q = grz_mesh_representative(mesh, vertex[(i + 1) % 3]);
        half[0] = p < q ? p : q;
        half[1] = p < q ? q : p;
    } else {
        half[0] = half[1] = triangle;
    }
}

static grz_node_key node_key(const grz_contact_pair *pair, grz_node node)
{
    grz_node_key key = {{{0}}};
    feature_key(pair->a->mesh, pair->triangle_a, node.a, key.half[0]);
    feature_key(pair->b != NULL ? pair->b->mesh : pair->a->mesh, pair->triangle_b, node.b, key.half[1]);
    const uint32_t *low = key.half[0], *high = key.half[1];
    if (pair->b == NULL && (low[0] > high[0] || (low[0] == high[0] && low[1] > high[1])))
        return (grz_node_key){{{high[0], high[1]}, {low[0], low[1]}}};
    return key;
}

static grz_feature edge_of(uint32_t v, uint32_t w)
{
    return (grz_feature){{v < w ? v : w, v < w ? w : v}};
}

static bool is_less(grz_feature x, grz_feature y)
{
    return x.vertex[0] < y.vertex[0] || (x.vertex[0] == y.vertex[0] && x.vertex[1] < y.vertex[1]);
}

// A feature of a triangle without area. Several features may hold the point. The lowest vertex at the point is taken;
// if there is none, the lowest side that holds it.
static grz_feature degenerate_feature(const grz_mesh *mesh, uint32_t triangle, const double corners[3][3],
                                      uint8_t feature, const grz_exact_point *point)
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    grz_feature best = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        grz_feature own = best;
        if (feature <= GRZ_CORNER_2) {
            if (grz_same_point(corners[i], corners[feature]))
                own = (grz_feature){{vertex[i], GRZ_NO_VERTEX}};
        } else if (grz_mesh_edge_is_side(mesh, triangle, i)) {
            const grz_exact_point p = grz_exact_given(corners[i]), q = grz_exact_given(corners[j]);
            if (grz_exact_compare(&p, point) * grz_exact_compare(&q, point) < 0)
                own = edge_of(vertex[i], vertex[j]);
        }
        best = is_less(own, best) ? own : best;
    }
    return best;
}

// The feature of the user's face that a feature of one of its triangles belongs to. Diagonals and the inside belong to
// the face.
static grz_feature face_feature(const grz_mesh *mesh, uint32_t triangle, const grz_contact_side *side, uint8_t feature,
                                const grz_exact_point *point)
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    if (side->degenerate && grz_triangle_dimension((const double(*)[3])side->own) < 2)
        return degenerate_feature(mesh, triangle, (const double(*)[3])side->own, feature, point);
    if (feature <= GRZ_CORNER_2)
        return (grz_feature){{vertex[feature], GRZ_NO_VERTEX}};
    if (feature <= GRZ_EDGE_2 && grz_mesh_edge_is_side(mesh, triangle, feature - GRZ_EDGE_0))
        return edge_of(vertex[feature - GRZ_EDGE_0], vertex[(feature - GRZ_EDGE_0 + 1) % 3]);
    return (grz_feature){{GRZ_NO_VERTEX, GRZ_NO_VERTEX}};
}

// The same, with the caller's vertex numbers. They have the same order as the mesh's own.
static grz_feature user_feature(const grz_mesh *mesh, uint32_t triangle, const grz_contact_side *side, uint8_t feature,
                                const grz_exact_point *point)
{
    grz_feature own = face_feature(mesh, triangle, side, feature, point);
    for (int i = 0; i < 2; i++)
        if (own.vertex[i] != GRZ_NO_VERTEX)
            own.vertex[i] = grz_mesh_vertex_number(mesh, own.vertex[i]);
    return own;
}

// ---- One contact ----

static void set_side(const grz_object *object, uint32_t triangle, bool self, grz_contact_side *side)
{
    grz_world_corners(object->mesh, &object->pose, triangle, side->world);
    grz_world_corners(object->mesh, self ? NULL : &object->pose, triangle, side->own);
    grz_triangle_normal((const double(*)[3])side->world, &side->normal);
    side->sides = 0;
    for (int i = 0; i < 3; i++)
        side->sides |= grz_mesh_edge_is_side(object->mesh, triangle, i) ? 1u << i : 0u;
    side->degenerate =
        side->normal.direction.zero || (self && grz_triangle_dimension((const double(*)[3])side->own) < 2);
}

static void set_pair(grz_contact_pair *pair, const grz_found *found)
{
    const bool self = pair->b == NULL;
    if (!pair->any || pair->triangle_a != found->triangle_a)
        set_side(pair->a, found->triangle_a, self, &pair->side_a);
    if (!pair->any || pair->triangle_b != found->triangle_b)
        set_side(self ? pair->a : pair->b, found->triangle_b, self, &pair->side_b);
    pair->triangle_a = found->triangle_a;
    pair->triangle_b = found->triangle_b;
    pair->any = true;
}

static void contact_corners(const grz_contact_pair *pair, const grz_intersection *intersection,
                            grz_corner_of_contact *out)
{
    for (uint32_t i = 0; i < intersection->node_count; i++) {
        out[i].node = intersection->nodes[i];
        out[i].exact =
            grz_node_point((const double(*)[3])pair->side_a.own, (const double(*)[3])pair->side_b.own, out[i].node);
        memcpy(out[i].world.at, out[i].exact.rounded, sizeof out[i].world.at);
        if (pair->b != NULL)
            continue;
        grz_world_position(&pair->a->pose, out[i].exact.rounded, out[i].world.at);
        for (int k = 0; k < 3; k++)
            out[i].world.at[k] += 0.0; // turns -0 into +0
    }
}

static bool make_room(grz_result *result, size_t points, bool keys, bool own_points)
{
    const grz_allocator *allocator = result->allocator;
    const size_t end = result->points.count + points;
    return grz_array_reserve(allocator, &result->points, end) && grz_array_reserve(allocator, &result->features, end) &&
           (!keys || grz_array_reserve(allocator, &result->keys, end)) &&
           (!own_points || grz_array_reserve(allocator, &result->own_points, end));
}

// Append a contact and its points. False: there is no memory.
static bool add_contact(grz_result *result, const grz_contact_pair *pair, size_t pair_number, bool for_curves,
                        grz_box *region)
{
    const grz_mesh *mesh_a = pair->a->mesh, *mesh_b = pair->b != NULL ? pair->b->mesh : mesh_a;
    grz_corner_of_contact corners[GRZ_MAX_NODES];
    uint32_t order[GRZ_MAX_NODES];
    grz_intersection intersection;
    grz_triangles_intersect((const double(*)[3])pair->side_a.own, (const double(*)[3])pair->side_b.own, &intersection);
    const uint32_t count = intersection.node_count;
    assert(0 < count && count <= GRZ_MAX_NODES); // the pair touches
    const bool own_points = for_curves && pair->b == NULL;
    if (!grz_array_add(result->allocator, &result->contacts) || !make_room(result, count, for_curves, own_points))
        return false;
    contact_corners(pair, &intersection, corners);
    canonical_order(corners, count, order);
    grz_contact *contact = &result->contacts.items[result->contacts.count - 1];
    *contact = (grz_contact){.pair = pair_number,
                             .first_point = result->points.count,
                             .point_count = count,
                             .kind = (uint32_t)intersection.kind};
    grz_contact_normal(&intersection, &pair->side_a, &pair->side_b, contact->normal);
    for (uint32_t i = 0; i < count; i++) {
        const grz_corner_of_contact *corner = &corners[order[i]];
        result->points.items[result->points.count++] = corner->world;
        result->features.items[result->features.count++] =
            (grz_features){user_feature(mesh_a, pair->triangle_a, &pair->side_a, corner->node.a, &corner->exact),
                           user_feature(mesh_b, pair->triangle_b, &pair->side_b, corner->node.b, &corner->exact)};
        if (for_curves)
            result->keys.items[result->keys.count++] = node_key(pair, corner->node);
        if (own_points)
            memcpy(result->own_points.items[result->own_points.count++].at, corner->exact.rounded,
                   sizeof corner->exact.rounded);
        grz_box_add_point(region, corner->world.at);
    }
    return true;
}

static void widen_region(grz_summary *summary, const grz_box *box)
{
    for (int k = 0; k < 3; k++) {
        const bool first = !summary->has_region;
        summary->region_min[k] = first || box->min[k] < summary->region_min[k] ? box->min[k] : summary->region_min[k];
        summary->region_max[k] = first || box->max[k] > summary->region_max[k] ? box->max[k] : summary->region_max[k];
    }
    summary->has_region = true;
}

grz_status grz_result_build_contacts(grz_result *result, const grz_found_range *range, bool for_curves,
                                     grz_control *control, grz_verdict *verdict)
{
    grz_box region = grz_box_empty();
    grz_contact_pair pair = {.a = range->a, .b = range->b, .any = false};
    const size_t count = range->end - range->first;
    assert(range->first <= range->end && range->end <= result->found.count);
    size_t number = verdict->first_pair;
    verdict->first_contact = result->contacts.count;
    // Most contacts are segments. Making room for two points each at once avoids moving large arrays later.
    if (count > 0 && (!grz_array_reserve(result->allocator, &result->contacts, result->contacts.count + count) ||
                      !make_room(result, 2 * count, for_curves, for_curves && pair.b == NULL)))
        return GRZ_ERROR_MEMORY;
    for (size_t i = range->first; i < range->end; i++) {
        const grz_found *found = &result->found.items[i];
        if (grz_control_expired_at(control, i, 8))
            return grz_control_status(control);
        while (result->pairs.items[number].face_a != found->face_a ||
               result->pairs.items[number].face_b != found->face_b)
            number++;
        assert(number < verdict->first_pair + verdict->pair_count);
        set_pair(&pair, found);
        if (!add_contact(result, &pair, number, for_curves, &region))
            return GRZ_ERROR_MEMORY;
    }
    verdict->contact_count = result->contacts.count - verdict->first_contact;
    if (verdict->contact_count > 0)
        widen_region(&result->summary, &region);
    return GRZ_OK;
}
