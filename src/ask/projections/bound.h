// SPDX-License-Identifier: MIT
// What is known of the chosen directions in the end: how much of the surface is covered, how much of that is proved,
// how deep the gaps are, and how much empty space all maps take for solid.
#ifndef GRZ_ASK_PROJECTIONS_BOUND_H
#define GRZ_ASK_PROJECTIONS_BOUND_H

#include "ask/projections/probe_cover.h"

// Coverage in frame units.
typedef struct grz_sight_tally {
    uint64_t weight, uncovered, unproved; // unproved: covered, but not proved everywhere in the cell
    double deepest;
} grz_sight_tally;

// Tally parts and poses.
//
// choices  one for each part
// parts    receives part_count tallies
// poses    receives pose_count tallies
grz_status grz_sight_tally_up(const grz_sight_search *search, const grz_sight_choice *choices, grz_sight_tally *parts,
                              grz_sight_tally *poses);

// Estimate the empty volume that maps take for solid, deeper than the tolerance: as the mean of the poses, in frame
// units. `volume` is for the parts and their choices, `volume_of_one` for one map of everything along one candidate.
grz_status grz_sight_invented(const grz_sight_search *search, const grz_sight_choice *choices, uint32_t candidate,
                              double *volume, double *volume_of_one, grz_error *error);

#endif
