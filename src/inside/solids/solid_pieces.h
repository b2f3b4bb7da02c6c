// SPDX-License-Identifier: MIT
// Touching without overlap, proved by pieces: meshes made of several closed shells, such as a window of flush bars, are
// taken apart, and the pieces are classified instead.
#ifndef GRZ_INSIDE_SOLIDS_SOLID_PIECES_H
#define GRZ_INSIDE_SOLIDS_SOLID_PIECES_H

#include "inside/solids/surface.h"
#include "result/found.h"

// A piece of A and one of B that have to be classified.
typedef struct grz_piece_pair {
    const grz_found_array *found;
    grz_found_range range;
    grz_cached_pair cached;
    bool touching; // their surfaces touch
} grz_piece_pair;

typedef struct grz_piece_work {
    const grz_found_array *found; // of the whole objects
    const grz_found_range *range;
    bool split[2]; // which objects are taken apart
    grz_control *control;
    grz_error *error;
    // Classify two pieces. They are closed, but need be neither clean nor wound consistently.
    grz_status (*decide)(const void *context, const grz_piece_pair *pair, grz_solids *solids);
    const void *context;
} grz_piece_work;

// *touching becomes true if the pieces prove that the two solids touch and their insides are disjoint, by the rule by
// which `decide` goes. False says nothing.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status; what `decide` returns.
grz_status grz_pieces_touch(const grz_piece_work *call, bool *touching);

#endif
