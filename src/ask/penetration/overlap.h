// SPDX-License-Identifier: MIT
// A moves, B rests: do their insides have common points at a given time?
#ifndef GRZ_ASK_PENETRATION_OVERLAP_H
#define GRZ_ASK_PENETRATION_OVERLAP_H

#include "ask/penetration/moment/moment_solids.h"

// At one time. surfaces: of both where the path begins; see grz_overlap_at_instant().
grz_status grz_overlap_at(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                          const grz_instant *when, grz_overlap *overlap);

// At all times between two at which the surfaces touch, and between which they do not; the first is at most `after`,
// the second at least `before`.
grz_status grz_overlap_between(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                               double after, double before, grz_overlap *overlap);

#endif
