// SPDX-License-Identifier: MIT
// grz_pick() and the calls beside it: checks what was asked, prepares the objects, and spreads the rays over the
// device's threads.
#include <graze/pick.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/pick/pending.h"
#include "ask/pick/pick_request.h"
#include "ask/pick/pick_search.h"
#include "ask/pick/targets.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/options.h"
#include "geometry/exact/expansion.h"
#include "geometry/pose.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "query/methods.h"

enum {
    MIN_BLOCK = 16, // rays
    MAX_BLOCK = 1024,
    BLOCKS_PER_THREAD = 8,
    CROWD = 8,                 // objects: with fewer, each ray looks at the box of each object
    FEW_RAYS = 4,              // for so many, objects whose boxes they miss are left out at once
    AT_ONCE = GRZ_PACKET_RAYS, // rays that one thread follows in turn
    CHECK_BITS = 12,           // rays between two checks of the control while they are looked over, as a power of two
    HIT_BITS = 6               // the same of hits while they are described
};

// Rays that differ by no more are followed side by side: their directions, as a share of the largest component, and
// their origins, in the unit of the object's frame.
static const double MOST_TURN = 0.05, MOST_SHIFT = 0.02;

static const grz_pick_options defaults = {.size = sizeof(grz_pick_options), .mask = UINT32_MAX};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(pick_options, defaults);

static const grz_ray_hit no_hit = {.t = HUGE_VAL,
                                   .lower = HUGE_VAL,
                                   .upper = HUGE_VAL,
                                   .distance = HUGE_VAL,
                                   .object = GRZ_NO_OBJECT,
                                   .face = GRZ_NO_FACE,
                                   .feature = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}}};

void grz_pick_options_init(grz_pick_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_ray grz_ray_along(const double origin[3], const double direction[3])
{
    grz_ray ray = {.from = 0.0, .to = HUGE_VAL};
    for (int k = 0; k < 3 && origin != NULL && direction != NULL; k++) {
        ray.origin[k] = origin[k];
        ray.direction[k] = direction[k];
    }
    return ray;
}

grz_ray grz_ray_between(const double p[3], const double q[3])
{
    grz_ray ray = {.from = 0.0, .to = 1.0};
    const grz_fp_state fp = grz_fp_enter();
    for (int k = 0; k < 3 && p != NULL && q != NULL; k++) {
        ray.origin[k] = p[k];
        two_diff(q[k], p[k], &ray.direction[k], &ray.tail[k]);
    }
    grz_fp_leave(fp);
    return ray;
}

// ---- What is asked ------------------------------------------------------------------------------------------------

// What all calls have in common.
typedef struct request {
    grz_call call;
    grz_target_list list;
    const grz_ray *rays;
    uint64_t ray_count;
    grz_pick_aim aim;
    const grz_filter *filter;
    grz_pick_options options;
    grz_object *here; // objects with their meshes in memory, one for each target
    grz_pick_target *targets;
    uint32_t room; // of both
    grz_crowd crowd;
    grz_pick_question question;
    size_t block_size;
    // One of these receives the answers.
    grz_ray_hit *hits;
    bool *any;
} request;

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

static grz_status check_rays(request *r, grz_error *error)
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

// ---- Objects --------------------------------------------------------------------------------------------------------

static grz_status check_object(const request *r, uint32_t i, grz_error *error)
{
    char name[32] = "the object";
    if (r->list.count > 1)
        (void)snprintf(name, sizeof name, "object %lu", (unsigned long)i);
    return grz_object_check("pick", &r->list.objects[i], name, i, error);
}

static grz_status add_target(request *r, uint32_t i, grz_error *error)
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
static bool is_met(const request *r, uint32_t i)
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
static bool is_wanted(const request *r, uint32_t i)
{
    if ((r->list.of_scene && r->list.objects[i].mesh == NULL) || (r->list.objects[i].group & r->options.mask) == 0)
        return false;
    return r->ray_count > FEW_RAYS || r->list.count < CROWD || grz_filter_can(r->filter, GRZ_IS_REFERENCE) ||
           is_met(r, i);
}

// A tree over the boxes of many targets.
static grz_status make_crowd(request *r, grz_error *error)
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

static grz_status prepare(request *r, grz_error *error)
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

static void finish(request *r)
{
    const grz_allocator *allocator = grz_control_allocator(&r->call.control);
    grz_release(allocator, r->here, r->room, sizeof *r->here);
    grz_release(allocator, r->targets, r->room, sizeof *r->targets);
    grz_crowd_finish(&r->crowd, allocator);
}

// ---- Rays -----------------------------------------------------------------------------------------------------------

// A search and the ray that it follows.
typedef struct walker {
    grz_pick_search search;
    uint64_t ray;
} walker;

// What a thread needs for a block of rays.
typedef struct worker {
    walker *walkers;
    size_t walker_count;
    grz_packet *packet; // NULL: there are too few rays
    grz_pick_pending pending;
} worker;

// Write the answer of a search that is done, or have it written later. False: the control says to end.
static bool write_answer(request *r, worker *own, walker *w)
{
    if (r->any != NULL) {
        r->any[w->ray] = w->search.found.count > 0;
    } else if (w->search.found.count > 0) {
        const grz_pick_candidate *first = grz_pick_first(&w->search);
        if (first == NULL)
            return false;
        grz_pick_pending_add(&own->pending, &w->search, first, &r->hits[w->ray]);
    } else {
        r->hits[w->ray] = no_hit;
    }
    return true;
}

// Follow the rays from `next` to `end`, several in turn. False: the control says to end.
static bool follow(request *r, worker *own, uint64_t next, uint64_t end)
{

    walker *walkers = own->walkers, *busy[AT_ONCE];
    size_t count = 0;
    for (; count < own->walker_count && next < end; count++) {
        busy[count] = &walkers[count];
        busy[count]->ray = next;
        grz_pick_search_begin(&busy[count]->search, &r->rays[next++]);
    }
    while (count > 0)
        for (size_t i = 0; i < count; i++) {
            const grz_pick_state state = grz_pick_search_step(&busy[i]->search);
            if (state == GRZ_PICK_GOES_ON)
                continue;
            if (state == GRZ_PICK_ENDED || !write_answer(r, own, busy[i]))
                return false;
            if (next < end) {
                busy[i]->ray = next;
                grz_pick_search_begin(&busy[i]->search, &r->rays[next++]);
            } else {
                busy[i--] = busy[--count];
            }
        }
    return true;
}

// ---- Rays side by side ---------------------------------------------------------------------------------------------

// True if the next rays begin near to each other, in the only target's unit, and go nearly the same way.
static bool is_bundle(const request *r, uint64_t first, uint64_t end)
{
    const grz_ray *one = &r->rays[first];
    double length = 0.0, turn = 0.0, shift = 0.0;
    if (end - first < GRZ_PACKET_RAYS || r->question.target_count != 1 || r->targets[0].packed == NULL ||
        r->aim == GRZ_PICK_ALL)
        return false;
    for (int i = 1; i < GRZ_PACKET_RAYS; i++)
        for (int k = 0; k < 3; k++) {
            const double way = fabs(one[i].direction[k] - one->direction[k]),
                         away = fabs(one[i].origin[k] - one->origin[k]), along = fabs(one->direction[k]);
            turn = way > turn ? way : turn;
            shift = away > shift ? away : shift;
            length = along > length ? along : length;
        }
    return turn <= MOST_TURN * length && shift * r->targets[0].frames.scale <= MOST_SHIFT;
}

// Follow a search that has begun by itself. False: the control says to end.
static bool finish_alone(request *r, worker *own, walker *w)
{
    grz_pick_state state = GRZ_PICK_GOES_ON;
    while (state == GRZ_PICK_GOES_ON)
        state = grz_pick_search_step(&w->search);
    return state == GRZ_PICK_DONE && write_answer(r, own, w);
}

// Begin with a bundle of rays. Those that do not go on together are followed by themselves. False: the control says to
// end.
static bool begin_bundle(request *r, worker *own, uint64_t first, uint32_t *together)
{
    grz_packet_rays rays;
    for (uint32_t i = 0; i < GRZ_PACKET_RAYS; i++) {
        own->walkers[i].ray = first + i;
        grz_pick_search_begin(&own->walkers[i].search, &r->rays[first + i]);
        grz_packet_rays_set(&rays, i, &own->walkers[i].search.line);
    }
    *together = r->question.packet_steps->begin(own->packet, r->targets[0].packed, &r->targets[0].frame, &rays);
    for (uint32_t i = 0; i < GRZ_PACKET_RAYS; i++) {
        grz_pick_search *search = &own->walkers[i].search;
        if ((*together >> i & 1) == 0) {
            if (!finish_alone(r, own, &own->walkers[i]))
                return false;
            continue;
        }
        grz_pick_search_enter(search, rays.start[i], rays.speed[i]);
        grz_packet_add(own->packet, i, search->walk.from, search->walk.limit);
    }
    return true;
}

// Follow a bundle of rays. False: the control says to end.
static bool follow_bundle(request *r, worker *own, uint64_t first)
{
    uint32_t leaf, rays, together;
    if (!begin_bundle(r, own, first, &together))
        return false;
    while (r->question.packet_steps->next(own->packet, &leaf, &rays))
        for (; rays != 0; rays &= rays - 1) {
            const int i = __builtin_ctz(rays);
            grz_pick_search *search = &own->walkers[i].search;
            const grz_pick_state state = grz_pick_search_leaf(search, leaf);
            if (state == GRZ_PICK_ENDED)
                return false;
            own->packet->limit[i] = state == GRZ_PICK_DONE ? -HUGE_VALF : search->walk.limit;
        }
    for (; together != 0; together &= together - 1)
        if (!write_answer(r, own, &own->walkers[__builtin_ctz(together)]))
            return false;
    return true;
}

// Follow the rays from `next` to `end`: bundles side by side, what is between them in turn. False: the control says to
// end.
static bool follow_all(request *r, worker *own, uint64_t next, uint64_t end)
{
    while (next < end) {
        uint64_t bundle = next;
        while (bundle < end && !is_bundle(r, bundle, end))
            bundle += end - bundle < GRZ_PACKET_RAYS ? end - bundle : GRZ_PACKET_RAYS;
        if (bundle > next && !follow(r, own, next, bundle))
            return false;
        if (bundle < end && !follow_bundle(r, own, bundle))
            return false;
        next = bundle < end ? bundle + GRZ_PACKET_RAYS : end;
    }
    return true;
}

static void close_worker(worker *w, const grz_allocator *allocator)
{
    for (size_t i = 0; w->walkers != NULL && i < w->walker_count; i++)
        grz_pick_search_finish(&w->walkers[i].search);
    grz_release(allocator, w->walkers, w->walker_count, sizeof *w->walkers);
    grz_release(allocator, w->packet, 1, sizeof *w->packet);
}

// For a block of so many rays. False if there is no memory. Call close_worker() in any case.
static bool open_worker(request *r, worker *w, uint64_t count)
{
    const grz_allocator *allocator = grz_control_allocator(&r->call.control);
    w->walker_count = count < AT_ONCE ? (size_t)count : AT_ONCE;
    w->walkers = grz_allocate(allocator, w->walker_count, sizeof *w->walkers);
    if (w->walkers != NULL)
        for (size_t i = 0; i < w->walker_count; i++)
            grz_pick_search_init(&w->walkers[i].search, &r->question, &r->call.control, r->aim);
    if (w->walkers != NULL && count >= GRZ_PACKET_RAYS)
        w->packet = grz_allocate(allocator, 1, sizeof *w->packet);
    return w->walkers != NULL && (count < GRZ_PACKET_RAYS || w->packet != NULL);
}

static void answer_block(size_t index, void *context)
{
    request *r = context;
    const uint64_t first = (uint64_t)index * r->block_size, left = r->ray_count - first,
                   count = left < r->block_size ? left : r->block_size;
    worker w = {.walkers = NULL};
    if (grz_control_expired(&r->call.control))
        return;
    if (!open_worker(r, &w, count))
        grz_control_fail(&r->call.control, GRZ_ERROR_MEMORY);
    else if (follow_all(r, &w, first, first + count))
        grz_pick_pending_finish(&w.pending, &r->question);
    close_worker(&w, grz_control_allocator(&r->call.control));
}

static grz_status answer_all_rays(request *r, grz_error *error)
{
    const uint64_t share = r->ray_count / (BLOCKS_PER_THREAD * (uint64_t)grz_device_threads(r->call.device));
    r->block_size = share < MIN_BLOCK ? MIN_BLOCK : share > MAX_BLOCK ? MAX_BLOCK : (size_t)share;
    grz_parallel(r->call.device, (size_t)((r->ray_count - 1) / r->block_size + 1), answer_block, r);
    const grz_status status = grz_control_status(&r->call.control);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(&r->call.control, status, "pick", error);
}

// Everything but the rays. Call finish() in any case.
static grz_status begin(request *r, grz_targets targets)
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

// Answer rays, each by itself.
static grz_status answer_each(request *r, grz_device *device, grz_targets targets, const grz_pick_options *options,
                              grz_error *error)
{
    const bool has_room = r->ray_count == 0 || r->hits != NULL || r->any != NULL;
    grz_status status = grz_pick_begin(&r->call, "pick", device, options, &r->options, error);
    if (status == GRZ_OK && !has_room)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the answers are NULL");
    if (status == GRZ_OK) {
        status = begin(r, targets);
        if (status == GRZ_OK && r->ray_count > 0)
            status = answer_all_rays(r, error);
        finish(r);
    }
    // Stopped threads leave some answers unwritten; no entry may look decided.
    for (uint64_t i = 0; status != GRZ_OK && has_room && i < r->ray_count; i++) {
        if (r->any != NULL)
            r->any[i] = false;
        else
            r->hits[i] = no_hit;
    }
    return grz_call_end(&r->call, status);
}

// Find, order and describe. False: the control says to end.
static bool list_hits(request *r, grz_pick_search *search, grz_ray_hit *hits, uint64_t capacity)
{
    grz_pick_state state = GRZ_PICK_GOES_ON;
    grz_pick_search_begin(search, r->rays);
    while (state == GRZ_PICK_GOES_ON)
        state = grz_pick_search_step(search);
    if (state == GRZ_PICK_ENDED || !grz_pick_order_all(search))
        return false;
    for (size_t i = 0; i < search->found.count && i < capacity; i++) {
        if (grz_control_expired_at(&r->call.control, i, HIT_BITS))
            return false;
        grz_pick_describe(search, &search->found.items[i], &hits[i]);
    }
    return true;
}

static grz_status find_all(request *r, grz_targets targets, grz_ray_hit *hits, uint64_t capacity, uint64_t *found)
{
    grz_pick_search search;
    grz_pick_search_init(&search, &r->question, &r->call.control, GRZ_PICK_ALL);
    const grz_status status = begin(r, targets);
    if (status != GRZ_OK)
        return status;
    const bool done = list_hits(r, &search, hits, capacity);
    *found = done ? search.found.count : 0;
    grz_pick_search_finish(&search);
    return done ? GRZ_OK : grz_call_explain(&r->call, grz_control_status(&r->call.control));
}

// ---- The calls ------------------------------------------------------------------------------------------------------

grz_status grz_pick(grz_device *device, grz_targets targets, const grz_ray *rays, uint64_t ray_count,
                    const grz_pick_options *options, grz_ray_hit *hits, grz_error *error)
{
    request r = {.rays = rays, .ray_count = ray_count, .aim = GRZ_PICK_FIRST};
    r.hits = hits;
    return answer_each(&r, device, targets, options, error);
}

grz_status grz_pick_any(grz_device *device, grz_targets targets, const grz_ray *rays, uint64_t ray_count,
                        const grz_pick_options *options, bool *hits, grz_error *error)
{
    request r = {.rays = rays, .ray_count = ray_count, .aim = GRZ_PICK_ANY};
    r.any = hits;
    return answer_each(&r, device, targets, options, error);
}

grz_status grz_pick_all(grz_device *device, grz_targets targets, const grz_ray *ray, const grz_pick_options *options,
                        grz_ray_hit *hits, uint64_t capacity, uint64_t *found, grz_error *error)
{
    request r = {.rays = ray, .ray_count = 1, .aim = GRZ_PICK_ALL};
    if (found == NULL || (capacity > 0 && hits == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: %s",
                        found == NULL ? "the place for the number of hits is NULL" : "the answers are NULL");
    *found = 0;
    grz_status status = grz_pick_begin(&r.call, "pick", device, options, &r.options, error);
    if (status == GRZ_OK) {
        status = find_all(&r, targets, hits, capacity, found);
        finish(&r);
    }
    return grz_call_end(&r.call, status);
}
