// SPDX-License-Identifier: MIT
// Pairs of marked triangles, tried by shaders: all of them by their boxes where a job has few, and pairs of boxes by determinants.
#include "image/voxel_parts.h"

enum {
    MANY_PAIRS = 1 << 20, // of marked triangles, that a GPU tries sooner than a hierarchy does; a program on the CPU never does
    PAIRS_EACH = 1 << 10, // room for pairs, for each job of a round
    TASKS_EACH = GRZ_PAIRS_MOST / GRZ_VOXEL_GROUP
};

static const grz_gl_program_source plan_program = {"pairs_plan", {&grz_shader_pairs_plan_comp, NULL, NULL}};
static const grz_gl_program_source join_program = {"pairs_join", {&grz_shader_pairs_join_comp, NULL, NULL}};
static const grz_gl_program_source test_program = {"pairs_test", {&grz_shader_pairs_test_comp, NULL, NULL}};

grz_status grz_voxel_pairs_reserve(grz_voxel_work *w, bool *fits)
{
    grz_voxel_kept *v = w->kept;
    w->pair_limit = v->pair_limit;
    if (w->pair_limit == 0)
        w->pair_limit = grz_gl_get_limits(w->gl)->software ? 0 : MANY_PAIRS;
    w->room = w->pair_limit > 0 ? PAIRS_EACH * (uint32_t)w->count : 0;
    w->room = w->room < w->pair_limit ? w->pair_limit : w->room;
    const grz_voxel_need needs[] = {
        {&v->tasks, (uint64_t)8 * TASKS_EACH * w->count, "tasks"},
        {&v->pairs, 8 * (uint64_t)w->room, "pairs of boxes"},
    };
    return w->room > 0 ? grz_voxel_reserve(w, needs, sizeof needs / sizeof *needs, fits) : GRZ_OK;
}

grz_status grz_voxel_pairs_test(const grz_voxel_work *w)
{
    const grz_status status = grz_voxel_use(w, &test_program);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_UNITS, w->kept->units.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_PAIRS, w->kept->pairs.name);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)w->count);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, w->room);
    glUniform1i(GRZ_AT_PAIRS_LIST, w->question->list);
    grz_voxel_dispatch(GRZ_HEAD_PAIR_GROUPS);
    return GRZ_OK;
}

grz_status grz_voxel_pairs_try(const grz_voxel_work *w)
{
    grz_status status = grz_voxel_use(w, &plan_program);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_TASKS, w->kept->tasks.name);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)w->count);
    glUniform1ui(GRZ_AT_PAIRS_LIMIT, w->pair_limit);
    grz_voxel_dispatch_groups((w->count + GRZ_VOXEL_GROUP - 1) / GRZ_VOXEL_GROUP);
    status = grz_voxel_use(w, &join_program);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_PAIRS, w->kept->pairs.name);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, w->room);
    grz_voxel_dispatch(GRZ_HEAD_TASK_GROUPS);
    return grz_voxel_pairs_test(w);
}
