// SPDX-License-Identifier: MIT
// Makes the layout of a round: for each job the frame of its grid and the map of its objects into it (grid_frame.c).
// Jobs whose objects do not fit into a grid are left out. Objects with the same mesh are put together, so that one
// dispatch brings all of them into their grids.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/sort/sort.h"
#include "geometry/pose.h"
#include "image/grid/layout.h"

// The longest side of the world boxes of a job's objects. The second one may be NULL.
static double size_of(const grz_object *const objects[2])
{
    double size = 0.0;
    for (int i = 0; i < 2; i++) {
        const grz_object *object = objects[i] != NULL ? objects[i] : objects[0];
        const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
        for (int j = 0; j < 3; j++)
            size = fmax(size, box.max[j] - box.min[j]);
    }
    return size;
}

// Place the objects of a job, which is to be job number layout->job_count. The second object is NULL for a mesh with
// itself. *fits: the job can have a grid.
static grz_status place_job(grz_grid_layout *layout, const grz_grid_call *call, const grz_object *const objects[2],
                            const grz_box *clip, double thickness, grz_grid_part parts[2], bool *fits)
{
    const grz_grid_frame frame = grz_grid_has_leaves(layout->join)
                                     ? grz_grid_frame_even(clip, size_of(objects), layout->resolution)
                                     : grz_grid_frame_of(clip, size_of(objects), layout->resolution);
    double wrong[2][3] = {{0.0}};
    assert(layout->job_count < layout->job_capacity);
    *fits = true;
    for (int i = 0; i < 2 && objects[i] != NULL && *fits; i++) {
        grz_grid_part *p = &parts[i];
        p->mesh = objects[i]->mesh;
        p->place = (grz_grid_place){.of = {(uint32_t)layout->job_count}};
        const grz_status status = grz_mesh_buffers_get(p->mesh, call->control, &p->buffers, call->error);
        if (status != GRZ_OK)
            return status;
        *fits = grz_grid_place_of(&frame, objects[i], p->buffers->centre, p->buffers->scale, &p->place, wrong[i]);
    }
    if (*fits) {
        layout->units[layout->job_count] = grz_grid_unit_of(wrong[0], wrong[1]);
        layout->units[layout->job_count].half_thickness = (float)(0.5 * thickness * frame.per[0]);
    }
    return GRZ_OK;
}

// Put objects with the same mesh one after the other.
static void group_by_mesh(grz_grid_part *parts, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        size_t to = i + 1;
        while (to < count && parts[to].mesh == parts[i].mesh)
            to++;
        for (size_t j = to + 1; j < count; j++) {
            if (parts[j].mesh != parts[i].mesh)
                continue;
            const grz_grid_part other = parts[to];
            parts[to++] = parts[j];
            parts[j] = other;
        }
        i = to - 1;
    }
}

// GRZ_GRID_PER_PAIR: a grid for each job.
static grz_status place_pairs(grz_grid_layout *layout, const grz_grid_call *call, const grz_grid_request *request)
{
    const grz_job_set *set = request->set;
    grz_grid_part *parts_b = layout->parts + request->count; // moved to the end of the objects A below
    for (size_t i = 0; i < request->count; i++) {
        const grz_job *job = &set->jobs[request->jobs[i]];
        const grz_object *const objects[2] = {grz_job_object_a(set, job), grz_job_object_b(set, job)};
        grz_grid_part parts[2] = {{.mesh = objects[0]->mesh}, {.mesh = objects[1]->mesh}};
        bool fits;
        const grz_status status = place_job(layout, call, objects, &job->clip, request->thickness, parts, &fits);
        if (status != GRZ_OK)
            return status;
        if (!fits)
            continue;
        layout->parts[layout->job_count] = parts[0];
        parts_b[layout->job_count] = parts[1];
        for (int k = 0; k < 2; k++) {
            layout->first_marked[layout->job_count][k] = (uint32_t)layout->triangles[k];
            layout->triangles[k] += parts[k].mesh->triangle_count;
            assert(layout->triangles[k] <= UINT32_MAX);
        }
        layout->reference_sides[layout->job_count] = job->b == request->reference;
        layout->numbers[layout->job_count++] = (uint32_t)i;
    }
    for (size_t i = 0; i < layout->job_count; i++) // the lists of all objects B lie behind those of all objects A
        layout->first_marked[i][1] += (uint32_t)layout->triangles[0];
    memmove(layout->parts + layout->job_count, parts_b, layout->job_count * sizeof *parts_b);
    layout->part_count = layout->job_count;
    for (size_t side = 0; side < 2; side++)
        group_by_mesh(layout->parts + side * layout->part_count, layout->part_count);
    return GRZ_OK;
}

// GRZ_GRID_OF_SELF: the grid of a mesh in its own coordinates.
static grz_status place_self(grz_grid_layout *layout, const grz_grid_call *call, const grz_grid_request *request)
{
    const grz_job *job = &request->set->jobs[request->jobs[0]];
    grz_object object = *grz_job_object_a(request->set, job);
    const grz_object *const objects[2] = {&object, NULL};
    grz_grid_part *part = &layout->parts[0];
    bool fits;
    object.pose = grz_pose_identity();
    grz_status status = place_job(layout, call, objects, &job->clip, 0.0, part, &fits);
    if (status != GRZ_OK || !fits)
        return status;
    status = grz_mesh_buffers_get_corners(call->gl, object.mesh, call->control, &part->buffers, call->error);
    if (status != GRZ_OK)
        return status;
    layout->triangles[0] = object.mesh->triangle_count;
    layout->job_count = layout->part_count = 1;
    return GRZ_OK;
}

// A listed object and its mesh.
typedef struct numbered {
    const grz_mesh *mesh;
    uint32_t object; // position in the list
} numbered;

static int compare_numbered(const void *x, const void *y, void *context)
{
    (void)context;
    const uintptr_t a = (uintptr_t)((const numbered *)x)->mesh, b = (uintptr_t)((const numbered *)y)->mesh;
    return (a > b) - (a < b);
}

// Place listed objects, in the order given, in one grid over the list's region.
static grz_status place_numbered(grz_grid_layout *layout, const grz_grid_call *call, const grz_object_list *list,
                                 const numbered *order)
{
    double size = 0.0, most[3] = {0.0};
    for (int j = 0; j < 3; j++)
        size = fmax(size, list->region.max[j] - list->region.min[j]);
    const grz_grid_frame frame = grz_grid_frame_of(&list->region, size, layout->resolution);
    for (size_t i = 0; i < list->count; i++) {
        double wrong[3];
        grz_grid_part *p = &layout->parts[i];
        *p = (grz_grid_part){.mesh = order[i].mesh, .place = {.of = {0, order[i].object}}};
        const grz_status status = grz_mesh_buffers_get(p->mesh, call->control, &p->buffers, call->error);
        if (status != GRZ_OK)
            return status;
        const grz_object *object = grz_listed_object(list, order[i].object);
        if (!grz_grid_place_of(&frame, object, p->buffers->centre, p->buffers->scale, &p->place, wrong))
            return GRZ_OK; // no grid for any of them
        for (int j = 0; j < 3; j++)
            most[j] = fmax(most[j], wrong[j]);
        layout->triangles[0] += p->mesh->triangle_count;
    }
    layout->units[0] = grz_grid_unit_of(most, most);
    layout->part_count = list->count;
    layout->job_count = 1;
    return GRZ_OK;
}

// GRZ_GRID_SHARED: all listed objects in one grid, as one job; those with the same mesh one after the other.
static grz_status place_shared(grz_grid_layout *layout, const grz_grid_call *call, const grz_grid_request *request)
{
    const grz_object_list *list = request->objects;
    numbered *order = grz_allocate(call->allocator, list->count, sizeof *order);
    grz_status status = order != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < list->count && order != NULL; i++)
        order[i] = (numbered){grz_listed_object(list, i)->mesh, (uint32_t)i};
    if (status == GRZ_OK)
        status = grz_sort(order, list->count, sizeof *order, compare_numbered, NULL, call->control);
    if (status == GRZ_ERROR_MEMORY)
        grz_fail(call->error, status, GRZ_NO_ELEMENT, "%s: out of memory for %zu objects", call->method, list->count);
    if (status == GRZ_OK)
        status = place_numbered(layout, call, list, order);
    grz_release(call->allocator, order, list->count, sizeof *order);
    return status;
}

static grz_status place(grz_grid_layout *layout, const grz_grid_call *call, const grz_grid_request *request)
{
    switch (layout->form) {
    case GRZ_GRID_OF_SELF:
        return place_self(layout, call, request);
    case GRZ_GRID_SHARED:
        return place_shared(layout, call, request);
    case GRZ_GRID_PER_PAIR:
    default:
        return place_pairs(layout, call, request);
    }
}

grz_status grz_grid_layout_make(grz_grid_layout *layout, const grz_grid_call *call, const grz_grid_request *request)
{
    const grz_allocator *allocator = call->allocator;
    const bool shared = request->form == GRZ_GRID_SHARED;
    const size_t jobs = shared ? 1 : request->count, parts = shared ? request->objects->count : 2 * jobs;
    assert(request->form != GRZ_GRID_PER_PAIR || (request->count >= 1 && request->count <= GRZ_VOXEL_JOBS));
    assert(request->form == GRZ_GRID_PER_PAIR || request->join == GRZ_JOIN_FRAGMENTS);
    assert(!grz_grid_has_leaves(request->join) || request->form == GRZ_GRID_PER_PAIR);
    assert(request->form != GRZ_GRID_OF_SELF || request->count == 1);
    *layout = (grz_grid_layout){.form = request->form,
                                .join = request->join,
                                .cells = request->cells,
                                .wants_list = grz_grid_wants_list(request),
                                .resolution = request->resolution,
                                .side_count = request->form == GRZ_GRID_PER_PAIR ? 2 : 1,
                                .job_capacity = jobs,
                                .part_capacity = parts};
    layout->numbers = grz_allocate_zeroed(allocator, jobs, sizeof *layout->numbers);
    layout->first_marked = grz_allocate_zeroed(allocator, jobs, sizeof *layout->first_marked);
    layout->units = grz_allocate(allocator, jobs, sizeof *layout->units);
    layout->reference_sides = grz_allocate_zeroed(allocator, jobs, sizeof *layout->reference_sides);
    layout->parts = grz_allocate(allocator, parts, sizeof *layout->parts);
    layout->places = grz_allocate(allocator, parts, sizeof *layout->places);
    if (layout->numbers == NULL || layout->first_marked == NULL || layout->units == NULL ||
        layout->reference_sides == NULL || layout->parts == NULL || layout->places == NULL)
        return grz_fail(call->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %zu jobs", call->method,
                        jobs);
    bool fits = true;
    grz_status status = place(layout, call, request);
    if (status == GRZ_OK && grz_grid_has_leaves(request->join) && layout->job_count > 0)
        status = grz_leaf_layout_make(layout, call, request, &fits);
    if (!fits) // no job can be run
        layout->job_count = layout->part_count = 0;
    assert(layout->job_count <= layout->job_capacity);
    assert(layout->side_count * layout->part_count <= layout->part_capacity);
    for (size_t i = 0; i < layout->side_count * layout->part_count && status == GRZ_OK; i++)
        layout->places[i] = layout->parts[i].place;
    return status;
}

void grz_grid_layout_release(grz_grid_layout *layout, const grz_grid_call *call)
{
    grz_release(call->allocator, layout->numbers, layout->job_capacity, sizeof *layout->numbers);
    grz_release(call->allocator, layout->first_marked, layout->job_capacity, sizeof *layout->first_marked);
    grz_release(call->allocator, layout->units, layout->job_capacity, sizeof *layout->units);
    grz_release(call->allocator, layout->reference_sides, layout->job_capacity, sizeof *layout->reference_sides);
    grz_release(call->allocator, layout->parts, layout->part_capacity, sizeof *layout->parts);
    grz_release(call->allocator, layout->places, layout->part_capacity, sizeof *layout->places);
    grz_leaf_layout_release(&layout->leaves, call);
}
