// SPDX-License-Identifier: MIT
// Method `layers`. All surfaces in the region become fragments, listed for each pixel (an A-buffer); two fragments of
// a pixel that are close in depth make a pair of triangles for the predicates. Source: H. Jang, J. Han, "Fast
// collision detection using the A-buffer" (2008).
#include "image/layers/layers.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/control.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "image/grid/object_list.h"
#include "image/grid/propose.h"
#include "image/layers/layers_options.h"
#include "image/layers/sample.h"

enum {
    LEAST_SIDE = 16,
    SIDE_STEP = 16,
    MOST_SIDE = 512,
    LEAST_JOBS = 8, // at least so many jobs share one grid
    MANY_TIMES = 4  // and each triangle is in so many of them, on average
};

static const double MOST_CROWD = 24.0; // the largest crowd() of a shared grid

// The resolution of a grid for so many triangles: about three pixels for each eight of them.
static uint32_t side_for(uint64_t triangles)
{
    uint32_t side = LEAST_SIDE;
    while (side < MOST_SIDE && (uint64_t)side * side * 8 / 3 < triangles)
        side += SIDE_STEP;
    return side;
}

static uint32_t resolution(const grz_job_set *set, const uint32_t *jobs, size_t count)
{
    const grz_job *first = &set->jobs[jobs[0]];
    assert(count == 1 || (count > 1 && first->b != GRZ_SELF));
    return first->b != GRZ_SELF ? grz_image_pair_resolution(set, jobs, count)
                                : side_for(grz_job_object_a(set, first)->mesh->triangle_count);
}

static const grz_image_method exact = {.name = "layers", .join = GRZ_JOIN_FRAGMENTS, .resolution = resolution};

static grz_status read_near(grz_device *device, const grz_job_set *set, grz_control *control, grz_mesh *parts[2],
                            bool *done, grz_error *error)
{
    return grz_image_read_near(device, &exact, set, control, parts, done, error);
}

// ---- Many objects at once -----------------------------------------------------------------------------------------

// An estimate, from boxes, of how many triangles of its own object share the list of a cell with a triangle, on
// average. An object's triangles are taken to lie evenly in the cells of its box's surface.
static double crowd(const grz_object_list *list, const grz_grid_frame *grid)
{
    double triangles = 0.0, met = 0.0;
    for (size_t i = 0; i < list->count; i++) {
        const grz_object *object = grz_listed_object(list, i);
        const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
        const double count = object->mesh->triangle_count;
        double cells[3];
        for (int j = 0; j < 3; j++)
            cells[j] = fmax(1.0, (box.max[grid->axes[j]] - box.min[grid->axes[j]]) * grid->per[j]);
        met += count * count / fmax(1.0, cells[0] * cells[1] + cells[1] * cells[2] + cells[2] * cells[0] - 2.0);
        triangles += count;
    }
    return met / triangles;
}

// True if one grid for all jobs is faster than one for each: most objects are in many jobs, none is in more than half
// of them, and lists stay short.
static bool suits_one_grid(const grz_object_list *list, uint32_t side)
{
    const grz_job_set *set = list->set;
    uint64_t of_jobs = 0, of_objects = 0;
    double size = 0.0;
    for (size_t i = 0; i < set->job_count; i++)
        of_jobs += (uint64_t)grz_job_object_a(set, &set->jobs[i])->mesh->triangle_count +
                   grz_job_object_b(set, &set->jobs[i])->mesh->triangle_count;
    for (size_t i = 0; i < list->count; i++)
        of_objects += grz_listed_object(list, i)->mesh->triangle_count;
    if (of_jobs < MANY_TIMES * of_objects || 2 * (size_t)list->most_jobs > set->job_count)
        return false;
    for (int j = 0; j < 3; j++)
        size = fmax(size, list->region.max[j] - list->region.min[j]);
    const grz_grid_frame grid = grz_grid_frame_of(&list->region, size, side);
    return crowd(list, &grid) < MOST_CROWD;
}

// Hand pairs of listed triangles to the sink, except those of objects that no job names.
static grz_status push_listed(const grz_object_list *list, const grz_listed_pair *pairs, size_t pair_count,
                              grz_sink *sink, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    grz_candidate *candidates = grz_allocate(allocator, pair_count, sizeof *candidates);
    size_t count = 0;
    assert(pair_count > 0 && !list->self);
    if (candidates == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu pairs", pair_count);
    for (size_t i = 0; i < pair_count; i++)
        count += grz_listed_candidate(list, &pairs[i], &candidates[count]);
    const grz_status status = grz_push_sorted(sink, candidates, count);
    grz_release(allocator, candidates, pair_count, sizeof *candidates);
    return status;
}

// Run all jobs in one shared grid, if that suits them. *done: true if this answered all of them.
static grz_status propose_at_once(grz_device *device, const grz_object_list *list, grz_sink *sink, bool *done,
                                  grz_error *error)
{
    grz_grid_round round = {.answers = NULL};
    uint64_t triangles = 0;
    for (size_t i = 0; i < list->count; i++)
        triangles += grz_listed_object(list, i)->mesh->triangle_count;
    const uint32_t side = side_for(triangles);
    if (!suits_one_grid(list, side))
        return GRZ_OK;
    grz_job_set all_pairs = *list->set;
    all_pairs.flags &=
        ~(uint32_t)GRZ_JOBS_FIRST_CONTACT; // many jobs share the grid: one proved pair does not answer them all
    const grz_grid_request request = {.method = "layers",
                                      .set = &all_pairs,
                                      .form = GRZ_GRID_SHARED,
                                      .objects = list,
                                      .resolution = side,
                                      .join = GRZ_JOIN_FRAGMENTS};
    grz_status status = grz_grid_run(device, &request, sink->control, &round, error);
    assert(status != GRZ_OK || round.answer_count == 1); // one grid
    *done = status == GRZ_OK && round.answers[0].flags == 0;
    if (*done && round.listed_pair_count > 0)
        status = push_listed(list, round.listed_pairs, round.listed_pair_count, sink, error);
    grz_grid_round_finish(&round, sink->control);
    return status;
}

static grz_status propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    bool done = false;
    grz_status status = GRZ_OK;
    if (set->job_count >= LEAST_JOBS) {
        grz_object_list list;
        status = grz_object_list_make(&list, device, set, sink->control, error);
        if (status == GRZ_OK)
            status = propose_at_once(device, &list, sink, &done, error);
        grz_object_list_finish(&list, sink->control);
    }
    return status == GRZ_OK && !done ? grz_image_propose(device, &exact, set, sink, error) : status;
}

// ---- The discrete answer ------------------------------------------------------------------------------------------

// Hand potentially colliding sets to the sink. Their triangles' numbers count through all objects.
static grz_status push_sets(const grz_object_list *list, const grz_layers_sets *sets, grz_sink *sink, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    grz_candidate *candidates = grz_allocate(allocator, sets->count, sizeof *candidates);
    size_t count = 0;
    assert(sets->count > 0);
    if (candidates == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu sets", sets->count);
    for (size_t i = 0; i < sets->count; i++) {
        const grz_listed_pair pair = grz_listed_pair_of(list, sets->items[i].triangles, sets->items[i].untested != 0);
        count += grz_listed_candidate(list, &pair, &candidates[count]);
    }
    const grz_status status = grz_push_sorted(sink, candidates, count);
    grz_release(allocator, candidates, sets->count, sizeof *candidates);
    return status;
}

// Draw the surfaces of all jobs' objects in one region: the box of the jobs' clip boxes.
static grz_status sample(grz_device *device, const grz_object_list *list, const grz_layers_options *options,
                         grz_sink *sink, grz_discrete *answer, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    grz_layers_sets sets = {.items = NULL};
    assert(list->count > 0 && (!list->self || list->count == 1));
    grz_object own = *grz_listed_object(list, 0); // a mesh with itself is drawn in its own coordinates
    own.pose = grz_pose_identity();
    const grz_object **objects = grz_allocate(allocator, list->count, sizeof(const grz_object *));
    if (objects == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu objects", list->count);
    for (size_t i = 0; i < list->count; i++)
        objects[i] = list->self ? &own : grz_listed_object(list, i);
    const grz_layers_request request = {
        .objects = objects, .count = list->count, .region = list->region, .options = options, .reduce = true};
    grz_status status = grz_layers_sample(device, &request, sink->control, &sets, error);
    grz_discrete_add(answer, "sets", sets.count);
    if (status == GRZ_OK && sets.count > 0)
        status = push_sets(list, &sets, sink, error);
    grz_layers_sets_finish(&sets, sink->control);
    grz_release(allocator, objects, list->count, sizeof(const grz_object *));
    return status;
}

static grz_status propose_discrete(grz_device *device, const grz_job_set *set, const void *given, grz_sink *sink,
                                   grz_discrete *answer, grz_error *error)
{
    grz_layers_options read;
    const grz_layers_options *options = &read;
    grz_status status = grz_layers_options_read(given, &read, error);
    if (status == GRZ_OK)
        status = grz_layers_check(options, error);
    if (status != GRZ_OK)
        return status;
    answer->may_miss = true;
    answer->may_invent = options->untested;
    grz_discrete_set(answer, "resolution", options->resolution);
    grz_discrete_set(answer, "layers", options->capture == GRZ_LAYERS_LISTS ? 0 : options->layers);
    grz_discrete_add(answer, "sets", 0);
    if (set->job_count == 0)
        return GRZ_OK;
    grz_object_list list;
    status = grz_object_list_make(&list, device, set, sink->control, error);
    if (status == GRZ_OK)
        status = sample(device, &list, options, sink, answer, error);
    grz_object_list_finish(&list, sink->control);
    return status;
}

// Sets that are not tested are not known to touch, so there are no lists of pairs.
static uint32_t discrete_lists(const void *given, uint32_t find)
{
    grz_layers_options options;
    return grz_layers_options_read(given, &options, NULL) == GRZ_OK && options.untested ? 0 : find;
}

const grz_filter grz_filter_layers = {.name = "layers",
                                      .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_MANY |
                                                      GRZ_CAN_READ_BUFFERS | GRZ_CAN_DISCRETE | GRZ_USES_GL,
                                      .propose = propose,
                                      .read_near = read_near,
                                      .discrete_lists = discrete_lists,
                                      .propose_discrete = propose_discrete};
