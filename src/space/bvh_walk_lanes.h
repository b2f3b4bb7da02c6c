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

static const float MUCH_LARGER = 3.0f; // found by trying; 2 to 4 make little difference

// One side of a pair: a node to open, or a box that stays closed, child `place` % 8 of node `place` / 8.
typedef struct grz_walk_side {
    const grz_bvh *bvh;
    uint32_t child, place;
    bool closed;
    const grz_bvh_node *node;
} grz_walk_side;

// A node's boxes brought into a frame.
static inline void map_boxes(const grz_bvh_map *map, const grz_bvh_node *node, grz_boxes *boxes)
{
    const float *bounds = &node->bounds[0][0][0];
    for (int i = 0; i < 3; i++) {
        grz_lanes min = grz_lanes_all(map->low[i]), max = grz_lanes_all(map->high[i]);
        for (int j = 0; j < 3; j++) {
            const grz_lanes m = grz_lanes_all(map->m[i][j]);
            min = grz_lanes_add(min, grz_lanes_multiply(m, grz_lanes_load(bounds + map->least[i][j])));
            max = grz_lanes_add(max, grz_lanes_multiply(m, grz_lanes_load(bounds + map->most[i][j])));
        }
        boxes->min[i] = min;
        boxes->max[i] = max;
    }
}

// The same for one box, given by where its least x lies in its node.
static inline void map_box(const grz_bvh_map *map, const float *bounds, float min[3], float max[3])
{
    for (int i = 0; i < 3; i++) {
        min[i] = map->low[i];
        max[i] = map->high[i];
        for (int j = 0; j < 3; j++) {
            min[i] += map->m[i][j] * bounds[map->least[i][j]];
            max[i] += map->m[i][j] * bounds[map->most[i][j]];
        }
    }
}

// Without a loop, of which compilers make a copy in memory by narrower registers, and then wait for it.
static inline void load_boxes(const grz_bvh_node *node, grz_boxes *boxes)
{
    boxes->min[0] = grz_lanes_load(node->bounds[0][0]);
    boxes->min[1] = grz_lanes_load(node->bounds[0][1]);
    boxes->min[2] = grz_lanes_load(node->bounds[0][2]);
    boxes->max[0] = grz_lanes_load(node->bounds[1][0]);
    boxes->max[1] = grz_lanes_load(node->bounds[1][1]);
    boxes->max[2] = grz_lanes_load(node->bounds[1][2]);
}

// Which of eight boxes overlap one. Its bounds along the axes are `stride` apart.
static inline uint32_t meet(const grz_boxes *boxes, const float *min, const float *max, size_t stride)
{
    const grz_lane_mask x = grz_lane_masks_and(grz_lanes_at_most(grz_lanes_all(min[0]), boxes->max[0]),
                                               grz_lanes_at_most(boxes->min[0], grz_lanes_all(max[0])));
    const grz_lane_mask y = grz_lane_masks_and(grz_lanes_at_most(grz_lanes_all(min[stride]), boxes->max[1]),
                                               grz_lanes_at_most(boxes->min[1], grz_lanes_all(max[stride])));
    const grz_lane_mask z = grz_lane_masks_and(grz_lanes_at_most(grz_lanes_all(min[2 * stride]), boxes->max[2]),
                                               grz_lanes_at_most(boxes->min[2], grz_lanes_all(max[2 * stride])));
    return grz_lane_mask_bits(grz_lane_masks_and(grz_lane_masks_and(x, y), z));
}

// The same where it is stored in a node, its least x at `box`.
static inline uint32_t meet_stored(const grz_boxes *boxes, const float *box)
{
    const size_t stride = GRZ_BVH_WIDTH;
    return meet(boxes, box, box + 3 * stride, stride);
}

// Of eight boxes and the rows of a node's boxes, which pairs overlap: the rows that have any. `columns` is cut down to them.
static inline uint32_t meet_rows(const grz_boxes *boxes, const float bounds[2][3][GRZ_BVH_WIDTH], uint32_t rows,
                                 uint32_t columns[GRZ_BVH_WIDTH])
{
    uint32_t kept = 0;
    for (; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        columns[i] &= meet(boxes, &bounds[0][0][i], &bounds[1][0][i], GRZ_BVH_WIDTH);
        kept |= (uint32_t)(columns[i] != 0) << i;
    }
    return kept;
}

static inline void store_boxes(const grz_boxes *boxes, float bounds[2][3][GRZ_BVH_WIDTH])
{
    for (int i = 0; i < 3; i++) {
        grz_lanes_store(bounds[0][i], boxes->min[i]);
        grz_lanes_store(bounds[1][i], boxes->max[i]);
    }
}

// Where the box of a side lies in the node that holds it.
static inline const float *box_of(const grz_walk_side *side)
{
    return &side->bvh->nodes[side->place / GRZ_BVH_WIDTH].bounds[0][0][side->place % GRZ_BVH_WIDTH];
}

// Compare the children of two nodes. Few of A's reach into the whole of B.
static inline uint32_t compare_nodes(const grz_bvh_walk *walk, const grz_walk_side *a, const grz_walk_side *b,
                                     uint32_t columns[GRZ_BVH_WIDTH])
{
    const grz_bvh_frame_kind kind = walk->frames.kind;
    float mapped[2][3][GRZ_BVH_WIDTH];
    const float(*bounds)[3][GRZ_BVH_WIDTH] = a->node->bounds;
    grz_boxes boxes;
    uint32_t rows = (1u << GRZ_BVH_WIDTH) - 1;
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        columns[i] = rows;
    if (kind == GRZ_FRAMES_SAME) {
        load_boxes(a->node, &boxes);
    } else {
        map_boxes(&walk->frames.a, a->node, &boxes);
        store_boxes(&boxes, mapped);
        bounds = (const float(*)[3][GRZ_BVH_WIDTH])mapped;
    }
    if (kind != GRZ_FRAMES_WORLD && b->place != GRZ_BVH_NONE) {
        const float *whole = box_of(b);
        rows = meet_stored(&boxes, whole);
        if (rows == 0)
            return 0;
    }
    if (kind == GRZ_FRAMES_WORLD)
        map_boxes(&walk->frames.b, b->node, &boxes);
    else
        load_boxes(b->node, &boxes);
    rows = meet_rows(&boxes, bounds, rows, columns);
    if (rows == 0 || kind != GRZ_FRAMES_TREES)
        return rows;
    map_boxes(&walk->frames.b, b->node, &boxes);
    return meet_rows(&boxes, a->node->bounds, rows, columns);
}

// Compare a closed side with the children of a node: which of them meet it.
static inline uint32_t compare_closed(grz_bvh_frame_kind kind, const grz_bvh_map *closed_map, const grz_bvh_map *open_map,
                                      const grz_walk_side *closed, const grz_bvh_node *node)
{
    const float *box = box_of(closed);
    float min[3], max[3];
    uint32_t met = (1u << GRZ_BVH_WIDTH) - 1;
    grz_boxes boxes;
    if (kind == GRZ_FRAMES_SAME) {
        load_boxes(node, &boxes);
        return meet_stored(&boxes, box);
    }
    map_box(closed_map, box, min, max);
    if (kind == GRZ_FRAMES_TREES) {
        load_boxes(node, &boxes);
        met = meet(&boxes, min, max, 1);
        if (met == 0)
            return 0;
    }
    map_boxes(open_map, node, &boxes);
    return kind == GRZ_FRAMES_TREES ? met & meet_stored(&boxes, box) : meet(&boxes, min, max, 1);
}

// Compare the two sides of a pair: which children of A's (rows) meet which of B's (columns). A closed side has one, the first.
static inline uint32_t compare(const grz_bvh_walk *walk, const grz_walk_side *a, const grz_walk_side *b,
                               uint32_t columns[GRZ_BVH_WIDTH])
{
    if (!a->closed && !b->closed)
        return compare_nodes(walk, a, b, columns);
    const grz_bvh_map *a_to_b = &walk->frames.a, *b_to_a = &walk->frames.b;
    if (a->closed) {
        columns[0] = compare_closed(walk->frames.kind, a_to_b, b_to_a, a, b->node);
        return columns[0] != 0;
    }
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        columns[i] = 1;
    return compare_closed(walk->frames.kind, b_to_a, a_to_b, b, a->node);
}

static inline grz_walk_side side_of(const grz_bvh *bvh, uint32_t child, uint32_t place)
{
    const bool triangle = grz_bvh_is_triangle(child);
    return (grz_walk_side){bvh, child, place, triangle, triangle ? NULL : &bvh->nodes[child]};
}

// How large a side's box is, in units of its tree.
static inline float size_of(const grz_walk_side *side)
{
    const size_t stride = GRZ_BVH_WIDTH;
    const float *min = box_of(side), *max = min + 3 * stride;
    return (max[0] - min[0]) + (max[stride] - min[stride]) + (max[2 * stride] - min[2 * stride]);
}

// Close one of two nodes where the other is better opened alone: this one is a leaf and the other is not, since triangles best meet
// triangles, eight by eight; or the other is much larger.
static inline void choose_sides(const grz_bvh_walk *walk, grz_walk_side *a, grz_walk_side *b)
{
    if (a->closed || b->closed || a->place == GRZ_BVH_NONE || b->place == GRZ_BVH_NONE)
        return;
    const bool leaf_a = grz_bvh_is_triangle(a->node->child[0]), leaf_b = grz_bvh_is_triangle(b->node->child[0]);
    if (leaf_a != leaf_b) {
        a->closed = leaf_a;
        b->closed = leaf_b;
        return;
    }
    const float size_a = walk->frames.scale_a * size_of(a), size_b = walk->frames.scale_b * size_of(b);
    a->closed = size_b > MUCH_LARGER * size_a;
    b->closed = size_a > MUCH_LARGER * size_b;
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
    grz_walk_side a = side_of(walk->bvh_a, pair->a, pair->place_a), b = side_of(walk->bvh_b, pair->b, pair->place_b);
    const bool same = walk->self && pair->a == pair->b;
    if (!same)
        choose_sides(walk, &a, &b);
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

static size_t walk_down(const grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth, uint64_t *steps)
{
    grz_chunk chunk;
    bool go_on = true;
    grz_chunk_init(&chunk, walk->sink, walk->job);
    while (depth > 0 && *steps > 0) {
        if ((--*steps & 63u) == 0 && walk->sink->stopped(walk->sink, walk->job))
            return 0;
        const grz_bvh_pair pair = stack[--depth];
        depth += open_pair(walk, &pair, stack + depth, &chunk, &go_on);
        if (!go_on)
            return 0;
    }
    return grz_chunk_flush(&chunk) ? depth : 0;
}

const grz_bvh_walker GRZ_BVH_WALKER = {.open = open_pair, .down = walk_down};
