// SPDX-License-Identifier: MIT
// Creates and deletes OpenGL objects. All of it happens here, so that objects can be counted: leak checkers do not see
// them.
#include <assert.h>

#include "base/fail.h"
#include "gl/gl_parts.h"

GLuint grz_gl_create(grz_gl *gl, grz_gl_kind kind, GLenum target)
{
    GLuint name = 0;
    assert(atomic_load(&gl->inside));
    assert((target != 0) == (kind == GRZ_GL_TEXTURE || kind == GRZ_GL_QUERY));
    switch (kind) {
    case GRZ_GL_BUFFER:
        glCreateBuffers(1, &name);
        break;
    case GRZ_GL_TEXTURE:
        glCreateTextures(target, 1, &name);
        break;
    case GRZ_GL_RENDERBUFFER:
        glCreateRenderbuffers(1, &name);
        break;
    case GRZ_GL_FRAMEBUFFER:
        glCreateFramebuffers(1, &name);
        break;
    case GRZ_GL_VERTEX_ARRAY:
        glCreateVertexArrays(1, &name);
        break;
    case GRZ_GL_PROGRAM:
        name = glCreateProgram();
        break;
    case GRZ_GL_QUERY:
        glCreateQueries(target, 1, &name);
        break;
    case GRZ_GL_FEEDBACK:
        glCreateTransformFeedbacks(1, &name);
        break;
    case GRZ_GL_KIND_COUNT:
        break;
    }
    if (name != 0)
        atomic_fetch_add(&gl->object_count, 1);
    return name;
}

void grz_gl_delete(grz_gl *gl, grz_gl_kind kind, GLuint name)
{
    if (name == 0)
        return;
    assert(atomic_load(&gl->inside) && atomic_load(&gl->object_count) > 0);
    switch (kind) {
    case GRZ_GL_BUFFER:
        glDeleteBuffers(1, &name);
        break;
    case GRZ_GL_TEXTURE:
        glDeleteTextures(1, &name);
        break;
    case GRZ_GL_RENDERBUFFER:
        glDeleteRenderbuffers(1, &name);
        break;
    case GRZ_GL_FRAMEBUFFER:
        glDeleteFramebuffers(1, &name);
        break;
    case GRZ_GL_VERTEX_ARRAY:
        glDeleteVertexArrays(1, &name);
        break;
    case GRZ_GL_PROGRAM:
        glDeleteProgram(name);
        break;
    case GRZ_GL_QUERY:
        glDeleteQueries(1, &name);
        break;
    case GRZ_GL_FEEDBACK:
        glDeleteTransformFeedbacks(1, &name);
        break;
    case GRZ_GL_KIND_COUNT:
        break;
    }
    atomic_fetch_sub(&gl->object_count, 1);
}

grz_gl_bin *grz_gl_bin_create(const grz_gl *gl)
{
    return grz_allocate_zeroed(gl->allocator, 1, sizeof(grz_gl_bin));
}

void grz_gl_bin_add(grz_gl_bin *bin, grz_gl_kind kind, GLuint name)
{
    assert(bin->count < GRZ_GL_BIN);
    if (name == 0)
        return;
    bin->items[bin->count].kind = kind;
    bin->items[bin->count++].name = name;
}

void grz_gl_bin_empty_later(grz_device *device, grz_gl_bin *bin)
{
    grz_gl *gl = grz_gl_of(device);
    if (bin == NULL)
        return;
    assert(gl != NULL && bin->next == NULL); // a bin is handed over once
    pthread_mutex_lock(&gl->lock);
    bin->next = gl->bins;
    gl->bins = bin;
    pthread_mutex_unlock(&gl->lock);
}

void grz_gl_empty_bins(grz_gl *gl, bool current)
{
    pthread_mutex_lock(&gl->lock);
    grz_gl_bin *bins = gl->bins;
    gl->bins = NULL;
    pthread_mutex_unlock(&gl->lock);
    while (bins != NULL) {
        grz_gl_bin *next = bins->next;
        for (size_t i = 0; current && i < bins->count; i++)
            grz_gl_delete(gl, bins->items[i].kind, bins->items[i].name);
        grz_release(gl->allocator, bins, 1, sizeof *bins);
        bins = next;
    }
}

void *grz_gl_slot(grz_gl *gl, const grz_gl_slot_type *type)
{
    assert(atomic_load(&gl->inside) && type->size > 0 && type->release != NULL);
    for (size_t i = 0; i < gl->slots.count; i++)
        if (gl->slots.items[i].type == type)
            return gl->slots.items[i].state;
    void *state = grz_allocate_zeroed(gl->allocator, 1, type->size);
    if (state == NULL)
        return NULL;
    if (!grz_array_add(gl->allocator, &gl->slots)) {
        grz_release(gl->allocator, state, 1, type->size);
        return NULL;
    }
    gl->slots.items[gl->slots.count - 1] = (grz_gl_slot_entry){type, state};
    return state;
}

void grz_gl_release_slots(grz_gl *gl, bool current)
{
    while (gl->slots.count > 0) {
        const grz_gl_slot_entry last = gl->slots.items[--gl->slots.count];
        if (current)
            last.type->release(gl, last.state);
        grz_release(gl->allocator, last.state, 1, last.type->size);
    }
}

grz_status grz_gl_buffer_reserve(grz_gl *gl, grz_gl_buffer *buffer, uint64_t size, const char *what, grz_error *error)
{
    assert(buffer->name != 0 || buffer->size == 0);
    if (size <= buffer->size && buffer->name != 0)
        return GRZ_OK;
    grz_gl_buffer_finish(gl, buffer);
    if (size > PTRDIFF_MAX)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: %llu bytes for %s are too many", gl->what,
                        (unsigned long long)size, what);
    grz_status status = grz_gl_check(gl, error);
    if (status != GRZ_OK)
        return status;
    buffer->name = grz_gl_create(gl, GRZ_GL_BUFFER, 0);
    glNamedBufferData(buffer->name, (GLsizeiptr)size, NULL, GL_DYNAMIC_DRAW);
    status = grz_gl_check(gl, NULL);
    if (status == GRZ_OK) {
        buffer->size = size;
        return GRZ_OK;
    }
    grz_gl_buffer_finish(gl, buffer);
    return grz_fail(error, status, GRZ_NO_ELEMENT, "%s: OpenGL has no %llu bytes for %s", gl->what,
                    (unsigned long long)size, what);
}

void grz_gl_buffer_finish(grz_gl *gl, grz_gl_buffer *buffer)
{
    grz_gl_delete(gl, GRZ_GL_BUFFER, buffer->name);
    *buffer = (grz_gl_buffer){0};
}
