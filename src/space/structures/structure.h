// SPDX-License-Identifier: MIT
// The spatial structures of the lecture over the triangles of one mesh, behind one small interface: build, bring up to
// date, and find what is near. All of them answer conservatively: they may find too many triangles, never too few.
// What they find is the same whatever the order in which they were built.
#ifndef GRZ_SPACE_STRUCTURES_STRUCTURE_H
#define GRZ_SPACE_STRUCTURES_STRUCTURE_H

#include "mesh/mesh.h"

// What is looked for: all that comes near a triangle (or a piece of a line, or a point: corners may be equal), in the
// coordinates of the mesh. A probe stands for all points that differ from a point of the hull of its corners by at most
// `slack` in each coordinate.
typedef struct grz_probe {
    double corners[3][3];
    double slack[3]; // 0 or above; infinite: everything is near
    grz_box box;     // contains all these points
} grz_probe;

// Numbers of triangles.
typedef GRZ_ARRAY(uint32_t) grz_near_list;

// A part of a structure, on the way down from the whole: some of its triangles.
typedef struct grz_structure_part {
    grz_box box;                // where these triangles, or what counts of them here, are: in mesh coordinates
    bool leaf;                  // there are no smaller parts
    bool own;                   // of a BSP tree: only what lies in the plane of a node
    uint32_t node;              // of a tree
    uint32_t first[3], last[3]; // of a grid: blocks of cells
} grz_structure_part;

enum {
    GRZ_STRUCTURE_PARTS = 8 // that a part is divided into, at most
};

// A box that lies askew, in the coordinates of the mesh: all points that differ from a point middle + the sum of
// t[k] · edge[k], |t[k]| <= 1, by at most `slack` in each coordinate.
typedef struct grz_oblique_box {
    double middle[3], edge[3][3], slack[3];
} grz_oblique_box;

typedef struct grz_structure_type grz_structure_type;

struct grz_structure_type {
    // How it is kept with its mesh: prepare() builds it, or brings it up to date with new positions.
    grz_slot_type slot;
    // Add to the list every triangle that has a point in common with the probe; others may be added, and a triangle may
    // be added more than once. False: there is no memory.
    bool (*gather)(const grz_mesh *mesh, const void *structure, const grz_probe *probe, const grz_allocator *allocator,
                   grz_near_list *near);
    // Divide a part; `whole` NULL: begin with all. Returns the number of parts, without those that have no triangles.
    // Each point of a triangle of the whole is in the box of a part that has the triangle.
    size_t (*divide)(const grz_mesh *mesh, const void *structure, const grz_structure_part *whole,
                     grz_structure_part parts[GRZ_STRUCTURE_PARTS]);
    // True if a part has no point in common with a box. Asked after the part's own box has been compared. NULL: the
    // structure knows no more than that.
    bool (*is_apart)(const void *structure, const grz_structure_part *part, const grz_oblique_box *box);
};

extern const grz_structure_type grz_structure_grid, grz_structure_octree, grz_structure_kdtree, grz_structure_bsp,
    grz_structure_obbtree, grz_structure_kdop;

// All of them, in this order.
enum {
    GRZ_STRUCTURES = 6
};
extern const grz_structure_type *const grz_structures[GRZ_STRUCTURES];

// Set the box of a probe from its corners and its slack.
void grz_probe_set_box(grz_probe *probe);

// Add numbers to the list. False: there is no memory.
bool grz_near_list_append(grz_near_list *near, const uint32_t *numbers, size_t count, const grz_allocator *allocator);

// Sort the list and leave each triangle once.
void grz_near_list_unique(grz_near_list *near);

#endif
