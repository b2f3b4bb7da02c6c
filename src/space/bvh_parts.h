// SPDX-License-Identifier: MIT
// The parts of the hierarchy's building, for the files that share them.
#ifndef GRZ_SPACE_BVH_PARTS_H
#define GRZ_SPACE_BVH_PARTS_H

#include "base/lanes.h"
#include "base/simd.h"
#include "space/bvh.h"

enum {
    GRZ_BVH_CELL = 32 // triangles of a cell, where their places on the curve tell them apart
};

// What a build sorts and cuts: a triangle, with its number in `first` and a count of 1; or a cell, a run of `count` triangles.
typedef struct grz_item {
    float min[3];
    uint32_t first;
    float max[3];
    uint32_t count;
} grz_item;

// Items side by side in one of the build's arrays, with their box and that of twice their boxes' centres. Fourth lanes mean nothing.
typedef struct grz_range {
    grz_item *items;
    bool of_cells; // or of triangles
    uint32_t item_count;
    uint32_t count; // triangles
    grz_quad min, max, centre_min, centre_max;
} grz_range;

typedef struct grz_build {
    grz_bvh *bvh;
    grz_control *control;
    const grz_allocator *allocator;
    grz_item *items, *cells;
    uint32_t cell_count;
    bool fast;       // the triangles of a cell are not sorted further
    uint32_t total;  // triangles of the whole tree
    uint32_t placed; // triangles that have their place in a node; those that other builds of the tree had placed before are in it
    uint64_t work, look; // triangles looked at, and when to look at the control next
} grz_build;

typedef struct grz_build_entry {
    grz_range range;
    uint32_t node, depth;
} grz_build_entry;

enum {
    GRZ_BVH_SHARED = 1 << 14 // triangles of a tree that is worth several threads
};

// Fill in a node; children that are nodes are numbered and put on `stack`. False where memory is short, or the control says to end.
bool grz_build_node(grz_build *build, const grz_build_entry *entry, grz_build_entry *stack, size_t *depth);

// Build a node, the last one so far, and all below it. False as above.
bool grz_build_below(grz_build *build, const grz_build_entry *root);

// The same for the whole tree on the device's threads: the same tree, its nodes in another order. Its memory is no more than they take.
bool grz_build_shared(grz_build *build, const grz_build_entry *root, grz_device *device);

// Fill in `items`, one a triangle, in the order of a space-filling curve, and make the cells, which the caller releases.
grz_status grz_bvh_cells(const grz_bvh *bvh, const grz_mesh *mesh, grz_control *control, grz_item *items, grz_item **cells,
                         uint32_t *cell_count);

// Choose the tree's coordinates by the mesh's bounds.
void grz_bvh_place(grz_bvh *bvh, const grz_mesh *mesh);

// A box in the tree's coordinates; the fourth lanes mean nothing.
typedef struct grz_float_box {
    grz_quad min, max;
} grz_float_box;

// A triangle's box; origin and scale are the tree's, in each lane.
static inline grz_float_box grz_bvh_triangle_box(const grz_mesh *mesh, uint32_t triangle, grz_wide origin, grz_wide scale)
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    const grz_wide a = grz_wide_load(grz_mesh_position(mesh, vertex[0])), b = grz_wide_load(grz_mesh_position(mesh, vertex[1])),
                   c = grz_wide_load(grz_mesh_position(mesh, vertex[2]));
    const grz_wide low = grz_wide_min(grz_wide_min(a, b), c), high = grz_wide_max(grz_wide_max(a, b), c);
    return (grz_float_box){grz_wide_round(grz_wide_multiply(grz_wide_subtract(low, origin), scale)),
                           grz_wide_round(grz_wide_multiply(grz_wide_subtract(high, origin), scale))};
}

// Make room for so many nodes in all. False where memory is short.
bool grz_bvh_reserve(grz_bvh *bvh, const grz_allocator *allocator, uint64_t node_count);

// Make room for just so many nodes, those there are or more. False where memory is short.
bool grz_bvh_resize(grz_bvh *bvh, const grz_allocator *allocator, uint64_t node_count);

// Compute all boxes anew, in one sweep from the last node to the first. False: the control says to end; boxes are then a mixture, to
// be refitted again.
bool grz_bvh_refit(grz_bvh *bvh, const grz_mesh *mesh, grz_control *control);

// The sweep's part from node `end` down to node `first`, in the tree's present coordinates; for each width of registers.
typedef void grz_bvh_refitter(grz_bvh *bvh, const grz_mesh *mesh, uint32_t first, uint32_t end);

// The one for a width that this processor has.
grz_bvh_refitter *grz_bvh_refitter_for(grz_simd simd);

extern grz_bvh_refitter grz_bvh_refit_scalar;
extern grz_bvh_refitter grz_bvh_refit_base; // SSE2, NEON, or what else every processor of this kind has
#ifdef GRZ_SIMD_X86
extern grz_bvh_refitter grz_bvh_refit_avx2, grz_bvh_refit_avx512;
#endif

void grz_bvh_finish(grz_bvh *bvh, const grz_allocator *allocator);

grz_status grz_bvh_build(const grz_mesh *mesh, grz_control *control, grz_bvh **out, grz_error *error);

#endif
