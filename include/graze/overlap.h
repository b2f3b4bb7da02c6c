// SPDX-License-Identifier: MIT
/// @file
/// How much room do two solids fill both?
#ifndef GRAZE_OVERLAP_H
#define GRAZE_OVERLAP_H

#include <graze/move.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How much room two solids have in common.
typedef struct grz_overlap_volume_answer {
    double lower; ///< lower <= exact volume <= upper, in cubes of world units
    /// See `lower`. 0 exactly if the insides of the two solids have no common point. Infinite if nothing is known.
    double upper;
    /// GRZ_EXACT: `lower` and `upper` are equal or neighbours, as where the insides have no common point.
    /// GRZ_ENCLOSED: they are proved, and no farther apart than the rounding of doubles makes them.
    /// GRZ_UNDECIDED: the meshes have no inside, or a surface meets itself (`reason`), or the call ended early. The
    /// bounds hold then, too: `upper` is infinite where there are no solids, else the volume of the box that the boxes
    /// of the two objects have in common.
    grz_certainty certainty;
    const char *reason; ///< why certainty is GRZ_UNDECIDED; else NULL. Static text
    uint64_t compared;  ///< how many pairs of triangles were looked at, for judging speed
} grz_overlap_volume_answer;

/// How large is the volume of the intersection of two solids?
///
/// The bounds are proved for the posed positions rounded to double (docs/reference/numbers.md): roundings are bounded,
/// not guessed. For usual models they are equal in some 12 digits; docs/use/overlap.md has the proof, and figures.
/// Solids that are apart, or only touch, have exactly 0, and others have an `upper` above 0. If one solid holds the
/// other, it is the volume of the inner one. Exchanging A and B, the order of triangles, and threads change no bit.
///
/// Both meshes must be closed (docs/use/solids.md); a surface may touch itself in single points and along edges, but
/// not cross itself.
///
/// @param device   whose allocator gives the memory
/// @param a,b      the objects; the meshes are borrowed for the call
/// @param options  NULL means the defaults; `inside` is ignored. Method "naive" compares all pairs of triangles
/// @param answer   receives the answer. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED it has the bounds of the
///                 boxes; after other failures lower is 0, upper infinite, and nothing else is known
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return as grz_penetration_along(), see <graze/penetration.h>
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// grz_overlap_volume_answer common;
/// if (grz_overlap_volume(device, &screw, &plate, NULL, &common, &error) == GRZ_OK && common.lower > 0.01)
///     printf("%g to %g cubic millimetres of the plate are in the way\n", common.lower, common.upper);
/// @endcode
GRZ_API grz_status grz_overlap_volume(grz_device *device, const grz_object *a, const grz_object *b,
                                      const grz_move_options *options, grz_overlap_volume_answer *answer,
                                      grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
