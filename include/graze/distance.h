// SPDX-License-Identifier: MIT
/// @file
/// How far apart are two meshes, or points and a mesh, and where are they nearest?
#ifndef GRAZE_DISTANCE_H
#define GRAZE_DISTANCE_H

#include <graze/limits.h>
#include <graze/locate.h>
#include <graze/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The distance of two surfaces, and where it is.
typedef struct grz_distance_answer {
    /// World units: the double nearest to the exact distance. If `certainty` is not GRZ_EXACT, the distance of the pair
    /// of faces below, or an upper bound of it; infinite if nothing is known.
    double distance;
    /// lower <= exact distance <= upper. If `certainty` is GRZ_EXACT, both are equal to `distance`, or they are the two
    /// doubles around the exact distance.
    double lower;
    double upper; ///< see `lower`
    /// GRZ_EXACT. GRZ_ENCLOSED: the search ended early because of `relative_error`; the distance is above 0 and
    /// between the bounds. GRZ_UNDECIDED: the bounds hold, but whether the surfaces touch is not known; or the call
    /// failed.
    grz_certainty certainty;
    bool touching; ///< the exact distance is 0: the surfaces have a common point. (`distance` may be 0 by rounding.)
    /// The nearest faces, as the caller numbered them. Of several pairs at the same distance it is the one with the
    /// smallest number, then the smallest other number; exchanging A and B changes nothing. GRZ_NO_FACE: not known. If
    /// `certainty` is not GRZ_EXACT, they, the features and the points are those of a pair that is nearly as near.
    uint32_t face_a;
    uint32_t face_b;       ///< see `face_a`
    grz_feature feature_a; ///< the part of face_a that holds the nearest point
    grz_feature feature_b; ///< the part of face_b that holds the nearest point
    double point_a[3]; ///< the nearest point of A, world coordinates, each rounded to the nearest double. Where several
                       ///< pairs of points are nearest, one of them
    double point_b[3]; ///< the nearest point of B
    uint64_t ties;     ///< how many pairs of faces are at exactly this distance, 1 or more; 0 if the search ended early
    uint64_t compared; ///< how many pairs of triangles were compared, for judging speed
} grz_distance_answer;

/// Options of grz_distance(). Start from grz_default_distance_options().
typedef struct grz_distance_options {
    size_t size;        ///< sizeof this structure, as the caller knows it
    grz_limits limits;  ///< cancelling, deadline (the answer then has what is proved until then), memory, progress
    const char *method; ///< "bvh", or "naive" (compares all pairs of triangles); NULL or "auto": bvh
    /// The search may end when `upper` is at most (1 + relative_error) · `lower`: then only these two are proved. 0,
    /// the default: the exact distance.
    double relative_error;
    /// May be NULL. An earlier answer about the same meshes: its faces are compared first. The answer is the same, but
    /// comes sooner if the objects have moved little since.
    const grz_distance_answer *earlier;
} grz_distance_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_distance_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_distance_options_init(grz_distance_options *options, size_t size);

/// @return options for the exact distance, without limits.
GRZ_INLINE grz_distance_options grz_default_distance_options(void)
{
    grz_distance_options options;
    grz_distance_options_init(&options, sizeof options);
    return options;
}

/// Measure the smallest distance between the surfaces of two objects.
///
/// Exact for the posed positions rounded to double (docs/reference/numbers.md): the answer is the double nearest to the
/// exact distance, with the two doubles around it. It is 0 where grz_collide() says that the surfaces touch. It is a
/// distance of surfaces: a mesh that lies inside another has a distance above 0 from it. The first call for a mesh
/// builds its tree.
///
/// @param device   whose allocator gives the memory
/// @param a,b      objects; the meshes are borrowed for the call and may be shared between threads
/// @param options  NULL means the defaults
/// @param answer   receives the answer. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED it has what is proved; after
///                 other failures lower is 0, upper infinite, and nothing else is known
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED for a method that measures no distances;
///         GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// grz_distance_answer answer;
/// if (grz_distance(device, &a, &b, NULL, &answer, &error) == GRZ_OK)
///     printf("%.17g, between faces %u and %u\n", answer.distance, answer.face_a, answer.face_b);
/// @endcode
GRZ_API grz_status grz_distance(grz_device *device, const grz_object *a, const grz_object *b,
                                const grz_distance_options *options, grz_distance_answer *answer, grz_error *error);

/// How far a point is from a surface, and where it is nearest.
typedef struct grz_point_distance {
    /// World units, 0 or above: the double nearest to the exact distance from the point to the surface. A signed
    /// distance is -distance if `location` is GRZ_INSIDE.
    double distance;
    /// lower <= exact distance <= upper: both are equal to `distance`, or they are the two doubles around the exact
    /// distance. So the distance is always GRZ_EXACT.
    double lower;
    double upper; ///< see `lower`
    /// The nearest face, as the caller numbered it; of several at the same distance the one with the smallest number.
    uint32_t face;
    /// Exactly as grz_locate_points() says it. GRZ_ON_SURFACE if and only if the exact distance is 0. (`distance` may
    /// be 0 by rounding.) If options.locate is false, what is not on the surface is GRZ_LOCATION_UNKNOWN.
    grz_location location;
    grz_feature feature; ///< the part of the face that holds the nearest point
    double point[3];     ///< the nearest point, world coordinates, each rounded to the nearest double
} grz_point_distance;

/// Options of grz_distance_points(). Start from grz_default_distance_points_options().
typedef struct grz_distance_points_options {
    size_t size;                 ///< sizeof this structure, as the caller knows it
    grz_limits limits;           ///< cancelling, deadline, memory, progress
    grz_inside_rule inside_rule; ///< GRZ_EVEN_ODD unless set
    bool locate;                 ///< find out what is inside; true unless set. False saves time
} grz_distance_points_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_distance_points_options();
/// this function is for bindings to other languages, which cannot call inline functions. Bytes that this version does
/// not know become 0.
GRZ_API void grz_distance_points_options_init(grz_distance_points_options *options, size_t size);

/// @return options for distances and locations by the even-odd rule, without limits.
GRZ_INLINE grz_distance_points_options grz_default_distance_points_options(void)
{
    grz_distance_points_options options;
    grz_distance_points_options_init(&options, sizeof options);
    return options;
}

/// Measure the distance of each point from the surface of an object, with the nearest face and whether the point is
/// inside. Exact for the object's posed positions rounded to double (docs/reference/numbers.md).
///
/// All threads of the device are used; the answers do not depend on them. Points that follow each other in space cost
/// less than the same points in a random order. The first call for a mesh builds its tree.
///
/// @param device   whose threads do the work and whose allocator gives the memory
/// @param object   the mesh is borrowed for the call
/// @param points   count × 3 numbers, world coordinates, finite, at most 2^300 in magnitude
/// @param count    number of points; 0 is allowed
/// @param options  NULL means the defaults
/// @param answers  receives `count` answers. After a failure nothing is known in any of them: distance and upper are
///                 infinite, lower is 0, face GRZ_NO_FACE, location GRZ_LOCATION_UNKNOWN
/// @param error    may be NULL
/// @return GRZ_OK, also for no points; GRZ_ERROR_ARGUMENT (`element`: the point at fault); GRZ_ERROR_POSE;
///         GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE; GRZ_ERROR_UNSUPPORTED for a mesh of 2^31
///         triangles or more
/// Thread-safety: safe together with other queries on the same mesh, if the answers are different.
/// @code
/// grz_point_distance answers[2];
/// status = grz_distance_points(device, &object, points, 2, NULL, answers, &error); // points: 6 numbers
/// @endcode
GRZ_API grz_status grz_distance_points(grz_device *device, const grz_object *object, const double *points,
                                       uint64_t count, const grz_distance_points_options *options,
                                       grz_point_distance *answers, grz_error *error);

/// Measure the distance of one object from one mesh at many poses, on all threads of the device. Each answer is the one
/// that grz_distance() gives for that pose, but for `compared`.
///
/// Poses that follow each other in space cost less: the faces of the last answer are compared first.
///
/// @param device        whose threads do the work and whose allocator gives the memory
/// @param a             the object that stays; its mesh is borrowed for the call
/// @param b             the mesh that is moved, borrowed for the call
/// @param poses         pose_count poses of b
/// @param pose_count    how many poses; 0 is allowed
/// @param options       NULL means the defaults, as for grz_distance()
/// @param answers       receives pose_count answers. After GRZ_ERROR_DEADLINE and GRZ_ERROR_CANCELLED each has what is
///                      proved; of poses that were not begun, and after other failures, nothing may be known
/// @param error         may be NULL
/// @return as grz_distance(); for GRZ_ERROR_POSE `element` is the first bad pose, and nothing is measured
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different.
/// @code
/// grz_distance_answer answers[100];
/// status = grz_distance_poses(device, &table, gripper, poses, 100, NULL, answers, &error);
/// @endcode
GRZ_API grz_status grz_distance_poses(grz_device *device, const grz_object *a, const grz_mesh *b, const grz_pose *poses,
                                      uint64_t pose_count, const grz_distance_options *options,
                                      grz_distance_answer *answers, grz_error *error);

/// The distance of two objects of a scene.
typedef struct grz_scene_distance {
    uint32_t a;                 ///< the number of one object
    uint32_t b;                 ///< the number of the other, a < b
    grz_distance_answer answer; ///< as grz_distance() gives it, but for `compared`
} grz_scene_distance;

/// Find the pairs of objects of a scene that are nearest to each other: the scene's smallest clearances. Pairs that
/// groups, masks or the scene's filter exclude are left out. The filter may be called for every pair of objects.
///
/// @param device         the one that the scene was made with
/// @param scene          is read only
/// @param options        NULL means the defaults, as for grz_distance(); `earlier` is ignored
/// @param distances      receives the nearest pairs, sorted by `distance`, then by (a, b)
/// @param capacity       how many pairs are wanted; there is room for so many
/// @param found          receives how many there are: `capacity`, or all that the scene has if these are fewer
/// @param error          may be NULL
/// @return GRZ_OK, also if the scene has no pairs; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE (`element`: the object);
///         GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE. After a failure *found
///         is 0
/// Thread-safety: needs the scene alone.
/// @code
/// grz_scene_distance nearest;
/// if (grz_distance_scene(device, scene, NULL, &nearest, 1, &found, &error) == GRZ_OK && found == 1)
///     printf("objects %u and %u are %g apart\n", nearest.a, nearest.b, nearest.answer.distance);
/// @endcode
GRZ_API grz_status grz_distance_scene(grz_device *device, const grz_scene *scene, const grz_distance_options *options,
                                      grz_scene_distance *distances, uint64_t capacity, uint64_t *found,
                                      grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
