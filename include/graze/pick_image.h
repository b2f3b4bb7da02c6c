// SPDX-License-Identifier: MIT
/// @file
/// Picking by a colour-coded picture: OpenGL draws objects with the number of each face as its colour, so that a pixel
/// tells what is seen there. Discrete: exact rays are in <graze/pick.h>. docs/use/pick.md compares the two.
#ifndef GRAZE_PICK_IMAGE_H
#define GRAZE_PICK_IMAGE_H

#include <graze/pick.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is seen in the middle of a pixel.
typedef struct grz_pick_pixel {
    uint32_t object; ///< the object's index, in a scene its number; GRZ_NO_OBJECT: nothing is seen there
    uint32_t face;   ///< as the caller numbered it; GRZ_NO_FACE: none
} grz_pick_pixel;

/// Draw the numbers of objects and faces: a picture to pick from, for many cursors at once.
///
/// Discrete: each pixel shows what OpenGL draws at its middle. Positions are rounded to floats, and to a part of a
/// pixel (a 256th on most devices), depths to floats. So next to the edges of faces a pixel may show the face beside,
/// one that grz_pick() does not hit there, or none; and of surfaces that are nearly at the same depth the wrong one.
/// Answers differ from device to device. Ask grz_pick() for the ray of grz_ray_through_pixel() where it matters.
///
/// @param device        one with OpenGL (it is opened if need be), with which the meshes were made
/// @param targets       as for grz_pick(), but objects without a mesh are left out
/// @param to_pixels     world coordinates to the picture's, as in grz_picture_view, of any camera; what has a depth
///                      below 0 or above 1 is not drawn
/// @param width         of the picture in pixels, at least 1
/// @param height        of the picture in pixels, at least 1
/// @param options       NULL means the defaults; only `mask` and `limits` may be set
/// @param pixels        receives width × height answers, row after row from the top. After a failure all of them are
///                      "nothing"
/// @param error         may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE (`element`: the object); GRZ_ERROR_UNSUPPORTED without OpenGL,
///         for a picture that is larger than OpenGL draws, or for other options; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY
/// Thread-safety: as for everything that uses OpenGL, see grz_device.
/// @code
/// grz_pick_pixel *pixels = malloc((size_t)width * height * sizeof *pixels);
/// status = grz_pick_image_discrete(device, targets, view.to_pixels, width, height, NULL, pixels, &error);
/// @endcode
GRZ_API grz_status grz_pick_image_discrete(grz_device *device, grz_targets targets, const double to_pixels[4][4],
                                           uint32_t width, uint32_t height, const grz_pick_options *options,
                                           grz_pick_pixel *pixels, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
