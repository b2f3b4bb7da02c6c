// SPDX-License-Identifier: MIT
// Union-find over faces. The lower root becomes the parent, so a root is the lowest face of its set.
#ifndef GRZ_MESH_SHELLS_FACE_FOREST_H
#define GRZ_MESH_SHELLS_FACE_FOREST_H

#include <assert.h>
#include <stdint.h>

// The lowest face of a face's set; halves the path on the way.
static inline uint32_t grz_forest_root(uint32_t *parents, uint32_t face)
{
    assert(parents[face] <= face);
    while (parents[face] != face)
        face = parents[face] = parents[parents[face]];
    return face;
}

static inline void grz_forest_join(uint32_t *parents, uint32_t one, uint32_t other)
{
    const uint32_t a = grz_forest_root(parents, one), b = grz_forest_root(parents, other);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

#endif
