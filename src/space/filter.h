// SPDX-License-Identifier: MIT
// The filter interface. A filter proposes candidates: a superset of the triangle pairs that touch, each pair once or more. The sink
// takes them chunk by chunk, from any thread, decides them exactly, and says when a job has its answer.
#ifndef GRZ_SPACE_FILTER_H
#define GRZ_SPACE_FILTER_H

#include <graze/slices.h>

#include "geometry/box.h"
#include "mesh/mesh.h"

// What a filter is asked.
typedef struct grz_job {
    const grz_object *a, *b; // b NULL: a with itself, in mesh coordinates
    grz_box clip;            // only triangles that meet this box matter: world coordinates, for self mesh coordinates
} grz_job;

// A pair of triangles that a filter could not rule out. For self, triangle_a < triangle_b, and the two are of different faces.
typedef struct grz_candidate {
    uint32_t job;
    uint32_t triangle_a, triangle_b;
    bool proved; // the filter proved that they touch: for yes/no, no predicate is needed
} grz_candidate;

enum {
    GRZ_CHUNK = 128,    // how many candidates a filter collects before it hands them over
    GRZ_FIRST_CHUNK = 8 // to an eager sink, at first
};

// Who takes the candidates.
typedef struct grz_sink grz_sink;
struct grz_sink {
    // Decide `count` candidates, all of one job. False: that job needs no more. Any thread.
    bool (*push)(grz_sink *sink, const grz_candidate *candidates, size_t count);
    // True where a job needs no more candidates: answered, cancelled, out of time or memory. Cheap; any thread.
    bool (*stopped)(grz_sink *sink, uint32_t job);
    bool eager;           // the first candidate that touches ends a job: hand over few at a time to begin with
    grz_control *control; // of the call: memory comes from its allocator, how far the filter is goes to grz_control_tell()
};

// What a method's own approximate answer says of a job.
typedef struct grz_discrete {
    bool colliding, may_miss, may_invent;
    uint32_t resolution, slices;
    uint64_t cells;
    grz_volume volumes[GRZ_SLICES_MOST_VOLUMES]; // where colliding
    uint32_t volume_count;
    double prepare_ms; // of the time, what went into the meshes' states
} grz_discrete;

enum {
    GRZ_CAN_PAIR = 1u << 0,
    GRZ_CAN_SELF = 1u << 1,
    GRZ_CAN_CLIP = 1u << 2
};

typedef struct grz_filter {
    const char *name;
    uint32_t capabilities;      // GRZ_CAN_…
    bool gl;                    // it works through OpenGL
    bool plain;                 // the twin of all others: its candidates go to the exact predicates, all of them
    grz_slot slot;              // where its state per mesh is kept
    const grz_slot_type *state; // NULL: it keeps none
    // Whether a job, the only one of its query, needs the state of a mesh of its objects. NULL: always.
    bool (*needs)(const grz_job *job, const grz_mesh *mesh);
    // Propose the candidates of all jobs, fewer than 2^32, each under its number. The meshes' states are up to date where needed. NULL: it
    // has no exact answer.
    grz_status (*propose)(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error);
    // Where data of both meshes of a job is elsewhere (mesh/source.h) the triangles that may touch, as meshes in memory, which `bvh` joins;
    // both NULL where nothing touches. *done is false where it cannot say. NULL: whatever lies in the other's box is read.
    grz_status (*reach)(grz_device *device, const grz_job *job, grz_control *control, grz_mesh *parts[2], bool *done,
                        grz_error *error);
    // The method's own approximate answer to one job. NULL: it has none.
    grz_status (*discrete)(grz_device *device, const grz_job *job, const grz_collide_options *options, grz_control *control,
                           grz_discrete *out, grz_error *error);
    // The same in another way, for all jobs at once: propose as the method's authors do, with what may be left out, and the predicates
    // decide; *out says what that is worth. NULL: it does not.
    grz_status (*sample)(grz_device *device, const grz_job *jobs, size_t count, const grz_collide_options *options, grz_sink *sink,
                         grz_discrete *out, grz_error *error);
} grz_filter;

extern const grz_filter grz_filter_naive;
extern const grz_filter grz_filter_bvh;
extern const grz_filter grz_filter_slices;
extern const grz_filter grz_filter_layers;

// A chunk under way: candidates are collected here and handed to the sink when it is full.
typedef struct grz_chunk {
    grz_sink *sink;
    uint32_t job;
    size_t count, limit; // handed over when so many are there
    grz_candidate items[GRZ_CHUNK];
} grz_chunk;

static inline void grz_chunk_init(grz_chunk *chunk, grz_sink *sink, uint32_t job)
{
    chunk->sink = sink;
    chunk->job = job;
    chunk->count = 0;
    chunk->limit = sink->eager ? GRZ_FIRST_CHUNK : GRZ_CHUNK;
}

// Hand over what is left. False: stop.
static inline bool grz_chunk_flush(grz_chunk *chunk)
{
    size_t count = chunk->count;
    chunk->count = 0;
    chunk->limit = chunk->limit < GRZ_CHUNK ? 2 * chunk->limit : GRZ_CHUNK;
    return count == 0 || chunk->sink->push(chunk->sink, chunk->items, count);
}

// Add a candidate. False: stop.
static inline bool grz_chunk_add(grz_chunk *chunk, uint32_t triangle_a, uint32_t triangle_b)
{
    chunk->items[chunk->count++] = (grz_candidate){.job = chunk->job, .triangle_a = triangle_a, .triangle_b = triangle_b};
    return chunk->count < chunk->limit || grz_chunk_flush(chunk);
}

#endif
