// SPDX-License-Identifier: MIT
// Method `selection`. Each mesh has leaf boxes. The boxes of two objects that meet select leaves, these select
// triangles, and what is left are pairs for the predicates (image/grid/grid_leaves.c). Source: S. Aharon, C. Lenglet,
// "Collision detection algorithm for deformable objects using OpenGL" (2002). The paper lets OpenGL's selection mode
// name what is inside a viewing volume; that mode is gone from OpenGL, so compute shaders make the lists of names.
#include "image/selection/selection.h"

#include <assert.h>

#include "base/control.h"
#include "base/fail.h"
#include "image/grid/propose.h"
#include "image/selection/selection_options.h"
#include "mesh/leaves/leaf_boxes.h"

enum {
    CELLS = 1024 // units along the longest side of a job's region; no answer depends on it
};

static uint32_t resolution(const grz_job_set *set, const uint32_t *jobs, size_t count)
{
    (void)set, (void)jobs, (void)count;
    return CELLS;
}

static uint32_t max_faces(const grz_job_set *set)
{
    grz_selection_options options;
    if (grz_selection_options_read(set->options, &options, NULL) != GRZ_OK ||
        options.max_faces == GRZ_SELECTION_AUTOMATIC)
        return 0;
    return options.max_faces < GRZ_LEAF_MOST ? options.max_faces : GRZ_LEAF_MOST;
}

static const grz_image_method exact = {
    .name = "selection", .join = GRZ_JOIN_LEAVES, .resolution = resolution, .max_faces = max_faces};

static grz_status check_options(const void *options, grz_error *error)
{
    grz_selection_options read;
    return grz_selection_options_read(options, &read, error);
}

static grz_status propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    return grz_image_propose(device, &exact, set, sink, error);
}

static grz_status read_near(grz_device *device, const grz_job_set *set, grz_control *control, grz_mesh *parts[2],
                            bool *done, grz_error *error)
{
    return grz_image_read_near(device, &exact, set, control, parts, done, error);
}

// ---- The discrete answer ------------------------------------------------------------------------------------------

// Hand the round's pairs of faces to the sink as they are.
static grz_status push_hits(const grz_grid_round *round, const uint32_t *jobs, grz_sink *sink)
{
    grz_candidate chunk[GRZ_CHUNK];
    for (size_t i = 0; i < round->candidate_count;) {
        const uint32_t job = round->candidates[i].job;
        size_t count = 0;
        for (; i < round->candidate_count && count < GRZ_CHUNK && round->candidates[i].job == job; i++)
            chunk[count++] = (grz_candidate){.job = jobs[job],
                                             .triangle_a = round->candidates[i].triangles[0],
                                             .triangle_b = round->candidates[i].triangles[1],
                                             .proved = true,
                                             .as_it_is = true};
        if (!sink->stopped(sink, jobs[job]))
            sink->push(sink, chunk, count);
    }
    return grz_control_status(sink->control);
}

// Run some jobs of the set. *room: false if the lists of one of them do not fit; it is then to be run alone.
static grz_status run_volumes(grz_device *device, const grz_job_set *set, const uint32_t *jobs, size_t count,
                              grz_sink *sink, grz_discrete *answer, bool *room, grz_error *error)
{
    grz_selection_options options;
    grz_grid_round round = {.answers = NULL};
    grz_status status = grz_selection_options_read(set->options, &options, error);
    const grz_grid_request request = {.method = "selection",
                                      .set = set,
                                      .form = GRZ_GRID_PER_PAIR,
                                      .jobs = jobs,
                                      .count = count,
                                      .resolution = CELLS,
                                      .join = GRZ_JOIN_VOLUMES,
                                      .max_faces = max_faces(set),
                                      .thickness = options.thickness,
                                      .reference = set->reference};
    *room = true;
    if (status == GRZ_OK)
        status = grz_grid_run(device, &request, sink->control, &round, error);
    for (size_t i = 0; i < round.answer_count && status == GRZ_OK; i++)
        *room = *room && round.answers[i].flags == 0;
    if (status == GRZ_OK && *room) {
        grz_discrete_add(answer, "leaf_pairs", round.leaf_pair_count);
        grz_discrete_add(answer, "hits", round.candidate_count);
        status = push_hits(&round, jobs, sink);
    }
    grz_grid_round_finish(&round, sink->control);
    return status;
}

static bool has_large_face(const grz_mesh *mesh)
{
    for (uint32_t face = 0; face < mesh->face_count; face++)
        if (grz_first_triangle(mesh, face + 1) - grz_first_triangle(mesh, face) > GRZ_LEAF_MOST)
            return true;
    return false;
}

// Why a job has no room alone.
static const char *obstacle(const grz_job_set *set, const grz_job *job)
{
    if (has_large_face(grz_job_object_a(set, job)->mesh) || has_large_face(grz_job_object_b(set, job)->mesh))
        return "one of them has a face of more than 4096 triangles";
    return "their boxes are too large against the part where they overlap, or their lists are larger than a shader "
           "sees";
}

// Run `count` jobs from number `first` on together or, if they have no room together, one by one.
static grz_status run_block(grz_device *device, const grz_job_set *set, uint32_t first, size_t count, grz_sink *sink,
                            grz_discrete *answer, grz_error *error)
{
    uint32_t jobs[GRZ_VOXEL_JOBS];
    bool room;
    assert(count <= GRZ_VOXEL_JOBS);
    for (uint32_t i = 0; i < count; i++)
        jobs[i] = first + i;
    grz_status status = run_volumes(device, set, jobs, count, sink, answer, &room, error);
    for (uint32_t i = 0; i < count && status == GRZ_OK && !room && count > 1; i++)
        status = run_block(device, set, first + i, 1, sink, answer, error);
    if (status == GRZ_OK && !room && count == 1)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "selection: no discrete answer for objects %u and %u: %s", set->jobs[first].a,
                        set->jobs[first].b, obstacle(set, &set->jobs[first]));
    return status;
}

static grz_status propose_discrete(grz_device *device, const grz_job_set *set, const void *options, grz_sink *sink,
                                   grz_discrete *answer, grz_error *error)
{
    grz_status status = check_options(options, error);
    answer->may_miss = answer->may_invent = true;
    grz_discrete_add(answer, "leaf_pairs", 0);
    grz_discrete_add(answer, "hits", 0);
    for (size_t i = 0; i < set->job_count && status == GRZ_OK; i++)
        status = grz_image_check_device(device, "selection", set, &set->jobs[i], error);
    for (size_t first = 0; first < set->job_count && status == GRZ_OK;) {
        uint64_t triangles = 0;
        size_t end = first;
        for (; end < set->job_count && end - first < GRZ_VOXEL_JOBS && triangles <= GRZ_VOXEL_TRIANGLES; end++)
            triangles += (uint64_t)grz_job_object_a(set, &set->jobs[end])->mesh->triangle_count +
                         grz_job_object_b(set, &set->jobs[end])->mesh->triangle_count;
        status = run_block(device, set, (uint32_t)first, end - first, sink, answer, error);
        grz_control_report_progress(sink->control, (double)end / (double)set->job_count);
        first = end;
    }
    return status;
}

// Contacts are not known: what the method finds need not touch.
static uint32_t discrete_lists(const void *options, uint32_t find)
{
    (void)options;
    return (find & (GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES)) != 0 ? GRZ_FIND_PAIRS : 0;
}

const grz_filter grz_filter_selection = {.name = "selection",
                                         .capabilities = GRZ_CAN_PAIR | GRZ_CAN_MANY | GRZ_CAN_READ_BUFFERS |
                                                         GRZ_CAN_DISCRETE_PAIR | GRZ_CAN_DISCRETE_SCENE | GRZ_USES_GL,
                                         .check_options = check_options,
                                         .propose = propose,
                                         .read_near = read_near,
                                         .discrete_lists = discrete_lists,
                                         .propose_discrete = propose_discrete};
