// SPDX-License-Identifier: MIT
/// @file
/// Settings of method `slices` for its discrete answer, and what that says. The exact answer of the method has none.
///
/// Both objects are drawn once. Each bit of a pixel's colour stands for a slice of depth; a pixel with the same bit
/// from both objects is a collision. The answer samples space at pixels and slices: where surfaces come close it may
/// miss a collision or invent one (docs/reference/methods.md).
#ifndef GRAZE_SLICES_H
#define GRAZE_SLICES_H

#include <graze/collide.h>
#include <graze/discrete.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Settings from fast to accurate, as the method's authors recommend them.
typedef enum grz_slices_preset {
    GRZ_SLICES_FAST,     ///< 32 × 32 pixels, 16 slices, not refined
    GRZ_SLICES_BALANCED, ///< 64 × 64 pixels, 16 slices, refined once
    GRZ_SLICES_ACCURATE  ///< 128 × 128 pixels, 16 slices, refined twice, 32 slices in the last drawing
} grz_slices_preset;

/// The most slices that an object can have: the bits that colours have for them.
#define GRZ_SLICES_MAX 512

/// The most collision volumes that can be refined at a time.
#define GRZ_SLICES_MAX_BOXES 16

/// Who looks for pixels that hold both objects. The answer is the same.
typedef enum grz_slices_analysis {
    GRZ_ANALYSIS_GPU, ///< a shader; little is read back
    GRZ_ANALYSIS_CPU  ///< the CPU; all pixels are read back
} grz_slices_analysis;

/// Settings of the method. Start from grz_default_slices_options().
///
/// @code
/// grz_slices_options slices = grz_default_slices_options(GRZ_SLICES_FAST);
/// options.answer = GRZ_ANSWER_DISCRETE, options.method = "slices", options.slices = &slices;
/// @endcode
///
/// Statistics of a discrete answer (grz_result_statistic()): resolution: pixels a side of the last picture; slices:
/// of each object; cells: pixels by slices that hold both objects; drawings: pictures that were drawn; assumed: 1 if
/// `large_share` ended the query, else 0.
typedef struct grz_slices_options {
    size_t size; ///< sizeof this structure, as the caller knows it
    /// Pixels a side: from 1 to what the device can draw, often 16,384. A picture may take 1 GiB, at 4 to 128 bytes a
    /// pixel.
    uint32_t resolution;
    uint32_t slices;      ///< slices of each object, 1 to GRZ_SLICES_MAX
    uint32_t refinements; ///< how often what was found is drawn again, magnified to the whole picture; at most 16
    uint32_t max_boxes; ///< how many collision volumes are refined separately, 1 to GRZ_SLICES_MAX_BOXES; 1 unless set
    uint32_t last_slices; ///< slices in the last of these drawings; 0: as many as before
    /// How far surfaces are moved along vertex normals before they are drawn, as a part of each mesh's size (the
    /// diagonal of its box). Positive is outwards: far enough, no collision is missed, but more are invented. Negative
    /// is inwards: the reverse. 0 unless set; the method's authors recommend 0.01.
    double offset;
    /// Use boxes that turn with the objects, along the main directions of their vertices, instead of axis-aligned ones:
    /// tighter around long or flat objects at an angle. They are computed again for new positions.
    bool oriented;
    bool has_direction;           ///< look along `direction`; otherwise along one that shows few faces edge-on
    double direction[3];          ///< world coordinates; not zero
    grz_slices_analysis analysis; ///< GRZ_ANALYSIS_GPU unless set
    /// If a collision was found, let the exact predicates decide it within the collision volumes. Then no collision is
    /// invented (grz_summary::may_invent is false), and GRZ_FIND_PAIRS and the others list what touches there. A
    /// collision that was missed stays missed.
    bool confirm;
    uint32_t last_resolution; ///< pixels a side in the last of the drawings that refine; 0: as many as before
    /// A large volume means a collision: once a volume has as many cells as this share of a picture's pixels or more,
    /// the objects count as colliding, and nothing more is drawn. It saves drawings, not doubt: such an answer is the
    /// unrefined one, and may be invented unless `confirm` is set. Above 0; 0, the default: refine every volume
    double large_share;
    /// How far surfaces are moved along vertex normals, beside `offset`: in cells of the volume that is drawn, by the
    /// longest edge of a cell. So the distance shrinks with each refinement, while `offset` stays. View volumes are
    /// made larger by it. An object whose pose stretches it is moved by the mean of that. 0 to 16; 0 unless set
    double cell_offset;
} grz_slices_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_slices_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_slices_options_init(grz_slices_options *options, size_t size, grz_slices_preset preset);

/// @return the settings of a preset.
GRZ_INLINE grz_slices_options grz_default_slices_options(grz_slices_preset preset)
{
    grz_slices_options options;
    grz_slices_options_init(&options, sizeof options, preset);
    return options;
}

/// What grz_slices_path() found.
typedef struct grz_slices_path_answer {
    bool crossing;  ///< the paths share a cell: both objects were in it, each at some step, perhaps at different ones
    uint64_t first; ///< the first step at which the objects collide; the number of steps if they do not
    uint32_t drawings; ///< how many pictures were examined
} grz_slices_path_answer;

/// Find the first of a number of steps at which two moving objects collide, as far as method `slices` can say.
///
/// First both objects are drawn at all steps into one picture. If their paths share no cell, the objects do not
/// collide at any step. Otherwise the steps are asked one after the other. Nothing is tested between steps. Both are
/// discrete answers: the picture of all steps covers a larger region than that of one step, and may miss what that one
/// finds.
///
/// @param device   one with OpenGL, with which the meshes were made
/// @param a,b      the meshes, borrowed for the call
/// @param poses_a  `count` poses of a, one for each step
/// @param poses_b  `count` poses of b
/// @param count    how many steps; 0 is allowed
/// @param options  NULL means GRZ_SLICES_BALANCED; `confirm` is ignored
/// @param answer   receives what was found
/// @param error    may be NULL; `element` is the step at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY; GRZ_ERROR_DEVICE;
///         GRZ_ERROR_BUSY
/// Thread-safety: as for everything that uses OpenGL, see grz_device.
GRZ_API grz_status grz_slices_path(grz_device *device, const grz_mesh *a, const grz_pose *poses_a, const grz_mesh *b,
                                   const grz_pose *poses_b, uint64_t count, const grz_slices_options *options,
                                   grz_slices_path_answer *answer, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
