// SPDX-License-Identifier: MIT
// A mesh whose data lies in the caller's OpenGL buffers: its layout, and how shaders read it.
#ifndef GRZ_GPU_GL_MESH_H
#define GRZ_GPU_GL_MESH_H

#include <assert.h>

#include <graze/gl_mesh.h>

#include "gl/gl.h"
#include "gpu/mesh_buffers.h"
#include "mesh/source.h"

typedef struct grz_gl_mesh {
    grz_mesh_source source;         // first: a mesh's source is one of these
    grz_gl_mesh_description layout; // as given, with the stride
    bool sound;                     // its positions were valid when they last changed
    bool welded;                    // equal positions at creation made one corner: exact work uses the copy in memory
    grz_gl_buffer padded;           // a copy of 16-bit indices, if the caller's buffer ends in the middle of a word
    grz_gl_buffer own;              // the position buffer, if it belongs to the mesh (grz_gl_mesh_create_own())
    grz_gl_bin *bin;                // receives `padded` and `own` at the end; NULL if there are none
    float sample[GRZ_FACE_SAMPLE][3][3]; // corners of a sample of its triangles
} grz_gl_mesh;

static inline grz_gl_mesh *grz_gl_mesh_of(const grz_mesh *mesh)
{
    assert(mesh->source != NULL);
    return (grz_gl_mesh *)mesh->source;
}

// How many bytes of its buffers the mesh has: from the first one's to the last one's end.
static inline uint64_t grz_gl_position_bytes(const grz_gl_mesh_description *d)
{
    assert(d->vertex_count > 0 && d->position_stride >= 3 * sizeof(float));
    return (d->vertex_count - 1) * d->position_stride + 3 * sizeof(float);
}
static inline uint64_t grz_gl_index_bytes(const grz_gl_mesh_description *d)
{
    return 3 * d->triangle_count * d->index_size;
}

// Fail if the buffers are no longer there, or too small.
grz_status grz_gl_mesh_check_buffers(const grz_gl_mesh_description *d, grz_error *error);

// Fail if the buffers or the positions have become invalid. Call it before anything reads them.
grz_status grz_gl_mesh_check(const grz_mesh *mesh, grz_error *error);

// Bind the buffers for shaders that include gl_mesh_read.h, and set the uniforms of the program in use that describe
// their layout.
void grz_gl_mesh_bind(grz_gl *gl, const grz_mesh *mesh);

// Bind as well, then run the program for all vertices or triangles below `count`.
void grz_gl_mesh_dispatch(grz_gl *gl, const grz_mesh *mesh, uint64_t count);

// Set attribute 0 and the indices, if there are any, of a vertex array. The buffers may have changed since the last
// call.
void grz_gl_mesh_attach(const grz_mesh *mesh, GLuint vertex_array);

// Create a mesh with a position buffer of its own, for triangles that are written there later. It has none yet, and
// must not be used before grz_gl_mesh_replace(). NULL if out of memory.
grz_mesh *grz_gl_mesh_create_own(grz_device *device, uint32_t flags);

// Whoever writes to the buffer of such a mesh calls this before, under grz_gl_enter(): queries fail until
// grz_gl_mesh_replace() succeeds. GRZ_ERROR_MEMORY if out of memory.
grz_status grz_gl_mesh_begin_write(grz_gl *gl, grz_mesh *mesh, grz_error *error);

// The buffer now holds the triangles of this description, a soup; measure them. Everything derived from others is
// dropped. Fails as grz_mesh_create_gl().
grz_status grz_gl_mesh_replace(grz_gl *gl, grz_mesh *mesh, const grz_gl_mesh_description *d, grz_error *error);

// How many triangles of a soup with this stride the device lets a shader see.
uint64_t grz_gl_mesh_most_triangles(const grz_gl *gl, uint32_t stride);

// In gl_mesh_part.c. grz_mesh_source::read_part:
grz_status grz_gl_mesh_read_part(const grz_object *object, const grz_box *box, grz_control *control, grz_mesh **part,
                                 grz_error *error);

// grz_mesh_source::read_triangles:
grz_status grz_gl_mesh_read_triangles(const grz_mesh *mesh, const uint32_t *triangles, uint32_t count,
                                      grz_control *control, grz_mesh **part, grz_error *error);

#endif
