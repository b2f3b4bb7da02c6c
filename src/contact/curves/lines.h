// SPDX-License-Identifier: MIT
// Lines: stretches of straight lines along which links in crowds of contacts lie. All links of a line are cut at once,
// by the triangles of the contacts instead of the contacts.
#ifndef GRZ_CONTACT_CURVES_LINES_H
#define GRZ_CONTACT_CURVES_LINES_H

#include "contact/curves/clip.h"
#include "contact/curves/contact_triangles.h"

typedef struct grz_line {
    uint64_t key[2]; // what it lies along (lines.c)
    size_t end[2];   // nodes at its ends, in exact order
    grz_side side;   // of one of its links
} grz_line;

// What lies along the line, from one exact point to another: a triangle, or a listed contact (contact_triangles.h). A
// triangle contains a part of one half-plane at the line if it has an edge there, of two if the line runs through its
// inside, and of none if it has no area. The numbers are counted from 0, and equal for equal things.
typedef struct grz_strip {
    bool listed;
    uint32_t group;   // two triangles of one group are no contact
    uint64_t edge;    // of a mesh with itself: the edge along the line, by its vertices; else unlike all others
    uint32_t count;   // number of half-planes
    size_t half[2];   // numbers of the half-planes
    size_t member[2]; // for each: the number of (half-plane, group)
    size_t group_number, edge_number, both_number; // of the group, of the edge, and of (group, edge)
} grz_strip;

// Found by grz_strips_find(), which keeps the memory from one line to the next. Strip i begins at stop 2i and ends at
// stop 2i + 1; both lie between the line's ends.
typedef struct grz_strips {
    GRZ_ARRAY(grz_strip) strips;
    GRZ_ARRAY(grz_exact_point) stops;
    size_t half_count, member_count, group_count, edge_count, both_count; // how many numbers there are
    grz_link_shape link;                                                  // the line from end to end
    GRZ_ARRAY(size_t) order;                                              // private to strips.c
} grz_strips;

typedef struct grz_lines {
    grz_joiner *joiner;
    grz_triangle_set set;
    size_t *edges;              // for each edge of each triangle of the set its line in `along`, or SIZE_MAX
    size_t edge_room;           // their number
    GRZ_ARRAY(grz_line) along;  // lines along these edges; their keys are not used
    GRZ_ARRAY(grz_line) others; // several can be parts of one until they are cut
    grz_strips strips;
} grz_lines;

// Zero `lines` before. False: there is no memory, or the control says to end.
bool grz_lines_begin(grz_joiner *joiner, grz_lines *lines);
void grz_lines_finish(grz_lines *lines);

// Add a link. False: there is no memory.
bool grz_lines_add(grz_lines *lines, const grz_candidate_link *link);

// Add a link if that takes little time, because there is a line for it. False if not.
bool grz_lines_add_to_known(grz_lines *lines, const grz_candidate_link *link);

// Cut all lines, and append the pieces that are parts of curves to the joiner's links.
bool grz_lines_cut(grz_lines *lines);

// Find what lies along a line (strips.c).
bool grz_strips_find(grz_joiner *joiner, grz_triangle_set *set, const grz_line *line, grz_strips *strips);
void grz_strips_finish(const grz_joiner *joiner, grz_strips *strips);

// Cut a line whose strips were found (sweep.c).
bool grz_strips_cut(grz_joiner *joiner, grz_strips *strips);

#endif
