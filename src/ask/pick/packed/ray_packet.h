// SPDX-License-Identifier: MIT
// Eight rays that go nearly the same way, such as those through neighbouring pixels, walk through a packed tree
// together: a node is opened once for all of them.
#ifndef GRZ_ASK_PICK_PACKED_RAY_PACKET_H
#define GRZ_ASK_PICK_PACKED_RAY_PACKET_H

#include "ask/pick/packed/packed.h"

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
    // Bounds of the above: for all rays that there are.
    float least_m[3], most_m[3], least_enter[3], least_leave[3], least_from;
    size_t depth;
    grz_packet_waiting stack[GRZ_BVH_STACK];
} grz_packet;

// The lines of a packet's rays, and what becomes known of their maps (ray_map.h).
typedef struct grz_packet_rays {
    double origin[3][GRZ_PACKET_RAYS], direction[3][GRZ_PACKET_RAYS];
    double start[GRZ_PACKET_RAYS], speed[GRZ_PACKET_RAYS];
} grz_packet_rays;

static inline void grz_packet_rays_set(grz_packet_rays *rays, uint32_t ray, const grz_line *line)
{
    for (int k = 0; k < 3; k++) {
        rays->origin[k][ray] = line->origin[k];
        rays->direction[k][ray] = line->direction[k];
    }
}

// After begin(), for each of the rays that it returned: where the ray begins and ends in the map.
static inline void grz_packet_add(grz_packet *packet, uint32_t ray, float from, float limit)
{
    packet->from[ray] = packet->stack[0].enter[ray] = from;
    packet->limit[ray] = limit;
    packet->least_from = from < packet->least_from ? from : packet->least_from;
    packet->stack[0].rays |= 1u << ray;
}

typedef struct grz_packet_steps {
    // Begin with eight rays. Returns those that can go together, as bits: the frame is straight, numbers stay in the
    // range of floats, and they go the same way as the first of them on each axis.
    uint32_t (*begin)(grz_packet *packet, const grz_packed_tree *tree, const grz_packed_frame *frame,
                      grz_packet_rays *rays);
    // Go on to the next leaf, and the rays that may meet it before their limits. False: there is none.
    bool (*next)(grz_packet *packet, uint32_t *leaf, uint32_t *rays);
} grz_packet_steps;

const grz_packet_steps *grz_packet_steps_for(grz_simd simd);

extern const grz_packet_steps grz_packet_steps_of_scalar, grz_packet_steps_of_base;
#ifdef GRZ_SIMD_X86
extern const grz_packet_steps grz_packet_steps_of_avx2, grz_packet_steps_of_avx512;
#endif

#endif
