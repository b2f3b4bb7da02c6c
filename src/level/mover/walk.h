// SPDX-License-Identifier: MIT
// The rules of walking: floors, slopes, stairs, and floors that move.
#ifndef GRZ_LEVEL_MOVER_WALK_H
#define GRZ_LEVEL_MOVER_WALK_H

#include "level/mover/slide/slide.h"

typedef struct grz_walk {
    double up[3]; // of length 1
    double least; // normal · up of a floor
    double step_up, step_down;
    double height; // of the floor that the walker stood on, along up
    bool stands;   // at the beginning
    double skin;
} grz_walk;

// The rule for slides: a slope that is too steep is a wall.
bool grz_walk_rule(const void *context, const grz_touch *touch, double normal[3], bool *wall);

// The floor under the slide's body, by its contacts: the one that is nearest to level.
grz_mover_floor grz_walk_floor(const grz_walk *walk, const grz_slide *slide);

// A step along a displacement, with the rules. The contacts at the beginning are known; `answer` receives what
// happened, but for the contacts. False: the control says to end.
bool grz_walk_along(grz_walk *walk, grz_slide *slide, const double displacement[3], grz_mover_answer *answer);

#endif
