// SPDX-License-Identifier: MIT
// Walks the dynamic AABB tree: all pairs of boxes that overlap, or all boxes that overlap one. The build compiles this
// file once for each SIMD width; one comparison takes eight boxes.
#include <assert.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "space/pairs/tree.h"

enum {
    CHECK_BITS = 12,          // nodes between two checks of the control, as a power of two
    ROOM = 8 * GRZ_TREE_WIDTH // room for numbers before two leaves are compared
};

static inline void prefetch_node(const grz_tree_node *node)
{
#if defined(__GNUC__)
    for (int i = 0; i < 4; i++)
        __builtin_prefetch((const char *)node + 64 * (size_t)i);
#else
    (void)node;
#endif
}

// Which children of `node` overlap child `lane` of `other`.
static inline uint32_t overlapping(const grz_tree_node *node, const grz_tree_node *other, uint32_t lane)
{
    grz_mask8 all =
        grz_mask8_and(grz_f32x8_less_equal(grz_f32x8_load(node->low[0]), grz_f32x8_splat(other->high[0][lane])),
                      grz_f32x8_less_equal(grz_f32x8_splat(other->low[0][lane]), grz_f32x8_load(node->high[0])));
    for (int axis = 1; axis < 3; axis++)
        all = grz_mask8_and(
            all, grz_mask8_and(
                     grz_f32x8_less_equal(grz_f32x8_load(node->low[axis]), grz_f32x8_splat(other->high[axis][lane])),
                     grz_f32x8_less_equal(grz_f32x8_splat(other->low[axis][lane]), grz_f32x8_load(node->high[axis]))));
    return grz_mask8_bits(all);
}

// True if the two boxes of doubles that became these two boxes of floats overlap. Where the floats differ, they decide:
// rounding keeps the order.
static inline bool overlap_exactly(const grz_pairs_join *join, const grz_tree_node *a, uint32_t i,
                                   const grz_tree_node *b, uint32_t j)
{
    bool strictly = true;
    for (int axis = 0; axis < 3; axis++)
        strictly = strictly & (a->low[axis][i] < b->high[axis][j]) & (b->low[axis][j] < a->high[axis][i]);
    return strictly || grz_boxes_overlap(&join->exact[a->child[i]], &join->exact[b->child[j]]);
}

static inline void emit(grz_pairs_join *join, const grz_tree_node *a, uint32_t i, const grz_tree_node *b, uint32_t bits)
{
    uint64_t *to = join->found->items + join->found->count;
    while (bits != 0) {
        const uint32_t j = (uint32_t)__builtin_ctz(bits);
        bits &= bits - 1;
        *to = grz_pairs_number(a->child[i], b->child[j], join->bits);
        to += join->exact == NULL || overlap_exactly(join, a, i, b, j);
    }
    join->found->count = (size_t)(to - join->found->items);
    assert(join->found->count <= join->found->capacity);
}

static inline bool prepare(grz_pairs_join *join)
{
    return !grz_pairs_expired(join->tools, join->steps++, CHECK_BITS) &&
           grz_array_reserve(join->tools->allocator, join->found, join->found->count + ROOM);
}

// Pairs of one object below child `lane` of `parent`, the node `a`, with one below `b`; both are at one height.
static bool cross(const grz_tree *tree, grz_pairs_join *join, const grz_tree_node *parent_of_b, uint32_t lane_of_b,
                  const grz_tree_node *a, const grz_tree_node *b)
{
    uint32_t left = overlapping(a, parent_of_b, lane_of_b);
    if (left == 0)
        return true;
    if (!prepare(join))
        return false;
    assert(a->height == b->height);
    for (; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        uint32_t bits = overlapping(b, a, i);
        if (a->height == 0) {
            emit(join, a, i, b, bits);
            continue;
        }
        for (uint32_t ahead = bits; ahead != 0; ahead &= ahead - 1)
            prefetch_node(&tree->nodes.items[b->child[__builtin_ctz(ahead)]]);
        for (; bits != 0; bits &= bits - 1) {
            const uint32_t j = (uint32_t)__builtin_ctz(bits);
            if (!cross(tree, join, b, j, &tree->nodes.items[a->child[i]], &tree->nodes.items[b->child[j]]))
                return false;
        }
    }
    return true;
}

// Pairs of two objects below a node.
static bool within(const grz_tree *tree, grz_pairs_join *join, const grz_tree_node *node)
{
    if (!prepare(join))
        return false;
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t bits = overlapping(node, node, i) & ~((2u << i) - 1u);
        if (node->height == 0) {
            emit(join, node, i, node, bits);
            continue;
        }
        const grz_tree_node *child = &tree->nodes.items[node->child[i]];
        if (!within(tree, join, child))
            return false;
        for (; bits != 0; bits &= bits - 1) {
            const uint32_t j = (uint32_t)__builtin_ctz(bits);
            if (!cross(tree, join, node, j, child, &tree->nodes.items[node->child[j]]))
                return false;
        }
    }
    return true;
}

bool GRZ_OF_WIDTH(grz_tree_join)(const grz_tree *tree, grz_pairs_join *join)
{
    return tree->root == (uint32_t)GRZ_PAIRS_NONE || within(tree, join, &tree->nodes.items[tree->root]);
}

bool GRZ_OF_WIDTH(grz_tree_query)(const grz_tree *tree, const grz_pairs_tools *tools, const grz_pairs_box *box,
                                  grz_pairs_ids *ids)
{
    uint32_t stack[GRZ_TREE_WIDTH * GRZ_TREE_MAX_HEIGHT];
    size_t top = 0;
    if (tree->root != (uint32_t)GRZ_PAIRS_NONE)
        stack[top++] = tree->root;
    grz_f32x8 low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = grz_f32x8_splat(box->low[axis]);
        high[axis] = grz_f32x8_splat(box->high[axis]);
    }
    while (top > 0) {
        const grz_tree_node *node = &tree->nodes.items[stack[--top]];
        if (!grz_array_reserve(tools->allocator, ids, ids->count + GRZ_TREE_WIDTH))
            return false;
        grz_mask8 all = grz_mask8_and(grz_f32x8_less_equal(grz_f32x8_load(node->low[0]), high[0]),
                                      grz_f32x8_less_equal(low[0], grz_f32x8_load(node->high[0])));
        for (int axis = 1; axis < 3; axis++)
            all = grz_mask8_and(all, grz_mask8_and(grz_f32x8_less_equal(grz_f32x8_load(node->low[axis]), high[axis]),
                                                   grz_f32x8_less_equal(low[axis], grz_f32x8_load(node->high[axis]))));
        for (uint32_t bits = grz_mask8_bits(all); bits != 0; bits &= bits - 1) {
            const uint32_t child = node->child[__builtin_ctz(bits)];
            if (node->height == 0) {
                ids->items[ids->count++] = child;
            } else {
                prefetch_node(&tree->nodes.items[child]);
                assert(top < sizeof stack / sizeof *stack);
                stack[top++] = child;
            }
        }
    }
    return true;
}
