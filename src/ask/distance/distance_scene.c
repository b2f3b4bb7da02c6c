// SPDX-License-Identifier: MIT
// grz_distance_scene(): the pairs of objects that are nearest. A first pass over all pairs keeps those whose boxes may
// be near enough: `most` pairs have at most a certain distance, because no two points of their boxes are farther apart.
// They are then measured in the order of their boxes' distances, until the rest cannot be among the nearest.
#include <graze/distance.h>

#include <assert.h>
#include <math.h>

#include "ask/distance/measure.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/sort/sort.h"
#include "geometry/pose.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "query/scene.h"
#include "space/bvh/bvh.h"

enum {
    BLOCK = 64,     // pairs that are measured at once
    CHECK_BITS = 12 // pairs between two checks of the control, as a power of two
};

// More than the roundings of a squared distance of boxes, on either side.
static const double ROUNDING = 0x1p-48;

typedef struct waiting_pair {
    uint32_t a, b;
    double least; // lower bound of the distance of their boxes
} waiting_pair;

// What was asked, and what is needed to answer it.
typedef struct question {
    grz_call call;
    const grz_scene *scene;
    grz_object *objects; // by number, with the meshes in memory; mesh NULL: there is none
    grz_box *boxes;
    uint32_t count; // numbers of objects
    grz_distance_options options;
    bool all_pairs;
    GRZ_ARRAY(waiting_pair) waiting;
    double *nearest; // a heap of the `most` smallest upper bounds of distances, the largest first
    uint64_t most, bound_count;
    const waiting_pair *block;
    grz_scene_distance measured[BLOCK];
} question;

// Bounds of the distance of two points, one of each box.
static void box_distances(const grz_box *a, const grz_box *b, double *least, double *most)
{
    double near = 0.0, far = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double gap = fmax(fmax(a->min[axis] - b->max[axis], b->min[axis] - a->max[axis]), 0.0),
                     span = fmax(a->max[axis] - b->min[axis], b->max[axis] - a->min[axis]);
        near += gap * gap; // an underflow only makes the bound lower
        far += span;
    }
    *least = sqrt(near) * (1.0 - ROUNDING);
    *most = far * (1.0 + ROUNDING);
}

// Keep an upper bound if it is one of the smallest.
static void offer_bound(question *q, double bound)
{
    double *heap = q->nearest;
    uint64_t at = q->bound_count;
    if (at < q->most) {
        q->bound_count++;
        for (; at > 0 && heap[(at - 1) / 2] < bound; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
        heap[at] = bound;
        return;
    }
    if (!(bound < heap[0]))
        return;
    for (at = 0; 2 * at + 1 < q->most;) {
        const uint64_t left = 2 * at + 1, larger = left + (left + 1 < q->most && heap[left + 1] > heap[left]);
        if (!(heap[larger] > bound))
            break;
        heap[at] = heap[larger];
        at = larger;
    }
    heap[at] = bound;
}

// What is farther than this is not among the nearest.
static double limit(const question *q)
{
    return q->bound_count < q->most ? HUGE_VAL : q->nearest[0];
}

// The first pass.
static grz_status find_waiting(question *q)
{
    size_t steps = 0;
    for (uint32_t a = 0; a < q->count; a++)
        for (uint32_t b = a + 1; b < q->count; b++) {
            double least, most;
            if (q->objects[a].mesh == NULL || q->objects[b].mesh == NULL)
                continue;
            if (grz_control_expired_at(&q->call.control, ++steps, CHECK_BITS))
                return grz_control_status(&q->call.control);
            box_distances(&q->boxes[a], &q->boxes[b], &least, &most);
            if (least > limit(q) || !grz_scene_allows(q->scene, a, b))
                continue;
            offer_bound(q, most);
            if (!grz_array_add(grz_control_allocator(&q->call.control), &q->waiting))
                return GRZ_ERROR_MEMORY;
            q->waiting.items[q->waiting.count - 1] = (waiting_pair){a, b, least};
        }
    return GRZ_OK;
}

static int compare_waiting(const void *x, const void *y, void *context)
{
    const waiting_pair *p = x, *r = y;
    (void)context;
    if (p->least != r->least)
        return p->least < r->least ? -1 : 1;
    if (p->a != r->a)
        return p->a < r->a ? -1 : 1;
    return (p->b > r->b) - (p->b < r->b);
}

static bool comes_before(const grz_scene_distance *x, const grz_scene_distance *y)
{
    if (x->answer.distance != y->answer.distance)
        return x->answer.distance < y->answer.distance;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static void measure_pair(size_t index, void *context)
{
    question *q = context;
    const waiting_pair *pair = &q->block[index];
    grz_scene_distance *to = &q->measured[index];
    const grz_object objects[2] = {q->objects[pair->a], q->objects[pair->b]};
    to->a = pair->a;
    to->b = pair->b;
    to->answer = grz_distance_nothing;
    if (grz_control_expired(&q->call.control))
        return;
    const grz_status status =
        grz_distance_measure(q->call.device, objects, &q->options, q->all_pairs, &q->call.control, &to->answer, NULL);
    if (status != GRZ_OK)
        grz_control_fail(&q->call.control, status);
}

// Put a pair into the sorted list, if it is among the nearest.
static void keep(const question *q, const grz_scene_distance *pair, grz_scene_distance *distances, uint64_t *found)
{
    if (*found == q->most && !comes_before(pair, &distances[*found - 1]))
        return;
    uint64_t at = *found < q->most ? (*found)++ : *found - 1;
    for (; at > 0 && comes_before(pair, &distances[at - 1]); at--)
        distances[at] = distances[at - 1];
    distances[at] = *pair;
}

static grz_status measure_waiting(question *q, grz_scene_distance *distances, uint64_t *found)
{
    size_t next = 0;
    const grz_status status =
        grz_sort(q->waiting.items, q->waiting.count, sizeof *q->waiting.items, compare_waiting, NULL, &q->call.control);
    if (status != GRZ_OK)
        return status;
    while (next < q->waiting.count &&
           (*found < q->most || q->waiting.items[next].least <= distances[*found - 1].answer.distance)) {
        const size_t left = q->waiting.count - next, count = left < BLOCK ? left : BLOCK;
        q->block = &q->waiting.items[next];
        grz_parallel(q->call.device, count, measure_pair, q);
        if (grz_control_status(&q->call.control) != GRZ_OK)
            return grz_control_status(&q->call.control);
        for (size_t i = 0; i < count; i++)
            keep(q, &q->measured[i], distances, found);
        next += count;
    }
    return GRZ_OK;
}

// Check the objects, and bring their meshes into memory, with their trees.
static grz_status prepare(question *q, grz_error *error)
{
    for (uint32_t i = 0; i < q->count; i++) {
        const grz_bvh *bvh;
        grz_error inner = {.code = GRZ_OK};
        q->objects[i] = q->scene->objects.items[i];
        if (q->objects[i].mesh == NULL)
            continue;
        grz_status status = grz_pose_check(&q->objects[i].pose, q->objects[i].mesh->max_abs, &inner);
        if (status != GRZ_OK)
            return grz_fail(error, status, i, "object %u: %s", i, inner.message);
        q->boxes[i] = grz_world_box(&q->objects[i].pose, &q->objects[i].mesh->bounds);
        status = grz_mesh_in_memory(q->objects[i].mesh, &q->call.control, &q->objects[i].mesh, error);
        if (status == GRZ_OK && !q->all_pairs)
            status = grz_mesh_bvh(q->objects[i].mesh, &q->call.control, &bvh, error);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

static grz_status measure_scene(question *q, grz_scene_distance *distances, uint64_t *found)
{
    const grz_allocator *allocator = grz_control_allocator(&q->call.control);
    const uint64_t pairs = (uint64_t)q->count * (q->count - 1) / 2, room = q->most < pairs ? q->most : pairs;
    grz_status status = GRZ_ERROR_MEMORY;
    q->most = room;
    q->objects = grz_allocate(allocator, q->count, sizeof *q->objects);
    q->boxes = grz_allocate(allocator, q->count, sizeof *q->boxes);
    q->nearest = grz_allocate(allocator, (size_t)room, sizeof *q->nearest);
    if (q->objects != NULL && q->boxes != NULL && q->nearest != NULL)
        status = prepare(q, q->call.error);
    if (status == GRZ_OK)
        status = find_waiting(q);
    if (status == GRZ_OK)
        status = measure_waiting(q, distances, found);
    grz_release(allocator, q->objects, q->count, sizeof *q->objects);
    grz_release(allocator, q->boxes, q->count, sizeof *q->boxes);
    grz_release(allocator, q->nearest, (size_t)room, sizeof *q->nearest);
    grz_array_finish(allocator, &q->waiting);
    if (status != GRZ_OK)
        *found = 0;
    return grz_call_explain(&q->call, status);
}

static grz_status check_and_measure(question *q, grz_scene_distance *distances, uint64_t *found)
{
    grz_error *error = q->call.error;
    if (q->scene == NULL || (q->most > 0 && distances == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "distance scene: %s is NULL",
                        q->scene == NULL ? "the scene" : "the list of distances");
    if (q->scene->device != q->call.device)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "distance scene: the scene belongs to another device");
    q->options.earlier = NULL;
    q->count = (uint32_t)q->scene->objects.count;
    return q->most > 0 && q->count >= 2 ? measure_scene(q, distances, found) : GRZ_OK;
}

grz_status grz_distance_scene(grz_device *device, const grz_scene *scene, const grz_distance_options *options,
                              grz_scene_distance *distances, uint64_t capacity, uint64_t *found, grz_error *error)
{
    question q = {.scene = scene, .most = capacity};
    uint64_t ignored = 0;
    found = found != NULL ? found : &ignored;
    *found = 0;
    grz_status status = grz_distance_begin(&q.call, "distance scene", device, options, &q.options, &q.all_pairs, error);
    if (status == GRZ_OK)
        status = check_and_measure(&q, distances, found);
    return grz_call_end(&q.call, status);
}
