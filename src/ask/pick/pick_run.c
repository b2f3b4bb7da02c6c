// SPDX-License-Identifier: MIT
// Follows the rays of a request, spread over the device's threads: bundles of rays that go nearly the same way side by
// side, others several in turn.
#include "ask/pick/pick_run.h"

#include <math.h>

#include "ask/pick/pending.h"
#include "base/control.h"
#include "base/device.h"

enum {
    MIN_BLOCK = 16, // rays
    MAX_BLOCK = 1024,
    BLOCKS_PER_THREAD = 8,
    AT_ONCE = GRZ_PACKET_RAYS, // rays that one thread follows in turn
    HIT_BITS = 6               // hits between two checks of the control while they are described, as a power of two
};

// Rays that differ by no more are followed side by side: their directions, as a share of the largest component, and
// their origins, in the unit of the object's frame.
static const double MOST_TURN = 0.05, MOST_SHIFT = 0.02;

const grz_ray_hit grz_pick_no_hit = {.t = HUGE_VAL,
                                     .lower = HUGE_VAL,
                                     .upper = HUGE_VAL,
                                     .distance = HUGE_VAL,
                                     .object = GRZ_NO_OBJECT,
                                     .face = GRZ_NO_FACE,
                                     .feature = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}}};

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
static bool write_answer(grz_pick_request *r, worker *own, walker *w)
{
    if (r->any != NULL) {
        r->any[w->ray] = w->search.found.count > 0;
    } else if (w->search.found.count > 0) {
        const grz_pick_candidate *first = grz_pick_first(&w->search);
        if (first == NULL)
            return false;
        grz_pick_pending_add(&own->pending, &w->search, first, &r->hits[w->ray]);
    } else {
        r->hits[w->ray] = grz_pick_no_hit;
    }
    return true;
}

// Follow the rays from `next` to `end`, several in turn. False: the control says to end.
static bool follow(grz_pick_request *r, worker *own, uint64_t next, uint64_t end)
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
static bool is_bundle(const grz_pick_request *r, uint64_t first, uint64_t end)
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
static bool finish_alone(grz_pick_request *r, worker *own, walker *w)
{
    grz_pick_state state = GRZ_PICK_GOES_ON;
    while (state == GRZ_PICK_GOES_ON)
        state = grz_pick_search_step(&w->search);
    return state == GRZ_PICK_DONE && write_answer(r, own, w);
}

// Begin with a bundle of rays. Those that do not go on together are followed by themselves. False: the control says to
// end.
static bool begin_bundle(grz_pick_request *r, worker *own, uint64_t first, uint32_t *together)
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
static bool follow_bundle(grz_pick_request *r, worker *own, uint64_t first)
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
static bool follow_all(grz_pick_request *r, worker *own, uint64_t next, uint64_t end)
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
static bool open_worker(grz_pick_request *r, worker *w, uint64_t count)
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
    grz_pick_request *r = context;
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

grz_status grz_pick_run(grz_pick_request *r, grz_error *error)
{
    const uint64_t share = r->ray_count / (BLOCKS_PER_THREAD * (uint64_t)grz_device_threads(r->call.device));
    r->block_size = share < MIN_BLOCK ? MIN_BLOCK : share > MAX_BLOCK ? MAX_BLOCK : (size_t)share;
    grz_parallel(r->call.device, (size_t)((r->ray_count - 1) / r->block_size + 1), answer_block, r);
    const grz_status status = grz_control_status(&r->call.control);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(&r->call.control, status, "pick", error);
}

// ---- All hits of one ray -------------------------------------------------------------------------------------------

bool grz_pick_run_all(grz_pick_request *r, grz_pick_search *search, grz_ray_hit *hits, uint64_t capacity)
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
