// SPDX-License-Identifier: MIT
// Rays among many objects: a binary tree over the objects' boxes in the world. A ray asks for one object after the
// other, about in the order in which it enters their boxes.
#ifndef GRZ_ASK_PICK_CROWD_H
#define GRZ_ASK_PICK_CROWD_H

#include "base/control_type.h"
#include "geometry/box.h"
#include "geometry/ray/line.h"

// Parameters between which a ray may be in a box.
typedef struct grz_stretch {
    double enter, leave;
} grz_stretch;

// Reduce a stretch to where the line may be in a box. Conservative: nothing is cut off that is in the box. False: the
// line is certainly not in the box there, or the box is empty.
bool grz_line_cut_to_box(const grz_line *line, const grz_box *box, grz_stretch *stretch);

enum {
    GRZ_CROWD_DEPTH = 33 // nodes above each other, with up to 2^32 objects
};

typedef struct grz_crowd_node {
    grz_box box;
    uint32_t child;  // its children are this and the next; 0: a leaf
    uint32_t target; // of a leaf
} grz_crowd_node;

typedef struct grz_crowd {
    grz_crowd_node *nodes; // node 0 is the root
    uint32_t node_count;
    size_t room;
} grz_crowd;

// Make the tree over `count` boxes, at least one. The order of the numbers in `order` changes. Returns GRZ_OK, or what
// the control says.
grz_status grz_crowd_build(grz_crowd *crowd, const grz_box *boxes, uint32_t *order, uint32_t count,
                           grz_control *control);
void grz_crowd_finish(grz_crowd *crowd, const grz_allocator *allocator);

// A ray on its way through the tree.
typedef struct grz_crowd_walk {
    double from, to;
    size_t depth;
    struct {
        double enter;
        uint32_t node;
    } stack[GRZ_CROWD_DEPTH];
} grz_crowd_walk;

void grz_crowd_begin(const grz_crowd *crowd, grz_crowd_walk *walk, const grz_line *line, double from, double to);

// The next object whose box the ray may meet, not later than at `upper`; UINT32_MAX: none is left.
uint32_t grz_crowd_next(const grz_crowd *crowd, grz_crowd_walk *walk, const grz_line *line, double upper);

#endif
