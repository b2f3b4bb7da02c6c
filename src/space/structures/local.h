// SPDX-License-Identifier: MIT
// A structure's own coordinates: (x - origin) · scale. The mesh's box is then about -1 to 1, so that bounds of rounding
// errors are plain numbers.
#ifndef GRZ_SPACE_STRUCTURES_LOCAL_H
#define GRZ_SPACE_STRUCTURES_LOCAL_H

#include <math.h>

#include "mesh/mesh.h"

typedef struct grz_local {
    double origin[3], scale; // the scale is a power of two from 2^-1000 to 2^1000
} grz_local;

// A coordinate of a mesh is below 2 here, and is off by less than this.
#define GRZ_LOCAL_ERROR 0x1p-52

static inline grz_local grz_local_of(const grz_mesh *mesh)
{
    grz_local local;
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        local.origin[i] = 0.5 * mesh->bounds.min[i] + 0.5 * mesh->bounds.max[i];
        largest = fmax(largest, 0.5 * mesh->bounds.max[i] - 0.5 * mesh->bounds.min[i]);
    }
    const int exponent = largest > 0.0 ? ilogb(largest) : 0;
    local.scale = ldexp(1.0, exponent < -1000 ? 1000 : exponent > 1000 ? -1000 : -exponent);
    return local;
}

static inline void grz_to_local(const grz_local *local, const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = (x[i] - local->origin[i]) * local->scale;
}

#endif
