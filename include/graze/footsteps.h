// SPDX-License-Identifier: MIT
/// @file
/// Clean up a walking cycle whose feet pass through the floor, with the least change.
#ifndef GRAZE_FOOTSTEPS_H
#define GRAZE_FOOTSTEPS_H

#include <graze/collide.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One frame of a foot.
typedef struct grz_footstep {
    /// World units: how far the foot must be lifted along `up` so that it just touches the floor, coming from above.
    /// Below 0: it hovers so far above the floor. Minus infinity: there is no floor below it within reach.
    double lift;
    double lower; ///< lower <= exact lift <= upper
    double upper; ///< see `lower`
    /// Of the lift: GRZ_ENCLOSED; GRZ_EXACT if `lower` and `upper` are equal, as without a floor.
    grz_certainty certainty;
    double correction;   ///< world units along `up`: what to add to the foot's place
    uint32_t object;     ///< which floor it would touch first; meaningless if there is none
    uint32_t face_foot;  ///< the faces that would touch; GRZ_NO_FACE if there is none
    uint32_t face_floor; ///< see `face_foot`
} grz_footstep;

/// Options of grz_footsteps_correct(). Start from grz_default_footsteps_options().
typedef struct grz_footsteps_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory, progress
    /// World units, above 0; must be set. The floor is looked for from so far above each foot to so far below.
    double reach;
    double up[3]; ///< of any length but 0; (0, 0, 1) unless set
    /// World units a frame: how much the correction may fall or rise from one frame to the next. Infinite unless set:
    /// each frame is corrected by itself.
    double slope;
    bool cyclic;            ///< the first frame follows the last one; false unless set
    const uint8_t *planted; ///< one number for each frame, not 0 where the foot stands on the floor; NULL: nowhere
} grz_footsteps_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_footsteps_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_footsteps_options_init(grz_footsteps_options *options, size_t size);

/// @return options that lift each frame by itself.
GRZ_INLINE grz_footsteps_options grz_default_footsteps_options(void)
{
    grz_footsteps_options options;
    grz_footsteps_options_init(&options, sizeof options);
    return options;
}

/// Find how far each frame of a foot must be moved along `up`, so that none passes through the floor.
///
/// A frame that is planted is moved by its lift, up or down, so that the foot touches the floor. Another one is lifted
/// if it passes through, and as far as `slope` demands because of its neighbours: in the end its correction is at most
/// `slope` below each of theirs. Of all corrections with these properties this is the least in every frame
/// (docs/use/footsteps.md).
///
/// The lift is exact for the foot raised by `reach`, its positions rounded there, and moved down from there along a
/// straight line (grz_move()); surfaces count, so floors may be open. What is more than `reach` above a foot, such as a
/// ceiling, is not met; what is within reach above it is floor.
///
/// @param device   whose allocator gives the memory
/// @param feet     one object for each frame: the same mesh at other poses, or other meshes; they are borrowed
/// @param count    how many frames; 0 is allowed
/// @param floors   the floor: `floor_count` objects, which rest
/// @param floor_count how many; 0: nothing to stand on
/// @param options  `reach` must be set
/// @param steps    receives `count` frames. Unchanged after a failure
/// @param error    may be NULL; `element` is the frame, or the floor, at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (also if a foot touches the floor, or is inside, at `reach` above its
///         place); GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes.
/// @code
/// grz_footsteps_options options = grz_default_footsteps_options();
/// options.reach = 0.5;
/// options.slope = 0.01;
/// options.cyclic = true;
/// status = grz_footsteps_correct(device, feet, 48, &floor, 1, &options, steps, &error);
/// for (int i = 0; i < 48; i++) feet[i].pose.m[2][3] += steps[i].correction; // up is z
/// @endcode
GRZ_API grz_status grz_footsteps_correct(grz_device *device, const grz_object *feet, uint64_t count,
                                         const grz_object *floors, uint32_t floor_count,
                                         const grz_footsteps_options *options, grz_footstep *steps, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
