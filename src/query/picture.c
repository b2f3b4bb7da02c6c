// SPDX-License-Identifier: MIT
// From a query's result to a picture: which triangles are marked, which objects are glass, what is drawn on top.
#include <graze/picture.h>

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "image/picture.h"
#include "query/query.h"

// A picture being prepared.
typedef struct preparation {
    const grz_allocator *allocator;
    const grz_result *result;
    grz_object *objects; // the caller's, their meshes in memory
    size_t count;
    grz_picture_object *shown; // one for each object; without a mesh it is skipped below
    size_t shown_count;
    GRZ_ARRAY(grz_picture_point) ends;
    size_t segment_count, dot_count;
} preparation;

static size_t mark_words(const grz_mesh *mesh)
{
    return (size_t)mesh->triangle_count / 32 + 1;
}

// The first triangle of a face.
static uint32_t first_triangle(const grz_mesh *mesh, uint32_t face)
{
    uint32_t low = 0, high = mesh->triangle_count;
    if (mesh->triangle_faces == NULL)
        return face;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (mesh->triangle_faces[middle] < face)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool mark_face(const preparation *p, uint32_t object, uint32_t face)
{
    grz_picture_object *shown = &p->shown[object];
    const grz_mesh *mesh = p->objects[object].mesh;
    if (mesh == NULL || face >= mesh->face_count)
        return true;
    if (shown->marks == NULL)
        shown->marks = grz_allocate_zeroed(p->allocator, mark_words(mesh), sizeof *shown->marks);
    if (shown->marks == NULL)
        return false;
    for (uint32_t t = first_triangle(mesh, face); t < mesh->triangle_count && grz_mesh_triangle_face(mesh, t) == face; t++)
        shown->marks[t / 32] |= UINT32_C(1) << t % 32;
    return true;
}

static bool mark_pairs(const preparation *p, uint32_t a, uint32_t b, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count && i < p->result->pairs.count; i++) {
        const grz_pair *pair = &p->result->pairs.items[i];
        if (!mark_face(p, a, pair->face_a) || !mark_face(p, b, pair->face_b))
            return false;
    }
    return true;
}

static void make_glass(const preparation *p, grz_relation relation, uint32_t a, uint32_t b)
{
    if (relation == GRZ_A_INSIDE_B || relation == GRZ_OVERLAPPING)
        p->shown[b].glass = true;
    if (relation == GRZ_B_INSIDE_A)
        p->shown[a].glass = true;
}

static bool mark_all(const preparation *p)
{
    const grz_result *result = p->result;
    for (size_t i = 0; i < result->scene_pairs.count; i++) {
        const grz_scene_pair *pair = &result->scene_pairs.items[i];
        if (pair->b >= p->count)
            continue;
        make_glass(p, pair->relation, pair->a, pair->b);
        if (!mark_pairs(p, pair->a, pair->b, pair->first_pair, pair->pair_count))
            return false;
    }
    if (result->scene_pairs.count > 0 || p->count > 2)
        return true;
    const uint32_t b = (uint32_t)p->count - 1; // of one object with itself, too
    if (b > 0)
        make_glass(p, result->summary.relation, 0, b);
    return mark_pairs(p, 0, b, 0, result->pairs.count);
}

static bool add_end(preparation *p, const double at[3])
{
    if (!grz_array_add(p->allocator, &p->ends))
        return false;
    memcpy(p->ends.items[p->ends.count - 1].at, at, sizeof p->ends.items->at);
    return true;
}

static bool add_segment(preparation *p, const grz_point *from, const grz_point *to)
{
    p->segment_count++;
    return add_end(p, from->at) && add_end(p, to->at);
}

// Curves where the result has them, else the contacts themselves.
static bool add_segments(preparation *p)
{
    const grz_result *result = p->result;
    for (size_t i = 0; i < result->curves.count; i++) {
        const grz_curve *curve = &result->curves.items[i];
        const grz_point *points = result->curve_points.items + curve->first_point;
        for (uint64_t j = 0; j + 1 < curve->point_count; j++)
            if (!add_segment(p, &points[j], &points[j + 1]))
                return false;
    }
    for (size_t i = 0; i < result->contacts.count; i++) {
        const grz_contact *contact = &result->contacts.items[i];
        const grz_point *points = result->points.items + contact->first_point;
        const uint32_t sides = contact->point_count > 2 ? contact->point_count : contact->point_count - 1;
        if (result->curves.count > 0 && contact->point_count == 2)
            continue;
        for (uint32_t j = 0; j < sides; j++)
            if (!add_segment(p, &points[j], &points[j + 1 < contact->point_count ? j + 1 : 0]))
                return false;
    }
    return true;
}

// The edges of collision volumes, where a discrete answer has these and no contacts.
static bool add_volumes(preparation *p)
{
    const grz_result *result = p->result;
    for (size_t i = 0; i < result->volumes.count && result->contacts.count == 0; i++) {
        const grz_volume *v = &result->volumes.items[i];
        for (int edge = 0; edge < 12; edge++) {
            const int along = edge / 4, first = (along + 1) % 3, second = (along + 2) % 3;
            grz_point from, to;
            for (int j = 0; j < 3; j++) {
                from.at[j] =
                    v->corner[j] + ((edge & 1) != 0 ? v->edge[first][j] : 0.0) + ((edge & 2) != 0 ? v->edge[second][j] : 0.0);
                to.at[j] = from.at[j] + v->edge[along][j];
            }
            if (!add_segment(p, &from, &to))
                return false;
        }
    }
    return true;
}

static bool add_dots(preparation *p)
{
    const grz_result *result = p->result;
    for (size_t i = 0; i < result->contacts.count; i++) {
        const grz_point *point = result->points.items + result->contacts.items[i].first_point;
        if (result->contacts.items[i].point_count != 1)
            continue;
        p->dot_count++;
        for (int end = 0; end < 2; end++)
            if (!add_end(p, point->at))
                return false;
    }
    return true;
}

// Leave out objects without a mesh.
static void close_ranks(preparation *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->objects[i].mesh != NULL)
            p->shown[p->shown_count++] = p->shown[i];
}

// Copy the objects, and bring their meshes to memory.
static grz_status bring_here(preparation *p, const grz_object *objects, grz_control *control, grz_error *error)
{
    grz_status status = GRZ_OK;
    p->objects = grz_allocate(p->allocator, p->count, sizeof *p->objects);
    if (p->objects == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory");
    for (size_t i = 0; i < p->count && status == GRZ_OK; i++) {
        p->objects[i] = objects[i];
        if (objects[i].mesh != NULL)
            status = grz_query_here(&objects[i], control, &p->objects[i], error);
    }
    return status;
}

static grz_status prepare(preparation *p, grz_error *error)
{
    p->shown = grz_allocate_zeroed(p->allocator, p->count, sizeof *p->shown);
    bool made = p->shown != NULL;
    for (size_t i = 0; made && i < p->count; i++)
        p->shown[i] = (grz_picture_object){.object = &p->objects[i], .blue = i % 2 == 1, .shade = (uint32_t)i};
    if (made && p->result != NULL)
        made = mark_all(p) && add_segments(p) && add_volumes(p) && add_dots(p);
    return made ? GRZ_OK : grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory");
}

static void finish(preparation *p)
{
    for (size_t i = 0; p->shown != NULL && i < p->count; i++)
        if (i < p->shown_count)
            grz_release(p->allocator, p->shown[i].marks, mark_words(p->shown[i].object->mesh), sizeof(uint32_t));
    grz_release(p->allocator, p->shown, p->count, sizeof *p->shown);
    grz_release(p->allocator, p->objects, p->count, sizeof *p->objects);
    grz_array_finish(p->allocator, &p->ends);
}

static bool is_direction(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]) && (v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0);
}

static grz_status check(const grz_device *device, const grz_object *objects, size_t count, const grz_picture_options *options,
                        const uint8_t *pixels, grz_error *error)
{
    size_t meshes = 0;
    if (device == NULL || objects == NULL || pixels == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: the %s NULL",
                        device == NULL ? "device is" : (objects == NULL ? "objects are" : "pixels are"));
    if (count == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: there are no objects");
    if (options->size != sizeof *options)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "picture: options.size is %zu, start from grz_default_picture_options()", options->size);
    if (options->width == 0 || options->height == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: a size of %u x %u pixels, need at least 1 x 1",
                        options->width, options->height);
    if (!is_direction(options->up) || (options->has_direction && !is_direction(options->direction)))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: up or direction is zero or not finite");
    for (size_t i = 0; i < count; i++) {
        if (objects[i].mesh == NULL)
            continue;
        meshes++;
        if (objects[i].mesh->device != device)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "picture: the mesh of object %zu is of another device", i);
        grz_status status = grz_query_check_object("picture", &objects[i], "an object", i, error);
        if (status != GRZ_OK)
            return status;
    }
    return meshes > 0 ? GRZ_OK : grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "picture: no object has a mesh");
}

grz_status grz_picture_draw(grz_device *device, const grz_object *objects, size_t count, const grz_result *result,
                            const grz_picture_options *options, uint8_t *pixels, grz_picture_view *view, grz_error *error)
{
    const grz_picture_options defaults = grz_default_picture_options();
    grz_picture_view unwanted;
    if (options == NULL)
        options = &defaults;
    grz_status status = check(device, objects, count, options, pixels, error);
    if (status != GRZ_OK)
        return status;
    const grz_fp_state fp = grz_fp_enter();
    preparation p = {.allocator = grz_device_allocator(device), .result = result, .count = count};
    grz_control control;
    grz_control_init(&control, p.allocator, grz_clock_seconds());
    status = bring_here(&p, objects, &control, error);
    if (status == GRZ_OK)
        status = prepare(&p, error);
    if (p.shown != NULL)
        close_ranks(&p);
    if (status == GRZ_OK) {
        const grz_picture_scene scene = {p.shown, p.shown_count, p.ends.items, p.segment_count, p.dot_count};
        status = grz_picture_render(device, &scene, options, &control, pixels, view != NULL ? view : &unwanted, error);
    }
    finish(&p);
    grz_fp_leave(fp);
    return status;
}
