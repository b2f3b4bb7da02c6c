// SPDX-License-Identifier: MIT
// Tests whether a polygon crosses itself, in O(n log n): a line sweeps over the edges and keeps those that it meets in
// order. Source: M. Shamos, D. Hoey, Geometric intersection problems (1976). Used where the boxes of too many edges
// overlap (polygon_crossing.c); the answer is the same.
//
// Why it is right where edges touch or coincide. The sweep line goes through the points in lexicographic order, and at
// a point edges that end there are removed before others are inserted. Edges that do not cross keep their order from
// one to the other end of what they have in common; edges on one line are ordered by number, and nothing lies between
// them. Let X be the first point, in that order, in which the interiors of two edges cross. Up to X the order of the
// edges is therefore right. Of the edges that run through X, two neighbours in different directions cross there. What
// lies between those two in the order has X in it and does not run through X: it ends there. So the two have become
// neighbours at the latest when that was removed, and neighbours are tested whenever two edges become that.
#include "geometry/polygon/polygon_parts.h"

enum {
    LOOK_BITS = 10 // events between two looks at the control, as a power of two
};

typedef struct grz_edge_sweep {
    const double *points;
    uint32_t count;
    grz_balanced_node *nodes; // one for each edge; only those that the sweep line meets are in the tree
    uint32_t root;
    uint64_t steps;
} grz_edge_sweep;

// An end of an edge as one number: twice the edge, plus 1 for the end that the sweep line meets last.
static const double *end_point(const double *points, uint32_t count, uint32_t end)
{
    const uint32_t edge = end / 2, next = edge + 1 < count ? edge + 1 : 0;
    const double *p = points + 2 * (size_t)edge, *q = points + 2 * (size_t)next;
    return (grz_polygon_step(p, q) > 0) == (end % 2 == 0) ? p : q;
}

// True if the sweep line comes to end x after end y.
static bool comes_after(uint32_t x, uint32_t y, const void *context)
{
    const grz_edge_sweep *sweep = context;
    const int step =
        grz_polygon_step(end_point(sweep->points, sweep->count, y), end_point(sweep->points, sweep->count, x));
    return step > 0 || (step == 0 && x % 2 < y % 2);
}

// Insert an edge that begins on the sweep line.
static void insert(grz_edge_sweep *sweep, uint32_t edge)
{
    const double *from = end_point(sweep->points, sweep->count, 2 * edge);
    const double *to = end_point(sweep->points, sweep->count, 2 * edge + 1);
    uint32_t parent = GRZ_NO_NODE;
    int side = 0;
    for (uint32_t node = sweep->root; node != GRZ_NO_NODE; node = sweep->nodes[node].child[side]) {
        const double *a = end_point(sweep->points, sweep->count, 2 * node);
        const double *b = end_point(sweep->points, sweep->count, 2 * node + 1);
        int above = grz_orient2d(a, b, from);
        if (above == 0)
            above = grz_orient2d(a, b, to);
        side = above > 0 || (above == 0 && edge > node);
        parent = node;
        sweep->steps++;
    }
    grz_balanced_insert(sweep->nodes, &sweep->root, edge, parent, side);
}

// True if two neighbours cross; either may be GRZ_NO_NODE.
static bool neighbours_cross(grz_edge_sweep *sweep, uint32_t first, uint32_t second)
{
    sweep->steps++;
    return first != GRZ_NO_NODE && second != GRZ_NO_NODE &&
           grz_polygon_edges_cross(sweep->points, sweep->count, first, second);
}

// Move the sweep line to an end. True if edges were found that cross.
static bool pass_end(grz_edge_sweep *sweep, uint32_t end)
{
    const uint32_t edge = end / 2;
    if (end % 2 == 0)
        insert(sweep, edge);
    const uint32_t below = grz_balanced_neighbour(sweep->nodes, edge, 0);
    const uint32_t above = grz_balanced_neighbour(sweep->nodes, edge, 1);
    if (end % 2 == 0)
        return neighbours_cross(sweep, below, edge) || neighbours_cross(sweep, edge, above);
    grz_balanced_remove(sweep->nodes, &sweep->root, edge);
    return neighbours_cross(sweep, below, above);
}

bool grz_polygon_sweep_crosses(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count,
                               bool *crosses)
{
    *crosses = false;
    if (!grz_array_reserve(allocator, &scratch->ends, 2 * (size_t)count) ||
        !grz_array_reserve(allocator, &scratch->sorted_ends, 2 * (size_t)count) ||
        !grz_array_reserve(allocator, &scratch->nodes, count))
        return false;
    grz_edge_sweep sweep = {scratch->points.items, count, scratch->nodes.items, GRZ_NO_NODE, 0};
    size_t end_count = 0;
    for (uint32_t edge = 0; edge < count; edge++) {
        // An edge without length has no interior.
        if (grz_polygon_step(end_point(sweep.points, count, 2 * edge), end_point(sweep.points, count, 2 * edge + 1)) ==
            0)
            continue;
        scratch->ends.items[end_count++] = 2 * edge;
        scratch->ends.items[end_count++] = 2 * edge + 1;
    }
    const uint32_t *ends =
        grz_polygon_sort(scratch, scratch->ends.items, scratch->sorted_ends.items, end_count, comes_after, &sweep);
    if (ends == NULL)
        return false;
    bool ended = false;
    for (size_t i = 0; i < end_count && !*crosses && !ended; i++) {
        ended = grz_polygon_must_end(scratch, i, LOOK_BITS);
        *crosses = !ended && pass_end(&sweep, ends[i]);
    }
    scratch->steps += sweep.steps;
    return !ended;
}
