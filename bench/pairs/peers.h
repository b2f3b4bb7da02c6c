// SPDX-License-Identifier: MIT
// What bench_pairs asks of a broad phase.
#ifndef BENCH_PAIRS_PEERS_H
#define BENCH_PAIRS_PEERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct body_box {
    double min[3], max[3]; // every number is a float
} body_box;

// Pairs as smaller id << 32 | larger id, in any order; they may hold more than overlap.
typedef struct pair_list {
    uint64_t *items;
    size_t count, capacity;
} pair_list;

void pair_list_add(pair_list *list, uint64_t pair);

typedef struct peer {
    const char *name;
    uint32_t most;          // with more bodies it takes too long
    uint32_t most_teleport; // likewise where bodies jump
    void *(*create)(const body_box *boxes, uint32_t count);
    // Bring the pairs up to date after the boxes of some bodies have changed. This is what is measured.
    void (*update)(void *state, const body_box *boxes, const uint32_t *moved, size_t moved_count);
    void (*list)(void *state, pair_list *list);
    void (*destroy)(void *state);
} peer;

extern const peer peer_sweep, peer_tree, peer_grid, peer_auto;
#ifdef WITH_BULLET
extern const peer peer_bullet, peer_bullet_deferred, peer_bullet_sweep;
#endif
#ifdef WITH_FCL
extern const peer peer_fcl_tree, peer_fcl_anew, peer_fcl_array, peer_fcl_sap;
#endif
#ifdef WITH_EMBREE
extern const peer peer_embree, peer_embree_refit;
#endif

#ifdef __cplusplus
}
#endif

#endif
