// SPDX-License-Identifier: MIT
// The largest polygon of k corners in a convex polygon has its corners among those of the polygon. From a first corner
// on it is found by dynamic programming over the corners in order. A hull of many corners is first reduced to its
// extreme points in 32 directions. Sources: A. Andrew, "Another efficient algorithm for convex hulls in two dimensions"
// (1979); E. Sas, "Über eine Extremumeigenschaft der Ellipsen" (1939), for the share of the area.
#include "ask/touching/patch.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/exact/powers.h"
#include "geometry/exact/predicates.h"
#include "geometry/vector.h"

enum {
    DIRECTIONS = 32 // corners of a hull that are compared
};

static const double FLAT = 0x1p-40;       // of the patch's size: what counts as rounding
static const double DEEP = 1.0 - 0x1p-20; // of the greatest depth: as deep

// A point seen along the normal, relative to the first one.
typedef struct seen {
    double x, y;
    uint32_t index;
} seen;

static int compare_places(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_points(const void *x, const void *y, void *context)
{
    const grz_patch_point *a = x, *b = y;
    (void)context;
    const int order = compare_places(a->at, b->at);
    if (order != 0)
        return order;
    if (a->depth != b->depth)
        return a->depth > b->depth ? -1 : 1;
    const int middles = compare_places(a->middle, b->middle); // before numbers of faces, which depend on their order
    if (middles != 0)
        return middles;
    if (a->face_a != b->face_a)
        return a->face_a < b->face_a ? -1 : 1;
    return (a->face_b > b->face_b) - (a->face_b < b->face_b);
}

grz_status grz_patch_tidy(grz_patch *patch, grz_control *control)
{
    grz_patch_point *items = patch->points.items;
    const grz_status status = grz_sort(items, patch->points.count, sizeof *items, compare_points, NULL, control);
    size_t kept = 0;
    for (size_t i = 0; i < patch->points.count && status == GRZ_OK; i++)
        if (kept == 0 || compare_places(items[kept - 1].at, items[i].at) != 0)
            items[kept++] = items[i];
    if (status == GRZ_OK)
        patch->points.count = kept;
    return status;
}

// ---- The hull -----------------------------------------------------------------------------------------------------

// Two directions across the normal: with it they make a right-handed frame.
static void frame_of(const double normal[3], double u[3], double v[3])
{
    int least = 0;
    double axis[3] = {0.0, 0.0, 0.0};
    for (int k = 1; k < 3; k++)
        least = fabs(normal[k]) < fabs(normal[least]) ? k : least;
    axis[least] = 1.0;
    grz_cross(axis, normal, u);
    grz_make_unit(u);
    grz_cross(normal, u, v);
}

static void see(const grz_patch *patch, const double u[3], const double v[3], const double point[3], double out[2])
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = grz_times_power(point[k] - patch->points.items[0].at[k], patch->shift);
    out[0] = grz_dot(u, d);
    out[1] = grz_dot(v, d);
}

static double turn(const seen *o, const seen *a, const seen *b)
{
    return (a->x - o->x) * (b->y - o->y) - (a->y - o->y) * (b->x - o->x);
}

static double reach_of(const seen *points, size_t count)
{
    double reach = 0.0;
    for (size_t i = 0; i < count; i++)
        reach = fmax(reach, fmax(fabs(points[i].x), fabs(points[i].y)));
    return reach;
}

static int compare_seen(const void *x, const void *y, void *context)
{
    const seen *a = x, *b = y;
    (void)context;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static bool is_near(const seen *a, const seen *b, double reach)
{
    return fabs(a->x - b->x) <= FLAT * reach && fabs(a->y - b->y) <= FLAT * reach;
}

static bool turns_left(const seen *o, const seen *a, const seen *b)
{
    return grz_orient2d((const double[2]){o->x, o->y}, (const double[2]){a->x, a->y}, (const double[2]){b->x, b->y}) >
           0;
}

// Half of the hull, from one end of the sorted points to the other. `hull` has indices of `points`. It is exact, so
// that no point is lost for one that sticks out by a rounding.
static uint32_t half_hull(const seen *points, uint32_t count, bool back, uint32_t *hull)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t next = back ? count - 1 - i : i;
        while (size >= 2 && !turns_left(&points[hull[size - 2]], &points[hull[size - 1]], &points[next]))
            size--;
        hull[size++] = next;
    }
    return size;
}

// Leave out corners that are between their neighbours, but for rounding. Returns how many are left.
static uint32_t straighten(seen *hull, uint32_t count, double reach)
{
    bool changed = true;
    while (changed && count > 2) {
        changed = false;
        for (uint32_t i = 0; i < count && count > 2; i++) {
            const seen *before = &hull[(i + count - 1) % count], *here = &hull[i], *next = &hull[(i + 1) % count];
            const double along =
                (here->x - before->x) * (next->x - here->x) + (here->y - before->y) * (next->y - here->y);
            if (!is_near(here, before, reach) && !(along > 0.0 && turn(before, here, next) <= FLAT * reach * reach))
                continue;
            memmove(&hull[i], &hull[i + 1], (count - i - 1) * sizeof *hull);
            count--;
            i--;
            changed = true;
        }
    }
    return count == 2 && is_near(&hull[0], &hull[1], reach) ? 1 : count;
}

// The hull of all points, in `points` themselves, counter-clockwise from the first.
static grz_status find_hull(const grz_patch *patch, const double normal[3], grz_control *control, seen *points,
                            uint32_t *work, uint32_t *size)
{
    const uint32_t count = (uint32_t)patch->points.count;
    const grz_allocator *allocator = grz_control_allocator(control);
    double u[3], v[3];
    frame_of(normal, u, v);
    for (uint32_t i = 0; i < count; i++) {
        double at[2];
        see(patch, u, v, patch->points.items[i].at, at);
        points[i] = (seen){at[0], at[1], i};
    }
    const double reach = reach_of(points, count);
    const grz_status status = grz_sort(points, count, sizeof *points, compare_seen, NULL, control);
    if (status != GRZ_OK)
        return status;
    seen *corners = grz_allocate(allocator, (size_t)count + 1, sizeof *corners);
    if (corners == NULL)
        return GRZ_ERROR_MEMORY;
    uint32_t found = 0;
    for (int back = 0; back < 2; back++) {
        const uint32_t half = half_hull(points, count, back != 0, work);
        for (uint32_t i = 0; i + 1 < half && found < count; i++) // its last corner begins the other half
            corners[found++] = points[work[i]];
    }
    if (found == 0)
        corners[found++] = points[0]; // all points are one
    found = straighten(corners, found, reach);
    memcpy(points, corners, found * sizeof *points);
    grz_release(allocator, corners, (size_t)count + 1, sizeof *corners);
    *size = found;
    return GRZ_OK;
}

typedef struct room {
    const grz_allocator *allocator;
    seen *points;
    uint32_t *work;
    size_t count;
} room;

static bool room_init(room *r, const grz_patch *patch, grz_control *control)
{
    r->allocator = grz_control_allocator(control);
    r->count = patch->points.count;
    r->points = grz_allocate(r->allocator, r->count, sizeof *r->points);
    r->work = grz_allocate(r->allocator, r->count, sizeof *r->work);
    return r->points != NULL && r->work != NULL;
}

static void room_finish(room *r)
{
    grz_release(r->allocator, r->points, r->count, sizeof *r->points);
    grz_release(r->allocator, r->work, r->count, sizeof *r->work);
}

grz_status grz_patch_hull(const grz_patch *patch, const double normal[3], grz_control *control, uint32_t *hull,
                          uint32_t *count)
{
    room r;
    grz_status status = room_init(&r, patch, control) ? GRZ_OK : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        status = find_hull(patch, normal, control, r.points, r.work, count);
    for (uint32_t i = 0; status == GRZ_OK && i < *count; i++)
        hull[i] = r.points[i].index;
    room_finish(&r);
    return status;
}

bool grz_patch_holds(const grz_patch *patch, const double normal[3], const uint32_t *hull, uint32_t count,
                     const double point[3])
{
    double u[3], v[3], at[2], d[3], reach = 0.0;
    seen p = {0.0, 0.0, 0};
    frame_of(normal, u, v);
    see(patch, u, v, point, at);
    for (int k = 0; k < 3; k++) {
        d[k] = grz_times_power(point[k] - patch->points.items[0].at[k], patch->shift);
        reach = fmax(reach, fabs(d[k]));
    }
    p.x = at[0];
    p.y = at[1];
    for (uint32_t i = 0; i < count; i++) {
        see(patch, u, v, patch->points.items[hull[i]].at, at);
        reach = fmax(reach, fmax(fabs(at[0]), fabs(at[1])));
    }
    if (fabs(grz_dot(normal, d)) > FLAT * reach)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        double to[2];
        see(patch, u, v, patch->points.items[hull[i]].at, at);
        see(patch, u, v, patch->points.items[hull[(i + 1) % count]].at, to);
        const seen a = {at[0], at[1], 0}, b = {to[0], to[1], 0};
        if (count < 3) { // in the box of a segment, or at a point
            const double slack = FLAT * reach;
            if (p.x < fmin(a.x, b.x) - slack || p.x > fmax(a.x, b.x) + slack || p.y < fmin(a.y, b.y) - slack ||
                p.y > fmax(a.y, b.y) + slack)
                return false;
        }
        if (count > 1 &&
            (count > 2 ? turn(&a, &b, &p) < -FLAT * reach * reach : fabs(turn(&a, &b, &p)) > FLAT * reach * reach))
            return false;
    }
    return true;
}

// ---- Few points ---------------------------------------------------------------------------------------------------

// Reduce a hull to its extreme points in 32 directions.
static uint32_t thin_out(seen *hull, uint32_t count, uint32_t needed)
{
    static const int directions[8][2] = {{4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {3, 4}, {2, 4}, {1, 4}};
    uint32_t kept = 0;
    bool keep[DIRECTIONS + 1];
    uint32_t corner[DIRECTIONS + 1];
    for (int i = 0; i < DIRECTIONS; i++) {
        const int *direction = directions[i % 8];
        const double x = i / 8 == 0   ? direction[0]
                         : i / 8 == 1 ? -direction[1]
                         : i / 8 == 2 ? -direction[0]
                                      : direction[1],
                     y = i / 8 == 0   ? direction[1]
                         : i / 8 == 1 ? direction[0]
                         : i / 8 == 2 ? -direction[1]
                                      : -direction[0];
        uint32_t best = 0;
        for (uint32_t j = 1; j < count; j++)
            if (x * hull[j].x + y * hull[j].y > x * hull[best].x + y * hull[best].y)
                best = j;
        corner[i] = best;
    }
    corner[DIRECTIONS] = needed < count ? needed : corner[0];
    for (int i = 0; i <= DIRECTIONS; i++) { // each once
        keep[i] = true;
        for (int j = 0; j < i; j++)
            keep[i] = keep[i] && corner[j] != corner[i];
    }
    for (uint32_t i = 0; i < count; i++)
        for (int j = 0; j <= DIRECTIONS; j++)
            if (keep[j] && corner[j] == i)
                hull[kept++] = hull[i];
    return kept;
}

// The largest polygon of `corners` (3 or more) corners that has corner `first`. Returns twice its area.
static double largest_from(const seen *hull, uint32_t count, uint32_t first, uint32_t corners,
                           uint32_t chosen[GRZ_PATCH_MOST])
{
    double area[GRZ_PATCH_MOST][DIRECTIONS + 1] = {{0.0}};
    uint32_t before[GRZ_PATCH_MOST][DIRECTIONS + 1] = {{0}}, last;
    for (uint32_t m = 2; m < corners; m++)
        for (uint32_t j = m; j < count; j++) {
            area[m][j] = -1.0;
            for (uint32_t i = m - 1; i < j; i++) {
                const double sum =
                    area[m - 1][i] + turn(&hull[first], &hull[(first + i) % count], &hull[(first + j) % count]);
                if (sum > area[m][j]) {
                    area[m][j] = sum;
                    before[m][j] = i;
                }
            }
        }
    last = corners - 1;
    for (uint32_t j = last + 1; j < count; j++)
        last = area[corners - 1][j] > area[corners - 1][last] ? j : last;
    const double best = area[corners - 1][last];
    for (uint32_t m = corners - 1; m >= 1; m--) {
        chosen[m] = (first + last) % count;
        last = m > 1 ? before[m][last] : last;
    }
    chosen[0] = first;
    return best;
}

static void largest(const seen *hull, uint32_t count, uint32_t corners, uint32_t chosen[GRZ_PATCH_MOST])
{
    double best = -1.0;
    for (uint32_t first = 0; first < count; first++) {
        uint32_t here[GRZ_PATCH_MOST];
        const double area = largest_from(hull, count, first, corners, here);
        if (area > best) {
            best = area;
            memcpy(chosen, here, corners * sizeof *chosen);
        }
    }
}

static uint32_t farthest(const seen *hull, uint32_t count, const seen *from)
{
    uint32_t best = 0;
    double most = -1.0;
    for (uint32_t i = 0; i < count; i++) {
        const double x = hull[i].x - from->x, y = hull[i].y - from->y, square = x * x + y * y;
        if (square > most) {
            most = square;
            best = i;
        }
    }
    return best;
}

typedef struct choice {
    const grz_patch *patch;
    double deep; // depths from here on are the deepest
    uint32_t *chosen;
    uint32_t count;
} choice;

static void take(choice *c, uint32_t index)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->chosen[i] == index)
            return;
    c->chosen[c->count++] = index;
}

static bool has_deepest(const choice *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->patch->points.items[c->chosen[i]].depth >= c->deep)
            return true;
    return false;
}

static void take_corners(choice *c, const seen *hull, const uint32_t *corners, uint32_t count)
{
    c->count = 0;
    for (uint32_t i = 0; i < count; i++)
        take(c, hull[corners[i]].index);
}

// `deepest`: where the deepest point is seen; it is a corner of the hull if its index is there.
static void choose_of(choice *c, seen *hull, uint32_t count, const seen *deepest, uint32_t most)
{
    uint32_t corners[GRZ_PATCH_MOST], at = 0;
    if (most == 1) {
        take(c, deepest->index);
        return;
    }
    if (most == 2 || count == 2) {
        if (count == 2 && most > 2)
            take(c, hull[0].index);
        take(c, hull[farthest(hull, count, count == 2 && most > 2 ? &hull[0] : deepest)].index);
        if (!has_deepest(c) || c->count == 1)
            take(c, deepest->index);
        return;
    }
    for (; at < count && hull[at].index != deepest->index; at++)
        ;
    if (count > DIRECTIONS) {
        count = thin_out(hull, count, at);
        for (at = 0; at < count && hull[at].index != deepest->index; at++)
            ;
    }
    if (count <= most) {
        for (uint32_t i = 0; i < count; i++)
            take(c, hull[i].index);
        if (has_deepest(c))
            return;
    } else {
        largest(hull, count, most, corners);
        take_corners(c, hull, corners, most);
        if (has_deepest(c))
            return;
        if (at < count) {
            largest_from(hull, count, at, most, corners);
            take_corners(c, hull, corners, most);
            return;
        }
    }
    if (count >= most && most > 3) { // the deepest is none of the corners
        largest(hull, count, most - 1, corners);
        take_corners(c, hull, corners, most - 1);
    } else if (count >= most) {
        c->count = 0;
        take(c, hull[farthest(hull, count, deepest)].index);
        take(c, hull[farthest(hull, count, &hull[farthest(hull, count, deepest)])].index);
    }
    take(c, deepest->index);
}

static void sort_indices(uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && indices[j - 1] > indices[j]; j--) {
            const uint32_t other = indices[j];
            indices[j] = indices[j - 1];
            indices[j - 1] = other;
        }
}

grz_status grz_patch_choose(const grz_patch *patch, const double normal[3], uint32_t most, grz_control *control,
                            uint32_t chosen[GRZ_PATCH_MOST], uint32_t *count)
{
    choice c = {.patch = patch, .chosen = chosen};
    room r;
    uint32_t size = 0, deepest = 0;
    double u[3], v[3], at[2];
    for (uint32_t i = 1; i < patch->points.count; i++)
        deepest = patch->points.items[i].depth > patch->points.items[deepest].depth ? i : deepest;
    c.deep = patch->points.items[deepest].depth * DEEP;
    grz_status status = room_init(&r, patch, control) ? GRZ_OK : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        status = find_hull(patch, normal, control, r.points, r.work, &size);
    if (status == GRZ_OK) {
        frame_of(normal, u, v);
        see(patch, u, v, patch->points.items[deepest].at, at);
        if (size == 1)
            take(&c, deepest);
        else
            choose_of(&c, r.points, size, &(seen){at[0], at[1], deepest}, most);
        sort_indices(chosen, c.count);
    }
    *count = c.count;
    room_finish(&r);
    return status;
}
