// SPDX-License-Identifier: MIT
// The walk of a packet. Rays lie side by side; each child's planes are the same for all of them. The child that the
// first of its rays enters first is looked at first.
#include <math.h>

#include "base/lanes_bytes.h"
#include "query/pick/packet.h"

// The planes of a node's children, as floats.
typedef struct planes {
    float at[2][3][GRZ_BVH_WIDTH];
} planes;

static inline void unpack(const grz_packed_node *node, const float origin[3], planes *out)
{
    for (int k = 0; k < 3; k++) {
        const grz_f32x8 step = grz_f32x8_splat(grz_packed_step(node->exponents[k])), from = grz_f32x8_splat(origin[k]);
        for (int side = 0; side < 2; side++)
            grz_f32x8_store(out->at[side][k],
                            grz_f32x8_add(from, grz_f32x8_multiply(step, grz_f32x8_of_bytes(node->planes[side][k]))));
    }
}

// The rays that may meet a child, and where they enter its box.
static inline uint32_t meet(const grz_packet *packet, const planes *p, uint32_t i, float enters[GRZ_PACKET_RAYS])
{
    const grz_f32x8 zero = grz_f32x8_splat(0.0f);
    grz_f32x8 enter = grz_f32x8_load(packet->from), leave = grz_f32x8_subtract(zero, grz_f32x8_load(packet->limit));
    for (int k = 0; k < 3; k++) {
        const grz_f32x8 m = grz_f32x8_load(packet->m[k]),
                        near = grz_f32x8_multiply(m, grz_f32x8_splat(p->at[packet->back[k]][k][i])),
                        far = grz_f32x8_multiply(m, grz_f32x8_splat(p->at[!packet->back[k]][k][i]));
        enter = grz_f32x8_max(enter, grz_f32x8_add(near, grz_f32x8_load(packet->enter[k])));
        leave = grz_f32x8_max(leave, grz_f32x8_subtract(grz_f32x8_load(packet->leave[k]), far));
    }
    grz_f32x8_store(enters, enter);
    return grz_mask8_bits(grz_f32x8_less_equal(enter, grz_f32x8_subtract(zero, leave)));
}

static inline void open_node(grz_packet *packet, const grz_packed_node *node, const float origin[3], uint32_t active)
{
    float enters[GRZ_BVH_WIDTH][GRZ_PACKET_RAYS], key[GRZ_BVH_WIDTH];
    uint32_t rays[GRZ_BVH_WIDTH], order[GRZ_BVH_WIDTH], count = 0;
    planes p;
    unpack(node, origin, &p);
    for (uint32_t i = 0; node->used >> i != 0; i++) {
        rays[i] = meet(packet, &p, i, enters[i]) & active;
        if (rays[i] == 0)
            continue;
        key[i] = enters[i][__builtin_ctz(rays[i])];
        uint32_t at = count++;
        for (; at > 0 && key[order[at - 1]] < key[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = order[n];
        grz_packet_waiting *to = &packet->stack[packet->depth++];
        grz_f32x8_store(to->enter, grz_f32x8_load(enters[i]));
        to->child = i + (i < node->nodes ? node->first_node : node->first_child);
        to->rays = rays[i];
        for (int k = 0; k < 3; k++)
            to->origin[k] = p.at[0][k][i];
    }
}

bool GRZ_OF_WIDTH(grz_packet_next_of)(grz_packet *packet, uint32_t *leaf, uint32_t *rays)
{
    while (packet->depth > 0) {
        const grz_packet_waiting *top = &packet->stack[--packet->depth];
        const uint32_t child = top->child,
                       active = top->rays & grz_mask8_bits(grz_f32x8_less_equal(grz_f32x8_load(top->enter),
                                                                                grz_f32x8_load(packet->limit)));
        if (active == 0)
            continue;
        if (grz_bvh_is_triangle(child)) {
            *leaf = grz_bvh_triangle(child);
            *rays = active;
            return true;
        }
        const float origin[3] = {top->origin[0], top->origin[1], top->origin[2]};
        open_node(packet, &packet->tree->nodes[child], origin, active);
    }
    return false;
}
