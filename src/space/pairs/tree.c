// SPDX-License-Identifier: MIT
// Builds the dynamic AABB tree: objects are sorted along a Morton curve and cut into leaves of up to eight, leaves into
// nodes of up to eight, and so on. Where many objects have one key, the box around those has a curve of its own, so
// clusters of any scale are told apart. A cut is made where the curve makes its longest jump nearby.
// Sources: C. Lauterbach et al., "Fast BVH Construction on GPUs" (2009), for Morton order; A. Guttman, "R-Trees: A
// Dynamic Index Structure for Spatial Searching" (1984), for nodes with several children.
#include "space/pairs/tree.h"

#include <float.h>
#include <math.h>

#include "space/morton.h"

enum {
    KEY_BITS = 30,
    MOST_ALIKE = 16, // so many objects or more with one key get a curve of their own
    DEEPEST = 40,    // curves within each other
    LEAST_CUT = 5,   // the least children of a node, but for the last one
    AHEAD = 12       // boxes are prefetched so many objects ahead
};

static const float FARTHEST = 0x1p100f; // centres are clamped to this, so that differences are finite

static void finish(void *state, const grz_allocator *allocator)
{
    grz_tree *tree = state;
    grz_array_finish(allocator, &tree->nodes);
    grz_array_finish(allocator, &tree->places);
    grz_array_finish(allocator, &tree->keys);
    grz_array_finish(allocator, &tree->spare);
}

static bool grow(void *state, const grz_pairs_tools *tools, size_t ids_end)
{
    grz_tree *tree = state;
    if (!grz_array_reserve(tools->allocator, &tree->places, ids_end))
        return false;
    for (; tree->places.count < ids_end; tree->places.count++)
        tree->places.items[tree->places.count] = (uint32_t)GRZ_PAIRS_NONE;
    return true;
}

static float centre(const grz_pairs_box *box, int axis)
{
    const float middle = 0.5f * box->low[axis] + 0.5f * box->high[axis];
    return middle > FARTHEST ? FARTHEST : middle > -FARTHEST ? middle : middle <= -FARTHEST ? -FARTHEST : 0.0f;
}

// Sort `count` objects, numbers of key << 32 | id whose keys are not yet known, along a Morton curve in the box around
// their centres. False: the control says to end.
static bool sort_along_curve(grz_tree *tree, const grz_pairs_tools *tools, const grz_pairs_box *boxes, size_t first,
                             size_t count, int depth)
{
    uint64_t *numbers = tree->keys.items + first;
    float least[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, most[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX}, scale[3];
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const float at = centre(&boxes[(uint32_t)numbers[i]], axis);
            least[axis] = at < least[axis] ? at : least[axis];
            most[axis] = at > most[axis] ? at : most[axis];
        }
    bool alike = true;
    for (int axis = 0; axis < 3; axis++) {
        const float extent = most[axis] - least[axis];
        alike = alike && !(extent > 0.0f);
        scale[axis] = extent > 0.0f ? 1023.99f / extent : 0.0f;
        if (!(scale[axis] <= FLT_MAX)) // the extent is next to nothing
            scale[axis] = 0.0f;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = (uint32_t)numbers[i];
        uint32_t cell[3];
        for (int axis = 0; axis < 3; axis++) {
            const float at = (centre(&boxes[id], axis) - least[axis]) * scale[axis];
            cell[axis] = at < 1023.0f ? (uint32_t)at : 1023u;
        }
        numbers[i] =
            (uint64_t)(grz_morton_spread(cell[0]) | grz_morton_spread(cell[1]) << 1 | grz_morton_spread(cell[2]) << 2)
                << 32 |
            id;
    }
    if (!grz_pairs_sort(numbers, tree->spare.items + first, count, 32 + KEY_BITS, tools->control))
        return false;
    if (alike || depth >= DEEPEST)
        return true;
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && numbers[end] >> 32 == numbers[i] >> 32)
            end++;
        if (end - i >= MOST_ALIKE && end - i < count &&
            !sort_along_curve(tree, tools, boxes, first + i, end - i, depth + 1))
            return false;
        i = end;
    }
    return true;
}

// How many of the `left` next items become one node.
static size_t cut(const uint64_t *keys, size_t left)
{
    if (left <= GRZ_TREE_WIDTH)
        return left;
    size_t best = GRZ_TREE_WIDTH;
    uint64_t jump = 0;
    for (size_t size = GRZ_TREE_WIDTH; size >= LEAST_CUT; size--) {
        const uint64_t step = (keys[size - 1] ^ keys[size]) >> 32;
        // Compare the highest bits only.
        if (step > jump && (step ^ jump) > jump) {
            jump = step;
            best = size;
        }
    }
    return best;
}

static bool make_leaves(grz_tree *tree, const grz_pairs_tools *tools, const grz_pairs_box *boxes, size_t count,
                        size_t *made)
{
    uint64_t *keys = tree->keys.items;
    *made = 0;
    for (size_t first = 0; first < count;) {
        if (grz_pairs_expired(tools, *made, 12))
            return false;
        const size_t size = cut(keys + first, count - first);
        const uint32_t leaf = grz_tree_new_node(tree, 0);
        grz_tree_node *node = &tree->nodes.items[leaf];
        for (size_t i = 0; i < size; i++) {
            const uint32_t id = (uint32_t)keys[first + i];
#if defined(__GNUC__)
            if (first + i + AHEAD < count)
                __builtin_prefetch(&boxes[(uint32_t)keys[first + i + AHEAD]]);
#endif
            grz_tree_set_lane(node, (uint32_t)i, &boxes[id]);
            node->child[i] = id;
            tree->places.items[id] = leaf << 3 | (uint32_t)i;
        }
        node->count = (uint32_t)size;
        keys[(*made)++] = (keys[first] & ~(uint64_t)UINT32_MAX) | leaf;
        first += size;
    }
    return true;
}

// Make nodes for `count` nodes of a level, whose keys and numbers are in `keys`. Returns their number.
static size_t make_level(grz_tree *tree, size_t count, uint32_t height)
{
    uint64_t *keys = tree->keys.items;
    size_t made = 0;
    for (size_t first = 0; first < count;) {
        const size_t size = cut(keys + first, count - first);
        const uint32_t parent = grz_tree_new_node(tree, height);
        grz_tree_node *node = &tree->nodes.items[parent];
        for (size_t i = 0; i < size; i++) {
            const uint32_t child = (uint32_t)keys[first + i];
            const grz_pairs_box box = grz_tree_node_box(&tree->nodes.items[child]);
            grz_tree_set_lane(node, (uint32_t)i, &box);
            node->child[i] = child;
            tree->nodes.items[child].parent = parent;
        }
        node->count = (uint32_t)size;
        keys[made++] = (keys[first] & ~(uint64_t)UINT32_MAX) | parent;
        first += size;
    }
    return made;
}

static bool build(void *state, const grz_pairs_tools *tools, const grz_pairs_box *boxes, const uint32_t *ids,
                  size_t count, size_t ids_end)
{
    grz_tree *tree = state;
    tree->nodes.count = tree->places.count = 0;
    tree->root = tree->free = (uint32_t)GRZ_PAIRS_NONE;
    tree->node_count = 0;
    tree->live = tree->built_live = count;
    tree->changes = 0;
    const size_t most_nodes = count / LEAST_CUT + count / 16 + 2 * (size_t)GRZ_TREE_MAX_HEIGHT;
    if (!grow(tree, tools, ids_end) || !grz_array_reserve(tools->allocator, &tree->nodes, most_nodes) ||
        !grz_array_reserve(tools->allocator, &tree->keys, count + 1) ||
        !grz_array_reserve(tools->allocator, &tree->spare, count + 1))
        return false;
    for (size_t i = 0; i < count; i++)
        tree->keys.items[i] = ids[i];
    size_t level = 0;
    if (!sort_along_curve(tree, tools, boxes, 0, count, 0) || !make_leaves(tree, tools, boxes, count, &level))
        return false;
    for (uint32_t height = 1; level > 1; height++)
        level = make_level(tree, level, height);
    if (level == 1)
        tree->root = (uint32_t)tree->keys.items[0];
    tree->built_nodes = tree->node_count;
    return true;
}

static bool worn(const void *state)
{
    const grz_tree *tree = state;
    return tree->changes > 4 * tree->live + 64 || tree->live > 4 * tree->built_live + 64 ||
           tree->node_count > 2 * (size_t)tree->built_nodes + tree->live / 3 + 8;
}

static bool join(const void *state, grz_pairs_join *join)
{
    return GRZ_SIMD_PICK(join->tools->simd, grz_tree_join)(state, join);
}

static bool query(const void *state, const grz_pairs_tools *tools, const grz_pairs_box *box, grz_pairs_ids *ids)
{
    return GRZ_SIMD_PICK(tools->simd, grz_tree_query)(state, tools, box, ids);
}

const grz_pairs_finder_type grz_pairs_tree = {.name = "tree",
                                              .size = sizeof(grz_tree),
                                              .finish = finish,
                                              .build = build,
                                              .grow = grow,
                                              .join = join,
                                              .set = grz_tree_set,
                                              .remove = grz_tree_remove,
                                              .query = query,
                                              .worn = worn};
