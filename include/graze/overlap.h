// SPDX-License-Identifier: MIT
/// @file
/// How much room do two solids fill both, and how deep is it?
#ifndef GRAZE_OVERLAP_H
#define GRAZE_OVERLAP_H

#include <graze/move.h>
#include <graze/targets.h>

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
    /// GRZ_UNDECIDED: the meshes have no inside, or doubles do not suffice (`reason`), or the call ended early. The
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
/// Both meshes must be closed (docs/use/solids.md). A surface may cross itself, have faces twice, or shells that
/// overlap, are nested or inside out: options.inside_rule says what is inside then.
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

/// Is one solid deeper in another than a given depth?
typedef enum grz_deeper {
    GRZ_DEEPER_UNKNOWN, ///< not asked, or not decided (`reason`)
    GRZ_DEEPER_NO,      ///< proved: the depth is at most 1 + 10^-6 times the given one; for 0: the insides do not meet
    GRZ_DEEPER_YES      ///< proved: the depth is larger
} grz_deeper;

/// A place where two solids overlap deeper than was asked.
typedef struct grz_overlap_part {
    double lower;     ///< lower <= depth of this place <= upper. 0: it is not known to be deeper
    double upper;     ///< see `lower`
    double centre[3]; ///< a point of depth `lower`; the middle of the box if that is 0
    double min[3];    ///< a box that holds all points of this place; it may be too long by an eighth of the common box
    double max[3];    ///< see `min`
} grz_overlap_part;

/// How deep two solids overlap.
typedef struct grz_overlap_depth_answer {
    double lower; ///< lower <= exact depth <= upper, in world units
    double upper; ///< see `lower`. Infinite if nothing is known
    /// Of the bounds. GRZ_EXACT: they are equal or neighbours. GRZ_ENCLOSED: they are proved. GRZ_UNDECIDED: the meshes
    /// have no inside (`reason`), or what was asked could not be proved, or the call ended early; the bounds hold in
    /// any case.
    grz_certainty certainty;
    grz_deeper deeper;  ///< deeper than options.deeper_than?
    double centre[3];   ///< a point of depth `lower`; zeros if that is 0
    const char *reason; ///< why something that was asked is not decided; else NULL. Static text
    /// How many places there are that are, or may be, deeper than options.deeper_than: of these as many as there is
    /// room for are in options.parts, the deepest first. 0 where parts were not asked for.
    uint64_t part_count;
    uint64_t cells;    ///< into how many cells the common box was cut, for judging speed
    uint64_t compared; ///< how many pairs of triangles were compared in these, likewise
} grz_overlap_depth_answer;

/// Options of grz_overlap_depth(). Start from grz_default_overlap_depth_options().
typedef struct grz_overlap_depth_options {
    size_t size;                 ///< sizeof this structure, as the caller knows it
    grz_limits limits;           ///< cancelling, deadline (the answer then has what is proved until then), memory
    grz_inside_rule inside_rule; ///< what is inside; GRZ_EVEN_ODD unless set
    bool decide;                 ///< decide whether the depth is above `deeper_than`; false unless set
    bool measure;                ///< bound the depth to `tolerance`; true unless set
    double deeper_than;          ///< world units, 0 or above, finite
    /// Relative: bounds that are no farther apart are good enough; 0.001 unless set. Above 0, at most 1. Closer than
    /// some 10^-11 of the coordinates they need not be.
    double tolerance;
    /// The search ends after so many cells, and then has the bounds that are proved; 100,000 unless set.
    uint64_t max_cells;
    grz_overlap_part *parts; ///< with `decide`: receives the places that are deeper. NULL, unless set: none
    uint64_t part_capacity;  ///< for how many parts there is room
} grz_overlap_depth_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_overlap_depth_options();
/// this function is for bindings to other languages, which cannot call inline functions. Bytes that this version does
/// not know become 0.
GRZ_API void grz_overlap_depth_options_init(grz_overlap_depth_options *options, size_t size);

/// @return options for bounds to a thousandth, without limits.
GRZ_INLINE grz_overlap_depth_options grz_default_overlap_depth_options(void)
{
    grz_overlap_depth_options options;
    grz_overlap_depth_options_init(&options, sizeof options);
    return options;
}

/// How deep do two solids overlap? The depth is the largest r + s such that around one point a ball of radius r is in A
/// and one of radius s in B: the two distances of a point from the borders of the solids. It is 0 where the insides
/// have no common point.
///
/// It is local: a shaft pressed into a collar has the depth of the press fit, though it would have to move by its
/// length to be free. It is at most the least way that frees A (grz_penetration()), at least the diameter of any common
/// ball, the same for (B, A), does not depend on how faces are cut into triangles, and grows with the solids.
///
/// Proved for the posed positions rounded to double (docs/reference/numbers.md): docs/use/overlap_depth.md. With
/// `decide`: deeper than options.deeper_than, or not? What is deeper by less than a millionth of that is not deeper: an
/// overlap that is as deep as allowed, give or take rounding, is allowed. Depth 0 asks whether the insides meet.
///
/// Both meshes must be closed (docs/use/solids.md).
///
/// @param device   whose allocator gives the memory
/// @param a,b      the objects; the meshes are borrowed for the call
/// @param options  NULL means the defaults
/// @param answer   receives the answer. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED it has what is proved; after
///                 other failures lower is 0, upper infinite, and nothing else is known
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK, also for meshes that have no inside; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY;
///         GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// grz_overlap_depth_options options = grz_default_overlap_depth_options();
/// grz_overlap_depth_answer answer;
/// options.decide = true, options.measure = false;
/// options.deeper_than = 0.001; // metres
/// if (grz_overlap_depth(device, &wall, &window, &options, &answer, &error) == GRZ_OK &&
///     answer.deeper == GRZ_DEEPER_YES)
///     printf("deeper than a millimetre near %g %g %g\n", answer.centre[0], answer.centre[1], answer.centre[2]);
/// @endcode
GRZ_API grz_status grz_overlap_depth(grz_device *device, const grz_object *a, const grz_object *b,
                                     const grz_overlap_depth_options *options, grz_overlap_depth_answer *answer,
                                     grz_error *error);

/// A pair of objects that grz_overlap_depths() asks about.
typedef struct grz_overlap_pair {
    uint32_t a;         ///< the number of one object: its index in a list, or its number in a scene
    uint32_t b;         ///< the number of the other
    double deeper_than; ///< what this pair is asked, in place of options.deeper_than: world units, 0 or above, finite
} grz_overlap_pair;

/// How deep do many pairs of solids overlap? Each answer is that of grz_overlap_depth() for the pair and its own
/// `deeper_than`, bit for bit; pairs are spread over the threads of the device.
///
/// @param device      whose allocator gives the memory, and whose threads do the work
/// @param targets     the objects, of a list or of a scene; borrowed for the call
/// @param pairs       `pair_count` pairs, as those of grz_result_scene_pairs(); in any order, and as often as they come
/// @param pair_count  how many; 0 is allowed
/// @param options     NULL means the defaults. options.parts, if not NULL, has room for pair_count times
///                    options.part_capacity parts: those of pair i begin at part_capacity · i. The limit of memory is
///                    one for each pair
/// @param answers     receives pair_count answers. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED each has what is
///                    proved; of pairs that were not begun nothing is known
/// @param error       may be NULL; `element` is the number of the pair at fault, for GRZ_ERROR_POSE of the object
/// @return as grz_overlap_depth(); GRZ_ERROR_ARGUMENT also for an object that there is not
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different; a scene must not
/// change meanwhile.
/// @code
/// const grz_scene_pair *found = grz_result_scene_pairs(result, &count);
/// for (uint64_t i = 0; i < count; i++)
///     pairs[i] = (grz_overlap_pair){found[i].a, found[i].b, is_pipe[found[i].a] ? 0.05 : 0.001};
/// status = grz_overlap_depths(device, grz_targets_of_scene(scene), pairs, count, &options, answers, &error);
/// @endcode
GRZ_API grz_status grz_overlap_depths(grz_device *device, grz_targets targets, const grz_overlap_pair *pairs,
                                      uint64_t pair_count, const grz_overlap_depth_options *options,
                                      grz_overlap_depth_answer *answers, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
