// SPDX-License-Identifier: MIT
// The larger mesh of a pair has the structure. It is walked together with the groups of the smaller one; each triangle
// of a group that may be near is looked up in it. In a mesh with itself each of its own triangles is. What is found is
// compared by boxes once more, and then it is a candidate.
// Threads: the caller's thread begins alone; what takes longer is shared out in tasks.
#include "filter/lookup/lookup.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>

#include "base/control.h"
#include "base/device.h"
#include "filter/lookup/seen_from.h"
#include "filter/lookup/together.h"
#include "mesh/triangles.h"

enum {
    PROBES_PER_TASK = 256,
    FEW = 64,       // triangles that are looked up at once, without a walk
    TASK_LEVEL = 2, // groups of this level become tasks, and larger ones once there are
    MOST_TASKS = 256
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
    grz_together together; // of a walk
    grz_part_list parts;
    grz_together_list waiting;
} lookup;

// What one thread uses.
typedef struct finder {
    grz_near_list near;
    grz_chunk chunk;
} finder;

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

// Look up a triangle of the other object. False: stop.
static bool look_up_one(const lookup *l, uint32_t triangle, finder *f)
{
    grz_control *control = l->sink->control;
    grz_probe probe;
    if (l->sink->stopped(l->sink, l->job_number))
        return false;
    f->near.count = 0;
    if (!set_probe(l, triangle, &probe))
        return true;
    if (!l->type->gather(l->owner->mesh, l->structure, &probe, grz_control_allocator(control), &f->near)) {
        grz_control_fail(control, GRZ_ERROR_MEMORY);
        return false;
    }
    grz_near_list_unique(&f->near);
    return propose_found(l, triangle, &probe, &f->near, &f->chunk);
}

static void begin(const lookup *l, finder *f)
{
    f->near = (grz_near_list){NULL, 0, 0};
    grz_chunk_init(&f->chunk, l->sink, l->job_number, l->small_first);
}

static void finish(const lookup *l, finder *f, bool go_on)
{
    if (go_on)
        grz_chunk_flush(&f->chunk);
    grz_array_finish(grz_control_allocator(l->sink->control), &f->near);
}

static void task_is_done(lookup *l)
{
    const size_t done = atomic_fetch_add(&l->done, 1) + 1;
    grz_control_report_progress(l->sink->control,
                                (l->share_before + (double)done / (double)l->task_count) * l->share_of_job);
}

static void look_up(size_t index, void *context)
{
    lookup *l = context;
    const size_t first = index * PROBES_PER_TASK, rest = l->other->mesh->triangle_count - first;
    const size_t end = first + (rest < PROBES_PER_TASK ? rest : PROBES_PER_TASK);
    bool go_on = true;
    finder f;
    begin(l, &f);
    for (size_t i = first; i < end && go_on; i++)
        go_on = look_up_one(l, (uint32_t)i, &f);
    finish(l, &f, go_on);
    task_is_done(l);
}

static bool look_up_group(const lookup *l, size_t group, finder *f)
{
    const grz_groups *groups = l->together.groups;
    const size_t first = group * GRZ_GROUP, rest = groups->triangle_count - first;
    const size_t end = first + (rest < GRZ_GROUP ? rest : GRZ_GROUP);
    for (size_t i = first; i < end; i++)
        if (!look_up_one(l, groups->triangles[i], f))
            return false;
    return true;
}

// Walk down from the groups that are waiting until nothing is left, or for so many steps. False: stop.
static bool walk_down(const lookup *l, finder *f, grz_part_list *parts, grz_together_list *waiting, uint64_t max_steps)
{
    const grz_allocator *allocator = grz_control_allocator(l->sink->control);
    uint64_t steps = 0;
    while (waiting->count > 0 && steps < max_steps) {
        const grz_together_group group = waiting->items[waiting->count - 1];
        if (l->sink->stopped(l->sink, l->job_number))
            return false;
        waiting->count--;
        parts->count = group.to; // what comes after was of groups below groups that are done
        if (!grz_together_narrow(&l->together, &group, allocator, parts, &steps) ||
            (parts->count > group.to && group.level > 0 &&
             !grz_together_open(&l->together, &group, group.to, allocator, parts, waiting))) {
            grz_control_fail(l->sink->control, GRZ_ERROR_MEMORY);
            return false;
        }
        if (parts->count > group.to && group.level == 0) {
            if (!look_up_group(l, group.number, f))
                return false;
            steps += GRZ_GROUP;
        }
    }
    return true;
}

// A task: walk down from one of the groups that are waiting.
static void walk_from(size_t index, void *context)
{
    lookup *l = context;
    const grz_allocator *allocator = grz_control_allocator(l->sink->control);
    grz_together_group group = l->waiting.items[index];
    const size_t count = group.to - group.from;
    grz_part_list parts = {NULL, 0, 0};
    grz_together_list waiting = {NULL, 0, 0};
    bool go_on = grz_array_reserve(allocator, &parts, count) && grz_array_add(allocator, &waiting);
    finder f;
    begin(l, &f);
    if (go_on) {
        for (size_t i = 0; i < count; i++)
            parts.items[i] = l->parts.items[group.from + i];
        group.from = 0;
        group.to = count;
        waiting.items[0] = group;
        go_on = walk_down(l, &f, &parts, &waiting, UINT64_MAX);
    } else {
        grz_control_fail(l->sink->control, GRZ_ERROR_MEMORY);
    }
    finish(l, &f, go_on);
    grz_array_finish(allocator, &waiting);
    grz_array_finish(allocator, &parts);
    task_is_done(l);
}

// Open the groups that are waiting until all are small enough for a task, or there are many. False: stop.
static bool cut_into_tasks(lookup *l)
{
    const grz_allocator *allocator = grz_control_allocator(l->sink->control);
    grz_together_list *waiting = &l->waiting;
    uint64_t steps = 0;
    for (size_t i = 0; i < waiting->count;) {
        const grz_together_group group = waiting->items[i];
        const size_t from = l->parts.count;
        if (group.level <= TASK_LEVEL || waiting->count >= MOST_TASKS) {
            i++;
            continue;
        }
        if (l->sink->stopped(l->sink, l->job_number))
            return false;
        waiting->items[i] = waiting->items[--waiting->count];
        if (!grz_together_narrow(&l->together, &group, allocator, &l->parts, &steps) ||
            (l->parts.count > from && !grz_together_open(&l->together, &group, from, allocator, &l->parts, waiting))) {
            grz_control_fail(l->sink->control, GRZ_ERROR_MEMORY);
            return false;
        }
    }
    return true;
}

static void walk(grz_device *device, lookup *l)
{
    const grz_allocator *allocator = grz_control_allocator(l->sink->control);
    finder f;
    begin(l, &f);
    bool go_on = grz_together_begin(&l->together, allocator, &l->parts, &l->waiting);
    if (!go_on)
        grz_control_fail(l->sink->control, GRZ_ERROR_MEMORY);
    // Tasks are of no use to one thread that looks for a first contact: it would leave the place where one is likely.
    const bool alone = l->small_first && grz_device_threads(device) == 1;
    go_on = go_on && walk_down(l, &f, &l->parts, &l->waiting, alone ? UINT64_MAX : grz_device_solo_steps(device));
    finish(l, &f, go_on);
    if (go_on && cut_into_tasks(l)) {
        l->task_count = l->waiting.count;
        grz_parallel(device, l->task_count, walk_from, l);
    }
    grz_control_report_progress(l->sink->control, (l->share_before + 1.0) * l->share_of_job);
    grz_array_finish(allocator, &l->waiting);
    grz_array_finish(allocator, &l->parts);
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
    void *structure, *groups;
    double largest[3];
    assert(set->margin >= 0.0);
    grz_status status = grz_mesh_slot_get(l.owner->mesh, &type->slot, sink->control, &structure, error);
    if (status != GRZ_OK)
        return status;
    largest_of(l.other, largest);
    l.structure = structure;
    l.seen = grz_seen_from_object(l.owner, set->margin, largest);
    atomic_init(&l.done, 0);
    if (!l.self && l.other->mesh->triangle_count > FEW) {
        status = grz_mesh_slot_get(l.other->mesh, &grz_groups_slot_type, sink->control, &groups, error);
        if (status != GRZ_OK)
            return status;
        if (grz_together_set(type, l.owner, structure, l.other, groups, set->margin, l.small_first, &l.together)) {
            walk(device, &l);
            return GRZ_OK;
        }
    }
    l.task_count = (l.other->mesh->triangle_count - 1) / PROBES_PER_TASK + 1;
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
