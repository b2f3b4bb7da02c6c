// SPDX-License-Identifier: MIT
// The leaf boxes of a mesh (mesh/leaves/leaf_boxes.h) in OpenGL buffers. They are kept with the mesh. When its
// positions have changed, the boxes are fitted again: on the CPU and uploaded, or by a shader if the positions are in
// the caller's buffers.
#ifndef GRZ_GPU_LEAF_BUFFERS_H
#define GRZ_GPU_LEAF_BUFFERS_H

#include "gpu/mesh_buffers.h"
#include "mesh/leaves/leaf_boxes.h"

// A leaf as shaders read it. The box is in the coordinates of the mesh's buffers (mesh_buffers.h).
typedef struct grz_leaf_in_buffer {
    float low[3];
    uint32_t first; // the first of its triangles in `order`
    float high[3];
    uint32_t count; // of triangles
} grz_leaf_in_buffer;

typedef struct grz_leaf_buffers {
    grz_gl_bin *bin;       // receives the buffers at the end
    grz_leaf_boxes leaves; // of a mesh in the caller's buffers: without boxes
    GLuint boxes;          // a grz_leaf_in_buffer a leaf
    GLuint order;          // all triangles, leaf by leaf
    GLuint primitives;     // four numbers a triangle, in the same order; 0 until somebody asks for them
    uint32_t leaf_count;
    uint32_t most_triangles; // of a leaf
    uint64_t version;        // of the mesh's positions that the boxes are of; 0: there is nothing yet
} grz_leaf_buffers;

// Get the leaves of a mesh, of at most `max_faces` faces each (0: grz_leaf_faces_for() chooses); make or fit what is
// not up to date. The thread must be inside the OpenGL of the mesh's device. They stay as they are until the mesh's
// positions change, leaves of another size are asked for, or the mesh is destroyed.
//
// The leaves of a mesh in the caller's buffers are not made here, because that needs a copy of the mesh in memory:
// grz_leaf_buffers_divide() must come first. GRZ_ERROR_BUSY if it did not, or was for another size.
grz_status grz_leaf_buffers_get(grz_gl *gl, const grz_mesh *mesh, uint32_t max_faces, grz_control *control,
                                const grz_leaf_buffers **buffers, grz_error *error);

// Get the leaves with their primitives: triangles and quads as such. A quad stands where its first triangle is in
// `order`, and its second triangle has none; larger polygons are triangles. The mesh must be in memory.
grz_status grz_leaf_buffers_get_primitives(grz_gl *gl, const grz_mesh *mesh, uint32_t max_faces, grz_control *control,
                                           const grz_leaf_buffers **buffers, grz_error *error);

// Make the leaves of a mesh in the caller's buffers, if it has none of this size. All of the mesh is read back for
// that, and nothing of it is kept. The thread must not be inside OpenGL.
grz_status grz_leaf_buffers_divide(const grz_mesh *mesh, uint32_t max_faces, grz_control *control, grz_error *error);

#endif
