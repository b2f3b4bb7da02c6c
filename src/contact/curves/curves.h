// SPDX-License-Identifier: MIT
// The stages that join a job's contacts to curves; each file of this folder is one stage. A stage returns false if
// there is no memory or the control says to end. joiner_finish() (curves.c) then releases what there is.
// Words: a *corner* is a contact point, numbered from 0 over all contacts of the job. A *place* is a point rounded to
// doubles. A *node* is an exact point; corners at one exact point are one node. A *link* joins two nodes; curves
// consist of links.
#ifndef GRZ_CONTACT_CURVES_CURVES_H
#define GRZ_CONTACT_CURVES_CURVES_H

#include <assert.h>

#include "geometry/exact/point.h"
#include "result/result.h"

// A corner in the table of places.
typedef struct grz_place_entry {
    uint64_t hash; // hash of the corner's place
    size_t corner;
} grz_place_entry;

// A side of a contact: from the contact's point number `side` to the next.
typedef struct grz_side {
    size_t contact;
    uint32_t side;
} grz_side;

// A candidate: a segment of a contact, or a side of a polygon, that may be part of a curve. It stands for all segments
// and sides between its two nodes.
typedef struct grz_candidate_link {
    size_t low, high; // nodes, low < high
    grz_side side;    // one of these; of a polygon if there is one
    bool outer;       // it is a side of polygons, and all of them lie in one half-plane
} grz_candidate_link;

typedef struct grz_link {
    size_t low, high; // nodes, low < high
} grz_link;

// A curve before it is written: a range of grz_joiner::walked.
typedef struct grz_run {
    size_t start, count;
    bool closed;
} grz_run;

enum {
    GRZ_NODE_TOUCHED = 1u << 0, // it is on a contact with extent (a segment or a polygon)
    GRZ_NODE_CROWDED = 1u << 1, // another node has the same place
    GRZ_NODE_COVERED = 1u << 2  // some segment or polygon contains it
};

typedef struct grz_joiner {
    // The input: one job's contacts.
    const grz_object *a, *b; // b NULL: a with itself
    const grz_found *found;  // one entry for each contact
    const grz_contact *contacts;
    size_t contact_count, first_point, corner_count;
    const grz_point *world, *own; // places of the corners, in world coordinates and in those of the decision
    const grz_node_key *keys;
    grz_control *control;
    const grz_allocator *allocator;
    size_t crowd;  // a link with more contacts near it than this is cut together with others on its line (lines.h)
    uint64_t work; // how often a contact or triangle was found near a link, or two branches of a tree were compared

    // Nodes. Those made by cutting links come after those of corners.
    size_t node_count, cut_node_count;
    size_t *node_of;     // corner_count numbers: the node of each corner
    size_t *node_corner; // node_count numbers: the first corner of each node
    uint8_t *flags;      // corner_count bytes of GRZ_NODE_…; only those of the nodes' first corners count
    grz_place_entry *table;
    size_t *table_start; // start of each of the 2^table_bits buckets, and the end of the last one
    unsigned table_bits;
    grz_point *places; // places of the nodes, in world coordinates
    size_t place_room;
    GRZ_ARRAY(grz_exact_point) cuts;

    GRZ_ARRAY(grz_candidate_link) candidates;
    GRZ_ARRAY(grz_link) links; // the links of the curves; in the end sorted, without repeats

    GRZ_ARRAY(size_t) walked; // nodes of all runs, one run after the other
    GRZ_ARRAY(grz_run) runs;
} grz_joiner;

// Join contacts to curves: grz_result_build_curves() with a number for `crowd`, which changes no answer. 0: every link
// near another contact is cut with others on its line, and no other time is saved; SIZE_MAX: none is cut in that way.
// `work` may be NULL; grz_joiner::work is added to it.
grz_status grz_curves_join(grz_result *result, const grz_found_range *range, size_t crowd, uint64_t *work,
                           grz_control *control, grz_verdict *verdict);

// Find the nodes and number them.
bool grz_curves_number_nodes(grz_joiner *joiner);

// Find the node at an exact point. If there is none, the point is appended to `cuts` and gets the number node_count +
// its index. Only grz_curves_number_cuts() makes these numbers equal for equal points.
bool grz_curves_find_node(grz_joiner *joiner, const grz_exact_point *point, size_t *node);

// Number the nodes in `cuts`, replace the temporary numbers in `links`, and compute `places`.
bool grz_curves_number_cuts(grz_joiner *joiner);

// Find the candidates: segments, and sides of polygons that all lie in one half-plane.
bool grz_curves_find_candidates(grz_joiner *joiner);

// Cut candidates where other contacts lie along them, drop the parts that run inside polygons, mark isolated nodes that
// are covered, and fill `links`.
bool grz_curves_cut(grz_joiner *joiner);

// Append a link to `links`.
bool grz_curves_add_link(grz_joiner *joiner, size_t p, size_t q);

// Sort the links and remove repeats.
bool grz_curves_order_links(grz_joiner *joiner);

// Walk: follow the links to make runs, and add isolated points. Write: put the runs in order and append them to the
// result.
bool grz_curves_walk(grz_joiner *joiner);
bool grz_curves_write(grz_joiner *joiner, grz_result *result);

// ---- Questions about one contact, in the coordinates of the decision (contact_shapes.c) ----

// A half-plane: bounded by the line p-q, on the side of w.
typedef struct grz_half_plane {
    double p[3], q[3], w[3];
} grz_half_plane;

// The two triangles of a contact.
void grz_curves_triangles(const grz_joiner *joiner, size_t contact, double triangles[2][3][3]);

// The exact point of a corner.
void grz_curves_point(const grz_joiner *joiner, size_t corner, grz_exact_point *point);

// The edges of a contact's triangle (half 0 or 1), as bits, along which a side runs. Bit i: from corner i to the next.
unsigned grz_curves_side_edges(const grz_joiner *joiner, grz_side side, int half);

// The edge of one of the contact's triangles along which a side runs, with the half-plane of that triangle. False if
// there is no such edge.
bool grz_curves_half_plane(const grz_joiner *joiner, grz_side side, grz_half_plane *half);

// True if two half-planes bounded by the same line are equal.
bool grz_curves_same_half_plane(const grz_half_plane *x, const grz_half_plane *y);

// The two corners of a side.
static inline void grz_curves_side_ends(const grz_joiner *joiner, grz_side side, size_t ends[2])
{
    const grz_contact *contact = &joiner->contacts[side.contact];
    const size_t first = contact->first_point - joiner->first_point;
    assert(side.side < contact->point_count && first + contact->point_count <= joiner->corner_count);
    ends[0] = first + side.side;
    ends[1] = first + (side.side + 1) % contact->point_count;
}

static inline int grz_curves_compare_places(const grz_point *p, const grz_point *q)
{
    for (int i = 0; i < 3; i++)
        if (p->at[i] != q->at[i])
            return p->at[i] < q->at[i] ? -1 : 1;
    return 0;
}

#endif
