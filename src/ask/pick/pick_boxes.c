// SPDX-License-Identifier: MIT
// Picking by bounding boxes: in which stretch may the ray be in an object's box?
#include <graze/pick.h>

#include "ask/pick/crowd.h"
#include "ask/pick/pick_request.h"
#include "ask/pick/targets.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/sort/sort.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"
#include "mesh/object_check.h"

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
    grz_call call;
    grz_target_list list;
    const grz_ray *ray;
    grz_pick_options options;
    GRZ_ARRAY(grz_box_hit) found;
} request;

static grz_status look_at(request *r, const grz_line *line, uint32_t i, grz_error *error)
{
    const grz_object *object = &r->list.objects[i];
    grz_status status = GRZ_OK;
    if (!r->list.of_scene || object->mesh != NULL)
        status = grz_object_check("pick", object, "an object", i, error);
    if (status != GRZ_OK || object->mesh == NULL || (object->group & r->options.mask) == 0)
        return status;
    const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
    grz_stretch stretch = {r->ray->from, r->ray->to};
    if (!grz_line_cut_to_box(line, &box, &stretch))
        return GRZ_OK;
    if (!grz_array_add(grz_control_allocator(&r->call.control), &r->found))
        return grz_control_explain(&r->call.control, GRZ_ERROR_MEMORY, "pick", error);
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
    for (uint32_t i = 0; i < r->list.count && status == GRZ_OK; i++) {
        if (grz_control_expired_at(&r->call.control, i, CHECK_BITS))
            return grz_control_explain(&r->call.control, grz_control_status(&r->call.control), "pick", error);
        status = look_at(r, &line, i, error);
    }
    if (status != GRZ_OK)
        return status;
    status = grz_sort(r->found.items, r->found.count, sizeof *r->found.items, compare, NULL, &r->call.control);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(&r->call.control, status, "pick", error);
}

static grz_status answer(request *r, grz_targets targets, grz_box_hit *hits, uint64_t capacity, uint64_t *found)
{
    grz_error *error = r->call.error;
    const grz_filter *filter;
    if (r->ray == NULL || (capacity > 0 && hits == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the %s",
                        r->ray == NULL ? "ray is NULL" : "answers are NULL");
    grz_status status = grz_targets_read("pick", r->call.device, targets, &r->list, error);
    if (status == GRZ_OK)
        status = grz_pick_method(&r->options, &filter, error);
    if (status == GRZ_OK)
        status = find(r, error);
    if (status == GRZ_OK) {
        *found = r->found.count;
        for (size_t i = 0; i < r->found.count && i < capacity; i++)
            hits[i] = r->found.items[i];
    }
    grz_array_finish(grz_control_allocator(&r->call.control), &r->found);
    return status;
}

grz_status grz_pick_boxes(grz_device *device, grz_targets targets, const grz_ray *ray, const grz_pick_options *options,
                          grz_box_hit *hits, uint64_t capacity, uint64_t *found, grz_error *error)
{
    request r = {.ray = ray};
    if (found == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the place for the number of hits is NULL");
    *found = 0;
    grz_status status = grz_pick_begin(&r.call, "pick", device, options, &r.options, error);
    if (status == GRZ_OK)
        status = answer(&r, targets, hits, capacity, found);
    return grz_call_end(&r.call, status);
}
