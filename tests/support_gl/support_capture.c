// SPDX-License-Identifier: MIT
// Shaders, what they draw, and what is captured of it.
#include <graze/gl.h>

#include "support_capture.h"

#ifdef GRZ_HAVE_GL
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/gl_mesh.h"

test_program test_painter_start(void)
{
    test_program p;
    grz_error error;
    grz_device_options options = grz_default_device_options();
    assert_int_equal(grz_context_open(0, false, &p.context, NULL), GRZ_OK);
    assert_true(grz_context_make_current(&p.context));
    options.kind = GRZ_DEVICE_GL_CURRENT;
    if (grz_device_open(&options, &p.device, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return p;
}

static void attach(GLuint program, GLenum kind, const char *source)
{
    GLchar log[1000] = "";
    if (source == NULL)
        return;
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (log[0] != '\0')
        print_message("%s\n", log);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

GLuint test_shaders_link(const test_shaders *shaders)
{
    const GLuint program = glCreateProgram();
    GLsizei varyings = 0;
    GLint linked = GL_FALSE;
    GLchar log[1000] = "";
    attach(program, GL_VERTEX_SHADER, shaders->vertex);
    attach(program, GL_TESS_CONTROL_SHADER, shaders->control);
    attach(program, GL_TESS_EVALUATION_SHADER, shaders->evaluation);
    attach(program, GL_GEOMETRY_SHADER, shaders->geometry);
    while (shaders->varyings[varyings] != NULL)
        varyings++;
    if (varyings > 0)
        glTransformFeedbackVaryings(program, varyings, shaders->varyings,
                                    shaders->separate ? GL_SEPARATE_ATTRIBS : GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (linked == GL_FALSE)
        fail_msg("%s", log);
    return program;
}

grz_status test_draw(void *user, grz_capture *capture)
{
    test_drawing *drawing = user;
    drawing->calls++;
    for (int i = 0; i < drawing->section_count; i++) {
        test_section *s = &drawing->sections[i];
        s->first = grz_capture_triangle_count(capture);
        glUseProgram(s->program);
        glBindVertexArray(s->vertex_array);
        if (s->mode == GL_PATCHES)
            glPatchParameteri(GL_PATCH_VERTICES, s->patch_corners > 0 ? s->patch_corners : 4);
        grz_status status = grz_capture_begin(capture, NULL);
        if (status == GRZ_OK && s->count > 0)
            glDrawArraysInstanced(s->mode, 0, s->count, s->instances > 0 ? s->instances : 1);
        if (status == GRZ_OK)
            status = grz_capture_end(capture, NULL);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

GLuint test_corners(const test_mesh *mesh, GLuint *buffer)
{
    GLuint vertex_array;
    float *corners = malloc(3 * mesh->index_count * sizeof *corners);
    assert_non_null(corners);
    for (uint64_t i = 0; i < mesh->index_count; i++)
        for (size_t axis = 0; axis < 3; axis++)
            corners[3 * i + axis] = (float)mesh->positions[3 * (size_t)mesh->indices[i] + axis];
    *buffer = test_buffer_make(corners, 3 * mesh->index_count * sizeof *corners);
    free(corners);
    glCreateVertexArrays(1, &vertex_array);
    glVertexArrayVertexBuffer(vertex_array, 0, *buffer, 0, 3 * sizeof(float));
    glVertexArrayAttribFormat(vertex_array, 0, 3, GL_FLOAT, GL_FALSE, 0);
    glEnableVertexArrayAttrib(vertex_array, 0);
    return vertex_array;
}

grz_capture *test_capture_create(grz_device *device, const grz_capture_options *options)
{
    grz_capture *capture;
    grz_error error;
    if (grz_capture_create(device, options, &capture, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return capture;
}

const grz_mesh *test_capture_draw(grz_capture *capture, test_drawing *drawing)
{
    grz_error error;
    if (grz_capture_draw(capture, test_draw, drawing, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_mesh *mesh = grz_capture_mesh(capture);
    assert_non_null(mesh);
    assert_int_equal(grz_mesh_triangle_count(mesh), grz_capture_triangle_count(capture));
    assert_int_equal(grz_mesh_vertex_count(mesh), 3 * grz_capture_triangle_count(capture));
    return mesh;
}

test_mesh test_capture_read(const grz_capture *capture)
{
    const grz_gl_mesh_description *d = &grz_gl_mesh_of(grz_capture_mesh(capture))->layout;
    test_mesh read = {0};
    for (uint64_t i = 0; i < d->triangle_count; i++) {
        double corners[3][3];
        for (uint64_t k = 0; k < 3; k++) {
            float p[3];
            glGetNamedBufferSubData(d->position_buffer,
                                    (GLintptr)(d->position_offset + (3 * i + k) * d->position_stride), sizeof p, p);
            for (size_t axis = 0; axis < 3; axis++)
                corners[k][axis] = (double)p[axis];
        }
        test_mesh_add_loose_triangle(&read, corners);
    }
    return read;
}

#endif
