// SPDX-License-Identifier: MIT
// The walk, included by one file for each width of registers, which defines GRZ_BVH_WALKER, the name of its walker. Of a pair of
// nodes all 64 pairs of children are compared, eight at a time: boxes of A's are brought into B's coordinates and the other way
// round, which together is the separating-axis test along the six face normals. Sources: S. Gottschalk, M. Lin, D. Manocha,
// "OBBTree" (1996), for the walk of two trees and the axes; H. Dammertz, J. Hanika, A. Keller, "Shallow bounding volume hierarchies"
// (2008), for wide nodes.
#include "base/lanes.h"
#include "space/bvh_walk.h"

// Eight boxes in a frame's coordinates.
typedef struct grz_boxes {
    grz_lanes min[3], max[3];
} grz_boxes;

// One side of a pair: a node to open, or a box that stays closed, child `place` % 8 of node `place` / 8.
typedef struct grz_walk_side {
    const grz_bvh *bvh;
    uint32_t child, place;
    bool closed;
    const grz_bvh_node *node;
} grz_walk_side;

// `map` NULL: the boxes are in the frame's coordinates already.
static inline grz_boxes map_boxes(const grz_bvh_map *map, const float bounds[2][3][GRZ_BVH_WIDTH])
{
    grz_boxes boxes;
    for (int i = 0; i < 3; i++) {
        if (map == NULL) {
            boxes.min[i] = grz_lanes_load(bounds[0][i]);
            boxes.max[i] = grz_lanes_load(bounds[1][i]);
            continue;
        }
        boxes.min[i] = grz_lanes_all(map->low[i]);
        boxes.max[i] = grz_lanes_all(map->high[i]);
        for (int j = 0; j < 3; j++) {
            const grz_lanes m = grz_lanes_all(map->m[i][j]);
            const int negative = map->negative[i][j];
            boxes.min[i] = grz_lanes_add(boxes.min[i], grz_lanes_multiply(m, grz_lanes_load(bounds[negative][j])));
            boxes.max[i] = grz_lanes_add(boxes.max[i], grz_lanes_multiply(m, grz_lanes_load(bounds[1 - negative][j])));
        }
    }
    return boxes;
}

// The one box of a side that stays closed.
static inline void map_box(const grz_bvh_map *map, const grz_walk_side *side, float min[3], float max[3])
{
    const grz_bvh_node *holder = &side->bvh->nodes[side->place / GRZ_BVH_WIDTH];
    const uint32_t at = side->place % GRZ_BVH_WIDTH;
    for (int i = 0; i < 3; i++) {
        if (map == NULL) {
            min[i] = holder->bounds[0][i][at];
            max[i] = holder->bounds[1][i][at];
            continue;
        }
        min[i] = map->low[i];
        max[i] = map->high[i];
        for (int j = 0; j < 3; j++) {
            const int negative = map->negative[i][j];
            min[i] += map->m[i][j] * holder->bounds[negative][j][at];
            max[i] += map->m[i][j] * holder->bounds[1 - negative][j][at];
        }
    }
}

// Which of eight boxes overlap one.
static inline uint32_t meet(const grz_boxes *boxes, const float *min, const float *max, size_t stride)
{
    grz_lane_mask mask = grz_lanes_at_most(grz_lanes_all(min[0]), boxes->max[0]);
    mask = grz_lane_masks_and(mask, grz_lanes_at_most(boxes->min[0], grz_lanes_all(max[0])));
    for (size_t i = 1; i < 3; i++) {
        mask = grz_lane_masks_and(mask, grz_lanes_at_most(grz_lanes_all(min[i * stride]), boxes->max[i]));
        mask = grz_lane_masks_and(mask, grz_lanes_at_most(boxes->min[i], grz_lanes_all(max[i * stride])));
    }
    return grz_lane_mask_bits(mask);
}

// Of the children of two nodes, which pairs overlap in a frame: `columns` of those rows, A's children, that have any. Before, all
// columns of `rows` are taken for possible where `first` is true; else those given.
static inline uint32_t meet_all(const grz_bvh_map *map_a, const grz_bvh_map *map_b, const grz_bvh_node *a, const grz_bvh_node *b,
                                uint32_t rows, bool first, uint32_t columns[GRZ_BVH_WIDTH])
{
    const grz_boxes boxes = map_boxes(map_b, b->bounds);
    float mapped[2][3][GRZ_BVH_WIDTH];
    const float(*bounds)[3][GRZ_BVH_WIDTH] = a->bounds;
    uint32_t kept = 0;
    if (map_a != NULL) {
        const grz_boxes boxes_a = map_boxes(map_a, a->bounds);
        for (int i = 0; i < 3; i++) {
            grz_lanes_store(mapped[0][i], boxes_a.min[i]);
            grz_lanes_store(mapped[1][i], boxes_a.max[i]);
        }
        bounds = (const float(*)[3][GRZ_BVH_WIDTH])mapped;
    }
    for (; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        const uint32_t met = meet(&boxes, &bounds[0][0][i], &bounds[1][0][i], GRZ_BVH_WIDTH);
        columns[i] = first ? met : columns[i] & met;
        kept |= (uint32_t)(columns[i] != 0) << i;
    }
    return kept;
}

// Of a node's children, those that overlap the box of a closed side.
static inline uint32_t meet_one(const grz_bvh_map *map_closed, const grz_bvh_map *map_node, const grz_walk_side *closed,
                                const grz_bvh_node *node)
{
    float min[3], max[3];
    map_box(map_closed, closed, min, max);
    const grz_boxes boxes = map_boxes(map_node, node->bounds);
    return meet(&boxes, min, max, 1);
}

// Compare the two sides of a pair: which children of A's (rows) meet which of B's (columns). A closed side has one, the first.
static inline uint32_t compare(const grz_bvh_walk *walk, const grz_walk_side *a, const grz_walk_side *b,
                               uint32_t columns[GRZ_BVH_WIDTH])
{
    const grz_bvh_map *a_to_b = &walk->frames.a, *b_to_a = &walk->frames.b;
    const grz_bvh_frame_kind kind = walk->frames.kind;
    if (!a->closed && !b->closed) {
        const uint32_t all = (1u << GRZ_BVH_WIDTH) - 1;
        if (kind == GRZ_FRAMES_SAME)
            return meet_all(NULL, NULL, a->node, b->node, all, true, columns);
        if (kind == GRZ_FRAMES_WORLD)
            return meet_all(a_to_b, b_to_a, a->node, b->node, all, true, columns);
        // Few of A's children reach into the whole of B.
        uint32_t rows = b->place != GRZ_BVH_NONE ? meet_one(NULL, a_to_b, b, a->node) : all;
        if (rows != 0)
            rows = meet_all(a_to_b, NULL, a->node, b->node, rows, true, columns);
        return rows != 0 ? meet_all(NULL, b_to_a, a->node, b->node, rows, false, columns) : 0;
    }
    const grz_walk_side *closed = a->closed ? a : b, *open = a->closed ? b : a;
    const grz_bvh_map *closed_map = a->closed ? a_to_b : b_to_a, *open_map = a->closed ? b_to_a : a_to_b;
    uint32_t met;
    if (kind == GRZ_FRAMES_SAME) {
        met = meet_one(NULL, NULL, closed, open->node);
    } else if (kind == GRZ_FRAMES_WORLD) {
        met = meet_one(closed_map, open_map, closed, open->node);
    } else {
        met = meet_one(closed_map, NULL, closed, open->node);
        if (met != 0)
            met &= meet_one(NULL, open_map, closed, open->node);
    }
    if (a->closed) {
        columns[0] = met;
        return met != 0;
    }
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        columns[i] = 1;
    return met;
}

// A node of nothing but triangles; nodes come first among children.
static inline bool is_leaf(const grz_bvh *bvh, uint32_t child)
{
    return grz_bvh_is_triangle(child) || grz_bvh_is_triangle(bvh->nodes[child].child[0]);
}

// A leaf waits until the other side is one, too: triangles meet triangles, eight by eight.
static inline grz_walk_side side_of(const grz_bvh *bvh, uint32_t child, uint32_t place, bool waits)
{
    const bool triangle = grz_bvh_is_triangle(child);
    return (grz_walk_side){bvh, child, place, triangle || (waits && place != GRZ_BVH_NONE), triangle ? NULL : &bvh->nodes[child]};
}

static inline uint32_t child_of(const grz_walk_side *side, uint32_t i)
{
    return side->closed ? side->child : side->node->child[i];
}

static inline uint32_t place_of(const grz_walk_side *side, uint32_t i)
{
    return side->closed ? side->place : side->child * GRZ_BVH_WIDTH + i;
}

// Hand over a pair of triangles. False: stop.
static inline bool propose_pair(const grz_bvh_walk *walk, uint32_t a, uint32_t b, grz_chunk *chunk)
{
    a = grz_bvh_triangle(a);
    b = grz_bvh_triangle(b);
    if (!walk->self)
        return grz_chunk_add(chunk, a, b);
    if (grz_mesh_triangle_face(walk->mesh_a, a) == grz_mesh_triangle_face(walk->mesh_a, b))
        return true;
    return a < b ? grz_chunk_add(chunk, a, b) : grz_chunk_add(chunk, b, a);
}

static size_t open_pair(const grz_bvh_walk *walk, const grz_bvh_pair *pair, grz_bvh_pair *out, grz_chunk *chunk, bool *go_on)
{
    const bool leaf_a = is_leaf(walk->bvh_a, pair->a), leaf_b = is_leaf(walk->bvh_b, pair->b);
    const grz_walk_side a = side_of(walk->bvh_a, pair->a, pair->place_a, leaf_a && !leaf_b);
    const grz_walk_side b = side_of(walk->bvh_b, pair->b, pair->place_b, leaf_b && !leaf_a);
    const bool same = walk->self && pair->a == pair->b;
    uint32_t columns[GRZ_BVH_WIDTH];
    uint32_t rows = compare(walk, &a, &b, columns);
    size_t count = 0;
    for (; rows != 0; rows &= rows - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rows), child_a = child_of(&a, i), place_a = place_of(&a, i);
        const bool triangle_a = grz_bvh_is_triangle(child_a);
        uint32_t row = columns[i];
        if (child_a == GRZ_BVH_NONE) // its empty box meets one that is everywhere
            break;
        if (same) { // each pair once, and nodes with themselves
            row &= ~((2u << i) - 1);
            if (!triangle_a)
                out[count++] = (grz_bvh_pair){child_a, child_a, place_a, place_a};
        }
        for (; row != 0; row &= row - 1) {
            const uint32_t j = (uint32_t)__builtin_ctz(row), child_b = child_of(&b, j);
            if (child_b == GRZ_BVH_NONE)
                break;
            if (!triangle_a || !grz_bvh_is_triangle(child_b)) {
                out[count++] = (grz_bvh_pair){child_a, child_b, place_a, place_of(&b, j)};
            } else if (!propose_pair(walk, child_a, child_b, chunk)) {
                *go_on = false;
                return 0;
            }
        }
    }
    return count;
}

static void walk_down(const grz_bvh_walk *walk, const grz_bvh_pair *start)
{
    grz_bvh_pair stack[GRZ_BVH_WALK_STACK];
    grz_chunk chunk;
    size_t depth = 1;
    unsigned steps = 0;
    bool go_on = true;
    grz_chunk_init(&chunk, walk->sink, walk->job);
    stack[0] = *start;
    while (depth > 0) {
        if ((++steps & 63u) == 0 && walk->sink->stopped(walk->sink, walk->job))
            return;
        const grz_bvh_pair pair = stack[--depth];
        depth += open_pair(walk, &pair, stack + depth, &chunk, &go_on);
        if (!go_on)
            return;
    }
    grz_chunk_flush(&chunk);
}

const grz_bvh_walker GRZ_BVH_WALKER = {.open = open_pair, .down = walk_down};
