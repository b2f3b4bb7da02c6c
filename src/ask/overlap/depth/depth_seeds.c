// SPDX-License-Identifier: MIT
// Where a solid lies deep in another one, a point that is s below a face has r = s, and the other one reaches farther:
// a little more than half the depth is enough. Thin profiles of which each fills the other are found so, and have cells
// all along them that promise the same. Every other point is farther below, so that the answer tells of depths that are
// much larger than asked. Nothing is proved here: points are measured.
#include "ask/overlap/depth/depth_seeds.h"

#include "ask/overlap/depth/clipped.h"
#include "mesh/triangles.h"

enum {
    MOST_TRIANGLES = 1024, // of a mesh that are looked at
    MOST_OF_A_SIDE = (GRZ_MOST_SEEDS - 1) / 2
};

static const double SHARE = 0.5 + 0x1p-6, // of the depth: how far below a face
    FAR = 0.25;                           // of the shortest side of the common box, likewise

// The point below the middle of what a triangle has in the box. False: there is none.
static bool seed_below(const grz_object *object, uint32_t triangle, const grz_box *box, double way, double seed[3])
{
    double corners[3][3], edges[2][3], normal[3];
    grz_clipped part;
    grz_world_corners(object->mesh, &object->pose, triangle, corners);
    grz_clipped_set(&part, (const double(*)[3])corners, box);
    for (int k = 0; k < 3; k++) {
        edges[0][k] = corners[1][k] - corners[0][k];
        edges[1][k] = corners[2][k] - corners[0][k];
    }
    grz_cross(edges[0], edges[1], normal);
    if (part.count < 3 || !grz_make_unit(normal))
        return false;
    grz_clipped_middle(&part, seed);
    for (int k = 0; k < 3; k++)
        seed[k] -= way * normal[k];
    return true;
}

// List triangles whose boxes overlap a box, the first ones in the tree. Returns how many.
static size_t list_triangles(const grz_depth_side *side, const grz_box *box, uint32_t *triangles)
{
    const grz_bvh *bvh = side->solid.bvh;
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1, count = 0;
    stack[0] = 0;
    while (depth > 0 && count < MOST_TRIANGLES) {
        const uint32_t number = stack[--depth];
        const grz_bvh_node *node = &bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE && count < MOST_TRIANGLES; i++) {
            grz_box child = grz_bvh_child_box(bvh, number, i);
            child = grz_world_box(&side->object->pose, &child);
            if (!grz_boxes_overlap(&child, box))
                continue;
            if (grz_bvh_is_triangle(node->child[i]))
                triangles[count++] = grz_bvh_triangle(node->child[i]);
            else
                stack[depth++] = node->child[i];
        }
    }
    return count;
}

size_t grz_depth_seeds_list(const grz_depth_side sides[2], double depth, double seeds[GRZ_MOST_SEEDS][3])
{
    const grz_box common = grz_box_intersection(&sides[0].box, &sides[1].box);
    uint32_t triangles[MOST_TRIANGLES];
    size_t count = 1;
    double ways[2] = {SHARE * depth, HUGE_VAL};
    for (int k = 0; k < 3; k++)
        seeds[0][k] = 0.5 * common.min[k] + 0.5 * common.max[k];
    for (int k = 0; k < 3; k++)
        ways[1] = fmin(ways[1], FAR * (common.max[k] - common.min[k]));
    ways[1] = fmax(ways[0], ways[1]);
    for (int side = 0; side < 2; side++) {
        const size_t found = list_triangles(&sides[side], &common, triangles),
                     step = (found + MOST_OF_A_SIDE - 1) / MOST_OF_A_SIDE;
        for (size_t i = 0; i < found; i += step)
            count += seed_below(sides[side].object, triangles[i], &common, ways[i / step % 2], seeds[count]);
    }
    return count;
}
