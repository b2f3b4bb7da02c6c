// SPDX-License-Identifier: MIT
/// @file
/// Settings of method `selection`, and what it counted.
///
/// The method keeps the faces of each mesh in groups of neighbours with a box each, the leaf boxes. They follow new
/// positions at little more than the price of copying the vertices, so the method suits objects that deform. Boxes,
/// then triangles in boxes, are compared on the GPU in one batch of dispatches; the predicates decide what remains.
///
/// The discrete answer is the paper's own: each face of the *reference* object, which is A, or in a scene the one that
/// grz_collide_options::reference names (A of each pair, if none is named), has a thin viewing volume, and the faces of
/// the other object that reach into it are said to touch it. So faces are reported that only come close, and faces
/// without area and those of bent quads may be missed; nothing of it is decided by the predicates. All its pairs are
/// GRZ_TOUCHING (docs/reference/methods.md).
#ifndef GRAZE_SELECTION_H
#define GRAZE_SELECTION_H

#include <graze/collide.h>
#include <graze/discrete.h>

#ifdef __cplusplus
extern "C" {
#endif

/// As grz_selection_options::max_faces: each mesh has its own number, by its size.
#define GRZ_SELECTION_AUTOMATIC UINT32_MAX

/// Settings of the method. Start from grz_default_selection_options().
///
/// @code
/// grz_selection_options selection = grz_default_selection_options();
/// selection.max_faces = 200;
/// options.method = "selection";
/// options.method_options = &(grz_method_options){.method = "selection", .options = &selection};
/// @endcode
///
/// Statistics of a discrete answer (grz_result_statistic()): leaf_pairs: pairs of leaf boxes that meet; hits: faces
/// found in a viewing volume, counted once for each volume.
typedef struct grz_selection_options {
    size_t size; ///< sizeof this structure, as the caller knows it
    /// The most faces in a leaf, at least 1; more than 4,096 count as 4,096. GRZ_SELECTION_AUTOMATIC unless set. No
    /// exact answer depends on it; discrete ones report more faces that only come close if leaves are larger (see
    /// `thickness`). A mesh keeps its leaves until others are asked for: a number that alternates costs time.
    uint32_t max_faces;
    /// Discrete answers: the thickness of a face's viewing volume, in world units. Finite, 0 or more; 0.001 unless set,
    /// as the paper has it. Half of it lies on each side of the face. Coordinates are floats, so a thickness below some
    /// 10^-7 of the objects' size, or 0, misses faces that cross. It is no clearance test: faces that come close are
    /// found only where boxes around them meet, which are not enlarged by it.
    double thickness;
} grz_selection_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_selection_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_selection_options_init(grz_selection_options *options, size_t size);

/// @return the settings that are used if no others are given.
GRZ_INLINE grz_selection_options grz_default_selection_options(void)
{
    grz_selection_options options;
    grz_selection_options_init(&options, sizeof options);
    return options;
}

#ifdef __cplusplus
}
#endif

#endif
