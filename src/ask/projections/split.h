// SPDX-License-Identifier: MIT
// Splitting an object into parts that have directions of their own.
#ifndef GRZ_ASK_PROJECTIONS_SPLIT_H
#define GRZ_ASK_PROJECTIONS_SPLIT_H

#include "ask/projections/probe_cover.h"

// Choose candidates for the whole object; while more than the allowed share of its surface stays uncovered, split the
// part with the largest uncovered area in two. Splits after the last one that gained more than that share are undone.
//
// search   its model is made here; finish it in any case. Its rows are there
// choices  room for max_parts; receives those of the parts
grz_status grz_sight_split(grz_sight_search *search, grz_sight_choice *choices);

#endif
