// SPDX-License-Identifier: MIT
// One step of a body in a level.
#ifndef GRZ_LEVEL_MOVER_MOVER_STEP_H
#define GRZ_LEVEL_MOVER_MOVER_STEP_H

#include "level/mover/slide/slide.h"

// `slide` is at the place where the step begins, and receives its end. `answer` has the place where it begins, and
// receives all but the end, its contacts and the counts; if false is returned, the last place that was proved. False:
// the control says to end.
bool grz_mover_step_along(const grz_mover_options *options, grz_slide *slide, const double displacement[3],
                          grz_mover_answer *answer);

#endif
