#version 450
// SPDX-License-Identifier: MIT
// voxels.comp: fill, test or mark by one triangle an invocation. Triangles that reach over many cells are listed, at filling and testing,
// for voxels_big.comp, since loops may not be long here. In: positions[], indices[]. Out: cells[], hits[], work[].
#include "shared.h"
#include "voxels.h"

layout(location = GRZ_AT_VOXEL_FIRST) uniform uint first;

void put_aside(uint triangle)
{
    uint place = atomicAdd(work[GRZ_VOXEL_BIG], 1u);
    work[GRZ_VOXEL_HEAD + triangle_count + place] = triangle;
    atomicMax(work[GRZ_VOXEL_GROUPS], min(place + 1u, GRZ_VOXEL_ROW));
    atomicMax(work[GRZ_VOXEL_GROUPS + 1], place / GRZ_VOXEL_ROW + 1u);
}

void main()
{
    uint triangle = first + gl_GlobalInvocationID.x;
    if (triangle >= triangle_count || !load_triangle(triangle))
        return;
    if (cell_count() > GRZ_VOXEL_MOST_CELLS) {
        if (mode != GRZ_VOXEL_MARK)
            put_aside(triangle);
        return;
    }
    bool marked = false;
    for (int y = low.y; y <= high.y; y++)
        for (int x = low.x; x <= high.x; x++)
            marked = visit(ivec2(x, y)) || marked;
    if (marked)
        mark(triangle);
}
