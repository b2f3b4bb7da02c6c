// SPDX-License-Identifier: MIT
/// @file
/// Method `layers`, its discrete answer: all surfaces in the region are drawn once, and each pixel keeps what lies over each other there, depth
/// and triangle. Two triangles of different objects whose depths differ by less than a threshold in some pixel are a potentially colliding
/// set, and these are tested exactly. What pixels or the threshold leave out is missed; no pair of faces is invented, unless the test is left out;
/// the kind of a pair of faces with several triangles is that of those pairs of them that were found (docs/layers.md). The exact answer of the same method has no settings.
#ifndef GRAZE_LAYERS_H
#define GRAZE_LAYERS_H

#include <graze/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How layers are captured.
typedef enum grz_layers_capture {
    GRZ_CAPTURE_FIXED, ///< in one pass, the first `layers` of a pixel as they come; what comes later is left out
    GRZ_CAPTURE_LISTS, ///< in one pass, all of them
    GRZ_CAPTURE_PEELED ///< the nearest first, a pass for each of `layers`: the ordinary way, to compare with
} grz_layers_capture;

/// Most layers of a pixel, where their number is fixed.
#define GRZ_LAYERS_MOST 256

/// Settings of the method. Start from grz_default_layers_options().
typedef struct grz_layers_options {
    size_t size; ///< sizeof this structure, as the caller knows it
    uint32_t
        resolution; ///< pixels a side; 64 unless set. From 1 on; what a shader can see of lists or layers bounds it, and errors say so
    grz_layers_capture capture; ///< GRZ_CAPTURE_LISTS unless set
    uint32_t layers;            ///< 1 to GRZ_LAYERS_MOST, all objects together; 8 unless set. Lists hold any number
    /// How much the depths of two surfaces in a pixel may differ to make a set, as a part of the depth of the view: 0 or more, and finite;
    /// 1/32 unless set. Larger ones miss less and test more.
    double threshold;
    /// The sets are not tested: there is a collision where there is a set. Then it may be invented, and no pairs are listed.
    bool untested;
    bool has_direction;  ///< look along `direction`; otherwise along one that shows few faces edge-on
    double direction[3]; ///< world coordinates, of a mesh with itself its own; not zero
} grz_layers_options;

/// @return the settings that are taken unless others are given.
GRZ_API grz_layers_options grz_default_layers_options(void);

#ifdef __cplusplus
}
#endif

#endif
