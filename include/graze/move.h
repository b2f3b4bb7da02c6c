// SPDX-License-Identifier: MIT
/// @file
/// When does a moving object first touch another?
///
/// Time runs from 0, where the motion begins, to 1, where it ends. Nothing is sampled: an object cannot pass through
/// another unnoticed, however fast it is and however thin the other is.
#ifndef GRAZE_MOVE_H
#define GRAZE_MOVE_H

#include <graze/distance.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first contact of a motion: of objects that move along straight lines (grz_move()), that turn
/// (grz_move_rigid()), or that deform (grz_move_deforming()).
typedef struct grz_move_answer {
    /// In [0, 1]. For translations the double nearest to the exact time. For other motions, and whenever `certainty` is
    /// GRZ_UNDECIDED, it is `lower`: up to then there is certainly no contact. Infinite if there is none at all.
    double first_contact;
    /// lower <= exact time of the first contact <= upper. For translations both are equal to `first_contact`, or they
    /// are the two doubles around the exact time. No contact up to the end of the motion (`t_max`, where there is such
    /// an option): both are infinite. After a deadline: there is no contact before `lower`; `upper` is the time of a
    /// contact that was found, else infinite.
    double lower;
    double upper; ///< see `lower`
    /// GRZ_EXACT: there is certainly no contact, or its time is exact. GRZ_ENCLOSED: there is certainly a contact, and
    /// the first one is between `lower` and `upper`; never of translations. GRZ_UNDECIDED: there is no contact before
    /// `lower`; what comes then is not known.
    grz_certainty certainty;
    bool has_contact; ///< proved: the surfaces touch at some time, or the insides overlap at the start
    /// The surfaces have a common point at the start: `first_contact` is 0.
    bool started_touching;
    /// The insides of the two solids overlap at the start; `first_contact` is then 0. For meshes that are not closed:
    /// faces cross at the start. Objects that only touch at the start have false. Of surfaces that deform: false.
    bool started_inside;
    /// The faces that meet first, as the caller numbered them. Of several pairs that meet at the same time it is the
    /// one with the smallest number, then the smallest other number; exchanging A and B changes nothing. Where the time
    /// is enclosed: one pair of those that may be the first. GRZ_NO_FACE: there is no contact, or one object is inside
    /// the other at the start and no surfaces touch. For a mesh with itself face_a <= face_b.
    uint32_t face_a;
    uint32_t face_b;       ///< see `face_a`
    grz_feature feature_a; ///< the part of face_a that meets first. Two faces that meet flat: the face itself
    grz_feature feature_b; ///< the part of face_b
    /// Of length 1: which way to move A to free it from B. Objects that come together: against the motion,
    /// perpendicular to the face, or to the two edges, that meet. Objects that touch at the start: across the plane of
    /// their contact, from B to A, whichever way they then go; so a body that leaves, or slides along a floor, is not
    /// held back. Zeros (`reason`) where contacts at the start have more than one normal, if the insides overlapped
    /// there, and of surfaces that deform.
    double normal[3];
    /// A point where the faces meet, world coordinates, rounded; if B moves, at the time of contact. Zeros of surfaces
    /// that deform.
    double point[3];
    uint64_t ties;      ///< how many pairs of faces meet at exactly this time; 0 if not known
    uint64_t compared;  ///< how many pairs of triangles were compared, for judging speed
    uint64_t undecided; ///< how many of these were neither proved to meet nor proved apart; of translations none
    const char *reason; ///< why `normal` is zeros, of objects that touch at the start; else NULL. Static text
} grz_move_answer;

/// Options of grz_move() and of the calls beside it. Start from grz_default_move_options().
typedef struct grz_move_options {
    size_t size;        ///< sizeof this structure, as the caller knows it
    grz_limits limits;  ///< cancelling, deadline (the answer then has what is proved until then), memory, progress
    const char *method; ///< "bvh", or "naive" (compares all pairs of triangles); NULL or "auto": bvh
    /// Find out whether the insides overlap at the start; true unless set. False saves time: `started_inside` is then
    /// false, and an object that is inside another without touching it has its first contact where the surfaces meet.
    bool inside;
    grz_inside_rule inside_rule; ///< what is inside; GRZ_EVEN_ODD unless set
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
/// Exact: the positions at the start are the posed ones rounded to double (docs/reference/numbers.md); from there each
/// point moves by t · (to - from), in real numbers, where `from` is the translation of the object's pose. The time of
/// the first contact is a fraction; the answer is the double nearest to it.
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
/// if (grz_move(device, &ball, to, &ground, NULL, NULL, &answer, &error) == GRZ_OK && answer.has_contact)
///     printf("touches face %u after %g of the way\n", answer.face_b, answer.first_contact);
/// @endcode
GRZ_API grz_status grz_move(grz_device *device, const grz_object *a, const double to_a[3], const grz_object *b,
                            const double to_b[3], const grz_move_options *options, grz_move_answer *answer,
                            grz_error *error);

/// When the insides of two solids begin to overlap.
typedef struct grz_overlap_time {
    bool overlaps; ///< proved: the insides have common points at some time of the way
    /// In [0, 1]: up to then the insides have no common point, just after it they have; the double nearest to the exact
    /// time. Solids that only touch, at the start or on the way, do not overlap: a peg slides through a hole of its own
    /// size. Infinite: never on the way. If `certainty` is GRZ_UNDECIDED it is `lower`.
    double first_overlap;
    double lower; ///< lower <= exact time <= upper: equal, or the two doubles around it. See grz_move_answer
    double upper; ///< see `lower`
    /// GRZ_EXACT: the time is exact, or there is certainly no overlap. GRZ_UNDECIDED: up to `lower` there is none; what
    /// comes then is not known (`reason`).
    grz_certainty certainty;
    bool started_inside; ///< they overlap at the start; `first_overlap` is then 0
    uint32_t face_a;     ///< faces that cross from then on, as the caller numbered them; GRZ_NO_FACE: not known
    uint32_t face_b;     ///< see `face_a`
    const char *reason;  ///< why certainty is GRZ_UNDECIDED, such as an open mesh; else NULL. Static text
} grz_overlap_time;

/// Find out when the insides of two solids first overlap, while they move along straight lines as in grz_move(). Exact,
/// as grz_move() is; the solids are those of grz_collide() (docs/use/solids.md), of which both have to be closed.
///
/// @param device   whose allocator gives the memory
/// @param a,b      objects where the motion begins; the meshes are borrowed for the call
/// @param to_a     the translation of A's pose at the end: three numbers. The same as in the pose: A rests
/// @param to_b     the same for B; NULL: B rests
/// @param options  NULL means the defaults; `inside` is taken as true
/// @param answer   receives the answer. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED: no overlap before `lower`;
///                 after other failures nothing is known
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return as grz_move()
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// grz_overlap_time jam;
/// if (grz_move_first_overlap(device, &peg, to, &plate, NULL, NULL, &jam, &error) == GRZ_OK && !jam.overlaps)
///     puts("it fits");
/// @endcode
GRZ_API grz_status grz_move_first_overlap(grz_device *device, const grz_object *a, const double to_a[3],
                                          const grz_object *b, const double to_b[3], const grz_move_options *options,
                                          grz_overlap_time *answer, grz_error *error);

/// A time during which the surfaces of two objects touch: from `enter` to `leave`, both included. Both are GRZ_EXACT.
typedef struct grz_contact_interval {
    double enter; ///< in [0, 1]: the double nearest to the exact time; 0 if they touch at the start
    double leave; ///< in [0, 1], likewise; 1 if they touch at the end
    double
        enter_lower; ///< enter_lower <= exact time <= enter_upper: equal to `enter`, or the two doubles around the time
    double enter_upper;    ///< see `enter_lower`
    double leave_lower;    ///< the same for `leave`
    double leave_upper;    ///< see `leave_lower`
    uint32_t enter_face_a; ///< faces that touch at `enter`; of several pairs one. GRZ_NO_FACE if that is the start
    uint32_t enter_face_b; ///< see `enter_face_a`
    uint32_t leave_face_a; ///< faces that touch at `leave`; of several pairs one. GRZ_NO_FACE if that is the end
    uint32_t leave_face_b; ///< see `leave_face_a`
} grz_contact_interval;

/// Find all times at which the surfaces of two objects touch while they move along straight lines, as in grz_move().
///
/// It is about surfaces: while an object is inside the other, without touching it, the time is between two intervals,
/// or before the first. `inside` and `inside_rule` of the options are ignored.
///
/// @param device     whose allocator gives the memory
/// @param a,b        objects where the motion begins; the meshes are borrowed for the call
/// @param to_a       the translation of A's pose at the end: three numbers
/// @param to_b       the same for B; NULL: B rests
/// @param options    NULL means the defaults
/// @param intervals  receives the first intervals, in order; they have no time in common
/// @param capacity   there is room for so many
/// @param found      receives how many intervals there are; it may be more than `capacity`
/// @param error      may be NULL; `element` is 0 for A, 1 for B
/// @return as grz_move(). After a failure *found is 0
/// Thread-safety: safe together with other queries on the same meshes.
/// @code
/// grz_contact_interval intervals[8];
/// if (grz_move_intervals(device, &a, to, &b, NULL, NULL, intervals, 8, &found, &error) == GRZ_OK && found > 0)
///     printf("touches from %g to %g of the way\n", intervals[0].enter, intervals[0].leave);
/// @endcode
GRZ_API grz_status grz_move_intervals(grz_device *device, const grz_object *a, const double to_a[3],
                                      const grz_object *b, const double to_b[3], const grz_move_options *options,
                                      grz_contact_interval *intervals, uint64_t capacity, uint64_t *found,
                                      grz_error *error);

/// Follow one object along many paths that begin at the same place: which of many directions is free, and how far? All
/// threads of the device are used. Each answer is the one that grz_move() gives for that path, but for `compared`.
///
/// @param device   whose threads do the work and whose allocator gives the memory
/// @param a        the object that moves; its mesh is borrowed for the call
/// @param to_a     count × 3 numbers: the translations of A's pose at the ends
/// @param count    how many paths; 0 is allowed
/// @param b        the object that rests; its mesh is borrowed for the call
/// @param options  NULL means the defaults
/// @param answers  receives `count` answers. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED each has what is proved;
///                 of paths that were not begun, and after other failures, nothing may be known
/// @param error    may be NULL
/// @return as grz_move(); for a bad end `element` is the number of the path, and nothing is followed
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// double to[2][3] = {{1, 0, 0}, {0, 1, 0}};
/// grz_move_answer answers[2];
/// status = grz_move_paths(device, &part, to[0], 2, &housing, NULL, answers, &error);
/// @endcode
GRZ_API grz_status grz_move_paths(grz_device *device, const grz_object *a, const double *to_a, uint64_t count,
                                  const grz_object *b, const grz_move_options *options, grz_move_answer *answers,
                                  grz_error *error);

/// What a moving object of a scene touches.
typedef struct grz_scene_contact {
    uint32_t object;        ///< the number of the other object
    grz_move_answer answer; ///< as grz_move() gives it, with the moving object as A, but for `compared`
} grz_scene_contact;

/// Find what an object of a scene touches first, while it moves along a straight line and all others rest. Objects that
/// groups, masks or the scene's filter exclude are left out. The scene itself does not change.
///
/// @param device    the one that the scene was made with
/// @param scene     is read only
/// @param moving    the number of the object that moves
/// @param to        the translation of its pose at the end: three numbers
/// @param options   NULL means the defaults, as for grz_move()
/// @param contacts  receives the objects that are touched, sorted by `first_contact`, then by number
/// @param capacity  how many objects are wanted; there is room for so many
/// @param found     receives how many there are: `capacity`, or all that are touched if these are fewer
/// @param error     may be NULL
/// @return GRZ_OK, also if nothing is touched; GRZ_ERROR_ARGUMENT (also for a number that no object has);
///         GRZ_ERROR_POSE (`element`: the object); GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE. After a failure *found is 0
/// Thread-safety: needs the scene alone.
/// @code
/// grz_scene_contact first;
/// if (grz_move_scene(device, scene, drone, to, NULL, &first, 1, &found, &error) == GRZ_OK && found == 1)
///     printf("hits object %u after %g of the way\n", first.object, first.answer.first_contact);
/// @endcode
GRZ_API grz_status grz_move_scene(grz_device *device, const grz_scene *scene, uint32_t moving, const double to[3],
                                  const grz_move_options *options, grz_scene_contact *contacts, uint64_t capacity,
                                  uint64_t *found, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
