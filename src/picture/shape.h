// SPDX-License-Identifier: MIT
// The shape of where objects touch: how large it is, how flat, and which way it faces.
#ifndef GRZ_PICTURE_SHAPE_H
#define GRZ_PICTURE_SHAPE_H

#include "picture/picture_contents.h"

typedef struct grz_contact_shape {
    bool any;          // there are segments or dots
    double middle[3];  // of their box, world coordinates
    double radius;     // of the ball around the middle that holds them; 0 for a single point
    double axes[3][3]; // unit vectors at right angles, along which they spread the most, less, and the least
    double spread[3];  // standard deviation along the axes, as a share of the radius
} grz_contact_shape;

grz_contact_shape grz_contact_shape_of(const grz_picture_contents *contents);

// Whether the contact lies in a plane, nearly: axes[2] is its normal then.
bool grz_contact_is_flat(const grz_contact_shape *shape);

#endif
