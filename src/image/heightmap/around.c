// SPDX-License-Identifier: MIT
// Draws the environment of an object as usual, nearest surfaces first, and compares its depths with the object's in
// each pixel. Objects of Graze can leave their numbers and normals there; the rest is drawn by a callback of the
// caller's. Source: J. Fabrizio, "Easy real-time collision detection", section 2.
#include "image/heightmap/around.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "gpu/dispatch.h"
#include "image/heightmap/shaders.h"

static const grz_gl_program_source record_program = {
    "heights_record", {&grz_shader_heights_record_vert, &grz_shader_heights_record_frag, NULL}};
static const grz_gl_program_source compare_program = {"heights_compare",
                                                      {&grz_shader_heights_compare_comp, NULL, NULL}};
static const grz_gl_program_source list_program = {"heights_list", {&grz_shader_heights_list_comp, NULL, NULL}};

// ---- Objects of Graze ---------------------------------------------------------------------------------------------

// A direction of the object's mesh in the world, of length 1. Returns the length that a unit vector gets.
static double unit_forwards(const grz_height_query *q, const double away[3], double forwards[3])
{
    double most = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *m = q->object->pose.m[i];
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
static void set_recorded(const grz_height_query *q, uint32_t view, uint32_t number, const grz_object *object)
{
    const double *away = q->maps->views[view].axes[2];
    double most = 0.0, forwards[3];
    float linear[9], eye[3];
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(object->pose.m[i / 3][i % 3]));
    unit_forwards(q, away, forwards);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) // only directions matter: brought to size 1, so that floats hold them
            linear[3 * j + i] = most > 0.0 ? (float)(object->pose.m[i][j] / most) : 0.0f;
        eye[i] = (float)-forwards[i];
    }
    glUniformMatrix3fv(GRZ_AT_RECORD_LINEAR, 1, GL_FALSE, linear);
    glUniform3fv(GRZ_AT_RECORD_EYE, 1, eye);
    glUniform2ui(GRZ_AT_RECORD_ID, number, 0);
}

static bool is_drawn(const grz_height_query *q, const grz_object *other)
{
    return other != q->object && (other->group & q->object->mask) != 0 && (q->object->group & other->mask) != 0;
}

static void restrict_to_silhouette(const grz_height_maps *maps)
{
    if (!maps->options.stencil)
        return;
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 1, ~0u);
}

static grz_status draw_object(const grz_height_query *q, uint32_t first, uint32_t count, uint32_t number)
{
    const grz_object *object = &q->environment->objects[number];
    const grz_gl_program_source *program = q->maps->record != 0 ? &record_program : &grz_heights_program;
    const grz_mesh_buffers *buffers;
    grz_object relative = *object;
    if (!grz_height_relative_pose(&q->object->pose, &object->pose, &relative.pose))
        return grz_fail(q->error, GRZ_ERROR_POSE, number,
                        "heightmap: object %u of the environment is too far away for the object's coordinates", number);
    grz_status status = grz_mesh_buffers_get(object->mesh, q->control, &buffers, q->error);
    if (status == GRZ_OK)
        status = grz_height_maps_begin(q->gl, q->maps, GRZ_HEIGHTS_OF_ENVIRONMENT, program, q->error);
    if (status != GRZ_OK)
        return status;
    restrict_to_silhouette(q->maps);
    for (uint32_t i = first; i < first + count && status == GRZ_OK; i++) {
        if (q->maps->record != 0)
            set_recorded(q, i, number, object);
        status = grz_height_maps_draw(q->gl, q->maps, i, &q->maps->views[i], &relative, buffers, q->control);
    }
    grz_height_maps_end();
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

// The matrix from the world to a view, in rows. The object's pose has an inverse.
static void world_to_clip(const grz_height_query *q, const grz_view *view, grz_environment_view *out)
{
    const grz_pose world = grz_pose_identity();
    grz_pose to_mesh;
    const bool has_inverse = grz_height_relative_pose(&q->object->pose, &world, &to_mesh);
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
    unit_forwards(q, view->axes[2], out->forwards);
    out->world_to_clip[3][3] = 1.0;
}

static grz_status reserve_block(const grz_height_query *q)
{
    grz_gl_buffer buffer = {.name = q->maps->block, .size = q->maps->block != 0 ? sizeof(block) : 0};
    const grz_status status = grz_gl_buffer_reserve(q->gl, &buffer, sizeof(block), "the callback's uniforms", q->error);
    q->maps->block = buffer.name;
    return status;
}

static void set_block(const grz_height_query *q, const grz_environment_view *view)
{
    block b = {.view = {view->number, (uint32_t)view->viewport[2], (uint32_t)view->viewport[3], 0}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            b.world_to_clip[4 * j + i] = (float)view->world_to_clip[i][j];
    for (int i = 0; i < 3; i++)
        b.forwards[i] = (float)view->forwards[i];
    glNamedBufferSubData(q->maps->block, 0, sizeof b, &b);
    glBindBufferBase(GL_UNIFORM_BUFFER, GRZ_ENVIRONMENT_BLOCK, q->maps->block);
}

static grz_status renew(const grz_height_query *q, grz_error *error)
{
    const grz_mesh_buffers *buffers;
    const grz_status status = grz_mesh_buffers_get(q->object->mesh, q->control, &buffers, error);
    return status == GRZ_OK ? grz_height_maps_renew(q->gl, q->maps, buffers, error) : status;
}

// Let the callback draw into one view.
static grz_status call_back(const grz_height_query *q, uint32_t number)
{
    const int32_t side = (int32_t)q->maps->options.resolution;
    grz_environment_view view = {.number = number,
                                 .framebuffer = q->maps->framebuffers[GRZ_HEIGHTS_OF_ENVIRONMENT],
                                 .viewport = {0, (int32_t)number * side, side, side},
                                 .record = q->maps->record};
    callback c = {.environment = q->environment, .view = &view};
    grz_status status = reserve_block(q);
    world_to_clip(q, &q->maps->views[number], &view);
    if (status == GRZ_OK)
        status = grz_height_maps_begin(q->gl, q->maps, GRZ_HEIGHTS_OF_ENVIRONMENT, &grz_heights_program, q->error);
    if (status != GRZ_OK)
        return status;
    view.uniform_buffer = q->maps->block;
    set_block(q, &view);
    restrict_to_silhouette(q->maps);
    glViewport(0, view.viewport[1], side, side);
    glScissor(0, view.viewport[1], side, side); // wide points and lines stay in their view
    glEnable(GL_SCISSOR_TEST);
    glFrontFace(grz_height_mirrors(&q->object->pose) ? GL_CW : GL_CCW);
    status = grz_gl_lend(q->gl, call, &c, q->error);
    const grz_status renewed = renew(q, status == GRZ_OK ? q->error : NULL);
    if (status == GRZ_OK)
        status = renewed;
    if (status == GRZ_OK)
        status = grz_gl_wait(q->control);
    return status;
}

// ---- Comparing ----------------------------------------------------------------------------------------------------

static void clear(const grz_height_maps *maps)
{
    const GLuint framebuffer = maps->framebuffers[GRZ_HEIGHTS_OF_ENVIRONMENT];
    const float far = 1.0f, no_normal[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const GLuint no_id[4] = {GRZ_NO_ID, 0, 0, 0};
    glClearNamedFramebufferfv(framebuffer, GL_DEPTH, 0, &far);
    if (maps->ids != 0)
        glClearNamedFramebufferuiv(framebuffer, GL_COLOR, 0, no_id);
    if (maps->normals != 0)
        glClearNamedFramebufferfv(framebuffer, GL_COLOR, 1, no_normal);
}

static grz_status draw_around(const grz_height_query *q, uint32_t first, uint32_t count)
{
    const grz_environment *environment = q->environment;
    grz_status status = GRZ_OK;
    assert(environment->object_count <= UINT32_MAX);
    for (uint32_t i = 0; i < environment->object_count && status == GRZ_OK; i++)
        if (is_drawn(q, &environment->objects[i]))
            status = draw_object(q, first, count, i);
    for (uint32_t i = first; i < first + count && environment->draw != NULL && status == GRZ_OK; i++)
        status = call_back(q, i);
    return status;
}

static void bind_maps(const grz_height_maps *maps)
{
    const GLuint textures[] = {[GRZ_UNIT_OBJECT_MAP] = maps->object_map,
                               [GRZ_UNIT_ENVIRONMENT_MAP] = maps->environment_map,
                               [GRZ_UNIT_IDS] = maps->ids,
                               [GRZ_UNIT_NORMALS] = maps->normals};
    for (GLuint i = 0; i < sizeof textures / sizeof *textures; i++) {
        if (textures[i] != 0)
            glBindTextureUnit(i, textures[i]);
        glBindSampler(i, 0);
    }
    glUniform1ui(GRZ_AT_HEIGHT_SIDE, maps->options.resolution);
    glUniform1i(GRZ_AT_HEIGHT_BOUNDED, grz_height_maps_bounded(maps));
}

// Run a program for all pixels of some views.
static grz_status for_pixels(const grz_height_query *q, const grz_gl_program_source *source, uint32_t first,
                             uint32_t count)
{
    const uint64_t side = q->maps->options.resolution, tiles = (side + GRZ_HEIGHT_TILE - 1) / GRZ_HEIGHT_TILE;
    GLuint program;
    grz_status status = grz_gl_program(q->gl, source, &program, q->error);
    if (status != GRZ_OK)
        return status;
    glUseProgram(program);
    bind_maps(q->maps);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_HEIGHT_FOUND, q->maps->found);
    glUniform1ui(GRZ_AT_HEIGHT_VIEW, first);
    if (source == &list_program) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_HEIGHT_CONTACTS, q->maps->contacts.name);
        glUniform1ui(GRZ_AT_HEIGHT_RECORD, q->maps->record);
    }
    status = grz_dispatch_groups(q->gl, q->control, tiles * tiles * count);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    return status;
}

grz_status grz_height_compare(const grz_height_query *q, grz_height_found found[2], uint32_t *compared)
{
    static_assert(sizeof(grz_height_found) == sizeof(uint32_t) * GRZ_FOUND_WORDS, "as shaders have it");
    static const grz_height_found nothing[2];
    const bool together = q->maps->options.projection != GRZ_PROJECTION_OPPOSITE;
    const uint32_t count = together ? q->maps->view_count : 1;
    grz_pose own;
    *compared = 0;
    if (!grz_height_relative_pose(&q->object->pose, &q->object->pose, &own))
        return grz_fail(q->error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT,
                        "heightmap: the object's pose has no inverse, so it has no height map");
    clear(q->maps);
    glNamedBufferSubData(q->maps->found, 0, sizeof nothing, nothing);
    while (*compared < q->maps->view_count) {
        grz_status status = draw_around(q, *compared, count);
        if (status == GRZ_OK)
            status = for_pixels(q, &compare_program, *compared, count);
        if (status != GRZ_OK)
            return status;
        *compared += count;
        glGetNamedBufferSubData(q->maps->found, 0, (GLsizeiptr)(*compared * sizeof *found), found);
        if (q->first_hit && found[*compared - 1].hits > 0)
            break;
    }
    return grz_gl_check(q->gl, q->error);
}

// ---- Contacts -----------------------------------------------------------------------------------------------------

// A pixel that hits, as heights_list.comp writes it.
typedef struct raw_contact {
    uint32_t x, y, view, unused;
    float depth, front; // of the environment and of the object's front
    uint32_t id, value;
    float normal[4];
} raw_contact;

static int in_order(const void *a, const void *b)
{
    const raw_contact *x = a, *y = b;
    if (x->view != y->view)
        return x->view < y->view ? -1 : 1;
    if (x->y != y->y)
        return x->y < y->y ? -1 : 1;
    return x->x < y->x ? -1 : x->x > y->x;
}

static grz_height_contact contact_of(const grz_height_query *q, const raw_contact *raw)
{
    const grz_view *view = &q->maps->views[raw->view];
    const double side = q->maps->options.resolution;
    const double at[3] = {(2.0 * raw->x + 1.0) / side - 1.0, (2.0 * raw->y + 1.0) / side - 1.0,
                          2.0 * (double)raw->depth - 1.0};
    double point[3], forwards[3];
    grz_height_contact contact = {.id = raw->id, .value = raw->value, .view = raw->view, .x = raw->x, .y = raw->y};
    for (int j = 0; j < 3; j++) {
        point[j] = view->centre[j];
        for (int i = 0; i < 3; i++)
            point[j] += at[i] * view->half[i] * view->axes[i][j];
        contact.normal[j] = (double)raw->normal[j];
    }
    grz_world_position(&q->object->pose, point, contact.position);
    contact.depth =
        ((double)raw->front - (double)raw->depth) * 2.0 * view->half[2] * unit_forwards(q, view->axes[2], forwards);
    return contact;
}

grz_status grz_height_list(const grz_height_query *q, uint32_t compared, uint64_t count, grz_height_contact *contacts)
{
    static_assert(sizeof(raw_contact) == sizeof(uint32_t) * GRZ_CONTACT_WORDS, "as shaders have it");
    const grz_allocator *allocator = grz_control_allocator(q->control);
    const uint64_t bytes = GRZ_CONTACT_HEAD * sizeof(uint32_t) + count * sizeof(raw_contact);
    const uint32_t none[GRZ_CONTACT_HEAD] = {0};
    if (count == 0)
        return GRZ_OK;
    if (bytes > grz_gl_get_limits(q->gl)->storage_block)
        return grz_fail(q->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "heightmap: %llu contacts are more than a shader can list on this device; a lower resolution "
                        "has fewer",
                        (unsigned long long)count);
    grz_status status = grz_gl_buffer_reserve(q->gl, &q->maps->contacts, bytes, "the contacts", q->error);
    if (status != GRZ_OK)
        return status;
    raw_contact *raw = grz_allocate(allocator, count, sizeof *raw);
    if (raw == NULL)
        return grz_fail(q->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "heightmap: out of memory for %llu contacts",
                        (unsigned long long)count);
    glNamedBufferSubData(q->maps->contacts.name, 0, sizeof none, none);
    status = for_pixels(q, &list_program, 0, compared);
    if (status == GRZ_OK) {
        uint32_t head[GRZ_CONTACT_HEAD];
        glGetNamedBufferSubData(q->maps->contacts.name, 0, sizeof head, head);
        glGetNamedBufferSubData(q->maps->contacts.name, sizeof head, (GLsizeiptr)(count * sizeof *raw), raw);
        status = grz_gl_check(q->gl, q->error);
        if (status == GRZ_OK && head[0] != count)
            status = grz_fail(q->error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                              "heightmap: OpenGL listed %u contacts where it had counted %llu", head[0],
                              (unsigned long long)count);
    }
    if (status == GRZ_OK) {
        qsort(raw, count, sizeof *raw, in_order); // shaders append in any order
        for (uint64_t i = 0; i < count; i++)
            contacts[i] = contact_of(q, &raw[i]);
    }
    grz_release(allocator, raw, count, sizeof *raw);
    return status;
}
