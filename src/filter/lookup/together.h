// SPDX-License-Identifier: MIT
// Two meshes walked together: the groups of the smaller one (space/structures/groups.h) against the parts of a
// structure over the larger one. What is left are the groups of triangles that may be near.
#ifndef GRZ_FILTER_LOOKUP_TOGETHER_H
#define GRZ_FILTER_LOOKUP_TOGETHER_H

#include "filter/lookup/seen_from.h"
#include "space/structures/groups.h"
#include "space/structures/structure.h"

// Two posed meshes. Nothing changes during a walk; several threads may read it.
typedef struct grz_together {
    const grz_structure_type *type;
    const grz_mesh *mesh; // the larger one, which has the structure
    const void *structure;
    const grz_groups *groups;  // of the smaller one
    grz_seen_mesh there, back; // the smaller one seen from the larger one, and the reverse
    bool nearest_first;        // go first where the two are likely to touch, because the first contact may be enough
} grz_together;

// A group that has yet to be looked at, and the parts that are near the group that it belongs to.
typedef struct grz_together_group {
    int level;
    size_t number;   // of the group, in its level
    size_t from, to; // a range of the list of parts
} grz_together_group;

typedef GRZ_ARRAY(grz_structure_part) grz_part_list;
typedef GRZ_ARRAY(grz_together_group) grz_together_list;

// False: it is not known how the two lie to each other; no group can be left out. What is found has world positions
// within `reach` of each other in each coordinate.
bool grz_together_set(const grz_structure_type *type, const grz_object *owner, const void *structure,
                      const grz_object *other, const grz_groups *groups, double reach, bool nearest_first,
                      grz_together *together);

// Add the group of all triangles, with the part of all, to empty lists. False: there is no memory.
bool grz_together_begin(const grz_together *together, const grz_allocator *allocator, grz_part_list *parts,
                        grz_together_list *waiting);

// Add to the end of the list those parts of the group's range that are near the group itself; parts larger than the
// group are divided. Adds to *steps the number of comparisons. False: there is no memory.
bool grz_together_narrow(const grz_together *together, const grz_together_group *group, const grz_allocator *allocator,
                         grz_part_list *parts, uint64_t *steps);

// Add the groups that a group is made of, each with the parts from `from` to the end of the list. False: there is no
// memory.
bool grz_together_open(const grz_together *together, const grz_together_group *group, size_t from,
                       const grz_allocator *allocator, const grz_part_list *parts, grz_together_list *waiting);

#endif
