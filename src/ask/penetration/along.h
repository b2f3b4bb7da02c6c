// SPDX-License-Identifier: MIT
// How long must A move along a path without end until the insides of two solids have no common point?
#ifndef GRZ_ASK_PENETRATION_ALONG_H
#define GRZ_ASK_PENETRATION_ALONG_H

#include "ask/move/translation/follow.h"
#include "ask/penetration/moment/instant.h"
#include "inside/solids/surface.h"

// Bounds of that time.
typedef struct grz_free_time {
    grz_instant lower; // they overlap at all times before
    grz_instant upper; // they do not at that time
    uint32_t a, b;     // triangles that part at `upper`; UINT32_MAX: not known
} grz_free_time;

// The solids overlap at the start. `clean`: neither of the surfaces meets itself, so where triangles cross the solids
// overlap.
grz_status grz_free_time_find(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                              bool clean, grz_free_time *found);

#endif
