// SPDX-License-Identifier: MIT
// What the calls of <graze/shape.h> check in the same way.
#ifndef GRZ_ASK_SHAPE_REQUEST_H
#define GRZ_ASK_SHAPE_REQUEST_H

#include <graze/shape.h>

#include "base/control.h"

// Read the options that the caller gave (NULL: the defaults), and set up the control. `start`: by grz_clock_seconds(),
// for the deadline.
grz_status grz_shape_request(grz_device *device, const grz_shape_options *given, grz_shape_options *options,
                             grz_control *control, double start, grz_error *error);

// What is known before anything is asked.
extern const grz_shape_answer grz_shape_nothing;

// Compare two shapes: grz_shapes_compare() without what has to do with the device. The answer is left as it is after a
// failure; `element` is 0 or 1.
grz_status grz_shapes_compare_two(const grz_shape *a, const grz_shape *b, const grz_shape_options *options,
                                  grz_control *control, grz_shape_answer *answer, grz_error *error);

#endif
