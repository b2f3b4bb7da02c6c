// SPDX-License-Identifier: MIT
// Solids at one exact time, as meshes of their own: for surfaces that meet themselves.
#ifndef GRZ_ASK_PENETRATION_MOMENT_SCALED_H
#define GRZ_ASK_PENETRATION_MOMENT_SCALED_H

#include "ask/penetration/moment/moment_solids.h"

// Multiply all positions by the denominator of the time. If they are doubles then, classify the solids; else UNKNOWN.
grz_status grz_overlap_of_scaled(grz_move_call *call, const grz_path *path, const grz_instant *when,
                                 grz_overlap *overlap);

#endif
