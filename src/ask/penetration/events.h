// SPDX-License-Identifier: MIT
// A moves, B rests. An event is a time at which a corner, edge or face of A begins or ends to touch one of B. Between
// two events the surfaces meet in the same way, so whether the solids overlap does not change.
#ifndef GRZ_ASK_PENETRATION_EVENTS_H
#define GRZ_ASK_PENETRATION_EVENTS_H

#include "ask/move/translation/follow.h"
#include "ask/penetration/moment/instant.h"

// The first such time after another. *any: there is one.
grz_status grz_event_after(grz_move_call *call, const grz_path *path, const grz_instant *after, grz_instant *event,
                           bool *any);

#endif
