// SPDX-License-Identifier: MIT
// When do two unions of convex pieces overlap while one moves? The insides of two convex pieces have a common point if
// and only if no plane separates them that is parallel to a face of one, or to an edge of each (the theorem of
// separating axes). Along each such axis the ranges of the two overlap during an open interval of time with rational
// ends, so that two pieces overlap during one open interval, too. The insides of the solids overlap during the union of
// these. Two intervals that share only an end are not joined: the solids are free of each other at that moment.
#include "pieces.h"

#include <stddef.h>
#include <string.h>

__extension__ typedef __int128 wide;

static void cross(const int64_t a[3], const int64_t b[3], int64_t c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static int64_t dot(const int64_t a[3], const int64_t b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const int64_t a[3], const int64_t b[3], int64_t c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[k] - b[k];
}

int agree_time_compare(agree_time a, agree_time b)
{
    const wide left = (wide)a.num * b.den, right = (wide)b.num * a.den;
    return (left > right) - (left < right);
}

static agree_piece *new_piece(agree_pieces *pieces)
{
    agree_piece *p = &pieces->list[pieces->count++];
    memset(p, 0, sizeof *p);
    return p;
}

void agree_add_box(agree_pieces *pieces, const int64_t corner[3], const int64_t edges[3][3])
{
    agree_piece *p = new_piece(pieces);
    p->corner_count = 8;
    p->normal_count = p->edge_count = 3;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            p->corners[i][k] = corner[k] + (i & 1) * edges[0][k] + (i >> 1 & 1) * edges[1][k] + (i >> 2) * edges[2][k];
    for (int i = 0; i < 3; i++) {
        memcpy(p->edges[i], edges[i], sizeof p->edges[i]);
        cross(edges[(i + 1) % 3], edges[(i + 2) % 3], p->normals[i]);
    }
}

void agree_add_tetrahedron(agree_pieces *pieces, const int64_t corners[4][3])
{
    agree_piece *p = new_piece(pieces);
    p->corner_count = p->normal_count = 4;
    memcpy(p->corners, corners, sizeof(int64_t[4][3]));
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            subtract(corners[j], corners[i], p->edges[p->edge_count++]);
    for (int i = 0; i < 4; i++) {
        int64_t u[3], v[3];
        subtract(corners[(i + 1) % 4], corners[i], u);
        subtract(corners[(i + 2) % 4], corners[i], v);
        cross(u, v, p->normals[i]);
    }
}

typedef struct range {
    int64_t low, high;
} range;

// Of n · (corner - origin).
static range range_along(const agree_piece *p, const int64_t n[3], const int64_t origin[3])
{
    range r = {INT64_MAX, INT64_MIN};
    for (int i = 0; i < p->corner_count; i++) {
        int64_t offset[3];
        subtract(p->corners[i], origin, offset);
        const int64_t at = dot(n, offset);
        r.low = at < r.low ? at : r.low;
        r.high = at > r.high ? at : r.high;
    }
    return r;
}

// Called for each axis that may separate two pieces, until it says false.
typedef bool axis_visitor(void *user, const int64_t n[3]);

static bool visit_axes(const agree_piece *a, const agree_piece *b, axis_visitor *visit, void *user)
{
    for (int i = 0; i < a->normal_count; i++)
        if (!visit(user, a->normals[i]))
            return false;
    for (int i = 0; i < b->normal_count; i++)
        if (!visit(user, b->normals[i]))
            return false;
    for (int i = 0; i < a->edge_count; i++)
        for (int j = 0; j < b->edge_count; j++) {
            int64_t n[3];
            cross(a->edges[i], b->edges[j], n);
            if ((n[0] != 0 || n[1] != 0 || n[2] != 0) && !visit(user, n))
                return false;
        }
    return true;
}

// ---- Times --------------------------------------------------------------------------------------------------------

// The times at which two pieces overlap, from `from` to `to`; the ends belong to it if `closed`. Without an end: the
// denominator is 0.
typedef struct overlap {
    const agree_piece *a, *b;
    int64_t d[3];
    bool closed;
    agree_time from, to;
} overlap;

static bool nothing_is_left(const overlap *o)
{
    if (o->from.den == 0 || o->to.den == 0)
        return false;
    const int order = agree_time_compare(o->from, o->to);
    return o->closed ? order > 0 : order >= 0;
}

static bool cut_by_axis(void *user, const int64_t n[3])
{
    overlap *o = user;
    const int64_t *origin = o->b->corners[0];
    const range a = range_along(o->a, n, origin), b = range_along(o->b, n, origin);
    const int64_t speed = dot(n, o->d), low = b.low - a.high, high = b.high - a.low;
    if (speed == 0)
        return o->closed ? low <= 0 && high >= 0 : low < 0 && high > 0;
    const agree_time from = speed > 0 ? (agree_time){low, speed} : (agree_time){-high, -speed},
                     to = speed > 0 ? (agree_time){high, speed} : (agree_time){-low, -speed};
    if (o->from.den == 0 || agree_time_compare(from, o->from) > 0)
        o->from = from;
    if (o->to.den == 0 || agree_time_compare(to, o->to) < 0)
        o->to = to;
    return !nothing_is_left(o);
}

// False if the two never overlap. There is an axis across every motion, so that both ends are set.
static bool overlap_of(const agree_piece *a, const agree_piece *b, const int d[3], bool closed, overlap *o)
{
    *o = (overlap){.a = a, .b = b, .d = {d[0], d[1], d[2]}, .closed = closed};
    return visit_axes(a, b, cut_by_axis, o);
}

agree_time agree_pieces_free(const agree_pieces *a, const agree_pieces *b, const int d[3])
{
    overlap all[AGREE_MOST_PIECES * AGREE_MOST_PIECES];
    size_t count = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (overlap_of(&a->list[i], &b->list[j], d, false, &all[count]) && all[count].to.num > 0)
                count++;
    // From one moment on to the end of the longest interval that holds it, until none does.
    agree_time t = {0, 1};
    for (;;) {
        agree_time next = t;
        for (size_t i = 0; i < count; i++)
            if (agree_time_compare(all[i].from, t) < 0 && agree_time_compare(all[i].to, next) > 0)
                next = all[i].to;
        if (agree_time_compare(next, t) == 0)
            return t;
        t = next;
    }
}

bool agree_pieces_first_contact(const agree_pieces *a, const agree_pieces *b, const int d[3], agree_time *t)
{
    bool found = false;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            overlap o;
            if (!overlap_of(&a->list[i], &b->list[j], d, true, &o) || o.to.num < 0)
                continue;
            const agree_time enter = o.from.num < 0 ? (agree_time){0, 1} : o.from;
            if (!found || agree_time_compare(enter, *t) < 0)
                *t = enter;
            found = true;
        }
    return found;
}

agree_touch agree_pieces_touch(const agree_pieces *a, const agree_pieces *b, const int d[3], agree_time t)
{
    agree_touch touch = AGREE_APART;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            overlap o;
            if (!overlap_of(&a->list[i], &b->list[j], d, true, &o))
                continue;
            const int after = agree_time_compare(o.from, t), before = agree_time_compare(t, o.to);
            if (after > 0 || before > 0)
                continue;
            if (after < 0 && before < 0 && overlap_of(&a->list[i], &b->list[j], d, false, &o))
                return AGREE_OVERLAPS;
            touch = AGREE_TOUCHES;
        }
    return touch;
}

// ---- The least way out --------------------------------------------------------------------------------------------

typedef struct least_way {
    const agree_piece *a, *b;
    agree_time squared;
} least_way;

static bool least_along_axis(void *user, const int64_t n[3])
{
    least_way *w = user;
    const int64_t *origin = w->b->corners[0];
    const range a = range_along(w->a, n, origin), b = range_along(w->b, n, origin);
    const int64_t ahead = b.high - a.low, back = a.high - b.low, way = ahead < back ? ahead : back;
    if (way <= 0) {
        w->squared = (agree_time){0, 1};
        return false;
    }
    const agree_time squared = {way * way, dot(n, n)};
    if (w->squared.den == 0 || agree_time_compare(squared, w->squared) < 0)
        w->squared = squared;
    return true;
}

void agree_pieces_least(const agree_piece *a, const agree_piece *b, agree_time *squared)
{
    least_way w = {.a = a, .b = b};
    visit_axes(a, b, least_along_axis, &w);
    *squared = w.squared;
}
