// SPDX-License-Identifier: MIT
// A plane's value is linear in the tree's coordinates, so a box lies outside if the value is below 0 at the corner
// where it is greatest. A margin covers what is rounded: boxes are floats, off by 2^-24 of their coordinates; posed
// positions are doubles, off by less than 2^-50 of what is added up for them; and the value is computed in doubles.
#include "ask/region/region_walk.h"

#include <assert.h>
#include <math.h>

#include "ask/distance/distance_frames.h"
#include "base/control.h"
#include "geometry/region/region_triangle.h"

enum {
    CHECK_BITS = 8 // nodes between two looks at the control, as a power of two
};

// Of the sum of magnitudes: eight roundings of a float (as in docs/internals/bvh.md), 128 of a double.
static const double FLOAT_ERROR = 0x1p-21, DOUBLE_ERROR = 0x1p-46;

// The value of a plane in the tree's coordinates, with the margin added.
typedef struct tree_plane {
    double normal[3], at;
} tree_plane;

static void set_plane(const grz_posed_tree *tree, const double p[4], tree_plane *plane)
{
    const double reach = tree->bvh->max_abs > 1.0 ? tree->bvh->max_abs : 1.0;
    double boxes = 0.0, doubles = fabs(p[3]);
    plane->at = p[3];
    for (int k = 0; k < 3; k++) {
        plane->normal[k] = 0.0;
        for (int i = 0; i < 3; i++)
            plane->normal[k] += p[i] * tree->linear[i][k];
        boxes += fabs(plane->normal[k]) * reach;
        plane->at += p[k] * tree->at[k];
        doubles += fabs(p[k]) * (3.0 * tree->size + fabs(tree->at[k]));
    }
    plane->at += FLOAT_ERROR * boxes + DOUBLE_ERROR * doubles + 0x1p-900; // what underflows
}

// False only if the box is certainly outside.
static bool may_meet(const tree_plane planes[GRZ_REGION_PLANES], const grz_bvh_node *node, int child)
{
    for (int i = 0; i < GRZ_REGION_PLANES; i++) {
        double value = planes[i].at;
        for (int k = 0; k < 3; k++)
            value += planes[i].normal[k] * (double)node->bounds[planes[i].normal[k] > 0.0 ? 1 : 0][k][child];
        if (value < 0.0)
            return false;
    }
    return true;
}

static bool add(grz_triangle_list *list, uint32_t triangle, grz_control *control)
{
    if (!grz_array_add(grz_control_allocator(control), list))
        return false;
    list->items[list->count - 1] = triangle;
    return true;
}

grz_status grz_region_walk(const grz_region *region, const grz_object *object, const grz_bvh *bvh, grz_control *control,
                           grz_triangle_list *list)
{
    tree_plane planes[GRZ_REGION_PLANES];
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1, steps = 0;
    grz_distance_frames frames;
    grz_distance_frames_set(&frames, bvh, object, bvh, object);
    for (int i = 0; i < GRZ_REGION_PLANES; i++)
        set_plane(&frames.trees[0], region->planes[i], &planes[i]);
    stack[0] = 0;
    while (depth > 0) {
        const grz_bvh_node *node = &bvh->nodes[stack[--depth]];
        if (grz_control_expired_at(control, ++steps, CHECK_BITS))
            return grz_control_status(control);
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            if (!may_meet(planes, node, i))
                continue;
            if (!grz_bvh_is_triangle(node->child[i]))
                stack[depth++] = node->child[i];
            else if (!add(list, grz_bvh_triangle(node->child[i]), control))
                return GRZ_ERROR_MEMORY;
        }
    }
    return GRZ_OK;
}
