// SPDX-License-Identifier: MIT
// Ear clipping as it was first written: rounds over lists of corners, and a loop over all corners for each test.
#include "support_ears.h"

#include <stdlib.h>
#include <string.h>

#include "support_arrays.h"

typedef enum ear_kind {
    CLEAR,
    TOUCHED,
    FOLDED,
    STRAIGHT,
    KINDS
} ear_kind;

typedef struct ear_clipper {
    const ear_point *points;
    uint32_t *previous, *next, *due, *queue, *later;
    bool *convex, *removed;
    uint32_t queued, queued_later, round, left, some, *triangles, triangle_count;
    int orientation;
    bool fold_first;
} ear_clipper;

static int orient(ear_point a, ear_point b, ear_point c)
{
    const int64_t twice = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return (twice > 0) - (twice < 0);
}

static bool same(ear_point a, ear_point b)
{
    return a.x == b.x && a.y == b.y;
}

bool ears_cross(const ear_point *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            const ear_point a = points[i], b = points[(i + 1) % count], c = points[j], d = points[(j + 1) % count];
            if (orient(a, b, c) * orient(a, b, d) < 0 && orient(c, d, a) * orient(c, d, b) < 0)
                return true;
        }
    return false;
}

static int turn(const ear_clipper *e, uint32_t i, uint32_t j, uint32_t k)
{
    return e->orientation * orient(e->points[i], e->points[j], e->points[k]);
}

static int turn_at(const ear_clipper *e, uint32_t corner)
{
    return turn(e, e->previous[corner], corner, e->next[corner]);
}

static bool leads_inside(const ear_clipper *e, const uint32_t t[3], const int side[3], uint32_t to)
{
    for (int i = 0; i < 3; i++)
        if (side[i] == 0 && turn(e, t[i], t[(i + 1) % 3], to) <= 0)
            return false;
    return true;
}

static bool blocks(const ear_clipper *e, const uint32_t t[3], uint32_t v, ear_kind kind)
{
    int side[3];
    bool inside = true, at_corner = false;
    for (int i = 0; i < 3; i++) {
        side[i] = turn(e, t[i], t[(i + 1) % 3], v);
        if (side[i] < 0)
            return false;
        inside = inside && side[i] > 0;
        at_corner = at_corner || same(e->points[v], e->points[t[i]]);
    }
    return inside || (kind == CLEAR && !at_corner) || leads_inside(e, t, side, e->previous[v]) ||
           leads_inside(e, t, side, e->next[v]);
}

static bool is_ear(const ear_clipper *e, uint32_t corner, ear_kind kind)
{
    const uint32_t t[3] = {e->previous[corner], corner, e->next[corner]};
    const int sign = turn_at(e, corner);
    const ear_point a = e->points[t[0]], b = e->points[t[1]], c = e->points[t[2]];
    if (kind == STRAIGHT)
        return sign == 0;
    if (kind == FOLDED) // the way back, or a repeated point
        return sign == 0 && (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) <= 0;
    if (sign <= 0)
        return false;
    for (uint32_t v = t[0]; (v = e->next[v]) != t[0];)
        if (!e->convex[v] && v != t[1] && v != t[2] && blocks(e, t, v, kind))
            return false;
    return true;
}

static void clip(ear_clipper *e, uint32_t corner)
{
    uint32_t *t = e->triangles + 3 * (size_t)e->triangle_count++;
    t[0] = e->previous[corner];
    t[1] = corner;
    t[2] = e->next[corner];
    e->removed[corner] = true;
    e->next[t[0]] = t[2];
    e->previous[t[2]] = t[0];
    e->some = t[0];
    e->left--;
}

static void queue_later(ear_clipper *e, uint32_t corner)
{
    e->convex[corner] = turn_at(e, corner) > 0;
    if (e->due[corner] == e->round + 1)
        return;
    e->due[corner] = e->round + 1;
    e->later[e->queued_later++] = corner;
}

static void clip_and_queue(ear_clipper *e, uint32_t corner)
{
    clip(e, corner);
    uint32_t before = e->previous[corner], after = e->next[corner];
    while (e->fold_first && e->left > 3) {
        if (is_ear(e, before, FOLDED)) {
            clip(e, before);
            before = e->previous[before];
        } else if (is_ear(e, after, FOLDED)) {
            clip(e, after);
            after = e->next[after];
        } else {
            break;
        }
    }
    queue_later(e, before);
    queue_later(e, after);
}

static bool run_round(ear_clipper *e, ear_kind kind)
{
    bool clipped = false;
    e->queued_later = 0;
    for (uint32_t i = 0; i < e->queued && e->left > 3 && !(clipped && kind == STRAIGHT); i++) {
        const uint32_t corner = e->queue[i];
        if (e->removed[corner] || e->due[corner] != e->round || !is_ear(e, corner, kind))
            continue;
        clip_and_queue(e, corner);
        clipped = true;
    }
    uint32_t *swapped = e->queue;
    e->queue = e->later;
    e->later = swapped;
    e->queued = e->queued_later;
    e->round++;
    return clipped;
}

static void queue_all(ear_clipper *e)
{
    e->queued = 0;
    for (uint32_t i = 0, corner = e->some; i < e->left; i++, corner = e->next[corner]) {
        e->due[corner] = e->round;
        e->queue[e->queued++] = corner;
    }
}

static bool clip_all(ear_clipper *e)
{
    bool all = true;
    int kind = CLEAR;
    queue_all(e);
    if (e->fold_first) {
        run_round(e, FOLDED);
        queue_all(e);
    }
    while (e->left > 3 && kind < KINDS) {
        if (run_round(e, (ear_kind)kind)) {
            all = false;
            kind = CLEAR;
            continue;
        }
        kind += all;
        all = true;
        queue_all(e);
    }
    if (e->left > 3 || turn_at(e, e->some) < 0)
        return false;
    clip(e, e->some);
    return true;
}

static bool attempt(const ear_point *points, uint32_t count, int orientation, bool fold_first, uint32_t *triangles)
{
    uint32_t *numbers = allocate_zeroed(5 * (size_t)count, sizeof *numbers);
    bool *flags = allocate_zeroed(2 * (size_t)count, sizeof *flags);
    ear_clipper e = {.points = points,
                     .previous = numbers,
                     .next = numbers + count,
                     .due = numbers + 2 * (size_t)count,
                     .queue = numbers + 3 * (size_t)count,
                     .later = numbers + 4 * (size_t)count,
                     .convex = flags,
                     .removed = flags + count,
                     .round = 1,
                     .left = count,
                     .orientation = orientation,
                     .fold_first = fold_first};
    e.triangles = triangles;
    for (uint32_t i = 0; i < count; i++) {
        e.previous[i] = (i + count - 1) % count;
        e.next[i] = (i + 1) % count;
    }
    for (uint32_t i = 0; i < count && e.left > 3; i++)
        if (same(points[e.previous[i]], points[i]))
            clip(&e, i);
    for (uint32_t i = 0, corner = e.some; i < e.left; i++, corner = e.next[corner])
        e.convex[corner] = turn_at(&e, corner) > 0;
    const bool complete = clip_all(&e);
    free(numbers);
    free(flags);
    return complete;
}

bool ears_triangulate(const ear_point *points, uint32_t count, uint32_t *triangles)
{
    int64_t area = 0;
    for (uint32_t i = 0; i < count; i++)
        area += points[i].x * points[(i + 1) % count].y - points[i].y * points[(i + 1) % count].x;
    int orientation = area < 0 ? -1 : 1;
    if (!ears_cross(points, count))
        for (int tries = 0; tries < 4; tries++, orientation = -orientation)
            if (attempt(points, count, orientation, tries >= 2, triangles))
                return true;
    for (uint32_t i = 0; i + 2 < count; i++) {
        triangles[3 * (size_t)i] = 0;
        triangles[3 * (size_t)i + 1] = i + 1;
        triangles[3 * (size_t)i + 2] = i + 2;
    }
    return false;
}
