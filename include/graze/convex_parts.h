// SPDX-License-Identifier: MIT
/// @file
/// The solid of a closed mesh as convex parts. Exactly: their union is the solid, and their insides are disjoint. Or
/// nearly, for curved solids: few parts that cover the solid, with bounds of how far they stand out of it.
/// docs/use/convex_parts.md has the proofs and the cost.
///
/// @code
/// grz_convex_parts *parts;
/// if (grz_convex_parts_of_mesh(mesh, NULL, &parts, &error) == GRZ_OK) {
///     for (uint32_t i = 0; i < grz_convex_parts_count(parts); i++)
///         status = grz_hull_mesh(grz_convex_part_hull(parts, i), &meshes[i], &error);
///     grz_convex_parts_destroy(parts);
/// }
/// @endcode
#ifndef GRAZE_CONVEX_PARTS_H
#define GRAZE_CONVEX_PARTS_H

#include <graze/hull.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of grz_convex_parts_of_mesh(). Start from grz_default_convex_parts_options().
typedef struct grz_convex_parts_options {
    size_t size;        ///< sizeof this structure, as the caller knows it
    grz_limits limits;  ///< cancelling, deadline, memory, progress
    uint32_t max_parts; ///< give up if there would be more parts; 10,000 unless set
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
///         GRZ_ERROR_LIMIT (more parts than `max_parts`); GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_convex_parts_of_mesh(const grz_mesh *mesh, const grz_convex_parts_options *options,
                                            grz_convex_parts **parts, grz_error *error);

/// Options of grz_convex_cover_of_mesh(). Start from grz_default_convex_cover_options().
typedef struct grz_convex_cover_options {
    size_t size;        ///< sizeof this structure, as the caller knows it
    grz_limits limits;  ///< cancelling, deadline, memory, progress
    double error;       ///< how far the parts may stand out of the solid; 0: a hundredth of the box's diagonal
    uint32_t max_parts; ///< at most so many parts; 64 unless set, up to 4,096
} grz_convex_cover_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_convex_cover_options();
/// this function is for bindings to other languages, which cannot call inline functions. Bytes that this version does
/// not know become 0.
GRZ_API void grz_convex_cover_options_init(grz_convex_cover_options *options, size_t size);

/// @return options for at most 64 parts that stand out by at most a hundredth of the diagonal of the mesh's box.
GRZ_INLINE grz_convex_cover_options grz_default_convex_cover_options(void)
{
    grz_convex_cover_options options;
    grz_convex_cover_options_init(&options, sizeof options);
    return options;
}

/// Cover the solid of a mesh with few convex parts, which may overlap and stand out of it.
///
/// Every point of the solid is in a part, or nearer to one than grz_convex_parts_rounding(). How far a part stands out
/// is enclosed for each part: grz_convex_part_error(). If options.max_parts parts are too few for options.error, the
/// parts stand out further, and say so; that is no failure.
///
/// The answer does not depend on the number of threads.
///
/// @param mesh     closed. What is inside of it is decided by the even-odd rule, so faces may run either way
/// @param options  NULL means the defaults
/// @param parts    receives the parts; NULL on failure. Destroy them with grz_convex_parts_destroy()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MESH (not closed); GRZ_ERROR_UNSUPPORTED (coordinates above 2^290);
///         GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with queries on the same mesh.
/// @code
/// grz_convex_cover_options options = grz_default_convex_cover_options();
/// options.error = 0.5; // the mesh's unit
/// status = grz_convex_cover_of_mesh(mesh, &options, &parts, &error);
/// @endcode
GRZ_API grz_status grz_convex_cover_of_mesh(const grz_mesh *mesh, const grz_convex_cover_options *options,
                                            grz_convex_parts **parts, grz_error *error);

/// Destroy parts, with their hulls. NULL is accepted.
GRZ_API void grz_convex_parts_destroy(grz_convex_parts *parts);

/// @return how many parts there are; 0 for NULL. Thread-safe.
GRZ_API uint32_t grz_convex_parts_count(const grz_convex_parts *parts);

/// @return a part, which belongs to `parts`; NULL if there is none of this number. Its grz_hull_points() mean nothing.
///         Thread-safe.
/// @param parts  the parts
/// @param index  below grz_convex_parts_count()
GRZ_API const grz_hull *grz_convex_part_hull(const grz_convex_parts *parts, uint32_t index);

/// @return how far a corner of a part may be from the exact one: no point of a part as it came out is farther from the
///         exact part, nor the other way round. Corners that are doubles, as of a solid of integer cubes, are exact
///         nevertheless. 0 for NULL. Thread-safe.
GRZ_API double grz_convex_parts_rounding(const grz_convex_parts *parts);

/// How far a part stands out of the solid: its farthest point is at least `lower` and at most `upper` away from the
/// solid. Of exact parts `lower` is 0, and `upper` is the rounding. grz_certainty_of_bounds() tells whether that is
/// GRZ_EXACT or GRZ_ENCLOSED.
///
/// @param parts  the parts
/// @param index  below grz_convex_parts_count()
/// @param lower  receives the lower bound; may be NULL
/// @param upper  receives the upper bound; may be NULL
/// @return false, and nothing is written, if there is no such part. Thread-safe.
GRZ_API bool grz_convex_part_error(const grz_convex_parts *parts, uint32_t index, double *lower, double *upper);

#ifdef __cplusplus
}
#endif

#endif
