// SPDX-License-Identifier: MIT
// Drawing objects with marked triangles, and segments on top of them.
#ifndef GRZ_IMAGE_PICTURE_H
#define GRZ_IMAGE_PICTURE_H

#include <graze/picture.h>

#include "base/control.h"
#include "geometry/box.h"

// One end of a segment, world coordinates.
typedef struct grz_picture_point {
    double at[3];
} grz_picture_point;

typedef struct grz_picture_object {
    const grz_object *object;
    uint32_t *marks; // a bit for each triangle, lowest first; NULL: none is marked
    bool glass;      // what lies behind shows
    bool blue;       // its marked triangles are; otherwise orange
    uint32_t shade;  // which of the colours it has
} grz_picture_object;

// What is in a picture.
typedef struct grz_picture_scene {
    const grz_picture_object *objects;
    size_t count;
    const grz_picture_point *ends; // two for each segment, then two alike for each dot
    size_t segment_count, dot_count;
} grz_picture_scene;

// Where a picture is taken from.
typedef struct grz_camera {
    double target[3], direction[3], up[3]; // direction and up are unit vectors at a right angle
    double radius;                         // of the ball around the target that fills the picture
    double reach;                          // of the ball around the target that holds everything
    double aspect;                         // width over height
    double distance;                       // of the eye from the target, more than the reach
    double slope;                          // half the picture's height, at a distance of one
} grz_camera;

// Set distance and slope, so that the ball fills the picture and the eye is outside of everything.
void grz_camera_step_back(grz_camera *camera);

// The unit vector to the picture's right.
void grz_camera_right(const grz_camera *camera, double right[3]);

// The rows of a camera's matrix from world coordinates, relative to its target, to clip space with depths 0 to 1.
void grz_camera_matrix(const grz_camera *camera, double clip[4][4]);

// Draw the scene; `options` has been checked. `pixels` and `view` as in grz_picture_draw().
grz_status grz_picture_render(grz_device *device, const grz_picture_scene *scene, const grz_picture_options *options,
                              grz_control *control, uint8_t *pixels, grz_picture_view *view, grz_error *error);

#endif
