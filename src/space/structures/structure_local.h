// SPDX-License-Identifier: MIT
// A structure's own coordinates: (x - origin) · scale. The mesh's box is then about -1 to 1, so that bounds of rounding
// errors are plain numbers.
#ifndef GRZ_SPACE_STRUCTURES_STRUCTURE_LOCAL_H
#define GRZ_SPACE_STRUCTURES_STRUCTURE_LOCAL_H

#include <math.h>

#include "base/rounding.h"
#include "mesh/mesh.h"
#include "space/structures/structure.h"

typedef struct grz_local {
    double origin[3], scale; // the scale is a power of two from 2^-1000 to 2^1000
} grz_local;

// A coordinate of a mesh is below 2 here, and is off by less than this.
#define GRZ_LOCAL_ERROR 0x1p-52
// Numbers below this are used in local coordinates: the product of two of them does not overflow.
#define GRZ_LOCAL_FINITE 0x1p500

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

// Of a box in local coordinates the box in those of the mesh; rounded.
static inline grz_box grz_box_from_local(const grz_local *local, const double low[3], const double high[3])
{
    grz_box box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = low[i] / local->scale + local->origin[i];
        box.max[i] = high[i] / local->scale + local->origin[i];
    }
    return box;
}

// A box that lies askew in local coordinates, roundings included in its slack. False: its numbers are out of range, so
// it may be anywhere.
static inline bool grz_oblique_to_local(const grz_local *local, const grz_oblique_box *box, grz_oblique_box *out)
{
    double size[3], largest = 1.0;
    grz_to_local(local, box->middle, out->middle);
    for (int j = 0; j < 3; j++) {
        size[j] = fabs(out->middle[j]);
        for (int k = 0; k < 3; k++) {
            out->edge[k][j] = box->edge[k][j] * local->scale;
            size[j] += fabs(out->edge[k][j]);
        }
        largest = fmax(largest, size[j]);
    }
    bool finite = largest < GRZ_LOCAL_FINITE;
    for (int j = 0; j < 3; j++) {
        out->slack[j] =
            box->slack[j] * local->scale * GRZ_MORE(8192) + largest * 0x1p-46; // 128 roundings of a sum of four edges
        finite = finite && size[j] < GRZ_LOCAL_FINITE && out->slack[j] < GRZ_LOCAL_FINITE;
    }
    return finite;
}

// How far such a box reaches along a direction, from its middle.
static inline double grz_oblique_reach(const grz_oblique_box *box, const double n[3])
{
    double reach = 0.0;
    for (int k = 0; k < 3; k++) {
        reach += fabs((n[0] * box->edge[k][0] + n[1] * box->edge[k][1]) + n[2] * box->edge[k][2]);
        reach += fabs(n[k]) * box->slack[k];
    }
    return reach;
}

#endif
