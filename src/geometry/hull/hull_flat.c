// SPDX-License-Identifier: MIT
// The convex hull of points in one plane: the monotone chain of A. M. Andrew (1979), with orient2d in a projection
// along an axis. Points inside an edge are left out.
#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/hull/hull_parts.h"

typedef struct flat_point {
    double at[2];
    uint32_t place;
} flat_point;

static int compare(const void *x, const void *y, void *context)
{
    const flat_point *a = x, *b = y;
    (void)context;
    for (int k = 0; k < 2; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    return 0;
}

// Lengthen a chain from `from` on by a point: those that are right of the new last edge, or on it, go.
static size_t lengthen(const flat_point *points, uint32_t *chain, size_t from, size_t length, uint32_t next)
{
    while (length >= from + 2 &&
           grz_orient2d(points[chain[length - 2]].at, points[chain[length - 1]].at, points[next].at) <= 0)
        length--;
    chain[length] = next;
    return length + 1;
}

static grz_status surround(flat_point *flat, uint32_t count, uint32_t *chain, grz_control *control,
                           grz_hull_loops *loops)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    size_t length = 0;
    const grz_status status = grz_sort(flat, count, sizeof *flat, compare, NULL, control);
    if (status != GRZ_OK)
        return status;
    for (uint32_t i = 0; i < count && !grz_control_expired_at(control, i, 15); i++)
        length = lengthen(flat, chain, 0, length, i);
    if (grz_control_status(control) != GRZ_OK)
        return grz_control_status(control);
    const size_t turn = length - 1;
    for (uint32_t i = count - 1; i-- > 0 && !grz_control_expired_at(control, i, 15);)
        length = lengthen(flat, chain, turn, length, i);
    length--; // the first point again
    if (grz_control_status(control) != GRZ_OK)
        return grz_control_status(control);
    if (!grz_array_reserve(allocator, &loops->corners, length) || !grz_array_add(allocator, &loops->ends))
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < length; i++)
        loops->corners.items[i] = flat[chain[i]].place;
    loops->corners.count = length;
    loops->ends.items[0] = (uint32_t)length;
    return GRZ_OK;
}

grz_status grz_hull_flat(const grz_hull_points *points, int axis, grz_control *control, grz_hull_loops *loops)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_status status = GRZ_ERROR_MEMORY;
    const uint32_t count = points->count;
    flat_point *flat = grz_allocate(allocator, count, sizeof *flat);
    uint32_t *chain = grz_allocate(allocator, (size_t)count + 1, sizeof *chain);
    if (flat != NULL && chain != NULL) {
        for (uint32_t i = 0; i < count; i++)
            flat[i] = (flat_point){{points->at[i][(axis + 1) % 3], points->at[i][(axis + 2) % 3]}, i};
        status = surround(flat, count, chain, control, loops);
    }
    grz_release(allocator, flat, count, sizeof *flat);
    grz_release(allocator, chain, (size_t)count + 1, sizeof *chain);
    return status;
}
