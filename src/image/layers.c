// SPDX-License-Identifier: MIT
// Method `layers`: the surfaces in the region are captured as lists of fragments, one list a pixel, and fragments of two surfaces that come
// close there make a pair of triangles for the predicates. Source: H. Jang, J. Han, "Fast collision detection using the A-buffer" (2008).
#include "geometry/pose.h"
#include "image/exact.h"
#include "image/gathering.h"
#include "image/layers_sample.h"

enum {
    LEAST_SIDE = 16,
    SIDE_STEP = 16,
    MOST_SIDE = 512,
    LEAST_JOBS = 8, // to be asked at once
    MANY_TIMES = 4  // that each triangle is in jobs, then
};

static const double MOST_CROWD = 24.0; // triangles of the same object

// Pixels a side where all triangles are in one grid: about three pixels for eight of them.
static uint32_t side_for(uint64_t triangles)
{
    uint32_t side = LEAST_SIDE;
    while (side < MOST_SIDE && (uint64_t)side * side * 8 / 3 < triangles)
        side += SIDE_STEP;
    return side;
}

static uint32_t resolution(const grz_job *const *jobs, size_t count)
{
    return jobs[0]->b != NULL ? grz_image_pair_resolution(jobs, count) : side_for(jobs[0]->a->mesh->triangle_count);
}

static const grz_image_method exact = {.name = "layers", .join = GRZ_JOIN_LAYERS, .resolution = resolution};

static grz_status reach(grz_device *device, const grz_job *job, grz_control *control, grz_mesh *parts[2], bool *done,
                        grz_error *error)
{
    return grz_image_reach(device, &exact, job, control, parts, done, error);
}

// ---- Many objects at once --------------------------------------------------------------------------------------------------------

// Triangles that share a cell's list with a triangle, on average, as far as boxes tell: a surface of an object's box, or a cell at least.
static double crowd(const grz_gathering *g, const grz_voxel_grid *grid)
{
    double triangles = 0.0, met = 0.0;
    for (size_t i = 0; i < g->object_count; i++) {
        const grz_box box = grz_world_box(&g->objects[i]->pose, &g->objects[i]->mesh->bounds);
        const double count = g->objects[i]->mesh->triangle_count;
        double cells[3];
        for (int j = 0; j < 3; j++)
            cells[j] = fmax(1.0, (box.max[grid->axes[j]] - box.min[grid->axes[j]]) * grid->per[j]);
        met += count * count / fmax(1.0, cells[0] * cells[1] + cells[1] * cells[2] + cells[2] * cells[0] - 2.0);
        triangles += count;
    }
    return met / triangles;
}

// Whether all jobs are better asked at once: objects are in many of them, none in half of them, and in the grid they are no crowd.
static bool suits_one_grid(const grz_gathering *g, uint32_t side)
{
    uint64_t of_jobs = 0, of_objects = 0;
    const grz_box region = g->region;
    double size = 0.0;
    for (size_t i = 0; i < g->job_count; i++)
        of_jobs += (uint64_t)g->jobs[i].a->mesh->triangle_count + g->jobs[i].b->mesh->triangle_count;
    for (size_t i = 0; i < g->object_count; i++)
        of_objects += g->objects[i]->mesh->triangle_count;
    if (of_jobs < MANY_TIMES * of_objects)
        return false;
    if (2 * (size_t)g->most_jobs > g->job_count)
        return false;
    for (int j = 0; j < 3; j++)
        size = fmax(size, region.max[j] - region.min[j]);
    const grz_voxel_grid grid = grz_voxel_grid_of(&region, size, side);
    return crowd(g, &grid) < MOST_CROWD;
}

// Ask all jobs at once. *done: it was so, and no job is left.
static grz_status propose_at_once(grz_device *device, grz_gathering *g, bool *done)
{
    grz_control *control = g->sink->control;
    grz_voxel_round round = {.answers = NULL};
    uint64_t triangles = 0;
    for (size_t i = 0; i < g->object_count; i++)
        triangles += g->objects[i]->mesh->triangle_count;
    const uint32_t side = side_for(triangles);
    if (!suits_one_grid(g, side))
        return GRZ_OK;
    const grz_voxel_question question = {.method = "layers",
                                         .resolution = side,
                                         .join = GRZ_JOIN_LAYERS,
                                         .objects = g->objects,
                                         .object_count = g->object_count,
                                         .region = g->region,
                                         .list = true};
    grz_status status = grz_voxels_run(device, &question, control, &round, g->error);
    *done = status == GRZ_OK && round.answers[0].flags == 0;
    if (*done && round.candidate_count > 0)
        status = grz_gathering_push(g, round.candidates, round.candidate_count, false);
    grz_voxel_round_finish(&round, control);
    return status;
}

static grz_status propose(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    bool done = false;
    grz_status status = GRZ_OK;
    if (count >= LEAST_JOBS) {
        grz_gathering g;
        status = grz_gathering_start(&g, device, jobs, count, sink, error);
        if (status == GRZ_OK)
            status = propose_at_once(device, &g, &done);
        grz_gathering_finish(&g);
    }
    return status == GRZ_OK && !done ? grz_image_propose(device, &exact, jobs, count, sink, error) : status;
}

// ---- The discrete answer ---------------------------------------------------------------------------------------------------------

// All jobs' surfaces drawn at once, in a region that holds where their boxes overlap.
static grz_status sample_gathered(grz_device *device, grz_gathering *g, const grz_layers_options *options, grz_discrete *out)
{
    grz_control *control = g->sink->control;
    grz_layers_request request = {.region = g->region, .options = options, .reduce = true};
    grz_layers_sets sets = {.items = NULL};
    grz_object own = *g->jobs[0].a; // of a mesh with itself, in its own coordinates
    const grz_object *const itself = &own;
    own.pose = grz_pose_identity();
    request.objects = g->jobs[0].b == NULL ? &itself : g->objects;
    request.count = g->object_count;
    grz_status status = grz_layers_sample(device, &request, control, &sets, g->error);
    out->cells += sets.count;
    if (status == GRZ_OK && sets.count > 0)
        status = grz_gathering_push(g, sets.items, sets.count, true);
    grz_layers_sets_finish(&sets, control);
    return status;
}

static grz_status sample(grz_device *device, const grz_job *jobs, size_t count, const grz_collide_options *wish, grz_sink *sink,
                         grz_discrete *out, grz_error *error)
{
    const grz_layers_options defaults = grz_default_layers_options(), *options = wish->layers != NULL ? wish->layers : &defaults;
    grz_status status = grz_layers_check(options, error);
    if (status != GRZ_OK)
        return status;
    *out =
        (grz_discrete){.may_miss = true, .may_invent = options->untested, .resolution = options->resolution, .cells = out->cells};
    out->slices = options->capture == GRZ_CAPTURE_LISTS ? 0 : options->layers;
    if (count == 0)
        return GRZ_OK;
    grz_gathering g;
    status = grz_gathering_start(&g, device, jobs, count, sink, error);
    if (status == GRZ_OK)
        status = sample_gathered(device, &g, options, out);
    grz_gathering_finish(&g);
    return status;
}

const grz_filter grz_filter_layers = {.name = "layers",
                                      .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF,
                                      .gl = true,
                                      .slot = GRZ_SLOT_COUNT,
                                      .propose = propose,
                                      .reach = reach,
                                      .sample = sample};
