// SPDX-License-Identifier: MIT
// Leaf boxes: the faces of a mesh in groups of neighbours, the leaves, each with its bounding box. Which faces are in
// which leaf is decided once; the boxes follow the mesh's positions. Used by method `selection`.
#ifndef GRZ_MESH_LEAVES_LEAF_BOXES_H
#define GRZ_MESH_LEAVES_LEAF_BOXES_H

#include "base/simd.h"
#include "mesh/mesh.h"

// Where the parts of a leaf begin in the lists of all leaves. They end where those of the next leaf begin.
typedef struct grz_leaf {
    uint32_t first_face, first_triangle, first_vertex;
    uint32_t first_run; // from here on the numbers of the leaf's vertices are consecutive: a refit need not read them
} grz_leaf;

typedef struct grz_leaf_boxes {
    const grz_allocator *allocator;
    uint32_t max_faces;         // a leaf has at most so many
    uint32_t leaf_count;        // at least 1
    GRZ_ARRAY(grz_leaf) leaves; // leaf_count + 1: the last one is where the lists end
    uint32_t *faces;            // all faces of the mesh, each once
    uint32_t *triangles;        // all triangles of the mesh, each once, face by face
    uint32_t *vertices;         // of each leaf the vertices that its triangles use, ascending, each once
    uint64_t vertex_total;
    grz_box *boxes;                      // one a leaf, mesh coordinates
    grz_box whole;                       // the box of all of them
    uint64_t version;                    // of the mesh's positions that the boxes are of
    uint32_t face_count, triangle_count; // what is allocated
} grz_leaf_boxes;

// Put the faces of a mesh into leaves of at most `max_faces` by a top-down AABB tree: a group of more faces is cut in
// the middle of its box's longest side. A group that is small enough is cut once more if its halves' boxes are
// completely separate. The boxes are those of the mesh's positions now. The mesh must be in memory. Finish the leaves
// whatever is returned.
//
// max_faces  1 or more; grz_leaf_faces_for() chooses
// Returns GRZ_OK; GRZ_ERROR_ARGUMENT if max_faces is 0; GRZ_ERROR_MEMORY; what the control says.
grz_status grz_leaf_boxes_build(grz_leaf_boxes *leaves, const grz_mesh *mesh, uint32_t max_faces, grz_control *control,
                                grz_error *error);
void grz_leaf_boxes_finish(grz_leaf_boxes *leaves);

// Fit the boxes to the mesh's positions now, if these have changed. The time is that of reading each vertex once.
grz_status grz_leaf_boxes_refit(grz_leaf_boxes *leaves, const grz_mesh *mesh, grz_control *control);

// How many faces a leaf should have: those of a sixteenth of the triangles, but of 16 at least and 128 at most.
// Measured on a software renderer (docs/internals/selection.md, what it costs): for meshes of 1,252 to 51,883 triangles
// all numbers from 64 to 200 are about as good. But a small mesh must not be one leaf: its box meets too many others.
// That should hold for GPUs as well: more leaves are more work groups, each of which compares 64 triangles at once.
// Much smaller leaves would leave these idle, much larger ones make a few groups work long.
uint32_t grz_leaf_faces_for(uint32_t face_count, uint32_t triangle_count);

// The first triangle of a face; that of `face` + 1 is the end of its triangles.
static inline uint32_t grz_first_triangle(const grz_mesh *mesh, uint32_t face)
{
    assert(face <= mesh->face_count);
    return mesh->face_offsets != NULL ? (uint32_t)(mesh->face_offsets[face] - 2 * (uint64_t)face) : face;
}

// Refit the boxes of leaves `first` to `end` - 1.
typedef void grz_leaf_refit(const double *positions, const grz_leaf_boxes *leaves, uint32_t first, uint32_t end);

// The refit for a SIMD width that this processor supports.
grz_leaf_refit *grz_leaf_refit_for(grz_simd simd);

extern grz_leaf_refit grz_leaf_refit_scalar, grz_leaf_refit_base; // SSE2 or NEON
#ifdef GRZ_SIMD_X86
extern grz_leaf_refit grz_leaf_refit_avx2, grz_leaf_refit_avx512;
#endif

#endif
