// SPDX-License-Identifier: MIT
// What the structures that divide space share while they are built: the triangles' boxes, and the lists of triangles of
// the cells on the way down.
#ifndef GRZ_SPACE_STRUCTURES_STRUCTURE_BUILD_H
#define GRZ_SPACE_STRUCTURES_STRUCTURE_BUILD_H

#include "mesh/triangles.h"
#include "space/structures/structure.h"

typedef struct grz_structure_build {
    const grz_mesh *mesh;
    grz_control *control;
    const grz_allocator *allocator;
    grz_box *boxes;     // of the triangles
    grz_near_list work; // a stack of lists: a cell's list, then those of its children
    size_t steps;       // for the control
} grz_structure_build;

// How a structure is made.
typedef struct grz_structure_maker {
    const char *what; // in error texts
    size_t size;      // of the structure, which begins as zeros
    // Build it. The work list holds all triangles. False: there is no memory, or the control says to end.
    bool (*make)(grz_structure_build *build, void *structure);
    void (*release)(const grz_mesh *mesh, void *structure); // also of one that is half built
} grz_structure_maker;

// Build a structure in place of what was there: grz_slot_type::prepare of the structures that have no refit.
grz_status grz_structure_prepare(const grz_structure_maker *maker, const grz_mesh *mesh, grz_control *control,
                                 void **state, grz_error *error);

// True if the control says to end. Called once for each cell.
bool grz_structure_build_ended(grz_structure_build *build);

// True if a cell of `count` triangles may be cut into parts that have `total` entries together. `copies` is how many
// more entries the cell's part of the structure may get; it becomes what is left for the parts, to be shared out by
// their numbers of entries, so that no part of space uses up what others need.
bool grz_structure_build_may_cut(size_t count, size_t total, double *copies);

// What the whole structure may get.
double grz_structure_build_copies(const grz_structure_build *build);

// Move the end of the work list, from `first` on, to the end of `items`. False: there is no memory.
bool grz_structure_build_leaf(grz_structure_build *build, grz_near_list *items, size_t first);

#endif
