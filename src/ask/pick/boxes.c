// SPDX-License-Identifier: MIT
// Picking by bounding boxes: in which stretch may the ray be in an object's box?
#include <graze/pick.h>

#include "ask/pick/crowd.h"
#include "ask/pick/request.h"
#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/sort.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"
#include "mesh/object_check.h"
#include "query/scene.h"

enum {
    CHECK_BITS = 10 // objects between two looks at the control, as a power of two
};

static int compare(const void *left, const void *right, void *context)
{
    const grz_box_hit *x = left, *y = right;
    (void)context;
    if (x->enter != y->enter)
        return x->enter < y->enter ? -1 : 1;
    return (x->object > y->object) - (x->object < y->object);
}

typedef struct request {
    const grz_object *objects;
    uint32_t object_count;
    bool of_scene; // then those without a mesh are left out
    const grz_ray *ray;
    grz_pick_options options;
    grz_control control;
    GRZ_ARRAY(grz_box_hit) found;
} request;

static grz_status look_at(request *r, const grz_line *line, uint32_t i, grz_error *error)
{
    const grz_object *object = &r->objects[i];
    grz_status status = GRZ_OK;
    if (!r->of_scene || object->mesh != NULL)
        status = grz_object_check("pick", object, "an object", i, error);
    if (status != GRZ_OK || object->mesh == NULL || (object->group & r->options.mask) == 0)
        return status;
    const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
    grz_stretch stretch = {r->ray->from, r->ray->to};
    if (!grz_line_cut_to_box(line, &box, &stretch))
        return GRZ_OK;
    if (!grz_array_add(grz_control_allocator(&r->control), &r->found))
        return grz_control_explain(&r->control, GRZ_ERROR_MEMORY, "pick", error);
    r->found.items[r->found.count - 1] = (grz_box_hit){stretch.enter, stretch.leave, i};
    return GRZ_OK;
}

static grz_status find(request *r, grz_error *error)
{
    grz_line line;
    grz_status status = grz_pick_ray_check(r->ray, 0, error);
    if (status != GRZ_OK)
        return status;
    (void)grz_line_set(&line, r->ray->origin, r->ray->direction, r->ray->tail);
    for (uint32_t i = 0; i < r->object_count && status == GRZ_OK; i++) {
        if (grz_control_expired_at(&r->control, i, CHECK_BITS))
            return grz_control_explain(&r->control, grz_control_status(&r->control), "pick", error);
        status = look_at(r, &line, i, error);
    }
    if (status != GRZ_OK)
        return status;
    status = grz_sort(r->found.items, r->found.count, sizeof *r->found.items, compare, NULL, &r->control);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(&r->control, status, "pick", error);
}

static grz_status check(const grz_device *device, const request *r, const grz_box_hit *hits, uint64_t most,
                        grz_error *error)
{
    const char *missing = NULL;
    if (device == NULL)
        missing = "device is";
    else if (most > 0 && hits == NULL)
        missing = "answers are";
    else if (r->ray == NULL)
        missing = "rays are";
    else if (r->object_count > 0 && r->objects == NULL)
        missing = "objects are";
    return missing == NULL ? GRZ_OK : grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the %s NULL", missing);
}

static grz_status answer(grz_device *device, request *r, const grz_pick_options *options, grz_box_hit *hits,
                         uint64_t most, uint64_t *found, grz_error *error)
{
    const double start = grz_clock_seconds();
    const grz_filter *filter;
    if (found == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the answers are NULL");
    *found = 0;
    grz_status status = check(device, r, hits, most, error);
    if (status == GRZ_OK)
        status = grz_pick_options_read(options, &r->options, &filter, error);
    if (status != GRZ_OK)
        return status;
    const grz_fp_state fp = grz_fp_enter();
    grz_control_init(&r->control, grz_device_allocator(device), start);
    r->control.cancel = r->options.cancel;
    r->control.deadline = r->options.deadline;
    r->control.memory_limit = r->options.memory_limit;
    status = find(r, error);
    if (status == GRZ_OK) {
        *found = r->found.count;
        for (size_t i = 0; i < r->found.count && i < most; i++)
            hits[i] = r->found.items[i];
    }
    grz_array_finish(grz_control_allocator(&r->control), &r->found);
    grz_fp_leave(fp);
    return status;
}

grz_status grz_pick_boxes(grz_device *device, const grz_object *objects, uint32_t object_count, const grz_ray *ray,
                          const grz_pick_options *options, grz_box_hit *hits, uint64_t most, uint64_t *found,
                          grz_error *error)
{
    request r = {.objects = objects, .object_count = object_count, .ray = ray};
    return answer(device, &r, options, hits, most, found, error);
}

grz_status grz_pick_scene_boxes(grz_device *device, const grz_scene *scene, const grz_ray *ray,
                                const grz_pick_options *options, grz_box_hit *hits, uint64_t most, uint64_t *found,
                                grz_error *error)
{
    request r = {.of_scene = true, .ray = ray};
    if (found != NULL)
        *found = 0;
    const grz_status status = grz_pick_scene_check(device, scene, error);
    if (status != GRZ_OK)
        return status;
    r.objects = scene->objects.items;
    r.object_count = (uint32_t)scene->objects.count;
    return answer(device, &r, options, hits, most, found, error);
}
