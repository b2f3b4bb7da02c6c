// SPDX-License-Identifier: MIT
/// @file
/// Batches: one object against one mesh at many poses.
#ifndef GRAZE_BATCH_H
#define GRAZE_BATCH_H

#include <graze/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The answer for one pose.
typedef struct grz_pose_answer {
    grz_relation relation;       ///< as in grz_summary
    bool colliding;              ///< `relation` is not GRZ_APART
    grz_certainty certainty;     ///< GRZ_UNDECIDED if the call failed before this pose was answered
    grz_containment containment; ///< as in grz_summary
    /// `pair_count` and `kinds` are complete. False past max_pairs, and for touching surfaces if GRZ_FIND_PAIRS was not
    /// asked for.
    bool pairs_complete;
    grz_clearance clearance;        ///< as in grz_summary; GRZ_CLEARANCE_NOT_ASKED if the call failed before this pose
    uint64_t pair_count;            ///< touching pairs of faces; 0 if GRZ_FIND_PAIRS was not asked for
    uint64_t kinds[GRZ_KIND_COUNT]; ///< how many pairs of each grz_kind; they add up to `pair_count`
} grz_pose_answer;

/// Ask grz_collide() for one object and one mesh at many poses, on all threads of the device. Each answer is the one
/// that grz_collide() gives for that pose.
///
/// options->find may have GRZ_FIND_PAIRS for counts and kinds (no lists are kept) and GRZ_FIND_CONTAINMENT; with
/// neither it is yes or no only. Contacts, curves and GRZ_FIND_SOLIDS are refused: ask grz_collide() for these at the
/// poses where they matter. options->max_pairs holds for each pose.
///
/// @param device        whose threads do the work
/// @param a             the object that stays; its mesh is borrowed for the call
/// @param b             the mesh that is moved, borrowed for the call
/// @param poses         pose_count poses of b
/// @param pose_count    how many poses
/// @param options       NULL means the defaults, as for grz_collide()
/// @param answers       receives pose_count answers
/// @param error         may be NULL
/// @return GRZ_OK, also for no poses; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE (`element`: the first bad pose; nothing is
///         tested then); GRZ_ERROR_LIMIT (`element`: the first pose with more pairs than max_pairs; all poses have
///         their yes or no); GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE. After a
///         failure the answers that were given are right
/// Thread-safety: safe together with other queries, if the answers are different.
/// @code
/// grz_pose_answer answers[100];
/// status = grz_collide_poses(device, &table, gripper, poses, 100, NULL, answers, 100, &error);
/// @endcode
GRZ_API grz_status grz_collide_poses(grz_device *device, const grz_object *a, const grz_mesh *b, const grz_pose *poses,
                                     uint64_t pose_count, const grz_collide_options *options, grz_pose_answer *answers,
                                     grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
