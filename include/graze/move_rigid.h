// SPDX-License-Identifier: MIT
/// @file
/// When does an object that moves and turns first touch another?
///
/// Time runs from 0 to 1. Nothing is sampled: the answer encloses the first contact, or is a proof that there is none.
#ifndef GRAZE_MOVE_RIGID_H
#define GRAZE_MOVE_RIGID_H

#include <graze/limits.h>
#include <graze/move.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How an object moves.
typedef enum grz_motion_kind {
    GRZ_MOTION_REST,  ///< it stays at a pose
    GRZ_MOTION_SLERP, ///< its mesh's origin moves along a line, and it turns about it by the shortest way, evenly
    GRZ_MOTION_SCREW, ///< it turns about an axis in space and moves along it, evenly: a constant twist
    GRZ_MOTION_PATH   ///< as the caller's functions say
} grz_motion_kind;

/// A motion that the caller computes. The mesh keeps its shape on the way: the pose at every t is a rigid motion of the
/// pose at 0. The functions are called by the thread that asks, with t in [0, 1], and must always say the same.
typedef struct grz_motion_path {
    /// Write the pose at t.
    void (*pose)(void *user, double t, grz_pose *pose);
    /// @return an upper bound, world units, of how far any point of the mesh's bounding box is from its place at `from`
    ///         at any time between `from` and `to`; `from` < `to`. The smaller it is, the fewer steps are needed.
    double (*travel)(void *user, double from, double to);
    /// May be NULL. Write the velocity at t of the point at which the mesh's origin is (world units in the whole time),
    /// and the spin: radians in the whole time, along the axis. With it, only motion towards the other object counts.
    void (*velocity)(void *user, double t, double velocity[3], double spin[3]);
    /// With `velocity`: an upper bound of the acceleration of any point of the mesh's bounding box, at any t.
    double acceleration;
    /// World units: no posed point is farther than this from where it really is at that time. Rounding in grz_pose's
    /// own arithmetic is added.
    double error;
    void *user; ///< is handed to the functions
} grz_motion_path;

/// How one mesh moves from t = 0 to t = 1. Make it with grz_motion_rest(), grz_motion_slerp(), grz_motion_screw() or
/// grz_motion_along(). A structure that was only zeroed is refused: it rests at a pose of zeros.
typedef struct grz_motion {
    grz_motion_kind kind; ///< which of the members below count
    grz_pose pose;        ///< GRZ_MOTION_REST: where
    double from[3];       ///< SLERP, SCREW: translation at t = 0
    double from_turn[4];  ///< quaternion x, y, z, w at t = 0, of any length but 0
    double to[3];         ///< translation at t = 1
    double to_turn[4];    ///< quaternion at t = 1; the shorter way of turning there is taken
    grz_motion_path path; ///< GRZ_MOTION_PATH
} grz_motion;

/// @return no motion: the object stays at this pose.
GRZ_API grz_motion grz_motion_rest(grz_pose pose);

/// @return linear translation, and rotation by the shortest slerp about the mesh's origin. Ends are checked when the
///         motion is used. Of half a turn, where both ways are equally short, the one from the quaternions as given.
/// @param from,to            translations: three numbers
/// @param from_turn,to_turn  quaternions x, y, z, w
GRZ_API grz_motion grz_motion_slerp(const double from[3], const double from_turn[4], const double to[3],
                                    const double to_turn[4]);

/// @return the same ends, joined by a constant twist.
GRZ_API grz_motion grz_motion_screw(const double from[3], const double from_turn[4], const double to[3],
                                    const double to_turn[4]);

/// @return the caller's own motion. `path` is copied.
GRZ_API grz_motion grz_motion_along(const grz_motion_path *path);

/// The pose at a time, rounded. Positions by this pose are within a small error of the real ones, which
/// grz_move_rigid() takes into account (docs/use/move_rigid.md).
/// @param motion  what moves
/// @param t       in [0, 1]
/// @param pose    receives the pose. Unchanged on failure
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE. Thread-safe, but for the caller's functions.
GRZ_API grz_status grz_motion_pose(const grz_motion *motion, double t, grz_pose *pose, grz_error *error);

/// How the first contact is searched for.
typedef enum grz_rigid_search {
    GRZ_RIGID_ADVANCE, ///< time advances by steps in which nothing can touch: proved
    /// The end is tested, and the time to it halved; for comparison: it misses what passes through, and its answer has
    /// GRZ_DISCRETE.
    GRZ_RIGID_HALVING
} grz_rigid_search;

/// Options of grz_move_rigid(). Start from grz_default_rigid_options().
typedef struct grz_rigid_options {
    size_t size;             ///< sizeof this structure, as the caller knows it
    grz_limits limits;       ///< as in grz_move_options
    grz_rigid_search search; ///< GRZ_RIGID_ADVANCE unless set
    /// World units. The search ends when no point can travel farther than this, relative to the other object, between
    /// `lower` and `upper`. 0: a millionth of the size of the smaller object. Smaller tolerances cost little.
    double tolerance;
    double t_max;       ///< in [0, 1]: the search ends at this time, and no contact means none up to it. 1 unless set
    uint64_t max_steps; ///< pairs of boxes or triangles followed before it is undecided; 100 million unless set
    bool inside;        ///< as in grz_move_options
    grz_inside_rule inside_rule; ///< as in grz_move_options
} grz_rigid_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_rigid_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_rigid_options_init(grz_rigid_options *options, size_t size);

/// @return options for proved answers, without limits.
GRZ_INLINE grz_rigid_options grz_default_rigid_options(void)
{
    grz_rigid_options options;
    grz_rigid_options_init(&options, sizeof options);
    return options;
}

/// Enclose the first contact of two objects that move and turn.
///
/// The motion is the real one, in real numbers between the given ends; what rounding does to poses is part of the
/// bounds. Only the start is decided for the rounded positions at t = 0, as grz_collide() has them: if the surfaces
/// touch there, or (with `inside`) the insides overlap, the first contact is at 0. After that:
/// - contact, GRZ_ENCLOSED: there is no contact before `lower`, and there is one at `upper` or before. `first_contact`
///   is `lower`. Usually they are as near to each other as the tolerance asks; where objects hardly approach each
///   other, or the search ended early, farther. GRZ_EXACT: they are equal, as for a contact at the start.
/// - no contact, GRZ_EXACT: proved.
/// - GRZ_UNDECIDED: `first_contact` is `lower`: up to then there is no contact. The objects come so near there that
///   rounding might hide a contact, or the search ended early.
/// Of two objects that do not turn (at rest, or with the same quaternion at both ends) the answer is that of
/// grz_move(): exact, for paths from the rounded positions at t = 0; `tolerance` and `max_steps` do not count then.
/// Otherwise `normal`, `point`, faces and features belong to the pair of faces that is nearest at `lower`, and are
/// rounded, and `ties` is 0.
///
/// @param device    whose allocator gives the memory
/// @param a,b       objects; their meshes are borrowed for the call
/// @param motion_a  how A moves: all its poses, so that a->pose is ignored; NULL: A rests at its pose
/// @param motion_b  how B moves; NULL likewise
/// @param options   NULL means the defaults
/// @param answer    receives the answer. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED it has what is proved; after
///                  other failures lower is 0, upper infinite, and nothing else is known
/// @param error     may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK, also if undecided; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE (also for coordinates above 2^100, and for
///         a path whose functions say something impossible); GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// const double at[3] = {0, 0, 0}, none[4] = {0, 0, 0, 1}, quarter_turn_about_z[4] = {0, 0, 1, 1};
/// const grz_motion swing = grz_motion_slerp(at, none, at, quarter_turn_about_z);
/// if (grz_move_rigid(device, &door, &swing, &wall, NULL, NULL, &answer, &error) == GRZ_OK && !answer.has_contact)
///     printf("%s\n", answer.certainty == GRZ_UNDECIDED ? "undecided" : "the door opens freely");
/// @endcode
GRZ_API grz_status grz_move_rigid(grz_device *device, const grz_object *a, const grz_motion *motion_a,
                                  const grz_object *b, const grz_motion *motion_b, const grz_rigid_options *options,
                                  grz_move_answer *answer, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
