// SPDX-License-Identifier: MIT
// Edges in which more than two faces meet: which of these faces bound the same piece of material.
#ifndef GRZ_MESH_SHELLS_SHELL_FANS_H
#define GRZ_MESH_SHELLS_SHELL_FANS_H

#include "geometry/triangle/pages.h"
#include "mesh/shells/shell_edges.h"

// A face at an edge. Around the edge, counter-clockwise, a piece of material begins at a face that opens and ends at
// one that closes.
typedef struct grz_fan_side {
    uint32_t face;
    uint32_t place; // which half-plane, counter-clockwise; faces that coincide have the same
    uint32_t label; // the shell that is known of the face
    bool opens;
    bool matched;
    uint32_t partner; // if it is matched: the side that it is matched with
} grz_fan_side;

// A pair of faces of one shell.
typedef struct grz_fan_match {
    uint32_t one, other;
} grz_fan_match;

typedef struct grz_fan_work {
    const grz_shell_edges *edges;
    grz_control *control;
    const grz_allocator *allocator;
    GRZ_ARRAY(grz_page) pages;
    GRZ_ARRAY(grz_fan_side) sides; // of the edge at hand, sorted
    GRZ_ARRAY(uint32_t) order, stack, partners;
    GRZ_ARRAY(grz_fan_match) matches; // of the edge at hand
} grz_fan_work;

// Sort the faces around an edge into work->sides: by half-plane, those that close first, by number. Left out are faces
// without a direction, whose triangle at this edge has no area. Polygons that do not cross themselves have no such
// triangle, unless they have no area themselves.
//
// inside_out  the faces are wound inwards: material is on their other side
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status.
grz_status grz_fan_sort(grz_fan_work *work, const grz_shell_edge *edge, bool inside_out);

// If every face that opens is followed by one that closes, match these in work->matches. Else false, and no matches.
// Returns GRZ_OK or GRZ_ERROR_MEMORY.
grz_status grz_fan_match_simple(grz_fan_work *work, bool *simple);

// Match faces in any case, by their labels first: grz_fan_side::label must be set. What no face of the other kind is
// left for is matched with its like.
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status.
grz_status grz_fan_match_all(grz_fan_work *work);

void grz_fan_work_finish(grz_fan_work *work);

#endif
