// SPDX-License-Identifier: MIT
/// @file
/// Move a sphere, a capsule, a box, an ellipsoid or a cylinder through a level, sliding along what it meets: players,
/// cameras, robots' footprints.
///
/// A step begins at a position outside the level's surfaces and ends at one, proved exactly. The way between is swept,
/// so no wall is too thin and no step too fast. docs/use/mover.md says what is guaranteed, and how.
///
/// @code
/// grz_shape shape = grz_shape_capsule(foot, head, 0.3); // around (0, 0, 0)
/// grz_mover_options options = grz_default_mover_options();
/// options.walk = true;
/// for (;;) {
///     status = grz_mover_step(device, &level, 1, &shape, position, displacement, &options, &answer, &error);
///     memcpy(position, answer.position, sizeof position);
///     options.floor = answer.floor;
/// }
/// @endcode
#ifndef GRAZE_MOVER_H
#define GRAZE_MOVER_H

#include <graze/collide.h>
#include <graze/flat.h>
#include <graze/limits.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a step ended.
typedef enum grz_mover_outcome {
    GRZ_MOVER_FREE,   ///< nothing is in the way of the displacement
    GRZ_MOVER_SLIDE,  ///< sliding along one plane at the end
    GRZ_MOVER_CREASE, ///< sliding along two planes at the end
    GRZ_MOVER_CORNER, ///< stopped: the contacts leave no direction that makes progress along the displacement
    /// The level was nearer than the radius at the beginning, and was not cleaned up: the position is unchanged.
    GRZ_MOVER_START_INSIDE,
    /// More than 1,000 straight moves one after the other, or an end that could not be proved: the rest of the
    /// displacement is lost.
    GRZ_MOVER_LIMIT,
    /// Objects that have moved (`earlier_poses`) leave no room, and there is no clean-up. The position is outside
    /// where they are at the time `crushed_at`; where they are now it may be inside. The displacement is
    /// not made.
    GRZ_MOVER_CRUSHED
} grz_mover_outcome;

/// A contact of a mover: a place of the level that is nearer to the mover's core than radius + skin; it need not touch.
/// The radius of a box, an ellipsoid or a cylinder is 0, and its core is what it is. A place from which the surface
/// goes on towards the mover is no contact, so that no edge is felt that is flat or bends inwards.
typedef struct grz_mover_contact {
    uint32_t object;  ///< the index of the object
    uint32_t face;    ///< as the caller numbered it; one of them if several have the point
    double normal[3]; ///< from the level to the mover, of length 1. 0 if doubles know none, and the distance is 0
    double point[3];  ///< of the level, rounded; world coordinates
    double distance;  ///< of the core from the level there: a lower bound, some 2^-46 of the sizes below the exact one
    bool on_face;     ///< the normal is that of the face. Else `point` is on an edge or a corner of the level
} grz_mover_contact;

/// What a walker stands on. Give the last answer's to the next step.
typedef struct grz_mover_floor {
    bool stands;      ///< false: the others mean nothing
    uint32_t object;  ///< the index of the object
    uint32_t face;    ///< as the caller numbered it
    double point[3];  ///< of the level; world coordinates
    double normal[3]; ///< from the level to the mover
} grz_mover_floor;

/// What is done with a mover that starts inside, because the level has moved. The displacement
/// is made after that.
typedef enum grz_mover_clean_up {
    GRZ_MOVER_CLEAN_UP_NONE,     ///< say so, and move nothing
    GRZ_MOVER_CLEAN_UP_SHORTEST, ///< put it out by about the shortest way; nothing is proved about the way there
    /// Put it back against the displacement, to the first place that is outside; at most by the displacement's length
    /// and twice the shape's. Without a displacement nothing is moved.
    GRZ_MOVER_CLEAN_UP_BACK
} grz_mover_clean_up;

enum {
    GRZ_MOVER_MAX_CONTACTS = 8 ///< that an answer lists
};

/// Options of grz_mover_step(). Start from grz_default_mover_options().
typedef struct grz_mover_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline (the answer then has the last proved position), memory, progress
    /// World units. The mover stops between radius and radius + skin before a surface; a passage must be wider than 2
    /// · (radius + skin). 0: 2^-10 of the radius, or of the smallest half axis. At least 2^-44 of all coordinates, at
    /// most the radius or the smallest half axis.
    double skin;
    grz_mover_clean_up clean_up; ///< GRZ_MOVER_CLEAN_UP_NONE unless set
    /// Where the objects were at the last step, one pose for each; NULL: they have not moved. Each corner of them
    /// goes straight from there to where it is. What meets the mover on the way pushes it. A walker that stands on an
    /// object (`floor`) is carried along. Begins where the mover is outside at the earlier poses; else it is not
    /// pushed.
    const grz_pose *earlier_poses;
    /// Walk: `up`, `slope_limit`, `step_up`, `step_down` and `floor` mean something. Standing on a floor, the part of
    /// the displacement along -up is left out, so that gravity does not pull the mover down a slope that it can stand
    /// on.
    bool walk;
    double up[3];          ///< of any length but 0; (0, 0, 1) unless set
    double slope_limit;    ///< degrees, 0 to 90: what is steeper is a wall. 45 unless set
    double step_up;        ///< world units: how high a stair may be; 0 unless set
    double step_down;      ///< world units: how far down a floor is looked for to stay on; 0 unless set
    grz_mover_floor floor; ///< what the mover stood on after the last step; nothing unless set
    /// For a level of many objects; NULL: the box of each is compared. Else a set of <graze/flat.h> that knows where
    /// they are in a plane: item i is a box that holds the box of object i (grz_object_bounds()) without its coordinate
    /// `ground_axis`; of an object that has moved, also that at its earlier pose. An object without an item is not
    /// there. Only the objects around the step are looked at, and checked. The answer is the same, but for `compared`.
    /// docs/use/flat.md shows it.
    const grz_flat *ground;
    uint32_t ground_axis; ///< 0 (x), 1 (y) or 2 (z): the coordinate that `ground` leaves out; 2 unless set
} grz_mover_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_mover_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_mover_options_init(grz_mover_options *options, size_t size);

/// @return options for a mover that flies.
GRZ_INLINE grz_mover_options grz_default_mover_options(void)
{
    grz_mover_options options;
    grz_mover_options_init(&options, sizeof options);
    return options;
}

/// What a step did.
typedef struct grz_mover_answer {
    double position[3];        ///< the new position: certainly outside, unless the outcome is GRZ_MOVER_START_INSIDE
                               ///< or GRZ_MOVER_CRUSHED
    grz_mover_outcome outcome; ///< how it ended
    bool started_inside;       ///< the level was nearer than the radius before the displacement, decided exactly
    bool stepped_up;           ///< a walker has gone up a stair
    bool stepped_down;         ///< a walker has been put down to the floor
    double carried[3];         ///< how far the floor has carried the mover; part of the change of position
    double pushed[3];          ///< how far objects that have moved have pushed it, or held it back; not its lifts
    double crushed_at;         ///< the time, 0 to 1 of the objects' motion, at which there was no room; 1: there was
    grz_mover_floor floor;     ///< of a walker
    uint32_t contact_count;    ///< how many contacts there are at the end, also those that are not listed
    grz_mover_contact contacts[GRZ_MOVER_MAX_CONTACTS]; ///< the nearest of them
    uint32_t iterations;                                ///< straight moves that were tried
    uint64_t compared;                                  ///< how many triangles were compared, for judging speed
} grz_mover_answer;

/// Move a shape through a level by a displacement.
///
/// The shape goes straight until it meets a surface. What is then left of the displacement is projected onto what all
/// contacts together leave free, and so on. Surfaces count, not solids: a room is a mesh with the mover inside.
///
/// The answer depends on positions only: not on the order of faces, vertices or objects, nor on threads. (Numbers in
/// it are those of the mesh given.)
///
/// @param device        whose allocator gives the memory
/// @param objects       the level: `object_count` objects, whose meshes are borrowed for the call. Coordinates in the
///                      world are at most 2^100 in magnitude. Groups and masks are not looked at
/// @param object_count  how many; 0: nothing is in the way
/// @param shape         what is moved: a sphere, a capsule, a box, an ellipsoid or a cylinder with its middle at
///                      (0, 0, 0), where `position` is; its pose may turn it. Radius or half axes 2^-100 to 2^100;
///                      those of an ellipsoid at most 64 times its shortest, both radii of a cylinder equal. A
///                      cylinder is along the z axis of its pose
/// @param position      three numbers, world coordinates, at most 2^100 in magnitude
/// @param displacement  how far it should go: three numbers, at most 2^100 in magnitude. All 0: only the contacts are
///                      found, and what the rules of walking and carrying say
/// @param options       NULL means the defaults
/// @param answer        receives the answer. On failure its position is the last one proved, or `position`
/// @param error         may be NULL; `element` is the object at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE;
///         GRZ_ERROR_UNSUPPORTED (a level with coordinates above 2^100)
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
GRZ_API grz_status grz_mover_step(grz_device *device, const grz_object *objects, uint32_t object_count,
                                  const grz_shape *shape, const double position[3], const double displacement[3],
                                  const grz_mover_options *options, grz_mover_answer *answer, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
