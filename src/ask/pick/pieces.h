// SPDX-License-Identifier: MIT
// A ray through a spatial structure over an object's triangles (space/structures/): the part of the ray in the object's
// box is cut into pieces, which are looked up one after the other, from front to back.
#ifndef GRZ_ASK_PICK_PIECES_H
#define GRZ_ASK_PICK_PIECES_H

#include "base/control_type.h"
#include "filter/lookup/seen_from.h"
#include "geometry/ray/line_unit.h"
#include "space/structures/structure.h"

// An object with its structure.
typedef struct grz_pick_structure {
    const grz_structure_type *type;
    const void *state;
    double low[3], high[3]; // the object's box in the world
} grz_pick_structure;

// The pieces of one ray, all of about the same length.
typedef struct grz_pieces {
    grz_line_unit measure;
    int unit;        // of places: 2^unit
    double from, to; // of the ray's part in the box, grown a little, measured
    uint32_t count;  // 0: the ray does not meet the box
    grz_seen_from seen;
} grz_pieces;

// Prepare a structure for rays against an object whose mesh is in memory.
grz_status grz_pick_structure_set(const grz_object *object, const grz_structure_type *type, grz_control *control,
                                  grz_pick_structure *out, grz_error *error);

// Cut the part of a line with parameters in [from, to].
void grz_pieces_cut(const grz_object *object, const grz_pick_structure *structure, const grz_line *line, double from,
                    double to, grz_pieces *pieces);

// True if piece i, or the end if there is none, comes after parameter t of the line.
bool grz_pieces_begin_after(const grz_pieces *pieces, uint32_t i, double t);

// Add every triangle that the ray meets in a piece; others may be added, and a triangle more than once. False:
// there is no memory.
bool grz_pieces_gather(const grz_object *object, const grz_pick_structure *structure, const grz_line *line,
                       const grz_pieces *pieces, uint32_t piece, const grz_allocator *allocator, grz_near_list *near);

#endif
