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
    bool has_direction;  ///< look along `direction`; otherwise from a side that shows the contact
    double direction[3]; ///< from the eye to the objects, world coordinates; not zero
    double up[3];        ///< what is up in the picture, world coordinates; not zero; y unless set
    /// Show all of the objects. Otherwise the picture moves in on a contact that is a small part of them, unless there
    /// is a closer view of it (`inset`, and room for one).
    bool whole;
    /// A name for each object, UTF-8, for the legend. NULL, or NULL for an object: only its letter or number.
    const char *const *names;
    const char *title; ///< the first line of the legend, UTF-8; NULL: none
    /// Write the verdict, counts and names, and label the touching pairs of a scene; true unless set. Pictures smaller
    /// than 240 × 180 pixels have no legend.
    bool legend;
    /// Add a closer view of a contact that is small, hidden, or flat and seen from its side; true unless set.
    bool inset;
    /// The colour of each object: 3 bytes an object, red, green and blue. NULL: chosen for you.
    const uint8_t *colours;
    /// The colours of an object's faces, in place of the object's: for each object 3 bytes a face, red, green and blue.
    /// NULL, or NULL for an object: its faces have its colour.
    const uint8_t *const *face_colours;
    /// The colour of each object's faces that touch: 3 bytes an object. NULL: a deeper shade of the object's colour.
    const uint8_t *touch_colours;
    /// A line of text below everything else, UTF-8, also where there is no legend; NULL: none. Where it is set, the
    /// picture keeps room for it, so that all pictures of a film have the same view. It is left out where it would take
    /// more than a quarter of the picture's height, and shortened where it is too wide.
    const char *caption;
    /// Show the box from `region_min` to `region_max`, wherever the objects are. So the frames of a film are taken by
    /// one camera: give all of them the same box, direction, up and size, and neither legend nor closer view. What
    /// comes as near as the eye is not drawn.
    bool has_region;
    double region_min[3]; ///< world coordinates, finite
    double region_max[3]; ///< world coordinates, finite; none below region_min, at least one above it
} grz_picture_options;

/// How a picture was taken.
typedef struct grz_picture_view {
    /// World coordinates to the picture's, row by row. For h = to_pixels times (x, y, z, 1), h[0] / h[3] is the pixel's
    /// column and h[1] / h[3] its row, from the top left corner, whole numbers at the corners of pixels; h[2] / h[3]
    /// is the depth, 0 near to 1 far. It holds for the main view, not for the closer one.
    double to_pixels[4][4];
    double direction[3]; ///< from the eye to the objects, a unit vector
    double visible;      ///< the share of the contact that nothing hides, 0 to 1; 0 if there is no contact
} grz_picture_view;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_picture_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_picture_options_init(grz_picture_options *options, size_t size);

/// @return options for a picture of 1200 × 900 pixels, with everything chosen for you.
GRZ_INLINE grz_picture_options grz_default_picture_options(void)
{
    grz_picture_options options;
    grz_picture_options_init(&options, sizeof options);
    return options;
}

/// Draw objects, and what a query found about them.
///
/// Each object has a colour: pale, and deep on the faces that touch, unless the options give colours. Curves, and
/// contacts that are single points, are red and drawn on top, pale where something hides them. An object that holds
/// another is see-through. In the picture of a scene a ring marks each pair that touches, with a label such as "3-8":
/// objects 3 and 8. Two objects are called A and B.
///
/// @param device   one with OpenGL (it is opened if need be), with which the meshes were made
/// @param objects  `count` objects: those of the query, in its order. Of a scene: by number; those without a mesh are
///                 left out
/// @param object_count    at least 1
/// @param result   of a query of these objects: its pairs, contacts and curves, if it has them; NULL: none
/// @param options  NULL means the defaults
/// @param pixels   receives width × height × 4 bytes: red, green, blue and 255, row after row from the top
/// @param view     may be NULL; receives how the picture was taken
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY;
///         GRZ_ERROR_UNSUPPORTED
/// Thread-safety: as for everything that uses OpenGL, see grz_device.
/// @code
/// uint8_t *pixels = malloc((size_t)options.width * options.height * 4);
/// status = grz_picture_draw(device, objects, 2, result, &options, pixels, NULL, &error);
/// @endcode
GRZ_API grz_status grz_picture_draw(grz_device *device, const grz_object *objects, uint32_t object_count,
                                    const grz_result *result, const grz_picture_options *options, uint8_t *pixels,
                                    grz_picture_view *view, grz_error *error);

/// Take a view of objects as grz_picture_draw() does, without drawing: for picking by a pixel (<graze/pick.h>,
/// <graze/region.h>) without OpenGL. It is the view, bit for bit, of a picture without result, legend and closer view.
///
/// @param device   whose allocator gives the memory
/// @param objects  `count` objects; those without a mesh are left out
/// @param object_count    at least 1
/// @param options  NULL means the defaults; width, height, direction, up and region matter. Without a direction it
///                 looks from the usual side, which a picture takes only where it shows enough
/// @param view     receives the view; `visible` is 0
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE; GRZ_ERROR_MEMORY; GRZ_ERROR_UNSUPPORTED in a build without
///         OpenGL
/// Thread-safety: safe.
/// @code
/// options.has_direction = true;
/// options.direction[2] = -1.0;
/// status = grz_picture_aim(device, &object, 1, &options, &view, &error);
/// if (status == GRZ_OK)
///     status = grz_ray_through_pixel(view.to_pixels, column + 0.5, row + 0.5, &ray, &error);
/// @endcode
GRZ_API grz_status grz_picture_aim(grz_device *device, const grz_object *objects, uint32_t object_count,
                                   const grz_picture_options *options, grz_picture_view *view, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
