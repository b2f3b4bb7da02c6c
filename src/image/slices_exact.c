// SPDX-License-Identifier: MIT
// Method `slices`, its exact answer: triangles that share a cell of a grid with the other object (image/voxels.h) are all that can
// touch. They become two small meshes, whose candidates method `bvh` proposes; the predicates decide them, as always.
#include <string.h>

#include "base/device.h"
#include "base/fail.h"
#include "image/slices.h"
#include "image/voxels.h"

enum {
    LOOK_BITS = 14,
    PIXELS = 64 // along both sides of the grid
};

// Hands candidates of the small meshes on, under the numbers of the whole ones.
typedef struct renumbering {
    grz_sink sink; // first
    grz_sink *outer;
    uint32_t job;
    const grz_marked *marked; // NULL: the meshes are whole
} renumbering;

static bool push(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    const renumbering *r = (const renumbering *)sink;
    grz_candidate whole[GRZ_CHUNK];
    for (size_t i = 0; i < count; i++) {
        whole[i] = candidates[i];
        whole[i].job = r->job;
        if (r->marked == NULL)
            continue;
        whole[i].triangle_a = r->marked[0].triangles[candidates[i].triangle_a];
        whole[i].triangle_b = r->marked[1].triangles[candidates[i].triangle_b];
    }
    return r->outer->push(r->outer, whole, count);
}

static bool stopped(grz_sink *sink, uint32_t job)
{
    const renumbering *r = (const renumbering *)sink;
    (void)job;
    return r->outer->stopped(r->outer, r->job);
}

// A mesh of the marked triangles, each with corners of its own.
static grz_status make_small(const grz_mesh *mesh, const grz_marked *marked, grz_control *control, grz_mesh **out, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_mesh_description d = grz_default_mesh_description();
    grz_status status = GRZ_OK;
    double(*corners)[9] = grz_allocate(allocator, marked->count, sizeof *corners);
    if (corners == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %u triangles", marked->count);
    for (uint32_t i = 0; i < marked->count && status == GRZ_OK; i++) {
        const uint32_t *vertex = mesh->triangles + 3 * (size_t)marked->triangles[i];
        for (size_t j = 0; j < 3; j++)
            memcpy(&corners[i][3 * j], grz_mesh_position(mesh, vertex[j]), 3 * sizeof(double));
        if (grz_control_expired_at(control, i, LOOK_BITS))
            status = grz_control_status(control);
    }
    d.positions = corners;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = 3 * (uint64_t)marked->count;
    d.face_count = marked->count;
    d.flags = GRZ_MESH_INDEX_ONLY | GRZ_MESH_FAST_BUILD;
    if (status == GRZ_OK)
        status = grz_mesh_make(mesh->device, &d, allocator, out, error);
    grz_release(allocator, corners, marked->count, sizeof *corners);
    return status;
}

// Pairs of marked triangles whose boxes meet.
static grz_status join(grz_device *device, const grz_job *job, uint32_t number, const grz_marked marked[2], grz_sink *sink,
                       grz_error *error)
{
    renumbering r = {.sink = {.push = push, .stopped = stopped, .eager = sink->eager, .control = sink->control},
                     .outer = sink,
                     .job = number,
                     .marked = marked};
    grz_object a = *job->a, b = *job->b;
    const grz_job small = {.a = &a, .b = &b, .clip = job->clip};
    grz_mesh *meshes[2] = {NULL, NULL};
    grz_status status = make_small(job->a->mesh, &marked[0], sink->control, &meshes[0], error);
    if (status == GRZ_OK)
        status = make_small(job->b->mesh, &marked[1], sink->control, &meshes[1], error);
    a.mesh = meshes[0];
    b.mesh = meshes[1];
    if (status == GRZ_OK)
        status = grz_filter_bvh.propose(device, &small, 1, &r.sink, error);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    return status;
}

// All triangles may touch.
static grz_status propose_all(grz_device *device, const grz_job *job, uint32_t number, grz_sink *sink, grz_error *error)
{
    renumbering r = {
        .sink = {.push = push, .stopped = stopped, .eager = sink->eager, .control = sink->control}, .outer = sink, .job = number};
    return grz_filter_bvh.propose(device, job, 1, &r.sink, error);
}

static grz_status propose_one(grz_device *device, const grz_job *job, uint32_t number, grz_sink *sink, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    grz_marked marked[2];
    bool whole;
    if (grz_device_graphics(device) != NULL && (job->a->mesh->device != device || job->b->mesh->device != device))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: the mesh of object %c is of another device",
                        job->a->mesh->device != device ? 'A' : 'B');
    grz_status status = grz_voxels_mark(device, job, PIXELS, sink->control, marked, &whole, error);
    if (status == GRZ_OK && whole) // in cells, they are past what a grid can hold
        status = propose_all(device, job, number, sink, error);
    else if (status == GRZ_OK && marked[0].count > 0 && marked[1].count > 0)
        status = join(device, job, number, marked, sink, error);
    for (int i = 0; i < 2; i++)
        grz_release(allocator, marked[i].triangles, marked[i].count, sizeof *marked[i].triangles);
    return status;
}

grz_status grz_slices_propose(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        if (grz_control_expired(sink->control))
            return grz_control_status(sink->control);
        if (!grz_box_is_empty(&jobs[i].clip) && !sink->stopped(sink, (uint32_t)i))
            status = propose_one(device, &jobs[i], (uint32_t)i, sink, error);
        grz_control_tell(sink->control, (double)(i + 1) / (double)count);
    }
    return status;
}
