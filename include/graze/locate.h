// SPDX-License-Identifier: MIT
/// @file
/// Points against a mesh: inside, outside, or on its surface.
#ifndef GRAZE_LOCATE_H
#define GRAZE_LOCATE_H

#include <graze/collide.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where a point lies.
typedef enum grz_location {
    GRZ_OUTSIDE,    ///< not on the surface, and not inside
    GRZ_INSIDE,     ///< not on the surface, and inside by the rule that was asked for
    GRZ_ON_SURFACE, ///< on a triangle, also one without area. Open meshes have this answer too
    /// Undecided: the point is in the box of a mesh that is open, or wound inconsistently under GRZ_NONZERO; or the
    /// call failed.
    GRZ_LOCATION_UNKNOWN
} grz_location;

/// Options of grz_locate_points(). Start from grz_default_locate_options().
typedef struct grz_locate_options {
    size_t size;                 ///< sizeof this structure, as the caller knows it
    grz_limits limits;           ///< cancelling, deadline, memory, progress
    grz_inside_rule inside_rule; ///< GRZ_EVEN_ODD unless set
} grz_locate_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_locate_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_locate_options_init(grz_locate_options *options, size_t size);

/// @return options for the even-odd rule, without limits.
GRZ_INLINE grz_locate_options grz_default_locate_options(void)
{
    grz_locate_options options;
    grz_locate_options_init(&options, sizeof options);
    return options;
}

/// Decide for each point whether it lies inside an object. Exact for the object's posed positions rounded to double
/// (docs/reference/numbers.md, containment).
///
/// Many points in one call cost less than the same points one by one, because neighbours with no triangle between them
/// are answered together, and all threads of the device are used. The order of the points does not matter. The first
/// call for a mesh builds its tree.
///
/// @param device     whose threads do the work and whose allocator gives the memory
/// @param object     the mesh is borrowed for the call
/// @param points     count × 3 numbers, world coordinates, finite, at most 2^300 in magnitude
/// @param count      number of points; 0 is allowed
/// @param options    NULL means the defaults
/// @param locations  receives `count` answers. After a failure all of them are GRZ_LOCATION_UNKNOWN
/// @param error      may be NULL
/// @return GRZ_OK, also for no points; GRZ_ERROR_ARGUMENT (`element`: the point at fault); GRZ_ERROR_POSE;
///         GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE; GRZ_ERROR_UNSUPPORTED for a mesh of 2^31
///         triangles or more
/// Thread-safety: safe together with other queries on the same mesh, if the answers are different.
/// @code
/// grz_location locations[2];
/// status = grz_locate_points(device, &object, points, 2, NULL, locations, &error); // points: 6 numbers
/// @endcode
GRZ_API grz_status grz_locate_points(grz_device *device, const grz_object *object, const double *points, uint64_t count,
                                     const grz_locate_options *options, grz_location *locations, grz_error *error);

/// Tell which rule GRZ_INSIDE_AUTO stands for with a mesh: GRZ_NONZERO if the mesh is closed, wound consistently along
/// every edge and meets itself, else GRZ_EVEN_ODD. A mesh meets itself if two of its triangles have more in common than
/// the edge or the corner that they share, and more than one point. Judged for the whole mesh, where it was made: poses
/// do not matter. Kept with the mesh until its positions change (docs/use/solids.md).
///
/// @param mesh   what to examine
/// @param rule   receives the answer, never GRZ_INSIDE_AUTO; GRZ_EVEN_ODD on failure
/// @param error  may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_UNSUPPORTED for a mesh of 2^31 triangles or more
/// Thread-safety: safe together with queries on the same mesh.
/// @code
/// grz_inside_rule rule;
/// status = grz_mesh_inside_rule(mesh, &rule, &error);
/// @endcode
GRZ_API grz_status grz_mesh_inside_rule(const grz_mesh *mesh, grz_inside_rule *rule, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
