// SPDX-License-Identifier: MIT
// No triangle of A, moved, may come near one of B in the box: then each connected part of a surface in the box lies
// inside the other solid as a whole, or outside, and one of its points tells. If all lie outside, and there are any,
// there is no common inner point: such a region would be bounded by some of them. docs/use/overlap.md has the proof.
#include "ask/overlap/depth/parted.h"

#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "geometry/pose.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8
};

// One test. All boxes and positions are scaled.
typedef struct test {
    grz_parted *parted;
    grz_box inner, outer; // the box, grown by one and by two margins
    double t[3];
    bool touching;
} test;

void grz_parted_finish(grz_parted *parted)
{
    const grz_allocator *allocator = grz_control_allocator(parted->control);
    grz_array_finish(allocator, &parted->stack);
    grz_array_finish(allocator, &parted->nodes);
    grz_array_finish(allocator, &parted->polygons);
    grz_array_finish(allocator, &parted->corners);
}

static grz_box grown(const grz_box *box, double by)
{
    grz_box result;
    for (int k = 0; k < 3; k++) {
        result.min[k] = box->min[k] - by;
        result.max[k] = box->max[k] + by;
    }
    return result;
}

// Corners of a triangle, scaled; A's are moved.
static void corners_of(const test *s, int side, uint32_t triangle, double corners[3][3])
{
    const grz_object *object = s->parted->sides[side].object;
    grz_world_corners(object->mesh, &object->pose, triangle, corners);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = corners[i][k] * s->parted->scale + (side == 0 ? s->t[k] : 0.0);
}

static grz_box box_of(const test *s, int side, uint32_t node, int child)
{
    const grz_depth_side *one = &s->parted->sides[side];
    const grz_bvh_node *n = &one->solid.bvh->nodes[node];
    grz_box box;
    if (grz_bvh_is_triangle(n->child[child])) {
        double corners[3][3];
        corners_of(s, side, grz_bvh_triangle(n->child[child]), corners);
        return grz_triangle_box((const double(*)[3])corners);
    }
    box = grz_bvh_child_box(one->solid.bvh, node, child);
    box = grz_world_box(&one->object->pose, &box);
    for (int k = 0; k < 3; k++) {
        box.min[k] = box.min[k] * s->parted->scale + (side == 0 ? s->t[k] : 0.0);
        box.max[k] = box.max[k] * s->parted->scale + (side == 0 ? s->t[k] : 0.0);
    }
    return box;
}

// ---- Triangles that touch -----------------------------------------------------------------------------------------

static bool are_apart(const test *s, uint32_t triangle_a, uint32_t triangle_b)
{
    double a[3][3], b[3][3];
    grz_clipped p, q;
    corners_of(s, 0, triangle_a, a);
    corners_of(s, 1, triangle_b, b);
    grz_clipped_set(&p, (const double(*)[3])a, &s->outer);
    if (p.count == 0)
        return true;
    grz_clipped_set(&q, (const double(*)[3])b, &s->outer);
    return grz_clipped_apart(&p, (const double(*)[3])a, &q, (const double(*)[3])b);
}

static void note_witness(grz_parted *parted, uint32_t triangle_a, uint32_t triangle_b)
{
    uint32_t at = parted->witness_count < GRZ_PARTED_WITNESSES ? parted->witness_count++ : GRZ_PARTED_WITNESSES - 1;
    for (; at > 0; at--)
        memcpy(parted->witnesses[at], parted->witnesses[at - 1], sizeof parted->witnesses[at]);
    parted->witnesses[0][0] = triangle_a;
    parted->witnesses[0][1] = triangle_b;
}

static bool push(grz_parted *parted, uint32_t a, uint32_t b)
{
    if (!grz_array_add(grz_control_allocator(parted->control), &parted->stack)) {
        parted->no_memory = true;
        return false;
    }
    parted->stack.items[parted->stack.count - 1] = (grz_parted_pair){a, b};
    return true;
}

// The children of a node, or a triangle by itself, that come into the box.
typedef struct family {
    int count;
    uint32_t members[GRZ_BVH_WIDTH];
    grz_box boxes[GRZ_BVH_WIDTH];
} family;

static void list_family(const test *s, int side, uint32_t entry, family *list)
{
    list->count = 0;
    if (grz_bvh_is_triangle(entry)) {
        double corners[3][3];
        corners_of(s, side, grz_bvh_triangle(entry), corners);
        list->members[0] = entry;
        list->boxes[0] = grz_triangle_box((const double(*)[3])corners);
        list->count = 1;
        return;
    }
    const grz_bvh_node *node = &s->parted->sides[side].solid.bvh->nodes[entry];
    for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
        const grz_box box = box_of(s, side, entry, i);
        if (!grz_boxes_overlap(&box, &s->outer))
            continue;
        list->members[list->count] = node->child[i];
        list->boxes[list->count++] = grown(&box, GRZ_CLIPPED_MARGIN);
    }
}

static bool look_at_pair(test *s, uint32_t a, uint32_t b)
{
    if (!grz_bvh_is_triangle(a) || !grz_bvh_is_triangle(b))
        return push(s->parted, a, b);
    s->parted->compared++;
    if (!are_apart(s, grz_bvh_triangle(a), grz_bvh_triangle(b))) {
        s->touching = true;
        note_witness(s->parted, grz_bvh_triangle(a), grz_bvh_triangle(b));
    }
    return true;
}

static bool find_touching(test *s)
{
    grz_parted *parted = s->parted;
    size_t steps = 0;
    for (uint32_t i = 0; i < parted->witness_count && !s->touching; i++)
        s->touching = !are_apart(s, parted->witnesses[i][0], parted->witnesses[i][1]);
    parted->stack.count = 0;
    if (!s->touching && !push(parted, 0, 0))
        return false;
    while (parted->stack.count > 0 && !s->touching) {
        const grz_parted_pair pair = parted->stack.items[--parted->stack.count];
        family of_a, of_b;
        if (grz_control_expired_at(parted->control, ++steps, CHECK_BITS))
            return false;
        list_family(s, 0, pair.a, &of_a);
        if (of_a.count > 0)
            list_family(s, 1, pair.b, &of_b);
        for (int i = 0; i < of_a.count && !s->touching; i++)
            for (int j = 0; j < of_b.count && !s->touching; j++)
                if (grz_boxes_overlap(&of_a.boxes[i], &of_b.boxes[j]) &&
                    !look_at_pair(s, of_a.members[i], of_b.members[j]))
                    return false;
    }
    return true;
}

// ---- Parts of surfaces --------------------------------------------------------------------------------------------

static bool add_polygon(test *s, int side, uint32_t triangle)
{
    grz_parted *parted = s->parted;
    const grz_allocator *allocator = grz_control_allocator(parted->control);
    const uint32_t *vertices = parted->sides[side].object->mesh->triangles + (size_t)triangle * 3;
    double corners[3][3];
    grz_clipped clipped;
    corners_of(s, side, triangle, corners);
    grz_clipped_set(&clipped, (const double(*)[3])corners, &s->inner);
    if (clipped.count == 0)
        return true;
    if (!grz_array_add(allocator, &parted->polygons))
        return false;
    const uint32_t number = (uint32_t)parted->polygons.count - 1;
    parted->polygons.items[number].group = number;
    grz_clipped_middle(&clipped, parted->polygons.items[number].middle);
    for (int i = 0; i < 3; i++) {
        if (!grz_box_contains(&s->inner, corners[i]))
            continue;
        if (!grz_array_add(allocator, &parted->corners))
            return false;
        parted->corners.items[parted->corners.count - 1] = (grz_parted_corner){vertices[i], number};
    }
    return true;
}

// The triangles of one surface in the box.
static bool list_polygons(test *s, int side)
{
    grz_parted *parted = s->parted;
    const grz_allocator *allocator = grz_control_allocator(parted->control);
    const grz_bvh *bvh = parted->sides[side].solid.bvh;
    parted->polygons.count = parted->corners.count = parted->nodes.count = 0;
    if (!grz_array_add(allocator, &parted->nodes))
        return false;
    parted->nodes.items[0] = 0;
    while (parted->nodes.count > 0) {
        const uint32_t number = parted->nodes.items[--parted->nodes.count];
        const grz_bvh_node *node = &bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            const grz_box box = box_of(s, side, number, i);
            if (!grz_boxes_overlap(&box, &s->outer))
                continue;
            if (grz_bvh_is_triangle(node->child[i])) {
                if (!add_polygon(s, side, grz_bvh_triangle(node->child[i])))
                    return false;
            } else {
                if (!grz_array_add(allocator, &parted->nodes))
                    return false;
                parted->nodes.items[parted->nodes.count - 1] = node->child[i];
            }
        }
    }
    return true;
}

static int compare_corners(const void *x, const void *y)
{
    const grz_parted_corner *one = x, *other = y;
    return (one->vertex > other->vertex) - (one->vertex < other->vertex);
}

static uint32_t group_of(grz_parted *parted, uint32_t polygon)
{
    grz_parted_polygon *items = parted->polygons.items;
    while (items[polygon].group != polygon) {
        items[polygon].group = items[items[polygon].group].group;
        polygon = items[polygon].group;
    }
    return polygon;
}

// Polygons that share a vertex in the box are connected in it.
static void group_polygons(grz_parted *parted)
{
    grz_parted_corner *corners = parted->corners.items;
    if (parted->corners.count == 0)
        return;
    qsort(corners, parted->corners.count, sizeof *corners, compare_corners);
    for (size_t i = 1; i < parted->corners.count; i++)
        if (corners[i].vertex == corners[i - 1].vertex)
            parted->polygons.items[group_of(parted, corners[i].polygon)].group =
                group_of(parted, corners[i - 1].polygon);
}

// Is a point, scaled and where A has moved to, inside a solid or on its surface?
static bool is_in(test *s, int side, const double scaled[3], bool *in)
{
    double point[3];
    grz_location location;
    for (int k = 0; k < 3; k++)
        point[k] = (scaled[k] - (side == 0 ? s->t[k] : 0.0)) * s->parted->unit;
    const bool going = grz_depth_side_locate(&s->parted->sides[side], point, &location);
    *in = location != GRZ_OUTSIDE;
    return going;
}

// Is some part of one surface in the other solid?
static bool find_part_inside(test *s, int side, bool *found)
{
    grz_parted *parted = s->parted;
    group_polygons(parted);
    for (uint32_t i = 0; i < parted->polygons.count && !*found; i++)
        if (group_of(parted, i) == i && !is_in(s, 1 - side, parted->polygons.items[i].middle, found))
            return false;
    return true;
}

static bool find_common(test *s, bool *found)
{
    bool any = false;
    for (int side = 0; side < 2 && !*found; side++) {
        if (!list_polygons(s, side)) {
            s->parted->no_memory = true;
            return false;
        }
        any = any || s->parted->polygons.count > 0;
        if (!find_part_inside(s, side, found))
            return false;
    }
    if (*found || any)
        return true;
    double middle[3];
    bool in_a, in_b;
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (s->inner.min[k] + s->inner.max[k]);
    if (!is_in(s, 0, middle, &in_a) || !is_in(s, 1, middle, &in_b))
        return false;
    *found = in_a && in_b;
    return true;
}

bool grz_parted_by(grz_parted *parted, const grz_box *cell, const double t[3], bool *parts)
{
    test s = {.parted = parted};
    grz_box box;
    bool common = false;
    for (int k = 0; k < 3; k++) {
        s.t[k] = t[k] * parted->scale;
        box.min[k] = cell->min[k] * parted->scale + (s.t[k] < 0.0 ? s.t[k] : 0.0);
        box.max[k] = cell->max[k] * parted->scale + (s.t[k] > 0.0 ? s.t[k] : 0.0);
    }
    s.inner = grown(&box, GRZ_CLIPPED_MARGIN);
    s.outer = grown(&box, 2.0 * GRZ_CLIPPED_MARGIN);
    *parts = false;
    if (!find_touching(&s))
        return false;
    if (s.touching)
        return true;
    if (!find_common(&s, &common))
        return false;
    *parts = !common;
    return true;
}
