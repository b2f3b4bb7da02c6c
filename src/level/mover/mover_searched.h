// SPDX-License-Identifier: MIT
// grz_mover_step() for other parts of the library.
#ifndef GRZ_LEVEL_MOVER_MOVER_SEARCHED_H
#define GRZ_LEVEL_MOVER_MOVER_SEARCHED_H

#include <graze/mover.h>

#include "base/options.h"
#include "geometry/box.h"
#include "level/mover/body/moved_shape.h"

// As grz_mover_step(). The box `searched` (NULL: not wanted) is made larger, so that it holds every place where
// triangles were looked for. Triangles outside of it cannot change the answer.
grz_status grz_mover_step_searched(grz_device *device, const grz_object *objects, uint32_t count,
                                   const grz_shape *shape, const double position[3], const double displacement[3],
                                   const grz_mover_options *options, grz_mover_answer *answer, grz_box *searched,
                                   grz_error *error);

extern const grz_options_type grz_mover_options_type;

// Read the caller's options, of any version, over the defaults. What is in them is not checked.
grz_status grz_mover_read_options(const grz_mover_options *given, grz_mover_options *options, grz_error *error);

// A box of where a step will look, as a rule. The numbers are finite; those of the options need not be.
grz_box grz_mover_usual_box(const grz_moved_shape *shape, const double position[3], const double displacement[3],
                            const grz_mover_options *options);

// The skin that the options ask for.
double grz_mover_skin(const grz_moved_shape *shape, const grz_mover_options *options);

#endif
