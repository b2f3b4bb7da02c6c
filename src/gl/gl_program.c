// SPDX-License-Identifier: MIT
// Shader programs. A program is compiled when it is first needed and kept until the device is closed.
#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "gl/gl_parts.h"

enum {
    LOG = 4096
};

// Turn a driver's log into one line: semicolons replace line ends, and empty lines are dropped.
static const char *one_line(char *log)
{
    char *to = log;
    for (const char *from = log; *from != '\0'; from++) {
        const bool end = *from == '\n' || *from == '\r';
        assert(to <= from);
        if (!end)
            *to++ = *from;
        else if (to != log && to[-1] != ';')
            *to++ = ';';
    }
    while (to != log && (to[-1] == ';' || to[-1] == ' '))
        to--;
    *to = '\0';
    return log[0] != '\0' ? log : "the driver gives no reason";
}

// Compile one stage. Returns the shader, or 0 on failure.
static GLuint compile(grz_gl *gl, const grz_gl_stage *stage, grz_error *error)
{
    char log[LOG] = "";
    GLint compiled = GL_FALSE;
    const GLuint shader = glCreateShader(stage->kind);
    const GLchar *text = (const GLchar *)stage->source;
    const GLint length = (GLint)stage->length;
    assert(stage->length <= INT32_MAX);
    if (shader == 0) {
        grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: OpenGL makes no shader of the kind of %s", gl->what,
                 stage->name);
        return 0;
    }
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled != GL_FALSE)
        return shader;
    glGetShaderInfoLog(shader, LOG, NULL, log);
    glDeleteShader(shader);
    grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: the driver does not compile %s: %s", gl->what, stage->name,
             one_line(log));
    return 0;
}

// Compile and attach all stages. An attached shader lives as long as the program, although it is deleted here.
static bool attach_stages(grz_gl *gl, const grz_gl_program_source *source, GLuint program, grz_error *error)
{
    assert(source->stages[0] != NULL);
    for (size_t i = 0; i < GRZ_GL_MOST_STAGES && source->stages[i] != NULL; i++) {
        const GLuint shader = compile(gl, source->stages[i], error);
        if (shader == 0)
            return false;
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    return true;
}

static grz_status build(grz_gl *gl, const grz_gl_program_source *source, GLuint *out, grz_error *error)
{
    char log[LOG] = "";
    GLint linked = GL_FALSE;
    const GLuint program = grz_gl_create(gl, GRZ_GL_PROGRAM, 0);
    if (program == 0)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: OpenGL makes no program", gl->what);
    if (!attach_stages(gl, source, program, error)) {
        grz_gl_delete(gl, GRZ_GL_PROGRAM, program);
        return GRZ_ERROR_DEVICE;
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked != GL_FALSE) {
        *out = program;
        return GRZ_OK;
    }
    glGetProgramInfoLog(program, LOG, NULL, log);
    grz_gl_delete(gl, GRZ_GL_PROGRAM, program);
    return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: the driver does not link %s: %s", gl->what,
                    source->name, one_line(log));
}

grz_status grz_gl_program(grz_gl *gl, const grz_gl_program_source *source, GLuint *program, grz_error *error)
{
    assert(atomic_load(&gl->inside));
    for (size_t i = 0; i < gl->programs.count; i++)
        if (gl->programs.items[i].source == source) {
            *program = gl->programs.items[i].name;
            return GRZ_OK;
        }
    *program = 0;
    if (!grz_array_add(gl->allocator, &gl->programs))
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory", gl->what);
    grz_status status = build(gl, source, program, error);
    if (status != GRZ_OK)
        gl->programs.count--;
    else
        gl->programs.items[gl->programs.count - 1] = (grz_gl_program_entry){source, *program};
    return status;
}

void grz_gl_drop_programs(grz_gl *gl)
{
    while (gl->programs.count > 0)
        grz_gl_delete(gl, GRZ_GL_PROGRAM, gl->programs.items[--gl->programs.count].name);
}
