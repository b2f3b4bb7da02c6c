// SPDX-License-Identifier: MIT
// Meshes in OpenGL buffers, laid out in several ways, and the program that has them.
#include <graze/gl.h>

#include "support_gl_mesh.h"

#ifdef GRZ_HAVE_GL
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

test_program test_program_start(void)
{
    test_program p;
    grz_error error;
    grz_device_options options = grz_default_device_options();
    assert_int_equal(grz_context_open(0, false, &p.context, NULL), GRZ_OK);
    assert_true(grz_context_make_current(&p.context));
    options.kind = GRZ_DEVICE_GL;
    options.share = true;
    if (grz_device_open(&options, &p.device, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return p;
}

void test_program_end(test_program *program)
{
    const grz_current nothing = {.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .api = EGL_OPENGL_ES_API};
    test_gl_device_close(program->device);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    grz_current_restore(&nothing, &program->context);
    grz_context_close(&program->context);
}

GLuint test_buffer_make(const void *bytes, size_t size)
{
    GLuint name;
    glCreateBuffers(1, &name);
    glNamedBufferData(name, (GLsizeiptr)size, bytes, GL_DYNAMIC_DRAW);
    glFinish();
    return name;
}

void test_mesh_round_to_floats(test_mesh *mesh)
{
    for (uint64_t i = 0; i < 3 * mesh->vertex_count; i++)
        mesh->positions[i] = (double)(float)mesh->positions[i];
}

float *test_buffers_positions(const test_mesh *mesh, size_t start, size_t stride, size_t *size)
{
    const size_t count = start + (size_t)(mesh->vertex_count - 1) * stride + 3;
    float *bytes = malloc(count * sizeof *bytes);
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++)
        bytes[i] = NAN; // the bytes between positions must not be read
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (size_t axis = 0; axis < 3; axis++)
            bytes[start + v * stride + axis] = (float)mesh->positions[3 * v + axis];
    *size = count * sizeof *bytes;
    return bytes;
}

test_buffers test_buffers_make(const test_mesh *mesh, test_layout how)
{
    test_buffers b = {.description = grz_default_gl_mesh_description()};
    grz_gl_mesh_description *d = &b.description;
    const size_t start = how == INTERLEAVED ? 2 : 0, stride = how == INTERLEAVED ? 5 : 3;
    size_t size;
    float *bytes = test_buffers_positions(mesh, start, stride, &size);
    d->position_buffer = test_buffer_make(bytes, size);
    d->position_offset = start * sizeof *bytes;
    d->position_stride = how == INTERLEAVED ? 20 : 0;
    d->vertex_count = mesh->vertex_count;
    d->triangle_count = mesh->face_count;
    free(bytes);
    if (how == NARROW) {
        uint16_t *indices = malloc((mesh->index_count + 1) * sizeof *indices);
        assert_non_null(indices);
        indices[0] = UINT16_MAX;
        for (uint64_t i = 0; i < mesh->index_count; i++)
            indices[i + 1] = (uint16_t)mesh->indices[i];
        d->index_buffer = test_buffer_make(indices, (mesh->index_count + 1) * sizeof *indices);
        d->index_offset = d->index_size = 2;
        free(indices);
    } else if (how != SOUP) {
        const size_t before = how == INTERLEAVED ? 3 : 0;
        uint32_t *indices = malloc((before + mesh->index_count) * sizeof *indices);
        assert_non_null(indices);
        memset(indices, 0xff, before * sizeof *indices);
        memcpy(indices + before, mesh->indices, mesh->index_count * sizeof *indices);
        d->index_buffer = test_buffer_make(indices, (before + mesh->index_count) * sizeof *indices);
        d->index_offset = before * sizeof *indices;
        free(indices);
    }
    return b;
}

void test_buffers_delete(test_buffers *b)
{
    assert_true(glIsBuffer(b->description.position_buffer)); // the mesh has left it alone
    glDeleteBuffers(1, &b->description.position_buffer);
    glDeleteBuffers(1, &b->description.index_buffer);
}

grz_mesh *test_buffers_mesh(grz_device *device, const test_buffers *b)
{
    grz_mesh *mesh;
    grz_error error;
    if (grz_mesh_create_gl(device, &b->description, &mesh, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return mesh;
}

void test_buffers_write_positions(const test_buffers *b, const test_mesh *mesh)
{
    size_t size;
    float *bytes = test_buffers_positions(mesh, 0, 3, &size);
    glNamedBufferSubData(b->description.position_buffer, 0, (GLsizeiptr)size, bytes);
    glFinish();
    free(bytes);
}

#endif
