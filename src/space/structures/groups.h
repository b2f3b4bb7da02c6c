// SPDX-License-Identifier: MIT
// A small tree of boxes over a mesh's triangles: groups of neighbours along a space-filling curve, groups of these, and
// so on. It is what the smaller mesh of a pair has when it is walked together with a structure over the larger one:
// made much faster than a structure is, and new positions only change its boxes.
#ifndef GRZ_SPACE_STRUCTURES_GROUPS_H
#define GRZ_SPACE_STRUCTURES_GROUPS_H

#include "mesh/mesh.h"

enum {
    GRZ_GROUP = 8,        // triangles of a group of level 0; the last one may have fewer
    GRZ_GROUP_PARTS = 4,  // groups of the level below, of which a group is made; likewise
    GRZ_GROUP_LEVELS = 17 // for 2^32 triangles
};

typedef struct grz_groups {
    uint32_t *triangles; // all, each once, along the curve
    grz_box *boxes;      // of the groups, level after level; in mesh coordinates
    size_t triangle_count, box_count;
    int levels;                         // the last one has one group
    size_t first[GRZ_GROUP_LEVELS + 1]; // where the boxes of a level begin; one more at the end
    double extents;                     // of level 0 when the order was made
} grz_groups;

// The groups of a mesh that is in memory; grz_mesh_slot_get() makes them, or brings them up to date.
extern const grz_slot_type grz_groups_slot_type;

static inline size_t grz_groups_of_level(const grz_groups *groups, int level)
{
    return groups->first[level + 1] - groups->first[level];
}

#endif
