// SPDX-License-Identifier: MIT
// Directions from A to B, along which a walk with a clearance sees that nodes and triangles are far enough apart.
// The first is that from middle to middle, the others are the directions between triangles that were compared.
#ifndef GRZ_FILTER_BVH_DIRECTIONS_H
#define GRZ_FILTER_BVH_DIRECTIONS_H

#include "filter/bvh/bvh_walk.h"

enum {
    GRZ_DIRECTIONS =
        2, // kept at a time; found by experiment: more find little that two do not, and each costs its ends
    GRZ_DIRECTION_PLACES = 128 // nodes of a tree whose ends along a way are kept, a power of two
};

// How far the children of a node extend along a way, towards the other object: upper bounds, -inf where there is no
// child.
typedef struct grz_way_ends {
    float ends[GRZ_BVH_WIDTH], most; // most: of all children
    uint32_t refined;                // bit i: ends[i] is as the children of child i say
} grz_way_ends;

// One object's side of a way: maps to a coordinate that grows towards the other object, in the unit of B's tree.
typedef struct grz_direction_side {
    float tree[4];                        // a point y of the tree is at tree · y + tree[3]
    double mesh[4];                       // and a point x of the mesh at mesh · x + mesh[3]
    uint32_t nodes[GRZ_DIRECTION_PLACES]; // whose ends these are; the place of a node is node % GRZ_DIRECTION_PLACES
    grz_way_ends places[GRZ_DIRECTION_PLACES];
} grz_direction_side;

typedef struct grz_direction {
    grz_direction_side sides[2]; // A's and B's
} grz_direction;

typedef struct grz_directions {
    grz_direction all[GRZ_DIRECTIONS];
    uint8_t order[GRZ_DIRECTIONS]; // what was of use last comes first
    uint8_t count;
    bool found; // two triangles were compared that are certainly nearer than the clearance
} grz_directions;

// Two sides of an opened pair. A closed side counts as one child, number 0: child `at` of the node.
typedef struct grz_directions_pair {
    uint32_t nodes[2];
    bool closed[2];
    uint32_t at[2]; // 0 for a side that is open
} grz_directions_pair;

// Begin with the way from the middle of A's box to that of B's, if it separates them; else with none.
typedef void grz_directions_begin(grz_directions *directions, const grz_bvh_walk *walk);

// For these rows (children of A), remove from columns[row] the children of B that some way separates from the row.
// Returns the rows that have any left.
typedef uint32_t grz_directions_part(grz_directions *directions, const grz_bvh_walk *walk,
                                     const grz_directions_pair *pair, uint32_t rows, uint32_t columns[GRZ_BVH_WIDTH]);

typedef struct grz_directions_functions {
    grz_directions_begin *begin;
    grz_directions_part *part; // by what is known of the children
    grz_directions_part
        *part_further; // by their own children, and by the gaps of triangles, whose directions are taken
} grz_directions_functions;

extern const grz_directions_functions grz_directions_scalar, grz_directions_base;
#ifdef GRZ_SIMD_X86
extern const grz_directions_functions grz_directions_avx2, grz_directions_avx512;
#endif

#endif
