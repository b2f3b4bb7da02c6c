// SPDX-License-Identifier: MIT
// Lists of fragments (an A-buffer), conservatively. A triangle makes a fragment in each pixel that it may touch, with
// the range of depths that it may have there. The fragments of a pixel form a list; two of them whose depths overlap
// make a pair. Of two objects, B's fragments are made where A has cells, then A's where both have, so the lists hold
// only what shares cells; if they are long, each slice gets a list of its own. Otherwise all triangles are captured,
// and each fragment walks through those that were in its list before it. Source: H. Jang, J. Han, "Fast collision
// detection using the A-buffer" (2008), section 3, with error bounds.
#include <assert.h>

#include "gpu/dispatch.h"
#include "image/grid/fragments/fragments_shaders.h"
#include "image/grid/passes.h"

enum {
    WALKS = 2,                // dispatches that walk, before the answers are read
    MOST_WALKS = 64,          // dispatches after that
    MOST_EACH = 64,           // the grid is given up with more fragments, or pairs of them, than this for each triangle
    MORE_FRAGMENTS = 1 << 18, // and these for all triangles together
    MORE_PAIRS = 1 << 19
};

static const grz_gl_program_source visit_program = {"layers_visit", {&grz_shader_layers_visit_comp, NULL, NULL}};
static const grz_gl_program_source big_program = {"layers_big", {&grz_shader_layers_big_comp, NULL, NULL}};
static const grz_gl_program_source plan_program = {"layers_plan", {&grz_shader_layers_plan_comp, NULL, NULL}};
static const grz_gl_program_source walk_program = {"layers_walk", {&grz_shader_layers_walk_comp, NULL, NULL}};
static const grz_gl_program_source many_walk_program = {"many_walk", {&grz_shader_many_walk_comp, NULL, NULL}};
static const grz_gl_program_source unique_program = {"pairs_unique", {&grz_shader_pairs_unique_comp, NULL, NULL}};
static const grz_gl_program_source self_unique_program = {"self_unique", {&grz_shader_self_unique_comp, NULL, NULL}};
static const grz_gl_program_source many_unique_program = {"many_unique", {&grz_shader_many_unique_comp, NULL, NULL}};

static const grz_grid_visitors fragment_visitors = {&visit_program, &big_program};

// What differs between the forms: which pairs of fragments count, and which pairs of triangles are candidates.
static const struct {
    const grz_gl_program_source *walk, *unique;
} form_programs[] = {[GRZ_GRID_PER_PAIR] = {&walk_program, &unique_program},
                     [GRZ_GRID_OF_SELF] = {&walk_program, &self_unique_program},
                     [GRZ_GRID_SHARED] = {&many_walk_program, &many_unique_program}};

// With more fragments, or more pairs of them, than this the grid does not tell triangles apart.
static uint32_t most(const grz_grid_layout *layout, uint32_t more)
{
    const uint64_t count = MOST_EACH * grz_grid_record_limit(layout) + more;
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

// Choose which fragments walk next (layers_plan.comp). `steps` is a sum of GRZ_PLAN_….
static grz_status plan(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *buffers,
                       GLuint steps)
{
    const grz_status status = grz_grid_use(call, &plan_program);
    if (status != GRZ_OK)
        return status;
    glUniform1ui(GRZ_AT_PLAN_STEPS, steps);
    glUniform1ui(GRZ_AT_PLAN_ROOM, buffers->fragment_capacity);
    glUniform2ui(GRZ_AT_PLAN_MOST, most(layout, MORE_FRAGMENTS), most(layout, MORE_PAIRS));
    glUniform1ui(GRZ_AT_PLAN_PIXELS, grz_grid_splittable_pixels(layout));
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    return GRZ_OK;
}

static grz_status walk(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *buffers)
{
    assert(buffers->fragment_capacity > 0 && buffers->fragment_pair_capacity > 0);
    grz_status status = grz_grid_use(call, form_programs[layout->form].walk);
    if (status != GRZ_OK)
        return status;
    glUniform1ui(GRZ_AT_LAYER_ROOM, buffers->fragment_capacity);
    glUniform1ui(GRZ_AT_LAYER_RAW_ROOM, buffers->fragment_pair_capacity);
    status = grz_dispatch(call->gl, call->control, offsetof(grz_answer_head, walk_groups));
    if (status != GRZ_OK)
        return status;
    return plan(call, layout, buffers, GRZ_PLAN_AGAIN | GRZ_PLAN_REST);
}

// ---- Capture ------------------------------------------------------------------------------------------------------

static void clear_lists(const grz_grid_layout *layout, const grz_grid_buffers *b)
{
    const GLuint zero = 0;
    const GLsizeiptr seen_bytes = (GLsizeiptr)4 << grz_grid_seen_bits(b, layout);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_NODES, b->fragments.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_HEADS, b->heads.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_RAW, b->fragment_pairs.name);
    glClearNamedBufferSubData(b->heads.name, GL_R32UI, 0, (GLsizeiptr)grz_grid_head_bytes(layout), GL_RED_INTEGER,
                              GL_UNSIGNED_INT, &zero);
    glClearNamedBufferSubData(b->seen.name, GL_R32UI, 0, seen_bytes, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
}

grz_status grz_grid_capture_all(const grz_grid_call *call, const grz_grid_layout *layout,
                                const grz_grid_buffers *buffers)
{
    assert(layout->form != GRZ_GRID_PER_PAIR);
    clear_lists(layout, buffers);
    const grz_status status = grz_grid_visit(call, layout, &fragment_visitors, GRZ_LAYER_ALL, 0,
                                             offsetof(grz_answer_head, record_groups[0]), buffers->fragment_capacity);
    return status == GRZ_OK ? plan(call, layout, buffers, GRZ_PLAN_ALL | GRZ_PLAN_REST) : status;
}

grz_status grz_grid_capture_shared_cells(const grz_grid_call *call, const grz_grid_layout *layout,
                                         const grz_grid_buffers *buffers)
{
    assert(layout->form == GRZ_GRID_PER_PAIR);
    clear_lists(layout, buffers);
    grz_status status = grz_grid_visit(call, layout, &fragment_visitors, GRZ_LAYER_TEST, 1,
                                       offsetof(grz_answer_head, record_groups[1]), buffers->fragment_capacity);
    if (status == GRZ_OK)
        status = plan(call, layout, buffers, GRZ_PLAN_ALL | GRZ_PLAN_LISTS);
    if (status == GRZ_OK)
        status = grz_grid_visit(call, layout, &fragment_visitors, GRZ_LAYER_LINK, 0,
                                offsetof(grz_answer_head, mark_groups), buffers->fragment_capacity);
    return status == GRZ_OK ? plan(call, layout, buffers, GRZ_PLAN_REST) : status;
}

// ---- Pairs --------------------------------------------------------------------------------------------------------

// From pairs of fragments to pairs of triangles, each once; these are tried by determinants, or are candidates as they
// are.
static grz_status find_pairs(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *b)
{
    const bool test = grz_grid_tests_pairs(b, call);
    grz_status status = grz_grid_use(call, form_programs[layout->form].unique);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_SEEN, b->seen.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_PAIRS, b->pairs.name);
    if (layout->form == GRZ_GRID_OF_SELF)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_CORNERS, layout->parts[0].buffers->corners);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)layout->job_count);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, b->candidate_capacity);
    glUniform1ui(GRZ_AT_LAYER_RAW_ROOM, b->fragment_pair_capacity);
    glUniform1ui(GRZ_AT_SEEN_BITS, grz_grid_seen_bits(b, layout));
    glUniform1i(GRZ_AT_UNIQUE_TEST, test);
    status = grz_dispatch(call->gl, call->control, offsetof(grz_answer_head, raw_groups));
    if (status != GRZ_OK)
        return status;
    return test ? grz_grid_test_pairs(call, layout, b, b->candidate_capacity) : GRZ_OK;
}

grz_status grz_grid_join_fragments(const grz_grid_call *call, const grz_grid_layout *layout,
                                   const grz_grid_buffers *buffers)
{
    grz_status status = GRZ_OK;
    for (int i = 0; i < WALKS && status == GRZ_OK; i++)
        status = walk(call, layout, buffers);
    return status == GRZ_OK ? find_pairs(call, layout, buffers) : status;
}

grz_status grz_grid_finish_walks(const grz_grid_call *call, const grz_grid_layout *layout,
                                 const grz_grid_buffers *buffers, const grz_answer_head *head, bool *walked)
{
    const GLuint zero = 0;
    uint32_t range[2] = {head->walk_from, head->walk_to};
    grz_status status = GRZ_OK;
    *walked = range[0] != range[1];
    for (int i = 0; i < MOST_WALKS && range[0] != range[1] && status == GRZ_OK; i++) {
        status = walk(call, layout, buffers);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        if (status == GRZ_OK)
            status = grz_gl_wait(call->control);
        if (status == GRZ_OK)
            glGetNamedBufferSubData(buffers->answers.name, offsetof(grz_answer_head, walk_from), sizeof range, range);
    }
    if (!*walked || status != GRZ_OK)
        return status;
    if (grz_grid_tests_pairs(buffers, call)) // pairs_test.comp tries all pairs again, also those it has answered
        glClearNamedBufferSubData(buffers->answers.name, GL_R32UI, offsetof(grz_answer_head, candidates), sizeof zero,
                                  GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    status = find_pairs(call, layout, buffers);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    return status;
}
