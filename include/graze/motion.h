// SPDX-License-Identifier: MIT
/// @file
/// When does a moving object first touch another?
///
/// Time runs from 0, where the motion begins, to 1, where it ends. Nothing is sampled: an object cannot pass through
/// another unnoticed, however fast it is and however thin the other is.
#ifndef GRAZE_MOTION_H
#define GRAZE_MOTION_H

#include <graze/distance.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first contact of a motion.
typedef struct grz_move_answer {
    /// In [0, 1]. For translations the double nearest to the exact time. For other motions `lower`: up to then there is
    /// certainly no contact. Infinite if there is no contact.
    double first_contact;
    /// lower <= exact time of the first contact <= upper. For translations both are equal to `first_contact`, or they
    /// are the two doubles around the exact time. No contact: both are infinite. After a deadline: there is no contact
    /// before `lower`; `upper` is the time of a contact that was found, else infinite.
    double lower;
    double upper; ///< see `lower`
    /// GRZ_EXACT: what is said is proved, also if `contact` is false. GRZ_UNDECIDED: there is no contact before `lower`;
    /// what comes then is not known.
    grz_certainty certainty;
    bool contact; ///< the surfaces meet at some time, or the objects overlap at the start
    /// The insides of the two solids overlap at the start; `first_contact` is then 0. For meshes that are not closed:
    /// faces cross at the start. Objects that only touch at the start have false, and first_contact 0.
    bool started_inside;
    /// The faces that meet first, as the caller numbered them. Of several pairs that meet at the same time it is the one
    /// with the smallest number, then the smallest other number; exchanging A and B changes nothing. GRZ_NO_FACE: there
    /// is no contact, or one object is inside the other at the start and no surfaces touch.
    uint32_t face_a;
    uint32_t face_b;       ///< see `face_a`
    grz_feature feature_a; ///< the part of face_a that meets first. Two faces that meet flat: the face itself
    grz_feature feature_b; ///< the part of face_b
    /// The direction, of length 1, in which B holds A back at the first contact: away from B, against the motion. It is
    /// perpendicular to the face, or to the two edges, that meet. Zeros if faces touch at the start already.
    double normal[3];
    double point[3];   ///< a point where the faces meet, world coordinates, rounded; if B moves, at the time of contact
    uint64_t ties;     ///< how many pairs of faces meet at exactly this time; 0 if not known
    uint64_t compared; ///< how many pairs of triangles were compared, for judging speed
} grz_move_answer;

/// Options of grz_move() and of the calls beside it. Start from grz_default_move_options().
typedef struct grz_move_options {
    size_t size;        ///< sizeof this structure, as the caller knows it
    const char *method; ///< "bvh", or "naive" (compares all pairs of triangles); NULL or "auto": bvh
    /// Find out whether the objects overlap at the start; true unless set. False saves time: `started_inside` is then
    /// false, and an object that is inside another without touching it has its first contact where the surfaces meet.
    bool inside;
    grz_inside_rule inside_rule; ///< what is inside; GRZ_EVEN_ODD unless set
    const volatile int *cancel;  ///< as in grz_collide_options
    double deadline;             ///< as in grz_collide_options; the answer then has what is proved until then
    uint64_t memory_limit;       ///< as in grz_collide_options
} grz_move_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_move_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_move_options_init(grz_move_options *options, size_t size);

/// @return options for exact answers, without limits.
GRZ_INLINE grz_move_options grz_default_move_options(void)
{
    grz_move_options options;
    grz_move_options_init(&options, sizeof options);
    return options;
}

/// Find the first contact of two objects that move along straight lines, without turning.
///
/// Exact: the positions at the start are the posed ones rounded to double (docs/numbers.md); from there each point moves
/// by t · (to - from), in real numbers, where `from` is the translation of the object's pose. The time of the first
/// contact is a fraction; the answer is the double nearest to it.
///
/// @param device   whose allocator gives the memory
/// @param a,b      objects where the motion begins; the meshes are borrowed for the call
/// @param to_a     the translation of A's pose at the end: three numbers. The same as in the pose: A rests
/// @param to_b     the same for B; NULL: B rests
/// @param options  NULL means the defaults
/// @param answer   receives the answer. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED it has what is proved; after
///                 other failures lower is 0, upper infinite, and nothing else is known
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE (also for a `to` that is not finite or above 2^300);
///         GRZ_ERROR_UNSUPPORTED for a method that follows no motions; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// const double to[3] = {0.0, 0.0, -10.0};
/// grz_move_answer answer;
/// if (grz_move(device, &ball, to, &ground, NULL, NULL, &answer, &error) == GRZ_OK && answer.contact)
///     printf("touches face %u after %g of the way\n", answer.face_b, answer.first_contact);
/// @endcode
GRZ_API grz_status grz_move(grz_device *device, const grz_object *a, const double to_a[3], const grz_object *b,
                            const double to_b[3], const grz_move_options *options, grz_move_answer *answer,
                            grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
