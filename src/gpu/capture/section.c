// SPDX-License-Identifier: MIT
// Begins and ends one transform feedback around drawings of the caller's, and counts its triangles. The feedback object
// is our own, so the caller's one and the buffers bound to it are not touched. A callback may do anything in between:
// what is ours and still open is asked of OpenGL before it is ended.
#include "gpu/capture/section.h"

#include "base/fail.h"

static const GLenum targets[GRZ_SECTION_QUERIES] = {
    [GRZ_SECTION_GENERATED] = GL_PRIMITIVES_GENERATED,
    [GRZ_SECTION_WRITTEN] = GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
};

static void release_objects(grz_gl *gl, void *state)
{
    const grz_section_objects *o = state;
    for (int i = 0; i < GRZ_SECTION_QUERIES; i++)
        grz_gl_delete(gl, GRZ_GL_QUERY, o->queries[i]);
    grz_gl_delete(gl, GRZ_GL_FEEDBACK, o->feedback);
    grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, o->framebuffer);
}

grz_status grz_section_objects_get(grz_gl *gl, const grz_section_objects **objects, grz_error *error)
{
    static const grz_gl_slot_type type = {sizeof(grz_section_objects), release_objects};
    grz_section_objects *o = grz_gl_slot(gl, &type);
    *objects = o;
    if (o == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "capture: out of memory");
    for (int i = 0; i < GRZ_SECTION_QUERIES; i++)
        if (glIsQuery(o->queries[i]) == GL_FALSE) { // a callback may have deleted it
            grz_gl_delete(gl, GRZ_GL_QUERY, o->queries[i]);
            o->queries[i] = grz_gl_create(gl, GRZ_GL_QUERY, targets[i]);
        }
    if (glIsTransformFeedback(o->feedback) == GL_FALSE) {
        grz_gl_delete(gl, GRZ_GL_FEEDBACK, o->feedback);
        o->feedback = grz_gl_create(gl, GRZ_GL_FEEDBACK, 0);
    }
    if (glIsFramebuffer(o->framebuffer) == GL_FALSE) {
        grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, o->framebuffer);
        o->framebuffer = grz_gl_create(gl, GRZ_GL_FRAMEBUFFER, 0);
        glNamedFramebufferParameteri(o->framebuffer, GL_FRAMEBUFFER_DEFAULT_WIDTH, 1);
        glNamedFramebufferParameteri(o->framebuffer, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 1);
    }
    return grz_gl_check(gl, error);
}

static grz_status refuse_what_is_open(grz_error *error)
{
    GLint active = 0, paused = 0;
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_ACTIVE, &active);
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_PAUSED, &paused);
    if (active != 0 && paused == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "capture: another transform feedback is active at grz_capture_begin()");
    for (int i = 0; i < GRZ_SECTION_QUERIES; i++) {
        GLint query = 0;
        glGetQueryiv(targets[i], GL_CURRENT_QUERY, &query);
        if (query != 0)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "capture: a query of %s is active at grz_capture_begin(): end it before",
                            i == GRZ_SECTION_GENERATED ? "GL_PRIMITIVES_GENERATED"
                                                       : "GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN");
    }
    return GRZ_OK;
}

grz_status grz_section_begin(grz_gl *gl, const grz_section_objects *objects, GLuint buffer, uint64_t offset,
                             uint64_t size, GLint *before, grz_error *error)
{
    grz_error inner;
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_BINDING, before);
    grz_status status = refuse_what_is_open(error);
    if (status != GRZ_OK)
        return status;
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects->feedback);
    glTransformFeedbackBufferRange(objects->feedback, 0, buffer, (GLintptr)offset, (GLsizeiptr)size);
    for (int i = 0; i < GRZ_SECTION_QUERIES; i++)
        glBeginQuery(targets[i], objects->queries[i]);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    status = grz_gl_check(gl, &inner);
    if (status == GRZ_OK)
        return GRZ_OK;
    grz_section_abandon(gl, objects, *before);
    return grz_fail(error, status, GRZ_NO_ELEMENT, "%s, at grz_capture_begin()", inner.message);
}

// Whether our feedback object is bound and active.
static bool is_capturing(const grz_section_objects *objects)
{
    GLint bound = 0, active = 0;
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_BINDING, &bound);
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_ACTIVE, &active);
    return (GLuint)bound == objects->feedback && active != 0;
}

void grz_section_abandon(grz_gl *gl, const grz_section_objects *objects, GLint before)
{
    if (is_capturing(objects))
        glEndTransformFeedback();
    for (int i = 0; i < GRZ_SECTION_QUERIES; i++) {
        GLint query = 0;
        glGetQueryiv(targets[i], GL_CURRENT_QUERY, &query);
        if (query != 0 && (GLuint)query == objects->queries[i])
            glEndQuery(targets[i]);
    }
    glTransformFeedbackBufferBase(objects->feedback, 0, 0); // else it would keep a buffer that is deleted
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, (GLuint)before);
    grz_gl_check(gl, NULL);
}

grz_status grz_section_end(grz_gl *gl, const grz_section_objects *objects, GLint before,
                           uint64_t counts[GRZ_SECTION_QUERIES], grz_error *error)
{
    grz_error inner;
    bool whole = is_capturing(objects);
    grz_status status = grz_gl_check(gl, &inner); // of the caller's drawings
    for (int i = 0; i < GRZ_SECTION_QUERIES; i++) {
        GLint query = 0;
        glGetQueryiv(targets[i], GL_CURRENT_QUERY, &query);
        whole = whole && (GLuint)query == objects->queries[i];
    }
    grz_section_abandon(gl, objects, before);
    if (status != GRZ_OK)
        return grz_fail(error, status, GRZ_NO_ELEMENT,
                        "%s, between grz_capture_begin() and grz_capture_end(): were lines or points drawn, or was "
                        "glUseProgram() called?",
                        inner.message);
    if (!whole)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "capture: the callback ended the transform feedback or a query that grz_capture_begin() began");
    for (int i = 0; i < GRZ_SECTION_QUERIES; i++) {
        GLuint64 count = 0;
        glGetQueryObjectui64v(objects->queries[i], GL_QUERY_RESULT, &count);
        counts[i] = count;
    }
    return grz_gl_check(gl, error);
}
