// SPDX-License-Identifier: MIT
// A round of jobs on the GPU, for the files that it is made up of: voxel_places.c says where objects lie in their grids; voxels.c brings
// triangles there, fills, tests and marks; voxel_pairs.c tries pairs of marked triangles; layers_capture.c makes lists of fragments and pairs of
// them; voxel_answers.c reads back what was found.
#ifndef GRZ_IMAGE_VOXEL_PARTS_H
#define GRZ_IMAGE_VOXEL_PARTS_H

#include "image/mesh_buffers.h"
#include "image/shaders.h"
#include "image/voxels.h"

enum {
    GRZ_VOXEL_MOST_GROUPS = 65535,                                     // that any device dispatches
    GRZ_VOXEL_MOST_EACH = GRZ_VOXEL_MOST_GROUPS * (int)GRZ_VOXEL_GROUP // invocations
};

// What is kept between rounds: buffers, and how much room there is to be in some.
typedef struct grz_voxel_kept {
    grz_gl_buffer places, cells, units, records, big, marked, answers, tasks, pairs;
    grz_gl_buffer nodes, heads, raw_pairs, seen;
    uint32_t pair_limit;                     // 0: what is good for the device
    uint32_t node_room, raw_room, pair_room; // of layers, as large as rounds had need of
} grz_voxel_kept;

// One object of a job, in the order in which objects are put into the grids: those with the same mesh one behind the other.
typedef struct grz_voxel_part {
    const grz_mesh *mesh;
    const grz_mesh_buffers *buffers;
    grz_voxel_place place;
} grz_voxel_part;

// A round under way.
typedef struct grz_voxel_work {
    grz_gl *gl;
    const grz_voxel_question *question;
    grz_control *control;
    const grz_allocator *allocator;
    grz_voxel_round *round;
    grz_error *error;
    grz_voxel_kept *kept;
    size_t count;              // jobs that have a grid
    size_t part_count;         // of first objects, and of second ones where there are any
    bool self, many;           // the one job is a mesh with itself, or many objects at once: there are no second objects
    uint32_t *numbers;         // of these jobs in the question
    grz_voxel_part *parts;     // their objects A, then their objects B
    grz_voxel_place *places;   // of the same, for the shaders
    grz_voxel_unit *units;     // of the jobs
    uint32_t *head;            // of the answers, as they are at first: head, and a few words for each job
    uint32_t *said;            // and as they are read back, with the first candidates
    uint64_t triangles[2];     // of all these objects A, and B
    uint32_t room, pair_limit; // for pairs, and as many candidates
} grz_voxel_work;

// A buffer that a round needs.
typedef struct grz_voxel_need {
    grz_gl_buffer *buffer;
    uint64_t bytes;
    const char *what;
} grz_voxel_need;

static inline size_t grz_voxel_head_words(const grz_voxel_work *w)
{
    return GRZ_HEAD_WORDS + GRZ_JOB_WORDS * w->count;
}

// What is said of a job, in the answers.
static inline uint32_t *grz_voxel_job_words(uint32_t *answers, size_t job)
{
    return answers + GRZ_HEAD_WORDS + GRZ_JOB_WORDS * job;
}

static inline uint64_t grz_voxel_pixels(const grz_voxel_work *w)
{
    return (uint64_t)w->question->resolution * w->question->resolution * w->count;
}

static inline uint64_t grz_voxel_record_count(const grz_voxel_work *w)
{
    return w->triangles[0] + w->triangles[1];
}

// Fill in the objects' parts, the units and the head, job by job; jobs that a grid is of no use for are flagged, and not counted.
grz_status grz_voxel_place_all(grz_voxel_work *w);

// Wait for the answers' head, jobs and first candidates, and read them; then all that was asked for, as the round says it.
grz_status grz_voxel_read_answers(const grz_voxel_work *w);
grz_status grz_voxel_take_answers(const grz_voxel_work *w);

// Make room on the GPU; false in *fits: a shader does not see so much. Nothing is done where it is false before.
grz_status grz_voxel_reserve(const grz_voxel_work *w, const grz_voxel_need *needs, size_t count, bool *fits);

// Take a program into use.
grz_status grz_voxel_use(const grz_voxel_work *w, const grz_gl_program_source *source);

// Run it by as many work groups as the answers say at a word; or by so many. What it wrote can be read by the next.
void grz_voxel_dispatch(size_t at);
void grz_voxel_dispatch_groups(size_t groups);

// Pairs of marked triangles: room for them, and trying them.
grz_status grz_voxel_pairs_reserve(grz_voxel_work *w, bool *fits);
grz_status grz_voxel_pairs_try(const grz_voxel_work *w);

// Try the pairs of boxes in the buffer of pairs by determinants.
grz_status grz_voxel_pairs_test(const grz_voxel_work *w);

// Lists of fragments: room for them; capturing what can touch, and making candidates of it. The first objects' cells are filled.
grz_status grz_layers_reserve(grz_voxel_work *w, bool *fits);
grz_status grz_layers_capture(const grz_voxel_work *w);

// Walk on where some fragment's walk is not over, by what the answers say; *walked: it was not, and the answers are to be read again. Walks that
// are too long are left as they are.
grz_status grz_layers_walk_on(const grz_voxel_work *w, bool *walked);

// By what the answers say was needed: make more room from now on. False: there was enough, or there cannot be more.
bool grz_layers_grow(const grz_voxel_work *w);

// A pass over records: of triangles over few pixels, and over many.
typedef struct grz_voxel_programs {
    const grz_gl_program_source *few, *many;
    bool layers; // they make fragments
} grz_voxel_programs;

// Over those of first (0) or second objects; of those over few pixels as many work groups as the answers say at a word.
grz_status grz_voxel_pass(const grz_voxel_work *w, const grz_voxel_programs *programs, GLuint mode, size_t side, size_t groups);

#endif
