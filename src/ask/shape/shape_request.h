// SPDX-License-Identifier: MIT
// What the calls of <graze/shape.h> check in the same way.
#ifndef GRZ_ASK_SHAPE_SHAPE_REQUEST_H
#define GRZ_ASK_SHAPE_SHAPE_REQUEST_H

#include <graze/shape.h>

#include "ask/shape/compare.h"
#include "base/call.h"

// Begin a call that takes grz_shape_options: see grz_call_begin().
grz_status grz_shape_begin(grz_call *call, const char *name, grz_device *device, const grz_shape_options *given,
                           grz_shape_options *options, grz_error *error);

// What is known before anything is asked.
extern const grz_shape_answer grz_shape_nothing;

// Compare two shapes: grz_shapes_compare() without what has to do with the device. The answer is left as it is after a
// failure; `element` is 0 or 1.
grz_status grz_shapes_compare_two(const grz_shape *a, const grz_shape *b, const grz_shape_options *options,
                                  grz_control *control, grz_shape_answer *answer, grz_error *error);

// What is done with two shapes that have been compared: they are placed as long as it is called.
typedef void (*grz_shape_pair_use)(const grz_shape_pair *pair, const grz_shape_options *options, void *context);

// The same; then `use` is called, if it is not NULL, with `context`.
grz_status grz_shapes_compare_and(const grz_shape *a, const grz_shape *b, const grz_shape_options *options,
                                  grz_control *control, grz_shape_answer *answer, grz_shape_pair_use use, void *context,
                                  grz_error *error);

#endif
