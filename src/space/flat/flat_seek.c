// SPDX-License-Identifier: MIT
// The nearest item, and what a ray meets. Of two items the one that is nearer, or met first, is decided exactly where
// doubles do not know; the structure is told how far away the best one is at most.
#include <math.h>

#include "base/fail.h"
#include "base/sort/sort.h"
#include "space/flat/flat_distance.h"
#include "space/flat/flat_set.h"

enum {
    CHECK_BITS = 10
};

// ---- The nearest item -----------------------------------------------------------------------------------------------

typedef struct nearest_seeker {
    grz_flat_seeker seeker;
    const grz_flat_items *items;
    grz_control *control;
    size_t steps;
    const double *point;
    grz_flat_gap gap; // of the best
    uint32_t best;
} nearest_seeker;

// Is an item nearer than the best one, or as near with a lower number?
static bool is_nearer(const nearest_seeker *s, uint32_t number, const grz_flat_gap *gap)
{
    if (s->best == GRZ_FLAT_NONE || gap->upper < s->gap.lower)
        return true;
    if (gap->lower > s->gap.upper)
        return false;
    int order = 0;
    if (gap->lower < gap->upper || s->gap.lower < s->gap.upper)
        order = grz_flat_distances_compare(&s->items->items[number], &s->items->items[s->best], s->point);
    return order < 0 || (order == 0 && number < s->best);
}

static bool visit_nearest(grz_flat_seeker *seeker, uint32_t number)
{
    nearest_seeker *s = (nearest_seeker *)seeker;
    if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
        return false;
    if (number == s->best)
        return true;
    const grz_flat_gap gap = grz_flat_gap_of(&s->items->items[number], s->point);
    if (is_nearer(s, number, &gap)) {
        s->best = number;
        s->gap = gap;
        seeker->bound = gap.upper < seeker->bound ? gap.upper : seeker->bound;
    }
    return true;
}

static grz_status find_nearest(const grz_flat *flat, const double *points, uint64_t count, grz_flat_near *answers,
                               grz_call *call)
{
    nearest_seeker s = {.items = &flat->items, .control = &call->control};
    for (uint64_t i = 0; i < count; i++) {
        s.seeker = (grz_flat_seeker){visit_nearest, HUGE_VAL};
        s.point = points + 2 * i;
        s.best = GRZ_FLAT_NONE;
        const grz_status status = grz_flat_check_point(s.point, "point", i, call->error);
        if (status != GRZ_OK)
            return status;
        if (!flat->structure->near_point(flat->state, &flat->items, s.point, &s.seeker))
            return grz_control_status(&call->control);
        answers[i] = (grz_flat_near){HUGE_VAL, s.best};
        if (s.best != GRZ_FLAT_NONE)
            answers[i].distance = grz_flat_distance_of(&flat->items.items[s.best], s.point);
        if (grz_control_expired_at(&call->control, (size_t)i, CHECK_BITS / 2))
            return grz_control_status(&call->control);
    }
    return GRZ_OK;
}

grz_status grz_flat_nearest(const grz_flat *flat, const double *points, uint64_t count, const grz_flat_options *options,
                            grz_flat_near *answers, grz_error *error)
{
    grz_call call;
    grz_status status = grz_flat_begin(&call, flat, options, error);
    if (status == GRZ_OK && count > 0)
        status = grz_flat_need(points, "the points are", error);
    if (status == GRZ_OK && count > 0)
        status = grz_flat_need(answers, "the place for the answers is", error);
    if (status == GRZ_OK)
        status = find_nearest(flat, points, count, answers, &call);
    return grz_call_end(&call, grz_call_explain(&call, status));
}

// ---- What a ray meets -----------------------------------------------------------------------------------------------

// An item that a ray meets.
typedef struct met {
    grz_flat_entry entry;
    uint32_t number;
} met;

typedef struct line_seeker {
    grz_flat_seeker seeker;
    const grz_flat_items *items;
    grz_control *control;
    size_t steps;
    grz_flat_line line;
    met best;
    bool wants_all;
    GRZ_ARRAY(met) found;
} line_seeker;

// By t, then by number: -1, 0 or 1.
static int compare_met(const void *x, const void *y, void *context)
{
    const line_seeker *s = context;
    const met *a = x, *b = y;
    if (a->entry.upper < b->entry.lower || a->entry.lower > b->entry.upper)
        return a->entry.upper < b->entry.lower ? -1 : 1;
    if (a->number == b->number)
        return 0;
    int order = 0;
    if (a->entry.lower < a->entry.upper || b->entry.lower < b->entry.upper)
        order = grz_flat_entries_compare(&s->line, &s->items->items[a->number], &s->items->items[b->number]);
    return order != 0 ? order : a->number < b->number ? -1 : 1;
}

static bool visit_met(grz_flat_seeker *seeker, uint32_t number)
{
    line_seeker *s = (line_seeker *)seeker;
    const grz_flat_held *item = &s->items->items[number];
    if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
        return false;
    if (number == s->best.number || !grz_flat_line_meets(&s->line, item))
        return true;
    const met found = {grz_flat_entry_of(&s->line, item), number};
    if (s->wants_all) {
        if (!grz_array_add(grz_control_allocator(s->control), &s->found)) {
            grz_control_fail(s->control, GRZ_ERROR_MEMORY);
            return false;
        }
        s->found.items[s->found.count - 1] = found;
    } else if (s->best.number == GRZ_FLAT_NONE || compare_met(&found, &s->best, s) < 0) {
        s->best = found;
        seeker->bound = found.entry.upper < seeker->bound ? found.entry.upper : seeker->bound;
    }
    return true;
}

static grz_status read_line(const grz_flat_ray *ray, uint64_t number, line_seeker *s, grz_error *error)
{
    char fault[GRZ_FLAT_FAULT];
    if (grz_flat_line_read(ray, &s->line, fault))
        return GRZ_OK;
    return grz_fail(error, GRZ_ERROR_ARGUMENT, number, "flat: ray %llu: %s", (unsigned long long)number, fault);
}

static grz_flat_hit hit_of(const line_seeker *s, uint32_t number)
{
    if (number == GRZ_FLAT_NONE)
        return (grz_flat_hit){HUGE_VAL, number};
    return (grz_flat_hit){grz_flat_entry_round(&s->line, &s->items->items[number]), number};
}

static grz_status find_first(const grz_flat *flat, const grz_flat_ray *rays, uint64_t count, grz_flat_hit *hits,
                             grz_call *call)
{
    line_seeker s = {.items = &flat->items, .control = &call->control};
    for (uint64_t i = 0; i < count; i++) {
        const grz_status status = read_line(&rays[i], i, &s, call->error);
        if (status != GRZ_OK)
            return status;
        s.seeker = (grz_flat_seeker){visit_met, HUGE_VAL};
        s.best = (met){{0.0, 0.0}, GRZ_FLAT_NONE};
        if (!flat->structure->near_line(flat->state, &flat->items, &s.line, &s.seeker))
            return grz_control_status(&call->control);
        hits[i] = hit_of(&s, s.best.number);
        if (grz_control_expired_at(&call->control, (size_t)i, CHECK_BITS / 2))
            return grz_control_status(&call->control);
    }
    return GRZ_OK;
}

grz_status grz_flat_first_hits(const grz_flat *flat, const grz_flat_ray *rays, uint64_t count,
                               const grz_flat_options *options, grz_flat_hit *hits, grz_error *error)
{
    grz_call call;
    grz_status status = grz_flat_begin(&call, flat, options, error);
    if (status == GRZ_OK && count > 0)
        status = grz_flat_need(rays, "the rays are", error);
    if (status == GRZ_OK && count > 0)
        status = grz_flat_need(hits, "the place for the hits is", error);
    if (status == GRZ_OK)
        status = find_first(flat, rays, count, hits, &call);
    return grz_call_end(&call, grz_call_explain(&call, status));
}

// Sort what was found; what was visited several times is kept once.
static grz_status sort_met(line_seeker *s)
{
    grz_status status = grz_control_status(s->control);
    if (status == GRZ_OK && s->found.count > 0)
        status = grz_sort(s->found.items, s->found.count, sizeof *s->found.items, compare_met, s, s->control);
    size_t count = 0;
    for (size_t i = 0; status == GRZ_OK && i < s->found.count; i++)
        if (count == 0 || s->found.items[count - 1].number != s->found.items[i].number)
            s->found.items[count++] = s->found.items[i];
    s->found.count = status == GRZ_OK ? count : 0;
    return status;
}

static grz_status find_all(const grz_flat *flat, const grz_flat_ray *ray, grz_flat_hit *hits, uint64_t capacity,
                           uint64_t *found, grz_call *call)
{
    line_seeker s = {.seeker = {visit_met, HUGE_VAL},
                     .items = &flat->items,
                     .control = &call->control,
                     .best = {{0.0, 0.0}, GRZ_FLAT_NONE},
                     .wants_all = true};
    grz_status status = read_line(ray, 0, &s, call->error);
    if (status != GRZ_OK)
        return status;
    if (!grz_control_expired(&call->control))
        flat->structure->near_line(flat->state, &flat->items, &s.line, &s.seeker);
    status = sort_met(&s);
    for (size_t i = 0; i < s.found.count && i < capacity; i++)
        hits[i] = hit_of(&s, s.found.items[i].number);
    *found = s.found.count;
    grz_array_finish(grz_control_allocator(&call->control), &s.found);
    return status;
}

grz_status grz_flat_all_hits(const grz_flat *flat, const grz_flat_ray *ray, const grz_flat_options *options,
                             grz_flat_hit *hits, uint64_t capacity, uint64_t *found, grz_error *error)
{
    grz_call call;
    grz_status status = grz_flat_begin(&call, flat, options, error);
    if (found != NULL)
        *found = 0;
    if (status == GRZ_OK)
        status = grz_flat_need(ray, "the ray is", error);
    if (status == GRZ_OK)
        status = grz_flat_need(found, "found is", error);
    if (status == GRZ_OK && capacity > 0)
        status = grz_flat_need(hits, "the place for the hits is", error);
    if (status == GRZ_OK && found != NULL)
        status = find_all(flat, ray, hits, capacity, found, &call);
    return grz_call_end(&call, grz_call_explain(&call, status));
}
