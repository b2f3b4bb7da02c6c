// SPDX-License-Identifier: MIT
// The walk through two trees. The build compiles this file once for each SIMD width. Opening a pair of nodes compares
// all 64 pairs of their children, eight at a time: A's boxes are mapped to B's coordinates, and B's to A's. Both
// together are the separating-axis test along the six face normals of the boxes.
// Sources: S. Gottschalk, M. Lin, D. Manocha, "OBBTree" (1996), for the walk of two trees and the axes; H. Dammertz, J.
// Hanika, A. Keller, "Shallow bounding volume hierarchies" (2008), for wide nodes.
#include <assert.h>
#include <math.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "filter/bvh/bvh_walk.h"
#include "filter/bvh/directions.h"

// Eight boxes in the coordinates of a frame.
typedef struct grz_boxes {
    grz_f32x8 min[3], max[3];
} grz_boxes;

// For functions whose argument `near` is a constant: they are inlined, and only what it needs is left.
#define FOLDED __attribute__((always_inline)) static inline

static const float MUCH_LARGER = 3.0f; // a closed side's box is this many times smaller; found by experiment, 2 to 4
                                       // make little difference
// Beyond so many times the sizes of two nodes, the reach makes boxes useless; found by experiment: 1 to 2 make little
// difference.
static const float FAR_REACH = 1.5f;
static const float LEAST_GAP = 0x1p-40f; // of planes that separate: its square is a normal float

enum {
    // So many pairs of nodes are opened nearest first, without a reach and with one; found by experiment: without one 8
    // to 64 make little difference.
    NEAREST_FIRST = 16,
    NEAREST_FIRST_NEAR = 64
};

// One side of a pair: a node to open, or a box that stays closed (it is compared as a whole). Its box is stored as
// child `place` % 8 of node `place` / 8; that of the root, whose place is GRZ_BVH_NONE, with the tree.
typedef struct grz_walk_side {
    const grz_bvh *bvh;
    uint32_t child, place;
    bool closed;
    const grz_bvh_node *node;
    uint32_t child_mask; // children whose boxes reach between the planes of the other side's slab
} grz_walk_side;

// Map the eight boxes of a node to a frame.
static inline void map_boxes(const grz_bvh_map *map, const grz_bvh_node *node, grz_boxes *boxes)
{
    const float *bounds = &node->bounds[0][0][0];
    for (int i = 0; i < 3; i++) {
        grz_f32x8 min = grz_f32x8_splat(map->low[i]), max = grz_f32x8_splat(map->high[i]);
        for (int j = 0; j < 3; j++) {
            const grz_f32x8 m = grz_f32x8_splat(map->m[i][j]);
            min = grz_f32x8_add(min, grz_f32x8_multiply(m, grz_f32x8_load(bounds + map->least[i][j])));
            max = grz_f32x8_add(max, grz_f32x8_multiply(m, grz_f32x8_load(bounds + map->most[i][j])));
        }
        boxes->min[i] = min;
        boxes->max[i] = max;
    }
}

// Map one box to a frame. `bounds` points to its lower x in its node. The centre is mapped, and half the size by the
// magnitudes of the matrix entries.
static inline void map_box(const grz_bvh_map *map, const float *bounds, float min[4], float max[4])
{
    grz_f32x4 centre = grz_f32x4_load(map->columns[3]), half_size = grz_f32x4_load(map->magnitudes[3]);
    const size_t stride = GRZ_BVH_WIDTH;
    for (size_t j = 0; j < 3; j++) {
        const float low = bounds[j * stride], high = bounds[(3 + j) * stride];
        const grz_f32x4 middle = grz_f32x4_splat(0.5f * (low + high)), half = grz_f32x4_splat(0.5f * (high - low));
        centre = grz_f32x4_add(centre, grz_f32x4_multiply(grz_f32x4_load(map->columns[j]), middle));
        half_size = grz_f32x4_add(half_size, grz_f32x4_multiply(grz_f32x4_load(map->magnitudes[j]), half));
    }
    grz_f32x4_store(min, grz_f32x4_subtract(centre, half_size));
    grz_f32x4_store(max, grz_f32x4_add(centre, half_size));
}

// Written without a loop: compilers turn a loop into a copy through memory with narrower registers, and then wait for
// it.
static inline void load_boxes(const grz_bvh_node *node, grz_boxes *boxes)
{
    boxes->min[0] = grz_f32x8_load(node->bounds[0][0]);
    boxes->min[1] = grz_f32x8_load(node->bounds[0][1]);
    boxes->min[2] = grz_f32x8_load(node->bounds[0][2]);
    boxes->max[0] = grz_f32x8_load(node->bounds[1][0]);
    boxes->max[1] = grz_f32x8_load(node->bounds[1][1]);
    boxes->max[2] = grz_f32x8_load(node->bounds[1][2]);
}

// Which of eight boxes overlap one box, as a bit mask. The bounds of the one box along the three axes are `stride`
// apart.
static inline uint32_t overlap(const grz_boxes *boxes, const float *min, const float *max, size_t stride)
{
    const grz_mask8 x = grz_mask8_and(grz_f32x8_less_equal(grz_f32x8_splat(min[0]), boxes->max[0]),
                                      grz_f32x8_less_equal(boxes->min[0], grz_f32x8_splat(max[0])));
    const grz_mask8 y = grz_mask8_and(grz_f32x8_less_equal(grz_f32x8_splat(min[stride]), boxes->max[1]),
                                      grz_f32x8_less_equal(boxes->min[1], grz_f32x8_splat(max[stride])));
    const grz_mask8 z = grz_mask8_and(grz_f32x8_less_equal(grz_f32x8_splat(min[2 * stride]), boxes->max[2]),
                                      grz_f32x8_less_equal(boxes->min[2], grz_f32x8_splat(max[2 * stride])));
    return grz_mask8_bits(grz_mask8_and(grz_mask8_and(x, y), z));
}

// Which of eight boxes are at most `reach` away from one box. The squares are off by less than 2^-20 of themselves, and
// by underflow.
static inline uint32_t in_reach(const grz_boxes *boxes, const float *min, const float *max, size_t stride, float reach)
{
    const grz_f32x8 limit = grz_f32x8_splat(reach * reach * (1.0f + 0x1p-18f) + 0x1p-140f); // four times that
    grz_f32x8 sum = grz_f32x8_splat(0.0f);
    for (size_t i = 0; i < 3; i++) {
        const grz_f32x8 above = grz_f32x8_subtract(boxes->min[i], grz_f32x8_splat(max[i * stride])),
                        below = grz_f32x8_subtract(grz_f32x8_splat(min[i * stride]), boxes->max[i]);
        const grz_f32x8 gap = grz_f32x8_max(grz_f32x8_max(above, below), grz_f32x8_splat(0.0f));
        sum = grz_f32x8_add(sum, grz_f32x8_multiply(gap, gap));
    }
    return grz_mask8_bits(grz_f32x8_less_equal(sum, limit));
}

// Which of eight boxes overlap one box, or are in reach of it.
static inline uint32_t meets(const grz_boxes *boxes, const float *min, const float *max, size_t stride, float reach)
{
    return reach > 0.0f ? in_reach(boxes, min, max, stride, reach) : overlap(boxes, min, max, stride);
}

// The same for a box that is stored in a node; `box` points to its lower x.
static inline uint32_t meets_stored(const grz_boxes *boxes, const float *box, float reach)
{
    const size_t stride = GRZ_BVH_WIDTH;
    return meets(boxes, box, box + 3 * stride, stride, reach);
}

// Compare eight boxes with the boxes of a node (rows). Returns the mask of rows that meet any, and removes from
// columns[row] the boxes that the row does not meet.
static inline uint32_t compare_rows(const grz_boxes *boxes, const float bounds[2][3][GRZ_BVH_WIDTH], float reach,
                                    uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH])
{
    uint32_t kept = 0;
    for (; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        columns[i] &= meets(boxes, &bounds[0][0][i], &bounds[1][0][i], GRZ_BVH_WIDTH, reach);
        kept |= (uint32_t)(columns[i] != 0) << i;
    }
    return kept;
}

static inline void store_boxes(const grz_boxes *boxes, float bounds[2][3][GRZ_BVH_WIDTH])
{
    for (int i = 0; i < 3; i++) {
        grz_f32x8_store(bounds[0][i], boxes->min[i]);
        grz_f32x8_store(bounds[1][i], boxes->max[i]);
    }
}

// Where the box of a tree's node or triangle is stored: its lower x.
static inline const float *box_at(const grz_bvh *bvh, uint32_t place)
{
    if (place == GRZ_BVH_NONE)
        return &bvh->whole[0][0][0];
    return &bvh->nodes[place / GRZ_BVH_WIDTH].bounds[0][0][place % GRZ_BVH_WIDTH];
}

static inline const float *box_of(const grz_walk_side *side)
{
    return box_at(side->bvh, side->place);
}

// The size of a side's box (sum of its edges), in units of its tree.
static inline float size_of(const grz_walk_side *side)
{
    const size_t stride = GRZ_BVH_WIDTH;
    const float *min = box_of(side), *max = min + 3 * stride;
    return (max[0] - min[0]) + (max[stride] - min[stride]) + (max[2 * stride] - min[2 * stride]);
}

// The planes of a side's slab in the other side's tree coordinates. Everything below that side lies within
// half_thickness of the middle plane, normal · x + offset = 0. plane[0…2] is the normal, plane[3] the offset.
typedef struct grz_walk_planes {
    const grz_bvh_slab *slab; // NULL: the node has no slab
    float plane[4], half_thickness;
} grz_walk_planes;

// `map` maps the other side's coordinates to this side's.
static inline grz_walk_planes planes_of(const grz_bvh_map *map, const grz_bvh_slab *slab)
{
    grz_walk_planes planes = {.slab = NULL};
    if (!(slab->half < HUGE_VALF))
        return planes;
    const float *n = slab->normal, *c = slab->centre;
    grz_f32x4 row = grz_f32x4_multiply(grz_f32x4_splat(n[0]), grz_f32x4_load(map->m[0]));
    row = grz_f32x4_add(row, grz_f32x4_multiply(grz_f32x4_splat(n[1]), grz_f32x4_load(map->m[1])));
    row = grz_f32x4_add(row, grz_f32x4_multiply(grz_f32x4_splat(n[2]), grz_f32x4_load(map->m[2])));
    grz_f32x4_store(planes.plane, row);
    planes.plane[3] -= n[0] * c[0] + n[1] * c[1] + n[2] * c[2];
    planes.slab = slab;
    planes.half_thickness = slab->half + map->slack + map->reach;
    return planes;
}

// True if the planes separate their side from the other side's slab. A corner below the other side is at most |n_other
// · n|·half + radius·sin(angle) away from its slab's centre along the planes' normal n (docs/internals/bvh.md,
// "Slabs").
static inline bool planes_separate(const grz_walk_planes *planes, const grz_bvh_slab *other)
{
    const float *w = planes->plane, *c = other->centre, *n = other->normal;
    const float distance = (w[0] * c[0] + w[1] * c[1]) + (w[2] * c[2] + w[3]),
                along = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
    // 16 roundings of floats: the square has 3, the other one 7, the difference one.
    const float square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], across = square * (1.0f + 0x1p-20f) - along * along;
    const float gap = fabsf(distance) - planes->half_thickness - fabsf(along) * other->half;
    return gap > LEAST_GAP && gap * gap > other->radius * other->radius * across;
}

// Which of the other side's children reach between the planes, as a bit mask.
static inline uint32_t children_between_planes(const grz_walk_planes *planes, const grz_bvh_node *other)
{
    grz_f32x8 low = grz_f32x8_splat(planes->plane[3]), high = low;
    if (planes->slab == NULL)
        return (1u << GRZ_BVH_WIDTH) - 1;
    for (int axis = 0; axis < 3; axis++) {
        const int negative = planes->plane[axis] < 0.0f;
        const grz_f32x8 w = grz_f32x8_splat(planes->plane[axis]);
        low = grz_f32x8_add(low, grz_f32x8_multiply(w, grz_f32x8_load(other->bounds[negative][axis])));
        high = grz_f32x8_add(high, grz_f32x8_multiply(w, grz_f32x8_load(other->bounds[1 - negative][axis])));
    }
    return grz_mask8_bits(grz_mask8_and(grz_f32x8_less_equal(low, grz_f32x8_splat(planes->half_thickness)),
                                        grz_f32x8_less_equal(grz_f32x8_splat(-planes->half_thickness), high)));
}

// Compare the slabs of two nodes, and the children of each node with the other's slab. False: the nodes are separated.
static inline bool compare_slabs(const grz_bvh_walk *walk, grz_walk_side *a, grz_walk_side *b)
{
    const grz_bvh_slab *slab_a = &walk->slabs_a[a->child], *slab_b = &walk->slabs_b[b->child];
    const grz_walk_planes planes_a = planes_of(&walk->frames.b, slab_a), planes_b = planes_of(&walk->frames.a, slab_b);
    if (planes_a.slab != NULL && planes_b.slab != NULL &&
        (planes_separate(&planes_a, slab_b) || planes_separate(&planes_b, slab_a)))
        return false;
    a->child_mask = children_between_planes(&planes_b, a->node);
    b->child_mask = children_between_planes(&planes_a, b->node);
    return a->child_mask != 0 && b->child_mask != 0;
}

// Compare the children of two nodes: these rows, and of each row these columns. First A's children with the whole of B:
// usually only two or three of them overlap it.
FOLDED uint32_t compare_nodes(const grz_bvh_walk *walk, const grz_walk_side *a, const grz_walk_side *b, bool near,
                              uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH])
{
    const grz_bvh_frame_kind kind = walk->frames.kind;
    float mapped[2][3][GRZ_BVH_WIDTH];
    const float(*bounds)[3][GRZ_BVH_WIDTH] = a->node->bounds;
    grz_boxes boxes;
    const float reach_a = near ? walk->frames.a.reach : 0.0f, reach_b = near ? walk->frames.b.reach : 0.0f;
    if (kind == GRZ_FRAMES_SAME) {
        load_boxes(a->node, &boxes);
    } else {
        map_boxes(&walk->frames.a, a->node, &boxes);
        store_boxes(&boxes, mapped);
        bounds = (const float(*)[3][GRZ_BVH_WIDTH])mapped;
    }
    if (kind != GRZ_FRAMES_WORLD) {
        const float *whole = box_of(b);
        rows &= meets_stored(&boxes, whole, reach_a);
        if (rows == 0)
            return 0;
    }
    if (kind == GRZ_FRAMES_WORLD)
        map_boxes(&walk->frames.b, b->node, &boxes);
    else
        load_boxes(b->node, &boxes);
    rows = compare_rows(&boxes, bounds, reach_a, rows, columns);
    if (rows == 0 || kind != GRZ_FRAMES_TREES)
        return rows;
    map_boxes(&walk->frames.b, b->node, &boxes);
    return compare_rows(&boxes, a->node->bounds, reach_b, rows, columns);
}

// Compare a closed side with the children of a node: which of them overlap it, as a bit mask.
FOLDED uint32_t compare_closed(grz_bvh_frame_kind kind, const grz_bvh_map *closed_map, const grz_bvh_map *open_map,
                               const grz_walk_side *closed, const grz_walk_side *open, bool near)
{
    const float reach = near ? closed_map->reach : 0.0f, reach_back = near ? open_map->reach : 0.0f;
    const float *box = box_of(closed);
    float min[4], max[4];
    uint32_t overlapping = open->child_mask;
    grz_boxes boxes;
    if (kind == GRZ_FRAMES_SAME) {
        load_boxes(open->node, &boxes);
        return meets_stored(&boxes, box, 0.0f);
    }
    map_box(closed_map, box, min, max);
    if (kind == GRZ_FRAMES_TREES) {
        load_boxes(open->node, &boxes);
        overlapping &= meets(&boxes, min, max, 1, reach);
        if (overlapping == 0)
            return 0;
    }
    map_boxes(open_map, open->node, &boxes);
    if (kind == GRZ_FRAMES_TREES)
        return overlapping & meets_stored(&boxes, box, reach_back);
    // In world coordinates only one of the two has the reach.
    return meets(&boxes, min, max, 1, reach > reach_back ? reach : reach_back);
}

// Compare the two sides of a pair: which children of A (rows) overlap which children of B (columns). A closed side
// counts as one child, number 0. `near`: the walk has a reach.
FOLDED uint32_t compare(const grz_bvh_walk *walk, const grz_walk_side *a, const grz_walk_side *b, bool near,
                        uint32_t columns[GRZ_BVH_WIDTH])
{
    if (!a->closed && !b->closed) {
        for (int i = 0; i < GRZ_BVH_WIDTH; i++)
            columns[i] = b->child_mask;
        return compare_nodes(walk, a, b, near, a->child_mask, columns);
    }
    const grz_bvh_map *a_to_b = &walk->frames.a, *b_to_a = &walk->frames.b;
    if (a->closed) {
        columns[0] = compare_closed(walk->frames.kind, a_to_b, b_to_a, a, b, near);
        return columns[0] != 0;
    }
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        columns[i] = 1;
    return compare_closed(walk->frames.kind, b_to_a, a_to_b, b, a, near);
}

static inline grz_walk_side side_of(const grz_bvh *bvh, uint32_t child, uint32_t place)
{
    const bool triangle = grz_bvh_is_triangle(child);
    return (grz_walk_side){
        bvh, child, place, triangle, triangle ? NULL : &bvh->nodes[child], (1u << GRZ_BVH_WIDTH) - 1};
}

// Close one of the two sides if it is better to open only the other one: this one is a leaf and the other is not
// (triangles are best compared with triangles, eight by eight), or the other is much larger.
static inline void choose_sides(const grz_bvh_walk *walk, grz_walk_side *a, grz_walk_side *b)
{
    if (a->closed || b->closed)
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

// True if there may be triangles among a side's children. Nodes come before triangles.
static inline bool may_hold_triangles(const grz_walk_side *side)
{
    return grz_bvh_is_triangle(side->closed ? side->child : side->node->child[GRZ_BVH_WIDTH - 1]);
}

// For a mesh with itself: exclude pairs of triangles that share a vertex with a clear fan (space/bvh/fans.h), or
// a hub, whose pairs are found in another way (space/bvh/hubs.h).
static inline void exclude_neighbours(const grz_bvh_walk *walk, const uint32_t children_a[GRZ_BVH_WIDTH],
                                      const uint32_t children_b[GRZ_BVH_WIDTH], uint32_t rows,
                                      uint32_t columns[GRZ_BVH_WIDTH])
{
    uint32_t names[3][GRZ_BVH_WIDTH], overlapping = 0;
    for (uint32_t row = rows; row != 0; row &= row - 1)
        overlapping |= columns[__builtin_ctz(row)];
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < GRZ_BVH_WIDTH; j++)
            names[k][j] = GRZ_FAN_UNCLEAR;
    for (; overlapping != 0; overlapping &= overlapping - 1) {
        const int j = __builtin_ctz(overlapping);
        if (!grz_bvh_is_triangle(children_b[j]) || children_b[j] == GRZ_BVH_NONE)
            continue;
        const uint32_t *corners = walk->mesh_a->triangles + 3 * (size_t)grz_bvh_triangle(children_b[j]);
        for (int k = 0; k < 3; k++)
            names[k][j] = walk->fans[corners[k]];
    }
    for (; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        if (!grz_bvh_is_triangle(children_a[i]) || children_a[i] == GRZ_BVH_NONE)
            continue;
        const uint32_t *corners = walk->mesh_a->triangles + 3 * (size_t)grz_bvh_triangle(children_a[i]);
        grz_mask8 shared = grz_u32x8_equal(grz_u32x8_splat(0), grz_u32x8_splat(1));
        for (int k = 0; k < 3; k++) {
            const uint32_t name = walk->fans[corners[k]];
            const grz_u32x8 all = grz_u32x8_splat(name == GRZ_FAN_UNCLEAR ? GRZ_FAN_NOBODY : name);
            for (int l = 0; l < 3; l++)
                shared = grz_mask8_or(shared, grz_u32x8_equal(all, grz_u32x8_load(names[l])));
        }
        columns[i] &= ~grz_mask8_bits(shared);
    }
}

// For a mesh with itself: true if all triangles of both nodes are in one clear fan, or one hub.
static inline bool in_one_fan(const grz_bvh_walk *walk, const grz_bvh_pair *pair)
{
    if (grz_bvh_is_triangle(pair->a) || grz_bvh_is_triangle(pair->b))
        return false;
    const grz_fan_names *a = &walk->fan_nodes[pair->a], *b = &walk->fan_nodes[pair->b];
    return grz_fan_names_have(b, a->names[0]) || grz_fan_names_have(b, a->names[1]) ||
           grz_fan_names_have(b, a->names[2]);
}

// Propose a pair of triangles. False: stop.
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

// Propose pairs of triangles, and list the other pairs, of these rows and columns. `same`: both sides are one node.
FOLDED size_t list_children(const grz_bvh_walk *walk, const grz_walk_side *a, const grz_walk_side *b, bool same,
                            uint32_t rows, const uint32_t columns[GRZ_BVH_WIDTH], grz_bvh_pair *out, grz_chunk *chunk,
                            bool *go_on)
{
    const uint32_t *children_a = a->closed ? &a->child : a->node->child,
                   *children_b = b->closed ? &b->child : b->node->child;
    const uint32_t places_a = a->closed ? a->place : a->child * GRZ_BVH_WIDTH,
                   places_b = b->closed ? b->place : b->child * GRZ_BVH_WIDTH;
    size_t count = 0;
    for (; rows != 0; rows &= rows - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rows), child_a = children_a[i];
        const bool triangle_a = grz_bvh_is_triangle(child_a);
        uint32_t row = columns[i];
        if (child_a == GRZ_BVH_NONE) // an empty box can overlap only the box of a frame that maps everything everywhere
            break;
        if (same) { // each pair once; nodes also with themselves
            row &= ~((2u << i) - 1);
            if (!triangle_a)
                out[count++] = (grz_bvh_pair){child_a, child_a, places_a + i, places_a + i};
        }
        for (; row != 0; row &= row - 1) {
            const uint32_t j = (uint32_t)__builtin_ctz(row), child_b = children_b[j];
            if (child_b == GRZ_BVH_NONE)
                break;
            if (!triangle_a || !grz_bvh_is_triangle(child_b)) {
                out[count++] = (grz_bvh_pair){child_a, child_b, places_a + i, places_b + j};
            } else if (!propose_pair(walk, child_a, child_b, chunk)) {
                *go_on = false;
                return 0;
            }
        }
    }
    assert(count <= GRZ_BVH_MOST_PAIRS);
    return count;
}

// What directions see of a side. Of the root as a whole they see nothing.
static inline bool side_for_directions(const grz_walk_side *side, int number, grz_directions_pair *pair)
{
    pair->closed[number] = side->closed;
    pair->nodes[number] = side->closed ? side->place / GRZ_BVH_WIDTH : side->child;
    pair->at[number] = side->closed ? side->place % GRZ_BVH_WIDTH : 0;
    return !side->closed || side->place != GRZ_BVH_NONE;
}

// True if the reach is much longer than two nodes: then their children differ in direction only, which directions see
// better than boxes.
static inline bool is_far_reach(const grz_bvh_walk *walk, const grz_walk_side *a, const grz_walk_side *b)
{
    return walk->frames.a.reach > FAR_REACH * (walk->frames.scale_a * size_of(a) + walk->frames.scale_b * size_of(b));
}

// Compare the children of two nodes by directions, then by boxes, then by directions again.
static uint32_t compare_by_directions(const grz_bvh_walk *walk, grz_walk_side *a, grz_walk_side *b,
                                      grz_directions *directions, const grz_directions_pair *pair,
                                      uint32_t columns[GRZ_BVH_WIDTH])
{
    const uint32_t all = (1u << GRZ_BVH_WIDTH) - 1;
    uint32_t boxes[GRZ_BVH_WIDTH];
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        columns[i] = b->closed ? 1 : all;
    uint32_t rows = GRZ_OF_WIDTH(grz_directions).part(directions, walk, pair, a->closed ? 1 : all, columns);
    if (rows == 0)
        return 0;
    const bool far_reach = is_far_reach(walk, a, b);
    if (!far_reach && (a->closed || b->closed)) {
        rows &= compare(walk, a, b, true, boxes);
        for (int i = 0; i < GRZ_BVH_WIDTH; i++)
            columns[i] &= boxes[i];
    } else if (!far_reach) {
        if (walk->slabs_a != NULL && !compare_slabs(walk, a, b))
            return 0;
        for (int i = 0; i < GRZ_BVH_WIDTH; i++)
            columns[i] &= b->child_mask;
        rows = compare_nodes(walk, a, b, true, rows & a->child_mask, columns);
    }
    return rows == 0 ? 0 : GRZ_OF_WIDTH(grz_directions).part_further(directions, walk, pair, rows, columns);
}

// Open a pair of a walk with a reach.
static __attribute__((noinline)) size_t open_near(const grz_bvh_walk *walk, const grz_bvh_pair *pair, grz_bvh_pair *out,
                                                  grz_chunk *chunk, grz_directions *directions, bool *go_on)
{
    grz_walk_side a = side_of(walk->bvh_a, pair->a, pair->place_a), b = side_of(walk->bvh_b, pair->b, pair->place_b);
    uint32_t columns[GRZ_BVH_WIDTH], rows;
    grz_directions_pair seen;
    choose_sides(walk, &a, &b);
    if (directions != NULL && side_for_directions(&a, 0, &seen) && side_for_directions(&b, 1, &seen)) {
        rows = compare_by_directions(walk, &a, &b, directions, &seen, columns);
    } else {
        if (walk->slabs_a != NULL && !a.closed && !b.closed && !compare_slabs(walk, &a, &b))
            return 0;
        rows = compare(walk, &a, &b, true, columns);
    }
    const size_t count = list_children(walk, &a, &b, false, rows, columns, out, chunk, go_on);
    if (*go_on && walk->first_contact && directions != NULL && directions->found)
        *go_on = grz_chunk_flush(chunk); // it holds the answer
    return count;
}

// Open a pair of a walk without a reach.
static size_t open_touching(const grz_bvh_walk *walk, const grz_bvh_pair *pair, grz_bvh_pair *out, grz_chunk *chunk,
                            bool *go_on)
{
    if (pair->place_a == GRZ_BVH_HUB_ITEMS)
        return grz_bvh_open_hub_items(walk, pair, out, chunk, go_on);
    grz_walk_side a = side_of(walk->bvh_a, pair->a, pair->place_a), b = side_of(walk->bvh_b, pair->b, pair->place_b);
    const bool same = walk->self && pair->a == pair->b;
    uint32_t columns[GRZ_BVH_WIDTH];
    assert(!(a.closed && b.closed) && (walk->slabs_a == NULL) == (walk->slabs_b == NULL));
    if (walk->fan_nodes != NULL && in_one_fan(walk, pair))
        return 0;
    if (walk->slabs_a != NULL && !a.closed && !b.closed && !compare_slabs(walk, &a, &b))
        return 0;
    if (!same)
        choose_sides(walk, &a, &b);
    const uint32_t rows = compare(walk, &a, &b, false, columns);
    if (walk->fans != NULL && may_hold_triangles(&a) && may_hold_triangles(&b))
        exclude_neighbours(walk, a.closed ? &a.child : a.node->child, b.closed ? &b.child : b.node->child, rows,
                           columns);
    return list_children(walk, &a, &b, same, rows, columns, out, chunk, go_on);
}

static size_t open_pair(const grz_bvh_walk *walk, const grz_bvh_pair *pair, grz_bvh_pair *out, grz_chunk *chunk,
                        bool *go_on)
{
    return walk->near ? open_near(walk, pair, out, chunk, NULL, go_on) : open_touching(walk, pair, out, chunk, go_on);
}

// The squared distance of the centres of two boxes, in B's coordinates; approximate.
static inline float distance_of(const grz_bvh_walk *walk, const grz_bvh_pair *pair)
{
    const size_t stride = GRZ_BVH_WIDTH;
    const float *a = box_at(walk->bvh_a, pair->place_a), *b = box_at(walk->bvh_b, pair->place_b);
    const grz_bvh_map *map = &walk->frames.a;
    float middle[4], sum = 0.0f;
    grz_f32x4 centre = grz_f32x4_load(map->columns[3]);
    for (size_t j = 0; j < 3; j++) {
        const grz_f32x4 half = grz_f32x4_splat(0.5f * (a[j * stride] + a[(j + 3) * stride]));
        centre = grz_f32x4_add(centre, grz_f32x4_multiply(grz_f32x4_load(map->columns[j]), half));
    }
    grz_f32x4_store(middle, centre);
    for (size_t i = 0; i < 3; i++) {
        const float apart = middle[i] - 0.5f * (b[i * stride] + b[(i + 3) * stride]);
        sum += apart * apart;
    }
    return sum;
}

// Move the pair with the nearest centres to the end of the list, which is opened next: it is the most likely to lead to
// a contact.
static inline void move_nearest_last(const grz_bvh_walk *walk, grz_bvh_pair *pairs, size_t count)
{
    assert(count > 0);
    float least = HUGE_VALF;
    size_t nearest = count - 1;
    for (size_t i = 0; i < count; i++) {
        const float distance = distance_of(walk, &pairs[i]);
        nearest = distance < least ? i : nearest;
        least = distance < least ? distance : least;
    }
    const grz_bvh_pair last = pairs[count - 1];
    pairs[count - 1] = pairs[nearest];
    pairs[nearest] = last;
}

// `near`: the walk has a reach.
FOLDED size_t walk_down_to(const grz_bvh_walk *walk, bool near, grz_directions *directions, grz_bvh_pair *stack,
                           size_t depth, uint64_t *steps)
{
    const uint64_t first = near ? NEAREST_FIRST_NEAR : NEAREST_FIRST;
    grz_chunk chunk;
    bool go_on = true;
    uint64_t ordered = UINT64_MAX; // nearest first as long as at least so many steps are left
    if ((walk->first_contact || directions != NULL) && walk->frames.kind == GRZ_FRAMES_TREES)
        ordered = *steps > first ? *steps - first : 0;
    grz_chunk_init(&chunk, walk->sink, walk->job, walk->first_contact);
    while (depth > 0 && *steps > 0) {
        if ((--*steps & 63u) == 0 && walk->sink->stopped(walk->sink, walk->job))
            return 0;
        const grz_bvh_pair pair = stack[--depth];
        assert(depth + GRZ_BVH_MOST_PAIRS <= GRZ_BVH_WALK_STACK);
        const size_t count = near ? open_near(walk, &pair, stack + depth, &chunk, directions, &go_on)
                                  : open_touching(walk, &pair, stack + depth, &chunk, &go_on);
        if (count > 1 && *steps >= ordered)
            move_nearest_last(walk, stack + depth, count);
        depth += count;
        if (!go_on)
            return 0;
    }
    return grz_chunk_flush(&chunk) ? depth : 0;
}

static __attribute__((noinline)) size_t walk_down_near(const grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth,
                                                       uint64_t *steps)
{
    grz_directions directions;
    if (!walk->has_directions)
        return walk_down_to(walk, true, NULL, stack, depth, steps);
    GRZ_OF_WIDTH(grz_directions).begin(&directions, walk);
    return walk_down_to(walk, true, &directions, stack, depth, steps);
}

static size_t walk_down(const grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth, uint64_t *steps)
{
    return walk->near ? walk_down_near(walk, stack, depth, steps)
                      : walk_down_to(walk, false, NULL, stack, depth, steps);
}

const grz_bvh_walker GRZ_OF_WIDTH(grz_bvh_walker) = {.open = open_pair, .down = walk_down};
