// SPDX-License-Identifier: MIT
// Runs a round: lays out the grids (layout.c), makes room (buffers.c), runs the passes (passes.h), reads the answers
// (grid_answers.c). Each of the three forms has a driver that says which passes it takes. If lists of fragments did not
// fit, the round runs again with more room.
#include <assert.h>

#include "base/control.h"
#include "base/fail.h"
#include "image/grid/passes.h"

// ---- The passes of each form --------------------------------------------------------------------------------------

// GRZ_GRID_PER_PAIR: fill the cells of all objects A, then test objects B against them; or compare their leaves.
static grz_status run_pairs(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *buffers,
                            uint32_t candidate_capacity)
{
    if (grz_grid_has_leaves(layout->join))
        return grz_grid_join_leaves(call, layout, buffers, candidate_capacity);
    grz_status status = grz_grid_place_triangles(call, layout, buffers, 0);
    if (status == GRZ_OK)
        status = grz_grid_place_triangles(call, layout, buffers, 1);
    if (status == GRZ_OK)
        status = grz_grid_fill(call, layout);
    if (layout->join == GRZ_JOIN_FRAGMENTS) {
        if (status == GRZ_OK)
            status = grz_grid_capture_shared_cells(call, layout, buffers);
        return status == GRZ_OK ? grz_grid_join_fragments(call, layout, buffers) : status;
    }
    if (status == GRZ_OK)
        status = grz_grid_test(call, layout);
    if (status == GRZ_OK && layout->join != GRZ_JOIN_TEST_ONLY)
        status = grz_grid_mark(call, layout);
    if (status == GRZ_OK && candidate_capacity > 0)
        status = grz_grid_try_marked(call, layout, buffers, candidate_capacity);
    return status;
}

// GRZ_GRID_OF_SELF: fragments of all triangles of the mesh; its pairs without neighbours that only share a corner or
// an edge.
static grz_status run_self(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *buffers)
{
    grz_status status = grz_grid_place_triangles(call, layout, buffers, 0);
    if (status == GRZ_OK)
        status = grz_grid_capture_all(call, layout, buffers);
    return status == GRZ_OK ? grz_grid_join_fragments(call, layout, buffers) : status;
}

// GRZ_GRID_SHARED: fragments of all triangles of all objects; pairs of different objects.
static grz_status run_shared(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *buffers)
{
    grz_status status = grz_grid_place_triangles(call, layout, buffers, 0);
    if (status == GRZ_OK)
        status = grz_grid_capture_all(call, layout, buffers);
    return status == GRZ_OK ? grz_grid_join_fragments(call, layout, buffers) : status;
}

static grz_status run_form(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_buffers *buffers,
                           uint32_t candidate_capacity)
{
    switch (layout->form) {
    case GRZ_GRID_OF_SELF:
        return run_self(call, layout, buffers);
    case GRZ_GRID_SHARED:
        return run_shared(call, layout, buffers);
    case GRZ_GRID_PER_PAIR:
    default:
        return run_pairs(call, layout, buffers, candidate_capacity);
    }
}

// ---- A round ------------------------------------------------------------------------------------------------------

// True if the grid was given up because of too many fragments. Its jobs are then flagged: each is to be tried in a
// round of its own, or, if it was alone already, without a grid.
static bool given_up(const grz_grid_layout *layout, grz_grid_answers *answers)
{
    const bool gave_up = grz_grid_head(answers)->given_up != 0;
    for (size_t i = 0; i < layout->job_count && gave_up; i++)
        grz_grid_job_words(answers->read, i)[GRZ_JOB_FLAGS] = layout->job_count > 1 ? GRZ_JOB_OVERFLOW : GRZ_JOB_WHOLE;
    return gave_up;
}

// Finish walks through long lists. *again: something had no room; there is more now, and the round is to run again.
static grz_status finish_fragments(const grz_grid_call *call, const grz_grid_layout *layout, grz_grid_buffers *buffers,
                                   grz_grid_answers *answers, bool *again)
{
    bool walked;
    *again = false;
    if (given_up(layout, answers))
        return GRZ_OK;
    *again = grz_grid_buffers_grow(buffers, call, grz_grid_head(answers));
    if (*again)
        return GRZ_OK;
    grz_status status = grz_grid_finish_walks(call, layout, buffers, grz_grid_head(answers), &walked);
    if (status == GRZ_OK && walked) {
        status = grz_grid_answers_read(answers, call, buffers);
        if (status != GRZ_OK || given_up(layout, answers))
            return status;
        *again = grz_grid_buffers_grow(buffers, call, grz_grid_head(answers));
    }
    const bool finished = grz_grid_head(answers)->walk_from == grz_grid_head(answers)->walk_to;
    for (size_t i = 0; i < layout->job_count && status == GRZ_OK; i++) {
        uint32_t *flags = &grz_grid_job_words(answers->read, i)[GRZ_JOB_FLAGS];
        if ((*flags & GRZ_JOB_LONG) != 0)
            *flags = (*flags & ~GRZ_JOB_LONG) | (finished ? 0 : GRZ_JOB_WHOLE);
    }
    return status;
}

// Run the passes, again while room has to grow. *fits: false if a shader cannot see buffers so large.
static grz_status run_passes(const grz_grid_call *call, const grz_grid_layout *layout, grz_grid_buffers *buffers,
                             grz_grid_answers *answers, bool *fits)
{
    for (bool again = true; again;) {
        grz_status status = grz_grid_buffers_reserve(buffers, call, layout, &answers->capacity, fits);
        if (status != GRZ_OK || !*fits)
            return status;
        grz_grid_upload(layout, buffers, answers);
        status = run_form(call, layout, buffers, answers->capacity);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        if (status == GRZ_OK)
            status = grz_grid_answers_read(answers, call, buffers);
        again = false;
        if (status == GRZ_OK && layout->join == GRZ_JOIN_FRAGMENTS)
            status = finish_fragments(call, layout, buffers, answers, &again);
        if (status == GRZ_OK && grz_grid_has_leaves(layout->join))
            again = grz_grid_buffers_grow(buffers, call, grz_grid_head(answers));
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

// Run the jobs that have a grid. Jobs without one are flagged before.
static grz_status run_layout(const grz_grid_call *call, const grz_grid_layout *layout, grz_grid_buffers *buffers,
                             grz_grid_round *round)
{
    grz_grid_answers answers;
    bool fits = true;
    assert(layout->job_count <= round->answer_count);
    for (size_t i = 0; i < round->answer_count; i++)
        round->answers[i].flags = GRZ_JOB_WHOLE;
    if (layout->job_count == 0)
        return GRZ_OK;
    grz_status status = grz_grid_answers_make(&answers, call, layout);
    if (status == GRZ_OK)
        status = run_passes(call, layout, buffers, &answers, &fits);
    if (status == GRZ_OK && fits)
        status = grz_grid_answers_decode(&answers, call, layout, buffers, round);
    grz_grid_answers_release(&answers, call);
    return status;
}

static grz_status run_inside(const grz_grid_call *call, const grz_grid_request *request, grz_grid_round *round)
{
    const size_t count = request->form == GRZ_GRID_SHARED ? 1 : request->count;
    grz_grid_layout layout;
    grz_grid_buffers *buffers = grz_grid_buffers_get(call->gl, call->method, call->error);
    if (buffers == NULL)
        return GRZ_ERROR_MEMORY;
    round->answers = grz_allocate_zeroed(call->allocator, count, sizeof *round->answers);
    if (round->answers == NULL)
        return grz_fail(call->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %zu jobs", call->method,
                        count);
    round->answer_count = count;
    grz_status status = grz_grid_layout_make(&layout, call, request);
    if (status == GRZ_OK)
        status = run_layout(call, &layout, buffers, round);
    grz_grid_layout_release(&layout, call);
    return status;
}

grz_status grz_grid_run(grz_device *device, const grz_grid_request *request, grz_control *control,
                        grz_grid_round *round, grz_error *error)
{
    grz_grid_call call = {
        .control = control, .allocator = grz_control_allocator(control), .error = error, .method = request->method};
    grz_grid_round_finish(round, control);
    grz_status status = grz_gl_enter(device, request->method, &call.gl, error);
    if (status != GRZ_OK)
        return status;
    status = run_inside(&call, request, round);
    return grz_gl_leave(call.gl, status, error);
}

void grz_grid_round_finish(grz_grid_round *round, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    for (size_t i = 0; i < round->answer_count; i++)
        for (int k = 0; k < 2; k++)
            grz_release(allocator, round->answers[i].lists[k], round->answers[i].marked[k],
                        sizeof *round->answers[i].lists[k]);
    grz_release(allocator, round->answers, round->answer_count, sizeof *round->answers);
    grz_release(allocator, round->candidates, round->candidate_capacity, sizeof *round->candidates);
    grz_release(allocator, round->listed_pairs, round->listed_pair_capacity, sizeof *round->listed_pairs);
    *round = (grz_grid_round){.answers = NULL};
}
