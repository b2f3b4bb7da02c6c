#version 450
// SPDX-License-Identifier: MIT
// voxels_big.comp: the same for the triangles that voxels.comp has listed, a work group for each.
#include "shared.h"
#include "voxels.h"

shared uint group_marked;

void main()
{
    uint place = gl_WorkGroupID.y * GRZ_VOXEL_ROW + gl_WorkGroupID.x, local = gl_LocalInvocationIndex;
    bool there = place < work[GRZ_VOXEL_BIG];
    uint triangle = there ? work[GRZ_VOXEL_HEAD + triangle_count + place] : 0u;
    if (local == 0u)
        group_marked = 0u;
    barrier();
    if (there && load_triangle(triangle)) {
        ivec2 size = high.xy - low.xy + 1;
        for (uint i = local; i < uint(size.x * size.y); i += GRZ_VOXEL_GROUP)
            if (visit(low.xy + ivec2(i % uint(size.x), i / uint(size.x))))
                atomicOr(group_marked, 1u);
    }
    barrier();
    if (there && local == 0u && group_marked != 0u)
        mark(triangle);
}
