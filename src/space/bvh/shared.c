// SPDX-License-Identifier: MIT
// Builds a hierarchy on several threads. The caller's thread builds the top of the tree until there are enough
// subtrees. Each subtree is a task with nodes of its own. In the end all nodes are copied into one array.
#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/device.h"
#include "space/bvh/bvh_parts.h"

enum {
    SUBTREES_PER_THREAD = 16,
    MAX_SUBTREES = 1024,
    SMALL_SUBTREE = 1 << 10 // a subtree of so many triangles or fewer is not split further
};

typedef struct grz_subtree {
    grz_build_entry entry; // entry.node is the number of its root in the whole tree
    grz_bvh bvh;           // its nodes, the root first; the other members are unused
    uint32_t offset;       // number of its second node in the whole tree
    bool built;
} grz_subtree;

typedef struct grz_subtrees {
    const grz_build *whole;
    grz_subtree *items;
    size_t count;
    atomic_uint placed; // triangles
} grz_subtrees;

// Build nodes from the root down, largest range first, until `wanted` subtrees are left to build or only small ones.
// False as grz_build_node().
static bool build_top(grz_build *build, const grz_build_entry *root, grz_subtrees *subtrees, size_t wanted)
{
    subtrees->items[subtrees->count++].entry = *root;
    build->bvh->node_count = 1;
    while (subtrees->count > 0 && subtrees->count < wanted) {
        grz_build_entry opened[GRZ_BVH_WIDTH];
        size_t largest = 0, opened_count = 0;
        for (size_t i = 1; i < subtrees->count; i++)
            if (subtrees->items[i].entry.range.count > subtrees->items[largest].entry.range.count)
                largest = i;
        const grz_build_entry entry = subtrees->items[largest].entry;
        if (entry.range.count <= SMALL_SUBTREE)
            return true;
        if (!grz_build_node(build, &entry, opened, &opened_count))
            return false;
        subtrees->items[largest].entry = subtrees->items[--subtrees->count].entry;
        for (size_t i = 0; i < opened_count; i++)
            subtrees->items[subtrees->count++].entry = opened[i];
    }
    return true;
}

static void build_subtree(size_t index, void *context)
{
    grz_subtrees *subtrees = context;
    grz_subtree *subtree = &subtrees->items[index];
    const uint32_t count = subtree->entry.range.count;
    grz_build build = *subtrees->whole;
    build.bvh = &subtree->bvh;
    build.placed = atomic_load(&subtrees->placed);
    const grz_build_entry root = {subtree->entry.range, 0, subtree->entry.depth};
    if (grz_control_expired(build.control))
        return;
    subtree->built =
        grz_bvh_reserve(&subtree->bvh, build.allocator, count / 5 + GRZ_BVH_WIDTH) && grz_build_below(&build, &root);
    grz_control_report_progress(build.control,
                                (double)(atomic_fetch_add(&subtrees->placed, count) + count) / (double)build.total);
}

// Copy a subtree's nodes to their places in the whole tree.
static void place_subtree(size_t index, void *context)
{
    const grz_subtrees *subtrees = context;
    const grz_subtree *subtree = &subtrees->items[index];
    grz_bvh_node *nodes = subtrees->whole->bvh->nodes;
    for (uint32_t i = 0; i < subtree->bvh.node_count; i++) {
        grz_bvh_node *node = &nodes[i == 0 ? subtree->entry.node : subtree->offset + i - 1];
        assert(node - nodes < subtrees->whole->bvh->node_count);
        *node = subtree->bvh.nodes[i];
        for (int k = 0; k < GRZ_BVH_WIDTH; k++)
            if (!grz_bvh_is_triangle(node->child[k]))
                node->child[k] += subtree->offset - 1; // a child is never the root (node 0)
    }
}

// Compute where each subtree's nodes go, and make room for them. False if there is no memory.
static bool join(grz_build *build, grz_subtrees *subtrees)
{
    uint64_t node_count = build->bvh->node_count;
    for (size_t i = 0; i < subtrees->count; i++) {
        assert(subtrees->items[i].bvh.node_count > 0);
        subtrees->items[i].offset = (uint32_t)node_count;
        node_count += subtrees->items[i].bvh.node_count - 1;
    }
    if (!grz_bvh_resize(build->bvh, build->allocator, node_count))
        return false;
    build->bvh->node_count = (uint32_t)node_count;
    return true;
}

bool grz_build_shared(grz_build *build, const grz_build_entry *root, grz_device *device)
{
    const size_t threads = grz_device_threads(device), most = threads * SUBTREES_PER_THREAD;
    const size_t wanted = most < MAX_SUBTREES ? most : MAX_SUBTREES, room = wanted + GRZ_BVH_WIDTH;
    grz_subtrees subtrees = {.whole = build,
                             .items = grz_allocate_zeroed(build->allocator, room, sizeof *subtrees.items)};
    if (subtrees.items == NULL)
        return false;
    bool built = build_top(build, root, &subtrees, wanted);
    if (built) {
        atomic_init(&subtrees.placed, build->placed);
        grz_parallel(device, subtrees.count, build_subtree, &subtrees);
        for (size_t i = 0; i < subtrees.count; i++)
            built = built && subtrees.items[i].built;
    }
    built = built && join(build, &subtrees);
    if (built)
        grz_parallel(device, subtrees.count, place_subtree, &subtrees);
    for (size_t i = 0; i < subtrees.count; i++)
        grz_release(build->allocator, subtrees.items[i].bvh.block, subtrees.items[i].bvh.block_size, 1);
    grz_release(build->allocator, subtrees.items, room, sizeof *subtrees.items);
    return built;
}
