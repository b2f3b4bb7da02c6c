// SPDX-License-Identifier: MIT
// A mesh in the caller's buffers from inside: where its data lies, and how shaders read it.
#ifndef GRZ_IMAGE_GL_MESH_H
#define GRZ_IMAGE_GL_MESH_H

#include <graze/gl_mesh.h>

#include "gl/gl.h"
#include "image/mesh_buffers.h"
#include "mesh/source.h"

typedef struct grz_gl_mesh {
    grz_mesh_source source;         // first: a mesh's source is one of these
    grz_gl_mesh_description layout; // as given, with the stride
    bool sound;                     // its positions were found valid when they last changed
    bool welded;                    // vertices at equal positions at creation are one corner: what is exact works on the copy
    grz_gl_buffer padded; // of 16-bit indices whose last word the caller's buffer does not hold to its end: a copy on the GPU
    grz_gl_bin *bin;      // for it, in the end; NULL where there is none
    float sample[GRZ_FACE_SAMPLE][3][3]; // corners of a sample of its triangles
} grz_gl_mesh;

static inline grz_gl_mesh *grz_gl_mesh_of(const grz_mesh *mesh)
{
    return (grz_gl_mesh *)mesh->source;
}

// Whether buffers and positions are still what they were said to be. Due before anything reads them.
grz_status grz_gl_mesh_check(const grz_mesh *mesh, grz_error *error);

// Bind its buffers for shaders that include gl_mesh.h, and tell the program in use how they are laid out.
void grz_gl_mesh_bind(grz_gl *gl, const grz_mesh *mesh);

// The same, then run the program for all numbers below `count`.
void grz_gl_mesh_dispatch(grz_gl *gl, const grz_mesh *mesh, uint64_t count);

// Its vertex array, attribute 0 and, where there are, the indices. Source and buffers may have changed since it was last told.
void grz_gl_mesh_attach(const grz_mesh *mesh, GLuint vertex_array);

// In gl_mesh_part.c. grz_mesh_source::read_part:
grz_status grz_gl_mesh_read_part(const grz_object *object, const grz_box *box, grz_control *control, grz_mesh **part,
                                 grz_error *error);

// grz_mesh_source::read_triangles:
grz_status grz_gl_mesh_read_triangles(const grz_mesh *mesh, const uint32_t *triangles, uint32_t count, grz_control *control,
                                      grz_mesh **part, grz_error *error);

#endif
