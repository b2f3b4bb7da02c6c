// SPDX-License-Identifier: MIT
/// @file
/// Poses, and objects: a mesh at a pose.
#ifndef GRAZE_OBJECT_H
#define GRAZE_OBJECT_H

#include <graze/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An affine map from mesh to world coordinates: world[i] = m[i][0]·x + m[i][1]·y + m[i][2]·z + m[i][3], rounded to double after
/// every operation in that order (docs/numbers.md).
typedef struct grz_pose {
    double m[3][4]; ///< rows of the linear part and the translation
} grz_pose;

/// @return the pose that moves nothing.
GRZ_API grz_pose grz_pose_identity(void);

/// @return the pose that adds (x, y, z).
GRZ_API grz_pose grz_pose_from_translation(double x, double y, double z);

/// Make a rigid pose.
///
/// @param translation  three numbers
/// @param quaternion   x, y, z, w; normalised here, in double
/// @param pose         receives the pose
/// @param error        may be NULL
/// @return GRZ_OK; GRZ_ERROR_POSE where a number is not finite or the quaternion is zero; GRZ_ERROR_ARGUMENT
GRZ_API grz_status grz_pose_from_quaternion(const double translation[3], const double quaternion[4], grz_pose *pose,
                                            grz_error *error);

/// A mesh at a pose. Plain data, the caller's; the mesh is borrowed.
typedef struct grz_object {
    const grz_mesh *mesh; ///< what is placed
    grz_pose pose;        ///< where
    void *user;           ///< the caller's, never looked at
    uint32_t group;       ///< bits that this object belongs to (scenes)
    uint32_t mask;        ///< bits of the groups that it can touch (scenes)
} grz_object;

/// @return an object at the identity pose, in group 1, that can touch everything.
GRZ_API grz_object grz_object_at_origin(const grz_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
