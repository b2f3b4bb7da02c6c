// SPDX-License-Identifier: MIT
// The hierarchy as a filter. Two trees are walked together down to pairs of triangles whose boxes overlap along the axes of both
// trees. The caller's thread begins alone: most queries are over before another thread would have woken up. What is left is spread
// out into tasks; many jobs share the threads, each with tasks in proportion to its triangles. Self: the same walk of one tree with
// itself.
#include <stdatomic.h>

#include "base/device.h"
#include "space/bvh_near.h"
#include "space/bvh_walk.h"

enum {
    TASKS_PER_THREAD = 32,
    MAX_TASKS = 4096,
    TRIANGLES_A_STEP = 16 // their fans are judged in some four times the time of a step
};

// A part of a job that a thread does on its own.
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

static const grz_bvh_pair roots = {0, 0, GRZ_BVH_NONE, GRZ_BVH_NONE};

// Walk down, and count what is opened, for trees without slabs.
static size_t walk_down(const grz_bvh_walker *walker, const grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth, uint64_t *steps)
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
    grz_control_tell(sink->control, (double)done / (double)list->count);
}

// Add a job to the list: the pairs it has left, opened breadth first until there are `wanted` tasks of it or nothing is left to open.
// The list has room for them and what one more pair opens to.
static void spread_out(grz_walk_list *list, const grz_bvh_walk *walk, const grz_bvh_pair *pairs, size_t count, size_t wanted)
{
    size_t next = list->count;
    const size_t first = list->count, limit = list->count + wanted;
    grz_chunk chunk;
    bool go_on = true;
    grz_chunk_init(&chunk, walk->sink, walk->job);
    for (size_t i = 0; i < count; i++)
        list->tasks[list->count++] = (grz_walk_task){walk, pairs[i]};
    while (list->count < limit && list->count > first && go_on) {
        grz_bvh_pair opened[GRZ_BVH_MOST_PAIRS];
        next = next < list->count ? next : first;
        const grz_bvh_pair pair = list->tasks[next].pair;
        // The opened pair's place goes to the last one, so that the list stays without gaps.
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

// `near_a` and `near_b` are walked instead of the meshes' own hierarchies where they are not NULL.
static grz_status make_walk(const grz_job *job, uint32_t number, const grz_bvh *near_a, const grz_bvh *near_b, grz_sink *sink,
                            grz_bvh_walk *walk, grz_error *error)
{
    grz_status status = GRZ_OK;
    const grz_object *a = job->a, *b = job->b != NULL ? job->b : a;
    walk->mesh_a = a->mesh;
    walk->mesh_b = b->mesh;
    walk->self = job->b == NULL;
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
        grz_bvh_frames_of_pair(&walk->frames, walk->bvh_a, a, walk->bvh_b, b);
    walk->fans = walk->self ? grz_bvh_fans(walk->bvh_a, walk->mesh_a, !sink->eager, sink->control) : NULL;
    walk->slabs_a = walk->slabs_b = NULL;
    if (walk->frames.kind == GRZ_FRAMES_TREES && near_a == NULL && near_b == NULL) {
        walk->slabs_a = grz_bvh_slabs(walk->bvh_a, walk->mesh_a, sink->control);
        walk->slabs_b = grz_bvh_slabs(walk->bvh_b, walk->mesh_b, sink->control);
        if (walk->slabs_a == NULL || walk->slabs_b == NULL)
            walk->slabs_a = walk->slabs_b = NULL;
    }
    return GRZ_OK;
}

// Walk what is left of some jobs on all threads: of the first the pairs given, of the others all. Jobs get tasks in proportion to
// their triangles.
static grz_status walk_parallel(grz_device *device, const grz_bvh_walk *walks, size_t count, const grz_bvh_pair *left,
                                size_t left_count, grz_control *control, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const unsigned threads = grz_device_threads(device);
    const size_t wanted = (size_t)threads * TASKS_PER_THREAD < MAX_TASKS ? (size_t)threads * TASKS_PER_THREAD : MAX_TASKS;
    // Each job gets one more than its share; those that get more than that may be opened once too often.
    const size_t capacity = wanted + left_count + count + (count < wanted ? count : wanted) * GRZ_BVH_MOST_PAIRS;
    grz_walk_list list = {.walker = grz_bvh_walker_for(grz_device_simd(device)),
                          .tasks = grz_allocate(allocator, capacity, sizeof *list.tasks)};
    uint64_t total = 0;
    if (list.tasks == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "bvh", error);
    for (size_t i = 0; i < count; i++)
        total += weight(&walks[i]);
    for (size_t i = 0; i < count; i++) {
        const size_t share = (size_t)((double)wanted * (double)weight(&walks[i]) / (double)total) + 1;
        spread_out(&list, &walks[i], i == 0 ? left : &roots, i == 0 ? left_count : 1, share);
    }
    atomic_init(&list.done, 0);
    grz_parallel(device, list.count, walk_task, &list);
    grz_release(allocator, list.tasks, capacity, sizeof *list.tasks);
    return GRZ_OK;
}

// A mesh with itself, for yes or no: a contact may turn up before fans have paid. Walk as far as takes a part of the time that making
// them does, then make them. Returns how many pairs are left.
static size_t walk_before_fans(const grz_bvh_walker *walker, grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth)
{
    uint64_t steps = walk->bvh_a->triangle_count / TRIANGLES_A_STEP;
    depth = walk_down(walker, walk, stack, depth, &steps);
    if (depth > 0)
        walk->fans = grz_bvh_fans(walk->bvh_a, walk->mesh_a, true, walk->sink->control);
    return depth;
}

static grz_status walk_all(grz_device *device, grz_bvh_walk *walks, size_t count, grz_control *control, grz_error *error)
{
    const grz_bvh_walker *walker = grz_bvh_walker_for(grz_device_simd(device));
    grz_bvh_pair stack[GRZ_BVH_WALK_STACK];
    uint64_t steps = grz_device_solo_steps(device);
    for (size_t i = 0; i < count; i++) {
        stack[0] = roots;
        size_t left = walk_down(walker, &walks[i], stack, 1, &steps);
        if (left > 0 && walks[i].self && walks[i].fans == NULL && walks[i].sink->eager)
            left = walk_before_fans(walker, &walks[i], stack, left);
        if (left > 0)
            return walk_parallel(device, walks + i, count - i, stack, left, control, error);
    }
    grz_control_tell(control, 1.0);
    return GRZ_OK;
}

static bool needs(const grz_job *job, const grz_mesh *mesh)
{
    return !grz_bvh_near_pays(job, mesh);
}

static grz_status propose_one(grz_device *device, const grz_job *job, grz_sink *sink, grz_error *error)
{
    const grz_simd simd = grz_device_simd(device);
    grz_bvh *near_a = needs(job, job->a->mesh) ? NULL : grz_bvh_near(job, job->a, simd, sink->control);
    grz_bvh *near_b = job->b == NULL || needs(job, job->b->mesh) ? NULL : grz_bvh_near(job, job->b, simd, sink->control);
    grz_bvh_walk walk;
    grz_status status = make_walk(job, 0, near_a, near_b, sink, &walk, error);
    if (status == GRZ_OK)
        status = walk_all(device, &walk, 1, sink->control, error);
    grz_bvh_near_finish(near_a, sink->control);
    grz_bvh_near_finish(near_b, sink->control);
    return status;
}

static grz_status propose(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    grz_status status = GRZ_OK;
    if (count <= 1)
        return count == 1 ? propose_one(device, &jobs[0], sink, error) : GRZ_OK;
    grz_bvh_walk *walks = grz_allocate(allocator, count, sizeof *walks);
    if (walks == NULL)
        return grz_control_explain(sink->control, GRZ_ERROR_MEMORY, "bvh", error);
    for (size_t i = 0; i < count && status == GRZ_OK; i++)
        status = make_walk(&jobs[i], (uint32_t)i, NULL, NULL, sink, &walks[i], error);
    if (status == GRZ_OK)
        status = walk_all(device, walks, count, sink->control, error);
    grz_release(allocator, walks, count, sizeof *walks);
    return status;
}

const grz_filter grz_filter_bvh = {.name = "bvh",
                                   .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_CLIP,
                                   .slot = GRZ_SLOT_BVH,
                                   .state = &grz_bvh_slot_type,
                                   .needs = needs,
                                   .propose = propose};
