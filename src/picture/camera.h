// SPDX-License-Identifier: MIT
// The camera of a picture: perspective, usually 40 degrees across the picture's wider side.
#ifndef GRZ_PICTURE_CAMERA_H
#define GRZ_PICTURE_CAMERA_H

#include <stdbool.h>

typedef struct grz_camera {
    double direction[3], up[3]; // unit vectors at a right angle; `direction` is from the eye to what it looks at
    double target[3];           // a point in the middle of the picture, world coordinates
    double unit;                // world length that floats are measured in, so that they can hold any scale
    double distance;            // from the eye to the target
    double slope[2];            // half the picture's width and height at a distance of 1
    double near, far;           // from the eye, along the direction; 0 < near < far
} grz_camera;

// What a camera is to show, as it is gathered point after point.
typedef struct grz_extent {
    double low[3], high[3]; // to the right, up, and away from the eye, from a middle, in units
    double side[2]
               [2];  // the most that a point lies right of, left of; above, below the cone of sight through the middle
    double slope[2]; // of that cone: half its width and height at a distance of 1
    double filled;   // the share of the picture, from side to side, that the cone is
} grz_extent;

// Turn a camera to look along a direction, not zero, with `up` up in the picture.
void grz_camera_turn(grz_camera *camera, const double direction[3], const double up[3]);

// The unit vector to the picture's right.
void grz_camera_right(const grz_camera *camera, double right[3]);

// An extent without points for a picture `aspect` times as wide as high. What is gathered is to fill that share of it.
grz_extent grz_extent_empty(double aspect, double filled);

// Add a point, relative to a middle that is the same for all, in the camera's unit.
void grz_extent_add(grz_extent *extent, const grz_camera *camera, const double right[3], const double point[3]);

// Place the eye and the target so that what was gathered around `middle` fills the picture as far as its shape allows.
// The eye stays in front of it. Sets near and far to just hold it.
void grz_camera_fit(grz_camera *camera, const grz_extent *extent, const double middle[3]);

// Keep the eye in front of all of an extent that was gathered around the same middle: where it is not, step back, and
// use a longer lens, so that the picture goes on showing `shown`. Widens near and far to hold all.
void grz_camera_step_back(grz_camera *camera, const grz_extent *shown, const grz_extent *all, const double middle[3]);

// The rows of the camera's matrix, from world coordinates relative to its target to clip space with depths 0 to 1.
void grz_camera_matrix(const grz_camera *camera, double clip[4][4]);

#endif
