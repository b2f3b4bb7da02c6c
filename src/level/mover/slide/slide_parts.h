// SPDX-License-Identifier: MIT
// The parts of a slide: its planes, the proof of its ends, and what it does where it gets no further.
#ifndef GRZ_LEVEL_MOVER_SLIDE_SLIDE_PARTS_H
#define GRZ_LEVEL_MOVER_SLIDE_SLIDE_PARTS_H

#include "level/mover/slide/slide.h"

// All of these that return bool, but grz_slide_stalls(), return false if the control says to end.

// Collect the normals of all contacts, and how far each must be lifted; with a displacement, those of the rule, since
// the slide began, and those of contacts that were.
bool grz_slide_collect(grz_slide *slide, const double *displacement);

// Look for the contacts at the position, and go back to the last place if it is not proved to be outside. `cut`: it was
// not.
bool grz_slide_prove(grz_slide *slide, const double before[3], bool *cut);

// In a corner: try the way as if one of the contacts were not there, for each of them. `left` receives what is left of
// the displacement. A round body is left where it is. `done`: one of the ways led on.
bool grz_slide_squeeze(grz_slide *slide, const double displacement[3], double *left, bool *done);

// How far a slide has come along its displacement.
typedef struct grz_slide_reach {
    double direction[3]; // of the displacement, length 1
    double first, far, counted;
    double first_position[3], far_position[3];
    int iterations; // since `counted`
} grz_slide_reach;

// A slide begins here.
grz_slide_reach grz_slide_reach_of(const grz_slide *slide, const double displacement[3]);

// True if the legs lead no further. To be asked before each leg.
bool grz_slide_stalls(grz_slide_reach *r, const grz_slide *slide);

// Where legs have led no further: go on from the furthest place as if the slide began there. If that has not led on by
// a skin, it is a corner: back to where it began, so that the same displacement moves a body that stands there by not
// one bit.
bool grz_slide_begin_again(grz_slide_reach *r, grz_slide *slide, bool *corner);

#endif
