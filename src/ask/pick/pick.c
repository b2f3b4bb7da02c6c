// SPDX-License-Identifier: MIT
// grz_pick() and the calls beside it: from what is asked (pick_request.c) to the answers (pick_run.c). And how rays are
// made.
#include <graze/pick.h>

#include <math.h>

#include "ask/pick/pick_run.h"
#include "base/call.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/exact/expansion.h"

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

// Answer rays, each by itself.
static grz_status answer_each(grz_pick_request *r, grz_device *device, grz_targets targets,
                              const grz_pick_options *options, grz_error *error)
{
    const bool has_room = r->ray_count == 0 || r->hits != NULL || r->any != NULL;
    grz_status status = grz_pick_begin(&r->call, "pick", device, options, &r->options, error);
    if (status == GRZ_OK && !has_room)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the answers are NULL");
    if (status == GRZ_OK) {
        status = grz_pick_request_prepare(r, targets);
        if (status == GRZ_OK && r->ray_count > 0)
            status = grz_pick_run(r, error);
        grz_pick_request_finish(r);
    }
    // Stopped threads leave some answers unwritten; no entry may look decided.
    for (uint64_t i = 0; status != GRZ_OK && has_room && i < r->ray_count; i++) {
        if (r->any != NULL)
            r->any[i] = false;
        else
            r->hits[i] = grz_pick_no_hit;
    }
    return grz_call_end(&r->call, status);
}

static grz_status find_all(grz_pick_request *r, grz_targets targets, grz_ray_hit *hits, uint64_t capacity,
                           uint64_t *found)
{
    grz_pick_search search;
    grz_pick_search_init(&search, &r->question, &r->call.control, GRZ_PICK_ALL);
    const grz_status status = grz_pick_request_prepare(r, targets);
    if (status != GRZ_OK)
        return status;
    const bool done = grz_pick_run_all(r, &search, hits, capacity);
    *found = done ? search.found.count : 0;
    grz_pick_search_finish(&search);
    return done ? GRZ_OK : grz_call_explain(&r->call, grz_control_status(&r->call.control));
}

grz_status grz_pick(grz_device *device, grz_targets targets, const grz_ray *rays, uint64_t ray_count,
                    const grz_pick_options *options, grz_ray_hit *hits, grz_error *error)
{
    grz_pick_request r = {.rays = rays, .ray_count = ray_count, .aim = GRZ_PICK_FIRST};
    r.hits = hits;
    return answer_each(&r, device, targets, options, error);
}

grz_status grz_pick_any(grz_device *device, grz_targets targets, const grz_ray *rays, uint64_t ray_count,
                        const grz_pick_options *options, bool *hits, grz_error *error)
{
    grz_pick_request r = {.rays = rays, .ray_count = ray_count, .aim = GRZ_PICK_ANY};
    r.any = hits;
    return answer_each(&r, device, targets, options, error);
}

grz_status grz_pick_all(grz_device *device, grz_targets targets, const grz_ray *ray, const grz_pick_options *options,
                        grz_ray_hit *hits, uint64_t capacity, uint64_t *found, grz_error *error)
{
    grz_pick_request r = {.rays = ray, .ray_count = 1, .aim = GRZ_PICK_ALL};
    if (found == NULL || (capacity > 0 && hits == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: %s",
                        found == NULL ? "the place for the number of hits is NULL" : "the answers are NULL");
    *found = 0;
    grz_status status = grz_pick_begin(&r.call, "pick", device, options, &r.options, error);
    if (status == GRZ_OK) {
        status = find_all(&r, targets, hits, capacity, found);
        grz_pick_request_finish(&r);
    }
    return grz_call_end(&r.call, status);
}
