// SPDX-License-Identifier: MIT
// Separates nodes and triangles along directions. Of a node of triangles it is their corners that count, not their
// boxes: far from each other, or along a slanted way, that is most of what tells nodes apart. docs/internals/bvh.md,
// "Directions", has the bounds.
#include "filter/bvh/directions.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "geometry/distance/gap.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

// The way of a gap that is larger than the clearance by less than this share would not separate much else.
static const double SHARE_TO_SPARE = 0x1p-16;

static inline const grz_bvh *tree_of(const grz_bvh_walk *walk, int side)
{
    return side == 0 ? walk->bvh_a : walk->bvh_b;
}

static inline const grz_object *object_of(const grz_bvh_walk *walk, int side)
{
    return side == 0 ? walk->object_a : walk->object_b;
}

// ---- Ends ----------------------------------------------------------------------------------------------------------

static inline void find_ends_of_boxes(const float row[4], const grz_bvh_node *node, float ends[GRZ_BVH_WIDTH])
{
    grz_f32x8 end = grz_f32x8_splat(row[3]);
    for (int j = 0; j < 3; j++) {
        const float *bounds = node->bounds[row[j] >= 0.0f][j];
        end = grz_f32x8_add(end, grz_f32x8_multiply(grz_f32x8_splat(row[j]), grz_f32x8_load(bounds)));
    }
    grz_f32x8_store(ends, end);
}

static inline double larger(double x, double y)
{
    return x > y ? x : y; // fmax() would be a call
}

static inline float end_of_triangle(const double row[4], const grz_mesh *mesh, uint32_t triangle)
{
    const uint32_t *vertex = mesh->triangles + 3 * (size_t)triangle;
    const double x = grz_dot(row, grz_mesh_position(mesh, vertex[0])),
                 y = grz_dot(row, grz_mesh_position(mesh, vertex[1])),
                 z = grz_dot(row, grz_mesh_position(mesh, vertex[2]));
    return (float)(larger(larger(x, y), z) + row[3]);
}

static inline float largest_of(const float x[GRZ_BVH_WIDTH])
{
    float most[GRZ_BVH_WIDTH / 2];
    for (size_t i = 0; i < GRZ_BVH_WIDTH / 2; i++)
        most[i] = x[2 * i] > x[2 * i + 1] ? x[2 * i] : x[2 * i + 1];
    const float first = most[0] > most[1] ? most[0] : most[1], second = most[2] > most[3] ? most[2] : most[3];
    return first > second ? first : second;
}

static void find_ends(const grz_bvh_walk *walk, const grz_direction_side *way, int side, uint32_t node,
                      grz_way_ends *out)
{
    const grz_bvh_node *opened = &tree_of(walk, side)->nodes[node];
    const grz_mesh *mesh = object_of(walk, side)->mesh;
    float most = -HUGE_VALF;
    int i = 0;
    out->refined = 0;
    if (!grz_bvh_is_triangle(opened->child[0])) // nodes come first
        find_ends_of_boxes(way->tree, opened, out->ends);
    if (!grz_bvh_is_triangle(opened->child[GRZ_BVH_WIDTH - 1])) {
        out->most = largest_of(out->ends);
        return;
    }
    for (; !grz_bvh_is_triangle(opened->child[i]); i++)
        most = out->ends[i] > most ? out->ends[i] : most;
    for (; i < GRZ_BVH_WIDTH && opened->child[i] != GRZ_BVH_NONE; i++) {
        const float end = end_of_triangle(way->mesh, mesh, grz_bvh_triangle(opened->child[i]));
        most = end > most ? end : most;
        out->ends[i] = end;
    }
    for (; i < GRZ_BVH_WIDTH; i++)
        out->ends[i] = -HUGE_VALF;
    out->most = most;
}

// Valid until the ends of another node of this side are asked for.
static inline grz_way_ends *ends_of(const grz_bvh_walk *walk, grz_direction_side *way, int side, uint32_t node)
{
    const uint32_t place = node % GRZ_DIRECTION_PLACES;
    if (way->nodes[place] != node) {
        find_ends(walk, way, side, node, &way->places[place]);
        way->nodes[place] = node;
    }
    return &way->places[place];
}

// The ends of some children of a pair's side; of nodes as their own children say.
static inline const float *refined_ends(const grz_bvh_walk *walk, grz_direction_side *way, int side,
                                        const grz_directions_pair *pair, uint32_t children)
{
    const uint32_t node = pair->nodes[side], *child = tree_of(walk, side)->nodes[node].child;
    grz_way_ends *now = ends_of(walk, way, side, node);
    children = children << pair->at[side] & ~now->refined;
    now->refined |= children;
    for (; children != 0; children &= children - 1) {
        const int i = __builtin_ctz(children);
        if (grz_bvh_is_triangle(child[i]) || child[i] % GRZ_DIRECTION_PLACES == node % GRZ_DIRECTION_PLACES)
            continue; // the second would take the node's place
        const float end = ends_of(walk, way, side, child[i])->most;
        now->ends[i] = end < now->ends[i] ? end : now->ends[i];
    }
    return now->ends + pair->at[side];
}

// ---- Directions
// ----------------------------------------------------------------------------------------------------------

static void set_side(const grz_bvh_walk *walk, grz_direction_side *way, int side, const float row[4])
{
    const grz_bvh *bvh = tree_of(walk, side);
    memcpy(way->tree, row, sizeof way->tree);
    for (int j = 0; j < 3; j++) {
        double along = (double)row[j];
        if (bvh->turned)
            along = ((double)row[0] * bvh->axes[0][j] + (double)row[1] * bvh->axes[1][j]) +
                    (double)row[2] * bvh->axes[2][j];
        way->mesh[j] = along * bvh->scale;
    }
    way->mesh[3] = (double)row[3] - grz_dot(way->mesh, bvh->origin);
    for (int i = 0; i < GRZ_DIRECTION_PLACES; i++)
        way->nodes[i] = GRZ_BVH_NONE;
}

// Take a world direction of any length from A to B in the place of the last way. Nothing changes if it is none.
static void take_direction(grz_directions *directions, const grz_bvh_walk *walk, const double direction[3])
{
    const double(*pose)[4] = walk->object_b->pose.m;
    const float(*map)[4] = walk->frames.a.m;
    double in_mesh[3], unit[3];
    float rows[2][4];
    for (int j = 0; j < 3; j++)
        in_mesh[j] = (direction[0] * pose[0][j] + direction[1] * pose[1][j]) + direction[2] * pose[2][j];
    for (int j = 0; j < 3; j++)
        unit[j] = walk->bvh_b->turned ? grz_dot(in_mesh, walk->bvh_b->axes[j]) : in_mesh[j];
    if (!grz_make_unit(unit) || !(fabs(unit[0]) + fabs(unit[1]) + fabs(unit[2]) < 2.0))
        return;
    for (int j = 0; j < 3; j++)
        rows[1][j] = -(float)unit[j];
    rows[1][3] = 0.0f;
    for (int j = 0; j < 4; j++)
        rows[0][j] = -((rows[1][0] * map[0][j] + rows[1][1] * map[1][j]) + rows[1][2] * map[2][j]);
    if (directions->count < GRZ_DIRECTIONS) {
        directions->order[directions->count] = directions->count;
        directions->count++;
    }
    const uint8_t last = directions->order[directions->count - 1];
    memmove(&directions->order[1], &directions->order[0],
            (size_t)(directions->count - 1) * sizeof directions->order[0]);
    directions->order[0] = last;
    for (int side = 0; side < 2; side++)
        set_side(walk, &directions->all[last].sides[side], side, rows[side]);
}

static void begin(grz_directions *directions, const grz_bvh_walk *walk)
{
    double middles[2][3], direction[3];
    directions->count = 0;
    directions->found = false;
    for (int side = 0; side < 2; side++) {
        const grz_object *object = object_of(walk, side);
        const grz_box *box = &object->mesh->bounds;
        double middle[3];
        for (int k = 0; k < 3; k++)
            middle[k] = 0.5 * box->min[k] + 0.5 * box->max[k];
        grz_world_position(&object->pose, middle, middles[side]);
    }
    for (int k = 0; k < 3; k++)
        direction[k] = middles[1][k] - middles[0][k];
    take_direction(directions, walk, direction);
    if (directions->count == 0)
        return;
    // If it does not separate the whole objects at all, it would separate little of them, and cost its ends.
    grz_direction_side *sides = directions->all[0].sides;
    const float gap = -(ends_of(walk, &sides[0], 0, 0)->most + ends_of(walk, &sides[1], 1, 0)->most);
    if (!(gap > 0.0f))
        directions->count = 0;
}

static inline void use_earlier(grz_directions *directions, int k)
{
    const uint8_t at = directions->order[k];
    if (k == 0)
        return;
    directions->order[k] = directions->order[k - 1];
    directions->order[k - 1] = at;
}

// ---- Separation ----------------------------------------------------------------------------------------------------

// How far the ends of two sides must be apart, at least.
static inline float limit_of(const grz_bvh_walk *walk)
{
    return walk->frames.a.reach + walk->frames.a.slack;
}

static inline uint32_t part_along(const grz_bvh_walk *walk, const grz_directions_pair *pair, const float *ends_a,
                                  const float *ends_b, uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH])
{
    const grz_f32x8 all_b = pair->closed[1] ? grz_f32x8_splat(*ends_b) : grz_f32x8_load(ends_b),
                    least = grz_f32x8_subtract(grz_f32x8_splat(-limit_of(walk)), all_b);
    uint32_t kept = 0;
    for (; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        columns[i] &= ~grz_mask8_bits(grz_f32x8_less_equal(grz_f32x8_splat(ends_a[i]), least));
        kept |= (uint32_t)(columns[i] != 0) << i;
    }
    return kept;
}

// Along the first way only: what the others separate is seen when nodes are looked at more closely.
static uint32_t part(grz_directions *directions, const grz_bvh_walk *walk, const grz_directions_pair *pair,
                     uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH])
{
    if (directions->count == 0)
        return rows;
    grz_direction_side *sides = directions->all[directions->order[0]].sides;
    const float *ends_a = ends_of(walk, &sides[0], 0, pair->nodes[0])->ends + pair->at[0],
                *ends_b = ends_of(walk, &sides[1], 1, pair->nodes[1])->ends + pair->at[1];
    return part_along(walk, pair, ends_a, ends_b, rows, columns);
}

static inline uint32_t all_columns(uint32_t rows, const uint32_t columns[GRZ_BVH_WIDTH])
{
    uint32_t all = 0;
    for (; rows != 0; rows &= rows - 1)
        all |= columns[__builtin_ctz(rows)];
    return all;
}

static uint32_t part_refined(grz_directions *directions, const grz_bvh_walk *walk, const grz_directions_pair *pair,
                             uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH])
{
    for (int k = 0; k < directions->count && rows != 0; k++) {
        grz_direction_side *sides = directions->all[directions->order[k]].sides;
        const float *ends_a = refined_ends(walk, &sides[0], 0, pair, rows),
                    *ends_b = refined_ends(walk, &sides[1], 1, pair, all_columns(rows, columns));
        const uint32_t kept = part_along(walk, pair, ends_a, ends_b, rows, columns);
        if (kept != rows)
            use_earlier(directions, k);
        rows = kept;
    }
    return rows;
}

// A triangle among the children of a side, in the world. False: the child is a node, or none.
static bool pose_child(const grz_bvh_walk *walk, const grz_directions_pair *pair, int side, int i, double corners[3][3])
{
    const grz_object *object = object_of(walk, side);
    const uint32_t child = tree_of(walk, side)->nodes[pair->nodes[side]].child[(uint32_t)i + pair->at[side]];
    if (!grz_bvh_is_triangle(child) || child == GRZ_BVH_NONE)
        return false;
    grz_world_corners(object->mesh, &object->pose, grz_bvh_triangle(child), corners);
    return true;
}

// Compare pairs of triangles, up to the first one that may be nearer than the clearance; what is left then goes to the
// sink as it is.
static uint32_t part_triangles(grz_directions *directions, const grz_bvh_walk *walk, const grz_directions_pair *pair,
                               uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH])
{
    double a[3][3], b[3][3], way[3];
    for (uint32_t left = rows; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        uint32_t column = pose_child(walk, pair, 0, i, a) ? columns[i] : 0;
        while (column != 0) {
            const int j = __builtin_ctz(column);
            column &= column - 1;
            if (!pose_child(walk, pair, 1, j, b))
                continue;
            const grz_gap gap =
                GRZ_OF_WIDTH(grz_triangle_gap_of)((const double(*)[3])a, (const double(*)[3])b, walk->clearance, way);
            if (gap.lower < walk->clearance) {
                directions->found = directions->found || gap.upper < walk->clearance;
                return rows;
            }
            columns[i] &= ~(1u << j);
            if (columns[i] == 0)
                rows &= ~(1u << i);
            if (gap.lower < walk->clearance * (1.0 + SHARE_TO_SPARE) || rows == 0)
                continue;
            take_direction(directions, walk, way);
            rows = part(directions, walk, pair, rows, columns);
            left &= rows | 1u << i;
            column &= columns[i];
        }
    }
    return rows;
}

static uint32_t part_further(grz_directions *directions, const grz_bvh_walk *walk, const grz_directions_pair *pair,
                             uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH])
{
    rows = part_refined(directions, walk, pair, rows, columns);
    return rows != 0 ? part_triangles(directions, walk, pair, rows, columns) : 0;
}

const grz_directions_functions GRZ_OF_WIDTH(grz_directions) = {
    .begin = begin, .part = part, .part_further = part_further};
