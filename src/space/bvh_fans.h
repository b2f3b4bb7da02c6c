// SPDX-License-Identifier: MIT
// Fans: the triangles around a vertex. Where a direction is found from which they lie side by side and turn round the vertex at most
// once, no two of them meet but in the corners they share, so pairs that share such a vertex are no candidates of a mesh with itself:
// on most meshes these are nearly all whose boxes meet.
#ifndef GRZ_SPACE_BVH_FANS_H
#define GRZ_SPACE_BVH_FANS_H

#include "base/simd.h"
#include "space/bvh.h"

#define GRZ_FAN_UNCLEAR UINT32_MAX      // in place of a vertex's name
#define GRZ_FAN_NOBODY (UINT32_MAX - 1) // neither this nor anybody's name

// The corners of all triangles, sorted by the name of the vertex there, each with the names of the triangle's next corner and of the
// one before.
typedef struct grz_fan_corners {
    const double *positions;
    const uint32_t *starts; // vertex_count + 1
    const uint32_t *after, *before;
} grz_fan_corners;

// Of the vertices from `first` to before `end`, mark GRZ_FAN_UNCLEAR those whose fan is not known to be clear. Compiled for each width
// of registers.
typedef void grz_fan_judge(const grz_fan_corners *corners, uint32_t first, uint32_t end, uint32_t *names);

extern grz_fan_judge grz_fan_judge_scalar;
extern grz_fan_judge grz_fan_judge_base; // SSE2, NEON, or what else every processor of this kind has
#ifdef GRZ_SIMD_X86
extern grz_fan_judge grz_fan_judge_avx2, grz_fan_judge_avx512;
#endif

grz_fan_judge *grz_fan_judge_for(grz_simd simd);

// A name for each vertex: equal for vertices that are one corner of the mesh, or GRZ_FAN_UNCLEAR. Two triangles with a name in common
// meet in the corners they share and nowhere else. Kept with the tree until it is refitted; made now where `make` says so. NULL where
// there are none: not made, or no memory or time for it. Borrowed. Any thread.
const uint32_t *grz_bvh_fans(const grz_bvh *shared, const grz_mesh *mesh, bool make, grz_control *control);

// Release them; no walk is under way.
void grz_bvh_forget_fans(grz_bvh *bvh, const grz_allocator *allocator);

#endif
