// SPDX-License-Identifier: MIT
// A mesh in OpenGL buffers. They are kept with the mesh, and uploaded again when its positions have changed.
#ifndef GRZ_GPU_MESH_BUFFERS_H
#define GRZ_GPU_MESH_BUFFERS_H

#include <assert.h>

#include "gl/gl.h"
#include "mesh/mesh.h"

// A box of any orientation: centre ± the three edges.
typedef struct grz_solid_box {
    double centre[3], edges[3][3];
} grz_solid_box;

// A triangle's normal. Its length is twice the triangle's area.
typedef struct grz_face_normal {
    double at[3];
} grz_face_normal;

enum {
    GRZ_FACE_SAMPLE = 256 // triangles, evenly spread over a mesh's numbers
};

typedef struct grz_mesh_buffers {
    grz_gl_bin *bin;     // receives the buffers at the end
    GLuint positions;    // three floats a vertex; 0 where positions and indices are the caller's (gl_mesh.h)
    GLuint indices;      // three 32-bit numbers a triangle
    GLuint normals;      // three floats a vertex; 0 until somebody asks for them
    GLuint corners;      // three numbers a triangle; 0 until somebody asks for them; may be `indices`
    GLuint vertex_array; // attribute 0: position; 1: normal, if there are normals; and the indices
    GLsizei corner_count;
    GLenum index_type;    // 0: there are no indices
    uint64_t index_start; // bytes
    float frame[4];       // buffer coordinates are (attribute 0 - frame[0..2]) · frame[3]
    double centre[3]; // in mesh coordinates, near the middle of the box: position = centre + scale · buffer coordinates
    double scale;     // a power of two, so that buffer coordinates are about 1 at most
    grz_solid_box box;                       // oriented, in mesh coordinates; computed when asked for
    uint64_t box_version;                    // of the mesh's positions that it is of
    uint64_t normals_version;                // of the mesh's positions that the normals are of
    uint64_t corners_version;                // and the corners
    grz_face_normal sample[GRZ_FACE_SAMPLE]; // of triangles' normals, in units of scale², once it has been asked for
    uint64_t sample_version;                 // of the mesh's positions that it is of
} grz_mesh_buffers;

static inline uint32_t grz_mesh_buffers_triangles(const grz_mesh_buffers *buffers)
{
    return (uint32_t)buffers->corner_count / 3;
}

// Draw some of the triangles. The shaders count them from 0 (gl_PrimitiveID). Bind the vertex array first.
void grz_mesh_buffers_draw(const grz_mesh_buffers *buffers, uint32_t first, uint32_t count);

// How many triangles to draw in one go. With a deadline or a cancel flag a large mesh is drawn in parts, and
// grz_gl_wait() follows each, so that the query ends in time; without, all at once.
uint32_t grz_mesh_buffers_draw_most(const grz_gl *gl, const grz_control *control);

// Draw all triangles, in as many parts. Returns the control's status.
grz_status grz_mesh_buffers_draw_all(const grz_gl *gl, grz_control *control, const grz_mesh_buffers *buffers);

// Get the mesh's buffers; upload what is not there. The thread must be inside the OpenGL of the mesh's device. They
// stay until the mesh's positions change or it is destroyed.
grz_status grz_mesh_buffers_get(const grz_mesh *mesh, grz_control *control, const grz_mesh_buffers **buffers,
                                grz_error *error);

// Get the buffers with normals at vertices.
grz_status grz_mesh_buffers_get_normals(grz_gl *gl, const grz_mesh *mesh, grz_control *control,
                                        const grz_mesh_buffers **buffers, grz_error *error);

// Get the buffers with the vertex of every corner, by its representative: equal numbers mean the same corner, as in
// self-collision, at the same position. The mesh must be in memory.
grz_status grz_mesh_buffers_get_corners(grz_gl *gl, const grz_mesh *mesh, grz_control *control,
                                        const grz_mesh_buffers **buffers, grz_error *error);

// The oriented box of the vertices that faces use.
const grz_solid_box *grz_mesh_buffers_box(const grz_mesh *mesh, const grz_mesh_buffers *buffers);

// Normals of a sample of the mesh's triangles, in mesh coordinates, divided by scale². `count` receives their number.
const grz_face_normal *grz_mesh_buffers_sample(const grz_mesh *mesh, const grz_mesh_buffers *buffers, uint32_t *count);

// The triangle that is number i of the sample, in a mesh of `triangle_count` triangles.
static inline uint32_t grz_face_sample_at(uint32_t triangle_count, uint32_t i)
{
    assert(i < triangle_count && i < GRZ_FACE_SAMPLE);
    return triangle_count > GRZ_FACE_SAMPLE ? (uint32_t)((uint64_t)triangle_count * i / GRZ_FACE_SAMPLE) : i;
}

// The normal of a triangle, divided by scale².
grz_face_normal grz_face_normal_of(const double corners[3][3], double scale);

#endif
