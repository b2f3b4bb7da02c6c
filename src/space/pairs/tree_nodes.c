// SPDX-License-Identifier: MIT
// Nodes of the dynamic AABB tree: boxes in their lanes, and new nodes.
#include "space/pairs/tree.h"

#include <assert.h>
#include <string.h>

void grz_tree_set_lane(grz_tree_node *node, uint32_t lane, const grz_pairs_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->low[axis][lane] = box->low[axis];
        node->high[axis][lane] = box->high[axis];
    }
}

grz_pairs_box grz_tree_lane(const grz_tree_node *node, uint32_t lane)
{
    return (grz_pairs_box){{node->low[0][lane], node->low[1][lane], node->low[2][lane], -1.0f},
                           {node->high[0][lane], node->high[1][lane], node->high[2][lane], 1.0f}};
}

grz_pairs_box grz_tree_node_box(const grz_tree_node *node)
{
    grz_pairs_box box = grz_tree_lane(node, 0);
    assert(node->count > 0);
    for (uint32_t lane = 1; lane < node->count; lane++)
        for (int axis = 0; axis < 3; axis++) {
            box.low[axis] = node->low[axis][lane] < box.low[axis] ? node->low[axis][lane] : box.low[axis];
            box.high[axis] = node->high[axis][lane] > box.high[axis] ? node->high[axis][lane] : box.high[axis];
        }
    return box;
}

uint32_t grz_tree_new_node(grz_tree *tree, uint32_t height)
{
    uint32_t made = tree->free;
    if (made != (uint32_t)GRZ_PAIRS_NONE)
        tree->free = tree->nodes.items[made].parent;
    else
        made = (uint32_t)tree->nodes.count++;
    assert(tree->nodes.count <= tree->nodes.capacity);
    grz_tree_node *node = &tree->nodes.items[made];
    memset(node->low, 0xff, sizeof node->low); // NaN
    memset(node->high, 0xff, sizeof node->high);
    node->parent = (uint32_t)GRZ_PAIRS_NONE;
    node->count = 0;
    node->height = height;
    tree->node_count++;
    return made;
}
