// SPDX-License-Identifier: MIT
// Pairs of triangles in leaves whose boxes meet: the steps of method `selection`, conservatively. All of it is one
// batch of dispatches; only the GPU knows how many boxes and triangles each step hands to the next. Source: S. Aharon,
// C. Lenglet, "Collision detection algorithm for deformable objects using OpenGL" (2002), section 2.2.
#include <assert.h>

#include "gpu/dispatch.h"
#include "gpu/gl_mesh.h"
#include "image/grid/leaves/leaves_shaders.h"
#include "image/grid/passes.h"

static const grz_gl_program_source select_program = {"leaves_select", {&grz_shader_leaves_select_comp, NULL, NULL}};
static const grz_gl_program_source join_program = {"leaves_join", {&grz_shader_leaves_join_comp, NULL, NULL}};
static const grz_gl_program_source load_program = {"leaves_load", {&grz_shader_leaves_load_comp, NULL, NULL}};
static const grz_gl_program_source pairs_program = {"leaves_pairs", {&grz_shader_leaves_pairs_comp, NULL, NULL}};

// The last two of these are not the same for viewing volumes.
static const grz_gl_program_source load_faces_program = {"volumes_load", {&grz_shader_volumes_load_comp, NULL, NULL}};
static const grz_gl_program_source volumes_program = {"volumes_pairs", {&grz_shader_volumes_pairs_comp, NULL, NULL}};

// The words of a mesh in the buffer of meshes: the work groups of its dispatch, and where its wanted leaves are listed.
typedef struct mesh_words {
    grz_work_groups groups; // `unused`: how many leaves are wanted
    uint32_t first_box, unused[3];
} mesh_words;

static void bind_places(const grz_grid_buffers *buffers, size_t side)
{
    glBindBufferRange(GL_UNIFORM_BUFFER, GRZ_BIND_VOXEL_PLACES, buffers->places.name,
                      (GLintptr)(side * GRZ_GRID_PLACES_BYTES), GRZ_GRID_PLACES_BYTES);
}

static const grz_grid_part *first_part(const grz_grid_layout *layout, const grz_leaf_mesh *mesh)
{
    return &layout->parts[mesh->side * layout->part_count + mesh->first_part];
}

static grz_status upload_leaves(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *b)
{
    const grz_leaf_layout *l = &layout->leaves;
    static_assert(sizeof(mesh_words) == GRZ_LEAF_MESH_WORDS * sizeof(uint32_t), "as grid_bindings.h has it");
    mesh_words *meshes = grz_allocate_zeroed(call->allocator, l->mesh_count, sizeof *meshes);
    if (meshes == NULL)
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < l->mesh_count; i++)
        meshes[i] = (mesh_words){.groups = {0, 1, 1, 0}, .first_box = l->meshes[i].first_box};
    glNamedBufferSubData(b->leaf_meshes.name, 0, (GLsizeiptr)(l->mesh_count * sizeof *meshes), meshes);
    glNamedBufferSubData(b->leaf_tasks.name, 0, (GLsizeiptr)(l->task_count * sizeof *l->tasks), l->tasks);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_LISTED, b->leaf_boxes.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_WANTED, b->leaf_wanted.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_MESHES, b->leaf_meshes.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_TASKS, b->leaf_tasks.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_PAIRS, b->leaf_pairs.name);
    grz_release(call->allocator, meshes, l->mesh_count, sizeof *meshes);
    return GRZ_OK;
}

// Steps 1 and, for the other side, 2: list the boxes of all objects that reach into the region of their job.
static grz_status select_boxes(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *b)
{
    const grz_leaf_layout *l = &layout->leaves;
    grz_status status = grz_grid_use(call, &select_program);
    for (size_t i = 0; i < l->mesh_count && status == GRZ_OK; i++) {
        const grz_leaf_mesh *mesh = &l->meshes[i];
        const grz_leaf_buffers *leaves = first_part(layout, mesh)->leaves;
        const uint32_t groups = (leaves->leaf_count + GRZ_DISPATCH_GROUP - 1) / GRZ_DISPATCH_GROUP;
        assert(groups <= GRZ_GRID_MOST_GROUPS && mesh->part_count <= GRZ_GRID_MOST_GROUPS);
        if (i == 0 || mesh->side != mesh[-1].side) {
            bind_places(b, mesh->side);
            glUniform1ui(GRZ_AT_VOXEL_SIDE, (GLuint)mesh->side);
        }
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_BOXES, leaves->boxes);
        glUniform1ui(GRZ_AT_VOXEL_PLACE, (GLuint)mesh->first_part);
        glUniform1ui(GRZ_AT_LEAF_COUNT, leaves->leaf_count);
        glDispatchCompute(groups, (GLuint)mesh->part_count, 1);
        status = grz_gl_wait(call->control);
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    return status;
}

// Step 2: find the pairs of boxes that meet, and make room for the triangles of their leaves.
static grz_status join_boxes(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *b)
{
    const grz_status status = grz_grid_use(call, &join_program);
    if (status != GRZ_OK)
        return status;
    glUniform1ui(GRZ_AT_LEAF_PAIR_ROOM, b->leaf_pair_capacity);
    glUniform1ui(GRZ_AT_LEAF_RECORD_ROOM, b->leaf_record_capacity);
    glUniform1ui(GRZ_AT_LEAF_CHUNKS, layout->leaves.chunks);
    return grz_dispatch_groups(call->gl, call->control, layout->leaves.task_count);
}

// Make records of the triangles, or faces, in leaves that have met another.
static grz_status load_triangles(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *b)
{
    const grz_leaf_layout *l = &layout->leaves;
    const bool volumes = layout->join == GRZ_JOIN_VOLUMES;
    grz_status status = grz_grid_use(call, volumes ? &load_faces_program : &load_program);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, b->leaf_meshes.name);
    for (size_t i = 0; i < l->mesh_count && status == GRZ_OK; i++) {
        const grz_leaf_mesh *mesh = &l->meshes[i];
        const grz_grid_part *part = first_part(layout, mesh);
        if (i == 0 || mesh->side != mesh[-1].side)
            bind_places(b, mesh->side);
        grz_grid_bind_mesh(call, part);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_BOXES, part->leaves->boxes);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_ORDER, part->leaves->order);
        if (volumes)
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LEAF_PRIMITIVES, part->leaves->primitives);
        glUniform1ui(GRZ_AT_LEAF_MESH, (GLuint)i);
        status = grz_dispatch(call->gl, call->control, i * sizeof(mesh_words));
    }
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, b->answers.name);
    return status;
}

// Steps 3 to 5: the triangles of each leaf that are inside the other's box, and the pairs of them whose boxes overlap;
// or the faces that reach into a face's viewing volume.
static grz_status find_pairs(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *b,
                             uint32_t candidate_capacity)
{
    const bool volumes = layout->join == GRZ_JOIN_VOLUMES;
    const grz_status status = grz_grid_use(call, volumes ? &volumes_program : &pairs_program);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_PAIRS, b->pairs.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_UNITS, b->units.name);
    glUniform1ui(GRZ_AT_LEAF_PAIR_ROOM, b->leaf_pair_capacity);
    glUniform1ui(GRZ_AT_LEAF_RECORD_ROOM, b->leaf_record_capacity);
    glUniform1ui(GRZ_AT_LEAF_CHUNKS, layout->leaves.chunks);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)layout->job_count);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, candidate_capacity);
    if (!volumes)
        glUniform1i(GRZ_AT_LEAF_TEST, grz_grid_tests_pairs(b, call));
    return grz_dispatch(call->gl, call->control, offsetof(grz_answer_head, leaf_groups));
}

grz_status grz_grid_join_leaves(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *b,
                                uint32_t candidate_capacity)
{
    assert(grz_grid_has_leaves(layout->join) && b->leaf_pair_capacity > 0 && b->leaf_record_capacity > 0);
    grz_status status = upload_leaves(call, layout, b);
    if (status == GRZ_OK)
        status = select_boxes(call, layout, b);
    if (status == GRZ_OK)
        status = join_boxes(call, layout, b);
    if (status == GRZ_OK)
        status = load_triangles(call, layout, b);
    if (status == GRZ_OK)
        status = find_pairs(call, layout, b, candidate_capacity);
    if (status == GRZ_OK && layout->join == GRZ_JOIN_LEAVES && grz_grid_tests_pairs(b, call))
        status = grz_grid_test_pairs(call, layout, b, candidate_capacity);
    return status;
}
