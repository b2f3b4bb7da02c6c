// SPDX-License-Identifier: MIT
// Where the objects of a round's jobs come to lie in their grids (voxel_parts.h).
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/sort.h"
#include "geometry/pose.h"
#include "image/voxel_parts.h"

// How large two objects are, as far as their boxes tell.
static double size_of(const grz_job *job)
{
    double size = 0.0;
    for (int i = 0; i < 2; i++) {
        const grz_object *object = i == 0 || job->b == NULL ? job->a : job->b;
        const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
        for (int j = 0; j < 3; j++)
            size = fmax(size, box.max[j] - box.min[j]);
    }
    return size;
}

// A job's two objects. *fits: there is a grid for them.
static grz_status place_job(const grz_voxel_work *w, const grz_job *job, grz_voxel_part parts[2], bool *fits)
{
    const grz_object *objects[2] = {job->a, job->b};
    const grz_voxel_grid grid = grz_voxel_grid_of(&job->clip, size_of(job), w->question->resolution);
    double wrong[2][3] = {{0.0}};
    *fits = true;
    for (int i = 0; i < 2 && objects[i] != NULL && *fits; i++) {
        grz_voxel_part *p = &parts[i];
        p->mesh = objects[i]->mesh;
        p->place = (grz_voxel_place){.of = {(uint32_t)w->count}};
        const grz_status status = grz_mesh_buffers_get(p->mesh, w->control, &p->buffers, w->error);
        if (status != GRZ_OK)
            return status;
        *fits = grz_voxel_place_of(&grid, objects[i], p->buffers->centre, p->buffers->scale, &p->place, wrong[i]);
    }
    if (*fits)
        w->units[w->count] = grz_voxel_unit_of(wrong[0], wrong[1]);
    return GRZ_OK;
}

// Put objects with the same mesh one behind the other.
static void put_together(grz_voxel_part *parts, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        size_t to = i + 1;
        while (to < count && parts[to].mesh == parts[i].mesh)
            to++;
        for (size_t j = to + 1; j < count; j++) {
            if (parts[j].mesh != parts[i].mesh)
                continue;
            const grz_voxel_part other = parts[to];
            parts[to++] = parts[j];
            parts[j] = other;
        }
        i = to - 1;
    }
}

// The one job of a mesh with itself, in its own coordinates.
static grz_status place_self(grz_voxel_work *w)
{
    grz_object object = *w->question->jobs[0]->a;
    const grz_job job = {.a = &object, .clip = w->question->jobs[0]->clip};
    bool fits;
    object.pose = grz_pose_identity();
    grz_status status = place_job(w, &job, w->parts, &fits);
    if (status != GRZ_OK)
        return status;
    if (!fits) {
        w->round->answers[0].flags = GRZ_JOB_WHOLE;
        return GRZ_OK;
    }
    status = grz_mesh_buffers_get_corners(w->gl, object.mesh, w->control, &w->parts[0].buffers, w->error);
    if (status != GRZ_OK)
        return status;
    w->triangles[0] = object.mesh->triangle_count;
    w->count = w->part_count = 1;
    return GRZ_OK;
}

// An object of many, and its mesh.
typedef struct numbered {
    const grz_mesh *mesh;
    uint32_t object;
} numbered;

static int compare_numbered(const void *x, const void *y, void *context)
{
    (void)context;
    const uintptr_t a = (uintptr_t)((const numbered *)x)->mesh, b = (uintptr_t)((const numbered *)y)->mesh;
    return (a > b) - (a < b);
}

// Parts of many objects in one grid, in some order.
static grz_status place_numbered(grz_voxel_work *w, const numbered *order)
{
    const grz_voxel_question *q = w->question;
    double size = 0.0, most[3] = {0.0};
    for (int j = 0; j < 3; j++)
        size = fmax(size, q->region.max[j] - q->region.min[j]);
    const grz_voxel_grid grid = grz_voxel_grid_of(&q->region, size, q->resolution);
    for (size_t i = 0; i < q->object_count; i++) {
        double wrong[3];
        grz_voxel_part *p = &w->parts[i];
        *p = (grz_voxel_part){.mesh = order[i].mesh, .place = {.of = {0, order[i].object}}};
        const grz_status status = grz_mesh_buffers_get(p->mesh, w->control, &p->buffers, w->error);
        if (status != GRZ_OK)
            return status;
        const grz_object *object = q->objects[order[i].object];
        if (!grz_voxel_place_of(&grid, object, p->buffers->centre, p->buffers->scale, &p->place, wrong)) {
            w->round->answers[0].flags = GRZ_JOB_WHOLE;
            return GRZ_OK;
        }
        for (int j = 0; j < 3; j++)
            most[j] = fmax(most[j], wrong[j]);
        w->triangles[0] += p->mesh->triangle_count;
    }
    w->units[0] = grz_voxel_unit_of(most, most);
    w->part_count = q->object_count;
    w->count = 1;
    return GRZ_OK;
}

// Many objects in one grid, as one job; those with the same mesh one behind the other.
static grz_status place_many(grz_voxel_work *w)
{
    const grz_voxel_question *q = w->question;
    numbered *order = grz_allocate(w->allocator, q->object_count, sizeof *order);
    grz_status status = order != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < q->object_count && order != NULL; i++)
        order[i] = (numbered){q->objects[i]->mesh, (uint32_t)i};
    if (status == GRZ_OK)
        status = grz_sort(order, q->object_count, sizeof *order, compare_numbered, NULL, w->control);
    if (status == GRZ_ERROR_MEMORY)
        grz_fail(w->error, status, GRZ_NO_ELEMENT, "%s: out of memory for %zu objects", q->method, q->object_count);
    if (status == GRZ_OK)
        status = place_numbered(w, order);
    grz_release(w->allocator, order, q->object_count, sizeof *order);
    return status;
}

static grz_status place_pairs(grz_voxel_work *w)
{
    const grz_voxel_question *q = w->question;
    grz_voxel_part *parts_b = w->parts + q->count;
    for (size_t i = 0; i < q->count; i++) {
        grz_voxel_part parts[2] = {{.mesh = q->jobs[i]->a->mesh}, {.mesh = q->jobs[i]->b->mesh}};
        bool fits;
        const grz_status status = place_job(w, q->jobs[i], parts, &fits);
        if (status != GRZ_OK)
            return status;
        if (!fits) {
            w->round->answers[i].flags = GRZ_JOB_WHOLE;
            continue;
        }
        uint32_t *words = grz_voxel_job_words(w->head, w->count);
        w->parts[w->count] = parts[0];
        parts_b[w->count] = parts[1];
        for (int k = 0; k < 2; k++) {
            words[GRZ_JOB_FIRST + k] = (uint32_t)w->triangles[k];
            w->triangles[k] += parts[k].mesh->triangle_count;
        }
        w->numbers[w->count++] = (uint32_t)i;
    }
    for (size_t i = 0; i < w->count; i++) // lists of B lie behind all those of A
        grz_voxel_job_words(w->head, i)[GRZ_JOB_FIRST + 1] += (uint32_t)w->triangles[0];
    memmove(w->parts + w->count, parts_b, w->count * sizeof *parts_b);
    w->part_count = w->count;
    for (size_t i = 0; i < 2; i++)
        put_together(w->parts + i * w->count, w->count);
    return GRZ_OK;
}

grz_status grz_voxel_place_all(grz_voxel_work *w)
{
    if (w->many)
        return place_many(w);
    return w->self ? place_self(w) : place_pairs(w);
}
