// SPDX-License-Identifier: MIT
// Only triangles in the same plane can overlap with area, and their boxes overlap.
#include "inside/solids/lone_triangle.h"

#include <assert.h>

#include "base/control.h"
#include "geometry/exact/predicates.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8 // nodes between two checks of the control, as a power of two
};

static bool lies_over(const double one[3][3], const grz_box *box, const double other[3][3])
{
    const grz_box other_box = grz_triangle_box(other);
    if (!grz_boxes_overlap(box, &other_box))
        return false;
    for (int i = 0; i < 3; i++)
        if (grz_orient3d(one[0], one[1], one[2], other[i]) != 0)
            return false;
    grz_intersection common;
    grz_triangles_intersect(one, other, &common);
    return common.node_count >= 3;
}

bool grz_triangle_is_alone(const grz_object *object, const grz_bvh *bvh, uint32_t triangle, grz_control *control)
{
    double corners[3][3], other[3][3];
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1, steps = 0;
    stack[0] = 0;
    grz_world_corners(object->mesh, &object->pose, triangle, corners);
    if (grz_triangle_dimension((const double(*)[3])corners) < 2)
        return false;
    const grz_box box = grz_triangle_box((const double(*)[3])corners);
    while (depth > 0) {
        if (grz_control_expired_at(control, ++steps, CHECK_BITS))
            return false;
        const uint32_t number = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        const grz_bvh_node *node = &bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            if (grz_bvh_is_triangle(node->child[i])) {
                const uint32_t found = grz_bvh_triangle(node->child[i]);
                grz_world_corners(object->mesh, &object->pose, found, other);
                if (found != triangle && lies_over((const double(*)[3])corners, &box, (const double(*)[3])other))
                    return false;
                continue;
            }
            const grz_box child = grz_bvh_child_box(bvh, number, i), world = grz_world_box(&object->pose, &child);
            if (grz_boxes_overlap(&box, &world))
                stack[depth++] = node->child[i];
        }
    }
    return true;
}
