// SPDX-License-Identifier: MIT
// The directions that are tried.
#ifndef GRZ_ASK_PROJECTIONS_CANDIDATES_H
#define GRZ_ASK_PROJECTIONS_CANDIDATES_H

#include <graze/projections.h>

#include "ask/projections/probed_surface.h"

typedef struct grz_sight_candidates {
    double directions[GRZ_MAX_CANDIDATES][3]; // unit vectors, no two alike
    uint32_t count;
} grz_sight_candidates;

// List the caller's directions, then the axes of the box of the first pose, a regular grid, the most common normals of
// the first pose, and their cross products. With a projection that sees only one way, each is followed by its opposite;
// otherwise opposite directions are alike. What there is no room for is left out.
//
// Returns GRZ_OK; GRZ_ERROR_ARGUMENT if a direction of the caller's is 0 or not finite; GRZ_ERROR_MEMORY; the control's
// status.
grz_status grz_sight_candidates_find(grz_sight_candidates *candidates, const grz_sight_surface *surface,
                                     const grz_projections_options *options, grz_control *control, grz_error *error);

#endif
