// SPDX-License-Identifier: MIT
// Meshes in OpenGL buffers, for tests that lend them to the library, and a program that has them. A context of the
// program must be current.
#ifndef GRZ_TESTS_SUPPORT_GL_MESH_H
#define GRZ_TESTS_SUPPORT_GL_MESH_H

#include <graze/gl.h>

#include "support_gl.h"
#include "support_meshes.h"

#ifdef GRZ_HAVE_GL
#include "gl/context.h"

// A program with an OpenGL context, and a device that shares its objects.
typedef struct test_program {
    grz_context context;
    grz_device *device;
} test_program;

test_program test_program_start(void);
void test_program_end(test_program *program);

// The layout of a mesh in its buffers.
typedef enum test_layout {
    PACKED,      // three floats a vertex, 32-bit indices, both from byte 0 on
    INTERLEAVED, // a vertex every 20 bytes from byte 8 on, indices from byte 12 on
    NARROW,      // 16-bit indices from byte 2 on, to the buffer's end
    SOUP,        // no indices
    LAYOUT_COUNT
} test_layout;

// A mesh in buffers of the program.
typedef struct test_buffers {
    grz_gl_mesh_description description;
} test_buffers;

// Round the coordinates to those that float32 holds.
void test_mesh_round_to_floats(test_mesh *mesh);

// A buffer with these bytes, and a mesh's positions as floats, which the caller frees; `start` and `stride` are in
// floats, *size in bytes. What lies between positions is not a number.
GLuint test_buffer_make(const void *bytes, size_t size);
float *test_buffers_positions(const test_mesh *mesh, size_t start, size_t stride, size_t *size);

// Make buffers for a mesh, and delete them. A mesh lent to the library must be destroyed before.
test_buffers test_buffers_make(const test_mesh *mesh, test_layout how);
void test_buffers_delete(test_buffers *buffers);

// Lend the buffers to the library.
grz_mesh *test_buffers_mesh(grz_device *device, const test_buffers *buffers);

// New positions for the vertices of a mesh whose buffers are PACKED.
void test_buffers_write_positions(const test_buffers *buffers, const test_mesh *mesh);

#endif

#endif
