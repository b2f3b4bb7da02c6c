// SPDX-License-Identifier: MIT
/// @file
/// Cut the solid of a closed mesh into convex parts, exactly: their union is the solid, and their insides are disjoint.
/// All cuts lie in planes of the mesh's faces. docs/convex_parts.md has the proof and the cost.
///
/// @code
/// grz_convex_parts *parts;
/// if (grz_convex_parts_of_mesh(mesh, NULL, &parts, &error) == GRZ_OK) {
///     for (uint32_t i = 0; i < grz_convex_parts_count(parts); i++)
///         status = grz_hull_mesh(grz_convex_part(parts, i), &meshes[i], &error);
///     grz_convex_parts_destroy(parts);
/// }
/// @endcode
#ifndef GRAZE_CONVEX_PARTS_H
#define GRAZE_CONVEX_PARTS_H

#include <graze/hull.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of grz_convex_parts_of_mesh(). Start from grz_default_convex_parts_options().
typedef struct grz_convex_parts_options {
    size_t size;                ///< sizeof this structure, as the caller knows it
    uint32_t most;              ///< give up if there would be more parts; 10,000 unless set
    const volatile int *cancel; ///< may be NULL; another thread may set it to non-zero
    double deadline;            ///< seconds from the start of the call; 0: never
    uint64_t memory_limit;      ///< bytes that the call may allocate; 0: no limit
} grz_convex_parts_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_convex_parts_options();
/// this function is for bindings to other languages, which cannot call inline functions. Bytes that this version does
/// not know become 0.
GRZ_API void grz_convex_parts_options_init(grz_convex_parts_options *options, size_t size);

/// @return options for at most 10,000 parts.
GRZ_INLINE grz_convex_parts_options grz_default_convex_parts_options(void)
{
    grz_convex_parts_options options;
    grz_convex_parts_options_init(&options, sizeof options);
    return options;
}

/// Opaque: convex parts of a solid. Thread-safety: any number of threads may read them at once.
typedef struct grz_convex_parts grz_convex_parts;

/// Cut the solid of a mesh into convex parts.
///
/// The cuts are exact: corners are intersections of three planes of the mesh's triangles, and every decision about them
/// is made without rounding. Only the parts that come out have rounded corners: each coordinate is the double nearest
/// to the exact one, and a part is the hull of these corners (grz_convex_parts_rounding()).
///
/// For solids of flat faces: a curved surface of many triangles with reflex edges has very many parts.
///
/// @param mesh     closed, its faces counter-clockwise from outside. It must not cross itself: that is not checked
///                 (grz_collide_self() tells), and parts of such a mesh mean nothing
/// @param options  NULL means the defaults
/// @param parts    receives the parts; NULL on failure. Destroy them with grz_convex_parts_destroy()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MESH (not closed, faces in the same direction at an edge, inside out);
///         GRZ_ERROR_LIMIT (more parts than `most`); GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_convex_parts_of_mesh(const grz_mesh *mesh, const grz_convex_parts_options *options,
                                            grz_convex_parts **parts, grz_error *error);

/// Destroy parts, with their hulls. NULL is accepted.
GRZ_API void grz_convex_parts_destroy(grz_convex_parts *parts);

/// @return how many parts there are; 0 for NULL. Thread-safe.
GRZ_API uint32_t grz_convex_parts_count(const grz_convex_parts *parts);

/// @return a part, which belongs to `parts`; NULL if there is none of this number. Its grz_hull_points() mean nothing.
///         Thread-safe.
/// @param parts  the parts
/// @param index  below grz_convex_parts_count()
GRZ_API const grz_hull *grz_convex_part(const grz_convex_parts *parts, uint32_t index);

/// @return how far a corner of a part may be from the exact one: no point of a part as it came out is farther from the
///         exact part, nor the other way round. Corners that are doubles, as of a solid of integer cubes, are exact
///         nevertheless. 0 for NULL. Thread-safe.
GRZ_API double grz_convex_parts_rounding(const grz_convex_parts *parts);

#ifdef __cplusplus
}
#endif

#endif
