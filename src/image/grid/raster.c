// SPDX-License-Identifier: MIT
// Rasterises triangles into voxel grids, conservatively: brings them into the coordinates of their grids, then visits
// the cells that they may touch, to fill, to test and to mark. Triangles over many pixels have a work group each, in a
// second dispatch of each pass. Source: M. Schwarz, H.-P. Seidel, "Fast parallel surface and solid voxelization on
// GPUs" (2010), section 4, with error bounds (grid_frame.c).
#include <assert.h>

#include "gpu/dispatch.h"
#include "gpu/gl_mesh.h"
#include "image/grid/passes.h"
#include "image/grid/ranges/ranges_shaders.h"

static const grz_gl_program_source place_program = {"voxels_place", {&grz_shader_voxels_place_comp, NULL, NULL}};
static const grz_gl_program_source visit_program = {"voxels_visit", {&grz_shader_voxels_visit_comp, NULL, NULL}};
static const grz_gl_program_source big_program = {"voxels_big", {&grz_shader_voxels_big_comp, NULL, NULL}};
static const grz_gl_program_source ranges_visit_program = {"ranges_visit", {&grz_shader_ranges_visit_comp, NULL, NULL}};
static const grz_gl_program_source ranges_big_program = {"ranges_big", {&grz_shader_ranges_big_comp, NULL, NULL}};

grz_status grz_grid_use(const grz_grid_call *call, const grz_gl_program_source *source)
{
    GLuint program;
    const grz_status status = grz_gl_program(call->gl, source, &program, call->error);
    if (status == GRZ_OK)
        glUseProgram(program);
    return status;
}

// ---- Triangles ----------------------------------------------------------------------------------------------------

void grz_grid_upload(const grz_grid_layout *layout, const grz_grid_buffers *b, const grz_grid_answers *answers)
{
    static_assert(GRZ_GRID_PLACES_BYTES % 256 == 0, "a uniform block may start at any multiple of 256");
    assert(layout->side_count == 1 || layout->part_count <= GRZ_VOXEL_JOBS);
    const GLuint zero = 0;
    const GLuint names[] = {b->cells.name, b->units.name,  b->records.name,
                            b->big.name,   b->marked.name, b->answers.name};
    if (!grz_grid_has_leaves(layout->join))
        glClearNamedBufferSubData(b->cells.name, GL_R32UI, 0, (GLsizeiptr)grz_grid_cell_bytes(layout), GL_RED_INTEGER,
                                  GL_UNSIGNED_INT, &zero);
    for (size_t side = 0; side < layout->side_count; side++)
        glNamedBufferSubData(b->places.name, (GLintptr)(side * GRZ_GRID_PLACES_BYTES),
                             (GLsizeiptr)(layout->part_count * sizeof *layout->places),
                             layout->places + side * layout->part_count);
    glNamedBufferSubData(b->units.name, 0, (GLsizeiptr)(layout->job_count * sizeof *layout->units), layout->units);
    glNamedBufferSubData(b->answers.name, 0, (GLsizeiptr)(sizeof(uint32_t) * answers->word_count), answers->initial);
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_CELLS, sizeof names / sizeof *names, names);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, b->answers.name);
}

void grz_grid_bind_mesh(const grz_grid_call *call, const grz_grid_part *p)
{
    if (p->mesh->source != NULL) {
        grz_gl_mesh_bind(call->gl, p->mesh);
    } else {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_POSITIONS, p->buffers->positions);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_INDICES, p->buffers->indices);
        glUniform2ui(GRZ_AT_POSITION_LAYOUT, 0, 3);
        glUniform2ui(GRZ_AT_INDEX_LAYOUT, sizeof(uint32_t), 0);
        glUniform2ui(GRZ_AT_COUNTS, p->mesh->vertex_count, p->mesh->triangle_count);
    }
    glUniform4fv(GRZ_AT_MIDDLE, 1, p->buffers->frame);
}

static void set_grid(const grz_grid_layout *layout)
{
    glUniform3ui(GRZ_AT_VOXEL_GRID, layout->resolution, layout->resolution, GRZ_VOXEL_SLICES);
    glUniform1ui(GRZ_AT_VOXEL_ROOM, (GLuint)layout->triangles[0]);
}

// Bring the triangles of `count` parts with the same mesh into their grids. The first part has number `first_place` in
// the uniform block.
static grz_status place_mesh(const grz_grid_call *call, const grz_grid_part *part, size_t first_place, size_t count)
{
    const uint64_t groups = grz_dispatch_most(call->gl, call->control), each = groups / count;
    const uint64_t most = (each > 0 ? each : 1) * GRZ_DISPATCH_GROUP, triangles = part->mesh->triangle_count;
    grz_status status = GRZ_OK;
    assert(first_place + count <= GRZ_VOXEL_JOBS);
    grz_grid_bind_mesh(call, part);
    glUniform1ui(GRZ_AT_VOXEL_PLACE, (GLuint)first_place);
    for (uint64_t first = 0; first < triangles && status == GRZ_OK; first += most) {
        const uint64_t now = triangles - first < most ? triangles - first : most;
        glUniform1ui(GRZ_AT_FIRST, (GLuint)first);
        glDispatchCompute((GLuint)((now + GRZ_DISPATCH_GROUP - 1) / GRZ_DISPATCH_GROUP), (GLuint)count, 1);
        status = grz_gl_wait(call->control);
    }
    return status;
}

grz_status grz_grid_place_triangles(const grz_grid_call *call, const grz_grid_layout *layout,
                                    const grz_grid_buffers *buffers, size_t side)
{
    const grz_grid_part *parts = layout->parts + side * layout->part_count;
    assert(side < layout->side_count);
    grz_status status = grz_grid_use(call, &place_program);
    if (status != GRZ_OK)
        return status;
    set_grid(layout);
    glUniform1ui(GRZ_AT_VOXEL_SIDE, (GLuint)side);
    for (size_t base = 0; base < layout->part_count && status == GRZ_OK;
         base += GRZ_VOXEL_JOBS) { // as many as a uniform block has
        const size_t end = base + GRZ_VOXEL_JOBS < layout->part_count ? base + GRZ_VOXEL_JOBS : layout->part_count;
        const size_t start = side * GRZ_GRID_PLACES_BYTES + base * sizeof *layout->places;
        assert(start % 256 == 0 && start + GRZ_GRID_PLACES_BYTES <= buffers->places.size);
        glBindBufferRange(GL_UNIFORM_BUFFER, GRZ_BIND_VOXEL_PLACES, buffers->places.name, (GLintptr)start,
                          GRZ_GRID_PLACES_BYTES);
        for (size_t from = base, to; from < end && status == GRZ_OK; from = to) {
            for (to = from + 1; to < end && parts[to].mesh == parts[from].mesh;)
                to++;
            status = place_mesh(call, &parts[from], from - base, to - from);
        }
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    return status;
}

// ---- Cells --------------------------------------------------------------------------------------------------------

grz_status grz_grid_visit(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_visitors *visitors,
                          GLuint mode, size_t side, size_t groups, uint32_t fragment_capacity)
{
    assert(side < layout->side_count);
    for (int i = 0; i < 2; i++) {
        grz_status status = grz_grid_use(call, i == 0 ? visitors->few : visitors->many);
        if (status != GRZ_OK)
            return status;
        set_grid(layout);
        glUniform1ui(GRZ_AT_VOXEL_MODE, mode);
        if (fragment_capacity > 0)
            glUniform1ui(GRZ_AT_LAYER_ROOM, fragment_capacity);
        if (i == 1)
            groups = offsetof(grz_answer_head, big_groups) + side * sizeof(grz_work_groups);
        status = grz_dispatch(call->gl, call->control, groups);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

static const grz_grid_visitors cell_visitors = {&visit_program, &big_program};
static const grz_grid_visitors range_visitors = {&ranges_visit_program, &ranges_big_program};

static const grz_grid_visitors *visitors_of(const grz_grid_layout *layout)
{
    return layout->cells == GRZ_CELLS_RANGES ? &range_visitors : &cell_visitors;
}

grz_status grz_grid_fill(const grz_grid_call *call, const grz_grid_layout *layout)
{
    return grz_grid_visit(call, layout, visitors_of(layout), GRZ_VOXEL_FILL, 0,
                          offsetof(grz_answer_head, record_groups[0]), 0);
}

grz_status grz_grid_test(const grz_grid_call *call, const grz_grid_layout *layout)
{
    return grz_grid_visit(call, layout, visitors_of(layout), GRZ_VOXEL_TEST, 1,
                          offsetof(grz_answer_head, record_groups[1]), 0);
}

grz_status grz_grid_mark(const grz_grid_call *call, const grz_grid_layout *layout)
{
    return grz_grid_visit(call, layout, visitors_of(layout), GRZ_VOXEL_MARK, 0, offsetof(grz_answer_head, mark_groups),
                          0);
}
