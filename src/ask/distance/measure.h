// SPDX-License-Identifier: MIT
// One distance, for the calls that measure one or many.
#ifndef GRZ_ASK_DISTANCE_MEASURE_H
#define GRZ_ASK_DISTANCE_MEASURE_H

#include <graze/distance.h>

#include "base/call.h"

// The answer of which nothing is known.
extern const grz_distance_answer grz_distance_nothing;

// Begin a call that takes grz_distance_options (see grz_call_begin()), and check them. *all_pairs: the reference was
// asked for, which compares all pairs of triangles.
grz_status grz_distance_begin(grz_call *call, const char *name, grz_device *device, const grz_distance_options *given,
                              grz_distance_options *options, bool *all_pairs, grz_error *error);

// Measure the distance of two objects whose meshes are in memory. Several threads may measure under one control; then
// `error` must be NULL, and the meshes have their trees.
grz_status grz_distance_measure(grz_device *device, const grz_object objects[2], const grz_distance_options *options,
                                bool all_pairs, grz_control *control, grz_distance_answer *answer, grz_error *error);

#endif
