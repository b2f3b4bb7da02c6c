// SPDX-License-Identifier: MIT
// The parts of picking that OpenGL does: a picture of numbers, and proposing triangles that may meet a region.
#ifndef GRZ_GPU_PICKING_PICKING_H
#define GRZ_GPU_PICKING_PICKING_H

#include <graze/region.h>

#include "base/control_type.h"

// A pixel of a picture of numbers. Object 0: nothing.
typedef struct grz_number_pixel {
    uint32_t object;   // its index + 1
    uint32_t triangle; // its number
} grz_number_pixel;

// A picture of numbers that is to be drawn.
typedef struct grz_number_picture {
    const grz_object *objects; // those without a mesh are left out
    uint32_t object_count;
    uint32_t mask; // objects in none of these groups are left out, too
    double to_pixels[4][4];
    uint32_t width, height;
    grz_number_pixel *pixels; // receives width × height, row after row from the top
} grz_number_picture;

// Draw it. Everything has been checked, but not whether the device has OpenGL, and draws so many pixels.
grz_status grz_number_picture_draw(grz_device *device, const grz_number_picture *picture, grz_control *control,
                                   grz_error *error);

// Numbers of triangles.
typedef GRZ_ARRAY(uint32_t) grz_triangle_list;

// Add the triangles of an object that may meet a region, in any order: all that do, and some others. The object is of
// the device; NULL: only see whether the device has OpenGL.
grz_status grz_region_propose(grz_device *device, const grz_object *object, const grz_region *region,
                              grz_control *control, grz_triangle_list *list, grz_error *error);

#endif
