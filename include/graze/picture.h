// SPDX-License-Identifier: MIT
/// @file
/// Pictures of what a query found, drawn by OpenGL.
#ifndef GRAZE_PICTURE_H
#define GRAZE_PICTURE_H

#include <graze/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of grz_picture_draw(). Start from grz_default_picture_options().
typedef struct grz_picture_options {
    size_t size;         ///< sizeof this structure, as the caller knows it
    uint32_t width;      ///< pixels; 1200 unless set
    uint32_t height;     ///< pixels; 900 unless set
    bool has_direction;  ///< look along `direction`; otherwise a side is chosen from which the contact can be seen
    double direction[3]; ///< from the eye to what it looks at, world coordinates; not zero
    double up[3];        ///< what is up in the picture, world coordinates; not zero; y unless set
    bool whole;          ///< show all of the objects; otherwise the picture moves in where contact is a small part of them
} grz_picture_options;

/// How a picture was taken.
typedef struct grz_picture_view {
    /// World coordinates to the picture's, row by row: for h = (x, y, z, 1) times this, h[0] / h[3] is the pixel's column and
    /// h[1] / h[3] its row, both from the top left corner, whole numbers at pixels' corners; h[2] / h[3] the depth, 0 near to 1 far.
    double to_pixels[4][4];
    double direction[3]; ///< from the eye to what it looks at, a unit vector
    double visible;      ///< the share of the contact that nothing hides, 0 to 1; 0 where there is none
} grz_picture_view;

/// @return options for a picture of 1200 × 900 pixels with everything chosen.
GRZ_API grz_picture_options grz_default_picture_options(void);

/// Draw objects, with what a query found out about them.
///
/// Faces are shaded; those that touch are orange on the first object of a pair and blue on the other; curves, and contacts that are
/// single points, are red and drawn on top, pale where something hides them. An object that holds another is drawn as glass.
///
/// @param device   one that has OpenGL, or opens it for this: the meshes' own
/// @param objects  `count` objects: those of the query, in its order; of a scene by number, those without a mesh are left out
/// @param count    at least 1
/// @param result   of a query of these objects: its pairs, contacts and curves, as far as asked for; NULL: none
/// @param options  NULL means the defaults
/// @param pixels   width × height × 4 bytes: red, green, blue and 255, row after row from the top
/// @param view     may be NULL; receives how the picture was taken
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY; GRZ_ERROR_UNSUPPORTED
/// Thread-safety: as all that uses OpenGL (<graze/device.h>).
GRZ_API grz_status grz_picture_draw(grz_device *device, const grz_object *objects, size_t count, const grz_result *result,
                                    const grz_picture_options *options, uint8_t *pixels, grz_picture_view *view, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
