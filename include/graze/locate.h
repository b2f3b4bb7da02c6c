// SPDX-License-Identifier: MIT
/// @file
/// Points against a mesh: inside, outside, or on its surface.
#ifndef GRAZE_LOCATE_H
#define GRAZE_LOCATE_H

#include <graze/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where a point lies.
typedef enum grz_location {
    GRZ_OUTSIDE,         ///< off the surface, not inside
    GRZ_INSIDE,          ///< off the surface, inside by the rule asked for
    GRZ_ON_SURFACE,      ///< on some triangle, degenerate ones included: told of every mesh
    GRZ_LOCATION_UNKNOWN ///< in the box of a mesh that is open, or wound inconsistently under GRZ_NONZERO; or the call failed
} grz_location;

/// Options of grz_locate_points(). Start from grz_default_locate_options().
typedef struct grz_locate_options {
    size_t size;                 ///< sizeof this structure, as the caller knows it
    grz_inside_rule inside_rule; ///< GRZ_EVEN_ODD unless set
    const volatile int *cancel;  ///< as in grz_collide_options
    double deadline;             ///< as in grz_collide_options
    uint64_t memory_limit;       ///< as in grz_collide_options
} grz_locate_options;

/// @return options for the even-odd rule, without limits.
GRZ_API grz_locate_options grz_default_locate_options(void);

/// Tell for each point whether it lies inside of an object. Exact for the object's posed positions rounded to double, whatever rays
/// run through (docs/numbers.md, containment).
///
/// Many points in one call cost less than the same points one by one: neighbours between which no triangle lies are answered
/// together, and all threads of the device are used. Their order does not matter. The mesh's tree is built by the first call that
/// needs it.
///
/// @param device     whose threads do the work and whose allocator gives the memory
/// @param object     the mesh is borrowed for the call
/// @param points     count × 3 numbers, world coordinates, finite, at most 2^300 in magnitude
/// @param count      number of points; 0 is allowed
/// @param options    NULL means the defaults
/// @param locations  receives count answers; after a failure all of them are GRZ_LOCATION_UNKNOWN
/// @param error      may be NULL; on failure holds code, element index and text
/// @return GRZ_OK, also for no points; GRZ_ERROR_ARGUMENT (`element`: the point at fault); GRZ_ERROR_POSE; GRZ_ERROR_MEMORY;
///         GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE; GRZ_ERROR_UNSUPPORTED for a mesh of 2^31 triangles or more
/// Thread-safety: safe with other queries on the same mesh, on answers of its own.
GRZ_API grz_status grz_locate_points(grz_device *device, const grz_object *object, const double *points, uint64_t count,
                                     const grz_locate_options *options, grz_location *locations, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
