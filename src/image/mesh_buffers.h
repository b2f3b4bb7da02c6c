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

// A triangle's normal, as long as the parallelogram over two of its sides is large.
typedef struct grz_face_normal {
    double at[3];
} grz_face_normal;

enum {
    GRZ_FACE_SAMPLE = 256 // triangles, evenly among a mesh's
};

typedef struct grz_mesh_buffers {
    grz_gl_bin *bin;     // for them, in the end
    GLuint positions;    // three floats a vertex; 0 where positions and indices are the caller's (gl_mesh.h)
    GLuint indices;      // three 32-bit numbers a triangle
    GLuint normals;      // three floats a vertex, once they have been asked for
    GLuint corners;      // three numbers a triangle, once they have been asked for; may be `indices`
    GLuint vertex_array; // attribute 0 is the position, 1 the normal where there is one; with the indices
    GLsizei corner_count;
    GLenum index_type;    // 0: there are no indices
    uint64_t index_start; // bytes
    float frame[4];       // what shaders see of a vertex is (attribute 0 - the first three) · the last
    double centre[3];     // position = centre + scale · what shaders see, rounded; mesh coordinates, about the middle of its box
    double scale;         // a power of two for which used vertices become about 1 at most
    grz_solid_box box;    // oriented, mesh coordinates, once it has been asked for
    uint64_t box_version; // of the mesh's positions that it is of
    uint64_t normals_version;                // of the mesh's positions that the normals are of
    uint64_t corners_version;                // and the corners
    grz_face_normal sample[GRZ_FACE_SAMPLE]; // of triangles' normals, in units of scale², once it has been asked for
    uint64_t sample_version;                 // of the mesh's positions that it is of
} grz_mesh_buffers;

// Draw its triangles; the vertex array is bound.
static inline void grz_mesh_buffers_draw(const grz_mesh_buffers *buffers)
{
    if (buffers->index_type == 0)
        glDrawArrays(GL_TRIANGLES, 0, buffers->corner_count);
    else
        glDrawElements(GL_TRIANGLES, buffers->corner_count, buffers->index_type,
                       (const void *)(uintptr_t)buffers->index_start); // NOLINT(performance-no-int-to-ptr): OpenGL wants it so
}

// The mesh's buffers, for a thread that is inside the OpenGL of the mesh's device. They stay until the mesh's positions change or it
// is destroyed.
grz_status grz_mesh_buffers_get(const grz_mesh *mesh, grz_control *control, const grz_mesh_buffers **buffers, grz_error *error);

// The same, and the normals at vertices.
grz_status grz_mesh_buffers_get_normals(grz_gl *gl, const grz_mesh *mesh, grz_control *control, const grz_mesh_buffers **buffers,
                                        grz_error *error);

// The same, and corners by name: those with the same number are the same corner, as self-collision has it, and lie at the same place. The mesh
// is in memory.
grz_status grz_mesh_buffers_get_corners(grz_gl *gl, const grz_mesh *mesh, grz_control *control, const grz_mesh_buffers **buffers,
                                        grz_error *error);

// The mesh's oriented box, of the vertices that faces use.
const grz_solid_box *grz_mesh_buffers_box(const grz_mesh *mesh, const grz_mesh_buffers *buffers);

// Normals of a sample of the mesh's triangles, mesh coordinates over scale². `count` receives their number.
const grz_face_normal *grz_mesh_buffers_sample(const grz_mesh *mesh, const grz_mesh_buffers *buffers, uint32_t *count);

// The number of the sample's i-th triangle, of `triangle_count`.
static inline uint32_t grz_face_sample_at(uint32_t triangle_count, uint32_t i)
{
    return triangle_count > GRZ_FACE_SAMPLE ? (uint32_t)((uint64_t)triangle_count * i / GRZ_FACE_SAMPLE) : i;
}

// The normal of a triangle whose corners were divided by such a scale.
grz_face_normal grz_face_normal_of(const double corners[3][3], double scale);

#endif
