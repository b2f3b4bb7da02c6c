// SPDX-License-Identifier: MIT
// A program that draws with shaders of its own, in a context of its own, and lets Graze capture what they make.
#ifndef GRZ_TESTS_SUPPORT_CAPTURE_H
#define GRZ_TESTS_SUPPORT_CAPTURE_H

#include <graze/gl.h>

#include "support_gl_mesh.h"

#ifdef GRZ_HAVE_GL

// A program whose device works in its own context (GRZ_DEVICE_GL_CURRENT).
test_program test_painter_start(void);

// Shaders, and what is captured of them. Unused stages are NULL.
typedef struct test_shaders {
    const char *vertex, *control, *evaluation, *geometry;
    const char *varyings[20]; // NULL: the end. None: nothing is captured
    bool separate;            // GL_SEPARATE_ATTRIBS
} test_shaders;

GLuint test_shaders_link(const test_shaders *shaders);

// One drawing between begin and end.
typedef struct test_section {
    GLuint program, vertex_array;
    GLenum mode;
    GLsizei count, instances; // no instances: one
    GLint patch_corners;      // of GL_PATCHES; 0: four
    uint64_t first;           // receives the number of its first triangle
} test_section;

enum {
    TEST_MOST_SECTIONS = 4
};

// What a callback draws.
typedef struct test_drawing {
    test_section sections[TEST_MOST_SECTIONS];
    int section_count;
    int calls; // of the callback, so far
} test_drawing;

// The callback; `user` is a test_drawing.
grz_status test_draw(void *user, grz_capture *capture);

// A vertex array whose attribute 0 is the positions of a mesh, corner after corner, as floats. `buffer` receives them.
GLuint test_corners(const test_mesh *mesh, GLuint *buffer);

grz_capture *test_capture_create(grz_device *device, const grz_capture_options *options);

// Capture, and expect that it succeeds. Returns the mesh.
const grz_mesh *test_capture_draw(grz_capture *capture, test_drawing *drawing);

// The captured positions, read back: a soup.
test_mesh test_capture_read(const grz_capture *capture);

#endif

#endif
