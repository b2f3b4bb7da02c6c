// SPDX-License-Identifier: MIT
// A leaf of a mesh as shaders read it: grz_leaf_in_buffer (leaf_buffers.h).

struct leaf_box {
    vec3 low;   // in the coordinates of the mesh's buffers
    uint first; // the first of its triangles in the list of all leaves' triangles
    vec3 high;
    uint count; // of triangles
};
