// SPDX-License-Identifier: MIT
// Shared by the adapters: lists of pairs, moved positions.
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>

void peer_die(const char *what)
{
    fprintf(stderr, "peers: %s\n", what);
    exit(2);
}

void peer_pairs_add(peer_pairs *pairs, uint32_t a, uint32_t b)
{
    if (pairs->count == pairs->capacity) {
        const size_t capacity = pairs->capacity == 0 ? 1024 : 2 * pairs->capacity;
        peer_pair *items = realloc(pairs->items, capacity * sizeof *items);
        if (!items)
            peer_die("out of memory for pairs");
        pairs->items = items;
        pairs->capacity = capacity;
    }
    pairs->items[pairs->count++] = (peer_pair){a, b};
}

void peer_world_position(const peer_pose *pose, const double position[3], double world[3])
{
    for (int i = 0; i < 3; i++) {
        const double *m = pose->m[i];
        world[i] = m[0] * position[0] + m[1] * position[1] + m[2] * position[2] + m[3];
    }
}
