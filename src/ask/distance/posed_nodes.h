// SPDX-License-Identifier: MIT
// The triangles of the nodes that were compared last, in the world: a node is compared with several others in a row.
#ifndef GRZ_ASK_DISTANCE_POSED_NODES_H
#define GRZ_ASK_DISTANCE_POSED_NODES_H

#include "ask/distance/nearest_pairs.h"
#include "space/bvh/bvh.h"

enum {
    GRZ_POSED_NODES = 8 // of each tree, a power of two
};

typedef struct grz_posed_node {
    const grz_bvh_node *node;
    uint32_t known; // bit i: triangles[i] is there
    grz_posed_triangle triangles[GRZ_BVH_WIDTH];
} grz_posed_node;

typedef struct grz_posed_nodes {
    grz_posed_node places[GRZ_POSED_NODES];
} grz_posed_nodes;

static inline void grz_posed_nodes_init(grz_posed_nodes *nodes)
{
    for (int i = 0; i < GRZ_POSED_NODES; i++)
        nodes->places[i].node = NULL;
}

// Valid until it is asked for another node of this tree.
static inline grz_posed_node *grz_posed_node_of(grz_posed_nodes *nodes, const grz_bvh *bvh, const grz_bvh_node *node)
{
    grz_posed_node *place = &nodes->places[(size_t)(node - bvh->nodes) % GRZ_POSED_NODES];
    if (place->node != node)
        place->known = 0;
    place->node = node;
    return place;
}

// Child i of the node, which must be a triangle.
static inline grz_posed_triangle *grz_posed_node_triangle(grz_posed_node *place, int i)
{
    if ((place->known >> i & 1) == 0)
        grz_posed_triangle_init(&place->triangles[i], grz_bvh_triangle(place->node->child[i]));
    place->known |= 1u << i;
    return &place->triangles[i];
}

#endif
