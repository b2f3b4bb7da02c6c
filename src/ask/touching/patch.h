// SPDX-License-Identifier: MIT
// Points of a contact patch, and which few of them stand for all.
#ifndef GRZ_ASK_TOUCHING_PATCH_H
#define GRZ_ASK_TOUCHING_PATCH_H

#include <stdint.h>

#include "base/control_type.h"

enum {
    GRZ_PATCH_MOST = 16 // points that can be chosen
};

typedef struct grz_patch_point {
    double at[3];
    double middle[3]; // of the pair of faces that it was found at; only of bodies that overlap
    double depth;
    uint32_t face_a, face_b;
} grz_patch_point;

typedef struct grz_patch {
    GRZ_ARRAY(grz_patch_point) points;
    int shift; // places times 2^shift are about 1 in size: products of them neither underflow nor overflow
} grz_patch;

// Sort the points by position, and keep of equal positions the deepest, then that with the lowest faces. Returns
// GRZ_OK, or what grz_sort() returns.
grz_status grz_patch_tidy(grz_patch *patch, grz_control *control);

// Choose at most `most` (1 to GRZ_PATCH_MOST) points of a patch that is tidy and not empty: a deepest one, and those
// that span the largest area, seen along the normal. *count: how many; their indices rise. docs/use/manifold.md.
grz_status grz_patch_choose(const grz_patch *patch, const double normal[3], uint32_t most, grz_control *control,
                            uint32_t chosen[GRZ_PATCH_MOST], uint32_t *count);

// Whether a point is in the plane of a tidy patch with this normal, and in the hull of its points. `hull` are the
// indices of the hull's corners, in order.
bool grz_patch_holds(const grz_patch *patch, const double normal[3], const uint32_t *hull, uint32_t count,
                     const double point[3]);

// The corners of the hull of a tidy patch, seen along the normal, counter-clockwise; those that stick out by no more
// than rounding are left out. There is room for as many as the patch has points.
grz_status grz_patch_hull(const grz_patch *patch, const double normal[3], grz_control *control, uint32_t *hull,
                          uint32_t *count);

#endif
