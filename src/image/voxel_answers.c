// SPDX-License-Identifier: MIT
// What a round says when it is read back (voxel_parts.h).
#include <string.h>

#include "base/fail.h"
#include "base/sort.h"
#include "image/voxel_parts.h"

static void read(const grz_voxel_work *w, const grz_gl_buffer *buffer, uint64_t at, uint64_t bytes, void *to)
{
    glGetNamedBufferSubData(buffer->name, (GLintptr)at, (GLsizeiptr)bytes, to);
    w->round->read_bytes += bytes;
}

static int compare_candidates(const void *x, const void *y, void *context)
{
    (void)context;
    const uint32_t a = ((const grz_voxel_candidate *)x)->job, b = ((const grz_voxel_candidate *)y)->job;
    return (a > b) - (a < b);
}

// Candidates, of which the first few have been read; those of jobs that overflowed are left out, the others sorted by job.
static grz_status take_candidates(const grz_voxel_work *w, const grz_voxel_candidate *first)
{
    grz_voxel_round *round = w->round;
    const uint32_t wanted = w->said[GRZ_HEAD_CANDIDATES], count = wanted < w->room ? wanted : w->room;
    const size_t had = count < GRZ_VOXEL_CANDIDATES ? count : GRZ_VOXEL_CANDIDATES;
    bool sorted = true;
    if (count == 0)
        return GRZ_OK;
    round->candidates = grz_allocate(w->allocator, count, sizeof *round->candidates);
    if (round->candidates == NULL)
        return grz_fail(w->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %u pairs", w->question->method, count);
    round->candidate_room = count;
    memcpy(round->candidates, first, had * sizeof *first);
    if (count > had)
        read(w, &w->kept->answers, 4 * grz_voxel_head_words(w) + had * sizeof *first, (count - had) * sizeof *first,
             round->candidates + had);
    for (size_t i = 0; i < count; i++) {
        grz_voxel_candidate c = round->candidates[i];
        if (!w->many)
            c.job = w->numbers[c.job];
        if (round->answers[w->many ? 0 : c.job].flags != 0)
            continue;
        sorted = sorted && (round->candidate_count == 0 || round->candidates[round->candidate_count - 1].job <= c.job);
        round->candidates[round->candidate_count++] = c;
    }
    if (sorted || w->many)
        return GRZ_OK;
    const grz_status status =
        grz_sort(round->candidates, round->candidate_count, sizeof *round->candidates, compare_candidates, NULL, w->control);
    return status != GRZ_ERROR_MEMORY
               ? status
               : grz_fail(w->error, status, GRZ_NO_ELEMENT, "%s: out of memory for %u pairs", w->question->method, count);
}

// The triangles that are marked of an object.
static grz_status read_list(const grz_voxel_work *w, const uint32_t *words, int side, grz_voxel_answer *answer)
{
    const uint32_t count = answer->marked[side];
    uint32_t *pairs = grz_allocate(w->allocator, count, 2 * sizeof *pairs);
    answer->lists[side] = grz_allocate(w->allocator, count, sizeof *pairs);
    if (pairs == NULL || answer->lists[side] == NULL) {
        grz_release(w->allocator, pairs, count, 2 * sizeof *pairs);
        return grz_fail(w->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %u triangles", w->question->method,
                        count);
    }
    read(w, &w->kept->marked, 8 * (uint64_t)words[GRZ_JOB_FIRST + side], 8 * (uint64_t)count, pairs);
    for (size_t i = 0; i < count; i++)
        answer->lists[side][i] = pairs[2 * i + 1];
    grz_release(w->allocator, pairs, count, 2 * sizeof *pairs);
    return GRZ_OK;
}

grz_status grz_voxel_read_answers(const grz_voxel_work *w)
{
    const size_t few = GRZ_VOXEL_CANDIDATES < w->room ? GRZ_VOXEL_CANDIDATES : w->room;
    grz_status status = grz_gl_wait(w->control);
    if (status != GRZ_OK)
        return status;
    read(w, &w->kept->answers, 0, 4 * grz_voxel_head_words(w) + few * sizeof(grz_voxel_candidate), w->said);
    w->round->pair_count = w->said[GRZ_HEAD_PAIRS];
    w->round->node_count = w->said[GRZ_HEAD_NODES];
    w->round->raw_count = w->said[GRZ_HEAD_RAW_PAIRS];
    return grz_gl_check(w->gl, w->error);
}

grz_status grz_voxel_take_answers(const grz_voxel_work *w)
{
    const grz_voxel_join join = w->question->join;
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < w->count && status == GRZ_OK; i++) {
        const uint32_t *words = grz_voxel_job_words(w->said, i);
        grz_voxel_answer *answer = &w->round->answers[w->numbers[i]];
        answer->flags = words[GRZ_JOB_FLAGS];
        answer->proved = words[GRZ_JOB_PROVED] != 0;
        for (int k = 0; k < 2; k++) {
            answer->marked[k] = words[GRZ_JOB_MARKED + k];
            answer->pair[k] = words[GRZ_JOB_PAIR + k];
        }
        if (join != GRZ_JOIN_LAYERS && w->room == 0 && answer->marked[0] > 0 && answer->marked[1] > 0)
            answer->flags = GRZ_JOB_EXHAUSTED;
        for (int k = 0; k < 2 && answer->flags == GRZ_JOB_EXHAUSTED && status == GRZ_OK; k++)
            status = read_list(w, words, k, answer);
    }
    if (status == GRZ_OK)
        status = take_candidates(w, (const grz_voxel_candidate *)(const void *)(w->said + grz_voxel_head_words(w)));
    return status == GRZ_OK ? grz_gl_check(w->gl, w->error) : status;
}
