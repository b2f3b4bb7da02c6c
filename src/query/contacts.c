// SPDX-License-Identifier: MIT
// Contact geometry: for every touching triangle pair its points, in an order that depends on the points alone: a segment starts at the
// lexicographically smaller end, a polygon at its smallest corner and goes on towards the smaller neighbour.
#include "geometry/triangle_pair.h"
#include "query/result.h"
#include "space/triangles.h"

// A point of a contact with what meets there.
typedef struct grz_corner_of_contact {
    grz_point point;
    grz_node_key key;
} grz_corner_of_contact;

static int compare_points(const grz_point *p, const grz_point *q)
{
    for (int i = 0; i < 3; i++)
        if (p->at[i] != q->at[i])
            return p->at[i] < q->at[i] ? -1 : 1;
    return 0;
}

// Compare two ways round the corners: from `first` by steps of `step`, modulo their number.
static int compare_turns(const grz_corner_of_contact *corners, uint32_t count, const uint32_t first[2], const uint32_t step[2])
{
    for (uint32_t i = 0; i < count; i++) {
        const int order =
            compare_points(&corners[(first[0] + i * step[0]) % count].point, &corners[(first[1] + i * step[1]) % count].point);
        if (order != 0)
            return order;
    }
    return 0;
}

// Copy the corners to `out` in canonical order: the smallest of all ways round. Corners may lie at the same rounded place, so it is not
// enough to look for the smallest corner.
static void canonical_order(const grz_corner_of_contact *corners, uint32_t count, grz_corner_of_contact *out)
{
    uint32_t first[2] = {0, 0}, step[2] = {1, 1}; // the best so far, and the one tried
    for (first[1] = 0; first[1] < count; first[1]++) {
        const uint32_t back = count - 1;
        for (int way = 0; way < 2; way++) {
            step[1] = way == 0 ? 1 : back;
            if (compare_turns(corners, count, first, step) > 0) {
                first[0] = first[1];
                step[0] = step[1];
            }
        }
    }
    for (uint32_t i = 0; i < count; i++)
        out[i] = corners[(first[0] + i * step[0]) % count];
}

static void feature_key(const grz_mesh *mesh, uint32_t triangle, uint8_t feature, uint32_t half[2])
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    if (feature <= GRZ_CORNER_2) {
        half[0] = grz_mesh_identity(mesh, vertex[feature]);
        half[1] = GRZ_KEY_CORNER;
    } else if (feature <= GRZ_EDGE_2) {
        const uint32_t i = (uint32_t)(feature - GRZ_EDGE_0);
        const uint32_t p = grz_mesh_identity(mesh, vertex[i]), q = grz_mesh_identity(mesh, vertex[(i + 1) % 3]);
        half[0] = p < q ? p : q;
        half[1] = p < q ? q : p;
    } else {
        half[0] = triangle;
        half[1] = GRZ_KEY_FACE;
    }
}

static grz_node_key node_key(const grz_object *a, const grz_object *b, const grz_found *found, grz_node node)
{
    grz_node_key key = {0};
    feature_key(a->mesh, found->triangle_a, node.a, key.half[0]);
    feature_key(b != NULL ? b->mesh : a->mesh, found->triangle_b, node.b, key.half[1]);
    const uint32_t *low = key.half[0], *high = key.half[1];
    if (b == NULL && (low[0] > high[0] || (low[0] == high[0] && low[1] > high[1])))
        return (grz_node_key){{{high[0], high[1]}, {low[0], low[1]}}};
    return key;
}

// The corners of one pair's contact, in world coordinates. For self they are found in mesh coordinates and moved.
static grz_kind contact_corners(const grz_object *a, const grz_object *b, const grz_found *found, grz_corner_of_contact *out,
                                uint32_t *count)
{
    double corners_a[3][3], corners_b[3][3];
    grz_intersection intersection;
    const grz_object *second = b != NULL ? b : a;
    grz_world_corners(a->mesh, b != NULL ? &a->pose : NULL, found->triangle_a, corners_a);
    grz_world_corners(second->mesh, b != NULL ? &b->pose : NULL, found->triangle_b, corners_b);
    const double(*ca)[3] = (const double(*)[3])corners_a, (*cb)[3] = (const double(*)[3])corners_b;
    grz_triangles_intersect(ca, cb, &intersection);
    for (uint32_t i = 0; i < intersection.node_count; i++) {
        double *at = out[i].point.at;
        grz_node_position(ca, cb, intersection.nodes[i], at);
        out[i].key = node_key(a, b, found, intersection.nodes[i]);
        if (b == NULL) {
            double world[3];
            grz_world_position(&a->pose, at, world);
            for (int k = 0; k < 3; k++)
                at[k] = world[k] + 0.0; // -0 becomes +0
        }
    }
    *count = intersection.node_count;
    return intersection.kind;
}

static bool add_contact(grz_result *result, size_t pair, grz_kind kind, const grz_corner_of_contact *corners, uint32_t count,
                        bool keys)
{
    const grz_allocator *allocator = result->allocator;
    const size_t end = result->points.count + count;
    if (!grz_array_add(allocator, &result->contacts) || !grz_array_reserve(allocator, &result->points, end) ||
        !grz_array_reserve(allocator, &result->features, end))
        return false;
    if (keys && !grz_array_reserve(allocator, &result->keys, end))
        return false;
    result->contacts.items[result->contacts.count - 1] =
        (grz_contact){.pair = pair, .first_point = result->points.count, .point_count = count, .kind = kind};
    for (uint32_t i = 0; i < count; i++) {
        result->points.items[result->points.count++] = corners[i].point;
        result->features.items[result->features.count++] = (grz_features){0};
        if (keys)
            result->keys.items[result->keys.count++] = corners[i].key;
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

grz_status grz_result_build_contacts(grz_result *result, const grz_found_range *range, bool keys, grz_control *control,
                                     grz_verdict *verdict)
{
    grz_box region = grz_box_empty();
    size_t pair = verdict->first_pair;
    verdict->first_contact = result->contacts.count;
    for (size_t i = range->first; i < range->end; i++) {
        const grz_found *found = &result->found.items[i];
        if (grz_control_expired_at(control, i, 10))
            return grz_control_status(control);
        while (result->pairs.items[pair].face_a != found->face_a || result->pairs.items[pair].face_b != found->face_b)
            pair++;
        grz_corner_of_contact raw[GRZ_MAX_NODES], ordered[GRZ_MAX_NODES];
        uint32_t count = 0;
        const grz_kind kind = contact_corners(range->job->a, range->job->b, found, raw, &count);
        canonical_order(raw, count, ordered);
        if (!add_contact(result, pair, kind, ordered, count, keys))
            return GRZ_ERROR_MEMORY;
        for (uint32_t k = 0; k < count; k++)
            grz_box_add_point(&region, ordered[k].point.at);
    }
    verdict->contact_count = result->contacts.count - verdict->first_contact;
    if (verdict->contact_count > 0)
        widen_region(&result->summary, &region);
    return GRZ_OK;
}
