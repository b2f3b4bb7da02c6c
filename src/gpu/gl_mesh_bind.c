// SPDX-License-Identifier: MIT
// The caller's buffers of a mesh are checked and bound. Names and sizes are checked again before every use, because the
// caller may have deleted them or given them new storage. Bindings are undone before that: drivers take the same name
// for the same buffer.
#include "gpu/gl_mesh.h"

#include <assert.h>
#include <inttypes.h>

#include "base/fail.h"
#include "gpu/mesh_shaders.h"

static grz_status check_buffer(GLuint name, uint64_t offset, uint64_t bytes, const char *what, grz_error *error)
{
    GLint64 size = 0;
    GLint mapped = GL_FALSE, access = 0;
    if (!glIsBuffer(name))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "gl mesh: %u, for %s, is no buffer that the device sees: was it deleted, or does its context "
                        "not share with "
                        "the device's?",
                        name, what);
    glGetNamedBufferParameteri64v(name, GL_BUFFER_SIZE, &size);
    glGetNamedBufferParameteriv(name, GL_BUFFER_MAPPED, &mapped);
    glGetNamedBufferParameteriv(name, GL_BUFFER_ACCESS_FLAGS, &access);
    if (offset > (uint64_t)size || bytes > (uint64_t)size - offset)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "gl mesh: buffer %u has %" PRId64 " bytes, %s need %" PRIu64 " from byte %" PRIu64 " on", name,
                        (int64_t)size, what, bytes, offset);
    if (mapped != GL_FALSE && ((GLbitfield)access & GL_MAP_PERSISTENT_BIT) == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "gl mesh: buffer %u, of %s, is mapped", name, what);
    return GRZ_OK;
}

grz_status grz_gl_mesh_check_buffers(const grz_gl_mesh_description *d, grz_error *error)
{
    grz_status status =
        check_buffer(d->position_buffer, d->position_offset, grz_gl_position_bytes(d), "positions", error);
    if (status == GRZ_OK && d->index_buffer != 0)
        status = check_buffer(d->index_buffer, d->index_offset, grz_gl_index_bytes(d), "indices", error);
    return status;
}

grz_status grz_gl_mesh_check(const grz_mesh *mesh, grz_error *error)
{
    const grz_gl_mesh *g = grz_gl_mesh_of(mesh);
    if (!g->sound)
        return grz_fail(
            error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT,
            "gl mesh: its positions are unknown: the last grz_mesh_gl_changed() or grz_capture_draw() failed");
    return grz_gl_mesh_check_buffers(&g->layout, error);
}

// Bind `bytes` of a buffer from `offset` on for shaders. The binding begins at the last allowed offset before; returns
// the bytes between.
static uint64_t bind_storage(const grz_gl *gl, GLuint binding, GLuint name, uint64_t offset, uint64_t bytes)
{
    const uint64_t start = offset - offset % grz_gl_get_limits(gl)->storage_alignment;
    assert(offset - start + bytes <= grz_gl_get_limits(gl)->storage_block);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, name, (GLintptr)start, (GLsizeiptr)(offset - start + bytes));
    return offset - start;
}

void grz_gl_mesh_bind(grz_gl *gl, const grz_mesh *mesh)
{
    const grz_gl_mesh *g = grz_gl_mesh_of(mesh);
    const grz_gl_mesh_description *d = &g->layout;
    const uint64_t first =
        bind_storage(gl, GRZ_BIND_POSITIONS, d->position_buffer, d->position_offset, grz_gl_position_bytes(d));
    uint64_t first_index = 0;
    glUniform2ui(GRZ_AT_POSITION_LAYOUT, (GLuint)(first / 4), d->position_stride / 4);
    if (g->padded.name != 0)
        bind_storage(gl, GRZ_BIND_INDICES, g->padded.name, 0, g->padded.size);
    else if (d->index_buffer != 0) // whole words: what is beyond is there, or a copy would have been made
        first_index = bind_storage(gl, GRZ_BIND_INDICES, d->index_buffer, d->index_offset,
                                   grz_gl_index_bytes(d) + (d->index_size == 2 ? 2 : 0));
    else
        bind_storage(gl, GRZ_BIND_INDICES, d->position_buffer, d->position_offset,
                     grz_gl_position_bytes(d)); // any buffer: it is not read
    assert(first % 4 == 0 && first_index % d->index_size == 0);
    glUniform2ui(GRZ_AT_INDEX_LAYOUT, d->index_buffer != 0 ? d->index_size : 0, (GLuint)(first_index / d->index_size));
    glUniform2ui(GRZ_AT_COUNTS, (GLuint)d->vertex_count, (GLuint)d->triangle_count);
    glMemoryBarrier(GL_ALL_BARRIER_BITS); // the caller's shaders may have written what is read here
}

void grz_gl_mesh_dispatch(grz_gl *gl, const grz_mesh *mesh, uint64_t count)
{
    const uint64_t group = (uint64_t)GRZ_GL_MESH_GROUP * GRZ_GL_MESH_EACH, most = grz_gl_get_limits(gl)->groups * group;
    assert(count <= UINT32_MAX);
    grz_gl_mesh_bind(gl, mesh);
    for (uint64_t first = 0; first < count; first += most) {
        const uint64_t part = count - first < most ? count - first : most;
        glUniform1ui(GRZ_AT_FIRST, (GLuint)first);
        glDispatchCompute((GLuint)((part + group - 1) / group), 1, 1);
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
}

void grz_gl_mesh_attach(const grz_mesh *mesh, GLuint vertex_array)
{
    const grz_gl_mesh_description *d = &grz_gl_mesh_of(mesh)->layout;
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT);
    glVertexArrayVertexBuffer(vertex_array, 0, 0, 0, 12);
    glVertexArrayVertexBuffer(vertex_array, 0, d->position_buffer, (GLintptr)d->position_offset,
                              (GLsizei)d->position_stride);
    glVertexArrayElementBuffer(vertex_array, 0);
    glVertexArrayElementBuffer(vertex_array, d->index_buffer);
}
