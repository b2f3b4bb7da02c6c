// SPDX-License-Identifier: MIT
// Objects that move while a body rests, or is carried: they push it.
#ifndef GRZ_LEVEL_MOVER_SLIDE_PUSH_H
#define GRZ_LEVEL_MOVER_SLIDE_PUSH_H

#include "level/mover/slide/slide.h"

typedef struct grz_push {
    double carried[3]; // how far the body goes by itself from time 0 to 1
    double pushed[3];  // receives how far the objects have pushed it, or held it back
    double time;       // receives the time that was reached
    bool crushed;      // receives whether that is not 1: there is no room for the body after that
} grz_push;

// Move the level from time 0 towards 1, and let it push the body. The body must be outside at time 0. Where the push
// ends, the body is proved outside, and the level stays at that time. False: the control says to end.
bool grz_push_along(grz_push *push, grz_slide *slide);

#endif
