// SPDX-License-Identifier: MIT
// The larger mesh of a pair has the structure, and each triangle of the smaller one is looked up in it; in a mesh with
// itself, each of its own triangles. What is found is compared by boxes once more, and then it is a candidate.
// Threads: the triangles that are looked up are shared out in tasks.
#include "filter/lookup/lookup.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>

#include "base/device.h"
#include "filter/lookup/seen_from.h"
#include "mesh/triangles.h"

enum {
    PROBES_PER_TASK = 256
};

// One job under way.
typedef struct lookup {
    const grz_structure_type *type;
    const void *structure;
    const grz_object *owner, *other; // the structure is the owner's; the other's triangles are looked up
    bool owner_is_a, self, small_first;
    const grz_job *job;
    uint32_t job_number;
    double margin;
    grz_seen_from seen; // from the owner
    grz_sink *sink;
    size_t task_count;
    double share_before, share_of_job; // for the progress
    atomic_size_t done;
} lookup;

static grz_box grown(const grz_box *box, double margin)
{
    return margin > 0.0 ? grz_box_grown(box, margin) : *box;
}

// Set the probe for a triangle of the other object. False: it is outside the clip box.
static bool set_probe(const lookup *l, uint32_t triangle, grz_probe *probe)
{
    if (l->self) {
        grz_mesh_corners(l->other->mesh, triangle, probe->corners);
        for (int i = 0; i < 3; i++)
            probe->slack[i] = 0.0;
        grz_probe_set_box(probe);
        return grz_boxes_overlap(&probe->box, &l->job->clip);
    }
    double world[3][3];
    grz_world_corners(l->other->mesh, &l->other->pose, triangle, world);
    const grz_box box = grz_triangle_box((const double(*)[3])world), near = grown(&box, l->margin);
    if (!grz_boxes_overlap(&near, &l->job->clip))
        return false;
    for (int i = 0; i < 3; i++) {
        grz_seen_from_point(&l->seen, world[i], probe->corners[i]);
        probe->slack[i] = l->seen.slack[i];
    }
    grz_probe_set_box(probe);
    return true;
}

// Propose what was found near a triangle. False: stop.
static bool propose_found(const lookup *l, uint32_t triangle, const grz_probe *probe, const grz_near_list *near,
                          grz_chunk *chunk)
{
    const grz_mesh *mesh = l->owner->mesh;
    for (size_t i = 0; i < near->count; i++) {
        const uint32_t found = near->items[i];
        const grz_box box = grz_world_triangle_box(mesh, NULL, found);
        if (!grz_boxes_overlap(&box, &probe->box))
            continue;
        if (l->self &&
            (found >= triangle || grz_mesh_triangle_face(mesh, found) == grz_mesh_triangle_face(mesh, triangle)))
            continue;
        if (!grz_chunk_add(chunk, l->owner_is_a ? found : triangle, l->owner_is_a ? triangle : found))
            return false;
    }
    return true;
}

static void look_up(size_t index, void *context)
{
    lookup *l = context;
    grz_control *control = l->sink->control;
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t first = index * PROBES_PER_TASK, rest = l->other->mesh->triangle_count - first;
    const size_t end = first + (rest < PROBES_PER_TASK ? rest : PROBES_PER_TASK);
    grz_near_list near = {NULL, 0, 0};
    grz_chunk chunk;
    bool go_on = true;
    grz_chunk_init(&chunk, l->sink, l->job_number, l->small_first);
    for (size_t i = first; i < end && go_on && !l->sink->stopped(l->sink, l->job_number); i++) {
        grz_probe probe;
        near.count = 0;
        if (!set_probe(l, (uint32_t)i, &probe))
            continue;
        if (!l->type->gather(l->owner->mesh, l->structure, &probe, allocator, &near)) {
            grz_control_fail(control, GRZ_ERROR_MEMORY);
            break;
        }
        grz_near_list_unique(&near);
        go_on = propose_found(l, (uint32_t)i, &probe, &near, &chunk);
    }
    if (go_on)
        grz_chunk_flush(&chunk);
    grz_array_finish(allocator, &near);
    const size_t done = atomic_fetch_add(&l->done, 1) + 1;
    grz_control_report_progress(control, (l->share_before + (double)done / (double)l->task_count) * l->share_of_job);
}

// The world coordinates of an object's points are at most this.
static void largest_of(const grz_object *object, double largest[3])
{
    for (int i = 0; i < 3; i++) {
        double low, high;
        grz_world_range(&object->pose, i, &object->mesh->bounds, &low, &high);
        largest[i] = fmax(fabs(low), fabs(high));
    }
}

// True if the first mesh of a job has the structure.
static bool owner_is_first(const grz_job_set *set, const grz_job *job)
{
    return grz_job_object_a(set, job)->mesh->triangle_count >= grz_job_object_b(set, job)->mesh->triangle_count;
}

bool grz_lookup_needs_state(const grz_job_set *set, const grz_mesh *mesh)
{
    const grz_job *job = &set->jobs[0];
    assert(set->job_count == 1);
    return mesh == (owner_is_first(set, job) ? grz_job_object_a(set, job) : grz_job_object_b(set, job))->mesh;
}

static grz_status propose_job(grz_device *device, const grz_structure_type *type, const grz_job_set *set,
                              uint32_t number, grz_sink *sink, grz_error *error)
{
    const grz_job *job = &set->jobs[number];
    const grz_object *a = grz_job_object_a(set, job), *b = grz_job_object_b(set, job);
    const bool owner_is_a = owner_is_first(set, job);
    lookup l = {.type = type,
                .owner = owner_is_a ? a : b,
                .other = owner_is_a ? b : a,
                .owner_is_a = owner_is_a,
                .self = job->b == GRZ_SELF,
                .small_first = (set->flags & GRZ_JOBS_FIRST_CONTACT) != 0,
                .job = job,
                .job_number = number,
                .margin = set->margin,
                .sink = sink,
                .share_before = (double)number,
                .share_of_job = 1.0 / (double)set->job_count};
    void *structure;
    double largest[3];
    assert(set->margin >= 0.0);
    const grz_status status = grz_mesh_slot_get(l.owner->mesh, &type->slot, sink->control, &structure, error);
    if (status != GRZ_OK)
        return status;
    largest_of(l.other, largest);
    l.structure = structure;
    l.seen = grz_seen_from_object(l.owner, set->margin, largest);
    l.task_count = (l.other->mesh->triangle_count - 1) / PROBES_PER_TASK + 1;
    atomic_init(&l.done, 0);
    grz_parallel(device, l.task_count, look_up, &l);
    return GRZ_OK;
}

grz_status grz_lookup_propose(grz_device *device, const grz_structure_type *type, const grz_job_set *set,
                              grz_sink *sink, grz_error *error)
{
    for (size_t i = 0; i < set->job_count; i++) {
        const grz_status status = propose_job(device, type, set, (uint32_t)i, sink, error);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}
