// SPDX-License-Identifier: MIT
// Reads the errors of OpenGL, and finds out whether the context was lost.
#include <assert.h>

#include "base/fail.h"
#include "gl/gl_parts.h"

enum {
    MOST_ERRORS = 16 // read at most this many pending errors; a lost context reports errors without end
};

static const char *error_name(GLenum error)
{
    switch (error) {
    case GL_INVALID_ENUM:
        return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
        return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
        return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
        return "GL_OUT_OF_MEMORY";
    case GL_CONTEXT_LOST:
        return "GL_CONTEXT_LOST";
    default:
        return "an unknown error";
    }
}

grz_status grz_gl_check(grz_gl *gl, grz_error *error)
{
    GLenum first = GL_NO_ERROR, next;
    assert(atomic_load(&gl->inside));
    for (int i = 0; i < MOST_ERRORS && (next = glGetError()) != GL_NO_ERROR; i++)
        if (first == GL_NO_ERROR || next == GL_OUT_OF_MEMORY || next == GL_CONTEXT_LOST)
            first = next;
    if (first == GL_CONTEXT_LOST || glGetGraphicsResetStatus() != GL_NO_ERROR) {
        gl->lost = true;
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "%s: the OpenGL context was lost; close the device and open another", gl->what);
    }
    if (first == GL_NO_ERROR)
        return GRZ_OK;
    if (first == GL_OUT_OF_MEMORY)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: OpenGL is out of memory%s%s", gl->what,
                        gl->driver_message[0] != '\0' ? ": " : "", gl->driver_message);
    return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: OpenGL reports %s%s%s", gl->what, error_name(first),
                    gl->driver_message[0] != '\0' ? ": " : "", gl->driver_message);
}
