// SPDX-License-Identifier: MIT
// The filter `bvh`. Two trees are walked together, down to pairs of triangles whose boxes overlap along the axes of
// both trees. A mesh with itself is the same walk of one tree with itself.
// Threads: the caller's thread begins alone, because most queries end before another thread would have woken up. The
// remaining pairs of nodes become tasks for all threads. If there are many jobs, each gets tasks in proportion to its
// triangles.
#include "filter/bvh/bvh_filter.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>

#include "base/control.h"
#include "base/device.h"
#include "filter/bvh/bvh_walk.h"
#include "geometry/pose.h"
#include "geometry/posed_boxes.h"
#include "geometry/vector.h"
#include "space/bvh/bvh_near.h"

enum {
    TASKS_PER_THREAD = 32,
    MAX_TASKS = 4096,
    TRIANGLES_PER_STEP = 16 // judging the fans of so many triangles takes about four steps' time
};

// The error of a difference along a way, relative to all that is added up for it, and what may be lost by underflow;
// docs/internals/bvh.md, "Directions", has both.
static const double WAY_ROUNDING = 0x1p-46, WAY_UNDERFLOW = 0x1p-1070;
// The gaps of triangles (geometry/distance/gap.h) need coordinates of at most 2^100.
static const double LARGEST_FOR_DIRECTIONS = 0x1p100, LARGEST_SCALE_FOR_DIRECTIONS = 0x1p300;

// A part of a job for one thread: a pair of nodes to walk down from.
typedef struct grz_walk_task {
    const grz_bvh_walk *walk;
    grz_bvh_pair pair;
} grz_walk_task;

typedef struct grz_walk_list {
    const grz_bvh_walker *walker;
    grz_walk_task *tasks;
    size_t count;
    atomic_size_t done;
} grz_walk_list;

const grz_bvh_walker *grz_bvh_walker_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, &grz_bvh_walker);
}

static const grz_bvh_pair roots = {0, 0, GRZ_BVH_NONE, GRZ_BVH_NONE};

// The hubs' share of a walk: `pairs` gets a pair for it if the walk has any. Returns their number.
static size_t hub_pairs(const grz_bvh_walk *walk, grz_bvh_pair *pairs)
{
    if (walk->hubs == NULL)
        return 0;
    pairs[0] = (grz_bvh_pair){0, (uint32_t)walk->hubs->items.count, GRZ_BVH_HUB_ITEMS, GRZ_BVH_HUB_ITEMS};
    return 1;
}

// All that a walk has to do, at most two pairs. The last one is opened first.
static size_t all_pairs(const grz_bvh_walk *walk, grz_bvh_pair *pairs)
{
    const size_t count = hub_pairs(walk, pairs);
    pairs[count] = roots;
    return count + 1;
}

// Let a walk know what has been learnt about the mesh's fans. If there are none yet, they are made now if `make` is
// true.
static void use_fans(grz_bvh_walk *walk, bool make)
{
    walk->fans = grz_bvh_fans(walk->bvh_a, walk->mesh_a, make, walk->sink->control);
    walk->fan_nodes = walk->fans != NULL ? walk->bvh_a->fan_nodes : NULL;
    walk->hubs = walk->fans != NULL ? walk->bvh_a->fan_hubs : NULL;
}

// Walk down. For trees that have no slabs yet, count the pairs that were opened: enough of them make slabs worth
// building.
static size_t walk_down(const grz_bvh_walker *walker, const grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth,
                        uint64_t *steps)
{
    const uint64_t before = *steps;
    const size_t left = walker->down(walk, stack, depth, steps);
    if (walk->frames.kind == GRZ_FRAMES_TREES && walk->slabs_a == NULL) {
        grz_bvh_count_openings(walk->bvh_a, before - *steps);
        grz_bvh_count_openings(walk->bvh_b, before - *steps);
    }
    return left;
}

static void walk_task(size_t index, void *context)
{
    grz_walk_list *list = context;
    const grz_walk_task *task = &list->tasks[index];
    grz_sink *sink = task->walk->sink;
    if (!sink->stopped(sink, task->walk->job)) {
        grz_bvh_pair stack[GRZ_BVH_WALK_STACK];
        uint64_t steps = UINT64_MAX;
        stack[0] = task->pair;
        walk_down(list->walker, task->walk, stack, 1, &steps);
    }
    const size_t done = atomic_fetch_add(&list->done, 1) + 1;
    grz_control_report_progress(sink->control, (double)done / (double)list->count);
}

// Add tasks for one job: its remaining pairs, which are opened breadth first until there are `wanted` tasks or nothing
// is left to open. The list has room for them and for the children of one more pair.
static void spread_out(grz_walk_list *list, const grz_bvh_walk *walk, const grz_bvh_pair *pairs, size_t count,
                       size_t wanted)
{
    size_t next = list->count;
    const size_t first = list->count, limit = list->count + wanted;
    grz_chunk chunk;
    bool go_on = true;
    assert(count > 0 && wanted > 0);
    grz_chunk_init(&chunk, walk->sink, walk->job, walk->first_contact);
    for (size_t i = 0; i < count; i++)
        list->tasks[list->count++] = (grz_walk_task){walk, pairs[i]};
    while (list->count < limit && list->count > first && go_on) {
        grz_bvh_pair opened[GRZ_BVH_MOST_PAIRS];
        next = next < list->count ? next : first;
        const grz_bvh_pair pair = list->tasks[next].pair;
        // The last task takes the place of the opened pair, so the list has no gaps.
        list->tasks[next++] = list->tasks[--list->count];
        const size_t opened_count = list->walker->open(walk, &pair, opened, &chunk, &go_on);
        for (size_t i = 0; i < opened_count; i++)
            list->tasks[list->count++] = (grz_walk_task){walk, opened[i]};
    }
    if (!go_on || !grz_chunk_flush(&chunk))
        list->count = first;
}

static uint64_t weight(const grz_bvh_walk *walk)
{
    return (uint64_t)walk->bvh_a->triangle_count + walk->bvh_b->triangle_count;
}

// An upper bound of all that is added up for a posed coordinate of an object.
static double size_of(const grz_object *object)
{
    const double *most = object->mesh->max_abs;
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *m = object->pose.m[i];
        const double sum = fabs(m[0]) * most[0] + fabs(m[1]) * most[1] + fabs(m[2]) * most[2] + fabs(m[3]);
        size = sum > size ? sum : size;
    }
    return size;
}

// True if two objects certainly keep the clearance: by their boxes, along the way from the middle of one to that of the
// other. Unlike the trees' frames, which are floats, this also sees objects that are very far apart.
static bool wholes_keep_clearance(const grz_bvh_walk *walk, double size)
{
    const grz_object *objects[2] = {walk->object_a, walk->object_b};
    double middles[2][3], halves[2][3], way[3], unit[3], most = 1.0, ends = 0.0;
    for (int side = 0; side < 2; side++) {
        const grz_box *box = &objects[side]->mesh->bounds;
        double middle[3];
        for (int k = 0; k < 3; k++) {
            middle[k] = 0.5 * box->min[k] + 0.5 * box->max[k];
            halves[side][k] = 0.5 * box->max[k] - 0.5 * box->min[k] + 0x1p-1072; // for halves that underflow
            most += objects[side]->mesh->max_abs[k];
        }
        grz_world_position(&objects[side]->pose, middle, middles[side]);
    }
    for (int k = 0; k < 3; k++)
        unit[k] = way[k] = middles[1][k] - middles[0][k];
    if (!grz_make_unit(unit))
        return false;
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < 3; j++) {
            const double(*m)[4] = objects[side]->pose.m;
            ends += fabs((unit[0] * m[0][j] + unit[1] * m[1][j]) + unit[2] * m[2][j]) * halves[side][j];
        }
    return grz_dot(unit, way) - ends - (WAY_ROUNDING * size + WAY_UNDERFLOW * most) >= walk->clearance;
}

// True if doubles can hold what directions (directions.h) are computed from.
static bool has_scale_for_directions(const grz_bvh *bvh)
{
    return bvh->scale <= LARGEST_SCALE_FOR_DIRECTIONS && bvh->unit <= LARGEST_SCALE_FOR_DIRECTIONS;
}

// Describe the walk of job `number`. If its frames are GRZ_FRAMES_APART there is nothing to walk. `near_a` and `near_b`
// replace the meshes' own trees if they are not NULL (space/bvh/bvh_near.h).
static grz_status make_walk(const grz_job_set *set, uint32_t number, const grz_bvh *near_a, const grz_bvh *near_b,
                            grz_simd simd, grz_sink *sink, grz_bvh_walk *walk, grz_error *error)
{
    grz_status status = GRZ_OK;
    const grz_job *job = &set->jobs[number];
    const grz_object *a = grz_job_object_a(set, job), *b = grz_job_object_b(set, job);
    walk->mesh_a = a->mesh;
    walk->mesh_b = b->mesh;
    walk->self = job->b == GRZ_SELF;
    walk->first_contact = (set->flags & GRZ_JOBS_FIRST_CONTACT) != 0;
    walk->near = set->margin > 0.0;
    walk->clearance = set->margin;
    walk->object_a = a;
    walk->object_b = b;
    walk->has_directions = false;
    const double size = walk->near ? size_of(a) + size_of(b) : 0.0;
    if (walk->near && wholes_keep_clearance(walk, size)) {
        walk->frames.kind = GRZ_FRAMES_APART;
        return GRZ_OK;
    }
    walk->job = number;
    walk->sink = sink;
    walk->bvh_a = near_a;
    walk->bvh_b = near_b;
    if (near_a == NULL)
        status = grz_mesh_bvh(a->mesh, sink->control, &walk->bvh_a, error);
    if (status == GRZ_OK && near_b == NULL)
        status = grz_mesh_bvh(b->mesh, sink->control, &walk->bvh_b, error);
    if (status != GRZ_OK)
        return status;
    if (walk->self)
        walk->frames = (grz_bvh_frames){.kind = GRZ_FRAMES_SAME, .scale_a = 1.0f, .scale_b = 1.0f};
    else
        grz_bvh_frames_maker_for(simd)(&walk->frames, walk->bvh_a, a, walk->bvh_b, b, set->margin);
    if (walk->frames.kind == GRZ_FRAMES_APART)
        return GRZ_OK;
    walk->has_directions = walk->near && walk->frames.kind == GRZ_FRAMES_TREES && size <= LARGEST_FOR_DIRECTIONS &&
                           has_scale_for_directions(walk->bvh_a) && has_scale_for_directions(walk->bvh_b);
    walk->fans = NULL;
    walk->fan_nodes = NULL;
    walk->hubs = NULL;
    if (walk->self)
        use_fans(walk, !walk->first_contact);
    walk->slabs_a = walk->slabs_b = NULL;
    if (walk->frames.kind == GRZ_FRAMES_TREES && near_a == NULL && near_b == NULL) {
        walk->slabs_a = grz_bvh_slabs(walk->bvh_a, walk->mesh_a, sink->control);
        walk->slabs_b = grz_bvh_slabs(walk->bvh_b, walk->mesh_b, sink->control);
        if (walk->slabs_a == NULL || walk->slabs_b == NULL)
            walk->slabs_a = walk->slabs_b = NULL;
    }
    return GRZ_OK;
}

// Walk the rest of some jobs on all threads: for the first job the pairs `left`, for the others everything. Jobs get
// tasks in proportion to their triangles.
static grz_status walk_parallel(grz_device *device, const grz_bvh_walk *walks, size_t count, const grz_bvh_pair *left,
                                size_t left_count, grz_control *control, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const unsigned threads = grz_device_threads(device);
    const size_t wanted =
        (size_t)threads * TASKS_PER_THREAD < MAX_TASKS ? (size_t)threads * TASKS_PER_THREAD : MAX_TASKS;
    // Rounding gives each job at most one task more than its share. Opening its last pair may add GRZ_BVH_MOST_PAIRS
    // more, for each job that opens any.
    const size_t capacity = wanted + left_count + 2 * count + (count < wanted ? count : wanted) * GRZ_BVH_MOST_PAIRS;
    grz_walk_list list = {.walker = grz_bvh_walker_for(grz_device_simd(device)),
                          .tasks = grz_allocate(allocator, capacity, sizeof *list.tasks)};
    uint64_t total = 0;
    if (list.tasks == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "bvh", error);
    for (size_t i = 0; i < count; i++)
        total += weight(&walks[i]);
    for (size_t i = 0; i < count; i++) {
        const size_t share = (size_t)((double)wanted * (double)weight(&walks[i]) / (double)total) + 1;
        grz_bvh_pair all[2];
        const size_t all_count = all_pairs(&walks[i], all);
        spread_out(&list, &walks[i], i == 0 ? left : all, i == 0 ? left_count : all_count, share);
    }
    atomic_init(&list.done, 0);
    grz_parallel(device, list.count, walk_task, &list);
    grz_release(allocator, list.tasks, capacity, sizeof *list.tasks);
    return GRZ_OK;
}

// For yes or no about a mesh with itself, a contact may be found before fans (space/bvh/fans.h) have paid off. Walk
// first, for about a quarter of the time that fans take; build the fans only if the job is still open. Returns the
// number of remaining pairs.
static size_t walk_before_fans(const grz_bvh_walker *walker, grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth)
{
    uint64_t steps = walk->bvh_a->triangle_count / TRIANGLES_PER_STEP;
    depth = walk_down(walker, walk, stack, depth, &steps);
    if (depth == 0)
        return 0;
    use_fans(walk, true);
    assert(depth < GRZ_BVH_WALK_STACK);
    return depth + hub_pairs(walk, stack + depth);
}

// Walk one job on the caller's thread, for so many steps at most. Returns the number of remaining pairs.
static size_t walk_alone(const grz_bvh_walker *walker, grz_bvh_walk *walk, grz_bvh_pair *stack, uint64_t *steps)
{
    size_t left = walk_down(walker, walk, stack, all_pairs(walk, stack), steps);
    if (left > 0 && walk->self && walk->fans == NULL && walk->first_contact)
        left = walk_before_fans(walker, walk, stack, left);
    return left;
}

static grz_status walk_one(grz_device *device, grz_bvh_walk *walk, grz_control *control, grz_error *error)
{
    grz_bvh_pair stack[GRZ_BVH_WALK_STACK];
    uint64_t steps = grz_device_solo_steps(device);
    const size_t left = walk_alone(grz_bvh_walker_for(grz_device_simd(device)), walk, stack, &steps);
    if (left > 0)
        return walk_parallel(device, walk, 1, stack, left, control, error);
    grz_control_report_progress(control, 1.0);
    return GRZ_OK;
}

static bool needs_state(const grz_job_set *set, const grz_mesh *mesh)
{
    assert(set->job_count == 1);
    const grz_job *job = &set->jobs[0];
    const grz_mesh *mesh_a = grz_job_object_a(set, job)->mesh, *mesh_b = grz_job_object_b(set, job)->mesh;
    return job->b == GRZ_SELF || !grz_bvh_near_pays(mesh, (mesh == mesh_a ? mesh_b : mesh_a)->triangle_count);
}

// A small tree of the triangles near the other object if that is faster than the mesh's own tree; else NULL.
static grz_bvh *near_tree(const grz_job_set *set, const grz_object *object, grz_simd simd, grz_control *control)
{
    return needs_state(set, object->mesh) ? NULL : grz_bvh_near(object, &set->jobs[0].clip, simd, control);
}

static grz_status propose_one(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    const grz_simd simd = grz_device_simd(device);
    grz_bvh *near_a = near_tree(set, grz_job_object_a(set, &set->jobs[0]), simd, sink->control);
    grz_bvh *near_b =
        set->jobs[0].b == GRZ_SELF ? NULL : near_tree(set, grz_job_object_b(set, &set->jobs[0]), simd, sink->control);
    grz_bvh_walk walk;
    grz_status status = make_walk(set, 0, near_a, near_b, simd, sink, &walk, error);
    if (status == GRZ_OK && walk.frames.kind != GRZ_FRAMES_APART)
        status = walk_one(device, &walk, sink->control, error);
    grz_bvh_near_finish(near_a, sink->control);
    grz_bvh_near_finish(near_b, sink->control);
    return status;
}

// True if the posed boxes of a job's objects are apart. For a set with one job the query has tested that before. It is
// not known of boxes within a margin.
static bool boxes_are_apart(const grz_job_set *set, const grz_job *job, grz_posed_boxes_test *apart)
{
    if (job->b == GRZ_SELF || set->margin > 0.0)
        return false;
    const grz_object *a = grz_job_object_a(set, job), *b = grz_job_object_b(set, job);
    return apart(&(grz_posed_box){&a->pose, &a->mesh->bounds}, &(grz_posed_box){&b->pose, &b->mesh->bounds});
}

// Make the walk of one job of many. *nothing becomes true if the boxes of its objects are apart: there is no walk.
static grz_status make_next(grz_device *device, const grz_job_set *set, size_t number, grz_sink *sink,
                            grz_bvh_walk *walk, bool *nothing, grz_error *error)
{
    const grz_simd simd = grz_device_simd(device);
    *nothing = boxes_are_apart(set, &set->jobs[number], grz_posed_boxes_test_for(simd));
    if (*nothing)
        return GRZ_OK;
    const grz_status status = make_walk(set, (uint32_t)number, NULL, NULL, simd, sink, walk, error);
    *nothing = walk->frames.kind == GRZ_FRAMES_APART;
    return status;
}

// Walk the jobs from `first` on, on all threads. The walk of the first is made, and of it the pairs `left` remain.
static grz_status walk_rest(grz_device *device, const grz_job_set *set, size_t first, const grz_bvh_walk *walk,
                            const grz_bvh_pair *left, size_t left_count, grz_sink *sink, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    const size_t room = set->job_count - first;
    grz_status status = GRZ_OK;
    grz_bvh_walk *walks = grz_allocate(allocator, room, sizeof *walks);
    if (walks == NULL)
        return grz_control_explain(sink->control, GRZ_ERROR_MEMORY, "bvh", error);
    size_t count = 1;
    walks[0] = *walk;
    for (size_t i = first + 1; i < set->job_count && status == GRZ_OK; i++) {
        bool nothing;
        status = make_next(device, set, i, sink, &walks[count], &nothing, error);
        count += !nothing;
    }
    if (status == GRZ_OK)
        status = walk_parallel(device, walks, count, left, left_count, sink->control, error);
    grz_release(allocator, walks, room, sizeof *walks);
    return status;
}

// Many jobs: the caller's thread walks them one by one, as long as that takes less time than waking other threads. If
// the device has no other threads, it walks all of them, and only large jobs become tasks: they report progress.
static grz_status propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    const grz_bvh_walker *walker = grz_bvh_walker_for(grz_device_simd(device));
    const bool others = grz_device_threads(device) > 1;
    grz_bvh_pair stack[GRZ_BVH_WALK_STACK];
    uint64_t steps = grz_device_solo_steps(device);
    grz_status status = GRZ_OK;
    if (set->job_count == 1)
        return propose_one(device, set, sink, error);
    for (size_t i = 0; i < set->job_count && status == GRZ_OK; i++) {
        grz_bvh_walk walk;
        bool nothing;
        status = make_next(device, set, i, sink, &walk, &nothing, error);
        if (status != GRZ_OK || nothing)
            continue;
        const size_t left = walk_alone(walker, &walk, stack, &steps);
        if (left > 0 && others)
            return walk_rest(device, set, i, &walk, stack, left, sink, error);
        if (left > 0)
            status = walk_parallel(device, &walk, 1, stack, left, sink->control, error);
        if (!others)
            steps = grz_device_solo_steps(device);
    }
    if (status == GRZ_OK)
        grz_control_report_progress(sink->control, 1.0);
    return status;
}

const grz_filter grz_filter_bvh = {.name = "bvh",
                                   .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_MANY | GRZ_CAN_MARGIN |
                                                   GRZ_CAN_DISTANCE | GRZ_CAN_MOVE | GRZ_CAN_RAYS,
                                   .state = &grz_bvh_slot_type,
                                   .needs_state = needs_state,
                                   .propose = propose};
