// SPDX-License-Identifier: MIT
// Which candidate covers which probe, and which candidates are chosen for a part.
#ifndef GRZ_ASK_PROJECTIONS_PROBE_COVER_H
#define GRZ_ASK_PROJECTIONS_PROBE_COVER_H

#include <graze/projections.h>

#include "ask/projections/model.h"

enum {
    GRZ_SIGHT_MAX_CHOSEN = 64,
    GRZ_SIGHT_MASK_WORDS = 4 // of 64 candidates: GRZ_MAX_CANDIDATES
};

// The state of one call. The members up to `model` are set by its owner.
typedef struct grz_sight_search {
    grz_device *device;
    grz_control *control;
    const grz_sight_surface *surface;
    const double (*directions)[3]; // unit vectors
    uint32_t direction_count;
    grz_projection projection;
    double tolerance; // frame units
    uint32_t max_directions, max_parts;
    double uncovered_share;
    grz_inside_rule inside_rule;
    grz_sight_model model; // the parts
    // One row of bits for each candidate, a bit for each cell.
    uint64_t *rows;
    size_t row_words;
} grz_sight_search;

// The candidates of one part.
typedef struct grz_sight_choice {
    uint32_t chosen[GRZ_SIGHT_MAX_CHOSEN]; // candidates, in the order in which they were chosen
    uint32_t count;
    uint64_t weight, covered, coverable; // of the part's cells: all, by the chosen ones, by any candidate
    uint32_t fewest;                     // so many are needed to cover as much; set by grz_sight_find_smallest_cover()
} grz_sight_choice;

static inline uint32_t grz_sight_part(const grz_sight_search *search, size_t cell)
{
    return search->model.cell_parts[cell];
}

static inline bool grz_sight_covers(const grz_sight_search *search, uint32_t candidate, size_t cell)
{
    return (search->rows[candidate * search->row_words + cell / 64] >> cell % 64 & 1) != 0;
}

// Make the rows. Returns false if there is no memory.
bool grz_sight_rows_init(grz_sight_search *search);
void grz_sight_rows_finish(grz_sight_search *search);

// Compute the bits of the cells of two parts (which may be the same one) in all rows, for the model as it is now.
grz_status grz_sight_look(grz_sight_search *search, uint32_t part, uint32_t other);

// Choose candidates for a part greedily: the one that covers most of what is not covered yet, the first of several,
// until no more than the allowed share is left of what candidates can cover. Then drop superfluous ones, the last
// first.
grz_status grz_sight_choose(const grz_sight_search *search, uint32_t part, grz_sight_choice *choice);

// Find how many candidates are needed to cover as much of the part as the chosen ones, or a lower bound for that if the
// search is too long. If fewer are enough, they are chosen instead.
grz_status grz_sight_find_smallest_cover(const grz_sight_search *search, uint32_t part, grz_sight_choice *choice);

#endif
