// SPDX-License-Identifier: MIT
// Saves and restores the OpenGL state that our work changes: bindings of programs, buffers, images, textures,
// framebuffers and vertex arrays; enable flags, masks, viewports, pixel storage. Our work must not change any other
// state. In a caller's context the state is read before the work and written back after it. Some state cannot be read:
// a conditional render or a query must have been ended by the caller (docs/reference/devices.md).
#include <assert.h>
#include <stddef.h>

#include "gl/context.h"

// How many of each kind are saved. Our work uses no higher index.
enum {
    MOST_ERRORS = 8,
    VIEWPORTS = 16,
    DRAW_BUFFERS = 8,
    STORAGE = 16, // shader storage bindings
    UNIFORM = 4,  // uniform buffer bindings
    IMAGES = 8,   // image units
    TEXTURES = 4  // texture units, of two-dimensional textures
};

static const GLenum switches[] = {GL_CULL_FACE,
                                  GL_COLOR_LOGIC_OP,
                                  GL_DEPTH_CLAMP,
                                  GL_DEPTH_TEST,
                                  GL_DITHER,
                                  GL_FRAMEBUFFER_SRGB,
                                  GL_LINE_SMOOTH,
                                  GL_MULTISAMPLE,
                                  GL_POLYGON_OFFSET_FILL,
                                  GL_POLYGON_SMOOTH,
                                  GL_PRIMITIVE_RESTART,
                                  GL_PRIMITIVE_RESTART_FIXED_INDEX,
                                  GL_PROGRAM_POINT_SIZE,
                                  GL_RASTERIZER_DISCARD,
                                  GL_SAMPLE_ALPHA_TO_COVERAGE,
                                  GL_SAMPLE_ALPHA_TO_ONE,
                                  GL_SAMPLE_COVERAGE,
                                  GL_SAMPLE_MASK,
                                  GL_SAMPLE_SHADING,
                                  GL_STENCIL_TEST,
                                  GL_CLIP_DISTANCE0,
                                  GL_CLIP_DISTANCE1,
                                  GL_CLIP_DISTANCE2,
                                  GL_CLIP_DISTANCE3,
                                  GL_CLIP_DISTANCE4,
                                  GL_CLIP_DISTANCE5,
                                  GL_CLIP_DISTANCE6,
                                  GL_CLIP_DISTANCE7};

static const GLenum pack_numbers[] = {GL_PACK_ALIGNMENT,    GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS,
                                      GL_PACK_SKIP_PIXELS,  GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST,
                                      GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_IMAGES};

enum {
    SWITCH_COUNT = sizeof switches / sizeof *switches,
    PACK_COUNT = sizeof pack_numbers / sizeof *pack_numbers
};

// A buffer bound to an indexed binding point: all of it (size 0) or a range.
typedef struct indexed_buffer {
    GLint name;
    GLint64 start, size;
} indexed_buffer;

typedef struct image_unit {
    GLint name, level, layered, layer, access, format;
} image_unit;

typedef struct blending {
    GLint source_color, source_alpha, color, alpha, equation_color, equation_alpha;
    GLboolean on, mask[4];
} blending;

typedef struct stencil_side {
    GLint func, reference, read_mask, write_mask, fail, depth_fail, depth_pass;
} stencil_side;

struct grz_state {
    GLenum errors[MOST_ERRORS];
    size_t error_count;
    GLboolean on[SWITCH_COUNT], scissors[VIEWPORTS];
    GLint scissor_boxes[VIEWPORTS][4];
    GLint pack[PACK_COUNT];
    GLint program, vertex_array, draw_framebuffer, read_framebuffer;
    GLint array_buffer, draw_indirect, dispatch_indirect, pixel_pack, storage, uniform, renderbuffer;
    GLint logic_op, depth_func, polygon_mode[2], clip_origin, clip_depth, provoking_vertex, cull_face, front_face;
    stencil_side stencil_front, stencil_back;
    GLboolean depth_mask;
    GLfloat viewports[VIEWPORTS][4], line_width, point_size;
    GLdouble depth_ranges[VIEWPORTS][2];
    blending blend[DRAW_BUFFERS];
    indexed_buffer storage_at[STORAGE], uniform_at[UNIFORM];
    image_unit images[IMAGES];
    GLint textures[TEXTURES], samplers[TEXTURES];
    GLint transform_feedback, transform_feedback_active, transform_feedback_paused;
};

static void save_indexed(GLenum name, GLenum start, GLenum size, indexed_buffer *buffers, GLuint count)
{
    for (GLuint i = 0; i < count; i++) {
        glGetIntegeri_v(name, i, &buffers[i].name);
        glGetInteger64i_v(start, i, &buffers[i].start);
        glGetInteger64i_v(size, i, &buffers[i].size);
    }
}

static void restore_indexed(GLenum target, const indexed_buffer *buffers, GLuint count)
{
    for (GLuint i = 0; i < count; i++)
        if (buffers[i].name != 0 && buffers[i].size != 0)
            glBindBufferRange(target, i, (GLuint)buffers[i].name, buffers[i].start, buffers[i].size);
        else
            glBindBufferBase(target, i, (GLuint)buffers[i].name);
}

static void save_bindings(grz_state *state)
{
    glGetIntegerv(GL_CURRENT_PROGRAM, &state->program);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &state->vertex_array);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &state->draw_framebuffer);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &state->read_framebuffer);
    glGetIntegerv(GL_RENDERBUFFER_BINDING, &state->renderbuffer);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &state->array_buffer);
    glGetIntegerv(GL_DRAW_INDIRECT_BUFFER_BINDING, &state->draw_indirect);
    glGetIntegerv(GL_DISPATCH_INDIRECT_BUFFER_BINDING, &state->dispatch_indirect);
    glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &state->pixel_pack);
    glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &state->storage);
    glGetIntegerv(GL_UNIFORM_BUFFER_BINDING, &state->uniform);
    save_indexed(GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START, GL_SHADER_STORAGE_BUFFER_SIZE,
                 state->storage_at, STORAGE);
    save_indexed(GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE, state->uniform_at,
                 UNIFORM);
    for (GLuint i = 0; i < IMAGES; i++) {
        image_unit *unit = &state->images[i];
        glGetIntegeri_v(GL_IMAGE_BINDING_NAME, i, &unit->name);
        glGetIntegeri_v(GL_IMAGE_BINDING_LEVEL, i, &unit->level);
        glGetIntegeri_v(GL_IMAGE_BINDING_LAYERED, i, &unit->layered);
        glGetIntegeri_v(GL_IMAGE_BINDING_LAYER, i, &unit->layer);
        glGetIntegeri_v(GL_IMAGE_BINDING_ACCESS, i, &unit->access);
        glGetIntegeri_v(GL_IMAGE_BINDING_FORMAT, i, &unit->format);
    }
    for (GLuint i = 0; i < TEXTURES; i++) {
        glGetIntegeri_v(GL_TEXTURE_BINDING_2D, i, &state->textures[i]);
        glGetIntegeri_v(GL_SAMPLER_BINDING, i, &state->samplers[i]);
    }
}

// Binding the name 0 by glBindTextureUnit() would unbind textures of all targets.
static void restore_texture(GLuint unit, GLuint name)
{
    GLint active;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, name);
    glActiveTexture((GLenum)active);
}

static void restore_bindings(const grz_state *state)
{
    for (GLuint i = 0; i < IMAGES; i++) {
        const image_unit *unit = &state->images[i];
        glBindImageTexture(i, (GLuint)unit->name, unit->level, (GLboolean)unit->layered, unit->layer,
                           (GLenum)unit->access, (GLenum)unit->format);
    }
    for (GLuint i = 0; i < TEXTURES; i++) {
        restore_texture(i, (GLuint)state->textures[i]);
        glBindSampler(i, (GLuint)state->samplers[i]);
    }
    restore_indexed(GL_SHADER_STORAGE_BUFFER, state->storage_at, STORAGE);
    restore_indexed(GL_UNIFORM_BUFFER, state->uniform_at, UNIFORM);
    glBindBuffer(GL_UNIFORM_BUFFER, (GLuint)state->uniform);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, (GLuint)state->storage);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)state->pixel_pack);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, (GLuint)state->dispatch_indirect);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, (GLuint)state->draw_indirect);
    glBindBuffer(GL_ARRAY_BUFFER, (GLuint)state->array_buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)state->renderbuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)state->read_framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)state->draw_framebuffer);
    glBindVertexArray((GLuint)state->vertex_array);
    glUseProgram((GLuint)state->program);
}

static void save_stencil(grz_state *state)
{
    stencil_side *front = &state->stencil_front, *back = &state->stencil_back;
    glGetIntegerv(GL_STENCIL_FUNC, &front->func);
    glGetIntegerv(GL_STENCIL_REF, &front->reference);
    glGetIntegerv(GL_STENCIL_VALUE_MASK, &front->read_mask);
    glGetIntegerv(GL_STENCIL_WRITEMASK, &front->write_mask);
    glGetIntegerv(GL_STENCIL_FAIL, &front->fail);
    glGetIntegerv(GL_STENCIL_PASS_DEPTH_FAIL, &front->depth_fail);
    glGetIntegerv(GL_STENCIL_PASS_DEPTH_PASS, &front->depth_pass);
    glGetIntegerv(GL_STENCIL_BACK_FUNC, &back->func);
    glGetIntegerv(GL_STENCIL_BACK_REF, &back->reference);
    glGetIntegerv(GL_STENCIL_BACK_VALUE_MASK, &back->read_mask);
    glGetIntegerv(GL_STENCIL_BACK_WRITEMASK, &back->write_mask);
    glGetIntegerv(GL_STENCIL_BACK_FAIL, &back->fail);
    glGetIntegerv(GL_STENCIL_BACK_PASS_DEPTH_FAIL, &back->depth_fail);
    glGetIntegerv(GL_STENCIL_BACK_PASS_DEPTH_PASS, &back->depth_pass);
}

static void restore_stencil(GLenum face, const stencil_side *side)
{
    glStencilFuncSeparate(face, (GLenum)side->func, side->reference, (GLuint)side->read_mask);
    glStencilMaskSeparate(face, (GLuint)side->write_mask);
    glStencilOpSeparate(face, (GLenum)side->fail, (GLenum)side->depth_fail, (GLenum)side->depth_pass);
}

static void save_settings(grz_state *state)
{
    for (size_t i = 0; i < SWITCH_COUNT; i++)
        state->on[i] = glIsEnabled(switches[i]);
    for (size_t i = 0; i < PACK_COUNT; i++)
        glGetIntegerv(pack_numbers[i], &state->pack[i]);
    for (GLuint i = 0; i < VIEWPORTS; i++) {
        glGetFloati_v(GL_VIEWPORT, i, state->viewports[i]);
        glGetDoublei_v(GL_DEPTH_RANGE, i, state->depth_ranges[i]);
        state->scissors[i] = glIsEnabledi(GL_SCISSOR_TEST, i);
        glGetIntegeri_v(GL_SCISSOR_BOX, i, state->scissor_boxes[i]);
    }
    for (GLuint i = 0; i < DRAW_BUFFERS; i++) {
        blending *blend = &state->blend[i];
        blend->on = glIsEnabledi(GL_BLEND, i);
        glGetBooleani_v(GL_COLOR_WRITEMASK, i, blend->mask);
        glGetIntegeri_v(GL_BLEND_SRC_RGB, i, &blend->source_color);
        glGetIntegeri_v(GL_BLEND_SRC_ALPHA, i, &blend->source_alpha);
        glGetIntegeri_v(GL_BLEND_DST_RGB, i, &blend->color);
        glGetIntegeri_v(GL_BLEND_DST_ALPHA, i, &blend->alpha);
        glGetIntegeri_v(GL_BLEND_EQUATION_RGB, i, &blend->equation_color);
        glGetIntegeri_v(GL_BLEND_EQUATION_ALPHA, i, &blend->equation_alpha);
    }
    glGetIntegerv(GL_LOGIC_OP_MODE, &state->logic_op);
    glGetIntegerv(GL_DEPTH_FUNC, &state->depth_func);
    glGetIntegerv(GL_POLYGON_MODE, state->polygon_mode);
    glGetIntegerv(GL_CLIP_ORIGIN, &state->clip_origin);
    glGetIntegerv(GL_CLIP_DEPTH_MODE, &state->clip_depth);
    glGetIntegerv(GL_PROVOKING_VERTEX, &state->provoking_vertex);
    glGetIntegerv(GL_CULL_FACE_MODE, &state->cull_face);
    glGetIntegerv(GL_FRONT_FACE, &state->front_face);
    save_stencil(state);
    glGetBooleanv(GL_DEPTH_WRITEMASK, &state->depth_mask);
    glGetFloatv(GL_LINE_WIDTH, &state->line_width);
    glGetFloatv(GL_POINT_SIZE, &state->point_size);
}

static void set_switch(GLenum name, GLboolean on)
{
    if (on != GL_FALSE)
        glEnable(name);
    else
        glDisable(name);
}

static void set_switch_at(GLenum name, GLuint index, GLboolean on)
{
    if (on != GL_FALSE)
        glEnablei(name, index);
    else
        glDisablei(name, index);
}

static void restore_settings(const grz_state *state)
{
    for (size_t i = 0; i < SWITCH_COUNT; i++)
        set_switch(switches[i], state->on[i]);
    for (size_t i = 0; i < PACK_COUNT; i++)
        glPixelStorei(pack_numbers[i], state->pack[i]);
    glViewportArrayv(0, VIEWPORTS, state->viewports[0]);
    glDepthRangeArrayv(0, VIEWPORTS, state->depth_ranges[0]);
    glScissorArrayv(0, VIEWPORTS, state->scissor_boxes[0]);
    for (GLuint i = 0; i < VIEWPORTS; i++)
        set_switch_at(GL_SCISSOR_TEST, i, state->scissors[i]);
    for (GLuint i = 0; i < DRAW_BUFFERS; i++) {
        const blending *blend = &state->blend[i];
        set_switch_at(GL_BLEND, i, blend->on);
        glColorMaski(i, blend->mask[0], blend->mask[1], blend->mask[2], blend->mask[3]);
        glBlendFuncSeparatei(i, (GLenum)blend->source_color, (GLenum)blend->color, (GLenum)blend->source_alpha,
                             (GLenum)blend->alpha);
        glBlendEquationSeparatei(i, (GLenum)blend->equation_color, (GLenum)blend->equation_alpha);
    }
    glLogicOp((GLenum)state->logic_op);
    glDepthFunc((GLenum)state->depth_func);
    glPolygonMode(GL_FRONT_AND_BACK, (GLenum)state->polygon_mode[0]);
    glClipControl((GLenum)state->clip_origin, (GLenum)state->clip_depth);
    glProvokingVertex((GLenum)state->provoking_vertex);
    glCullFace((GLenum)state->cull_face);
    glFrontFace((GLenum)state->front_face);
    restore_stencil(GL_FRONT, &state->stencil_front);
    restore_stencil(GL_BACK, &state->stencil_back);
    glDepthMask(state->depth_mask);
    glLineWidth(state->line_width);
    glPointSize(state->point_size);
}

// Raise an OpenGL error again. The caller's pending errors were taken when the state was saved, to tell them from our
// own; this puts one back, by a call that is known to cause it.
static void raise_error(GLenum error)
{
    if (error == GL_INVALID_ENUM)
        glEnable(0);
    else if (error == GL_INVALID_VALUE)
        glClear(~(GLbitfield)0);
    else if (error == GL_INVALID_OPERATION)
        glUnmapNamedBuffer(0);
    else if (error == GL_INVALID_FRAMEBUFFER_OPERATION) {
        GLuint incomplete;
        glCreateFramebuffers(1, &incomplete);
        glBlitNamedFramebuffer(incomplete, incomplete, 0, 0, 1, 1, 0, 0, 1, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glDeleteFramebuffers(1, &incomplete);
    }
}

bool grz_state_holds_a_deleted_program(void)
{
    GLint program = 0, deleted = GL_FALSE;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    if (program != 0)
        glGetProgramiv((GLuint)program, GL_DELETE_STATUS, &deleted);
    return deleted != GL_FALSE;
}

grz_state *grz_state_save(const grz_allocator *allocator)
{
    grz_state *state = grz_allocate_zeroed(allocator, 1, sizeof *state);
    if (state == NULL)
        return NULL;
    GLenum error;
    while (state->error_count < MOST_ERRORS && (error = glGetError()) != GL_NO_ERROR)
        state->errors[state->error_count++] = error;
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_BINDING, &state->transform_feedback);
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_ACTIVE, &state->transform_feedback_active);
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_PAUSED, &state->transform_feedback_paused);
    if (state->transform_feedback_active != 0 && state->transform_feedback_paused == 0)
        glPauseTransformFeedback();
    save_bindings(state);
    save_settings(state);
    return state;
}

void grz_state_restore(const grz_allocator *allocator, grz_state *state)
{
    assert(state != NULL && state->error_count <= MOST_ERRORS);
    glUseProgram(0);
    for (size_t i = 0; i < state->error_count; i++)
        raise_error(state->errors[i]);
    restore_settings(state);
    restore_bindings(state);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, (GLuint)state->transform_feedback);
    if (state->transform_feedback_active != 0 && state->transform_feedback_paused == 0)
        glResumeTransformFeedback();
    grz_release(allocator, state, 1, sizeof *state);
}

void grz_state_reset(void)
{
    for (size_t i = 0; i < SWITCH_COUNT; i++)
        set_switch(switches[i], switches[i] == GL_MULTISAMPLE);
    for (size_t i = 0; i < PACK_COUNT; i++)
        glPixelStorei(pack_numbers[i], pack_numbers[i] == GL_PACK_ALIGNMENT ? 4 : 0);
    glDepthRange(0.0, 1.0);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBlendFunc(GL_ONE, GL_ZERO);
    glBlendEquation(GL_FUNC_ADD);
    glLogicOp(GL_COPY);
    glDepthFunc(GL_LESS);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    glCullFace(GL_BACK);
    glFrontFace(GL_CCW);
    glStencilFunc(GL_ALWAYS, 0, ~0u);
    glStencilMask(~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glDepthMask(GL_TRUE);
    glLineWidth(1.0f);
    glPointSize(1.0f);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}
