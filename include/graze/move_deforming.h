// SPDX-License-Identifier: MIT
/// @file
/// When do meshes that deform first touch, every vertex moving along a straight line?
#ifndef GRAZE_MOVE_DEFORMING_H
#define GRAZE_MOVE_DEFORMING_H

#include <graze/limits.h>
#include <graze/move.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of grz_move_deforming(). Start from grz_default_deforming_options().
typedef struct grz_deforming_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< as in grz_move_options
    double t_max;      ///< times 0 to t_max are asked about; above 0, at most 1, which is the default
    /// upper - lower is at most this, where rounding permits. Above 0; 2^-40 unless set.
    double time_tolerance;
    /// World units, 0 or above; 0 unless set. The search of a pair may end when it is nearer than this at `lower`; a
    /// contact that is not proved then counts as undecided.
    double tolerance;
    /// World units, 0 or above; 0 unless set. Surfaces whose distance is at most this count as touching. For motions
    /// that stay within e of the straight ones, set it to 2e: no contact is then proved for them, too.
    double separation;
    uint64_t max_steps; ///< how long one pair is searched before it is undecided; 4096 unless set; above 0
} grz_deforming_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_deforming_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_deforming_options_init(grz_deforming_options *options, size_t size);

/// @return options for times 0 to 1, without limits.
GRZ_INLINE grz_deforming_options grz_default_deforming_options(void)
{
    grz_deforming_options options;
    grz_deforming_options_init(&options, sizeof options);
    return options;
}

/// Find when two surfaces that deform first touch, or a surface with itself.
///
/// A vertex is at (1-t)·x0 + t·x1 at time t, a real number: x0 is its posed position (docs/reference/numbers.md), x1
/// its position in `end`, posed in the same way. Faces of more than three corners move as the triangles that they were
/// cut into. No contact is missed, whatever is rounded: `lower` is proved. Surfaces, not solids: a mesh that starts
/// inside another one touches it only when it comes to its surface.
///
/// A mesh with itself (b NULL): faces that share corners are treated as grz_collide_self() does at the start. After
/// that, of faces that share one or two corners only the parts that hold none of these are looked at: corners against
/// faces, edges against edges. If they do not collide at the start, this finds their first contact, because a contact
/// that begins at a shared corner reaches such parts at once. A corner that comes onto an edge or corner that its face
/// shares, because the face collapses, counts as a contact. Corners of different vertices that are at one position at
/// the start, but not at the end, are not shared: they touch at the start.
///
/// @param device   whose threads do the work and whose allocator gives the memory. The number of threads changes no bit
/// @param a        an object; its mesh is borrowed for the call. Its positions are those at time 0
/// @param end_a    three numbers for each vertex of a's mesh: its position at time 1, in mesh coordinates, finite, at
///                 most 2^300 in magnitude. NULL: a does not move
/// @param b        another object; NULL: a with itself (the pose is applied all the same)
/// @param end_b    the same for b; NULL: b does not move, or there is no b
/// @param options  NULL means the defaults
/// @param answer   receives the answer. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED: what is proved until then:
///                 `lower` (it may still be 0), and has_contact with `upper` if a contact was proved. After other
///                 failures nothing is known: certainty is GRZ_UNDECIDED, lower 0. Undecided and `face_a` set: these
///                 faces may meet at `lower`
/// @param error    may be NULL; `element` is the vertex at fault, or 0 for A, 1 for B
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// grz_move_answer answer;
/// if (grz_move_deforming(device, &cloth, next_positions, NULL, NULL, NULL, &answer, &error) == GRZ_OK &&
///     answer.has_contact)
///     printf("free until %.17g\n", answer.lower);
/// @endcode
GRZ_API grz_status grz_move_deforming(grz_device *device, const grz_object *a, const double *end_a, const grz_object *b,
                                      const double *end_b, const grz_deforming_options *options,
                                      grz_move_answer *answer, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
