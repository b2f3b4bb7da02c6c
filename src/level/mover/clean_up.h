// SPDX-License-Identifier: MIT
// Puts a mover out of what it is inside of.
#ifndef GRZ_LEVEL_MOVER_CLEAN_UP_H
#define GRZ_LEVEL_MOVER_CLEAN_UP_H

#include "level/mover/slide/slide.h"

// The contacts at the position are known, and it is inside; those at the end are known. Only the end is proved: where
// no place outside was found the position is as before. False: the control says to end.
bool grz_clean_up(grz_mover_clean_up kind, grz_slide *slide, const double displacement[3]);

#endif
