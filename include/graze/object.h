// SPDX-License-Identifier: MIT
/// @file
/// Poses, and objects: a mesh at a pose.
#ifndef GRAZE_OBJECT_H
#define GRAZE_OBJECT_H

#include <graze/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An affine map from mesh to world coordinates: world[i] = m[i][0]·x + m[i][1]·y + m[i][2]·z + m[i][3]. Each operation
/// is rounded to double, in this order (docs/reference/numbers.md). A pose may be singular; it may not be all zeros.
typedef struct grz_pose {
    double m[3][4]; ///< three rows; the last column is the translation
} grz_pose;

/// @return the pose that moves nothing.
GRZ_API grz_pose grz_pose_identity(void);

/// @return the pose that adds (x, y, z).
GRZ_API grz_pose grz_pose_from_translation(double x, double y, double z);

/// Make a rigid pose: rotate by a quaternion, then translate.
///
/// @param translation  three numbers
/// @param quaternion   x, y, z, w, of any length but 0; normalised here, in double
/// @param pose         receives the pose
/// @param error        may be NULL
/// @return GRZ_OK; GRZ_ERROR_POSE if a number is not finite or the quaternion is zero; GRZ_ERROR_ARGUMENT. Thread-safe.
/// @code
/// const double at[3] = {0, 0, 1}, quarter_turn_about_z[4] = {0, 0, 1, 1};
/// status = grz_pose_from_quaternion(at, quarter_turn_about_z, &object.pose, &error);
/// @endcode
GRZ_API grz_status grz_pose_from_quaternion(const double translation[3], const double quaternion[4], grz_pose *pose,
                                            grz_error *error);

/// Sine and cosine of an angle: the same bytes with every C library and on every processor. So poses made of angles,
/// and all answers about them, are the same everywhere, too.
///
/// Each is within 2^-52 of the exact one of this double, relative to it, however large the angle is
/// (docs/reference/numbers.md).
///
/// @param angle   in radians; of an infinite one, or what is no number, both are no numbers
/// @param sine    receives one number; may be NULL
/// @param cosine  receives one number; may be NULL
/// Thread-safe.
/// @code
/// double axis_turn[4] = {0, 0, 0, 0}; // a quaternion: by `angle` about z
/// grz_sine_cosine(angle / 2, &axis_turn[2], &axis_turn[3]);
/// @endcode
GRZ_API void grz_sine_cosine(double angle, double *sine, double *cosine);

/// The inverse of a pose, which takes world coordinates back to the mesh's.
///
/// It is rounded, as every inverse is. A point that is moved by a rigid pose and back comes out within 2^-48 times the
/// largest of its coordinates and the pose's translations, not at the same bits. No query takes an inverse.
///
/// @param pose     what to invert
/// @param inverse  receives the inverse; may be `pose`. Unchanged on failure
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE if the pose is not finite, singular, or so nearly singular that
///         few digits of the inverse would be right. Thread-safe.
/// @code
/// grz_pose to_mesh;
/// if (grz_pose_inverse(&object.pose, &to_mesh, &error) == GRZ_OK) grz_pose_apply(to_mesh, world_point, mesh_point);
/// @endcode
GRZ_API grz_status grz_pose_inverse(const grz_pose *pose, grz_pose *inverse, grz_error *error);

/// @return the pose that applies `inner` first and then `outer`. Every number is rounded after each operation, in the
///         order that grz_pose has. So a vertex moved by the product may differ in its last bits from one that is moved
///         by the two poses in turn. Thread-safe.
/// @code
/// grz_object hand = grz_object_at(mesh, grz_pose_product(arm, wrist)); // the wrist's pose is relative to the arm
/// @endcode
GRZ_API grz_pose grz_pose_product(grz_pose outer, grz_pose inner);

/// Move a point by a pose, bit for bit as queries move the vertices of a mesh. If an argument is NULL nothing happens.
/// Thread-safe.
///
/// @param pose   what moves it
/// @param point  three numbers, mesh coordinates
/// @param world  receives three numbers, world coordinates; may be `point`
GRZ_API void grz_pose_apply(grz_pose pose, const double point[3], double world[3]);

/// A mesh at a pose: plain data of the caller's, which borrows the mesh. Make it with grz_object_at_origin() or
/// grz_object_at(). A structure that was only zeroed is refused: its pose is all zeros.
typedef struct grz_object {
    const grz_mesh *mesh; ///< what is placed
    grz_pose pose;        ///< where
    void *user;           ///< the caller's own; Graze never looks at it
    uint32_t group;       ///< scenes: bits of the groups that this object is in
    uint32_t mask;        ///< scenes: bits of the groups that it is tested with
} grz_object;

/// @return an object at the identity pose, in group 1, that is tested with all others.
GRZ_API grz_object grz_object_at_origin(const grz_mesh *mesh);

/// @return an object at this pose, in group 1, that is tested with all others.
/// @code
/// grz_object lid = grz_object_at(mesh, grz_pose_from_translation(0.0, 0.0, 1.5));
/// @endcode
GRZ_API grz_object grz_object_at(const grz_mesh *mesh, grz_pose pose);

/// An axis-aligned box in world coordinates that holds every vertex that a face of the object uses. The time does not
/// depend on the mesh: the box is that of the mesh's own box at the pose. So it is exact for a translation, and larger
/// than need be for a rotation.
///
/// @param object  the mesh is borrowed for the call. Of a mesh in OpenGL buffers: as of the last grz_mesh_gl_changed()
/// @param min     receives the lower corner, three numbers. Unchanged on failure
/// @param max     receives the upper corner, three numbers. Unchanged on failure
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_object_bounds(const grz_object *object, double min[3], double max[3], grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
