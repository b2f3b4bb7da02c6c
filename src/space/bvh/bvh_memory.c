// SPDX-License-Identifier: MIT
// The memory of a hierarchy: nodes aligned to cache lines, with room for more while it is built; its root's box; its
// end.
#include <assert.h>
#include <string.h>

#include "space/bvh/fans.h"
#include "space/bvh/bvh_parts.h"
#include "space/bvh/slabs.h"

enum {
    ALIGNMENT = 64
};

// Let `nodes` point to the first aligned address in the block.
static void align_nodes(grz_bvh *bvh)
{
    const size_t past = (uintptr_t)bvh->block % ALIGNMENT;
    bvh->nodes = (void *)((char *)bvh->block + (past > 0 ? ALIGNMENT - past : 0));
}

static bool resize(grz_bvh *bvh, const grz_allocator *allocator, size_t size)
{
    const size_t offset = bvh->block != NULL ? (size_t)((char *)bvh->nodes - (char *)bvh->block) : 0;
    void *block = allocator->reallocate(bvh->block, bvh->block_size, size, allocator->user);
    if (block == NULL)
        return false;
    const size_t kept = (size_t)bvh->node_count * sizeof *bvh->nodes;
    bvh->block = block;
    bvh->block_size = size;
    align_nodes(bvh);
    assert((uintptr_t)bvh->nodes % ALIGNMENT == 0 && kept + ALIGNMENT <= size);
    memmove(bvh->nodes, (char *)block + offset, kept); // the block may have moved, and with it the aligned address
    return true;
}

bool grz_bvh_reserve(grz_bvh *bvh, const grz_allocator *allocator, uint64_t node_count)
{
    const uint64_t needed = node_count * sizeof *bvh->nodes + ALIGNMENT;
    if (needed <= bvh->block_size)
        return true;
    const uint64_t wanted = needed + bvh->block_size / 4;
    return wanted <= SIZE_MAX && resize(bvh, allocator, (size_t)wanted);
}

bool grz_bvh_resize(grz_bvh *bvh, const grz_allocator *allocator, uint64_t node_count)
{
    const uint64_t size = node_count * sizeof *bvh->nodes + ALIGNMENT;
    return size <= SIZE_MAX && resize(bvh, allocator, (size_t)size);
}

void grz_bvh_finish(grz_bvh *bvh, const grz_allocator *allocator)
{
    grz_bvh_forget_slabs(bvh, allocator);
    grz_bvh_forget_fans(bvh, allocator);
    grz_release(allocator, bvh->block, bvh->block_size, 1);
    grz_release(allocator, bvh, 1, sizeof *bvh);
}

void grz_bvh_measure_root(grz_bvh *bvh)
{
    assert(bvh->node_count > 0);
    for (int axis = 0; axis < 3; axis++) {
        const float *least = bvh->nodes[0].bounds[0][axis], *most = bvh->nodes[0].bounds[1][axis];
        float low = least[0], high = most[0];
        for (int i = 1; i < GRZ_BVH_WIDTH; i++) {
            low = least[i] < low ? least[i] : low;
            high = most[i] > high ? most[i] : high;
        }
        bvh->whole[0][axis][0] = low;
        bvh->whole[1][axis][0] = high;
    }
}
