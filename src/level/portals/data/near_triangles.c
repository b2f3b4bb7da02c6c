// SPDX-License-Identifier: MIT
// Walks the tree of a mesh for the triangles near a place.
#include "level/portals/data/near_triangles.h"

#include "mesh/triangles.h"

bool grz_near_visit(const grz_mesh *mesh, const grz_bvh *bvh, const grz_box *box, grz_near_visitor *visit,
                    void *context)
{
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1;
    stack[0] = 0;
    while (depth > 0) {
        const uint32_t node = stack[--depth];
        for (int i = 0; i < GRZ_BVH_WIDTH && bvh->nodes[node].child[i] != GRZ_BVH_NONE; i++) {
            const uint32_t child = bvh->nodes[node].child[i];
            if (!grz_bvh_is_triangle(child)) {
                const grz_box bounds = grz_bvh_child_box(bvh, node, i);
                if (grz_boxes_overlap(&bounds, box))
                    stack[depth++] = child;
                continue;
            }
            double corners[3][3];
            grz_mesh_corners(mesh, grz_bvh_triangle(child), corners);
            const grz_box bounds = grz_triangle_box((const double(*)[3])corners);
            if (grz_boxes_overlap(&bounds, box) && !visit(context, grz_bvh_triangle(child)))
                return false;
        }
    }
    return true;
}
