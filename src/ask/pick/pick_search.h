// SPDX-License-Identifier: MIT
// The search along one ray: a walk through the trees of objects keeps the triangles that may be hit first, or all that
// are hit. Then exact fractions are compared where intervals of doubles do not tell.
#ifndef GRZ_ASK_PICK_PICK_SEARCH_H
#define GRZ_ASK_PICK_PICK_SEARCH_H

#include <graze/pick.h>

#include "ask/pick/crowd.h"
#include "ask/pick/packed/ray_packet.h"
#include "ask/pick/pieces.h"
#include "base/control_type.h"
#include "geometry/ray/line_hit.h"
#include "geometry/ray/line_triangle.h"

// An object whose triangles may be hit; searches share it.
typedef struct grz_pick_target {
    const grz_object *object;      // its mesh is in memory
    const grz_bvh *bvh;            // NULL: it has a structure, or all triangles are tested
    const grz_packed_tree *packed; // the same tree, packed; NULL: it is not
    grz_packed_frame frame;        // set if it is packed
    grz_pick_structure structure;  // its type is NULL: it has none
    uint32_t number;               // the caller's
    grz_distance_frames frames;
} grz_pick_target;

// What is asked of all rays of a call.
typedef struct grz_pick_question {
    const grz_pick_target *targets; // in the order of their numbers
    uint32_t target_count;
    const grz_crowd *crowd; // over all of them; NULL: one target is looked at after the other
    bool skip[2];           // by grz_ray_side: pass through such faces
    grz_ray_boxes *boxes;
    const grz_packed_steps *steps;
    const grz_packet_steps *packet_steps;
    grz_line_crosses_posed *crosses;
    grz_line_describe *describe;
    grz_line_describe_four *describe_four;
} grz_pick_question;

// A triangle that is hit, at a parameter in [low, high].
typedef struct grz_pick_candidate {
    uint32_t target, triangle;
    uint32_t leaf; // of the packed tree; GRZ_BVH_NONE: not from there
    double low, high;
    bool starts;           // the ray begins on the triangle: t is its `from` exactly
    grz_crossing crossing; // FACE or CORNER: doubles have told; OPEN: only integers tell
    uint8_t feature;       // if not OPEN: as in grz_line_crossing
    bool front;
} grz_pick_candidate;

typedef enum grz_pick_aim {
    GRZ_PICK_FIRST,
    GRZ_PICK_ANY, // one candidate is enough
    GRZ_PICK_ALL
} grz_pick_aim;

// Searches along one ray after another, on one thread.
typedef struct grz_pick_search {
    const grz_pick_question *question;
    grz_control *control;
    grz_pick_aim aim;
    size_t steps; // for the control
    grz_line line;
    double from, to;
    double upper; // FIRST: the first hit is not later
    GRZ_ARRAY(grz_pick_candidate) found;
    // The walk. Several walks in turn take less time than one after the other: each prefetches what it needs next, and
    // the others go on meanwhile.
    bool has_target; // false: it has not begun
    uint32_t target; // the object it is in
    grz_crowd_walk crowd;
    uint32_t
        prefetched; // the triangle (in a packed tree, the leaf) whose corners have been prefetched; GRZ_BVH_NONE: none
    bool is_packed; // it goes through the packed tree
    grz_packed_walk walk;
    grz_ray_map map;
    float limit; // boxes that the ray enters later do not matter
    size_t depth;
    grz_pick_waiting stack[GRZ_BVH_STACK];
    // The same through a structure: the next piece of the ray; 0: it has not been cut.
    uint32_t piece;
    grz_pieces pieces;
    grz_near_list near;
} grz_pick_search;

typedef enum grz_pick_state {
    GRZ_PICK_GOES_ON,
    GRZ_PICK_DONE,
    GRZ_PICK_ENDED // the control says to end
} grz_pick_state;

// Begin a search; `question` and `control` are borrowed. Call grz_pick_search_finish() in the end.
void grz_pick_search_init(grz_pick_search *search, const grz_pick_question *question, grz_control *control,
                          grz_pick_aim aim);

// Begin with a ray, which has been checked; then step until it is done: all candidates are found.
void grz_pick_search_begin(grz_pick_search *search, const grz_ray *ray);
grz_pick_state grz_pick_search_step(grz_pick_search *search);

// The first step of a search in the packed tree of the only target, whose map a packet has set up. Then
// grz_pick_search_leaf() may be called with leaves that the ray may meet, in any order, instead of further steps.
// search->walk.from and walk.limit are set; the limit is a new one after each leaf.
void grz_pick_search_enter(grz_pick_search *search, double start, double speed);
grz_pick_state grz_pick_search_leaf(grz_pick_search *search, uint32_t leaf);

void grz_pick_search_finish(grz_pick_search *search);

// The corners of a candidate's triangle in the world.
void grz_pick_corners(const grz_pick_question *question, const grz_pick_candidate *candidate, double c[3][3]);

// Which candidate is hit first (pick_decide.c). There is one at least. NULL: the control says to end.
const grz_pick_candidate *grz_pick_first(grz_pick_search *search);

// Put the candidates in order, and leave one of those that the ray meets without leaving their face in between. False:
// the control says to end.
bool grz_pick_order_all(grz_pick_search *search);

// What there is to say about a candidate.
void grz_pick_describe(const grz_pick_search *search, const grz_pick_candidate *candidate, grz_ray_hit *hit);
// The same of one that goes through the inside, on this line; and if all about the crossing is known.
void grz_pick_describe_crossing(const grz_pick_question *question, const grz_line *line,
                                const grz_pick_candidate *candidate, grz_ray_hit *hit);
void grz_pick_write_crossing(const grz_pick_question *question, const grz_pick_candidate *candidate,
                             const grz_line_hit *known, grz_ray_hit *hit);

#endif
