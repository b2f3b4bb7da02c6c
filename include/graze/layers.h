// SPDX-License-Identifier: MIT
/// @file
/// Settings of method `layers` for its discrete answer, and what that says. The exact answer of the method has none.
///
/// All surfaces in the region are drawn once. Each pixel keeps the depths and triangles of all surfaces there. Two
/// triangles of different objects whose depths differ by less than a threshold in some pixel are a potentially
/// colliding set; the exact test then decides each set. So no pair of faces is invented, unless the test is switched
/// off. What the pixels or the threshold leave out is missed: the kind of a pair of faces is then that of the triangle
/// pairs that were found (docs/reference/methods.md).
#ifndef GRAZE_LAYERS_H
#define GRAZE_LAYERS_H

#include <graze/collide.h>
#include <graze/discrete.h>
#include <graze/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How layers are captured.
typedef enum grz_layers_capture {
    GRZ_LAYERS_FIXED, ///< in one pass: the first `layers` surfaces of a pixel, in any order; later ones are left out
    GRZ_LAYERS_LISTS, ///< in one pass: all surfaces
    GRZ_LAYERS_PEELED ///< the nearest surfaces first, one pass for each of `layers`: the usual way, for comparison
} grz_layers_capture;

/// The most layers of a pixel, where their number is fixed.
#define GRZ_LAYERS_MAX 256

/// Settings of the method. Start from grz_default_layers_options().
///
/// Statistics of a discrete answer (grz_result_statistic()): resolution: pixels a side of the picture; layers: how
/// many a pixel can hold, 0: any number; sets: pairs of triangles that come close in some pixel.
typedef struct grz_layers_options {
    size_t size; ///< sizeof this structure, as the caller knows it
    /// Pixels a side, at least 1; 64 unless set. The upper limit is what a shader can see of the lists or layers; the
    /// error says so.
    uint32_t resolution;
    grz_layers_capture capture; ///< GRZ_LAYERS_LISTS unless set
    uint32_t layers;            ///< 1 to GRZ_LAYERS_MAX, all objects together; 8 unless set. Lists hold any number
    /// How much the depths of two surfaces in a pixel may differ to make a set, as a part of the depth of the view.
    /// Finite, 0 or more; 1/32 unless set. A larger threshold misses less and tests more.
    double threshold;
    /// Do not test the sets: a set is a collision. It may then be invented, and no pairs are listed.
    bool untested;
    bool has_direction;  ///< look along `direction`; otherwise along one that shows few faces edge-on
    double direction[3]; ///< world coordinates, for a mesh with itself the mesh's own; not zero
} grz_layers_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_layers_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_layers_options_init(grz_layers_options *options, size_t size);

/// @return the settings that are used if no others are given.
GRZ_INLINE grz_layers_options grz_default_layers_options(void)
{
    grz_layers_options options;
    grz_layers_options_init(&options, sizeof options);
    return options;
}

/// Settings of grz_layers_overlap_volume(). Start from grz_default_layers_volume_options().
typedef struct grz_layers_volume_options {
    size_t size;         ///< sizeof this structure, as the caller knows it
    grz_limits limits;   ///< cancelling, deadline, memory, progress
    uint32_t resolution; ///< pixels a side, at least 1; 256 unless set. The upper limit is the device's
    bool has_direction;  ///< look along `direction`; otherwise along one that shows few faces edge-on
    double direction[3]; ///< world coordinates; not zero
} grz_layers_volume_options;

/// A volume that was measured at pixels. Discrete: it may be wrong by more than `error`.
typedef struct grz_layers_volume {
    double volume; ///< in cubes of world units
    /// An estimate of how far off it is, three standard deviations: each pixel may be off by up to half of what its
    /// neighbours differ. Usually too large. Not a bound: what lies between pixels is not seen.
    double error;
    uint32_t resolution; ///< pixels a side
    uint64_t fragments;  ///< surfaces in all pixels
    /// Pixels with an odd number of an object's surfaces: the mesh is open, or a surface is seen edge-on. What they say
    /// is counted, and all that they could say is added to `error`.
    uint64_t unpaired;
    /// Pixels with more than GRZ_LAYERS_VOLUME_MAX surfaces: they are not counted, and added to `error` likewise.
    uint64_t crowded;
} grz_layers_volume;

/// The most surfaces of a pixel that are measured.
#define GRZ_LAYERS_VOLUME_MAX 64

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_layers_volume_options();
/// this function is for bindings to other languages, which cannot call inline functions. Bytes that this version does
/// not know become 0.
GRZ_API void grz_layers_volume_options_init(grz_layers_volume_options *options, size_t size);

/// @return the settings that are used if no others are given.
GRZ_INLINE grz_layers_volume_options grz_default_layers_volume_options(void)
{
    grz_layers_volume_options options;
    grz_layers_volume_options_init(&options, sizeof options);
    return options;
}

/// Measure the volume of the intersection of two solids by layered depth: in each pixel of a picture of the region, all
/// surfaces are sorted by depth, and the depths between which both objects are inside (even-odd) are added up. It is
/// discrete; grz_overlap_volume() (<graze/overlap.h>) has proved bounds. Surfaces may cross themselves.
///
/// It converges: with twice the resolution the error is about half as large, or less (docs/use/overlap.md).
///
/// @param device   one with OpenGL
/// @param a,b      the objects; the meshes are borrowed for the call
/// @param options  NULL means the defaults
/// @param answer   receives the answer; all 0 after a failure
/// @param error    may be NULL; `element` is 0 for A, 1 for B
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_UNSUPPORTED (no OpenGL, or more fragments than a
///         shader here can see); GRZ_ERROR_MEMORY; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE
/// Thread-safety: one thread at a time, as for everything that uses OpenGL (grz_device).
GRZ_API grz_status grz_layers_overlap_volume(grz_device *device, const grz_object *a, const grz_object *b,
                                             const grz_layers_volume_options *options, grz_layers_volume *answer,
                                             grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
