// SPDX-License-Identifier: MIT
// A caller's shape as a convex set with a radius, and two of them placed in common coordinates.
#ifndef GRZ_ASK_SHAPE_PLACED_H
#define GRZ_ASK_SHAPE_PLACED_H

#include <graze/shape.h>

#include "base/control_type.h"
#include "geometry/box.h"
#include "geometry/convex/convex_set.h"

enum {
    GRZ_PLACED_CORNERS = 8 // for so many no memory is asked for
};

typedef struct grz_placed_shape {
    grz_convex convex;
    double radius;
    bool endless;      // a ray or a line; convex.far is chosen by grz_shapes_place()
    bool holds_origin; // of its local coordinates
    // Rounded, for choosing an origin and a scale:
    double base[3];      // a point of the shape, in the world
    double reach;        // no point of what is not endless is farther from it
    double direction[3]; // of what is endless, in the world
    double local[GRZ_PLACED_CORNERS][3], corners[GRZ_PLACED_CORNERS][3];
    void *block; // room for more corners, or NULL
} grz_placed_shape;

// Check a shape and read it. Borrows its points. `name`: of the public function, in errors. `element`: the shape's
// number there. grz_placed_finish() is due after success.
grz_status grz_placed_read(const char *name, const grz_shape *shape, const char *what, uint64_t element,
                           grz_control *control, grz_placed_shape *out, grz_error *error);
// Only check it.
grz_status grz_placed_check(const char *name, const grz_shape *shape, const char *what, uint64_t element,
                            grz_error *error);
void grz_placed_finish(grz_placed_shape *shape, grz_control *control);

// The triangle between three points in the world.
void grz_placed_triangle(const double corners[3][3], grz_placed_shape *out);

// Where two shapes are placed: world coordinates less `origin`, times `scale`, a power of two; then their sizes are
// about 1.
typedef struct grz_place {
    double origin[3], scale;
} grz_place;

// Choose a place for two shapes, and cut what is endless there where it no longer matters. False: two lines are so
// nearly parallel that they are nearest too far away.
bool grz_shapes_choose_place(grz_placed_shape *a, grz_placed_shape *b, grz_place *place);

// A length there, in the world: rounded down or up if it is subnormal.
double grz_place_length_low(const grz_place *place, double length);
double grz_place_length_high(const grz_place *place, double length);

// The box that holds a shape that is placed, at its place: grown by its radius and by roundings.
void grz_shape_box_of(const grz_placed_shape *shape, const grz_place *place, grz_box *box);

#endif
