// SPDX-License-Identifier: MIT
#include "query/pick/packet.h"

#include <assert.h>
#include <math.h>

void grz_packet_begin(grz_packet *packet, const grz_packed_tree *tree)
{
    packet->tree = tree;
    packet->depth = 1;
    packet->stack[0] = (grz_packet_waiting){.child = 0};
    for (int k = 0; k < 3; k++)
        packet->stack[0].origin[k] = tree->origin[k];
    for (int i = 0; i < GRZ_PACKET_RAYS; i++) { // rays that are not there
        packet->from[i] = HUGE_VALF;
        packet->limit[i] = -HUGE_VALF;
        for (int k = 0; k < 3; k++)
            packet->m[k][i] = packet->enter[k][i] = packet->leave[k][i] = 0.0f;
    }
}

bool grz_packet_add(grz_packet *packet, uint32_t ray, const grz_packed_walk *walk)
{
    grz_packet_waiting *root = &packet->stack[0];
    assert(ray < GRZ_PACKET_RAYS && packet->depth == 1 && (root->rays >> ray & 1) == 0);
    for (int k = 0; k < 3; k++) {
        if (root->rays != 0 && packet->back[k] != (walk->m[k] < 0.0f))
            return false;
    }
    for (int k = 0; k < 3; k++) {
        packet->back[k] = walk->m[k] < 0.0f;
        packet->m[k][ray] = walk->m[k];
        packet->enter[k][ray] = walk->enter[k];
        packet->leave[k][ray] = walk->leave[k];
    }
    packet->from[ray] = root->enter[ray] = walk->from;
    packet->limit[ray] = walk->limit;
    root->rays |= 1u << ray;
    return true;
}

grz_packet_next *grz_packet_next_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_packet_next_of);
}
