// SPDX-License-Identifier: MIT
// OpenGL of a device: its own context, one that shares objects with the caller's, or the caller's context. After a call
// the same context is current as before, with unchanged state. Driver failures are errors of the call. Objects are
// counted, even if they are deleted on another thread. One thread at a time; two devices on two threads. After a fork
// it is refused. Skipped where there is no OpenGL.
// ctest: concurrent one_thread_at_a_time two_devices_on_two_threads objects_of_other_threads_are_deleted_later
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl.h"
#include "support_meshes.h"

#ifdef GRZ_HAVE_GL
#include "gl/gl_parts.h"

enum {
    WIDTH = 64,
    HEIGHT = 48
};

// A context of the test, in place of a program's.
static grz_context open_foreign(void)
{
    grz_context context;
    assert_int_equal(grz_context_open(0, false, &context, NULL), GRZ_OK);
    assert_true(grz_context_make_current(&context));
    return context;
}

static void close_foreign(grz_context *context)
{
    const grz_current nothing = {.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .api = EGL_OPENGL_ES_API};
    grz_current_restore(&nothing, context);
    grz_context_close(context);
}

static void every_renderer_has_a_description(void **state)
{
    (void)state;
    grz_renderer renderer;
    grz_error error;
    const uint32_t count = grz_renderer_count();
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(grz_renderer_info(i, &renderer, &error), GRZ_OK);
        assert_true(renderer.platform[0] != '\0');
        assert_true((renderer.problem[0] == '\0') == (renderer.name[0] != '\0'));
        print_message("  %u: %s, %s %s\n", i, renderer.platform, renderer.name, renderer.problem);
    }
    assert_int_equal(grz_renderer_info(count, &renderer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_renderer_info(0, NULL, &error), GRZ_ERROR_ARGUMENT);
}

static void kinds_of_devices(void **state)
{
    (void)state;
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    grz_renderer renderer;
    grz_error error = {0};
    options.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_OK);
    assert_string_equal(grz_device_name(device), "cpu");
    assert_int_equal(grz_device_renderer(device, &renderer, &error), GRZ_ERROR_UNSUPPORTED);
    grz_device_close(device);
    options.kind = GRZ_DEVICE_AUTO;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_OK);
    assert_string_equal(grz_device_name(device), "cpu");
    assert_false(grz_gl_of(device)->open); // not before it is needed
    assert_int_equal(grz_device_renderer(device, &renderer, &error), GRZ_OK);
    assert_true(renderer.name[0] != '\0' && grz_gl_of(device)->open);
    grz_device_close(device);
    options.kind = GRZ_DEVICE_GL;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_OK);
    assert_string_equal(grz_device_name(device), "gl");
    grz_device_close(device);
    options.renderer = grz_renderer_count();
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_ERROR_ARGUMENT);
    assert_null(device);
    options = grz_default_device_options();
    options.kind = (grz_device_kind)17;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_ERROR_ARGUMENT);
    options.kind = GRZ_DEVICE_AUTO;
    options.share = true;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_ERROR_ARGUMENT);
    options.kind = GRZ_DEVICE_GL; // nothing is current that could be shared with
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "current"));
    options.share = false;
    options.kind = GRZ_DEVICE_GL_CURRENT;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "current"));
}

static void devices_open_and_close_again_and_again(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        test_gl_device_close(test_gl_device_open());
    assert_ptr_equal(eglGetCurrentContext(), EGL_NO_CONTEXT);
}

static void the_current_context_is_restored(void **state)
{
    (void)state;
    grz_context foreign = open_foreign();
    grz_device *device = test_gl_device_open();
    grz_renderer renderer;
    assert_ptr_equal(eglGetCurrentContext(), foreign.context);
    assert_int_equal(grz_device_renderer(device, &renderer, NULL), GRZ_OK);
    assert_ptr_equal(eglGetCurrentContext(), foreign.context);
    test_gl_device_close(device);
    assert_ptr_equal(eglGetCurrentContext(), foreign.context);
    close_foreign(&foreign);
}

// Compare the height maps of two balls, with all that this needs of OpenGL: culled faces, depths, a stencil, textures,
// parts of a picture.
static grz_status compare_heights(grz_device *device, const grz_object objects[2], grz_result *result, grz_error *error)
{
    static const grz_projection projections[] = {GRZ_PROJECTION_SINGLE, GRZ_PROJECTION_BOUNDED,
                                                 GRZ_PROJECTION_COMBINED};
    grz_heightmap_options heightmap = grz_default_heightmap_options();
    const grz_method_options own = {.method = "heightmap", .options = &heightmap};
    grz_collide_options collide_options = grz_default_collide_options();
    grz_status status = GRZ_OK;
    heightmap.resolution = 24;
    heightmap.stencil = true;
    heightmap.has_direction = true; // from the first ball towards the second
    heightmap.direction[0] = 1.0;
    collide_options.method = "heightmap";
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &own;
    for (int i = 0; i < 3 && status == GRZ_OK; i++) {
        heightmap.projection = projections[i];
        status = grz_collide(device, &objects[0], &objects[1], &collide_options, result, error);
        if (status == GRZ_OK)
            assert_true(grz_result_summary(result)->colliding);
    }
    return status;
}

// Query and draw two crossing balls. Returns false on an error, which is printed.
static bool draw_balls(grz_device *device, grz_error *error)
{
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    grz_mesh *mesh = test_mesh_upload(device, &ball);
    grz_object objects[2] = {grz_object_at_origin(mesh), grz_object_at_origin(mesh)};
    grz_picture_options options = grz_default_picture_options();
    grz_result *result = test_result_create(device);
    grz_collide_options collide_options = grz_default_collide_options();
    uint8_t pixels[4 * WIDTH * HEIGHT];
    options.width = WIDTH;
    options.height = HEIGHT;
    objects[1].pose = grz_pose_from_translation(1.0, 0.25, 0.0);
    collide_options.find = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES;
    assert_int_equal(grz_collide(device, &objects[0], &objects[1], &collide_options, result, NULL), GRZ_OK);
    grz_status status = grz_picture_draw(device, objects, 2, result, &options, pixels, NULL, error);
    if (status == GRZ_OK)
        status = compare_heights(device, objects, result, error);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&ball);
    return status == GRZ_OK;
}

enum {
    NUMBERS = 77,
    PLACES = 16,
    UNITS = 4 // texture units
};

static const GLenum numbers[NUMBERS] = {GL_CURRENT_PROGRAM,
                                        GL_VERTEX_ARRAY_BINDING,
                                        GL_DRAW_FRAMEBUFFER_BINDING,
                                        GL_READ_FRAMEBUFFER_BINDING,
                                        GL_RENDERBUFFER_BINDING,
                                        GL_ARRAY_BUFFER_BINDING,
                                        GL_ELEMENT_ARRAY_BUFFER_BINDING,
                                        GL_COPY_READ_BUFFER_BINDING,
                                        GL_COPY_WRITE_BUFFER_BINDING,
                                        GL_DRAW_INDIRECT_BUFFER_BINDING,
                                        GL_DISPATCH_INDIRECT_BUFFER_BINDING,
                                        GL_PIXEL_PACK_BUFFER_BINDING,
                                        GL_PIXEL_UNPACK_BUFFER_BINDING,
                                        GL_SHADER_STORAGE_BUFFER_BINDING,
                                        GL_UNIFORM_BUFFER_BINDING,
                                        GL_ACTIVE_TEXTURE,
                                        GL_TEXTURE_BINDING_2D,
                                        GL_SAMPLER_BINDING,
                                        GL_LOGIC_OP_MODE,
                                        GL_DEPTH_FUNC,
                                        GL_POLYGON_MODE,
                                        GL_CLIP_ORIGIN,
                                        GL_CLIP_DEPTH_MODE,
                                        GL_PROVOKING_VERTEX,
                                        GL_DEPTH_WRITEMASK,
                                        GL_CULL_FACE_MODE,
                                        GL_FRONT_FACE,
                                        GL_STENCIL_WRITEMASK,
                                        GL_DEPTH_TEST,
                                        GL_CULL_FACE,
                                        GL_COLOR_LOGIC_OP,
                                        GL_STENCIL_TEST,
                                        GL_DITHER,
                                        GL_MULTISAMPLE,
                                        GL_RASTERIZER_DISCARD,
                                        GL_DEPTH_CLAMP,
                                        GL_FRAMEBUFFER_SRGB,
                                        GL_PRIMITIVE_RESTART,
                                        GL_PRIMITIVE_RESTART_FIXED_INDEX,
                                        GL_PROGRAM_POINT_SIZE,
                                        GL_POLYGON_OFFSET_FILL,
                                        GL_SAMPLE_ALPHA_TO_COVERAGE,
                                        GL_SAMPLE_MASK,
                                        GL_SAMPLE_SHADING,
                                        GL_CLIP_DISTANCE0,
                                        GL_CLIP_DISTANCE3,
                                        GL_PACK_ALIGNMENT,
                                        GL_PACK_ROW_LENGTH,
                                        GL_PACK_SKIP_ROWS,
                                        GL_PACK_SKIP_PIXELS,
                                        GL_PACK_SWAP_BYTES,
                                        GL_PACK_LSB_FIRST,
                                        GL_UNPACK_ALIGNMENT,
                                        GL_DEBUG_OUTPUT,
                                        GL_LINE_WIDTH,
                                        GL_POINT_SIZE,
                                        GL_PATCH_VERTICES,
                                        GL_SAMPLE_BUFFERS,
                                        GL_TRANSFORM_FEEDBACK_ACTIVE,
                                        GL_TRANSFORM_FEEDBACK_PAUSED,
                                        GL_DRAW_BUFFER,
                                        GL_READ_BUFFER,
                                        GL_SCISSOR_TEST,
                                        GL_BLEND,
                                        GL_STENCIL_FUNC,
                                        GL_STENCIL_REF,
                                        GL_STENCIL_VALUE_MASK,
                                        GL_STENCIL_FAIL,
                                        GL_STENCIL_PASS_DEPTH_FAIL,
                                        GL_STENCIL_PASS_DEPTH_PASS,
                                        GL_STENCIL_BACK_FUNC,
                                        GL_STENCIL_BACK_REF,
                                        GL_STENCIL_BACK_VALUE_MASK,
                                        GL_STENCIL_BACK_WRITEMASK,
                                        GL_STENCIL_BACK_FAIL,
                                        GL_STENCIL_BACK_PASS_DEPTH_FAIL,
                                        GL_STENCIL_BACK_PASS_DEPTH_PASS};

// The state of a context, as far as it can be queried.
typedef struct told {
    GLint numbers[NUMBERS][4];
    GLfloat viewports[PLACES][4], clear[4];
    GLdouble depths[PLACES][2];
    GLint scissors[PLACES][4], storage[PLACES], uniform[PLACES], images[8], blend[8][7];
    GLint64 storage_start[PLACES], storage_size[PLACES];
    GLboolean scissored[PLACES], masks[8][4];
    GLint flat_textures[UNITS], solid_textures[UNITS], samplers[UNITS];
} told;

static void ask_context(told *t)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < NUMBERS; i++)
        glGetIntegerv(numbers[i], t->numbers[i]);
    glGetFloatv(GL_COLOR_CLEAR_VALUE, t->clear);
    for (GLuint i = 0; i < PLACES; i++) {
        glGetFloati_v(GL_VIEWPORT, i, t->viewports[i]);
        glGetDoublei_v(GL_DEPTH_RANGE, i, t->depths[i]);
        glGetIntegeri_v(GL_SCISSOR_BOX, i, t->scissors[i]);
        t->scissored[i] = glIsEnabledi(GL_SCISSOR_TEST, i);
        glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, i, &t->storage[i]);
        glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START, i, &t->storage_start[i]);
        glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, i, &t->storage_size[i]);
        glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, i, &t->uniform[i]);
    }
    for (GLuint i = 0; i < 8; i++) {
        glGetIntegeri_v(GL_IMAGE_BINDING_NAME, i, &t->images[i]);
        t->blend[i][0] = glIsEnabledi(GL_BLEND, i);
        glGetIntegeri_v(GL_BLEND_SRC_RGB, i, &t->blend[i][1]);
        glGetIntegeri_v(GL_BLEND_SRC_ALPHA, i, &t->blend[i][2]);
        glGetIntegeri_v(GL_BLEND_DST_RGB, i, &t->blend[i][3]);
        glGetIntegeri_v(GL_BLEND_DST_ALPHA, i, &t->blend[i][4]);
        glGetIntegeri_v(GL_BLEND_EQUATION_RGB, i, &t->blend[i][5]);
        glGetIntegeri_v(GL_BLEND_EQUATION_ALPHA, i, &t->blend[i][6]);
        glGetBooleani_v(GL_COLOR_WRITEMASK, i, t->masks[i]);
    }
    for (GLuint i = 0; i < UNITS; i++) {
        glGetIntegeri_v(GL_TEXTURE_BINDING_2D, i, &t->flat_textures[i]);
        glGetIntegeri_v(GL_TEXTURE_BINDING_3D, i, &t->solid_textures[i]);
        glGetIntegeri_v(GL_SAMPLER_BINDING, i, &t->samplers[i]);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

// Textures of two kinds and samplers in the first units, a stencil test that differs between both sides, and faces that
// are culled and wound the unusual way. Unit 1 has no two-dimensional texture.
static void make_textures_and_faces_unusual(GLuint texture)
{
    GLuint solid, samplers[UNITS];
    glCreateTextures(GL_TEXTURE_3D, 1, &solid);
    glTextureStorage3D(solid, 1, GL_R32UI, 4, 4, 4);
    glCreateSamplers(UNITS, samplers);
    for (GLuint i = 0; i < UNITS; i++) {
        glActiveTexture(GL_TEXTURE0 + i);
        if (i != 1)
            glBindTexture(GL_TEXTURE_2D, texture);
        glBindTexture(GL_TEXTURE_3D, solid);
        glBindSampler(i, samplers[i]);
    }
    glActiveTexture(GL_TEXTURE5);
    glCullFace(GL_FRONT_AND_BACK);
    glFrontFace(GL_CW);
    glStencilFuncSeparate(GL_FRONT, GL_LEQUAL, 3, 0x5a);
    glStencilFuncSeparate(GL_BACK, GL_GREATER, 7, 0xa5);
    glStencilMaskSeparate(GL_FRONT, 0x3c);
    glStencilMaskSeparate(GL_BACK, 0xc3);
    glStencilOpSeparate(GL_FRONT, GL_ZERO, GL_INVERT, GL_INCR);
    glStencilOpSeparate(GL_BACK, GL_DECR, GL_INCR_WRAP, GL_DECR_WRAP);
}

// Put a context into an unusual state, so that any change to a usual value shows.
static void make_unusual(GLuint buffers[4], GLuint *framebuffer, GLuint *vertex_array, GLuint *texture)
{
    glCreateBuffers(4, buffers);
    for (int i = 0; i < 4; i++)
        glNamedBufferData(buffers[i], 4096, NULL, GL_STATIC_DRAW);
    glCreateTextures(GL_TEXTURE_2D, 1, texture);
    glTextureStorage2D(*texture, 1, GL_R32UI, 8, 8);
    glCreateFramebuffers(1, framebuffer);
    glCreateVertexArrays(1, vertex_array);
    glBindVertexArray(*vertex_array);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    for (GLuint i = 0; i < 8; i++)
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, i, buffers[i % 3], 256 * (GLintptr)i, 512);
    for (GLuint i = 0; i < 4; i++)
        glBindBufferBase(GL_UNIFORM_BUFFER, i, buffers[i]);
    for (GLuint i = 0; i < 8; i++)
        glBindImageTexture(i, *texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[3]);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[2]);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffers[1]);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[0]);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffers[1]);
    for (int i = 28; i < 46; i++)
        if (numbers[i] != GL_RASTERIZER_DISCARD && numbers[i] != GL_DITHER)
            glEnable(numbers[i]);
    glEnable(GL_RASTERIZER_DISCARD);
    glDisable(GL_DITHER);
    glLogicOp(GL_XOR);
    glDepthFunc(GL_NOTEQUAL);
    glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    glClipControl(GL_UPPER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    glDepthMask(GL_FALSE);
    glPixelStorei(GL_PACK_ALIGNMENT, 8);
    glPixelStorei(GL_PACK_ROW_LENGTH, 77);
    glPixelStorei(GL_PACK_SKIP_ROWS, 3);
    glPixelStorei(GL_PACK_SWAP_BYTES, GL_TRUE);
    glPointSize(3.0f);
    make_textures_and_faces_unusual(*texture);
    for (GLuint i = 0; i < PLACES; i++) {
        glViewportIndexedf(i, (GLfloat)i, 1.0f, 7.0f, 9.0f);
        glDepthRangeIndexed(i, 0.25, 0.75);
        glScissorIndexed(i, (GLint)i, 2, 3, 4);
        glEnablei(GL_SCISSOR_TEST, i);
    }
    for (GLuint i = 0; i < 8; i++) {
        glEnablei(GL_BLEND, i);
        glBlendFuncSeparatei(i, GL_DST_COLOR, GL_SRC_ALPHA, GL_ZERO, GL_DST_ALPHA);
        glBlendEquationSeparatei(i, GL_MAX, GL_MIN);
        glColorMaski(i, GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

// In the caller's context all state that can be queried is unchanged, even an error that the caller has not read yet.
static void a_callers_context_is_left_as_it_was(void **state)
{
    (void)state;
    grz_context foreign = open_foreign();
    GLuint buffers[4], framebuffer, vertex_array, texture;
    told before, after;
    make_unusual(buffers, &framebuffer, &vertex_array, &texture);
    ask_context(&before);
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    grz_error error = {0};
    options.kind = GRZ_DEVICE_GL_CURRENT;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_OK);
    const GLenum errors[] = {GL_NO_ERROR, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION,
                             GL_INVALID_FRAMEBUFFER_OPERATION};
    for (int i = 0; i < 5; i++) {
        GLuint incomplete;
        if (errors[i] == GL_INVALID_ENUM)
            glEnable(GL_TEXTURE_BINDING_2D);
        if (errors[i] == GL_INVALID_VALUE)
            glViewport(0, 0, -1, 1);
        if (errors[i] == GL_INVALID_OPERATION)
            glUniform1f(12, 1.0f);
        if (errors[i] == GL_INVALID_FRAMEBUFFER_OPERATION) {
            glCreateFramebuffers(1, &incomplete);
            glBlitNamedFramebuffer(incomplete, incomplete, 0, 0, 1, 1, 0, 0, 1, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST);
            glDeleteFramebuffers(1, &incomplete);
        }
        if (!draw_balls(device, &error))
            fail_msg("%s", error.message);
        assert_int_equal(glGetError(), errors[i]);
        ask_context(&after);
        for (int j = 0; j < NUMBERS; j++)
            if (memcmp(before.numbers[j], after.numbers[j], sizeof before.numbers[j]) != 0)
                fail_msg("state 0x%x was %d, is %d", numbers[j], before.numbers[j][0], after.numbers[j][0]);
        assert_memory_equal(&before, &after, sizeof before);
    }
    test_gl_device_close(device);
    ask_context(&after);
    assert_memory_equal(&before, &after, sizeof before);
    close_foreign(&foreign);
}

// A program of one vertex shader; `separable` for pipelines.
static GLuint make_program(bool separable)
{
    static const char *const source =
        "#version 450\nlayout(location = 0) uniform int x; out gl_PerVertex { vec4 gl_Position; };\n"
        "void main() { gl_Position = vec4(float(x)); }\n";
    const GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
    GLint linked = GL_FALSE;
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, separable ? GL_TRUE : GL_FALSE);
    glLinkProgram(program);
    glDeleteShader(shader);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    assert_true(linked != GL_FALSE);
    return program;
}

static void a_callers_programs_stay_in_use(void **state)
{
    (void)state;
    grz_context foreign = open_foreign();
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    grz_error error = {0};
    GLuint pipeline;
    GLint value = 0, current = 0;
    options.kind = GRZ_DEVICE_GL_CURRENT;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_OK);
    // A pipeline's active program takes uniforms where no program is in use; an error is pending.
    const GLuint part = make_program(true);
    glCreateProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, part);
    glActiveShaderProgram(pipeline, part);
    glBindProgramPipeline(pipeline);
    glUniform1i(0, 42);
    glUniform1f(12, 1.0f);
    assert_true(draw_balls(device, &error));
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glGetUniformiv(part, 0, &value);
    assert_int_equal(value, 42);
    glDeleteProgramPipelines(1, &pipeline);
    glDeleteProgram(part);
    // A deleted program exists as long as it is in use. It could not be restored, so the call is refused.
    const GLuint gone = make_program(false);
    glUseProgram(gone);
    glDeleteProgram(gone);
    assert_false(draw_balls(device, &error));
    assert_non_null(strstr(error.message, "glUseProgram(0)"));
    glGetIntegerv(GL_CURRENT_PROGRAM, &current);
    assert_int_equal(current, gone);
    glUseProgram(0);
    assert_true(draw_balls(device, &error));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    test_gl_device_close(device);
    close_foreign(&foreign);
}

// A context of the compatibility profile has state that the library does not restore. So it cannot be the device's
// context, but the device's context can share objects with it.
static void a_compatibility_context_is_refused(void **state)
{
    (void)state;
    grz_context core = open_foreign();
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                             4,
                             EGL_CONTEXT_MINOR_VERSION,
                             5,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                             EGL_NONE};
    grz_context compatible = {.display = core.display, .surface = EGL_NO_SURFACE};
    compatible.context = eglCreateContext(core.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (compatible.context == EGL_NO_CONTEXT) { // not all drivers have any
        close_foreign(&core);
        test_skip_one("this driver has no compatibility context");
    }
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    grz_error error = {0};
    assert_true(grz_context_make_current(&compatible));
    options.kind = GRZ_DEVICE_GL_CURRENT;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "core profile"));
    options.kind = GRZ_DEVICE_GL;
    options.share = true;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_OK);
    assert_true(draw_balls(device, &error));
    test_gl_device_close(device);
    close_foreign(&compatible);
    grz_context_close(&core);
}

static void a_callers_context_must_be_current(void **state)
{
    (void)state;
    grz_context foreign = open_foreign();
    grz_device_options options = grz_default_device_options();
    const grz_current own = grz_current_save(), nothing = {.context = EGL_NO_CONTEXT, .api = own.api};
    grz_renderer renderer;
    grz_device *device;
    grz_error error = {0};
    options.kind = GRZ_DEVICE_GL_CURRENT;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_OK);
    grz_current_restore(&nothing, &foreign);
    assert_int_equal(grz_device_renderer(device, &renderer, &error), GRZ_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "not current"));
    grz_context another = open_foreign();
    assert_int_equal(grz_device_renderer(device, &renderer, &error), GRZ_ERROR_DEVICE);
    close_foreign(&another);
    grz_current_restore(&own, &foreign);
    assert_int_equal(grz_device_renderer(device, &renderer, &error), GRZ_OK);
    test_gl_device_close(device);
    close_foreign(&foreign);
}

// A shared context of the device sees the caller's buffers and changes no state of the caller's context.
static void a_shared_context_sees_the_callers_buffers(void **state)
{
    (void)state;
    grz_context foreign = open_foreign();
    grz_device_options options = grz_default_device_options();
    const uint32_t written[4] = {4, 8, 15, 16};
    uint32_t read[4] = {0};
    GLuint buffers[4], framebuffer, vertex_array, texture, shared;
    told before, after;
    grz_device *device;
    grz_gl *gl;
    grz_error error = {0};
    make_unusual(buffers, &framebuffer, &vertex_array, &texture);
    glCreateBuffers(1, &shared);
    glNamedBufferStorage(shared, sizeof written, written, 0);
    glFinish();
    ask_context(&before);
    options.kind = GRZ_DEVICE_GL;
    options.share = true;
    assert_int_equal(grz_device_open(&options, &device, &error), GRZ_OK);
    assert_int_equal(grz_gl_enter(device, "test", &gl, &error), GRZ_OK);
    assert_ptr_not_equal(eglGetCurrentContext(), foreign.context);
    glGetNamedBufferSubData(shared, 0, sizeof read, read);
    assert_int_equal(grz_gl_leave(gl, GRZ_OK, &error), GRZ_OK);
    assert_memory_equal(read, written, sizeof read);
    if (!draw_balls(device, &error))
        fail_msg("%s", error.message);
    ask_context(&after);
    assert_memory_equal(&before, &after, sizeof before);
    test_gl_device_close(device);
    close_foreign(&foreign);
}

static void failures_are_errors_of_the_call(void **state)
{
    (void)state;
    static const char bad[] = "#version 450\nvoid main() { gl_Position = nonsense; }\n";
    static const char good[] =
        "#version 450\nin vec3 nobody;\nout vec4 shown;\nvoid main() { shown = vec4(nobody, 1.0); }\n";
    static const char lonely[] =
        "#version 450\nout vec2 nobody;\nvoid main() { nobody = vec2(0.0); gl_Position = vec4(0.0); }\n";
    static const grz_gl_stage bad_stage = {GL_VERTEX_SHADER, "bad.vert", (const unsigned char *)bad, sizeof bad - 1};
    static const grz_gl_stage good_stage = {GL_FRAGMENT_SHADER, "good.frag", (const unsigned char *)good,
                                            sizeof good - 1};
    static const grz_gl_stage lonely_stage = {GL_VERTEX_SHADER, "lonely.vert", (const unsigned char *)lonely,
                                              sizeof lonely - 1};
    static const grz_gl_program_source bad_program = {"bad", {&bad_stage, NULL, NULL}};
    static const grz_gl_program_source unfit = {"unfit", {&lonely_stage, &good_stage, NULL}};
    grz_device *device = test_gl_device_open();
    grz_gl_buffer buffer = {0};
    grz_error error = {0};
    GLuint program;
    grz_gl *gl;
    assert_int_equal(grz_gl_enter(device, "test", &gl, &error), GRZ_OK);
    assert_int_equal(grz_gl_program(gl, &bad_program, &program, &error), GRZ_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "bad.vert"));
    assert_non_null(strstr(error.message, "nonsense")); // the driver's log
    assert_int_equal(grz_gl_program(gl, &unfit, &program, &error), GRZ_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "link unfit"));
    assert_int_equal(grz_gl_buffer_reserve(gl, &buffer, UINT64_C(1) << 50, "an ocean", &error), GRZ_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "an ocean"));
    assert_int_equal(grz_gl_buffer_reserve(gl, &buffer, 100, "a drop", &error), GRZ_OK);
    grz_gl_buffer_finish(gl, &buffer);
    glEnable(GL_TEXTURE_BINDING_2D);
    assert_int_equal(grz_gl_leave(gl, GRZ_OK, &error), GRZ_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "GL_INVALID_ENUM"));
    assert_int_equal(grz_gl_enter(device, "test", &gl, &error), GRZ_OK); // and goes on
    assert_int_equal(grz_gl_leave(gl, GRZ_OK, &error), GRZ_OK);
    test_gl_device_close(device);
}

// No driver loses a context on demand, so the test sets the flag for a lost context.
static void a_lost_context_is_an_error_and_can_be_closed(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    grz_error error = {0};
    grz_gl_of(device)->lost = true;
    assert_false(draw_balls(device, &error));
    assert_int_equal(error.code, GRZ_ERROR_DEVICE);
    assert_non_null(strstr(error.message, "lost"));
    grz_device_close(device);
    device = test_gl_device_open();
    assert_true(draw_balls(device, &error));
    test_gl_device_close(device);
}

typedef struct other_thread {
    grz_device *device;
    grz_error error;
    bool drawn;
} other_thread;

static void *draw_elsewhere(void *context)
{
    other_thread *other = context;
    grz_device_options options = grz_default_device_options();
    options.kind = GRZ_DEVICE_GL;
    options.threads = 1;
    if (other->device == NULL && grz_device_open(&options, &other->device, &other->error) != GRZ_OK)
        return NULL;
    grz_renderer renderer;
    other->drawn = grz_device_renderer(other->device, &renderer, &other->error) == GRZ_OK;
    return NULL;
}

static void one_thread_at_a_time(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    other_thread other = {.device = device};
    pthread_t thread;
    grz_gl *gl;
    assert_int_equal(grz_gl_enter(device, "test", &gl, NULL), GRZ_OK);
    assert_int_equal(pthread_create(&thread, NULL, draw_elsewhere, &other), 0);
    pthread_join(thread, NULL);
    assert_false(other.drawn);
    assert_int_equal(other.error.code, GRZ_ERROR_BUSY);
    assert_int_equal(grz_gl_leave(gl, GRZ_OK, NULL), GRZ_OK);
    assert_int_equal(pthread_create(&thread, NULL, draw_elsewhere, &other), 0); // any thread
    pthread_join(thread, NULL);
    assert_true(other.drawn);
    test_gl_device_close(device);
}

static void *draw_much(void *context)
{
    other_thread *other = context;
    other->drawn = true;
    for (int i = 0; i < 5 && other->drawn; i++)
        other->drawn = draw_balls(other->device, &other->error);
    return NULL;
}

static void two_devices_on_two_threads(void **state)
{
    (void)state;
    other_thread others[2] = {{.device = test_gl_device_open()}, {.device = test_gl_device_open()}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, draw_much, &others[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        if (!others[i].drawn)
            fail_msg("%s", others[i].error.message);
        test_gl_device_close(others[i].device);
    }
}

static void *destroy_mesh(void *context)
{
    grz_mesh_destroy(context);
    return NULL;
}

// A mesh is destroyed on a thread without a context. Its buffers are deleted when the device is used next.
static void objects_of_other_threads_are_deleted_later(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    grz_mesh *mesh = test_mesh_upload(device, &ball);
    const grz_object object = grz_object_at_origin(mesh);
    grz_picture_options options = grz_default_picture_options();
    uint8_t pixels[4 * WIDTH * HEIGHT];
    pthread_t thread;
    options.width = WIDTH;
    options.height = HEIGHT;
    assert_int_equal(grz_picture_draw(device, &object, 1, NULL, &options, pixels, NULL, NULL), GRZ_OK);
    const uint64_t with_mesh = grz_gl_object_count(device);
    assert_int_equal(pthread_create(&thread, NULL, destroy_mesh, mesh), 0);
    pthread_join(thread, NULL);
    grz_renderer renderer;
    assert_int_equal(grz_device_renderer(device, &renderer, NULL), GRZ_OK);
    assert_true(grz_gl_object_count(device) < with_mesh);
    test_mesh_finish(&ball);
    test_gl_device_close(device);
}

// In a child process: 0 if OpenGL is refused on the parent's device and on a new one, and the device can be closed.
static int refused_in_the_child(grz_device *device)
{
    grz_device_options options = grz_default_device_options();
    grz_error error = {0};
    grz_device *other = NULL;
    grz_gl *gl;
    options.kind = GRZ_DEVICE_GL;
    if (grz_gl_enter(device, "test", &gl, &error) != GRZ_ERROR_DEVICE || strstr(error.message, "fork()") == NULL)
        return 1;
    if (grz_device_open(&options, &other, &error) != GRZ_ERROR_DEVICE || strstr(error.message, "fork()") == NULL)
        return 2;
    options.kind = GRZ_DEVICE_GL_CURRENT;
    if (grz_device_open(&options, &other, &error) != GRZ_ERROR_DEVICE || strstr(error.message, "fork()") == NULL)
        return 3;
    grz_device_close(device);
    return 0;
}

static void after_a_fork_opengl_is_refused(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    grz_gl *gl;
    int ended = -1;
    assert_int_equal(grz_gl_enter(device, "test", &gl, NULL), GRZ_OK);
    assert_int_equal(grz_gl_leave(gl, GRZ_OK, NULL), GRZ_OK);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); // a driver that waits for its threads waits forever
        _exit(refused_in_the_child(device));
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
    test_gl_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_renderer_has_a_description),
        cmocka_unit_test(kinds_of_devices),
        cmocka_unit_test(devices_open_and_close_again_and_again),
        cmocka_unit_test(the_current_context_is_restored),
        cmocka_unit_test(a_callers_context_is_left_as_it_was),
        cmocka_unit_test(a_callers_programs_stay_in_use),
        cmocka_unit_test(a_compatibility_context_is_refused),
        cmocka_unit_test(a_callers_context_must_be_current),
        cmocka_unit_test(a_shared_context_sees_the_callers_buffers),
        cmocka_unit_test(failures_are_errors_of_the_call),
        cmocka_unit_test(a_lost_context_is_an_error_and_can_be_closed),
        cmocka_unit_test(one_thread_at_a_time),
        cmocka_unit_test(two_devices_on_two_threads),
        cmocka_unit_test(objects_of_other_threads_are_deleted_later),
        cmocka_unit_test(after_a_fork_opengl_is_refused),
    };
    return test_gl_is_here() ? test_exit_status(cmocka_run_group_tests(tests, NULL, NULL)) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
