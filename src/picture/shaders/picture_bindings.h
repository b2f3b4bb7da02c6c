// SPDX-License-Identifier: MIT
// Read by C and by GLSL: buffer bindings, uniform locations and outputs of the picture's shaders.

#define GRZ_PICTURE_MARKS 0    // storage buffers
#define GRZ_PICTURE_SEGMENTS 1 //
#define GRZ_PICTURE_PAINTS 2   //

// Uniforms of picture.vert and picture.frag.
#define GRZ_PICTURE_CLIP 0
#define GRZ_PICTURE_VIEW 1
#define GRZ_PICTURE_COLOR 2
#define GRZ_PICTURE_MARK_COLOR 3
#define GRZ_PICTURE_BEHIND 4
#define GRZ_PICTURE_RANGE 5
#define GRZ_PICTURE_BODY 6
#define GRZ_PICTURE_GLASS 7
#define GRZ_PICTURE_HAS_PAINTS 8

// Uniforms of picture_curve.vert and picture_curve.frag, which also have GRZ_PICTURE_CLIP and GRZ_PICTURE_COLOR.
#define GRZ_PICTURE_SIZE 1
#define GRZ_PICTURE_WIDTH 3

// What each pixel tells about the surface in it: its body's number + 1 in the upper 16 bits (0: none), the normal's x
// and y in the lower ones, 8 bits each. On lines it is GRZ_PICTURE_LINE.
#define GRZ_PICTURE_LINE 0xffffffffu
