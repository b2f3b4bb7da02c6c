// SPDX-License-Identifier: MIT
// Exact answers of methods of images: rounds of jobs on the GPU (image/voxels.h), which say what can touch: pairs of triangles, or which
// triangles share a cell. These become two small meshes, whose candidates method `bvh` proposes; the predicates decide them, as always.
#include "image/exact.h"

#include <string.h>

#include "base/device.h"
#include "base/fail.h"
#include "image/voxels.h"
#include "mesh/source.h"

enum {
    LOOK_BITS = 14,
    LEAST_SIDE = 8, // pixels
    SIDE_STEP = 8,
    RUN = 1 << 11 // candidates that a thread decides before it takes others
};

// Hands candidates of the small meshes on, under the numbers of the whole ones.
typedef struct renumbering {
    grz_sink sink; // first
    grz_sink *outer;
    uint32_t job;
    const grz_voxel_answer *answer; // NULL: the meshes are whole
} renumbering;

static bool push(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    const renumbering *r = (const renumbering *)sink;
    grz_candidate whole[GRZ_CHUNK];
    for (size_t i = 0; i < count; i++) {
        whole[i] = candidates[i];
        whole[i].job = r->job;
        if (r->answer == NULL)
            continue;
        whole[i].triangle_a = r->answer->lists[0][candidates[i].triangle_a];
        whole[i].triangle_b = r->answer->lists[1][candidates[i].triangle_b];
    }
    return r->outer->push(r->outer, whole, count);
}

static bool stopped(grz_sink *sink, uint32_t job)
{
    const renumbering *r = (const renumbering *)sink;
    (void)job;
    return r->outer->stopped(r->outer, r->job);
}

// A mesh of marked triangles, each with corners of its own.
static grz_status make_small(const grz_mesh *mesh, const uint32_t *triangles, uint32_t count, grz_control *control, grz_mesh **out,
                             grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_mesh_description d = grz_default_mesh_description();
    grz_status status = GRZ_OK;
    double(*corners)[9] = grz_allocate(allocator, count, sizeof *corners);
    if (corners == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory for %u triangles", count);
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++) {
        const uint32_t *vertex = mesh->triangles + 3 * (size_t)triangles[i];
        for (size_t j = 0; j < 3; j++)
            memcpy(&corners[i][3 * j], grz_mesh_position(mesh, vertex[j]), 3 * sizeof(double));
        if (grz_control_expired_at(control, i, LOOK_BITS))
            status = grz_control_status(control);
    }
    d.positions = corners;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = 3 * (uint64_t)count;
    d.face_count = count;
    d.flags = GRZ_MESH_INDEX_ONLY | GRZ_MESH_FAST_BUILD;
    if (status == GRZ_OK)
        status = grz_mesh_make(mesh->device, &d, allocator, out, error);
    grz_release(allocator, corners, count, sizeof *corners);
    return status;
}

// Pairs of marked triangles whose boxes meet, where they are too many to try them all on the GPU.
static grz_status join(grz_device *device, const grz_job *job, uint32_t number, const grz_voxel_answer *answer, grz_sink *sink,
                       grz_error *error)
{
    renumbering r = {.sink = {.push = push, .stopped = stopped, .eager = sink->eager, .control = sink->control},
                     .outer = sink,
                     .job = number,
                     .answer = answer};
    grz_object a = *job->a, b = *job->b;
    const grz_job small = {.a = &a, .b = &b, .clip = job->clip};
    grz_mesh *meshes[2] = {NULL, NULL};
    grz_status status = make_small(job->a->mesh, answer->lists[0], answer->marked[0], sink->control, &meshes[0], error);
    if (status == GRZ_OK)
        status = make_small(job->b->mesh, answer->lists[1], answer->marked[1], sink->control, &meshes[1], error);
    a.mesh = meshes[0];
    b.mesh = meshes[1];
    if (status == GRZ_OK)
        status = grz_filter_bvh.propose(device, &small, 1, &r.sink, error);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    return status;
}

// All triangles may touch.
static grz_status propose_all(grz_device *device, const grz_job *job, uint32_t number, grz_sink *sink, grz_error *error)
{
    renumbering r = {
        .sink = {.push = push, .stopped = stopped, .eager = sink->eager, .control = sink->control}, .outer = sink, .job = number};
    return grz_filter_bvh.propose(device, job, 1, &r.sink, error);
}

uint32_t grz_image_pair_resolution(const grz_job *const *jobs, size_t count)
{
    uint32_t side = LEAST_SIDE;
    uint64_t triangles = 0;
    for (size_t i = 0; i < count; i++)
        triangles += (uint64_t)jobs[i]->a->mesh->triangle_count + jobs[i]->b->mesh->triangle_count;
    while (side < GRZ_VOXEL_RESOLUTION && (uint64_t)side * side * count < triangles)
        side += SIDE_STEP;
    return side;
}

// Jobs whose boxes overlap, as many as a round takes.
typedef struct block {
    grz_device *device;
    const grz_image_method *method;
    const grz_job *jobs[GRZ_VOXEL_JOBS];
    uint32_t numbers[GRZ_VOXEL_JOBS];
    size_t count;
    uint64_t triangles;
    grz_voxel_round round;
    grz_sink *sink;
    grz_error *error;
} block;

static grz_status ask(block *b)
{
    const grz_voxel_question question = {.method = b->method->name,
                                         .jobs = b->jobs,
                                         .count = b->count,
                                         .resolution = b->method->resolution(b->jobs, b->count),
                                         .join = b->method->join,
                                         .list = !b->sink->eager};
    return grz_voxels_run(b->device, &question, b->sink->control, &b->round, b->error);
}

// Triangles of one face of a mesh are no pair of it.
static bool same_face(const grz_job *job, const uint32_t triangles[2])
{
    const grz_mesh *mesh = job->a->mesh;
    return job->b == NULL && grz_mesh_triangle_face(mesh, triangles[0]) == grz_mesh_triangle_face(mesh, triangles[1]);
}

// Hand over the i-th RUN of the round's candidates.
static void hand_over(size_t index, void *context)
{
    const block *b = context;
    const grz_voxel_round *round = &b->round;
    const size_t last = (index + 1) * RUN < round->candidate_count ? (index + 1) * RUN : round->candidate_count;
    grz_candidate chunk[GRZ_CHUNK];
    for (size_t i = index * RUN; i < last;) {
        const uint32_t job = round->candidates[i].job, number = b->numbers[job];
        size_t count = 0;
        const bool wanted = !b->sink->stopped(b->sink, number);
        for (; i < last && count < GRZ_CHUNK && round->candidates[i].job == job; i++) {
            const uint32_t *triangles = round->candidates[i].triangles;
            if (same_face(b->jobs[job], triangles))
                continue;
            chunk[count++] = (grz_candidate){
                .job = number, .triangle_a = triangles[0], .triangle_b = triangles[1], .proved = round->candidates[i].proved != 0};
        }
        if (wanted && count > 0)
            b->sink->push(b->sink, chunk, count);
    }
}

static void hand_over_all(block *b)
{
    const size_t runs = (b->round.candidate_count + RUN - 1) / RUN;
    for (size_t i = 0; i < b->round.answer_count; i++) {
        const grz_voxel_answer *answer = &b->round.answers[i];
        const grz_candidate proved = {
            .job = b->numbers[i], .triangle_a = answer->pair[0], .triangle_b = answer->pair[1], .proved = true};
        if (answer->proved)
            b->sink->push(b->sink, &proved, 1);
    }
    if (runs == 1)
        hand_over(0, b);
    else if (runs > 1)
        grz_parallel(b->device, runs, hand_over, b);
}

// What a round left open of a job that had it for itself.
static grz_status finish_alone(const block *b, size_t i)
{
    const grz_voxel_answer *answer = &b->round.answers[i];
    if (answer->flags == 0 || b->sink->stopped(b->sink, b->numbers[i]))
        return GRZ_OK;
    if ((answer->flags & GRZ_JOB_EXHAUSTED) != 0)
        return join(b->device, b->jobs[i], b->numbers[i], answer, b->sink, b->error);
    return propose_all(b->device, b->jobs[i], b->numbers[i], b->sink, b->error);
}

// Run the block, then again each job that had no room in it, by itself.
static grz_status run_block(block *b)
{
    grz_status status = ask(b);
    if (status != GRZ_OK)
        return status;
    hand_over_all(b);
    for (size_t i = 0; i < b->count && status == GRZ_OK; i++) {
        const uint32_t flags = b->round.answers[i].flags;
        if (grz_control_expired(b->sink->control))
            return grz_control_status(b->sink->control);
        if (b->count == 1 || (flags & (GRZ_JOB_OVERFLOW | GRZ_JOB_WHOLE)) == 0) {
            status = finish_alone(b, i);
        } else if (!b->sink->stopped(b->sink, b->numbers[i])) {
            block alone = {.device = b->device,
                           .method = b->method,
                           .jobs = {b->jobs[i]},
                           .numbers = {b->numbers[i]},
                           .count = 1,
                           .sink = b->sink,
                           .error = b->error};
            status = ask(&alone);
            if (status == GRZ_OK) {
                hand_over_all(&alone);
                status = finish_alone(&alone, 0);
            }
            grz_voxel_round_finish(&alone.round, b->sink->control);
        }
    }
    return status;
}

// Meshes of other devices are refused; names of the objects are in the text.
static grz_status check_device(const grz_device *device, const grz_image_method *method, const grz_job *job, grz_error *error)
{
    const grz_mesh *a = job->a->mesh, *b = job->b != NULL ? job->b->mesh : a;
    if (grz_device_graphics(device) != NULL && (a->device != device || b->device != device))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the mesh of object %c is of another device", method->name,
                        a->device != device ? 'A' : 'B');
    return GRZ_OK;
}

grz_status grz_image_propose(grz_device *device, const grz_image_method *method, const grz_job *jobs, size_t count, grz_sink *sink,
                             grz_error *error)
{
    block b = {.device = device, .method = method, .sink = sink, .error = error};
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        const uint64_t triangles =
            (uint64_t)jobs[i].a->mesh->triangle_count + (jobs[i].b != NULL ? jobs[i].b->mesh->triangle_count : 0);
        if (grz_control_expired(sink->control)) {
            status = grz_control_status(sink->control);
            break;
        }
        if (b.count > 0 && (b.count == GRZ_VOXEL_JOBS || b.triangles + triangles > GRZ_VOXEL_TRIANGLES || jobs[i].b == NULL)) {
            status = run_block(&b);
            b.count = b.triangles = 0;
            grz_control_tell(sink->control, (double)i / (double)count);
        }
        if (status == GRZ_OK && !grz_box_is_empty(&jobs[i].clip) && !sink->stopped(sink, (uint32_t)i)) {
            status = check_device(device, method, &jobs[i], error);
            b.jobs[b.count] = &jobs[i];
            b.numbers[b.count++] = (uint32_t)i;
            b.triangles += triangles;
        }
    }
    if (status == GRZ_OK && b.count > 0)
        status = run_block(&b);
    if (status == GRZ_OK)
        grz_control_tell(sink->control, 1.0);
    grz_voxel_round_finish(&b.round, sink->control);
    return status;
}

grz_status grz_image_reach(grz_device *device, const grz_image_method *method, const grz_job *job, grz_control *control,
                           grz_mesh *parts[2], bool *done, grz_error *error)
{
    const grz_mesh *meshes[2] = {job->a->mesh, job->b->mesh};
    const grz_voxel_question question = {
        .method = method->name, .jobs = &job, .count = 1, .resolution = method->resolution(&job, 1), .join = GRZ_JOIN_NOT};
    grz_voxel_round round = {.answers = NULL};
    grz_status status = check_device(device, method, job, error);
    parts[0] = parts[1] = NULL;
    *done = false;
    if (status == GRZ_OK)
        status = grz_voxels_run(device, &question, control, &round, error);
    const grz_voxel_answer *answer = round.answers;
    *done = status == GRZ_OK && (answer->flags & GRZ_JOB_WHOLE) == 0;
    for (int i = 0; i < 2 && *done && answer->marked[0] > 0 && answer->marked[1] > 0 && status == GRZ_OK; i++)
        status = meshes[i]->source->read_triangles(meshes[i], answer->lists[i], answer->marked[i], control, &parts[i], error);
    grz_voxel_round_finish(&round, control);
    return status;
}
