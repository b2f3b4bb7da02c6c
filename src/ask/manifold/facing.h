// SPDX-License-Identifier: MIT
// Where faces of two bodies that penetrate each other lie opposite to each other, and how deep one is behind the other.
#ifndef GRZ_ASK_MANIFOLD_FACING_H
#define GRZ_ASK_MANIFOLD_FACING_H

#include "ask/touching/patch.h"
#include "ask/move/translation/follow.h"

// Add to a patch the corners of all regions where a face of A that looks against `normal` is behind one of B that looks
// along it, seen along the normal, by `least` to `most`. Each has the depth there, and is half-way between the two.
grz_status grz_facing_find(grz_move_call *call, const grz_object *a, const grz_object *b, const double normal[3],
                           double least, double most, grz_patch *patch);

// The axis along which the deepest of these corners parts: the normal of a face, or across two edges; of length 1, from
// B to A. *any: there is one.
grz_status grz_facing_axis(grz_move_call *call, const grz_object *a, const grz_object *b, const double normal[3],
                           double most, double axis[3], bool *any);

// The exponent of the power of two that brings the larger body to a size of about 1.
int grz_facing_shift(const grz_object *a, const grz_object *b);

#endif
