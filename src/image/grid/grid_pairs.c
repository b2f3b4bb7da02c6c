// SPDX-License-Identifier: MIT
// Pairs of marked triangles, tried by shaders: pairs_plan.comp makes tasks for the jobs with few marked triangles,
// pairs_join.comp finds the pairs whose boxes overlap, pairs_test.comp tries these by determinants with an error
// bound.
#include <assert.h>

#include "gpu/dispatch.h"
#include "image/grid/passes.h"

static const grz_gl_program_source plan_program = {"pairs_plan", {&grz_shader_pairs_plan_comp, NULL, NULL}};
static const grz_gl_program_source join_program = {"pairs_join", {&grz_shader_pairs_join_comp, NULL, NULL}};
static const grz_gl_program_source test_program = {"pairs_test", {&grz_shader_pairs_test_comp, NULL, NULL}};

grz_status grz_grid_test_pairs(const grz_grid_call *call, const grz_grid_layout *layout,
                               const grz_grid_buffers *buffers, uint32_t candidate_capacity)
{
    assert(candidate_capacity > 0);
    const grz_status status = grz_grid_use(call, &test_program);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_UNITS, buffers->units.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_PAIRS, buffers->pairs.name);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)layout->job_count);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, candidate_capacity);
    glUniform1i(GRZ_AT_PAIRS_LIST, layout->wants_list);
    return grz_dispatch(call->gl, call->control, offsetof(grz_answer_head, pair_groups));
}

grz_status grz_grid_try_marked(const grz_grid_call *call, const grz_grid_layout *layout,
                               const grz_grid_buffers *buffers, uint32_t candidate_capacity)
{
    assert(layout->form == GRZ_GRID_PER_PAIR && grz_grid_pair_limit(buffers, call) > 0);
    grz_status status = grz_grid_use(call, &plan_program);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_TASKS, buffers->tasks.name);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)layout->job_count);
    glUniform1ui(GRZ_AT_PAIRS_LIMIT, grz_grid_pair_limit(buffers, call));
    status =
        grz_dispatch_groups(call->gl, call->control, (layout->job_count + GRZ_DISPATCH_GROUP - 1) / GRZ_DISPATCH_GROUP);
    if (status == GRZ_OK)
        status = grz_grid_use(call, &join_program);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_PAIRS, buffers->pairs.name);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, candidate_capacity);
    status = grz_dispatch(call->gl, call->control, offsetof(grz_answer_head, task_groups));
    if (status != GRZ_OK)
        return status;
    return grz_grid_test_pairs(call, layout, buffers, candidate_capacity);
}
