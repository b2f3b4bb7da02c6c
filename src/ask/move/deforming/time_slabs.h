// SPDX-License-Identifier: MIT
// Which pairs of triangles may meet, and when: time is cut into slabs, so that a large motion does not make every box
// overlap every other.
#ifndef GRZ_ASK_MOVE_DEFORMING_TIME_SLABS_H
#define GRZ_ASK_MOVE_DEFORMING_TIME_SLABS_H

#include "ask/move/deforming/deforming_search.h"

// Search all pairs that may meet, on the device's threads. False: ended by the control; first->reached then says up to
// which time nothing is left to search.
bool grz_slabs_search(grz_device *device, grz_first_contact *first);

#endif
