// SPDX-License-Identifier: MIT
// Trees of bounding volumes: binary, balanced, each triangle in one leaf. What kind of volume they have is the
// caller's: oriented boxes (obbtree.c) and k-DOPs (kdop.c). New positions refit the volumes, until they have grown too
// much.
#ifndef GRZ_SPACE_STRUCTURES_VOLUME_TREE_H
#define GRZ_SPACE_STRUCTURES_VOLUME_TREE_H

#include "space/structures/structure_local.h"
#include "space/structures/structure.h"

enum {
    GRZ_VOLUME_LEVELS = 33 // nodes from the root to a leaf, at most
};

typedef struct grz_volume_node {
    uint32_t left;         // the first child, the second one comes after it; 0: a leaf
    uint32_t first, count; // the triangles below: a range of the tree's items
} grz_volume_node;

typedef struct grz_volume_tree {
    grz_local local;
    grz_volume_node *nodes; // the root comes first, each node before its children
    float *volumes;         // of each node
    uint32_t *items;
    uint32_t node_count, node_room, item_count;
    size_t floats;  // of a volume
    double extents; // of the leaves together when the tree was built
} grz_volume_tree;

// A probe in local coordinates. It stands for all points within `slack` of the hull of its corners, rounding included.
typedef struct grz_local_probe {
    double y[3][3], slack[3];
} grz_local_probe;

// A kind of volume.
typedef struct grz_volume_type {
    const char *what; // in error texts
    size_t floats;
    // Fit a volume around triangles (numbers), in local coordinates.
    void (*fit)(const grz_mesh *mesh, const grz_local *local, const uint32_t *triangles, size_t count, float *volume);
    // Fit a volume around two. NULL: inner nodes are fitted around their triangles.
    void (*merge)(const float *one, const float *other, float *volume);
    // The direction across which triangles are divided.
    void (*direction)(const float *volume, double direction[3]);
    double (*extent)(const float *volume);
} grz_volume_type;

grz_status grz_volume_tree_prepare(const grz_volume_type *type, const grz_mesh *mesh, grz_control *control,
                                   void **state, grz_error *error);
void grz_volume_tree_release(const grz_mesh *mesh, void *state);

// The probe in local coordinates. False: its numbers are out of range, so it may be anywhere.
bool grz_local_probe_set(const grz_local *local, const grz_probe *probe, grz_local_probe *out);

// grz_structure_type::divide; `box_of` is the box of a volume in local coordinates.
size_t grz_volume_tree_divide(const grz_volume_tree *tree, void (*box_of)(const float *volume, double box[2][3]),
                              const grz_structure_part *whole, grz_structure_part parts[GRZ_STRUCTURE_PARTS]);

// Add the triangles of every leaf that is not apart from the probe, nor any node above it. `apart` may be NULL: all.
bool grz_volume_tree_gather(const grz_volume_tree *tree, bool (*apart)(const float *volume, const void *probe),
                            const void *probe, const grz_allocator *allocator, grz_near_list *near);

#endif
