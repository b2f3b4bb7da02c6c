// SPDX-License-Identifier: MIT
// Where a picture is taken from: the side that shows most of the contact, and the lens that fills the picture with the
// bodies.
#ifndef GRZ_PICTURE_FRAMING_H
#define GRZ_PICTURE_FRAMING_H

#include "picture/painter.h"
#include "picture/shape.h"

// All that a picture can show, in the world.
typedef struct grz_surroundings {
    double middle[3];
    double radius; // of the ball around the middle that holds all objects' boxes; 1 where that is a point
} grz_surroundings;

grz_surroundings grz_framing_surroundings(const grz_picture_contents *contents);

enum {
    GRZ_FRAMING_SIDES = 24
};

// Turn a camera to one of the sides that are tried, 0 to GRZ_FRAMING_SIDES - 1, the usual one first.
void grz_framing_turn_to_side(grz_camera *camera, const double up[3], int side);

// Every how many sides are tried: the fewer the more triangles there are.
int grz_framing_side_step(const grz_picture_contents *contents);

// How well a contact is seen, 0 to 1, of which the share `visible` is not hidden: less where it is flat and seen from
// its side.
double grz_framing_score(const grz_picture_contents *contents, const grz_contact_shape *shape, const grz_camera *camera,
                         double visible);

// Choose the direction to look along: the caller's, or the side from which most of the contact is seen. Sets the
// camera's direction and up, no more. `whole` and `aspect` as for grz_framing_fit().
grz_status grz_framing_choose_side(grz_painter *painter, const grz_picture_options *options,
                                   const grz_contact_shape *shape, bool whole, double aspect, grz_camera *camera);

// Fit the camera, whose direction is set: to the region that the caller gave, else to all of the objects, or, unless
// `whole`, to the surroundings of a contact that is much smaller than they are. `aspect`: the picture's width over its
// height.
void grz_framing_fit(const grz_picture_contents *contents, const grz_contact_shape *shape, bool whole, double aspect,
                     grz_camera *camera);

// The extent of all objects' boxes around `middle`, in the camera's unit.
grz_extent grz_framing_extent(const grz_picture_contents *contents, const grz_camera *camera, const double middle[3],
                              double aspect);

// Measure the share of the contact that no object hides, 0 to 1, the same for each site. 0 without contact.
grz_status grz_framing_visible(grz_painter *painter, const grz_camera *camera, double *visible);

// World coordinates to a rectangle of pixels, row by row, as in grz_picture_view.
void grz_framing_to_pixels(const grz_camera *camera, const grz_rect *rect, double to_pixels[4][4]);

// Where a point is in the picture. False: behind the eye.
bool grz_framing_project(const double to_pixels[4][4], const double point[3], double pixel[2]);

// The columns of pixels that the objects take: lowers *low and raises *high as far as needed.
void grz_framing_columns(const grz_picture_contents *contents, const double to_pixels[4][4], double *low, double *high);

// The box around all segments and dots in the picture: least and largest column and row. False where there are none.
bool grz_framing_contact_box(const grz_picture_contents *contents, const double to_pixels[4][4], double low[2],
                             double high[2]);

#endif
