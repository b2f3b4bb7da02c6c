// SPDX-License-Identifier: MIT
// A tree's own coordinates: the mesh's box, from about -1 to 1. Floats have most digits near 0. Where most of a mesh is a speck in
// its box, because some of it lies far off, 0 is put where the most is: by the medians of a sample of its triangles.
#include <math.h>

#include "space/bvh_parts.h"

enum {
    SAMPLE = 64,
    LARGEST_EXPONENT = 1000 // of the scale, up or down
};

static const double SPECK = 0x1p-8; // of the box

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

// Where some triangles are along each axis, least to largest.
static uint32_t take_sample(const grz_mesh *mesh, double places[3][SAMPLE])
{
    const uint32_t count = mesh->triangle_count < SAMPLE ? mesh->triangle_count : SAMPLE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t triangle = (uint32_t)((uint64_t)mesh->triangle_count * (2 * i + 1) / (2 * (uint64_t)count));
        const double *corner = grz_mesh_position(mesh, mesh->triangles[3 * (size_t)triangle]);
        for (int axis = 0; axis < 3; axis++)
            places[axis][i] = corner[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        sort(places[axis], count);
    return count;
}

void grz_bvh_place(grz_bvh *bvh, const grz_mesh *mesh)
{
    double places[3][SAMPLE] = {{0.0}}, largest = 0.0;
    const uint32_t count = take_sample(mesh, places);
    for (int axis = 0; axis < 3; axis++) {
        const double half = mesh->bounds.max[axis] * 0.5 - mesh->bounds.min[axis] * 0.5;
        const double most = places[axis][3 * count / 4] * 0.5 - places[axis][count / 4] * 0.5;
        bvh->origin[axis] = mesh->bounds.min[axis] * 0.5 + mesh->bounds.max[axis] * 0.5;
        if (most < SPECK * half)
            bvh->origin[axis] = places[axis][count / 2];
        largest = fmax(largest, half);
    }
    int exponent = largest > 0.0 ? ilogb(largest) : 0;
    exponent = exponent < -LARGEST_EXPONENT ? -LARGEST_EXPONENT : exponent;
    bvh->scale = ldexp(1.0, -exponent);
    bvh->unit = ldexp(1.0, exponent);
    bvh->reach = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        bvh->reach = fmax(bvh->reach, fabs((mesh->bounds.min[axis] - bvh->origin[axis]) * bvh->scale));
        bvh->reach = fmax(bvh->reach, fabs((mesh->bounds.max[axis] - bvh->origin[axis]) * bvh->scale));
    }
}
