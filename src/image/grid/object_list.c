// SPDX-License-Identifier: MIT
// The objects that the jobs of a set name, each once (object_list.h). Both the list and the jobs are sorted, so that
// binary searches find the object of a triangle and the job of two objects.
#include "image/grid/object_list.h"

#include <assert.h>

#include "base/control.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/sort/sort.h"

static int compare_numbers(const void *x, const void *y, void *context)
{
    (void)context;
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

// Binary search: the position of the last of some ascending numbers that is not above `wanted`. The first number must
// not be.
static size_t last_not_above(const uint32_t *numbers, size_t count, uint32_t wanted)
{
    size_t low = 0, high = count;
    assert(count > 0 && numbers[0] <= wanted);
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(numbers[middle] <= wanted ? &low : &high) = middle;
    }
    return low;
}

// The second object of a job; for a mesh with itself the first one again.
static uint32_t second_of(const grz_job *job)
{
    return job->b != GRZ_SELF ? job->b : job->a;
}

// Count the jobs of each object, in `counts`, and return the largest number.
static uint32_t most_jobs(const grz_object_list *list, uint32_t *counts)
{
    const grz_job_set *set = list->set;
    uint32_t most = 0;
    for (size_t i = 0; i < list->count; i++)
        counts[i] = 0;
    for (size_t i = 0; i < set->job_count; i++) {
        const uint32_t ends[2] = {set->jobs[i].a, second_of(&set->jobs[i])};
        for (int k = 0; k < 2; k++) {
            const uint32_t count = ++counts[last_not_above(list->numbers, list->count, ends[k])];
            most = most > count ? most : count;
        }
    }
    return most;
}

// Sort the numbers, drop duplicates, and find what else the list says.
static grz_status fill(grz_object_list *list, grz_control *control)
{
    const grz_job_set *set = list->set;
    const size_t ends = 2 * set->job_count;
    for (size_t i = 0; i < set->job_count; i++) {
        list->numbers[2 * i] = set->jobs[i].a;
        list->numbers[2 * i + 1] = second_of(&set->jobs[i]);
        grz_box_add_box(&list->region, &set->jobs[i].clip);
    }
    const grz_status status = grz_sort(list->numbers, ends, sizeof *list->numbers, compare_numbers, NULL, control);
    if (status != GRZ_OK)
        return status;
    for (size_t i = 0; i < ends; i++)
        if (list->count == 0 || list->numbers[i] != list->numbers[list->count - 1])
            list->numbers[list->count++] = list->numbers[i];
    list->most_jobs = most_jobs(list, list->first_triangles);
    uint32_t first = 0;
    for (size_t i = 0; i < list->count; i++) {
        list->first_triangles[i] = first;
        first += grz_listed_object(list, i)->mesh->triangle_count;
    }
    return GRZ_OK;
}

grz_status grz_object_list_make(grz_object_list *list, const grz_device *device, const grz_job_set *set,
                                grz_control *control, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t ends = 2 * set->job_count;
    assert(set->job_count > 0 && (set->job_count == 1 || set->jobs[0].b != GRZ_SELF));
    *list = (grz_object_list){.set = set, .self = set->jobs[0].b == GRZ_SELF, .region = grz_box_empty()};
    list->numbers = grz_allocate(allocator, ends, sizeof *list->numbers);
    list->first_triangles = grz_allocate(allocator, ends, sizeof *list->first_triangles);
    if (list->numbers == NULL || list->first_triangles == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu jobs", set->job_count);
    const grz_status status = fill(list, control);
    for (size_t i = 0; i < list->count && status == GRZ_OK; i++)
        if (grz_device_graphics(device) != NULL && grz_listed_object(list, i)->mesh->device != device)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, list->numbers[i],
                            "layers: the mesh of object %u is of another device", list->numbers[i]);
    return status;
}

void grz_object_list_finish(grz_object_list *list, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t ends = 2 * list->set->job_count;
    grz_release(allocator, list->numbers, ends, sizeof *list->numbers);
    grz_release(allocator, list->first_triangles, ends, sizeof *list->first_triangles);
}

grz_listed_pair grz_listed_pair_of(const grz_object_list *list, const uint32_t triangles[2], bool proved)
{
    grz_listed_pair pair = {.proved = proved};
    for (int k = 0; k < 2; k++) {
        const size_t object = last_not_above(list->first_triangles, list->count, triangles[k]);
        pair.objects[k] = (uint32_t)object;
        pair.triangles[k] = triangles[k] - list->first_triangles[object];
        assert(pair.triangles[k] < grz_listed_object(list, object)->mesh->triangle_count);
    }
    return pair;
}

// Binary search: the job of two objects of the set in this order, or NULL. Jobs are sorted by a, then b.
static const grz_job *find_job(const grz_job_set *set, uint32_t a, uint32_t b)
{
    size_t low = 0, high = set->job_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const grz_job *job = &set->jobs[middle];
        if (job->a == a && job->b == b)
            return job;
        const bool before = job->a != a ? job->a < a : job->b < b;
        *(before ? &low : &high) = before ? middle + 1 : middle;
    }
    return NULL;
}

bool grz_listed_candidate(const grz_object_list *list, const grz_listed_pair *pair, grz_candidate *candidate)
{
    const grz_job_set *set = list->set;
    const uint32_t *triangles = pair->triangles;
    assert(pair->objects[0] < list->count && pair->objects[1] < list->count);
    *candidate = (grz_candidate){.triangle_a = triangles[0], .triangle_b = triangles[1], .proved = pair->proved};
    if (list->self) {
        const grz_mesh *mesh = grz_listed_object(list, 0)->mesh;
        return grz_mesh_triangle_face(mesh, triangles[0]) != grz_mesh_triangle_face(mesh, triangles[1]);
    }
    const uint32_t first = list->numbers[pair->objects[0]], second = list->numbers[pair->objects[1]];
    const grz_job *job = find_job(set, first, second);
    if (job == NULL) {
        job = find_job(set, second, first);
        candidate->triangle_a = triangles[1];
        candidate->triangle_b = triangles[0];
    }
    candidate->job = job != NULL ? (uint32_t)(job - set->jobs) : 0;
    return job != NULL;
}

static int compare_jobs(const void *x, const void *y, void *context)
{
    (void)context;
    const uint32_t a = ((const grz_candidate *)x)->job, b = ((const grz_candidate *)y)->job;
    return (a > b) - (a < b);
}

grz_status grz_push_sorted(grz_sink *sink, grz_candidate *candidates, size_t count)
{
    grz_status status = grz_sort(candidates, count, sizeof *candidates, compare_jobs, NULL, sink->control);
    for (size_t i = 0, end; i < count && status == GRZ_OK; i = end) {
        for (end = i + 1; end < count && end - i < GRZ_CHUNK && candidates[end].job == candidates[i].job;)
            end++;
        if (!sink->stopped(sink, candidates[i].job))
            sink->push(sink, candidates + i, end - i);
        status = grz_control_status(sink->control);
    }
    return status;
}
