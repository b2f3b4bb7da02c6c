// SPDX-License-Identifier: MIT
// Eight rays that go nearly the same way, such as those through neighbouring pixels, walk through a packed tree
// together: a node is opened once for all of them.
#ifndef GRZ_QUERY_PICK_PACKET_H
#define GRZ_QUERY_PICK_PACKET_H

#include "query/pick/packed.h"

enum {
    GRZ_PACKET_RAYS = 8
};

// A node or a leaf that some of the rays may meet.
typedef struct grz_packet_waiting {
    float enter[GRZ_PACKET_RAYS]; // where
    float origin[3];
    uint32_t child; // as in grz_pick_waiting
    uint32_t rays;  // bits
} grz_packet_waiting;

typedef struct grz_packet {
    const grz_packed_tree *tree;
    float m[3][GRZ_PACKET_RAYS], enter[3][GRZ_PACKET_RAYS], leave[3][GRZ_PACKET_RAYS]; // as in grz_packed_walk
    float from[GRZ_PACKET_RAYS], limit[GRZ_PACKET_RAYS];
    bool back[3]; // they go against axis k: all of them
    size_t depth;
    grz_packet_waiting stack[GRZ_BVH_STACK];
} grz_packet;

// Begin with no ray; then add walks that have begun, each with another number. False: it goes another way than those
// before, and is not added.
void grz_packet_begin(grz_packet *packet, const grz_packed_tree *tree);
bool grz_packet_add(grz_packet *packet, uint32_t ray, const grz_packed_walk *walk);

// Go on to the next leaf, and the rays that may meet it before their limits. False: there is none.
typedef bool grz_packet_next(grz_packet *packet, uint32_t *leaf, uint32_t *rays);

grz_packet_next *grz_packet_next_for(grz_simd simd);

grz_packet_next grz_packet_next_of_scalar, grz_packet_next_of_base;
#ifdef GRZ_SIMD_X86
grz_packet_next grz_packet_next_of_avx2, grz_packet_next_of_avx512;
#endif

#endif
