// SPDX-License-Identifier: MIT
/// @file
/// The shells of a mesh, and the parts that they make: a file that holds an assembly as one mesh is taken apart, so that
/// its parts can be tested against each other. docs/use/shells.md has the rules, with pictures.
///
/// @code
/// grz_mesh_shells *shells;
/// if (grz_mesh_shells_find(mesh, NULL, &shells, &error) == GRZ_OK) {
///     for (uint32_t i = 0; i < grz_mesh_shells_part_count(shells); i++)
///         status = grz_mesh_shells_cut(shells, mesh, i, &parts[i], &error);
///     grz_mesh_shells_destroy(shells);
/// }
/// @endcode
#ifndef GRAZE_SHELLS_H
#define GRAZE_SHELLS_H

#include <graze/limits.h>
#include <graze/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of grz_mesh_shells_find(). Start from grz_default_mesh_shells_options().
typedef struct grz_mesh_shells_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory, progress
} grz_mesh_shells_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_mesh_shells_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_mesh_shells_options_init(grz_mesh_shells_options *options, size_t size);

/// @return options without limits.
GRZ_INLINE grz_mesh_shells_options grz_default_mesh_shells_options(void)
{
    grz_mesh_shells_options options;
    grz_mesh_shells_options_init(&options, sizeof options);
    return options;
}

/// Opaque: the shells and parts of a mesh, at the positions that it had. It keeps its device alive, not the mesh.
///
/// Thread-safety: any number of threads may read the same shells at once; grz_mesh_shells_cut() and
/// grz_mesh_shells_destroy() need them alone.
typedef struct grz_mesh_shells grz_mesh_shells;

/// One shell.
typedef struct grz_mesh_shell {
    uint64_t first_face; ///< its lowest face
    uint64_t face_count; ///< how many faces it has
    uint32_t part;       ///< the part that it belongs to
    bool closed;         ///< every edge is a side of an even number of its faces
    bool inwards;        ///< closed, with as many faces through each edge one way as the other, and its faces look
                         ///< inwards: its exact volume is below 0
} grz_mesh_shell;

/// Find the shells of a mesh.
///
/// A shell is what faces make that are joined over edges. Edges are the same if their ends have equal positions. Two
/// faces that meet in an edge are joined, however they are wound. Where more than two meet, those are joined that bound
/// the same piece of material around the edge: two closed boxes that share an edge, or lie flush with a whole face, are
/// two shells. Corners alone join nothing. The decisions are exact, and do not depend on the order of the faces, but
/// for faces that coincide.
///
/// Each shell is a part, open ones too, except for cavities: a shell wound inwards that lies inside a closed shell
/// wound outwards belongs to the part of that shell; of several such shells, to the one of the least volume.
///
/// The time is that of a sort of the edges. Only a mesh with shells wound inwards takes longer: then it is found out
/// which shells lie inside which.
///
/// @param mesh     whose faces; its current positions
/// @param options  NULL means the defaults
/// @param shells   receives the shells; NULL on failure. Destroy them with grz_mesh_shells_destroy()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE;
///         GRZ_ERROR_UNSUPPORTED for a mesh of 2^31 triangles or more
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_mesh_shells_find(const grz_mesh *mesh, const grz_mesh_shells_options *options,
                                        grz_mesh_shells **shells, grz_error *error);

/// Destroy shells. NULL is accepted.
GRZ_API void grz_mesh_shells_destroy(grz_mesh_shells *shells);

/// @return how many shells there are, cavities included; 0 for NULL. Thread-safe.
GRZ_API uint32_t grz_mesh_shells_count(const grz_mesh_shells *shells);

/// @return how many parts they make; 0 for NULL. Thread-safe.
GRZ_API uint32_t grz_mesh_shells_part_count(const grz_mesh_shells *shells);

/// Describe a shell. Shells are numbered from 0 in the order of their lowest faces, and so are parts.
///
/// @param shells  the shells
/// @param index   below grz_mesh_shells_count()
/// @param shell   receives what the shell is
/// @return false, and nothing is written, if there is no such shell. Thread-safe.
GRZ_API bool grz_mesh_shells_describe(const grz_mesh_shells *shells, uint32_t index, grz_mesh_shell *shell);

/// @return the shell of each face: grz_mesh_face_count() numbers, borrowed from `shells`; NULL for NULL. Thread-safe.
GRZ_API const uint32_t *grz_mesh_shells_of_faces(const grz_mesh_shells *shells);

/// The faces of a part in ascending order.
///
/// @param shells  the shells
/// @param part    below grz_mesh_shells_part_count()
/// @param count   receives how many faces it has; 0 where NULL is returned. May be NULL
/// @return their numbers, borrowed from `shells`; NULL for a part that does not exist. Thread-safe.
GRZ_API const uint32_t *grz_mesh_shells_part_faces(const grz_mesh_shells *shells, uint32_t part, uint64_t *count);

/// Make a mesh of a part: its faces in their order, with the vertices that they use and no others, in the order in which
/// they use them first; positions are the same, bit for bit, and GRZ_FLOAT64. Face i of it is face
/// grz_mesh_shells_part_faces()[i] of the whole.
///
/// @param shells  the shells
/// @param mesh    the mesh that they are of, at any positions
/// @param part    below grz_mesh_shells_part_count()
/// @param out     receives the mesh; NULL on failure. Destroy it with grz_mesh_destroy()
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (no such part; a mesh with other faces); GRZ_ERROR_MEMORY
/// Thread-safety: needs the shells alone; safe together with queries on the same mesh.
GRZ_API grz_status grz_mesh_shells_cut(grz_mesh_shells *shells, const grz_mesh *mesh, uint32_t part, grz_mesh **out,
                                       grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
