// SPDX-License-Identifier: MIT
// Chooses a tree's own coordinates, in which the mesh's box is about -1 to 1. Floats are finest near 0. If most of a
// mesh is tiny compared with its box, because some part lies far away, the origin is the median of a sample of its
// triangles instead of the middle of the box. bvh_axes.c chooses along which directions coordinates are taken.
#include <assert.h>
#include <math.h>

#include "base/rounding.h"
#include "space/bvh/bvh_parts.h"

enum {
    SAMPLE = 64,            // triangles
    LARGEST_EXPONENT = 1000 // the scale is between 2^-1000 and 2^1000
};

// The middle half of the sample is tiny if it is smaller than this part of the mesh's box.
static const double TINY = 0x1p-8;

static void sort(double values[SAMPLE], uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const double value = values[i];
        uint32_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

// The coordinates of a corner of some triangles, sorted along each axis. Returns the size of the sample.
static uint32_t take_sample(const grz_mesh *mesh, double values[3][SAMPLE])
{
    const uint32_t count = mesh->triangle_count < SAMPLE ? mesh->triangle_count : SAMPLE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t triangle = (uint32_t)((uint64_t)mesh->triangle_count * (2 * i + 1) / (2 * (uint64_t)count));
        const double *corner = grz_mesh_position(mesh, mesh->triangles[3 * (size_t)triangle]);
        for (int axis = 0; axis < 3; axis++)
            values[axis][i] = corner[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        sort(values[axis], count);
    return count;
}

// Compute the largest |coordinate|. For a turned tree this is a bound: that of the corners of the mesh's box.
static void find_reach(grz_bvh *bvh, const grz_mesh *mesh)
{
    double reach[3];
    bvh->max_abs = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        reach[axis] = fmax(fabs((mesh->bounds.min[axis] - bvh->origin[axis]) * bvh->scale),
                           fabs((mesh->bounds.max[axis] - bvh->origin[axis]) * bvh->scale));
        bvh->max_abs = fmax(bvh->max_abs, reach[axis]);
    }
    for (int i = 0; bvh->turned && i < 3; i++) {
        const double *axis = bvh->axes[i];
        const double along = fabs(axis[0]) * reach[0] + fabs(axis[1]) * reach[1] + fabs(axis[2]) * reach[2];
        bvh->max_abs = fmax(bvh->max_abs, along * GRZ_MORE(8));
    }
}

void grz_bvh_choose_coordinates(grz_bvh *bvh, const grz_mesh *mesh)
{
    double values[3][SAMPLE] = {{0.0}}, largest = 0.0;
    const uint32_t count = take_sample(mesh, values);
    for (int axis = 0; axis < 3; axis++) {
        const double half = mesh->bounds.max[axis] * 0.5 - mesh->bounds.min[axis] * 0.5;
        const double most = values[axis][3 * count / 4] * 0.5 - values[axis][count / 4] * 0.5;
        bvh->origin[axis] = mesh->bounds.min[axis] * 0.5 + mesh->bounds.max[axis] * 0.5;
        if (most < TINY * half)
            bvh->origin[axis] = values[axis][count / 2];
        largest = fmax(largest, half);
    }
    int exponent = largest > 0.0 ? ilogb(largest) : 0;
    exponent = exponent < -LARGEST_EXPONENT ? -LARGEST_EXPONENT : exponent;
    bvh->scale = ldexp(1.0, -exponent);
    bvh->unit = ldexp(1.0, exponent);
    assert(bvh->scale * bvh->unit == 1.0);
    find_reach(bvh, mesh);
    // The rounding of the stored floats: half a unit in the last place, taken twice. If the tree is turned, three of
    // them add up. Then the rounding of the sums, which counts if the mesh is far from the origin.
    for (int axis = 0; axis < 3; axis++)
        bvh->margin[axis] = bvh->max_abs * bvh->unit * (bvh->turned ? 0x1p-22 : 0x1p-23) +
                            fabs(bvh->origin[axis]) * 0x1p-51 + 0x1p-1072;
}
