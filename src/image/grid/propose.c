// SPDX-License-Identifier: MIT
// The exact answer of the methods that use a voxel grid. Jobs go through the GPU in rounds, which give pairs of
// triangles, or lists of the triangles that share a cell. Such lists become two small meshes, whose candidates method
// `bvh` proposes. The predicates decide all candidates, as always.
#include "image/grid/propose.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/sort/number_sort.h"
#include "filter/bvh/bvh_filter.h"
#include "gpu/leaf_buffers.h"
#include "mesh/source.h"

enum {
    LOOK_BITS = 14, // the control is asked after 2^14 triangles
    LEAST_SIDE = 8, // the smallest resolution, and the steps in which it grows
    SIDE_STEP = 8,
    RUN = 1 << 11 // a thread hands over so many candidates before it takes others
};

// A sink that passes the candidates of a smaller job set on to the sink of the whole one, with the whole one's numbers.
typedef struct renumbering {
    grz_sink sink; // first
    grz_sink *outer;
    uint32_t job;
    const grz_grid_answer
        *answer; // the smaller set's meshes are its lists of marked triangles; NULL: they are the whole meshes
} renumbering;

static bool push(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    const renumbering *r = (const renumbering *)sink;
    grz_candidate whole[GRZ_CHUNK];
    assert(count <= GRZ_CHUNK);
    for (size_t i = 0; i < count; i++) {
        whole[i] = candidates[i];
        whole[i].job = r->job;
        if (r->answer == NULL)
            continue;
        assert(candidates[i].triangle_a < r->answer->marked[0] && candidates[i].triangle_b < r->answer->marked[1]);
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

static renumbering renumber(grz_sink *sink, uint32_t job, const grz_grid_answer *answer)
{
    return (renumbering){.sink = {.push = push, .stopped = stopped, .control = sink->control},
                         .outer = sink,
                         .job = job,
                         .answer = answer};
}

// A mesh of marked triangles, as a soup.
static grz_status make_small(const grz_mesh *mesh, const uint32_t *triangles, uint32_t count, grz_control *control,
                             grz_mesh **out, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_mesh_description d = grz_default_mesh_description();
    grz_status status = GRZ_OK;
    double(*corners)[9] = grz_allocate(allocator, count, sizeof *corners);
    if (corners == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory for %u triangles", count);
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++) {
        assert(triangles[i] < mesh->triangle_count);
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
        status = grz_mesh_make(mesh->device, &d, control, out, error);
    grz_release(allocator, corners, count, sizeof *corners);
    return status;
}

// Propose the pairs of marked triangles whose boxes overlap: there are too many to try them all on the GPU.
static grz_status join_marked(grz_device *device, const grz_job_set *set, uint32_t number,
                              const grz_grid_answer *answer, grz_sink *sink, grz_error *error)
{
    const grz_job *job = &set->jobs[number], small = {.a = 0, .b = 1, .clip = job->clip};
    assert(answer->flags == GRZ_JOB_EXHAUSTED); // with another flag the lists would not be complete
    renumbering r = renumber(sink, number, answer);
    grz_object objects[2] = {*grz_job_object_a(set, job), *grz_job_object_b(set, job)};
    const grz_job_set marked = {.objects = objects,
                                .object_count = 2,
                                .jobs = &small,
                                .job_count = 1,
                                .margin = set->margin,
                                .flags = set->flags};
    grz_mesh *meshes[2] = {NULL, NULL};
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        status = make_small(objects[i].mesh, answer->lists[i], answer->marked[i], sink->control, &meshes[i], error);
        objects[i].mesh = meshes[i];
    }
    if (status == GRZ_OK)
        status = grz_filter_bvh.propose(device, &marked, &r.sink, error);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    return status;
}

// Propose with `bvh` for the whole meshes: the grid is of no use for this job.
static grz_status propose_all(grz_device *device, const grz_job_set *set, uint32_t number, grz_sink *sink,
                              grz_error *error)
{
    const grz_job_set one = grz_job_set_of_one(set, number);
    renumbering r = renumber(sink, number, NULL);
    return grz_filter_bvh.propose(device, &one, &r.sink, error);
}

uint32_t grz_image_pair_resolution(const grz_job_set *set, const uint32_t *jobs, size_t count)
{
    uint32_t side = LEAST_SIDE;
    uint64_t triangles = 0;
    for (size_t i = 0; i < count; i++) {
        const grz_job *job = &set->jobs[jobs[i]];
        triangles += (uint64_t)grz_job_object_a(set, job)->mesh->triangle_count +
                     grz_job_object_b(set, job)->mesh->triangle_count;
    }
    while (side < GRZ_VOXEL_RESOLUTION && (uint64_t)side * side * count < triangles)
        side += SIDE_STEP;
    return side;
}

// Jobs whose boxes overlap, as many as one round takes.
typedef struct block {
    grz_device *device;
    const grz_image_method *method;
    const grz_job_set *set;
    uint32_t jobs[GRZ_VOXEL_JOBS]; // their numbers in the set
    size_t count;
    uint64_t triangles;
    grz_grid_round round;
    grz_sink *sink;
    grz_error *error;
} block;

static bool is_self(const grz_job_set *set, uint32_t job)
{
    return set->jobs[job].b == GRZ_SELF;
}

static uint32_t max_faces_of(const grz_image_method *method, const grz_job_set *set)
{
    return method->max_faces != NULL ? method->max_faces(set) : 0;
}

static grz_status run_round(block *b)
{
    const grz_grid_request request = {.method = b->method->name,
                                      .set = b->set,
                                      .form = is_self(b->set, b->jobs[0]) ? GRZ_GRID_OF_SELF : GRZ_GRID_PER_PAIR,
                                      .jobs = b->jobs,
                                      .count = b->count,
                                      .resolution = b->method->resolution(b->set, b->jobs, b->count),
                                      .join = b->method->join,
                                      .cells = b->method->cells,
                                      .max_faces = max_faces_of(b->method, b->set)};
    return grz_grid_run(b->device, &request, b->sink->control, &b->round, b->error);
}

// True for two triangles of one face of a mesh with itself: they are no pair.
static bool same_face(const grz_job_set *set, const grz_job *job, const uint32_t triangles[2])
{
    const grz_mesh *mesh = grz_job_object_a(set, job)->mesh;
    return job->b == GRZ_SELF &&
           grz_mesh_triangle_face(mesh, triangles[0]) == grz_mesh_triangle_face(mesh, triangles[1]);
}

// Hand run number `index` of the round's candidates to the sink.
static void hand_over(size_t index, void *context)
{
    const block *b = context;
    const grz_grid_round *round = &b->round;
    const size_t last = (index + 1) * RUN < round->candidate_count ? (index + 1) * RUN : round->candidate_count;
    grz_candidate chunk[GRZ_CHUNK];
    for (size_t i = index * RUN; i < last;) {
        assert(round->candidates[i].job < b->count);
        const uint32_t job = round->candidates[i].job, number = b->jobs[job];
        size_t count = 0;
        const bool wanted = !b->sink->stopped(b->sink, number);
        for (; i < last && count < GRZ_CHUNK && round->candidates[i].job == job; i++) {
            const uint32_t *triangles = round->candidates[i].triangles;
            if (same_face(b->set, &b->set->jobs[number], triangles))
                continue;
            chunk[count++] = (grz_candidate){.job = number,
                                             .triangle_a = triangles[0],
                                             .triangle_b = triangles[1],
                                             .proved = round->candidates[i].proved};
        }
        if (wanted && count > 0)
            b->sink->push(b->sink, chunk, count);
    }
}

// Hand everything that the round proved or proposed to the sink, on all threads.
static void hand_over_all(block *b)
{
    const size_t runs = (b->round.candidate_count + RUN - 1) / RUN;
    assert(b->round.answer_count == b->count);
    for (size_t i = 0; i < b->round.answer_count; i++) {
        const grz_grid_answer *answer = &b->round.answers[i];
        const grz_candidate proved = {
            .job = b->jobs[i], .triangle_a = answer->pair[0], .triangle_b = answer->pair[1], .proved = true};
        if (answer->proved)
            b->sink->push(b->sink, &proved, 1);
    }
    if (runs == 1)
        hand_over(0, b);
    else if (runs > 1)
        grz_parallel(b->device, runs, hand_over, b);
}

// Answer a job that the grid could not, after a round of its own.
static grz_status finish_alone(const block *b, size_t i)
{
    const grz_grid_answer *answer = &b->round.answers[i];
    if (answer->flags == 0 || b->sink->stopped(b->sink, b->jobs[i]))
        return GRZ_OK;
    if ((answer->flags & GRZ_JOB_EXHAUSTED) != 0)
        return join_marked(b->device, b->set, b->jobs[i], answer, b->sink, b->error);
    return propose_all(b->device, b->set, b->jobs[i], b->sink, b->error);
}

// Run the block; then run each job that did not fit in a round of its own.
static grz_status run_block(block *b)
{
    grz_status status = run_round(b);
    if (status != GRZ_OK)
        return status;
    hand_over_all(b);
    for (size_t i = 0; i < b->count && status == GRZ_OK; i++) {
        const uint32_t flags = b->round.answers[i].flags;
        if (grz_control_expired(b->sink->control))
            return grz_control_status(b->sink->control);
        if (b->count == 1 || (flags & (GRZ_JOB_OVERFLOW | GRZ_JOB_WHOLE)) == 0) {
            status = finish_alone(b, i);
        } else if (!b->sink->stopped(b->sink, b->jobs[i])) {
            block alone = {.device = b->device,
                           .method = b->method,
                           .set = b->set,
                           .jobs = {b->jobs[i]},
                           .count = 1,
                           .sink = b->sink,
                           .error = b->error};
            status = run_round(&alone);
            if (status == GRZ_OK) {
                hand_over_all(&alone);
                status = finish_alone(&alone, 0);
            }
            grz_grid_round_finish(&alone.round, b->sink->control);
        }
    }
    return status;
}

grz_status grz_image_check_device(const grz_device *device, const char *method, const grz_job_set *set,
                                  const grz_job *job, grz_error *error)
{
    const grz_mesh *a = grz_job_object_a(set, job)->mesh, *b = grz_job_object_b(set, job)->mesh;
    if (grz_device_graphics(device) != NULL && (a->device != device || b->device != device))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the mesh of object %c is of another device",
                        method, a->device != device ? 'A' : 'B');
    return GRZ_OK;
}

static uint64_t triangle_count(const grz_job_set *set, const grz_job *job)
{
    return (uint64_t)grz_job_object_a(set, job)->mesh->triangle_count +
           (job->b != GRZ_SELF ? grz_job_object_b(set, job)->mesh->triangle_count : 0);
}

grz_status grz_image_propose(grz_device *device, const grz_image_method *method, const grz_job_set *set, grz_sink *sink,
                             grz_error *error)
{
    block b = {.device = device, .method = method, .set = set, .sink = sink, .error = error};
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < set->job_count && status == GRZ_OK; i++) {
        const grz_job *job = &set->jobs[i];
        const uint64_t triangles = triangle_count(set, job);
        if (grz_control_expired(sink->control)) {
            status = grz_control_status(sink->control);
            break;
        }
        if (b.count > 0 &&
            (b.count == GRZ_VOXEL_JOBS || b.triangles + triangles > GRZ_VOXEL_TRIANGLES || is_self(set, i))) {
            status = run_block(&b);
            b.count = b.triangles = 0;
            grz_control_report_progress(sink->control, (double)i / (double)set->job_count);
        }
        if (status == GRZ_OK && !grz_box_is_empty(&job->clip) && !sink->stopped(sink, i)) {
            status = grz_image_check_device(device, method->name, set, job, error);
            assert(b.count < GRZ_VOXEL_JOBS);
            b.jobs[b.count++] = i;
            b.triangles += triangles;
        }
    }
    if (status == GRZ_OK && b.count > 0)
        status = run_block(&b);
    if (status == GRZ_OK)
        grz_control_report_progress(sink->control, 1.0);
    grz_grid_round_finish(&b.round, sink->control);
    return status;
}

// The triangles of one side that are in some candidate: sorted, each once. `numbers` is scratch, two a candidate.
static grz_status list_candidates(const grz_grid_round *round, int side, grz_control *control, uint64_t *numbers,
                                  uint32_t *list, uint32_t *count)
{
    const size_t candidates = round->candidate_count;
    *count = 0;
    for (size_t i = 0; i < candidates; i++)
        numbers[i] = round->candidates[i].triangles[side];
    if (!grz_sort_numbers(numbers, numbers + candidates, candidates, control))
        return grz_control_status(control);
    for (size_t i = 0; i < candidates; i++)
        if (i == 0 || numbers[i] != numbers[i - 1])
            list[(*count)++] = (uint32_t)numbers[i];
    return GRZ_OK;
}

// The parts of two meshes in buffers whose triangles are in some candidate of their only job.
static grz_status read_candidates(const grz_grid_round *round, const grz_mesh *const meshes[2], grz_control *control,
                                  grz_mesh *parts[2], grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t candidates = round->candidate_count;
    grz_status status = GRZ_OK;
    if (candidates == 0)
        return GRZ_OK;
    uint64_t *numbers = grz_allocate(allocator, candidates, 2 * sizeof *numbers);
    uint32_t *list = grz_allocate(allocator, candidates, sizeof *list), count;
    if (numbers == NULL || list == NULL)
        status = grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory for %zu pairs", candidates);
    for (int i = 0; i < 2 && numbers != NULL && list != NULL && status == GRZ_OK; i++) {
        status = list_candidates(round, i, control, numbers, list, &count);
        if (status == GRZ_OK)
            status = meshes[i]->source->read_triangles(meshes[i], list, count, control, &parts[i], error);
    }
    grz_release(allocator, numbers, candidates, 2 * sizeof *numbers);
    grz_release(allocator, list, candidates, sizeof *list);
    return status;
}

grz_status grz_image_read_near(grz_device *device, const grz_image_method *method, const grz_job_set *set,
                               grz_control *control, grz_mesh *parts[2], bool *done, grz_error *error)
{
    static const uint32_t only = 0;
    const grz_job *job = &set->jobs[0];
    const grz_mesh *const meshes[2] = {grz_job_object_a(set, job)->mesh, grz_job_object_b(set, job)->mesh};
    const bool leaves = method->join == GRZ_JOIN_LEAVES;
    grz_job_set all_pairs = *set;
    all_pairs.flags &= ~(uint32_t)GRZ_JOBS_FIRST_CONTACT; // a proved pair is decided again, with its triangles
    const grz_grid_request request = {.method = method->name,
                                      .set = &all_pairs,
                                      .form = GRZ_GRID_PER_PAIR,
                                      .jobs = &only,
                                      .count = 1,
                                      .resolution = method->resolution(set, &only, 1),
                                      .join = leaves ? GRZ_JOIN_LEAVES : GRZ_JOIN_NONE,
                                      .cells = method->cells,
                                      .max_faces = max_faces_of(method, set)};
    grz_grid_round round = {.answers = NULL};
    assert(set->job_count == 1 && meshes[0]->source != NULL && meshes[1]->source != NULL);
    grz_status status = grz_image_check_device(device, method->name, set, job, error);
    parts[0] = parts[1] = NULL;
    *done = false;
    for (int i = 0; i < 2 && leaves && status == GRZ_OK; i++)
        status = grz_leaf_buffers_divide(meshes[i], request.max_faces, control, error);
    if (status == GRZ_OK)
        status = grz_grid_run(device, &request, control, &round, error);
    const grz_grid_answer *answer = round.answers;
    *done = status == GRZ_OK && (answer->flags & (GRZ_JOB_WHOLE | GRZ_JOB_OVERFLOW)) == 0;
    if (*done && leaves)
        status = read_candidates(&round, meshes, control, parts, error);
    for (int i = 0; i < 2 && *done && !leaves && answer->marked[0] > 0 && answer->marked[1] > 0 && status == GRZ_OK;
         i++)
        status = meshes[i]->source->read_triangles(meshes[i], answer->lists[i], answer->marked[i], control, &parts[i],
                                                   error);
    grz_grid_round_finish(&round, control);
    return status;
}
