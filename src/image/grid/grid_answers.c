// SPDX-License-Identifier: MIT
// Reads back what a round found and decodes it. One read brings the head, the words of all jobs and the first
// candidates; only a round with more candidates, or with lists of marked triangles, needs further reads.
#include "image/grid/grid_answers.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "base/sort/sort.h"
#include "image/grid/grid_shaders.h"

void grz_answer_head_init(grz_answer_head *head)
{
    static const grz_work_groups none = {0, 1, 1, 0};
    *head = (grz_answer_head){.record_groups = {none, none},
                              .big_groups = {none, none},
                              .mark_groups = none,
                              .task_groups = none,
                              .pair_groups = none,
                              .walk_groups = none,
                              .raw_groups = none,
                              .leaf_groups = none};
}

// Words that one read brings: the head, the jobs, the first candidates.
static size_t read_word_count(const grz_grid_answers *answers)
{
    return answers->word_count + (size_t)GRZ_CANDIDATE_WORDS * GRZ_VOXEL_CANDIDATES;
}

grz_status grz_grid_answers_make(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_layout *layout)
{
    static_assert(sizeof(grz_raw_candidate) == GRZ_CANDIDATE_WORDS * sizeof(uint32_t), "as grid_bindings.h has it");
    *answers = (grz_grid_answers){.word_count = (size_t)(grz_grid_answer_bytes(layout) / sizeof(uint32_t))};
    answers->initial = grz_allocate_zeroed(call->allocator, answers->word_count, sizeof *answers->initial);
    answers->read = grz_allocate(call->allocator, read_word_count(answers), sizeof *answers->read);
    if (answers->initial == NULL || answers->read == NULL)
        return grz_fail(call->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %zu jobs", call->method,
                        layout->job_count);
    grz_answer_head_init((grz_answer_head *)(void *)answers->initial);
    for (size_t i = 0; i < layout->job_count; i++)
        for (int k = 0; k < 2; k++)
            grz_grid_job_words(answers->initial, i)[GRZ_JOB_FIRST + k] = layout->first_marked[i][k];
    for (size_t i = 0; i < layout->job_count && layout->join == GRZ_JOIN_VOLUMES; i++)
        grz_grid_job_words(answers->initial, i)[GRZ_JOB_REFERENCE] = layout->reference_sides[i];
    return GRZ_OK;
}

void grz_grid_answers_release(grz_grid_answers *answers, const grz_grid_call *call)
{
    grz_release(call->allocator, answers->initial, answers->word_count, sizeof *answers->initial);
    grz_release(call->allocator, answers->read, read_word_count(answers), sizeof *answers->read);
}

static void read(grz_grid_answers *answers, const grz_gl_buffer *buffer, uint64_t at, uint64_t bytes, void *to)
{
    glGetNamedBufferSubData(buffer->name, (GLintptr)at, (GLsizeiptr)bytes, to);
    answers->read_bytes += bytes;
}

grz_status grz_grid_answers_read(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_buffers *buffers)
{
    const size_t few = GRZ_VOXEL_CANDIDATES < answers->capacity ? GRZ_VOXEL_CANDIDATES : answers->capacity;
    const grz_status status = grz_gl_wait(call->control);
    if (status != GRZ_OK)
        return status;
    assert(sizeof(uint32_t) * answers->word_count + answers->capacity * sizeof(grz_raw_candidate) <=
           buffers->answers.size);
    read(answers, &buffers->answers, 0, sizeof(uint32_t) * answers->word_count + few * sizeof(grz_raw_candidate),
         answers->read);
    return grz_gl_check(call->gl, call->error);
}

// ---- Candidates ---------------------------------------------------------------------------------------------------

static int compare_candidates(const void *x, const void *y, void *context)
{
    (void)context;
    const uint32_t a = ((const grz_grid_candidate *)x)->job, b = ((const grz_grid_candidate *)y)->job;
    return (a > b) - (a < b);
}

static grz_status fail_memory(const grz_grid_call *call, uint32_t count)
{
    return grz_fail(call->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %u pairs", call->method,
                    count);
}

// Candidates, job by job. Those of flagged jobs are left out: their lists are not complete.
static grz_status decode_pairs(const grz_grid_call *call, const grz_grid_layout *layout, const grz_raw_candidate *raw,
                               uint32_t count, grz_grid_round *round)
{
    bool sorted = true;
    round->candidates = grz_allocate(call->allocator, count, sizeof *round->candidates);
    if (round->candidates == NULL)
        return fail_memory(call, count);
    round->candidate_capacity = count;
    for (uint32_t i = 0; i < count; i++) {
        assert(raw[i].first < layout->job_count);
        const grz_grid_candidate c = {.job = layout->numbers[raw[i].first],
                                      .triangles = {raw[i].triangles[0], raw[i].triangles[1]},
                                      .proved = (raw[i].last & 1) != 0};
        if (round->answers[c.job].flags != 0)
            continue;
        sorted = sorted && (round->candidate_count == 0 || round->candidates[round->candidate_count - 1].job <= c.job);
        round->candidates[round->candidate_count++] = c;
    }
    if (sorted)
        return GRZ_OK;
    const grz_status status = grz_sort(round->candidates, round->candidate_count, sizeof *round->candidates,
                                       compare_candidates, NULL, call->control);
    return status != GRZ_ERROR_MEMORY ? status : fail_memory(call, count);
}

// Candidates of many objects in one grid.
static grz_status decode_listed_pairs(const grz_grid_call *call, const grz_raw_candidate *raw, uint32_t count,
                                      grz_grid_round *round)
{
    if (round->answers[0].flags != 0)
        return GRZ_OK;
    round->listed_pairs = grz_allocate(call->allocator, count, sizeof *round->listed_pairs);
    if (round->listed_pairs == NULL)
        return fail_memory(call, count);
    round->listed_pair_capacity = round->listed_pair_count = count;
    for (uint32_t i = 0; i < count; i++)
        round->listed_pairs[i] = (grz_listed_pair){.objects = {raw[i].first, raw[i].last >> 1},
                                                   .triangles = {raw[i].triangles[0], raw[i].triangles[1]},
                                                   .proved = (raw[i].last & 1) != 0};
    return GRZ_OK;
}

static grz_status decode_raw(const grz_grid_call *call, const grz_grid_layout *layout, const grz_raw_candidate *raw,
                             uint32_t count, grz_grid_round *round)
{
    return layout->form == GRZ_GRID_SHARED ? decode_listed_pairs(call, raw, count, round)
                                           : decode_pairs(call, layout, raw, count, round);
}

// All candidates, of which the first few have been read already.
static grz_status decode_candidates(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_layout *layout,
                                    const grz_grid_buffers *buffers, grz_grid_round *round)
{
    const grz_raw_candidate *first = (const grz_raw_candidate *)(const void *)(answers->read + answers->word_count);
    const uint32_t found = grz_grid_head(answers)->candidates,
                   count = found < answers->capacity ? found : answers->capacity;
    if (count == 0)
        return GRZ_OK;
    if (count <= GRZ_VOXEL_CANDIDATES)
        return decode_raw(call, layout, first, count, round);
    grz_raw_candidate *raw = grz_allocate(call->allocator, count, sizeof *raw);
    if (raw == NULL)
        return fail_memory(call, count);
    memcpy(raw, first, GRZ_VOXEL_CANDIDATES * sizeof *raw);
    read(answers, &buffers->answers, sizeof(uint32_t) * answers->word_count + GRZ_VOXEL_CANDIDATES * sizeof *raw,
         (count - GRZ_VOXEL_CANDIDATES) * sizeof *raw, raw + GRZ_VOXEL_CANDIDATES);
    const grz_status status = decode_raw(call, layout, raw, count, round);
    grz_release(call->allocator, raw, count, sizeof *raw);
    return status;
}

// ---- Jobs ---------------------------------------------------------------------------------------------------------

// The marked triangles of one object of a job, from the place in the buffer where its list begins.
static grz_status read_list(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_buffers *buffers,
                            uint32_t begin, int side, grz_grid_answer *answer)
{
    const uint32_t count = answer->marked[side];
    assert(2 * sizeof(uint32_t) * ((uint64_t)begin + count) <= buffers->marked.size);
    uint32_t *pairs = grz_allocate(call->allocator, count, 2 * sizeof *pairs); // record, triangle
    answer->lists[side] = grz_allocate(call->allocator, count, sizeof *pairs);
    if (pairs == NULL || answer->lists[side] == NULL) {
        grz_release(call->allocator, pairs, count, 2 * sizeof *pairs);
        return grz_fail(call->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %u triangles",
                        call->method, count);
    }
    read(answers, &buffers->marked, 2 * sizeof *pairs * (uint64_t)begin, 2 * sizeof *pairs * (uint64_t)count, pairs);
    for (size_t i = 0; i < count; i++)
        answer->lists[side][i] = pairs[2 * i + 1];
    grz_release(call->allocator, pairs, count, 2 * sizeof *pairs);
    return GRZ_OK;
}

static grz_status decode_job(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_layout *layout,
                             const grz_grid_buffers *buffers, size_t job, grz_grid_answer *answer)
{
    const uint32_t *words = grz_grid_job_words(answers->read, job);
    grz_status status = GRZ_OK;
    answer->flags = words[GRZ_JOB_FLAGS];
    answer->proved = words[GRZ_JOB_PROVED] != 0;
    for (int k = 0; k < 2; k++) {
        answer->marked[k] = words[GRZ_JOB_MARKED + k];
        answer->pair[k] = words[GRZ_JOB_PAIR + k];
    }
    // The lists of a job that overflowed are not complete: it is answered in another way.
    if (answer->flags == 0 && layout->join != GRZ_JOIN_FRAGMENTS && !grz_grid_has_leaves(layout->join) &&
        answers->capacity == 0 && answer->marked[0] > 0 && answer->marked[1] > 0)
        answer->flags = GRZ_JOB_EXHAUSTED;
    for (int k = 0; k < 2 && answer->flags == GRZ_JOB_EXHAUSTED && status == GRZ_OK; k++)
        status = read_list(answers, call, buffers, words[GRZ_JOB_FIRST + k], k, answer);
    return status;
}

grz_status grz_grid_answers_decode(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_layout *layout,
                                   const grz_grid_buffers *buffers, grz_grid_round *round)
{
    const grz_answer_head *head = grz_grid_head(answers);
    grz_status status = GRZ_OK;
    round->box_pair_count = head->pairs;
    round->leaf_pair_count = head->leaf_pairs;
    round->fragment_count = head->nodes;
    round->fragment_pair_count = head->fragment_pairs;
    for (size_t i = 0; i < layout->job_count && status == GRZ_OK; i++)
        status = decode_job(answers, call, layout, buffers, i, &round->answers[layout->numbers[i]]);
    if (status == GRZ_OK)
        status = decode_candidates(answers, call, layout, buffers, round);
    round->read_bytes = answers->read_bytes;
    return status == GRZ_OK ? grz_gl_check(call->gl, call->error) : status;
}
