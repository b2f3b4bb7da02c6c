// SPDX-License-Identifier: MIT
// What the files that build and refit a hierarchy share.
#ifndef GRZ_SPACE_BVH_BVH_PARTS_H
#define GRZ_SPACE_BVH_BVH_PARTS_H

#include <assert.h>

#include "base/lanes.h"
#include "base/simd.h"
#include "space/bvh/bvh.h"

enum {
    GRZ_BVH_CELL = 32 // the most triangles of a cell, unless more have the same Morton code
};

// What a build sorts and cuts: a triangle (`first` is its number, `count` is 1), or a cell (`first` is the index of its
// first item, `count` its number of triangles).
typedef struct grz_item {
    float min[3];
    uint32_t first;
    float max[3];
    uint32_t count;
} grz_item;

// A range of neighbouring items, with the AABB of their boxes and the AABB of their centres (doubled: min + max). The
// fourth lanes have no meaning.
typedef struct grz_range {
    grz_item *items;
    bool of_cells; // true: items are cells; false: triangles
    uint32_t item_count;
    uint32_t count; // triangles
    grz_f32x4 min, max, centre_min, centre_max;
} grz_range;

typedef struct grz_build {
    grz_bvh *bvh;
    grz_control *control;
    const grz_allocator *allocator;
    grz_item *items, *cells;
    uint32_t cell_count;
    bool fast;      // GRZ_MESH_FAST_BUILD: the triangles of a cell stay in Morton order
    uint32_t total; // triangles of the whole tree
    // Triangles that are in a node already, including those of other threads' subtrees. For the progress.
    uint32_t placed;
    uint64_t work, look; // triangles processed, and the value at which the control is checked next
} grz_build;

// A node that is still to be built, and the triangles below it.
typedef struct grz_build_entry {
    grz_range range;
    uint32_t node, depth;
} grz_build_entry;

enum {
    GRZ_BVH_SHARED = 1 << 14 // a tree with at least so many triangles is built on several threads
};

// One range of all cells; of a single cell, its triangles. The control may say to end: it is then incomplete.
grz_range grz_build_whole(grz_build *build);

// Build one node. Children that are nodes get numbers and are pushed on `stack`. False: there is no memory, or the
// control says to end.
bool grz_build_node(grz_build *build, const grz_build_entry *entry, grz_build_entry *stack, size_t *depth);

// Build a node, which must be the last one so far, and everything below it. False as above.
bool grz_build_below(grz_build *build, const grz_build_entry *root);

// Build the whole tree on the device's threads. The tree is the same, but its nodes are in another order. Its memory
// has no spare room. False as above.
bool grz_build_shared(grz_build *build, const grz_build_entry *root, grz_device *device);

// Fill in `items`, one for each triangle, in Morton order, and make the cells. The caller releases the cells.
grz_status grz_bvh_cells(const grz_bvh *bvh, const grz_mesh *mesh, grz_control *control, grz_item *items,
                         grz_item **cells, uint32_t *cell_count);

// Set the root's box, from its children's.
void grz_bvh_measure_root(grz_bvh *bvh);

// Choose the tree's coordinates (origin, scale, unit, max_abs) from the mesh's bounds. The axes stay as they are.
void grz_bvh_choose_coordinates(grz_bvh *bvh, const grz_mesh *mesh);

// Choose a new tree's axes and its coordinates. It is to hold `count` triangles: those listed, or the first ones if
// `triangles` is NULL.
void grz_bvh_choose_axes(grz_bvh *bvh, const grz_mesh *mesh, const uint32_t *triangles, uint32_t count);

// True if boxes would be much thinner along other axes than the tree's. Takes about as long as a refit of a hundred
// triangles.
bool grz_bvh_lies_askew(const grz_bvh *bvh, const grz_mesh *mesh);

// A box in tree coordinates; the fourth lanes have no meaning.
typedef struct grz_float_box {
    grz_f32x4 min, max;
} grz_float_box;

// A triangle's box, if the tree is not turned. `origin` and `scale` are the tree's, in each lane.
static inline grz_float_box grz_bvh_triangle_box(const grz_mesh *mesh, uint32_t triangle, grz_f64x4 origin,
                                                 grz_f64x4 scale)
{
    assert(triangle < mesh->triangle_count);
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    const grz_f64x4 a = grz_f64x4_load(grz_mesh_position(mesh, vertex[0])),
                    b = grz_f64x4_load(grz_mesh_position(mesh, vertex[1])),
                    c = grz_f64x4_load(grz_mesh_position(mesh, vertex[2]));
    const grz_f64x4 low = grz_f64x4_min(grz_f64x4_min(a, b), c), high = grz_f64x4_max(grz_f64x4_max(a, b), c);
    return (grz_float_box){grz_f64x4_to_f32x4(grz_f64x4_multiply(grz_f64x4_subtract(low, origin), scale)),
                           grz_f64x4_to_f32x4(grz_f64x4_multiply(grz_f64x4_subtract(high, origin), scale))};
}

// A position in the coordinates of a turned tree, before it is rounded to floats. It is off by at most 2^-50 · max_abs;
// docs/internals/bvh.md ("Axes") counts the roundings. The fourth number is 0.
void grz_bvh_turned_position(const grz_bvh *bvh, const double position[3], double turned[4]);

// A triangle's box in a turned tree. The fourth numbers are 0.
void grz_bvh_turned_bounds(const grz_bvh *bvh, const grz_mesh *mesh, uint32_t triangle, float min[4], float max[4]);

// What grz_bvh_child_box() gives for a turned tree.
grz_box grz_bvh_turned_child_box(const grz_bvh *bvh, uint32_t node, int i);

static inline grz_float_box grz_bvh_turned_box(const grz_bvh *bvh, const grz_mesh *mesh, uint32_t triangle)
{
    float min[4], max[4];
    grz_bvh_turned_bounds(bvh, mesh, triangle, min, max);
    return (grz_float_box){grz_f32x4_load(min), grz_f32x4_load(max)};
}

// Make room for `node_count` nodes in total, and some more. False if there is no memory.
bool grz_bvh_reserve(grz_bvh *bvh, const grz_allocator *allocator, uint64_t node_count);

// Resize the memory to exactly `node_count` nodes, which may be fewer than there is room for now. False if memory is
// out.
bool grz_bvh_resize(grz_bvh *bvh, const grz_allocator *allocator, uint64_t node_count);

// Compute all boxes again, in one pass from the last node to the first. False: the control says to end. The boxes are
// then a mixture of old and new, and the tree must be refitted again.
bool grz_bvh_refit(grz_bvh *bvh, const grz_mesh *mesh, grz_control *control);

// Refit nodes end - 1 down to `first`, in the tree's current coordinates; one version for each SIMD width.
typedef void grz_bvh_refitter(grz_bvh *bvh, const grz_mesh *mesh, uint32_t first, uint32_t end);

// The version for a SIMD width that this processor has.
grz_bvh_refitter *grz_bvh_refitter_for(grz_simd simd);

extern grz_bvh_refitter grz_bvh_refit_scalar;
extern grz_bvh_refitter grz_bvh_refit_base; // SSE2 or NEON: what every processor of this architecture has
#ifdef GRZ_SIMD_X86
extern grz_bvh_refitter grz_bvh_refit_avx2, grz_bvh_refit_avx512;
#endif

// Release a hierarchy and everything kept with it.
void grz_bvh_finish(grz_bvh *bvh, const grz_allocator *allocator);

// Build the hierarchy of a mesh's current positions. grz_bvh_finish() releases it.
grz_status grz_bvh_build(const grz_mesh *mesh, grz_control *control, grz_bvh **out, grz_error *error);

#endif
