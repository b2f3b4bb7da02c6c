// SPDX-License-Identifier: MIT
// Voxels on the GPU: the first object's triangles set bits, the second one's are tested against them, and the first one's are marked where
// both have been. Triangles that reach over many cells have a work group each, in a second dispatch of each step. What is marked is read
// back, nothing else. Source: M. Schwarz, H.-P. Seidel, "Fast parallel surface and solid voxelization on GPUs" (2010), with bounds.
#include "image/voxels.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "geometry/pose.h"
#include "image/mesh_buffers.h"
#include "image/shaders.h"

enum {
    FIRST_READ = 1 << 10 // marked triangles that are read together with their number
};

static const grz_gl_program_source small_program = {"voxels", {&grz_shader_voxels_comp, NULL, NULL}};
static const grz_gl_program_source big_program = {"voxels_big", {&grz_shader_voxels_big_comp, NULL, NULL}};

// What is kept between queries.
typedef struct voxels {
    grz_gl_buffer cells, hits, work[2];
} voxels;

static void release_voxels(grz_gl *gl, void *kept)
{
    voxels *v = kept;
    grz_gl_buffer_finish(gl, &v->cells);
    grz_gl_buffer_finish(gl, &v->hits);
    for (int i = 0; i < 2; i++)
        grz_gl_buffer_finish(gl, &v->work[i]);
}

static const grz_gl_keep keep = {sizeof(voxels), release_voxels};

// One query.
typedef struct marking {
    grz_gl *gl;
    grz_control *control;
    grz_error *error;
    const grz_object *objects[2];
    const grz_mesh_buffers *buffers[2];
    grz_voxel_grid grid;
    grz_voxel_frame frames[2];
    voxels *kept;
    GLuint small, big; // programs
} marking;

static uint64_t cell_bytes(const marking *m)
{
    return 4 * (uint64_t)m->grid.cells[0] * m->grid.cells[1];
}

static grz_status fit(marking *m)
{
    const uint64_t limit = grz_gl_get_limits(m->gl)->storage_block;
    grz_status status = GRZ_OK;
    m->kept = grz_gl_kept(m->gl, &keep);
    if (m->kept == NULL)
        return grz_fail(m->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory");
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        const grz_mesh *mesh = m->objects[i]->mesh;
        const uint64_t positions = 12 * (uint64_t)mesh->vertex_count, indices = 12 * (uint64_t)mesh->triangle_count;
        const uint64_t work = 4 * (GRZ_VOXEL_HEAD + 2 * (uint64_t)mesh->triangle_count);
        if (positions > limit || indices > limit)
            return grz_fail(m->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                            "slices: a mesh of %u vertices and %u triangles, this device lets a shader see %llu bytes of each",
                            mesh->vertex_count, mesh->triangle_count, (unsigned long long)limit);
        status = grz_gl_buffer_reserve(m->gl, &m->kept->work[i], work, "marked triangles", m->error);
    }
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(m->gl, &m->kept->cells, cell_bytes(m), "cells", m->error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(m->gl, &m->kept->hits, cell_bytes(m), "cells", m->error);
    if (status == GRZ_OK)
        status = grz_gl_program(m->gl, &small_program, &m->small, m->error);
    if (status == GRZ_OK)
        status = grz_gl_program(m->gl, &big_program, &m->big, m->error);
    return status;
}

static void clear(const marking *m)
{
    const GLuint nothing = 0, head[GRZ_VOXEL_HEAD] = {[GRZ_VOXEL_GROUPS + 2] = 1};
    glClearNamedBufferSubData(m->kept->cells.name, GL_R32UI, 0, (GLsizeiptr)cell_bytes(m), GL_RED_INTEGER, GL_UNSIGNED_INT,
                              &nothing);
    glClearNamedBufferSubData(m->kept->hits.name, GL_R32UI, 0, (GLsizeiptr)cell_bytes(m), GL_RED_INTEGER, GL_UNSIGNED_INT,
                              &nothing);
    for (int i = 0; i < 2; i++)
        glNamedBufferSubData(m->kept->work[i].name, 0, sizeof head, head);
}

static void use(const marking *m, GLuint program, int object, GLuint mode)
{
    glUseProgram(program);
    glUniform4fv(GRZ_AT_VOXEL_ROWS, 3, m->frames[object].rows[0]);
    glUniform3fv(GRZ_AT_VOXEL_GROW, 1, m->frames[object].grow);
    glUniform3ui(GRZ_AT_VOXEL_GRID, m->grid.cells[0], m->grid.cells[1], m->grid.cells[2]);
    glUniform1ui(GRZ_AT_VOXEL_COUNT, m->objects[object]->mesh->triangle_count);
    glUniform1ui(GRZ_AT_VOXEL_MODE, mode);
}

// All triangles of an object, in one mode.
static void run(const marking *m, int object, GLuint mode)
{
    const GLuint names[] = {m->buffers[object]->positions, m->buffers[object]->indices, m->kept->cells.name, m->kept->hits.name,
                            m->kept->work[object].name};
    const uint64_t count = m->objects[object]->mesh->triangle_count;
    const uint64_t most = (uint64_t)grz_gl_get_limits(m->gl)->groups * GRZ_VOXEL_GROUP;
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_POSITIONS, sizeof names / sizeof *names, names);
    use(m, m->small, object, mode);
    for (uint64_t first = 0; first < count; first += most) {
        const uint64_t part = count - first < most ? count - first : most;
        glUniform1ui(GRZ_AT_VOXEL_FIRST, (GLuint)first);
        glDispatchCompute((GLuint)((part + GRZ_VOXEL_GROUP - 1) / GRZ_VOXEL_GROUP), 1, 1);
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    use(m, m->big, object, mode);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, m->kept->work[object].name);
    glDispatchComputeIndirect((GLintptr)(4 * GRZ_VOXEL_GROUPS));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

// Read what is marked of an object.
static grz_status read_marked(const marking *m, int object, grz_marked *marked)
{
    const grz_allocator *allocator = grz_control_allocator(m->control);
    const GLuint name = m->kept->work[object].name;
    uint32_t head[GRZ_VOXEL_HEAD + FIRST_READ];
    const uint64_t held = m->kept->work[object].size < sizeof head ? m->kept->work[object].size : sizeof head;
    const grz_status status = grz_gl_wait(m->control);
    if (status != GRZ_OK)
        return status;
    glGetNamedBufferSubData(name, 0, (GLsizeiptr)held, head);
    const uint32_t count = head[GRZ_VOXEL_MARKED], first = count < FIRST_READ ? count : FIRST_READ;
    if (count == 0)
        return grz_gl_check(m->gl, m->error);
    marked->triangles = grz_allocate(allocator, count, sizeof *marked->triangles);
    if (marked->triangles == NULL)
        return grz_fail(m->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %u triangles", count);
    marked->count = count;
    memcpy(marked->triangles, head + GRZ_VOXEL_HEAD, first * sizeof *head);
    if (count > first)
        glGetNamedBufferSubData(name, (GLintptr)(4 * (GRZ_VOXEL_HEAD + (size_t)first)), (GLsizeiptr)(4 * (size_t)(count - first)),
                                marked->triangles + first);
    return grz_gl_check(m->gl, m->error);
}

// How large two objects are, as far as their boxes tell.
static double size_of(const grz_job *job)
{
    double size = 0.0;
    for (int i = 0; i < 2; i++) {
        const grz_object *object = i == 0 ? job->a : job->b;
        const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
        for (int j = 0; j < 3; j++)
            size = fmax(size, box.max[j] - box.min[j]);
    }
    return size;
}

static grz_status mark(marking *m, const grz_job *job, uint32_t resolution, grz_marked marked[2], bool *whole)
{
    grz_status status = GRZ_OK;
    m->grid = grz_voxel_grid_of(&job->clip, size_of(job), resolution);
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        status = grz_mesh_buffers_get(m->objects[i]->mesh, m->control, &m->buffers[i], m->error);
        if (status == GRZ_OK &&
            !grz_voxel_frame_of(&m->grid, m->objects[i], m->buffers[i]->centre, m->buffers[i]->scale, &m->frames[i])) {
            *whole = true;
            return GRZ_OK;
        }
    }
    if (status == GRZ_OK)
        status = fit(m);
    if (status != GRZ_OK)
        return status;
    clear(m);
    run(m, 0, GRZ_VOXEL_FILL);
    run(m, 1, GRZ_VOXEL_TEST);
    run(m, 0, GRZ_VOXEL_MARK);
    status = read_marked(m, 1, &marked[1]);
    if (status == GRZ_OK && marked[1].count > 0)
        status = read_marked(m, 0, &marked[0]);
    return status;
}

grz_status grz_voxels_mark(grz_device *device, const grz_job *job, uint32_t resolution, grz_control *control, grz_marked marked[2],
                           bool *whole, grz_error *error)
{
    marking m = {.control = control, .error = error, .objects = {job->a, job->b}};
    *whole = false;
    marked[0] = marked[1] = (grz_marked){NULL, 0};
    grz_status status = grz_gl_enter(device, "slices", &m.gl, error);
    if (status != GRZ_OK)
        return status;
    status = mark(&m, job, resolution, marked, whole);
    return grz_gl_leave(m.gl, status, error);
}
