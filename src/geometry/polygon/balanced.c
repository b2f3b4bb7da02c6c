// SPDX-License-Identifier: MIT
// A balanced binary tree with links to parents. Source: J. Nievergelt, E. Reingold, Binary search trees of bounded
// balance (1973); Y. Hirai, K. Yamamoto, Balancing weight-balanced trees (2011), whose factors 3 and 2 are proven to
// keep the balance. The weight of a subtree is its size plus one. No child weighs more than three times as much as the
// other one, so at most 3/4 of its parent: hence the height.
#include "geometry/polygon/balanced.h"

#include <assert.h>

static uint64_t weight_of(const grz_balanced_node *nodes, uint32_t node)
{
    return (uint64_t)grz_balanced_size(nodes, node) + 1;
}

static void measure(grz_balanced_node *nodes, uint32_t node)
{
    nodes[node].size =
        1 + grz_balanced_size(nodes, nodes[node].child[0]) + grz_balanced_size(nodes, nodes[node].child[1]);
}

// Let `other` take the place of `old` below the parent of `old`. `other` may be GRZ_NO_NODE.
static void replace(grz_balanced_node *nodes, uint32_t *root, uint32_t old, uint32_t other)
{
    const uint32_t above = nodes[old].parent;
    if (above == GRZ_NO_NODE)
        *root = other;
    else
        nodes[above].child[nodes[above].child[1] == old] = other;
    if (other != GRZ_NO_NODE)
        nodes[other].parent = above;
}

static void adopt(grz_balanced_node *nodes, uint32_t above, int side, uint32_t below)
{
    nodes[above].child[side] = below;
    if (below != GRZ_NO_NODE)
        nodes[below].parent = above;
}

// A node takes the place of its parent, which becomes its child.
static void rotate_up(grz_balanced_node *nodes, uint32_t *root, uint32_t node)
{
    const uint32_t parent = nodes[node].parent;
    const int side = nodes[parent].child[1] == node;
    const uint32_t inner = nodes[node].child[!side];
    replace(nodes, root, parent, node);
    adopt(nodes, parent, side, inner);
    adopt(nodes, node, !side, parent);
    measure(nodes, parent);
    measure(nodes, node);
}

// Repair the sizes and the balance from a node whose children have changed up to the root.
static void balance(grz_balanced_node *nodes, uint32_t *root, uint32_t node)
{
    while (node != GRZ_NO_NODE) {
        const uint64_t before = weight_of(nodes, nodes[node].child[0]), after = weight_of(nodes, nodes[node].child[1]);
        measure(nodes, node);
        if (before > 3 * after || after > 3 * before) {
            const int heavy = after > before;
            uint32_t child = nodes[node].child[heavy];
            if (weight_of(nodes, nodes[child].child[!heavy]) >= 2 * weight_of(nodes, nodes[child].child[heavy])) {
                child = nodes[child].child[!heavy];
                rotate_up(nodes, root, child);
            }
            rotate_up(nodes, root, child);
            node = child;
        }
        node = nodes[node].parent;
    }
}

void grz_balanced_insert(grz_balanced_node *nodes, uint32_t *root, uint32_t node, uint32_t parent, int side)
{
    nodes[node] = (grz_balanced_node){parent, {GRZ_NO_NODE, GRZ_NO_NODE}, 1};
    if (parent == GRZ_NO_NODE) {
        assert(*root == GRZ_NO_NODE);
        *root = node;
        return;
    }
    assert(nodes[parent].child[side] == GRZ_NO_NODE);
    nodes[parent].child[side] = node;
    balance(nodes, root, parent);
}

void grz_balanced_remove(grz_balanced_node *nodes, uint32_t *root, uint32_t node)
{
    const uint32_t before = nodes[node].child[0], after = nodes[node].child[1];
    uint32_t changed = nodes[node].parent;
    if (before == GRZ_NO_NODE || after == GRZ_NO_NODE) {
        replace(nodes, root, node, before == GRZ_NO_NODE ? after : before);
    } else {
        // The node after it, which has no child before it, takes its place.
        const uint32_t heir = grz_balanced_end(nodes, after, 0);
        changed = heir;
        if (heir != after) {
            changed = nodes[heir].parent;
            replace(nodes, root, heir, nodes[heir].child[1]);
            adopt(nodes, heir, 1, after);
        }
        adopt(nodes, heir, 0, before);
        replace(nodes, root, node, heir);
    }
    balance(nodes, root, changed);
}

uint32_t grz_balanced_end(const grz_balanced_node *nodes, uint32_t root, int side)
{
    uint32_t node = root;
    while (node != GRZ_NO_NODE && nodes[node].child[side] != GRZ_NO_NODE)
        node = nodes[node].child[side];
    return node;
}

uint32_t grz_balanced_neighbour(const grz_balanced_node *nodes, uint32_t node, int side)
{
    if (nodes[node].child[side] != GRZ_NO_NODE)
        return grz_balanced_end(nodes, nodes[node].child[side], !side);
    uint32_t parent = nodes[node].parent;
    while (parent != GRZ_NO_NODE && nodes[parent].child[side] == node) {
        node = parent;
        parent = nodes[node].parent;
    }
    return parent;
}

uint32_t grz_balanced_at(const grz_balanced_node *nodes, uint32_t root, uint32_t rank)
{
    uint32_t node = root;
    assert(rank < grz_balanced_size(nodes, root));
    for (;;) {
        const uint32_t before = grz_balanced_size(nodes, nodes[node].child[0]);
        if (rank == before)
            return node;
        node = nodes[node].child[rank > before];
        rank -= rank > before ? before + 1 : 0;
    }
}
