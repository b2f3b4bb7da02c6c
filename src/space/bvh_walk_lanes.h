// SPDX-License-Identifier: MIT
// The walk, included by one file for each width of registers, which defines GRZ_BVH_WALKER, the name of its walker. Of a pair of
// nodes all 64 pairs of children are compared, eight at a time: boxes of A's are brought into B's coordinates and the other way
// round, which together is the separating-axis test along the six face normals. Sources: S. Gottschalk, M. Lin, D. Manocha,
// "OBBTree" (1996), for the walk of two trees and the axes; H. Dammertz, J. Hanika, A. Keller, "Shallow bounding volume hierarchies"
// (2008), for wide nodes.
#include <math.h>

#include "base/lanes.h"
#include "space/bvh_walk.h"

// Eight boxes in a frame's coordinates.
typedef struct grz_boxes {
    grz_lanes min[3], max[3];
} grz_boxes;

static const float MUCH_LARGER = 3.0f; // found by trying; 2 to 4 make little difference

enum {
    NEAREST_FIRST = 16 // pairs of nodes at the beginning of a walk; found by trying: 8 to 64 make little difference
};

// One side of a pair: a node to open, or a box that stays closed, child `place` % 8 of node `place` / 8.
typedef struct grz_walk_side {
    const grz_bvh *bvh;
    uint32_t child, place;
    bool closed;
    const grz_bvh_node *node;
    uint32_t near; // which children reach between the planes of the other side's slab
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

// The same for one box, given by where its least x lies in its node: its centre is mapped, and its halves by the magnitudes of the
// entries.
static inline void map_box(const grz_bvh_map *map, const float *bounds, float min[4], float max[4])
{
    grz_quad centre = grz_quad_load(map->columns[3]), reach = grz_quad_load(map->magnitudes[3]);
    const size_t stride = GRZ_BVH_WIDTH;
    for (size_t j = 0; j < 3; j++) {
        const float low = bounds[j * stride], high = bounds[(3 + j) * stride];
        const grz_quad middle = grz_quad_all(0.5f * (low + high)), half = grz_quad_all(0.5f * (high - low));
        centre = grz_quad_add(centre, grz_quad_multiply(grz_quad_load(map->columns[j]), middle));
        reach = grz_quad_add(reach, grz_quad_multiply(grz_quad_load(map->magnitudes[j]), half));
    }
    grz_quad_store(min, grz_quad_subtract(centre, reach));
    grz_quad_store(max, grz_quad_add(centre, reach));
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

// The planes of a side's slab in the other side's tree coordinates: all that is below it lies within `reach` of the middle plane,
// which is where normal · x + offset is 0. The last of `plane` is the offset.
typedef struct grz_walk_planes {
    const grz_bvh_slab *slab; // NULL: there is none
    float plane[4], reach;
} grz_walk_planes;

// `map` takes the other side's coordinates to this one's.
static inline grz_walk_planes planes_of(const grz_bvh_map *map, const grz_bvh_slab *slab)
{
    grz_walk_planes planes = {.slab = NULL};
    if (!(slab->half < HUGE_VALF))
        return planes;
    const float *n = slab->normal, *c = slab->centre;
    grz_quad row = grz_quad_multiply(grz_quad_all(n[0]), grz_quad_load(map->m[0]));
    row = grz_quad_add(row, grz_quad_multiply(grz_quad_all(n[1]), grz_quad_load(map->m[1])));
    row = grz_quad_add(row, grz_quad_multiply(grz_quad_all(n[2]), grz_quad_load(map->m[2])));
    grz_quad_store(planes.plane, row);
    planes.plane[3] -= n[0] * c[0] + n[1] * c[1] + n[2] * c[2];
    planes.slab = slab;
    planes.reach = slab->half + map->slack;
    return planes;
}

// Whether planes part their side from the other one's slab. A corner of that one is, along the planes' normal, as far from its
// centre as its slab reaches that way: half of it along its own normal, and the radius across.
static inline bool planes_part(const grz_walk_planes *planes, const grz_bvh_slab *other)
{
    const float *w = planes->plane, *c = other->centre, *n = other->normal;
    const float distance = (w[0] * c[0] + w[1] * c[1]) + (w[2] * c[2] + w[3]), along = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
    const float square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], across = square * (1.0f + 0x1p-20f) - along * along;
    const float gap = fabsf(distance) - planes->reach - fabsf(along) * other->half;
    return gap > 0x1p-40f && gap * gap > other->radius * other->radius * across;
}

// Which of the other side's children reach between the planes.
static inline uint32_t reach_planes(const grz_walk_planes *planes, const grz_bvh_node *other)
{
    grz_lanes low = grz_lanes_all(planes->plane[3]), high = low;
    if (planes->slab == NULL)
        return (1u << GRZ_BVH_WIDTH) - 1;
    for (int axis = 0; axis < 3; axis++) {
        const int negative = planes->plane[axis] < 0.0f;
        const grz_lanes w = grz_lanes_all(planes->plane[axis]);
        low = grz_lanes_add(low, grz_lanes_multiply(w, grz_lanes_load(other->bounds[negative][axis])));
        high = grz_lanes_add(high, grz_lanes_multiply(w, grz_lanes_load(other->bounds[1 - negative][axis])));
    }
    return grz_lane_mask_bits(grz_lane_masks_and(grz_lanes_at_most(low, grz_lanes_all(planes->reach)),
                                                 grz_lanes_at_most(grz_lanes_all(-planes->reach), high)));
}

// Compare the slabs of two nodes, and each node's children with the other's slab. False: the nodes are parted.
static inline bool compare_slabs(const grz_bvh_walk *walk, grz_walk_side *a, grz_walk_side *b)
{
    const grz_bvh_slab *slab_a = &walk->slabs_a[a->child], *slab_b = &walk->slabs_b[b->child];
    const grz_walk_planes planes_a = planes_of(&walk->frames.b, slab_a), planes_b = planes_of(&walk->frames.a, slab_b);
    if (planes_a.slab != NULL && planes_b.slab != NULL && (planes_part(&planes_a, slab_b) || planes_part(&planes_b, slab_a)))
        return false;
    a->near = reach_planes(&planes_b, a->node);
    b->near = reach_planes(&planes_a, b->node);
    return a->near != 0 && b->near != 0;
}

// Compare the children of two nodes. Few of A's reach into the whole of B.
static inline uint32_t compare_nodes(const grz_bvh_walk *walk, const grz_walk_side *a, const grz_walk_side *b,
                                     uint32_t columns[GRZ_BVH_WIDTH])
{
    const grz_bvh_frame_kind kind = walk->frames.kind;
    float mapped[2][3][GRZ_BVH_WIDTH];
    const float(*bounds)[3][GRZ_BVH_WIDTH] = a->node->bounds;
    grz_boxes boxes;
    uint32_t rows = a->near;
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        columns[i] = b->near;
    if (kind == GRZ_FRAMES_SAME) {
        load_boxes(a->node, &boxes);
    } else {
        map_boxes(&walk->frames.a, a->node, &boxes);
        store_boxes(&boxes, mapped);
        bounds = (const float(*)[3][GRZ_BVH_WIDTH])mapped;
    }
    if (kind != GRZ_FRAMES_WORLD && b->place != GRZ_BVH_NONE) {
        const float *whole = box_of(b);
        rows &= meet_stored(&boxes, whole);
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
                                      const grz_walk_side *closed, const grz_walk_side *open)
{
    const float *box = box_of(closed);
    float min[4], max[4];
    uint32_t met = open->near;
    grz_boxes boxes;
    if (kind == GRZ_FRAMES_SAME) {
        load_boxes(open->node, &boxes);
        return meet_stored(&boxes, box);
    }
    map_box(closed_map, box, min, max);
    if (kind == GRZ_FRAMES_TREES) {
        load_boxes(open->node, &boxes);
        met &= meet(&boxes, min, max, 1);
        if (met == 0)
            return 0;
    }
    map_boxes(open_map, open->node, &boxes);
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
        columns[0] = compare_closed(walk->frames.kind, a_to_b, b_to_a, a, b);
        return columns[0] != 0;
    }
    for (int i = 0; i < GRZ_BVH_WIDTH; i++)
        columns[i] = 1;
    return compare_closed(walk->frames.kind, b_to_a, a_to_b, b, a);
}

static inline grz_walk_side side_of(const grz_bvh *bvh, uint32_t child, uint32_t place)
{
    const bool triangle = grz_bvh_is_triangle(child);
    return (grz_walk_side){bvh, child, place, triangle, triangle ? NULL : &bvh->nodes[child], (1u << GRZ_BVH_WIDTH) - 1};
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

// Whether there are triangles among a side's children; nodes come first.
static inline bool may_hold_triangles(const grz_walk_side *side)
{
    return grz_bvh_is_triangle(side->closed ? side->child : side->node->child[GRZ_BVH_WIDTH - 1]);
}

// Of a mesh with itself, leave out pairs of triangles that share a corner with a clear fan.
static inline void leave_out_neighbours(const grz_bvh_walk *walk, const uint32_t children_a[GRZ_BVH_WIDTH],
                                        const uint32_t children_b[GRZ_BVH_WIDTH], uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH])
{
    uint32_t names[3][GRZ_BVH_WIDTH], met = 0;
    for (uint32_t row = rows; row != 0; row &= row - 1)
        met |= columns[__builtin_ctz(row)];
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < GRZ_BVH_WIDTH; j++)
            names[k][j] = GRZ_FAN_UNCLEAR;
    for (; met != 0; met &= met - 1) {
        const int j = __builtin_ctz(met);
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
        grz_lane_mask shared = grz_lane_numbers_equal(grz_lane_numbers_all(0), grz_lane_numbers_all(1));
        for (int k = 0; k < 3; k++) {
            const uint32_t name = walk->fans[corners[k]];
            const grz_lane_numbers all = grz_lane_numbers_all(name == GRZ_FAN_UNCLEAR ? GRZ_FAN_NOBODY : name);
            for (int l = 0; l < 3; l++)
                shared = grz_lane_masks_or(shared, grz_lane_numbers_equal(all, grz_lane_numbers_load(names[l])));
        }
        columns[i] &= ~grz_lane_mask_bits(shared);
    }
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
    uint32_t columns[GRZ_BVH_WIDTH];
    if (walk->slabs_a != NULL && !a.closed && !b.closed && !compare_slabs(walk, &a, &b))
        return 0;
    if (!same)
        choose_sides(walk, &a, &b);
    uint32_t rows = compare(walk, &a, &b, columns);
    const uint32_t *children_a = a.closed ? &a.child : a.node->child, *children_b = b.closed ? &b.child : b.node->child;
    const uint32_t places_a = a.closed ? a.place : a.child * GRZ_BVH_WIDTH, places_b = b.closed ? b.place : b.child * GRZ_BVH_WIDTH;
    size_t count = 0;
    if (walk->fans != NULL && may_hold_triangles(&a) && may_hold_triangles(&b))
        leave_out_neighbours(walk, children_a, children_b, rows, columns);
    for (; rows != 0; rows &= rows - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rows), child_a = children_a[i];
        const bool triangle_a = grz_bvh_is_triangle(child_a);
        uint32_t row = columns[i];
        if (child_a == GRZ_BVH_NONE) // its empty box meets one that is everywhere
            break;
        if (same) { // each pair once, and nodes with themselves
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
    return count;
}

// How far the middles of two boxes are from each other, squared, in B's coordinates; roughly.
static inline float distance_of(const grz_bvh_walk *walk, const grz_bvh_pair *pair)
{
    const size_t stride = GRZ_BVH_WIDTH;
    const float *a = &walk->bvh_a->nodes[pair->place_a / stride].bounds[0][0][pair->place_a % stride];
    const float *b = &walk->bvh_b->nodes[pair->place_b / stride].bounds[0][0][pair->place_b % stride];
    const grz_bvh_map *map = &walk->frames.a;
    float middle[4], sum = 0.0f;
    grz_quad centre = grz_quad_load(map->columns[3]);
    for (size_t j = 0; j < 3; j++) {
        const grz_quad half = grz_quad_all(0.5f * (a[j * stride] + a[(j + 3) * stride]));
        centre = grz_quad_add(centre, grz_quad_multiply(grz_quad_load(map->columns[j]), half));
    }
    grz_quad_store(middle, centre);
    for (size_t i = 0; i < 3; i++) {
        const float apart = middle[i] - 0.5f * (b[i * stride] + b[(i + 3) * stride]);
        sum += apart * apart;
    }
    return sum;
}

// Let the pair whose middles are nearest be the last one, which is opened next: it most likely leads to a contact.
static inline void put_nearest_last(const grz_bvh_walk *walk, grz_bvh_pair *pairs, size_t count)
{
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

static size_t walk_down(const grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth, uint64_t *steps)
{
    grz_chunk chunk;
    bool go_on = true;
    uint64_t ordered = UINT64_MAX; // as long as so many steps are left
    if (walk->sink->eager && walk->frames.kind == GRZ_FRAMES_TREES)
        ordered = *steps > NEAREST_FIRST ? *steps - NEAREST_FIRST : 0;
    grz_chunk_init(&chunk, walk->sink, walk->job);
    while (depth > 0 && *steps > 0) {
        if ((--*steps & 63u) == 0 && walk->sink->stopped(walk->sink, walk->job))
            return 0;
        const grz_bvh_pair pair = stack[--depth];
        const size_t count = open_pair(walk, &pair, stack + depth, &chunk, &go_on);
        if (count > 1 && *steps >= ordered)
            put_nearest_last(walk, stack + depth, count);
        depth += count;
        if (!go_on)
            return 0;
    }
    return grz_chunk_flush(&chunk) ? depth : 0;
}

const grz_bvh_walker GRZ_BVH_WALKER = {.open = open_pair, .down = walk_down};
