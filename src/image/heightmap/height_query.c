// SPDX-License-Identifier: MIT
// Draws the environment of an object into maps of the object's projections, compares its depths with the object's in
// each pixel, and lists the pixels that hit. Source: J. Fabrizio, "Easy real-time collision detection", section 2.
#include "image/heightmap/height_query.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "gpu/dispatch.h"
#include "image/environment/environment_draw.h"
#include "image/heightmap/heightmap_shaders.h"

static const grz_gl_program_source compare_program = {"heights_compare",
                                                      {&grz_shader_heights_compare_comp, NULL, NULL}};
static const grz_gl_program_source list_program = {"heights_list", {&grz_shader_heights_list_comp, NULL, NULL}};

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

static grz_status renew(void *owner, grz_error *error)
{
    const grz_height_query *q = owner;
    const grz_mesh_buffers *buffers;
    const grz_status status = grz_mesh_buffers_get(q->object->mesh, q->control, &buffers, error);
    return status == GRZ_OK ? grz_height_maps_renew(q->gl, q->maps, buffers, error) : status;
}

static grz_status draw_environment(const grz_height_query *q, uint32_t first, uint32_t count)
{
    const grz_height_maps *maps = q->maps;
    const int32_t side = (int32_t)maps->options.resolution;
    grz_status status = GRZ_OK;
    const grz_environment_picture picture = {.gl = q->gl,
                                             .environment = q->environment,
                                             .inside = q->object,
                                             .framebuffer = maps->framebuffers[GRZ_HEIGHTS_OF_ENVIRONMENT],
                                             .record = maps->record,
                                             .culled = grz_height_maps_culled(maps, GRZ_HEIGHTS_OF_ENVIRONMENT),
                                             .takes = maps->options.stencil ? GRZ_TAKES_SILHOUETTE : GRZ_TAKES_NEAREST,
                                             .block = &q->maps->block,
                                             .renew = renew,
                                             .owner = (void *)q,
                                             .control = q->control,
                                             .error = q->error};
    for (uint32_t i = first; i < first + count && status == GRZ_OK; i++) {
        const int32_t viewport[4] = {0, (int32_t)i * side, side, side};
        status = grz_environment_draw_view(&picture, &maps->views[i], i, viewport);
    }
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
    if (!grz_pose_relative(&q->object->pose, &q->object->pose, &own))
        return grz_fail(q->error, GRZ_ERROR_POSE, GRZ_NO_ELEMENT,
                        "heightmap: the object's pose has no inverse, so it has no height map");
    clear(q->maps);
    glNamedBufferSubData(q->maps->found, 0, sizeof nothing, nothing);
    while (*compared < q->maps->view_count) {
        grz_status status = draw_environment(q, *compared, count);
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
    contact.depth = ((double)raw->front - (double)raw->depth) * 2.0 * view->half[2] *
                    grz_environment_forwards(q->object, view->axes[2], forwards);
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
