// SPDX-License-Identifier: MIT
// What a call of <graze/pick.h> asks: its options, rays and objects are checked; trees and what else the rays need of
// the objects are made.
#include "ask/pick/pick_request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/control.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/pose.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "query/methods.h"

enum {
    CROWD = 8,      // objects: with fewer, each ray looks at the box of each object
    FEW_RAYS = 4,   // for so many, objects whose boxes they miss are left out at once
    CHECK_BITS = 12 // rays between two checks of the control while they are looked over, as a power of two
};

static const grz_pick_options defaults = {.size = sizeof(grz_pick_options), .mask = UINT32_MAX};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(pick_options, defaults);

void grz_pick_options_init(grz_pick_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_pick_begin(grz_call *call, const char *name, grz_device *device, const grz_pick_options *given,
                          grz_pick_options *options, grz_error *error)
{
    return grz_call_begin(call, name, device, &options_type, given, options, error);
}

grz_status grz_pick_method(const grz_pick_options *options, const grz_filter **filter, grz_error *error)
{
    return grz_filter_read(options->method, GRZ_CAN_RAYS, "cannot follow rays", filter, error);
}

bool grz_pick_names_a_method(const grz_pick_options *options)
{
    return options->method != NULL && strcmp(options->method, "auto") != 0;
}

// Check three numbers of a ray.
static grz_status check_numbers(const double *numbers, const char *what, uint64_t ray, grz_error *error)
{
    for (int k = 0; k < 3; k++) {
        if (!isfinite(numbers[k]))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, ray, "pick: ray %llu: its %s's %c is not finite",
                            (unsigned long long)ray, what, "xyz"[k]);
        if (fabs(numbers[k]) > GRZ_MAX_COORDINATE)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, ray,
                            "pick: ray %llu: its %s's %c is %g, larger than 2^300 in magnitude",
                            (unsigned long long)ray, what, "xyz"[k], numbers[k]);
    }
    return GRZ_OK;
}

grz_status grz_pick_ray_check(const grz_ray *ray, uint64_t number, grz_error *error)
{
    grz_line line;
    grz_status status = check_numbers(ray->origin, "origin", number, error);
    if (status == GRZ_OK)
        status = check_numbers(ray->direction, "direction", number, error);
    if (status == GRZ_OK)
        status = check_numbers(ray->tail, "tail", number, error);
    if (status != GRZ_OK)
        return status;
    if (!grz_line_set(&line, ray->origin, ray->direction, ray->tail))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, number, "pick: ray %llu: its direction is 0",
                        (unsigned long long)number);
    if (!(ray->from <= ray->to) || ray->from == HUGE_VAL || ray->to == -HUGE_VAL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, number, "pick: ray %llu: it goes from %g to %g: no such interval",
                        (unsigned long long)number, ray->from, ray->to);
    return GRZ_OK;
}

// True if grz_pick_ray_check() has nothing to say, without looking which number is at fault.
static bool is_good(const grz_ray *ray)
{
    unsigned good = ray->from <= ray->to && ray->from < HUGE_VAL && ray->to > -HUGE_VAL;
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        good &= fabs(ray->origin[k]) <= GRZ_MAX_COORDINATE;
        good &= fabs(ray->direction[k]) <= GRZ_MAX_COORDINATE;
        good &= fabs(ray->tail[k]) <= GRZ_MAX_COORDINATE;
        size += fabs(ray->direction[k]);
    }
    // With a tail the sum may be 0 although the direction is not.
    return good != 0 && size > 0.0 && ray->tail[0] == 0.0 && ray->tail[1] == 0.0 && ray->tail[2] == 0.0;
}

static grz_status check_rays(grz_pick_request *r, grz_error *error)
{
    for (uint64_t i = 0; i < r->ray_count; i++) {
        if (grz_control_expired_at(&r->call.control, (size_t)i, CHECK_BITS))
            return grz_control_explain(&r->call.control, grz_control_status(&r->call.control), "pick", error);
        const grz_status status = is_good(&r->rays[i]) ? GRZ_OK : grz_pick_ray_check(&r->rays[i], i, error);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

static grz_status check_object(const grz_pick_request *r, uint32_t i, grz_error *error)
{
    char name[32] = "the object";
    if (r->list.count > 1)
        (void)snprintf(name, sizeof name, "object %lu", (unsigned long)i);
    return grz_object_check("pick", &r->list.objects[i], name, i, error);
}

static grz_status add_target(grz_pick_request *r, uint32_t i, grz_error *error)
{
    grz_object *here = &r->here[r->question.target_count];
    grz_pick_target *target = &r->targets[r->question.target_count];
    *here = r->list.objects[i];
    *target = (grz_pick_target){.object = here, .number = i};
    grz_status status = grz_mesh_in_memory(r->list.objects[i].mesh, &r->call.control, &here->mesh, error);
    if (status != GRZ_OK || here->mesh->triangle_count == 0)
        return status;
    if (r->filter->structure != NULL)
        status = grz_pick_structure_set(here, r->filter->structure, &r->call.control, &target->structure, error);
    else if (!grz_filter_can(r->filter, GRZ_IS_REFERENCE)) {
        status = grz_mesh_bvh(here->mesh, &r->call.control, &target->bvh, error);
        if (status != GRZ_OK)
            return status;
        status = grz_packed_tree_get(here->mesh, target->bvh, r->ray_count, &r->call.control, &target->packed, error);
        if (status != GRZ_OK)
            return status;
        grz_distance_frames_set(&target->frames, target->bvh, here, target->bvh, here);
        if (target->packed != NULL)
            grz_packed_frame_set(&target->frame, &target->frames);
    }
    r->question.target_count += status == GRZ_OK;
    return status;
}

// True if one of a few rays may meet the object's box.
static bool is_met(const grz_pick_request *r, uint32_t i)
{
    const grz_box box = grz_world_box(&r->list.objects[i].pose, &r->list.objects[i].mesh->bounds);
    for (uint64_t k = 0; k < r->ray_count; k++) {
        grz_stretch stretch = {r->rays[k].from, r->rays[k].to};
        grz_line line;
        (void)grz_line_set(&line, r->rays[k].origin, r->rays[k].direction, r->rays[k].tail);
        if (grz_line_cut_to_box(&line, &box, &stretch))
            return true;
    }
    return false;
}

// Where the rays are few, nothing is prepared for objects whose boxes they miss.
static bool is_wanted(const grz_pick_request *r, uint32_t i)
{
    if ((r->list.of_scene && r->list.objects[i].mesh == NULL) || (r->list.objects[i].group & r->options.mask) == 0)
        return false;
    return r->ray_count > FEW_RAYS || r->list.count < CROWD || grz_filter_can(r->filter, GRZ_IS_REFERENCE) ||
           is_met(r, i);
}

// A tree over the boxes of many targets.
static grz_status make_crowd(grz_pick_request *r, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(&r->call.control);
    const uint32_t count = r->question.target_count;
    grz_box *boxes = grz_allocate(allocator, count, sizeof *boxes);
    uint32_t *order = grz_allocate(allocator, count, sizeof *order);
    grz_status status = GRZ_ERROR_MEMORY;
    if (boxes != NULL && order != NULL) {
        for (uint32_t i = 0; i < count; i++) {
            boxes[i] = grz_world_box(&r->here[i].pose, &r->here[i].mesh->bounds);
            order[i] = i;
        }
        status = grz_crowd_build(&r->crowd, boxes, order, count, &r->call.control);
    }
    grz_release(allocator, boxes, count, sizeof *boxes);
    grz_release(allocator, order, count, sizeof *order);
    if (status != GRZ_OK)
        return grz_control_explain(&r->call.control, status, "pick", error);
    r->question.crowd = &r->crowd;
    return GRZ_OK;
}

static grz_status prepare(grz_pick_request *r, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(&r->call.control);
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < r->list.count && status == GRZ_OK; i++)
        if (!r->list.of_scene || r->list.objects[i].mesh != NULL)
            status = check_object(r, i, error);
    if (status != GRZ_OK || r->list.count == 0)
        return status;
    r->room = r->list.count;
    r->here = grz_allocate(allocator, r->room, sizeof *r->here);
    r->targets = grz_allocate(allocator, r->room, sizeof *r->targets);
    if (r->here == NULL || r->targets == NULL)
        return grz_control_explain(&r->call.control, GRZ_ERROR_MEMORY, "pick", error);
    r->question.targets = r->targets;
    for (uint32_t i = 0; i < r->list.count && status == GRZ_OK; i++)
        if (is_wanted(r, i))
            status = add_target(r, i, error);
    if (status == GRZ_OK && r->ray_count > FEW_RAYS && r->question.target_count >= CROWD &&
        !grz_filter_can(r->filter, GRZ_IS_REFERENCE))
        status = make_crowd(r, error);
    return status;
}

void grz_pick_request_finish(grz_pick_request *r)
{
    const grz_allocator *allocator = grz_control_allocator(&r->call.control);
    grz_release(allocator, r->here, r->room, sizeof *r->here);
    grz_release(allocator, r->targets, r->room, sizeof *r->targets);
    grz_crowd_finish(&r->crowd, allocator);
}

grz_status grz_pick_request_prepare(grz_pick_request *r, grz_targets targets)
{
    grz_error *error = r->call.error;
    grz_device *device = r->call.device;
    if (r->ray_count > 0 && r->rays == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the rays are NULL");
    grz_status status = grz_targets_read("pick", device, targets, &r->list, error);
    if (status == GRZ_OK)
        status = grz_pick_method(&r->options, &r->filter, error);
    if (status != GRZ_OK)
        return status;
    r->question.boxes = grz_ray_boxes_for(grz_device_simd(r->call.device));
    r->question.describe = grz_line_describe_for(grz_device_simd(r->call.device));
    r->question.describe_four = grz_line_describe_four_for(grz_device_simd(r->call.device));
    r->question.crosses = grz_line_crosses_posed_for(grz_device_simd(r->call.device));
    r->question.packet_steps = grz_packet_steps_for(grz_device_simd(r->call.device));
    r->question.steps = grz_packed_steps_for(grz_device_simd(r->call.device));
    r->question.skip[GRZ_RAY_FRONT] = r->options.skip_front;
    r->question.skip[GRZ_RAY_BACK] = r->options.skip_back;
    status = check_rays(r, error);
    return status == GRZ_OK ? prepare(r, error) : status;
}
