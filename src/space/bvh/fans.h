// SPDX-License-Identifier: MIT
// Fans: the triangles around a vertex, for self-collision. A fan is clear if, seen from some direction, its triangles
// lie side by side and turn around the vertex at most once. Then no two of them meet except in the corners that they
// share, so they are no candidates. On most meshes nearly all pairs whose boxes overlap are such neighbours.
#ifndef GRZ_SPACE_BVH_FANS_H
#define GRZ_SPACE_BVH_FANS_H

#include "base/simd.h"
#include "space/bvh/bvh.h"

#define GRZ_FAN_UNCLEAR UINT32_MAX      // instead of a name: the vertex's fan is not known to be clear
#define GRZ_FAN_NOBODY (UINT32_MAX - 1) // equal to no vertex's name and not to GRZ_FAN_UNCLEAR

#define GRZ_FAN_HUB UINT32_C(0x80000000) // a name with this bit is that of a hub (hubs.h): its fan is not clear

static inline bool grz_fan_is_hub(uint32_t name)
{
    return name >= GRZ_FAN_HUB && name < GRZ_FAN_NOBODY;
}

// The vertex whose number is a hub's name.
static inline uint32_t grz_fan_hub_vertex(uint32_t name)
{
    return name & ~GRZ_FAN_HUB;
}

// The names that some triangles have in common: up to three, the others are GRZ_FAN_UNCLEAR.
struct grz_fan_names {
    uint32_t names[3];
};

static inline bool grz_fan_names_have(const grz_fan_names *names, uint32_t name)
{
    return name != GRZ_FAN_UNCLEAR && (names->names[0] == name || names->names[1] == name || names->names[2] == name);
}

// The corners of all triangles, grouped by the name of their vertex: those of name v are starts[v] to starts[v + 1] -
// 1. For each corner, `after` and `before` hold the names of the triangle's next and previous corners.
typedef struct grz_fan_corners {
    const double *positions;
    const uint32_t *starts; // vertex_count + 1 numbers
    const uint32_t *after, *before;
} grz_fan_corners;

// Judge the fans of the vertices first … end - 1. Writes GRZ_FAN_UNCLEAR to the name of each vertex whose fan is not
// proved clear. One version for each SIMD width.
typedef void grz_fan_judge(const grz_fan_corners *corners, uint32_t first, uint32_t end, uint32_t *names);

extern grz_fan_judge grz_fan_judge_scalar;
extern grz_fan_judge grz_fan_judge_base; // SSE2 or NEON: what every processor of this architecture has
#ifdef GRZ_SIMD_X86
extern grz_fan_judge grz_fan_judge_avx2, grz_fan_judge_avx512;
#endif

grz_fan_judge *grz_fan_judge_for(grz_simd simd);

// A name for each vertex, or GRZ_FAN_UNCLEAR. Vertices that are one corner of the mesh have the same name. Two
// triangles with a name in common meet only in the corners that they share, or the name is that of a hub, and
// `fan_hubs` of the tree answers for them. The names are kept with the tree until it is refitted. If there are none
// yet, they are made now if `make` is true. NULL: there are none (not made, or memory or time is out). Borrowed. May be
// called on any thread.
const uint32_t *grz_bvh_fans(const grz_bvh *shared, const grz_mesh *mesh, bool make, grz_control *control);

// Release the names. No walk may be running.
void grz_bvh_forget_fans(grz_bvh *bvh, const grz_allocator *allocator);

#endif
