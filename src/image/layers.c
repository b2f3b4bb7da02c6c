// SPDX-License-Identifier: MIT
// Method `layers`: the surfaces in the region are captured as lists of fragments, one list a pixel, and fragments of two surfaces that come
// close there make a pair of triangles for the predicates. Source: H. Jang, J. Han, "Fast collision detection using the A-buffer" (2008).
#include "base/device.h"
#include "base/fail.h"
#include "base/sort.h"
#include "geometry/pose.h"
#include "image/exact.h"
#include "image/layers_sample.h"

enum {
    LEAST_SIDE = 64,
    SIDE_STEP = 32,
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

// Which job two objects are, by their numbers among those that are drawn.
typedef struct meeting {
    uint32_t a, b, job;
} meeting;

// The jobs of a query, their objects drawn together.
typedef struct gathering {
    const grz_job *jobs;
    size_t job_count;
    const grz_object **objects; // each once, sorted by address
    uint32_t *first_triangles;  // in the order of the objects
    size_t object_count;
    meeting *meetings;  // sorted
    uint32_t most_jobs; // that one object is in
    grz_sink *sink;
    grz_error *error;
} gathering;

static int compare_objects(const void *x, const void *y, void *context)
{
    (void)context;
    const uintptr_t a = (uintptr_t) * (const grz_object *const *)x, b = (uintptr_t) * (const grz_object *const *)y;
    return (a > b) - (a < b);
}

static int compare_meetings(const void *x, const void *y, void *context)
{
    (void)context;
    const meeting *a = x, *b = y;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static uint32_t number_of(const gathering *g, const grz_object *object)
{
    size_t low = 0, high = g->object_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *((uintptr_t)g->objects[middle] <= (uintptr_t)object ? &low : &high) = middle;
    }
    return (uint32_t)low;
}

// The objects of all jobs, and who meets whom. Objects that are given as different ones are different, wherever they lie.
static grz_status gather(gathering *g)
{
    const size_t count = g->job_count;
    for (size_t i = 0; i < count; i++) {
        g->objects[2 * i] = g->jobs[i].a;
        g->objects[2 * i + 1] = g->jobs[i].b != NULL ? g->jobs[i].b : g->jobs[i].a;
    }
    grz_status status = grz_sort(g->objects, 2 * count, sizeof(const grz_object *), compare_objects, NULL, g->sink->control);
    if (status != GRZ_OK)
        return status;
    for (size_t i = 0; i < 2 * count; i++)
        if (g->object_count == 0 || g->objects[i] != g->objects[g->object_count - 1])
            g->objects[g->object_count++] = g->objects[i];
    for (size_t i = 0; i < count && g->jobs[0].b != NULL; i++)
        g->meetings[i] = (meeting){number_of(g, g->jobs[i].a), number_of(g, g->jobs[i].b), (uint32_t)i};
    for (size_t i = 0; i < count; i++) // the lower number first; which one is A the job knows
        if (g->meetings[i].a > g->meetings[i].b)
            g->meetings[i] = (meeting){g->meetings[i].b, g->meetings[i].a, g->meetings[i].job};
    for (size_t i = 0; i < g->object_count; i++)
        g->first_triangles[i] = 0;
    for (size_t i = 0; i < count; i++) { // so long they count jobs
        const uint32_t a = ++g->first_triangles[g->meetings[i].a], b = ++g->first_triangles[g->meetings[i].b];
        g->most_jobs = g->most_jobs > a ? g->most_jobs : a;
        g->most_jobs = g->most_jobs > b ? g->most_jobs : b;
    }
    uint32_t first = 0;
    for (size_t i = 0; i < g->object_count; i++) {
        g->first_triangles[i] = first;
        first += g->objects[i]->mesh->triangle_count;
    }
    return grz_sort(g->meetings, count, sizeof *g->meetings, compare_meetings, NULL, g->sink->control);
}

// The object that a triangle, numbered through all of them, is of.
static uint32_t object_of(const gathering *g, uint32_t triangle)
{
    size_t low = 0, high = g->object_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(g->first_triangles[middle] <= triangle ? &low : &high) = middle;
    }
    return (uint32_t)low;
}

// The job in which two objects meet; NULL: in none.
static const meeting *meeting_of(const gathering *g, uint32_t a, uint32_t b)
{
    const meeting key = {a, b, 0};
    size_t low = 0, high = g->job_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = compare_meetings(&g->meetings[middle], &key, NULL);
        if (order == 0)
            return &g->meetings[middle];
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return NULL;
}

// Triangles of two objects, the lower number first, as a candidate. False: these are not asked about, or it is a mesh with itself and one face.
static bool candidate_of(const gathering *g, const uint32_t objects[2], const uint32_t triangles[2], bool proved,
                         grz_candidate *out)
{
    *out = (grz_candidate){.triangle_a = triangles[0], .triangle_b = triangles[1], .proved = proved};
    if (g->jobs[0].b == NULL) {
        const grz_mesh *mesh = g->objects[0]->mesh;
        return grz_mesh_triangle_face(mesh, out->triangle_a) != grz_mesh_triangle_face(mesh, out->triangle_b);
    }
    const meeting *m = meeting_of(g, objects[0], objects[1]);
    if (m == NULL)
        return false;
    out->job = m->job;
    if (g->jobs[m->job].a != g->objects[objects[0]]) {
        out->triangle_a = triangles[1];
        out->triangle_b = triangles[0];
    }
    return true;
}

// What was read back, as a candidate: triangles numbered through all objects, or objects and their triangles.
static bool candidate_of_set(const gathering *g, const grz_voxel_candidate *set, grz_candidate *out)
{
    const uint32_t objects[2] = {object_of(g, set->triangles[0]), object_of(g, set->triangles[1])};
    const uint32_t triangles[2] = {set->triangles[0] - g->first_triangles[objects[0]],
                                   set->triangles[1] - g->first_triangles[objects[1]]};
    return candidate_of(g, objects, triangles, set->proved != 0, out);
}

static bool candidate_of_pair(const gathering *g, const grz_voxel_candidate *pair, grz_candidate *out)
{
    const uint32_t objects[2] = {pair->job, pair->proved >> 1};
    return candidate_of(g, objects, pair->triangles, (pair->proved & 1) != 0, out);
}

static int compare_jobs(const void *x, const void *y, void *context)
{
    (void)context;
    const uint32_t a = ((const grz_candidate *)x)->job, b = ((const grz_candidate *)y)->job;
    return (a > b) - (a < b);
}

typedef bool candidate_maker(const gathering *g, const grz_voxel_candidate *item, grz_candidate *out);

// To the sink, job by job.
static grz_status hand_over(const gathering *g, const grz_voxel_candidate *items, size_t item_count, candidate_maker *make)
{
    grz_sink *sink = g->sink;
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    grz_candidate *candidates = grz_allocate(allocator, item_count, sizeof *candidates);
    size_t count = 0;
    if (candidates == NULL)
        return grz_fail(g->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu pairs", item_count);
    for (size_t i = 0; i < item_count; i++)
        count += make(g, &items[i], &candidates[count]);
    grz_status status = grz_sort(candidates, count, sizeof *candidates, compare_jobs, NULL, sink->control);
    for (size_t i = 0, end; i < count && status == GRZ_OK; i = end) {
        for (end = i + 1; end < count && end - i < GRZ_CHUNK && candidates[end].job == candidates[i].job;)
            end++;
        if (!sink->stopped(sink, candidates[i].job))
            sink->push(sink, candidates + i, end - i);
        status = grz_control_status(sink->control);
    }
    grz_release(allocator, candidates, item_count, sizeof *candidates);
    return status;
}

static bool open_gathering(gathering *g)
{
    const grz_allocator *allocator = grz_control_allocator(g->sink->control);
    g->objects = grz_allocate(allocator, 2 * g->job_count, sizeof(const grz_object *));
    g->first_triangles = grz_allocate(allocator, 2 * g->job_count, sizeof *g->first_triangles);
    g->meetings = grz_allocate_zeroed(allocator, g->job_count, sizeof *g->meetings);
    return g->objects != NULL && g->first_triangles != NULL && g->meetings != NULL;
}

static void close_gathering(gathering *g)
{
    const grz_allocator *allocator = grz_control_allocator(g->sink->control);
    grz_release(allocator, g->objects, 2 * g->job_count, sizeof(const grz_object *));
    grz_release(allocator, g->first_triangles, 2 * g->job_count, sizeof *g->first_triangles);
    grz_release(allocator, g->meetings, g->job_count, sizeof *g->meetings);
}

static grz_status check_devices(const grz_device *device, const gathering *g)
{
    for (size_t i = 0; i < g->object_count; i++)
        if (grz_device_graphics(device) != NULL && g->objects[i]->mesh->device != device)
            return grz_fail(g->error, GRZ_ERROR_ARGUMENT, i, "layers: a mesh is of another device");
    return GRZ_OK;
}

// Where the boxes of all jobs' objects overlap.
static grz_box region_of(const gathering *g)
{
    grz_box region = grz_box_empty();
    for (size_t i = 0; i < g->job_count; i++)
        grz_box_add_box(&region, &g->jobs[i].clip);
    return region;
}

// Triangles that share a cell's list with a triangle, on average, as far as boxes tell: a surface of an object's box, or a cell at least.
static double crowd(const gathering *g, const grz_voxel_grid *grid)
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
static bool suits_one_grid(const gathering *g, uint32_t side)
{
    uint64_t of_jobs = 0, of_objects = 0;
    const grz_box region = region_of(g);
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
static grz_status propose_at_once(grz_device *device, gathering *g, bool *done)
{
    grz_control *control = g->sink->control;
    grz_voxel_round round = {.answers = NULL};
    grz_status status = gather(g);
    uint64_t triangles = 0;
    for (size_t i = 0; i < g->object_count; i++)
        triangles += g->objects[i]->mesh->triangle_count;
    const uint32_t side = side_for(triangles);
    if (status != GRZ_OK || !suits_one_grid(g, side))
        return status;
    status = check_devices(device, g);
    const grz_voxel_question question = {.method = "layers",
                                         .resolution = side,
                                         .join = GRZ_JOIN_LAYERS,
                                         .objects = g->objects,
                                         .object_count = g->object_count,
                                         .region = region_of(g),
                                         .list = true};
    if (status == GRZ_OK)
        status = grz_voxels_run(device, &question, control, &round, g->error);
    *done = status == GRZ_OK && round.answers[0].flags == 0;
    if (*done && round.candidate_count > 0)
        status = hand_over(g, round.candidates, round.candidate_count, candidate_of_pair);
    grz_voxel_round_finish(&round, control);
    return status;
}

static grz_status propose(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    gathering g = {.jobs = jobs, .job_count = count, .sink = sink, .error = error};
    bool done = false;
    grz_status status = GRZ_OK;
    if (count >= LEAST_JOBS) {
        status = open_gathering(&g)
                     ? propose_at_once(device, &g, &done)
                     : grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu jobs", count);
        close_gathering(&g);
    }
    return status == GRZ_OK && !done ? grz_image_propose(device, &exact, jobs, count, sink, error) : status;
}

// ---- The discrete answer ---------------------------------------------------------------------------------------------------------

// All jobs' surfaces drawn at once, in a region that holds where their boxes overlap.
static grz_status sample_gathered(grz_device *device, gathering *g, const grz_layers_options *options, grz_discrete *out)
{
    grz_control *control = g->sink->control;
    grz_layers_request request = {.region = region_of(g), .options = options, .reduce = true};
    grz_layers_sets sets = {.items = NULL};
    grz_status status = gather(g);
    grz_object own = *g->jobs[0].a; // of a mesh with itself, in its own coordinates
    const grz_object *const itself = &own;
    own.pose = grz_pose_identity();
    request.objects = g->jobs[0].b == NULL ? &itself : g->objects;
    request.count = g->object_count;
    if (status == GRZ_OK)
        status = check_devices(device, g);
    if (status == GRZ_OK)
        status = grz_layers_sample(device, &request, control, &sets, g->error);
    out->cells += sets.count;
    if (status == GRZ_OK && sets.count > 0)
        status = hand_over(g, sets.items, sets.count, candidate_of_set);
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
    gathering g = {.jobs = jobs, .job_count = count, .sink = sink, .error = error};
    status = open_gathering(&g) ? sample_gathered(device, &g, options, out)
                                : grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu jobs", count);
    close_gathering(&g);
    return status;
}

const grz_filter grz_filter_layers = {.name = "layers",
                                      .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF,
                                      .gl = true,
                                      .slot = GRZ_SLOT_COUNT,
                                      .propose = propose,
                                      .reach = reach,
                                      .sample = sample};
