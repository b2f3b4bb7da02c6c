// SPDX-License-Identifier: MIT
// The objects of all jobs of a query, each once (gathering.h).
#include "image/gathering.h"

#include "base/device.h"
#include "base/fail.h"
#include "base/sort.h"

static int compare_objects(const void *x, const void *y, void *context)
{
    (void)context;
    const uintptr_t a = (uintptr_t) * (const grz_object *const *)x, b = (uintptr_t) * (const grz_object *const *)y;
    return (a > b) - (a < b);
}

static int compare_meetings(const void *x, const void *y, void *context)
{
    (void)context;
    const grz_meeting *a = x, *b = y;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static uint32_t number_of(const grz_gathering *g, const grz_object *object)
{
    size_t low = 0, high = g->object_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *((uintptr_t)g->objects[middle] <= (uintptr_t)object ? &low : &high) = middle;
    }
    return (uint32_t)low;
}

// The objects of all jobs, and who meets whom. Objects that are given as different ones are different, wherever they lie.
static grz_status gather(grz_gathering *g)
{
    const size_t count = g->job_count;
    for (size_t i = 0; i < count; i++) {
        g->objects[2 * i] = g->jobs[i].a;
        g->objects[2 * i + 1] = g->jobs[i].b != NULL ? g->jobs[i].b : g->jobs[i].a;
    }
    grz_status status = grz_sort(g->objects, 2 * count, sizeof(const grz_object *), compare_objects, NULL, g->sink->control);
    if (status != GRZ_OK)
        return status;
    for (size_t i = 0; i < 2 * count; i++)
        if (g->object_count == 0 || g->objects[i] != g->objects[g->object_count - 1])
            g->objects[g->object_count++] = g->objects[i];
    for (size_t i = 0; i < count && g->jobs[0].b != NULL; i++)
        g->meetings[i] = (grz_meeting){number_of(g, g->jobs[i].a), number_of(g, g->jobs[i].b), (uint32_t)i};
    for (size_t i = 0; i < count; i++) // the lower number first; which one is A the job knows
        if (g->meetings[i].a > g->meetings[i].b)
            g->meetings[i] = (grz_meeting){g->meetings[i].b, g->meetings[i].a, g->meetings[i].job};
    for (size_t i = 0; i < g->object_count; i++)
        g->first_triangles[i] = 0;
    for (size_t i = 0; i < count; i++) { // so long they count jobs
        const uint32_t a = ++g->first_triangles[g->meetings[i].a], b = ++g->first_triangles[g->meetings[i].b];
        g->most_jobs = g->most_jobs > a ? g->most_jobs : a;
        g->most_jobs = g->most_jobs > b ? g->most_jobs : b;
    }
    uint32_t first = 0;
    for (size_t i = 0; i < g->object_count; i++) {
        g->first_triangles[i] = first;
        first += g->objects[i]->mesh->triangle_count;
    }
    return grz_sort(g->meetings, count, sizeof *g->meetings, compare_meetings, NULL, g->sink->control);
}

// The object that a triangle, numbered through all of them, is of.
static uint32_t object_of(const grz_gathering *g, uint32_t triangle)
{
    size_t low = 0, high = g->object_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(g->first_triangles[middle] <= triangle ? &low : &high) = middle;
    }
    return (uint32_t)low;
}

// The job in which two objects meet; NULL: in none.
static const grz_meeting *meeting_of(const grz_gathering *g, uint32_t a, uint32_t b)
{
    const grz_meeting key = {a, b, 0};
    size_t low = 0, high = g->job_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = compare_meetings(&g->meetings[middle], &key, NULL);
        if (order == 0)
            return &g->meetings[middle];
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return NULL;
}

// Triangles of two objects, the lower number first, as a candidate. False: these are not asked about, or it is a mesh with itself and one face.
static bool candidate_of(const grz_gathering *g, const uint32_t objects[2], const uint32_t triangles[2], bool proved,
                         grz_candidate *out)
{
    *out = (grz_candidate){.triangle_a = triangles[0], .triangle_b = triangles[1], .proved = proved};
    if (g->jobs[0].b == NULL) {
        const grz_mesh *mesh = g->objects[0]->mesh;
        return grz_mesh_triangle_face(mesh, out->triangle_a) != grz_mesh_triangle_face(mesh, out->triangle_b);
    }
    const grz_meeting *m = meeting_of(g, objects[0], objects[1]);
    if (m == NULL)
        return false;
    out->job = m->job;
    if (g->jobs[m->job].a != g->objects[objects[0]]) {
        out->triangle_a = triangles[1];
        out->triangle_b = triangles[0];
    }
    return true;
}

// What was read back, as a candidate: triangles numbered through all objects, or objects and their triangles.
static bool candidate_through(const grz_gathering *g, const grz_voxel_candidate *set, grz_candidate *out)
{
    const uint32_t objects[2] = {object_of(g, set->triangles[0]), object_of(g, set->triangles[1])};
    const uint32_t triangles[2] = {set->triangles[0] - g->first_triangles[objects[0]],
                                   set->triangles[1] - g->first_triangles[objects[1]]};
    return candidate_of(g, objects, triangles, set->proved != 0, out);
}

static bool candidate_of_objects(const grz_gathering *g, const grz_voxel_candidate *pair, grz_candidate *out)
{
    const uint32_t objects[2] = {pair->job, pair->proved >> 1};
    return candidate_of(g, objects, pair->triangles, (pair->proved & 1) != 0, out);
}

static int compare_jobs(const void *x, const void *y, void *context)
{
    (void)context;
    const uint32_t a = ((const grz_candidate *)x)->job, b = ((const grz_candidate *)y)->job;
    return (a > b) - (a < b);
}

grz_status grz_gathering_push(const grz_gathering *g, const grz_voxel_candidate *items, size_t item_count, bool through)
{
    grz_sink *sink = g->sink;
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    grz_candidate *candidates = grz_allocate(allocator, item_count, sizeof *candidates);
    size_t count = 0;
    if (candidates == NULL)
        return grz_fail(g->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu pairs", item_count);
    for (size_t i = 0; i < item_count; i++)
        count += (through ? candidate_through : candidate_of_objects)(g, &items[i], &candidates[count]);
    grz_status status = grz_sort(candidates, count, sizeof *candidates, compare_jobs, NULL, sink->control);
    for (size_t i = 0, end; i < count && status == GRZ_OK; i = end) {
        for (end = i + 1; end < count && end - i < GRZ_CHUNK && candidates[end].job == candidates[i].job;)
            end++;
        if (!sink->stopped(sink, candidates[i].job))
            sink->push(sink, candidates + i, end - i);
        status = grz_control_status(sink->control);
    }
    grz_release(allocator, candidates, item_count, sizeof *candidates);
    return status;
}

static bool open_gathering(grz_gathering *g)
{
    const grz_allocator *allocator = grz_control_allocator(g->sink->control);
    g->objects = grz_allocate(allocator, 2 * g->job_count, sizeof(const grz_object *));
    g->first_triangles = grz_allocate(allocator, 2 * g->job_count, sizeof *g->first_triangles);
    g->meetings = grz_allocate_zeroed(allocator, g->job_count, sizeof *g->meetings);
    return g->objects != NULL && g->first_triangles != NULL && g->meetings != NULL;
}

grz_status grz_gathering_start(grz_gathering *g, const grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink,
                               grz_error *error)
{
    *g = (grz_gathering){.jobs = jobs, .job_count = count, .sink = sink, .error = error, .region = grz_box_empty()};
    if (!open_gathering(g))
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu jobs", count);
    const grz_status status = gather(g);
    for (size_t i = 0; i < g->object_count && status == GRZ_OK; i++)
        if (grz_device_graphics(device) != NULL && g->objects[i]->mesh->device != device)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "layers: a mesh is of another device");
    for (size_t i = 0; i < count; i++)
        grz_box_add_box(&g->region, &jobs[i].clip);
    return status;
}

void grz_gathering_finish(grz_gathering *g)
{
    const grz_allocator *allocator = grz_control_allocator(g->sink->control);
    grz_release(allocator, g->objects, 2 * g->job_count, sizeof(const grz_object *));
    grz_release(allocator, g->first_triangles, 2 * g->job_count, sizeof *g->first_triangles);
    grz_release(allocator, g->meetings, g->job_count, sizeof *g->meetings);
}
