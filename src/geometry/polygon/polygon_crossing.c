// SPDX-License-Identifier: MIT
// Tests whether a polygon crosses itself: sweep and prune over the AABBs of its edges, then exact signs for the pairs
// left. The edges are sorted by their smaller end along one axis of the rotated frame (polygon_frame.c). The axis is
// the one along which edges are shorter, compared with the whole polygon, so that few of them overlap. Cost: O(n log
// n). This is fastest for most outlines. If the spans of too many edges overlap (stars, edges that coincide), a sweep
// with a balanced tree decides instead (crossing_sweep.c).
#include "geometry/polygon/polygon_parts.h"

#include <assert.h>

enum {
    LOOK_BITS = 12,   // pairs of edges between two looks at the control, as a power of two
    MANY_PAIRS = 256, // pairs for each edge. The sweep with a tree then costs about as much as what was lost
};

// Merge sort by `low`; equal spans keep their order. Returns the array that holds the result: `spans` or `spare`.
static grz_polygon_span *sort_spans(grz_polygon_span *spans, grz_polygon_span *spare, size_t count)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t left = start, right = middle;
            for (size_t k = start; k < end; k++)
                spare[k] = right == end || (left < middle && spans[left].low <= spans[right].low) ? spans[left++]
                                                                                                  : spans[right++];
        }
        grz_polygon_span *swapped = spans;
        spans = spare;
        spare = swapped;
    }
    return spans;
}

// The axis along which the edges are shorter on average, compared with the extent of the polygon.
static int sweep_axis(const grz_polygon_box *boxes, uint32_t count)
{
    double share[2];
    for (int axis = 0; axis < 2; axis++) {
        double low = boxes[0].min[axis], high = boxes[0].max[axis], covered = 0.0;
        for (size_t i = 0; i < count; i++) {
            low = boxes[i].min[axis] < low ? boxes[i].min[axis] : low;
            high = boxes[i].max[axis] > high ? boxes[i].max[axis] : high;
            covered += boxes[i].max[axis] - boxes[i].min[axis];
        }
        share[axis] = high > low ? covered / (high - low) : HUGE_VAL;
    }
    return share[1] < share[0] ? 1 : 0;
}

#ifndef NDEBUG
static bool are_sorted(const grz_polygon_span *spans, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (spans[i - 1].low > spans[i].low)
            return false;
    return true;
}
#endif

// The AABB of each edge in the rotated frame, enlarged by the frame's error.
static void find_boxes(const double *rotated, uint32_t count, grz_polygon_box *boxes)
{
    for (uint32_t i = 0; i < count; i++) {
        const double *a = rotated + 2 * (size_t)i, *b = rotated + 2 * (size_t)(i + 1 < count ? i + 1 : 0);
        for (int axis = 0; axis < 2; axis++) {
            boxes[i].min[axis] = (a[axis] < b[axis] ? a[axis] : b[axis]) - GRZ_ROTATED_MARGIN;
            boxes[i].max[axis] = (a[axis] < b[axis] ? b[axis] : a[axis]) + GRZ_ROTATED_MARGIN;
        }
    }
}

bool grz_polygon_crosses(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, bool *crosses)
{
    *crosses = false;
    if (!grz_array_reserve(allocator, &scratch->spans, count) ||
        !grz_array_reserve(allocator, &scratch->sorted_spans, count) ||
        !grz_array_reserve(allocator, &scratch->boxes, count))
        return false;
    const double *points = scratch->points.items;
    grz_polygon_box *boxes = scratch->boxes.items;
    find_boxes(scratch->rotated.items, count, boxes);
    int axis = sweep_axis(boxes, count), other = 1 - axis;
    for (uint32_t i = 0; i < count; i++)
        scratch->spans.items[i] = (grz_polygon_span){boxes[i].min[axis], i};
    const grz_polygon_span *sorted = sort_spans(scratch->spans.items, scratch->sorted_spans.items, count);
    assert(are_sorted(sorted, count));
    const uint64_t most = scratch->eager ? 0 : scratch->steps + (uint64_t)MANY_PAIRS * count;
    for (size_t i = 0; i < count; i++) {
        const grz_polygon_box *box = &boxes[sorted[i].edge];
        for (size_t j = i + 1; j < count && sorted[j].low <= box->max[axis]; j++, scratch->steps++) {
            const grz_polygon_box *against = &boxes[sorted[j].edge];
            if (grz_polygon_must_end(scratch, scratch->steps, LOOK_BITS))
                return false;
            if (scratch->steps >= most && count <= GRZ_POLYGON_NUMBERED)
                return grz_polygon_sweep_crosses(allocator, scratch, count, crosses);
            if (against->min[other] <= box->max[other] && box->min[other] <= against->max[other] &&
                grz_polygon_edges_cross(points, count, sorted[i].edge, sorted[j].edge)) {
                *crosses = true;
                return true;
            }
        }
    }
    return true;
}
