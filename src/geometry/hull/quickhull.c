// SPDX-License-Identifier: MIT
// Quickhull with exact signs. Each point that is still outside is kept with one facet that sees it: from which it is
// strictly outside. A step takes a facet's farthest point p, removes all facets that see p, and joins p to the edges
// around the hole. Facets that hold p in their plane stay. p could be moved a little inwards without changing what it
// sees, so the hole is a disc, as for points in general position, and no new facet is flat (docs/use/hull.md).
// Source: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The quickhull algorithm for convex hulls" (1996). Its merging of
// facets that are not quite convex is not needed here.
#include <math.h>

#include "base/control.h"
#include "geometry/hull/hull_parts.h"

typedef struct edge {
    uint32_t facet, side; // of a facet that stays
} edge;

typedef struct growth {
    const grz_hull_points *points;
    grz_control *control;
    const grz_allocator *allocator;
    grz_hull_facets *facets;
    uint32_t *next;              // of each point: the next one that the same facet sees
    uint32_t *starts;            // of each point: the new facet whose first corner it is
    uint32_t step;               // marks of this step are 2 · step and 2 · step + 1
    GRZ_ARRAY(uint32_t) waiting; // facets that may see points
    GRZ_ARRAY(uint32_t) seen;    // facets that see the step's point
    GRZ_ARRAY(uint32_t) unused;  // facets that can be used again
    GRZ_ARRAY(uint32_t) fresh;   // this step's new facets
    GRZ_ARRAY(edge) horizon;
} growth;

// Error of normal · (p - a) in doubles, with u = 2^-53, m the largest magnitudes of the two edges' coordinates and w
// those of p - a: an entry of the normal is off by 8u·m·m, its product with w by 12u·m·m·w, and the two sums add
// 10u·m·m·w at most for the largest of the three products. So 16u Σ is enough, 24u Σ is taken; a product that
// underflows adds less than 2^-770 where coordinates are at most 2^301, and 8u Σ is more where Σ is above 2^-700.
static const double PLANE_ERROR = 24.0 * 0x1p-53, LEAST_SUM = 0x1p-700;

void grz_hull_set_plane(const grz_hull_points *points, grz_hull_facet *facet)
{
    const double *a = points->at[facet->corner[0]], *b = points->at[facet->corner[1]],
                 *c = points->at[facet->corner[2]];
    double u[3], v[3], most[3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        most[k] = fmax(fabs(u[k]), fabs(v[k]));
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        facet->normal[k] = u[i] * v[j] - u[j] * v[i];
        sum += most[i] * most[j] * points->extent[k];
    }
    facet->bound = sum > LEAST_SUM ? PLANE_ERROR * sum : (double)NAN;
}

static bool new_facet(growth *g, uint32_t *index)
{
    if (g->unused.count > 0) {
        *index = g->unused.items[--g->unused.count];
        return true;
    }
    if (!grz_array_add(g->allocator, g->facets))
        return false;
    *index = (uint32_t)(g->facets->count - 1);
    return true;
}

static void set_facet(growth *g, uint32_t index, uint32_t a, uint32_t b, uint32_t c)
{
    g->facets->items[index] = (grz_hull_facet){.corner = {a, b, c},
                                               .neighbour = {GRZ_HULL_NONE, GRZ_HULL_NONE, GRZ_HULL_NONE},
                                               .outside = GRZ_HULL_NONE,
                                               .farthest = GRZ_HULL_NONE,
                                               .most = -1.0};
    grz_hull_set_plane(g->points, &g->facets->items[index]);
}

// Give a point to the first of these facets that sees it; to none if no one does: then it is not outside any more.
static void give(growth *g, uint32_t point, const uint32_t *to, size_t count)
{
    const double *p = g->points->at[point];
    for (size_t i = 0; i < count; i++) {
        grz_hull_facet *facet = &g->facets->items[to[i]];
        double value;
        if (grz_hull_side(g->points, facet, p, &value) <= 0)
            continue;
        g->next[point] = facet->outside;
        facet->outside = point;
        value = value > 0.0 ? value : 0.0;
        if (value > facet->most) {
            facet->most = value;
            facet->farthest = point;
        }
        return;
    }
}

// Find the facets that see a point, from one that does, and the edges around them.
static bool look(growth *g, uint32_t from, const double p[3])
{
    const uint32_t is_seen = 2 * g->step + 1, is_hidden = 2 * g->step;
    g->seen.count = g->horizon.count = 0;
    if (!grz_array_add(g->allocator, &g->seen))
        return false;
    g->seen.items[0] = from;
    g->facets->items[from].mark = is_seen;
    for (size_t i = 0; i < g->seen.count; i++) {
        const uint32_t at = g->seen.items[i];
        for (int side = 0; side < 3; side++) {
            const uint32_t other = g->facets->items[at].neighbour[side];
            grz_hull_facet *facet = &g->facets->items[other];
            if (facet->mark != is_seen && facet->mark != is_hidden) {
                double value;
                facet->mark = grz_hull_side(g->points, facet, p, &value) > 0 ? is_seen : is_hidden;
                if (facet->mark == is_seen) {
                    if (!grz_array_add(g->allocator, &g->seen))
                        return false;
                    g->seen.items[g->seen.count - 1] = other;
                }
            }
            if (facet->mark == is_hidden) {
                uint32_t back = 0;
                while (back < 2 && facet->neighbour[back] != at)
                    back++;
                // Two facets may have two edges in common only in a flat surface; this one is the edge that runs back.
                assert(facet->corner[back] == g->facets->items[at].corner[(side + 1) % 3]);
                if (!grz_array_add(g->allocator, &g->horizon))
                    return false;
                g->horizon.items[g->horizon.count - 1] = (edge){other, back};
            }
        }
    }
    return true;
}

// Join the point to the edges around the hole.
static bool join(growth *g, uint32_t point)
{
    g->fresh.count = 0;
    if (!grz_array_reserve(g->allocator, &g->fresh, g->horizon.count))
        return false;
    for (size_t i = 0; i < g->horizon.count; i++) {
        const edge hidden = g->horizon.items[i];
        const uint32_t *corner = g->facets->items[hidden.facet].corner;
        const uint32_t to = corner[hidden.side], from = corner[(hidden.side + 1) % 3];
        uint32_t index;
        if (!new_facet(g, &index))
            return false;
        set_facet(g, index, from, to, point);
        g->facets->items[index].neighbour[0] = hidden.facet;
        g->facets->items[hidden.facet].neighbour[hidden.side] = index;
        g->starts[from] = index;
        g->fresh.items[g->fresh.count++] = index;
    }
    for (size_t i = 0; i < g->fresh.count; i++) {
        grz_hull_facet *facet = &g->facets->items[g->fresh.items[i]];
        const uint32_t after = g->starts[facet->corner[1]];
        facet->neighbour[1] = after;
        g->facets->items[after].neighbour[2] = g->fresh.items[i];
    }
    return true;
}

// The points that the removed facets saw go to new ones.
static bool hand_over(growth *g, uint32_t point)
{
    for (size_t i = 0; i < g->seen.count; i++) {
        grz_hull_facet *facet = &g->facets->items[g->seen.items[i]];
        for (uint32_t p = facet->outside, after; p != GRZ_HULL_NONE; p = after) {
            after = g->next[p];
            if (p != point)
                give(g, p, g->fresh.items, g->fresh.count);
        }
        g->facets->items[g->seen.items[i]].corner[0] = GRZ_HULL_NONE;
        g->facets->items[g->seen.items[i]].outside = GRZ_HULL_NONE;
        if (!grz_array_add(g->allocator, &g->unused))
            return false;
        g->unused.items[g->unused.count - 1] = g->seen.items[i];
    }
    for (size_t i = 0; i < g->fresh.count; i++) {
        if (g->facets->items[g->fresh.items[i]].outside == GRZ_HULL_NONE)
            continue;
        if (!grz_array_add(g->allocator, &g->waiting))
            return false;
        g->waiting.items[g->waiting.count - 1] = g->fresh.items[i];
    }
    return true;
}

static bool begin(growth *g, const uint32_t first[4])
{
    static const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
    const double(*at)[3] = (const double(*)[3])g->points->at;
    uint32_t v[4] = {first[0], first[1], first[2], first[3]}, all[4];
    if (grz_orient3d(at[v[0]], at[v[1]], at[v[2]], at[v[3]]) > 0) {
        v[1] = first[2];
        v[2] = first[1];
    }
    for (uint32_t i = 0; i < 4; i++) {
        if (!new_facet(g, &all[i]))
            return false;
        set_facet(g, all[i], v[corners[i][0]], v[corners[i][1]], v[corners[i][2]]);
    }
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 9 * 4; k++) { // the facet and the side that run back along this one's side
            const uint32_t side = k % 3, other = k / 9, back = k / 3 % 3;
            const uint32_t *x = g->facets->items[i].corner, *y = g->facets->items[other].corner;
            if (other != i && x[side] == y[(back + 1) % 3] && x[(side + 1) % 3] == y[back])
                g->facets->items[i].neighbour[side] = other;
        }
    for (uint32_t p = 0; p < g->points->count; p++) {
        if (grz_control_expired_at(g->control, p, 13))
            return false;
        give(g, p, all, 4);
    }
    if (!grz_array_reserve(g->allocator, &g->waiting, 4))
        return false;
    for (uint32_t i = 0; i < 4; i++)
        g->waiting.items[g->waiting.count++] = all[i];
    return true;
}

static bool run(growth *g, const uint32_t first[4])
{
    if (!begin(g, first))
        return false;
    for (g->step = 1; g->waiting.count > 0;) {
        const uint32_t at = g->waiting.items[--g->waiting.count];
        const grz_hull_facet *facet = &g->facets->items[at];
        if (facet->corner[0] == GRZ_HULL_NONE || facet->outside == GRZ_HULL_NONE)
            continue;
        const uint32_t point = facet->farthest;
        if (grz_control_expired_at(g->control, g->step, 6) || !look(g, at, g->points->at[point]) || !join(g, point) ||
            !hand_over(g, point))
            return false;
        g->step++;
    }
    return true;
}

grz_status grz_hull_grow(const grz_hull_points *points, const uint32_t first[4], grz_control *control,
                         grz_hull_facets *facets)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    growth g = {.points = points, .control = control, .allocator = allocator, .facets = facets};
    g.next = grz_allocate(allocator, points->count, sizeof *g.next);
    g.starts = grz_allocate(allocator, points->count, sizeof *g.starts);
    const bool ok = g.next != NULL && g.starts != NULL && run(&g, first);
    grz_release(allocator, g.next, points->count, sizeof *g.next);
    grz_release(allocator, g.starts, points->count, sizeof *g.starts);
    grz_array_finish(allocator, &g.waiting);
    grz_array_finish(allocator, &g.seen);
    grz_array_finish(allocator, &g.unused);
    grz_array_finish(allocator, &g.fresh);
    grz_array_finish(allocator, &g.horizon);
    if (ok)
        return GRZ_OK;
    return grz_control_status(control) != GRZ_OK ? grz_control_status(control) : GRZ_ERROR_MEMORY;
}
