// SPDX-License-Identifier: MIT
// Walks a level's BSP tree down to the cells that a box meets. The signs of its corners are exact. What lies in a plane
// is on both of its sides: so no cell is missed, not even one that the box only touches.
#include "geometry/exact/predicates.h"
#include "level/portals/bsp/bsp_cells.h"

// Bit 0: the box has points below the plane or in it; bit 1: above it or in it.
static unsigned sides_of(const grz_bsp_node *node, const grz_box *box, bool is_point)
{
    unsigned sides = 0;
    for (int i = 0; i < (is_point ? 1 : 8) && sides != 3; i++) {
        const double corner[3] = {(i & 1) != 0 ? box->max[0] : box->min[0], (i & 2) != 0 ? box->max[1] : box->min[1],
                                  (i & 4) != 0 ? box->max[2] : box->min[2]};
        const int sign = grz_orient3d(node->at[0], node->at[1], node->at[2], corner);
        sides |= (sign <= 0 ? 1u : 0u) | (sign >= 0 ? 2u : 0u);
    }
    return sides;
}

static bool is_outside(const grz_box *room, const grz_box *box)
{
    for (int k = 0; k < 3; k++)
        if (box->min[k] <= room->min[k] || box->max[k] >= room->max[k])
            return true;
    return false;
}

bool grz_bsp_visit(const grz_portals *level, const grz_box *box, grz_bsp_visitor *visit, void *context)
{
    uint32_t stack[GRZ_BSP_MOST_LEVELS + 2];
    size_t depth = 0;
    const bool is_point = box->min[0] == box->max[0] && box->min[1] == box->max[1] && box->min[2] == box->max[2];
    if (is_outside(&level->box, box) && !visit(context, GRZ_PORTALS_OUTSIDE))
        return false;
    if (grz_boxes_overlap(&level->box, box))
        stack[depth++] = 0;
    while (depth > 0) {
        const grz_bsp_node *node = &level->nodes.items[stack[--depth]];
        if (node->children == 0) {
            if (grz_boxes_overlap(&level->cells[node->cell].box, box) && !visit(context, node->cell))
                return false;
            continue;
        }
        const unsigned sides = sides_of(node, box, is_point);
        if ((sides & 2u) != 0)
            stack[depth++] = node->children + 1;
        if ((sides & 1u) != 0)
            stack[depth++] = node->children;
    }
    return true;
}
