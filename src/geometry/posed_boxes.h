// SPDX-License-Identifier: MIT
// Two oriented boxes: AABBs in the coordinates of two meshes, moved by their poses. A quick proof that they are apart.
#ifndef GRZ_GEOMETRY_POSED_BOXES_H
#define GRZ_GEOMETRY_POSED_BOXES_H

#include <graze/object.h>
#include <stdbool.h>

#include "base/simd.h"
#include "geometry/box.h"

// An AABB that is not empty, and the pose that moves it.
typedef struct grz_posed_box {
    const grz_pose *pose;
    const grz_box *box;
} grz_posed_box;

// True only if a plane separates the rounded world positions of all points of one box from those of the other: then
// nothing inside them touches. The normals tried are the axes of the world, those of all faces, and the cross products
// of all pairs of edges (the separating axis test). False does not mean that the boxes overlap: rounding may hide a
// gap, and boxes of which one reaches over the middle of the other are not tried. The poses must have passed
// grz_pose_check().
typedef bool grz_posed_boxes_test(const grz_posed_box *a, const grz_posed_box *b);

// The function for a SIMD width that this processor supports. All widths give the same answer.
grz_posed_boxes_test *grz_posed_boxes_test_for(grz_simd simd);

grz_posed_boxes_test grz_posed_boxes_apart_scalar, grz_posed_boxes_apart_base;
#ifdef GRZ_SIMD_X86
grz_posed_boxes_test grz_posed_boxes_apart_avx2, grz_posed_boxes_apart_avx512;
#endif

#endif
