// SPDX-License-Identifier: MIT
// Which triangles may meet a region, by a shader: OpenGL's selection mode without its viewport, one plane after the
// other. Positions in the shader are p = (x - c) / u, with c near the middle of the mesh and u a power of two, so that
// they are at most 1 (or `reach`). A plane's value is n · p + a, scaled so that its parts sum up to S <= 1.
//
// The bound, with 1 ulp for each operation of floats, as drivers may: n and a are rounded, 2^-24 S; p is off by 2^-23,
// from a rounding or a difference; products by 2^-23, three sums by 2^-23 S each: less than 2^-20 in all, also where
// small numbers are flushed to 0. Posed positions are doubles, off by less than 2^-50 of all that is added up for them,
// and so is what is computed here. The planes are moved outwards by twice both.
#include <math.h>

#include "base/control.h"
#include "base/fail.h"
#include "base/rounding.h"
#include "gpu/gl_mesh.h"
#include "gpu/picking/picking.h"
#include "gpu/picking/picking_shaders.h"
#include "gpu/mesh_shaders.h"

enum {
    PLANES = 6,
    LEAST_SIZE = -100, // of a mesh in the caller's buffers, a power of two: smaller ones are taken whole
    PART = 1 << 22     // triangles of a dispatch, where the call may end early
};

static const double FLOAT_ERROR = 0x1p-19, DOUBLE_ERROR = 0x1p-46;

static const grz_gl_program_source program_source = {"region_select", {&grz_shader_region_select_comp, NULL, NULL}};

// What is kept with the device between calls.
static void release_list(grz_gl *gl, void *state)
{
    grz_gl_buffer_finish(gl, state);
}

static const grz_gl_slot_type slot_type = {sizeof(grz_gl_buffer), release_list};

// How far positions in the shader are from 0, at most.
static double reach_of(const grz_mesh *mesh, const grz_mesh_buffers *buffers)
{
    double reach = 1.0;
    for (int j = 0; j < 3; j++) {
        reach = fmax(reach, (mesh->bounds.max[j] - buffers->centre[j]) / buffers->scale);
        reach = fmax(reach, (buffers->centre[j] - mesh->bounds.min[j]) / buffers->scale);
    }
    return reach;
}

// Set the plane that shaders see. Where its numbers are out of range, all triangles pass.
static void set_plane(const double p[4], const grz_object *object, const grz_mesh_buffers *buffers, float plane[4])
{
    const grz_mesh *mesh = object->mesh;
    double normal[3] = {0.0}, at = p[3], doubles = fabs(p[3]), size = 0.0;
    int exponent;
    for (int j = 0; j < 4; j++)
        plane[j] = j < 3 ? 0.0f : 1.0f;
    if (mesh->source != NULL && buffers->scale < ldexp(1.0, LEAST_SIZE))
        return;
    for (int k = 0; k < 3; k++) {
        const double *m = object->pose.m[k];
        double place = m[3], parts = fabs(m[3]);
        for (int j = 0; j < 3; j++) {
            normal[j] += p[k] * m[j] * buffers->scale;
            place += m[j] * buffers->centre[j];
            parts += fabs(m[j]) * (mesh->max_abs[j] + fabs(buffers->centre[j]) + buffers->scale);
        }
        at += p[k] * place;
        doubles += fabs(p[k]) * parts;
    }
    at += DOUBLE_ERROR * doubles;
    for (int j = 0; j < 3; j++)
        size += fabs(normal[j]);
    size = size * reach_of(mesh, buffers) + fabs(at);
    if (!(size > GRZ_PRODUCT_MIN && size < GRZ_PRODUCT_MAX))
        return;
    frexp(size, &exponent);
    for (int j = 0; j < 3; j++)
        plane[j] = (float)ldexp(normal[j], -exponent);
    plane[3] = (float)(ldexp(at, -exponent) + FLOAT_ERROR);
}

static void bind_mesh(grz_gl *gl, const grz_mesh *mesh, const grz_mesh_buffers *buffers)
{
    if (mesh->source != NULL) {
        grz_gl_mesh_bind(gl, mesh);
    } else {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_POSITIONS, buffers->positions);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_INDICES, buffers->indices);
        glUniform2ui(GRZ_AT_POSITION_LAYOUT, 0, 3);
        glUniform2ui(GRZ_AT_INDEX_LAYOUT, sizeof(uint32_t), 0);
        glUniform2ui(GRZ_AT_COUNTS, mesh->vertex_count, mesh->triangle_count);
    }
    glUniform4fv(GRZ_AT_MIDDLE, 1, buffers->frame);
}

static grz_status dispatch(grz_gl *gl, uint32_t triangles, grz_control *control)
{
    const uint64_t group = (uint64_t)GRZ_GL_MESH_GROUP * GRZ_GL_MESH_EACH, room = grz_gl_get_limits(gl)->groups * group,
                   most = grz_control_may_end(control) && room > PART ? PART : room;
    grz_status status = GRZ_OK;
    for (uint64_t first = 0; first < triangles && status == GRZ_OK; first += most) {
        const uint64_t part = triangles - first < most ? triangles - first : most;
        glUniform1ui(GRZ_AT_FIRST, (GLuint)first);
        glDispatchCompute((GLuint)((part + group - 1) / group), 1, 1);
        status = grz_gl_wait(control);
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    return status;
}

// Copy the list out of the buffer.
static grz_status read_list(grz_gl *gl, const grz_gl_buffer *buffer, uint32_t most, grz_control *control,
                            grz_triangle_list *list, grz_error *error)
{
    GLuint count = 0;
    glGetNamedBufferSubData(buffer->name, 0, sizeof count, &count);
    const grz_status status = grz_gl_check(gl, error);
    if (status != GRZ_OK)
        return status;
    if (count > most)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "region: OpenGL proposed %u of %u triangles", count,
                        most);
    if (!grz_array_reserve(grz_control_allocator(control), list, list->count + count))
        return GRZ_ERROR_MEMORY;
    if (count > 0)
        glGetNamedBufferSubData(buffer->name, sizeof count, (GLsizeiptr)(count * sizeof *list->items),
                                list->items + list->count);
    list->count += count;
    return grz_gl_check(gl, error);
}

static grz_status select_triangles(grz_gl *gl, const grz_object *object, const grz_region *region, grz_control *control,
                                   grz_triangle_list *list, grz_error *error)
{
    const grz_mesh *mesh = object->mesh;
    const grz_mesh_buffers *buffers;
    const GLuint nothing = 0;
    grz_gl_buffer *buffer = grz_gl_slot(gl, &slot_type);
    float planes[PLANES][4];
    GLuint program;
    if (buffer == NULL)
        return GRZ_ERROR_MEMORY;
    grz_status status = grz_gl_program(gl, &program_source, &program, error);
    if (status == GRZ_OK)
        status = grz_mesh_buffers_get(mesh, control, &buffers, error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, buffer, ((uint64_t)mesh->triangle_count + 1) * sizeof nothing,
                                       "the triangles of a region", error);
    if (status != GRZ_OK)
        return status;
    for (int i = 0; i < PLANES; i++)
        set_plane(region->planes[i], object, buffers, planes[i]);
    glNamedBufferSubData(buffer->name, 0, sizeof nothing, &nothing);
    glUseProgram(program);
    bind_mesh(gl, mesh, buffers);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_REGION_LIST, buffer->name);
    glUniform4fv(GRZ_AT_REGION_PLANES, PLANES, planes[0]);
    status = dispatch(gl, mesh->triangle_count, control);
    return status == GRZ_OK ? read_list(gl, buffer, mesh->triangle_count, control, list, error) : status;
}

// Without a shader: all triangles, where the list is larger than a shader can write.
static grz_status take_all(uint32_t count, grz_control *control, grz_triangle_list *list)
{
    if (!grz_array_reserve(grz_control_allocator(control), list, list->count + count))
        return GRZ_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        list->items[list->count++] = i;
    return GRZ_OK;
}

grz_status grz_region_propose(grz_device *device, const grz_object *object, const grz_region *region,
                              grz_control *control, grz_triangle_list *list, grz_error *error)
{
    grz_gl *gl;
    grz_status status = grz_gl_enter(device, "region", &gl, error);
    if (status != GRZ_OK)
        return status;
    if (object != NULL) {
        const uint64_t bytes = ((uint64_t)object->mesh->triangle_count + 1) * sizeof(uint32_t);
        status = bytes <= grz_gl_get_limits(gl)->storage_block
                     ? select_triangles(gl, object, region, control, list, error)
                     : take_all(object->mesh->triangle_count, control, list);
    }
    return grz_gl_leave(gl, status, error);
}
