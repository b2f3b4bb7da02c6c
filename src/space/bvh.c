// SPDX-License-Identifier: MIT
// The hierarchy as a filter. Two trees are walked together: of two nodes whose world boxes overlap the larger is opened, until leaf
// meets leaf. World boxes come from grz_world_box(), which holds for any affine pose without a margin. With several threads the top
// of the walk is spread out into tasks first; many jobs share the threads, each with tasks in proportion to its triangles. Self:
// the same walk of one tree with itself, in mesh coordinates. Source: S. Gottschalk, M. Lin, D. Manocha, "OBBTree" (1996), for the
// walk; boxes here stay axis-aligned.
#include <stdatomic.h>

#include "base/device.h"
#include "space/bvh.h"
#include "space/triangles.h"

enum {
    STACK_SIZE = 4 * GRZ_BVH_MAX_DEPTH, // each step down a tree leaves one entry (pairs) or two (self) behind
    TASKS_PER_THREAD = 32,
    MAX_TASKS = 4096,
    SMALL_MESHES = 1 << 17, // on one thread, walks over fewer triangles are over too soon to tell their progress
    TINY_MESHES = 1 << 11   // walks over fewer triangles are over before another thread has woken up
};

// Two nodes to compare, with their boxes in the coordinates of the comparison.
typedef struct grz_node_pair {
    uint32_t a, b;
    grz_box box_a, box_b;
} grz_node_pair;

typedef struct grz_walk {
    const grz_mesh *mesh_a, *mesh_b;
    const grz_bvh *bvh_a, *bvh_b;
    const grz_pose *pose_a, *pose_b; // NULL for self
    const grz_job *job;
    uint32_t job_number;
    grz_sink *sink;
} grz_walk;

// A part of a job that a thread does on its own.
typedef struct grz_walk_task {
    const grz_walk *walk;
    grz_node_pair pair;
} grz_walk_task;

typedef struct grz_walk_list {
    grz_walk_task *tasks;
    size_t count;
    atomic_size_t done;
} grz_walk_list;

static grz_box node_box(const grz_bvh *bvh, uint32_t node, const grz_pose *pose)
{
    return pose != NULL ? grz_world_box(pose, &bvh->nodes[node].box) : bvh->nodes[node].box;
}

static double size_of(const grz_box *box)
{
    return (box->max[0] - box->min[0]) + (box->max[1] - box->min[1]) + (box->max[2] - box->min[2]);
}

static bool in_clip(const grz_walk *walk, const grz_box *box)
{
    return grz_boxes_overlap(box, &walk->job->clip);
}

static bool propose_self_leaf(const grz_walk *walk, const grz_bvh_node *leaf, grz_chunk *chunk)
{
    const uint32_t *order = walk->bvh_a->order + leaf->first;
    for (uint32_t i = 0; i < leaf->count; i++)
        for (uint32_t j = i + 1; j < leaf->count; j++) {
            uint32_t low = order[i] < order[j] ? order[i] : order[j], high = order[i] < order[j] ? order[j] : order[i];
            if (grz_mesh_triangle_face(walk->mesh_a, low) != grz_mesh_triangle_face(walk->mesh_a, high) &&
                !grz_chunk_add(chunk, low, high))
                return false;
        }
    return true;
}

static bool propose_leaves(const grz_walk *walk, const grz_bvh_node *a, const grz_bvh_node *b, grz_chunk *chunk)
{
    grz_box boxes_b[GRZ_BVH_MAX_LEAF];
    const bool self = walk->pose_a == NULL;
    for (uint32_t j = 0; j < b->count; j++)
        boxes_b[j] = grz_world_triangle_box(walk->mesh_b, walk->pose_b, walk->bvh_b->order[b->first + j]);
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t triangle_a = walk->bvh_a->order[a->first + i];
        const grz_box box_a = grz_world_triangle_box(walk->mesh_a, walk->pose_a, triangle_a);
        if (!in_clip(walk, &box_a))
            continue;
        for (uint32_t j = 0; j < b->count; j++) {
            uint32_t triangle_b = walk->bvh_b->order[b->first + j];
            if (!grz_boxes_overlap(&box_a, &boxes_b[j]) || !in_clip(walk, &boxes_b[j]))
                continue;
            if (self && grz_mesh_triangle_face(walk->mesh_a, triangle_a) == grz_mesh_triangle_face(walk->mesh_a, triangle_b))
                continue;
            bool swap = self && triangle_a > triangle_b;
            if (!grz_chunk_add(chunk, swap ? triangle_b : triangle_a, swap ? triangle_a : triangle_b))
                return false;
        }
    }
    return true;
}

// Open one of the two nodes: up to three pairs that may hold candidates go to `out`; returns their number.
static size_t open_pair(const grz_walk *walk, const grz_node_pair *pair, grz_node_pair out[3])
{
    const grz_bvh_node *a = &walk->bvh_a->nodes[pair->a], *b = &walk->bvh_b->nodes[pair->b];
    size_t count = 0;
    if (walk->pose_a == NULL && pair->a == pair->b) {
        const grz_box left = node_box(walk->bvh_a, a->first, NULL), right = node_box(walk->bvh_a, a->first + 1, NULL);
        out[count++] = (grz_node_pair){a->first, a->first, left, left};
        out[count++] = (grz_node_pair){a->first + 1, a->first + 1, right, right};
        if (grz_boxes_overlap(&left, &right))
            out[count++] = (grz_node_pair){a->first, a->first + 1, left, right};
        return count;
    }
    const bool open_a = b->count > 0 || (a->count == 0 && size_of(&pair->box_a) >= size_of(&pair->box_b));
    for (uint32_t child = 0; child < 2; child++) {
        grz_node_pair next = *pair;
        if (open_a) {
            next.a = a->first + child;
            next.box_a = node_box(walk->bvh_a, next.a, walk->pose_a);
        } else {
            next.b = b->first + child;
            next.box_b = node_box(walk->bvh_b, next.b, walk->pose_b);
        }
        if (grz_boxes_overlap(&next.box_a, &next.box_b) && in_clip(walk, open_a ? &next.box_a : &next.box_b))
            out[count++] = next;
    }
    return count;
}

static bool is_leaf_pair(const grz_walk *walk, const grz_node_pair *pair)
{
    return walk->bvh_a->nodes[pair->a].count > 0 && walk->bvh_b->nodes[pair->b].count > 0;
}

static bool propose_leaf_pair(const grz_walk *walk, const grz_node_pair *pair, grz_chunk *chunk)
{
    const grz_bvh_node *a = &walk->bvh_a->nodes[pair->a], *b = &walk->bvh_b->nodes[pair->b];
    if (walk->pose_a == NULL && pair->a == pair->b)
        return propose_self_leaf(walk, a, chunk);
    return propose_leaves(walk, a, b, chunk);
}

static void walk_down(const grz_walk *walk, const grz_node_pair *start)
{
    grz_node_pair stack[STACK_SIZE];
    grz_chunk chunk = {.sink = walk->sink, .job = walk->job_number};
    size_t depth = 1;
    unsigned steps = 0;
    stack[0] = *start;
    while (depth > 0) {
        if ((++steps & 63u) == 0 && walk->sink->stopped(walk->sink, walk->job_number))
            return;
        const grz_node_pair pair = stack[--depth];
        if (!is_leaf_pair(walk, &pair))
            depth += open_pair(walk, &pair, stack + depth);
        else if (!propose_leaf_pair(walk, &pair, &chunk))
            return;
    }
    grz_chunk_flush(&chunk);
}

static void walk_task(size_t index, void *context)
{
    grz_walk_list *list = context;
    const grz_walk_task *task = &list->tasks[index];
    grz_sink *sink = task->walk->sink;
    if (!sink->stopped(sink, task->walk->job_number))
        walk_down(task->walk, &task->pair);
    const size_t done = atomic_fetch_add(&list->done, 1) + 1;
    grz_control_tell(sink->control, (double)done / (double)list->count);
}

// Add a job to the list: its root pair, opened breadth first until there are `wanted` tasks of it or nothing is left to open.
static void spread_out(grz_walk_list *list, const grz_walk *walk, const grz_node_pair *root, size_t wanted)
{
    size_t opened = list->count;
    const size_t limit = list->count + wanted;
    list->tasks[list->count++] = (grz_walk_task){walk, *root};
    while (list->count + 2 <= limit && opened < list->count) {
        const grz_node_pair pair = list->tasks[opened].pair;
        if (is_leaf_pair(walk, &pair)) {
            opened++;
            continue;
        }
        grz_node_pair next[3];
        const size_t count = open_pair(walk, &pair, next);
        // The opened pair's place goes to the last one, so that the list stays without gaps.
        list->tasks[opened] = list->tasks[--list->count];
        for (size_t i = 0; i < count; i++)
            list->tasks[list->count++] = (grz_walk_task){walk, next[i]};
    }
}

static bool find_root(const grz_walk *walk, grz_node_pair *root)
{
    *root = (grz_node_pair){0, 0, node_box(walk->bvh_a, 0, walk->pose_a), node_box(walk->bvh_b, 0, walk->pose_b)};
    return grz_boxes_overlap(&root->box_a, &root->box_b) && in_clip(walk, &root->box_a) && in_clip(walk, &root->box_b);
}

static uint64_t weight(const grz_walk *walk)
{
    return (uint64_t)walk->mesh_a->triangle_count + walk->mesh_b->triangle_count;
}

static grz_status make_walk(const grz_job *job, uint32_t number, grz_sink *sink, grz_walk *walk, grz_error *error)
{
    const bool self = job->b == NULL;
    const grz_object *a = job->a, *b = self ? a : job->b;
    *walk = (grz_walk){.mesh_a = a->mesh,
                       .mesh_b = b->mesh,
                       .pose_a = self ? NULL : &a->pose,
                       .pose_b = self ? NULL : &b->pose,
                       .job = job,
                       .job_number = number,
                       .sink = sink};
    grz_status status = grz_mesh_bvh(a->mesh, sink->control, &walk->bvh_a, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(b->mesh, sink->control, &walk->bvh_b, error);
    return status;
}

// Walk on the calling thread alone.
static void walk_here(const grz_walk *walk)
{
    grz_node_pair root;
    if (find_root(walk, &root))
        walk_down(walk, &root);
    grz_control_tell(walk->sink->control, 1.0);
}

// Walk all jobs on all threads; jobs get tasks in proportion to their triangles.
static grz_status walk_parallel(grz_device *device, const grz_walk *walks, size_t count, uint64_t total, grz_control *control,
                                grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const unsigned threads = grz_device_threads(device);
    const size_t wanted = (size_t)threads * TASKS_PER_THREAD < MAX_TASKS ? (size_t)threads * TASKS_PER_THREAD : MAX_TASKS;
    const size_t capacity = wanted + 3 * count;
    grz_walk_list list = {.tasks = grz_allocate(allocator, capacity, sizeof *list.tasks)};
    if (list.tasks == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "bvh", error);
    for (size_t i = 0; i < count; i++) {
        const double share = (double)weight(&walks[i]) / (double)total;
        grz_node_pair root;
        if (find_root(&walks[i], &root))
            spread_out(&list, &walks[i], &root, (size_t)((double)wanted * share) + 1);
    }
    atomic_init(&list.done, 0);
    grz_parallel(device, list.count, walk_task, &list);
    grz_release(allocator, list.tasks, capacity, sizeof *list.tasks);
    return GRZ_OK;
}

static grz_status propose_one(grz_device *device, const grz_job *job, grz_sink *sink, grz_error *error)
{
    grz_walk walk;
    grz_status status = make_walk(job, 0, sink, &walk, error);
    if (status != GRZ_OK)
        return status;
    if (weight(&walk) < TINY_MESHES || (grz_device_threads(device) == 1 && weight(&walk) < SMALL_MESHES))
        walk_here(&walk);
    else
        status = walk_parallel(device, &walk, 1, weight(&walk), sink->control, error);
    return status;
}

static grz_status propose(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    grz_status status = GRZ_OK;
    uint64_t total = 0;
    if (count <= 1)
        return count == 1 ? propose_one(device, &jobs[0], sink, error) : GRZ_OK;
    grz_walk *walks = grz_allocate(allocator, count, sizeof *walks);
    if (walks == NULL)
        return grz_control_explain(sink->control, GRZ_ERROR_MEMORY, "bvh", error);
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        status = make_walk(&jobs[i], (uint32_t)i, sink, &walks[i], error);
        total += status == GRZ_OK ? weight(&walks[i]) : 0;
    }
    if (status == GRZ_OK)
        status = walk_parallel(device, walks, count, total, sink->control, error);
    grz_release(allocator, walks, count, sizeof *walks);
    return status;
}

const grz_filter grz_filter_bvh = {.name = "bvh",
                                   .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_CLIP,
                                   .slot = GRZ_SLOT_BVH,
                                   .state = &grz_bvh_slot_type,
                                   .propose = propose};
