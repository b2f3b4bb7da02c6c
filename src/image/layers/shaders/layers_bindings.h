// SPDX-License-Identifier: MIT
// Uniform locations that C and GLSL share, for layers that the rasteriser draws.
#ifndef GRZ_IMAGE_LAYERS_LAYERS_BINDINGS_H
#define GRZ_IMAGE_LAYERS_LAYERS_BINDINGS_H

// layers_lists.frag, layers_fixed.frag, layers_peel.frag and layers_collect.comp make nodes of fragments;
// sets_walk.comp and sets_unique.comp make potentially colliding sets of them, depths_common.comp lengths.
#define GRZ_AT_SAMPLE_OBJECT 5
#define GRZ_AT_SAMPLE_SIZE 6
#define GRZ_AT_SAMPLE_LAYER 7
#define GRZ_AT_SETS_THRESHOLD 5
#define GRZ_AT_SETS_SELF 6
#define GRZ_AT_SETS_UNTESTED 7

// depths_common.comp.
#define GRZ_DEPTHS_MOST 64     // fragments of a pixel
#define GRZ_DEPTHS_CROWDED 4.0 // a pixel has more

#endif
