// SPDX-License-Identifier: MIT
// Changes of the dynamic AABB tree: an object that moves stays in its leaf if the leaf's box still contains it, or
// grows by little; else it goes up to the first node that contains it and down again to where the boxes grow least. A
// full node is split in two along the axis on which its children lie farthest apart; an empty one is freed.
// Sources: A. Guttman, "R-Trees: A Dynamic Index Structure for Spatial Searching" (1984); T. Lee, S. Lee, "OMT"
// (2003), for moving within the neighbourhood.
#include <assert.h>
#include <float.h>
#include <string.h>

#include "space/pairs/tree.h"

static const uint32_t NONE = (uint32_t)GRZ_PAIRS_NONE;

static bool same_box(const grz_pairs_box *a, const grz_pairs_box *b)
{
    bool same = true;
    for (int axis = 0; axis < 3; axis++)
        same = same & (a->low[axis] == b->low[axis]) & (a->high[axis] == b->high[axis]);
    return same;
}

static bool contains(const grz_pairs_box *outer, const grz_pairs_box *box)
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++)
        inside = inside & (outer->low[axis] <= box->low[axis]) & (box->high[axis] <= outer->high[axis]);
    return inside;
}

static uint32_t lane_of(const grz_tree *tree, uint32_t parent, uint32_t child)
{
    const grz_tree_node *node = &tree->nodes.items[parent];
    uint32_t lane = 0;
    while (node->child[lane] != child) {
        lane++;
        assert(lane < node->count);
    }
    return lane;
}

// Fit the boxes of a node and its ancestors in their parents, until one has not changed.
static void fit_upwards(grz_tree *tree, uint32_t node)
{
    for (uint32_t parent = tree->nodes.items[node].parent; parent != NONE;
         node = parent, parent = tree->nodes.items[node].parent) {
        const uint32_t lane = lane_of(tree, parent, node);
        const grz_pairs_box before = grz_tree_lane(&tree->nodes.items[parent], lane),
                            now = grz_tree_node_box(&tree->nodes.items[node]);
        if (same_box(&before, &now))
            return;
        grz_tree_set_lane(&tree->nodes.items[parent], lane, &now);
    }
}

static void put_child(grz_tree *tree, uint32_t at, uint32_t child, const grz_pairs_box *box)
{
    grz_tree_node *node = &tree->nodes.items[at];
    assert(node->count < GRZ_TREE_WIDTH);
    const uint32_t lane = node->count++;
    node->child[lane] = child;
    grz_tree_set_lane(node, lane, box);
    if (node->height > 0)
        tree->nodes.items[child].parent = at;
    else
        tree->places.items[child] = at << 3 | lane;
}

// Take out the child in a lane; the last child takes its place.
static void take_child(grz_tree *tree, uint32_t at, uint32_t lane)
{
    grz_tree_node *node = &tree->nodes.items[at];
    const uint32_t last = --node->count;
    assert(lane <= last);
    if (lane != last) {
        const grz_pairs_box box = grz_tree_lane(node, last);
        grz_tree_set_lane(node, lane, &box);
        node->child[lane] = node->child[last];
        if (node->height == 0)
            tree->places.items[node->child[lane]] = at << 3 | lane;
    }
    static const uint32_t bits = UINT32_MAX; // NaN
    grz_pairs_box none;
    for (int i = 0; i < 4; i++) {
        memcpy(&none.low[i], &bits, sizeof bits);
        memcpy(&none.high[i], &bits, sizeof bits);
    }
    grz_tree_set_lane(node, last, &none);
}

static void free_node(grz_tree *tree, uint32_t node)
{
    tree->nodes.items[node].count = 0;
    tree->nodes.items[node].parent = tree->free;
    tree->free = node;
    assert(tree->node_count > 0);
    tree->node_count--;
}

// By how much a box grows to hold another: the sum of its edges' growth. Infinite boxes grow by nothing or by
// infinity; what has no value counts as the most.
static float growth(const grz_tree_node *node, uint32_t lane, const grz_pairs_box *box)
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float low = node->low[axis][lane] - box->low[axis], high = box->high[axis] - node->high[axis][lane];
        sum += (low > 0.0f ? low : 0.0f) + (high > 0.0f ? high : 0.0f);
    }
    return sum >= 0.0f ? sum : FLT_MAX;
}

static float extent(const grz_tree_node *node, uint32_t lane)
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; axis++)
        sum += node->high[axis][lane] - node->low[axis][lane];
    return sum >= 0.0f ? sum : FLT_MAX;
}

// From a node down to the leaf where the boxes grow least; of equals, the smallest box.
static uint32_t choose_leaf(const grz_tree *tree, uint32_t at, const grz_pairs_box *box)
{
    while (tree->nodes.items[at].height > 0) {
        const grz_tree_node *node = &tree->nodes.items[at];
        uint32_t best = 0;
        float least = growth(node, 0, box);
        for (uint32_t lane = 1; lane < node->count; lane++) {
            const float more = growth(node, lane, box);
            if (more < least || (!(more > least) && extent(node, lane) < extent(node, best))) {
                least = more;
                best = lane;
            }
        }
        at = node->child[best];
    }
    return at;
}

typedef struct children {
    uint32_t child[GRZ_TREE_WIDTH + 1];
    grz_pairs_box box[GRZ_TREE_WIDTH + 1];
} children;

// The axis along which the centres of children lie farthest apart.
static int widest_axis(const children *all)
{
    int best = 0;
    float most = -1.0f;
    for (int axis = 0; axis < 3; axis++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (int i = 0; i <= GRZ_TREE_WIDTH; i++) {
            const float at = 0.5f * all->box[i].low[axis] + 0.5f * all->box[i].high[axis];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high - low > most) {
            most = high - low;
            best = axis;
        }
    }
    return best;
}

static void sort_children(children *all, int axis)
{
    for (int i = 1; i <= GRZ_TREE_WIDTH; i++)
        for (int j = i; j > 0 && all->box[j].low[axis] * 0.5f + all->box[j].high[axis] * 0.5f <
                                     all->box[j - 1].low[axis] * 0.5f + all->box[j - 1].high[axis] * 0.5f;
             j--) {
            const grz_pairs_box box = all->box[j];
            const uint32_t child = all->child[j];
            all->box[j] = all->box[j - 1];
            all->child[j] = all->child[j - 1];
            all->box[j - 1] = box;
            all->child[j - 1] = child;
        }
}

// Put a child into a node; where that is full, split it, and put the new node into its parent in the same way. There is
// room for as many nodes as that can take.
static void add_child(grz_tree *tree, uint32_t at, uint32_t child, const grz_pairs_box *added)
{
    grz_pairs_box box = *added;
    while (tree->nodes.items[at].count == GRZ_TREE_WIDTH) {
        children all;
        for (uint32_t lane = 0; lane < GRZ_TREE_WIDTH; lane++) {
            all.child[lane] = tree->nodes.items[at].child[lane];
            all.box[lane] = grz_tree_lane(&tree->nodes.items[at], lane);
        }
        all.child[GRZ_TREE_WIDTH] = child;
        all.box[GRZ_TREE_WIDTH] = box;
        sort_children(&all, widest_axis(&all));
        const uint32_t height = tree->nodes.items[at].height, parent = tree->nodes.items[at].parent;
        while (tree->nodes.items[at].count > 0)
            take_child(tree, at, tree->nodes.items[at].count - 1);
        const uint32_t half = grz_tree_new_node(tree, height);
        for (int i = 0; i <= GRZ_TREE_WIDTH; i++)
            put_child(tree, i <= GRZ_TREE_WIDTH / 2 ? at : half, all.child[i], &all.box[i]);
        child = half;
        box = grz_tree_node_box(&tree->nodes.items[half]);
        if (parent == NONE) { // a new root
            const grz_pairs_box first = grz_tree_node_box(&tree->nodes.items[at]);
            tree->root = grz_tree_new_node(tree, height + 1);
            put_child(tree, tree->root, at, &first);
            at = tree->root;
            break;
        }
        fit_upwards(tree, at);
        at = parent;
    }
    put_child(tree, at, child, &box);
    fit_upwards(tree, at);
}

static bool insert(grz_tree *tree, const grz_pairs_tools *tools, uint32_t from, uint32_t id, const grz_pairs_box *box)
{
    if (!grz_array_reserve(tools->allocator, &tree->nodes, tree->nodes.count + GRZ_TREE_MAX_HEIGHT + 1))
        return false;
    if (tree->root == NONE) {
        tree->root = grz_tree_new_node(tree, 0);
        from = tree->root;
    }
    add_child(tree, choose_leaf(tree, from, box), id, box);
    tree->live++;
    return true;
}

// Take an object out, and nodes that are empty then. Returns the lowest node left above it; GRZ_PAIRS_NONE: the tree
// is empty.
static uint32_t take_out(grz_tree *tree, uint32_t id)
{
    uint32_t at = tree->places.items[id] >> 3, lane = tree->places.items[id] & 7u;
    tree->places.items[id] = NONE;
    tree->live--;
    for (;;) {
        take_child(tree, at, lane);
        if (tree->nodes.items[at].count > 0)
            break;
        const uint32_t parent = tree->nodes.items[at].parent;
        if (parent != NONE)
            lane = lane_of(tree, parent, at);
        free_node(tree, at);
        at = parent;
        if (at == NONE) {
            tree->root = NONE;
            return NONE;
        }
    }
    fit_upwards(tree, at);
    while (tree->nodes.items[tree->root].height > 0 && tree->nodes.items[tree->root].count == 1) {
        const uint32_t old = tree->root;
        tree->root = tree->nodes.items[old].child[0];
        tree->nodes.items[tree->root].parent = NONE;
        free_node(tree, old);
        at = at == old ? tree->root : at;
    }
    return at;
}

bool grz_tree_set(void *state, const grz_pairs_tools *tools, uint32_t id, const grz_pairs_box *box)
{
    grz_tree *tree = state;
    tree->changes++;
    const uint32_t place = tree->places.items[id];
    if (place == NONE)
        return insert(tree, tools, tree->root, id, box);
    const uint32_t leaf = place >> 3, lane = place & 7u, parent = tree->nodes.items[leaf].parent;
    grz_tree_node *node = &tree->nodes.items[leaf];
    bool stays = parent == NONE;
    if (!stays) {
        const grz_pairs_box around = grz_tree_lane(&tree->nodes.items[parent], lane_of(tree, parent, leaf));
        stays = contains(&around, box);
    }
    if (stays) {
        grz_tree_set_lane(node, lane, box);
        fit_upwards(tree, leaf);
        return true;
    }
    uint32_t from = take_out(tree, id);
    while (from != NONE && tree->nodes.items[from].parent != NONE) {
        const uint32_t above = tree->nodes.items[from].parent;
        const grz_pairs_box around = grz_tree_lane(&tree->nodes.items[above], lane_of(tree, above, from));
        if (contains(&around, box))
            break;
        from = above;
    }
    return insert(tree, tools, from, id, box);
}

void grz_tree_remove(void *state, uint32_t id)
{
    grz_tree *tree = state;
    tree->changes++;
    if (tree->places.items[id] != NONE)
        (void)take_out(tree, id);
}
