// SPDX-License-Identifier: MIT
// The stages of joining a job's contacts to curves; each file curve_*.c is one. A stage returns false where memory is short or the
// control says to end, and leaves what it has to grz_joiner_finish().
#ifndef GRZ_QUERY_CURVES_H
#define GRZ_QUERY_CURVES_H

#include "geometry/exact_point.h"
#include "query/result.h"

// A contact point in the table of places.
typedef struct grz_place_entry {
    uint64_t hash; // of its place
    size_t corner;
} grz_place_entry;

// A side of a contact: the one from its point `side` to the next, of contact `contact`.
typedef struct grz_side {
    size_t contact;
    uint32_t side;
} grz_side;

// A segment of a contact, or a side of a polygon, that may be part of a curve. Every one stands for all that run between its two
// nodes.
typedef struct grz_candidate_link {
    size_t low, high; // nodes, low < high
    grz_side side;    // one of them, of a polygon where there is one
    bool outer;       // it has polygons, in one half-plane only
} grz_candidate_link;

typedef struct grz_link {
    size_t low, high; // nodes, low < high
} grz_link;

// A curve before it is written: where its nodes stand in the list of all of them.
typedef struct grz_run {
    size_t start, count;
    bool closed;
} grz_run;

enum {
    GRZ_NODE_TOUCHED = 1u << 0, // a contact with extent reaches it
    GRZ_NODE_CROWDED = 1u << 1, // another node has the same place
    GRZ_NODE_COVERED = 1u << 2  // some segment or polygon runs through it
};

typedef struct grz_joiner {
    // What is joined. Contact points are called corners here and numbered from 0.
    const grz_job *job;
    const grz_found *found; // one for each contact
    const grz_contact *contacts;
    size_t contact_count, first_point, corner_count;
    const grz_point *world, *own; // places of corners, in world coordinates and where contacts were decided
    const grz_node_key *keys;
    grz_control *control;
    const grz_allocator *allocator;

    // Nodes: different exact points. Those made where links are cut come after those of corners.
    size_t node_count, cut_node_count;
    size_t *node_of;     // corner_count: node of each corner
    size_t *node_corner; // node_count: a corner that is the node
    uint8_t *flags;      // corner_count, of which those of nodes' corners count: GRZ_NODE_…
    grz_place_entry *table;
    size_t *table_start; // 2^table_bits + 1: buckets of the table
    unsigned table_bits;
    grz_point *places; // of nodes, in world coordinates
    size_t place_room;
    GRZ_ARRAY(grz_exact_point) cuts;

    GRZ_ARRAY(grz_candidate_link) candidates;
    GRZ_ARRAY(grz_link) links; // of the curves; sorted, none twice

    GRZ_ARRAY(size_t) walked; // nodes of all runs, run after run
    GRZ_ARRAY(grz_run) runs;
} grz_joiner;

// Number the nodes.
bool grz_curves_number_nodes(grz_joiner *joiner);

// The node at an exact point; or a new number, node_count + an index into `cuts`, the same for the same point only after
// grz_curves_number_cuts().
bool grz_curves_find_node(grz_joiner *joiner, const grz_exact_point *point, size_t *node);

// Number the nodes in `cuts`, and put the new numbers in the place of those in `links`; find `places`.
bool grz_curves_number_cuts(grz_joiner *joiner);

// Find the candidates: segments, and sides of polygons that all lie in one half-plane.
bool grz_curves_find_candidates(grz_joiner *joiner);

// Cut candidates where other contacts lie along them, drop what runs inside polygons, mark lone nodes that are covered, and fill
// `links`.
bool grz_curves_cut(grz_joiner *joiner);

// Sort the links and leave out repeats.
bool grz_curves_order_links(grz_joiner *joiner);

// Walk along the links, add lone points, put all in order and append it to the result.
bool grz_curves_walk(grz_joiner *joiner);
bool grz_curves_write(grz_joiner *joiner, grz_result *result);

// ---- What contacts are, where they were decided (curve_shapes.c)

// Half a plane: beyond the line p-q, on the side of w.
typedef struct grz_half_plane {
    double p[3], q[3], w[3];
} grz_half_plane;

// The two triangles of a contact.
void grz_curves_triangles(const grz_joiner *joiner, size_t contact, double triangles[2][3][3]);

// The exact point of a corner.
void grz_curves_point(const grz_joiner *joiner, size_t corner, grz_exact_point *point);

// The edge of one of the contact's triangles along which a side runs, with the half-plane of that triangle. False where there is
// none.
bool grz_curves_half_plane(const grz_joiner *joiner, grz_side side, grz_half_plane *half);

// Whether two half-planes at one line are the same.
bool grz_curves_same_half_plane(const grz_half_plane *x, const grz_half_plane *y);

// The corners between which a side runs.
static inline void grz_curves_side_ends(const grz_joiner *joiner, grz_side side, size_t ends[2])
{
    const grz_contact *contact = &joiner->contacts[side.contact];
    const size_t first = contact->first_point - joiner->first_point;
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
