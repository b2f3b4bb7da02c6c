// SPDX-License-Identifier: MIT
// Joins bodies of a cover: always the two whose hull has the least volume beyond theirs, if it stands out by no more
// than is allowed. Hulls of two bodies hold both, so nothing is uncovered.
#include <math.h>
#include <string.h>

#include "ask/convex_parts/cover.h"
#include "base/control.h"

// Two bodies that have not been joined, and what their hull would add.
typedef struct couple {
    uint32_t a, b;
    double added;
} couple;

typedef struct joining {
    grz_cover *cover;
    GRZ_ARRAY(couple) couples;
} joining;

static bool is_gone(const grz_cover_body *body)
{
    return body->hull.vertex_count == 0;
}

static grz_status join_hulls(grz_cover *cover, const grz_hull_shape *a, const grz_hull_shape *b, grz_hull_shape *out)
{
    const size_t count = (size_t)a->vertex_count + b->vertex_count;
    double *points = grz_allocate(cover->allocator, count, 3 * sizeof *points);
    if (points == NULL)
        return GRZ_ERROR_MEMORY;
    memcpy(points, a->positions, 3 * (size_t)a->vertex_count * sizeof *points);
    memcpy(points + 3 * (size_t)a->vertex_count, b->positions, 3 * (size_t)b->vertex_count * sizeof *points);
    const grz_status status = grz_hull_build(points, NULL, (uint32_t)count, cover->control, out);
    grz_release(cover->allocator, points, count, 3 * sizeof *points);
    return status;
}

// Whether the boxes of two hulls are no farther apart than this, along each axis.
static bool are_near(const grz_hull_shape *a, const grz_hull_shape *b, double distance)
{
    for (int k = 0; k < 3; k++) {
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        const grz_hull_shape *const both[2] = {a, b};
        for (int i = 0; i < 2; i++)
            for (uint32_t v = 0; v < both[i]->vertex_count; v++) {
                low[i] = fmin(low[i], both[i]->positions[3 * (size_t)v + (size_t)k]);
                high[i] = fmax(high[i], both[i]->positions[3 * (size_t)v + (size_t)k]);
            }
        if (low[0] > high[1] + distance || low[1] > high[0] + distance)
            return false;
    }
    return true;
}

static grz_status add_couple(joining *j, uint32_t a, uint32_t b)
{
    const grz_cover_body *first = &j->cover->bodies.items[a], *second = &j->cover->bodies.items[b];
    grz_hull_shape hull;
    const grz_status status = join_hulls(j->cover, &first->hull, &second->hull, &hull);
    if (status != GRZ_OK)
        return status;
    const double added = grz_cover_volume(&hull) - first->volume - second->volume;
    grz_hull_shape_finish(j->cover->allocator, &hull);
    if (!grz_array_add(j->cover->allocator, &j->couples))
        return GRZ_ERROR_MEMORY;
    j->couples.items[j->couples.count - 1] = (couple){a, b, added};
    return GRZ_OK;
}

// The couples of one body with those of smaller or of all numbers, if they are near, or with any of them.
static grz_status add_couples(joining *j, uint32_t which, bool with_larger, bool with_far)
{
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < (with_larger ? j->cover->bodies.count : which) && status == GRZ_OK; i++) {
        const grz_cover_body *bodies = j->cover->bodies.items;
        if (i != which && !is_gone(&bodies[i]) && !is_gone(&bodies[which]) &&
            (with_far || are_near(&bodies[i].hull, &bodies[which].hull, j->cover->allowed)))
            status = grz_control_expired(j->cover->control) ? grz_control_status(j->cover->control)
                                                            : add_couple(j, i, which);
    }
    return status;
}

// Take the couple that adds least off the list. False: there is none.
static bool take_best(joining *j, couple *best)
{
    size_t at = SIZE_MAX;
    for (size_t i = 0; i < j->couples.count; i++) {
        const couple *c = &j->couples.items[i];
        if (is_gone(&j->cover->bodies.items[c->a]) || is_gone(&j->cover->bodies.items[c->b]))
            j->couples.items[i--] = j->couples.items[--j->couples.count];
        else if (at == SIZE_MAX || c->added < j->couples.items[at].added)
            at = i;
    }
    if (at == SIZE_MAX)
        return false;
    *best = j->couples.items[at];
    j->couples.items[at] = j->couples.items[--j->couples.count];
    return true;
}

// Put the hull of both into the first one's place, if it is allowed or forced. `joined` tells.
static grz_status try_to_join(joining *j, const couple *c, bool forced, bool *joined)
{
    grz_cover *cover = j->cover;
    grz_cover_body *first = &cover->bodies.items[c->a], *second = &cover->bodies.items[c->b];
    grz_cover_body both = {.done = true};
    grz_status status = join_hulls(cover, &first->hull, &second->hull, &both.hull);
    if (status == GRZ_OK)
        status = grz_parts_measure_hull(&cover->ruler, &both.hull, cover->allowed, true, &both.stands);
    *joined = status == GRZ_OK && (forced || both.stands.upper <= cover->allowed);
    if (!*joined) {
        grz_cover_body_finish(cover->allocator, &both);
        return status;
    }
    both.volume = grz_cover_volume(&both.hull);
    grz_cover_body_finish(cover->allocator, first);
    grz_cover_body_finish(cover->allocator, second);
    *first = both;
    *second = (grz_cover_body){.done = true};
    return GRZ_OK;
}

// Join until no couple is left that can be, or, if forced, until there are as few bodies as wanted.
static grz_status join_all(joining *j, bool forced, size_t *left)
{
    grz_status status = GRZ_OK;
    j->couples.count = 0;
    for (uint32_t i = 0; i < j->cover->bodies.count && status == GRZ_OK; i++)
        status = add_couples(j, i, false, forced);
    couple best;
    while (status == GRZ_OK && (!forced || *left > j->cover->most) && take_best(j, &best)) {
        bool joined;
        status = try_to_join(j, &best, forced, &joined);
        if (status == GRZ_OK && joined) {
            --*left;
            status = add_couples(j, best.a, true, forced);
        }
    }
    return status;
}

grz_status grz_cover_join(grz_cover *cover)
{
    joining j = {.cover = cover};
    size_t left = cover->bodies.count;
    grz_status status = join_all(&j, false, &left);
    if (status == GRZ_OK && left > cover->most)
        status = join_all(&j, true, &left);
    grz_array_finish(cover->allocator, &j.couples);
    size_t kept = 0;
    for (size_t i = 0; i < cover->bodies.count; i++) {
        if (is_gone(&cover->bodies.items[i]))
            grz_cover_body_finish(cover->allocator, &cover->bodies.items[i]);
        else
            cover->bodies.items[kept++] = cover->bodies.items[i];
    }
    cover->bodies.count = kept;
    return status;
}
