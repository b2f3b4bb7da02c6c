// SPDX-License-Identifier: MIT
/// @file
/// How far must a solid move to be free of another?
#ifndef GRAZE_PENETRATION_H
#define GRAZE_PENETRATION_H

#include <graze/move.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How far A must move.
typedef struct grz_penetration_answer {
    /// World units: 0 if the insides of the two solids have no common point. Else the double nearest to the exact depth
    /// if `certainty` is GRZ_EXACT, and `upper` if it is not. Infinite if nothing is known.
    double depth;
    double lower; ///< lower <= exact depth <= upper
    double upper; ///< see `lower`: moved by an exact depth that is at most this, A is free of B
    /// Of the depth. GRZ_EXACT: `depth` is the nearest double, and `lower` and `upper` are equal or neighbours.
    /// GRZ_ENCLOSED: it is proved to be between them; `penetrating` is proved, too. GRZ_UNDECIDED: the meshes have no
    /// inside (`reason`), or the call ended early; `lower` and `upper` hold in any case.
    grz_certainty certainty;
    /// The insides of the two solids have common points; also true if one solid is inside the other, or both are the
    /// same.
    bool penetrating;
    double direction[3]; ///< of length 1, rounded: where to move A. Zeros if it need not move
    uint32_t face_a;     ///< the faces that part last, on the way to `upper`; GRZ_NO_FACE: none do
    uint32_t face_b;     ///< see `face_a`
    const char *reason;  ///< why certainty is GRZ_UNDECIDED, or the bounds are far apart; else NULL. Static text
} grz_penetration_answer;

/// How far must A move along a direction, to be free of B? The smallest distance after which the insides of the two
/// solids have no common point; they may touch. (Farther on, A may run into other parts of B.)
///
/// Exact: A's positions are the posed ones rounded to double (docs/reference/numbers.md), moved by real numbers. The
/// solid of a mesh is what docs/use/solids.md says; both meshes must be closed. `lower` and `upper` are equal or
/// neighbours, and all multiples of a direction give the same bits. Exceptions: numbers of thousands of bits, and
/// surfaces that meet themselves and lie flush on the other: docs/use/penetration.md ("At one instant").
///
/// @param device     whose allocator gives the memory
/// @param a,b        the objects; the meshes are borrowed for the call
/// @param direction  three numbers, finite, at most 2^300 in magnitude, not all zero; the length does not matter
/// @param options    NULL means the defaults; `inside` is ignored
/// @param answer     receives the answer. After a failure lower is 0, upper infinite, and nothing else is known
/// @param error      may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK, also for meshes that have no inside; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED for a
///         method that follows no motions; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// const double up[3] = {0, 0, 1};
/// grz_penetration_answer answer;
/// if (grz_penetration_along(device, &foot, &floor, up, NULL, &answer, &error) == GRZ_OK && answer.penetrating)
///     printf("lift it by %g\n", answer.upper);
/// @endcode
GRZ_API grz_status grz_penetration_along(grz_device *device, const grz_object *a, const grz_object *b,
                                         const double direction[3], const grz_move_options *options,
                                         grz_penetration_answer *answer, grz_error *error);

/// How far must A move to be free of B, in whatever direction is best?
///
/// Of two convex solids the exact least depth, rounded once; or, where posing the
/// vertices rounds them, bounds within some 10^-12 of it.
/// Solids of more than some 40 triangles that are 10,000 times as long as thick, or longer, may have wider bounds.
///
/// Of others `upper` is the shortest way that was found: moved that far along the direction that `direction` is rounded
/// from, A is certainly free of B. A program moves it a little farther, say by 1e-12 of the way.
/// `lower` is proved by a point that is deep inside: a point of one solid inside the other has to travel to the other's
/// surface, and balls in A and in B around one point part only after the sum of their radii. The exact least depth lies
/// between them: docs/use/penetration.md has how near they come. Solids that only touch have 0.
///
/// @param device   whose threads help and whose allocator gives the memory
/// @param a,b      the objects; the meshes are borrowed for the call
/// @param options  NULL means the defaults; `inside` is ignored
/// @param answer   receives the answer. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED it has the bounds found so
///                 far; after other failures lower is 0, upper infinite, and nothing else is known
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return as grz_penetration_along()
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// grz_penetration_answer answer;
/// if (grz_penetration(device, &a, &b, NULL, &answer, &error) == GRZ_OK && answer.penetrating)
///     for (int k = 0; k < 3; k++) a.pose.m[k][3] += answer.upper * answer.direction[k];
/// @endcode
GRZ_API grz_status grz_penetration(grz_device *device, const grz_object *a, const grz_object *b,
                                   const grz_move_options *options, grz_penetration_answer *answer, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
