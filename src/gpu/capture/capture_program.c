// SPDX-License-Identifier: MIT
// Asks OpenGL what a program captures. It does not matter how the program says so: by glTransformFeedbackVaryings(), or
// by layout qualifiers of its last shader before the rasterizer (xfb_offset, xfb_stride).
#include "gpu/capture/capture_program.h"

#include "base/fail.h"

// The program whose varyings are captured: of a pipeline, that of the last stage before the rasterizer. 0: none.
static GLuint capturing_program(void)
{
    static const GLenum stages[] = {GL_GEOMETRY_SHADER, GL_TESS_EVALUATION_SHADER, GL_VERTEX_SHADER};
    GLint program = 0, pipeline = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    if (program == 0)
        glGetIntegerv(GL_PROGRAM_PIPELINE_BINDING, &pipeline);
    for (size_t i = 0; i < sizeof stages / sizeof *stages && program == 0 && pipeline != 0; i++)
        glGetProgramPipelineiv((GLuint)pipeline, stages[i], &program);
    return (GLuint)program;
}

static grz_status check_buffers(GLuint program, grz_error *error)
{
    const GLenum binding = GL_BUFFER_BINDING;
    GLint buffers = 0, number = 0;
    glGetProgramInterfaceiv(program, GL_TRANSFORM_FEEDBACK_BUFFER, GL_ACTIVE_RESOURCES, &buffers);
    if (buffers == 1)
        glGetProgramResourceiv(program, GL_TRANSFORM_FEEDBACK_BUFFER, 0, 1, &binding, 1, NULL, &number);
    if (buffers != 1 || number != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "capture: program %u captures into %d buffers, or not into buffer 0: link it with "
                        "GL_INTERLEAVED_ATTRIBS, and without gl_NextBuffer",
                        program, buffers);
    return GRZ_OK;
}

grz_status grz_captured_layout_read(const char *varying, grz_captured_layout *layout, grz_error *error)
{
    const GLenum of_varying[] = {GL_TYPE, GL_ARRAY_SIZE, GL_OFFSET}, of_buffer = GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE;
    const GLuint program = capturing_program();
    GLint count = 0, found[3] = {0}, stride = 0;
    *layout = (grz_captured_layout){0};
    if (program == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "capture: no program is in use at grz_capture_begin()");
    glGetProgramInterfaceiv(program, GL_TRANSFORM_FEEDBACK_VARYING, GL_ACTIVE_RESOURCES, &count);
    if (count == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "capture: program %u captures nothing: call glTransformFeedbackVaryings() before it is linked",
                        program);
    const GLuint index = glGetProgramResourceIndex(program, GL_TRANSFORM_FEEDBACK_VARYING, varying);
    if (index == GL_INVALID_INDEX)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "capture: program %u captures no %.100s", program,
                        varying);
    const grz_status status = check_buffers(program, error);
    if (status != GRZ_OK)
        return status;
    glGetProgramResourceiv(program, GL_TRANSFORM_FEEDBACK_VARYING, index, 3, of_varying, 3, NULL, found);
    glGetProgramResourceiv(program, GL_TRANSFORM_FEEDBACK_BUFFER, 0, 1, &of_buffer, 1, NULL, &stride);
    if ((found[0] != GL_FLOAT_VEC3 && found[0] != GL_FLOAT_VEC4) || found[1] > 1)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "capture: %.100s of program %u is no vec3 and no vec4: positions are 32-bit floats", varying,
                        program);
    if (found[2] < 0 || stride < found[2] + 12 || found[2] % 4 != 0 || stride % 4 != 0)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "capture: OpenGL says that program %u captures %.100s at byte %d of %d", program, varying,
                        found[2], stride);
    *layout = (grz_captured_layout){.offset = (uint32_t)found[2], .stride = (uint32_t)stride};
    return GRZ_OK;
}
