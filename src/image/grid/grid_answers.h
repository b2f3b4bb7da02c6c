// SPDX-License-Identifier: MIT
// The answers of a round as shaders write them: a head, a few words for each job, then candidates.
#ifndef GRZ_IMAGE_GRID_GRID_ANSWERS_H
#define GRZ_IMAGE_GRID_GRID_ANSWERS_H

#include "image/grid/buffers.h"

// A pair of triangles that may touch, as shaders write it. What `first` and `last` hold depends on the form of the
// round.
typedef struct grz_raw_candidate {
    uint32_t first; // the job; with GRZ_GRID_SHARED the first triangle's object
    uint32_t triangles[2];
    uint32_t
        last; // bit 0: they are proved to touch; with GRZ_GRID_SHARED the bits above it hold the second triangle's object
} grz_raw_candidate;

typedef struct grz_grid_answers {
    size_t word_count;   // of the head and the jobs
    uint32_t *initial;   // these words as they are uploaded
    uint32_t *read;      // as they were read back last, and behind them the first GRZ_VOXEL_CANDIDATES candidates
    uint32_t capacity;   // candidates that the buffer has room for, and as many pairs of boxes; 0: pairs are not tried
    uint64_t read_bytes; // read back so far
} grz_grid_answers;

enum {
    GRZ_HEAD_WORDS = sizeof(grz_answer_head) / sizeof(uint32_t)
};

// Bytes of the head and the jobs.
static inline uint64_t grz_grid_answer_bytes(const grz_grid_layout *layout)
{
    return sizeof(uint32_t) * (GRZ_HEAD_WORDS + (uint64_t)GRZ_JOB_WORDS * layout->job_count);
}

// The head as it was read back last.
static inline const grz_answer_head *grz_grid_head(const grz_grid_answers *answers)
{
    return (const grz_answer_head *)(const void *)answers->read;
}

// The words of a job, in `initial` or `read`.
static inline uint32_t *grz_grid_job_words(uint32_t *words, size_t job)
{
    return words + GRZ_HEAD_WORDS + GRZ_JOB_WORDS * job;
}

// Allocate the answers and make the words to upload. They are to be released whatever is returned.
grz_status grz_grid_answers_make(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_layout *layout);
void grz_grid_answers_release(grz_grid_answers *answers, const grz_grid_call *call);

// Wait for the GPU, then read the head, the jobs and the first candidates.
grz_status grz_grid_answers_read(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_buffers *buffers);

// Decode what was read, and read and decode the other candidates and the lists of marked triangles.
grz_status grz_grid_answers_decode(grz_grid_answers *answers, const grz_grid_call *call, const grz_grid_layout *layout,
                                   const grz_grid_buffers *buffers, grz_grid_round *round);

#endif
