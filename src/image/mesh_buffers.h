// SPDX-License-Identifier: MIT
// A mesh in buffers of OpenGL, for whatever draws it: kept with the mesh, brought up to date when its positions have changed.
#ifndef GRZ_IMAGE_MESH_BUFFERS_H
#define GRZ_IMAGE_MESH_BUFFERS_H

#include "gl/gl.h"
#include "mesh/mesh.h"

// A box of any orientation: centre ± the three edges.
typedef struct grz_solid_box {
    double centre[3], edges[3][3];
} grz_solid_box;

typedef struct grz_mesh_buffers {
    GLuint positions;         // three floats a vertex: position = centre + scale · these, rounded
    GLuint indices;           // three 32-bit numbers a triangle
    GLuint normals;           // three floats a vertex, once they have been asked for
    GLuint vertex_array;      // attribute 0 is the position, 1 the normal where there is one; with the indices
    double centre[3];         // mesh coordinates: the middle of its box
    double scale;             // a power of two for which floats of used vertices are about 1 at most
    grz_solid_box box;        // oriented, mesh coordinates, once it has been asked for
    uint64_t box_version;     // of the mesh's positions that it is of
    uint64_t normals_version; // of the mesh's positions that the normals are of
} grz_mesh_buffers;

// The mesh's buffers, for a thread that is inside the OpenGL of the mesh's device. They stay until the mesh's positions change or it
// is destroyed.
grz_status grz_mesh_buffers_get(const grz_mesh *mesh, grz_control *control, const grz_mesh_buffers **buffers, grz_error *error);

// The same, and the normals at vertices.
grz_status grz_mesh_buffers_get_normals(grz_gl *gl, const grz_mesh *mesh, grz_control *control, const grz_mesh_buffers **buffers,
                                        grz_error *error);

// The mesh's oriented box, of the vertices that faces use.
const grz_solid_box *grz_mesh_buffers_box(const grz_mesh *mesh, const grz_mesh_buffers *buffers);

#endif
