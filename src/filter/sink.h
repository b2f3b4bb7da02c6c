// SPDX-License-Identifier: MIT
// The sink: where a filter's candidates go. Filters hand them over in chunks, from any thread. The sink decides them
// and tells the filter when a job has its answer.
#ifndef GRZ_FILTER_SINK_H
#define GRZ_FILTER_SINK_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/control_type.h"

// A pair of triangles that a filter could not rule out.
typedef struct grz_candidate {
    uint32_t job;        // index of the job in the set; the job names the two objects
    uint32_t triangle_a; // a triangle of the job's object a
    // A triangle of the job's object b. For GRZ_SELF, triangle_a < triangle_b, and they belong to different faces.
    uint32_t triangle_b;
    bool proved; // the filter has proved that they touch; a yes/no query then needs no predicate
    // Discrete answers: the method itself says that they touch. Nothing is decided, and their kind is GRZ_TOUCHING.
    bool as_it_is;
} grz_candidate;

enum {
    GRZ_CHUNK = 128,    // candidates in a full chunk
    GRZ_FIRST_CHUNK = 8 // size of the first chunk if the first contact answers the job
};

typedef struct grz_sink grz_sink;
struct grz_sink {
    // Decide `count` candidates, all of one job. False: the job needs no more candidates. May be called on any thread.
    bool (*push)(grz_sink *sink, const grz_candidate *candidates, size_t count);
    // True if a job needs no more candidates: it has its answer, or was cancelled, or is out of time or memory. Cheap;
    // may be called on any thread.
    bool (*stopped)(grz_sink *sink, uint32_t job);
    grz_control *control; // the call's control: filters allocate through it and report their progress to it
};

// A chunk of candidates of one job. It goes to the sink when it is full.
typedef struct grz_chunk {
    grz_sink *sink;
    uint32_t job;
    size_t count, limit; // the chunk is full at `limit` candidates
    grz_candidate items[GRZ_CHUNK];
} grz_chunk;

// `small_first`: begin with small chunks, because the first contact may answer the job. Each chunk is twice as large as
// the one before, up to GRZ_CHUNK.
static inline void grz_chunk_init(grz_chunk *chunk, grz_sink *sink, uint32_t job, bool small_first)
{
    chunk->sink = sink;
    chunk->job = job;
    chunk->count = 0;
    chunk->limit = small_first ? GRZ_FIRST_CHUNK : GRZ_CHUNK;
}

// Hand over the rest. False: stop.
static inline bool grz_chunk_flush(grz_chunk *chunk)
{
    size_t count = chunk->count;
    chunk->count = 0;
    chunk->limit = chunk->limit < GRZ_CHUNK ? 2 * chunk->limit : GRZ_CHUNK;
    return count == 0 || chunk->sink->push(chunk->sink, chunk->items, count);
}

// Add a candidate; a full chunk goes to the sink. False: stop.
static inline bool grz_chunk_add(grz_chunk *chunk, uint32_t triangle_a, uint32_t triangle_b)
{
    assert(chunk->count < chunk->limit && chunk->limit <= GRZ_CHUNK);
    chunk->items[chunk->count++] =
        (grz_candidate){.job = chunk->job, .triangle_a = triangle_a, .triangle_b = triangle_b};
    return chunk->count < chunk->limit || grz_chunk_flush(chunk);
}

#endif
