// SPDX-License-Identifier: MIT
// Draws an environment as usual, nearest surfaces first, or one layer of its surfaces. Objects of Graze can leave their
// numbers and normals; the rest is drawn by a callback. Source: J. Fabrizio, "Easy real-time collision detection",
// section 2; for layers: K. Myers, L. Bavoil, "Stencil routed A-buffer".
#include "image/environment/environment_draw.h"

#include <assert.h>
#include <math.h>

#include "base/fail.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "image/environment/depths.h"
#include "image/environment/environment_shaders.h"

static const double FLOAT_MARGIN = 0x1p-18, DOUBLE_MARGIN = 0x1p-44; // relative

static const grz_gl_program_source record_program = {
    "environment_record", {&grz_shader_environment_record_vert, &grz_shader_environment_record_frag, NULL}};

// The framebuffer to draw into, with a program, the depth test, and which fragments and faces it takes.
static grz_status begin(const grz_environment_picture *p, const grz_gl_program_source *source,
                        const int32_t viewport[4])
{
    GLuint program;
    const grz_status status = grz_gl_program(p->gl, source, &program, p->error);
    if (status != GRZ_OK)
        return status;
    glUseProgram(program);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, p->framebuffer);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    glEnable(GL_DEPTH_TEST);
    if (p->culled)
        glEnable(GL_CULL_FACE);
    if (p->takes == GRZ_TAKES_NEAREST)
        return GRZ_OK;
    glEnable(GL_STENCIL_TEST);
    if (p->takes == GRZ_TAKES_SILHOUETTE) {
        glStencilFunc(GL_EQUAL, 1, ~0u);
        return GRZ_OK;
    }
    glDepthFunc(GL_ALWAYS);
    glStencilFunc(GL_EQUAL, (GLint)p->layer, ~0u);
    glStencilOp(GL_INCR, GL_INCR, GL_INCR);
    return GRZ_OK;
}

// ---- Objects of Graze ---------------------------------------------------------------------------------------------

double grz_environment_forwards(const grz_object *object, const double away[3], double forwards[3])
{
    double most = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *m = object->pose.m[i];
        forwards[i] = grz_dot(m, away);
        most = fmax(most, fabs(forwards[i]));
    }
    for (int i = 0; i < 3 && most > 0.0; i++) {
        forwards[i] /= most;
        square += forwards[i] * forwards[i];
    }
    const double length = sqrt(square);
    for (int i = 0; i < 3 && most > 0.0; i++)
        forwards[i] /= length;
    return length * most;
}

// The linear part of a pose, in columns; the eye; the object's number.
static void set_recorded(const grz_environment_picture *p, const grz_view *view, uint32_t number,
                         const grz_object *object)
{
    double most = 0.0, forwards[3];
    float linear[9], eye[3];
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(object->pose.m[i / 3][i % 3]));
    grz_environment_forwards(p->inside, view->axes[2], forwards);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) // only directions matter: brought to size 1, so that floats hold them
            linear[3 * j + i] = most > 0.0 ? (float)(object->pose.m[i][j] / most) : 0.0f;
        eye[i] = (float)-forwards[i];
    }
    glUniformMatrix3fv(GRZ_AT_RECORD_LINEAR, 1, GL_FALSE, linear);
    glUniform3fv(GRZ_AT_RECORD_EYE, 1, eye);
    glUniform2ui(GRZ_AT_RECORD_ID, number, 0);
}

static bool is_drawn(const grz_environment_picture *p, const grz_object *other)
{
    return other != p->inside && (other->group & p->inside->mask) != 0 && (p->inside->group & other->mask) != 0;
}

// True if all of an object is certainly outside the view: its bounds miss those of the view along one of the view's
// axes, by more than floats of the graphics pipeline could be off.
static bool is_outside(const grz_view *view, const grz_object *object)
{
    const grz_solid_box bounds = grz_view_plain_box(&object->mesh->bounds),
                        box = grz_view_posed_box(object, &bounds, 0.0);
    bool outside = false;
    for (int i = 0; i < 3; i++) {
        double apart = 0.0, reach = view->half[i], sizes = 0.0;
        for (int j = 0; j < 3; j++) {
            apart += view->axes[i][j] * (box.centre[j] - view->centre[j]);
            sizes += fabs(box.centre[j]) + fabs(view->centre[j]) + fabs(object->pose.m[j][3]);
            reach += fabs(grz_dot(view->axes[i], box.edges[j]));
        }
        outside = outside || fabs(apart) > reach + (fabs(apart) + reach) * FLOAT_MARGIN + sizes * DOUBLE_MARGIN;
    }
    return outside;
}

static grz_status draw_object(const grz_environment_picture *p, const grz_view *view, uint32_t number,
                              const int32_t viewport[4])
{
    const grz_object *object = &p->environment->objects[number];
    const grz_gl_program_source *program = p->record != 0 ? &record_program : &grz_depths_program;
    const grz_mesh_buffers *buffers;
    grz_object relative = *object;
    if (!grz_pose_relative(&p->inside->pose, &object->pose, &relative.pose))
        return grz_fail(p->error, GRZ_ERROR_POSE, number,
                        "environment: object %u is too far away from what it surrounds", number);
    grz_status status = grz_mesh_buffers_get(object->mesh, p->control, &buffers, p->error);
    if (status == GRZ_OK && is_outside(view, &relative))
        return GRZ_OK;
    if (status == GRZ_OK)
        status = begin(p, program, viewport);
    if (status != GRZ_OK)
        return status;
    if (p->record != 0)
        set_recorded(p, view, number, object);
    status = grz_depths_draw(p->gl, view, &relative, buffers, p->control);
    grz_depths_end();
    return status;
}

// ---- The callback -------------------------------------------------------------------------------------------------

// The uniform block of a view (GRZ_ENVIRONMENT_BLOCK).
typedef struct block {
    float world_to_clip[16]; // columns
    float forwards[4];
    uint32_t view[4];
} block;

// A callback and what it is given.
typedef struct callback {
    const grz_environment *environment;
    const grz_environment_view *view;
} callback;

static grz_status call(void *user)
{
    const callback *c = user;
    return c->environment->draw(c->environment->user, c->view);
}

// The matrix from the world to a view, in rows. The pose has an inverse.
static void world_to_clip(const grz_object *inside, const grz_view *view, grz_environment_view *out)
{
    const grz_pose world = grz_pose_identity();
    grz_pose to_mesh;
    const bool has_inverse = grz_pose_relative(&inside->pose, &world, &to_mesh);
    assert(has_inverse);
    (void)has_inverse;
    for (int i = 0; i < 3; i++) {
        const double depth = i == 2 ? 0.5 : 1.0;
        double at = 0.0;
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += view->axes[i][k] * to_mesh.m[k][j];
            out->world_to_clip[i][j] = sum / view->half[i] * depth;
            at += view->axes[i][j] * (to_mesh.m[j][3] - view->centre[j]);
        }
        out->world_to_clip[i][3] = at / view->half[i] * depth + (i == 2 ? 0.5 : 0.0);
    }
    grz_environment_forwards(inside, view->axes[2], out->forwards);
    out->world_to_clip[3][3] = 1.0;
}

static void set_block(GLuint buffer, const grz_environment_view *view)
{
    block b = {.view = {view->number, (uint32_t)view->viewport[2], (uint32_t)view->viewport[3], 0}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            b.world_to_clip[4 * j + i] = (float)view->world_to_clip[i][j];
    for (int i = 0; i < 3; i++)
        b.forwards[i] = (float)view->forwards[i];
    glNamedBufferSubData(buffer, 0, sizeof b, &b);
    glBindBufferBase(GL_UNIFORM_BUFFER, GRZ_ENVIRONMENT_BLOCK, buffer);
}

// Let the callback draw into one view.
static grz_status call_back(const grz_environment_picture *p, const grz_view *view, uint32_t number,
                            const int32_t viewport[4])
{
    grz_environment_view given = {.number = number, .framebuffer = p->framebuffer, .record = p->record};
    callback c = {.environment = p->environment, .view = &given};
    for (int i = 0; i < 4; i++)
        given.viewport[i] = viewport[i];
    grz_status status = grz_gl_buffer_reserve(p->gl, p->block, sizeof(block), "the callback's uniforms", p->error);
    world_to_clip(p->inside, view, &given);
    if (status == GRZ_OK)
        status = begin(p, &grz_depths_program, viewport);
    if (status != GRZ_OK)
        return status;
    given.uniform_buffer = p->block->name;
    set_block(p->block->name, &given);
    glScissor(viewport[0], viewport[1], viewport[2], viewport[3]); // wide points and lines stay in their view
    glEnable(GL_SCISSOR_TEST);
    glFrontFace(grz_pose_mirrors(&p->inside->pose) ? GL_CW : GL_CCW);
    status = grz_gl_lend(p->gl, call, &c, p->error);
    const grz_status renewed = p->renew(p->owner, status == GRZ_OK ? p->error : NULL);
    if (status == GRZ_OK)
        status = renewed;
    if (status == GRZ_OK)
        status = grz_gl_wait(p->control);
    return status;
}

grz_status grz_environment_draw_view(const grz_environment_picture *picture, const grz_view *view, uint32_t number,
                                     const int32_t viewport[4])
{
    const grz_environment *environment = picture->environment;
    grz_status status = GRZ_OK;
    assert(environment->object_count <= UINT32_MAX);
    for (uint32_t i = 0; i < environment->object_count && status == GRZ_OK; i++)
        if (is_drawn(picture, &environment->objects[i]))
            status = draw_object(picture, view, i, viewport);
    if (status == GRZ_OK && environment->draw != NULL)
        status = call_back(picture, view, number, viewport);
    return status;
}
