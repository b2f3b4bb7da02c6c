// SPDX-License-Identifier: MIT
/// @file
/// Method `slices`, its discrete answer: both objects are drawn once, depth coded as bits of colour, and a pixel with a bit of both is a
/// collision. It samples space at pixels and slices: it may miss and may invent, where surfaces come close (docs/slices.md). The exact
/// answer of the same method has no settings.
#ifndef GRAZE_SLICES_H
#define GRAZE_SLICES_H

#include <graze/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Settings between speed and quality, as the method's authors recommend them.
typedef enum grz_slices_preset {
    GRZ_SLICES_FAST,     ///< 32 × 32 pixels, 16 slices, not refined
    GRZ_SLICES_BALANCED, ///< 64 × 64 pixels, 16 slices, refined once
    GRZ_SLICES_ACCURATE  ///< 128 × 128 pixels, 16 slices, refined twice, 32 slices in the last drawing
} grz_slices_preset;

/// Most slices an object can have, as colour has bits for them.
#define GRZ_SLICES_MOST 512

/// Most collision volumes that can be refined at a time.
#define GRZ_SLICES_MOST_VOLUMES 16

/// Who looks for pixels that hold both objects. Both find the same.
typedef enum grz_slices_analysis {
    GRZ_ANALYSIS_GPU, ///< a shader; little is read back
    GRZ_ANALYSIS_CPU  ///< all pixels are read back
} grz_slices_analysis;

/// Settings of the method. Start from grz_default_slices_options().
typedef struct grz_slices_options {
    size_t size; ///< sizeof this structure, as the caller knows it
    uint32_t
        resolution;  ///< pixels a side, 1 to what the device has, 16,384 mostly; a picture may take 1 GiB, 4 to 128 bytes a pixel
    uint32_t slices; ///< 1 to GRZ_SLICES_MOST, for each object
    uint32_t refinements; ///< how often what was found is drawn again as large as the picture; at most 16
    uint32_t volumes; ///< most collision volumes that are refined apart from each other, 1 to GRZ_SLICES_MOST_VOLUMES; 1 unless set
    uint32_t last_slices; ///< slices of the last of these drawings; 0: as many as before
    /// How far surfaces are moved outwards along vertex normals before they are drawn, as a part of each mesh's size (the diagonal of
    /// its box); negative: inwards. Outwards, far enough, misses no collision and invents more; inwards, far enough, the other way
    /// round. 0 unless set; the method's authors recommend 0.01.
    double offset;
    /// Boxes that are turned with the objects, along the main directions of their vertices, in place of axis-aligned ones: tighter
    /// around what is long or flat and lies askew. Found anew for new positions.
    bool oriented;
    bool has_direction;           ///< look along `direction`; otherwise along one that shows few faces edge-on
    double direction[3];          ///< world coordinates; not zero
    grz_slices_analysis analysis; ///< GRZ_ANALYSIS_GPU unless set
    /// A collision that was found is asked again of the exact predicates, within the collision volumes: then none is invented
    /// (grz_summary::may_invent is false where a collision was found), and with GRZ_FIND_PAIRS and more the lists have what touches there.
    /// What was missed stays so.
    bool confirm;
} grz_slices_options;

/// @return a preset's settings.
GRZ_API grz_slices_options grz_default_slices_options(grz_slices_preset preset);

/// Where a discrete answer found both objects: a box of any orientation that holds all cells, as small as their edges allow.
typedef struct grz_volume {
    double corner[3];  ///< world coordinates
    double edge[3][3]; ///< from the corner along the box's three edges: to the right, up, and away from the eye
    uint64_t cells;    ///< how many cells in it hold both objects
} grz_volume;

/// The collision volumes of the last query, a discrete one that found a collision; else none. Borrowed, valid until the result's next
/// query. `count` receives their number.
GRZ_API const grz_volume *grz_result_volumes(const grz_result *result, uint64_t *count);

/// Bring a volume from the world into an object's own coordinates: where on its mesh the collision is.
///
/// @param volume  one of grz_result_volumes()
/// @param object  its pose is undone
/// @param out     receives the volume in mesh coordinates; may be `volume`
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE where the pose has no inverse
/// Thread-safety: safe.
GRZ_API grz_status grz_volume_in_object(const grz_volume *volume, const grz_object *object, grz_volume *out, grz_error *error);

/// What grz_slices_path() found.
typedef struct grz_slices_path_answer {
    bool crossing;  ///< the paths have a cell in common: both objects were there, each at some step, not necessarily the same one
    uint64_t first; ///< the first step at which they collide; the number of steps where they do at none
    uint32_t drawings; ///< how many pictures were looked at
} grz_slices_path_answer;

/// Find the first of some steps at which two moving objects collide, as far as method `slices` can tell.
///
/// Both are drawn at all steps into one picture, which is looked at once: where their paths have no cell in common, they are taken to
/// collide at none. Otherwise the steps are asked one after the other. Between steps nothing is looked at. Both are discrete answers: the
/// picture of all steps is of a larger region than that of one, and may miss what that finds.
///
/// @param device   one with OpenGL: the meshes' own
/// @param a,b      the meshes, borrowed for the call
/// @param poses_a  `count` poses of a, one a step
/// @param poses_b  `count` poses of b
/// @param count    how many steps; for none the answer is none
/// @param options  NULL means GRZ_SLICES_BALANCED; `confirm` is not looked at
/// @param answer   receives what was found
/// @param error    may be NULL; `element` is the step at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY
/// Thread-safety: as all that uses OpenGL (<graze/device.h>).
GRZ_API grz_status grz_slices_path(grz_device *device, const grz_mesh *a, const grz_pose *poses_a, const grz_mesh *b,
                                   const grz_pose *poses_b, uint64_t count, const grz_slices_options *options,
                                   grz_slices_path_answer *answer, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
