// SPDX-License-Identifier: MIT
// Which plane cuts a part of space: one that walls cover to a good share, as walls between rooms do (J. Airey,
// "Increasing update rates in the building walkthrough system", 1990; S. Teller, "Visibility computations in densely
// occluded polyhedral environments", 1992). Where none is, a part with too many walls is cut in halves. What is chosen
// changes the cells, not what is guaranteed of them: so sizes are compared in doubles.
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/vector.h"
#include "level/portals/bsp/bsp_work.h"
#include "mesh/mesh.h"
#include "mesh/triangles.h"

enum {
    TRIED = 8,    // planes with the most walls in them
    SAMPLE = 256, // walls that a plane is tried with
    NONE = -1     // no axis
};

static const double LEAST_BALANCE = 0.05; // of a cut in halves

typedef struct candidate {
    uint32_t plane; // UINT32_MAX: across an axis
    int axis;
    double at; // on the axis
    double n[3], d;
} candidate;

static void set_plane(const grz_bsp_work *w, uint32_t plane, candidate *c)
{
    const double(*at)[3] = (const double(*)[3])w->pool.planes.items[plane].at;
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = at[1][k] - at[0][k];
        v[k] = at[2][k] - at[0][k];
    }
    grz_cross(u, v, c->n);
    const double size = sqrt(grz_dot(c->n, c->n));
    for (int k = 0; k < 3; k++)
        c->n[k] = size > 0.0 ? c->n[k] / size : 0.0;
    c->d = grz_dot(c->n, at[0]);
    c->plane = plane;
    c->axis = NONE;
}

// The area of what a plane has in common with a cell: triangles from one of its points to its edges.
static double cross_section(grz_bsp_work *w, const grz_parts_polygons *cell, const candidate *c)
{
    double apex[3], area = 0.0;
    bool any = false;
    for (size_t f = 0; f < cell->all.count; f++) {
        const grz_parts_polygon *face = &cell->all.items[f];
        double ends[2][3], u[3], v[3], part[3];
        int count = 0;
        for (uint32_t i = 0; i < face->count && count < 2; i++) {
            double from[3];
            const uint32_t next = i + 1 < face->count ? i + 1 : 0;
            memcpy(from, grz_bsp_spot_of(w, cell->places.items[face->from + i].corner), sizeof from);
            const double *to = grz_bsp_spot_of(w, cell->places.items[face->from + next].corner);
            const double low = grz_dot(c->n, from) - c->d, high = grz_dot(c->n, to) - c->d;
            if ((low < 0.0) == (high < 0.0))
                continue;
            for (int k = 0; k < 3; k++)
                ends[count][k] = from[k] + (to[k] - from[k]) * (low / (low - high));
            count++;
        }
        if (count < 2)
            continue;
        if (!any)
            memcpy(apex, ends[0], sizeof apex);
        any = true;
        for (int k = 0; k < 3; k++) {
            u[k] = ends[0][k] - apex[k];
            v[k] = ends[1][k] - apex[k];
        }
        grz_cross(u, v, part);
        area += 0.5 * sqrt(grz_dot(part, part));
    }
    return area;
}

// How a plane divides the walls: 1 if both sides have as many, less what it cuts.
static void judge(grz_bsp_work *w, const grz_parts_polygons *surface, const candidate *c, double *balance, double *cut)
{
    const size_t count = surface->all.count, size = count < SAMPLE ? count : SAMPLE;
    size_t below = 0, above = 0, both = 0;
    for (size_t i = 0; i < size; i++) {
        const grz_parts_polygon *polygon =
            &surface->all.items[(size_t)(((double)i + 0.5) * ((double)count / (double)size))];
        double low = HUGE_VAL, high = -HUGE_VAL, size_of = 0.0;
        for (uint32_t j = 0; j < polygon->count; j++) {
            const double *at = grz_bsp_spot_of(w, surface->places.items[polygon->from + j].corner);
            const double height = grz_dot(c->n, at) - c->d;
            low = fmin(low, height);
            high = fmax(high, height);
            for (int k = 0; k < 3; k++)
                size_of = fmax(size_of, fabs(at[k]));
        }
        // Corners that are rounded onto the plane, to some 2^-50, are on neither side.
        const bool is_below = low<-0x1p-40 * size_of, is_above = high> 0x1p-40 * size_of;
        below += is_below;
        above += is_above;
        both += is_below && is_above;
    }
    const size_t more = below > above ? below : above, fewer = below > above ? above : below;
    *balance = more > 0 ? (double)fewer / (double)more : 0.0;
    *cut = (double)both / (double)size;
}

// Fill in the areas of a part's walls, and those of their planes.
static bool add_areas(grz_bsp_work *w, const grz_parts_polygons *surface)
{
    const size_t count = surface->all.count;
    w->touched.count = 0;
    if (!grz_array_reserve(w->allocator, &w->areas, count) || !grz_array_reserve(w->allocator, &w->touched, count))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    for (size_t i = 0; i < count; i++) {
        const grz_parts_polygon *polygon = &surface->all.items[i];
        if (w->area[polygon->plane] == 0.0)
            w->touched.items[w->touched.count++] = polygon->plane;
        w->areas.items[i] = fmax(grz_bsp_area(w, surface, polygon), GRZ_NEVER_ZERO); // 0 means a new plane
        w->area[polygon->plane] += w->areas.items[i];
    }
    return true;
}

// The walls that count as in a plane count for it, and not for their own any more. Returns their area.
static double take_area(grz_bsp_work *w, const grz_parts_polygons *surface, uint32_t plane)
{
    const grz_bsp_lift lift = grz_bsp_lift_to(&w->pool.planes.items[plane]);
    double sum = 0.0;
    for (size_t i = 0; i < surface->all.count; i++) {
        const grz_parts_polygon *polygon = &surface->all.items[i];
        double c[3][3];
        if (w->areas.items[i] == 0.0)
            continue;
        if (polygon->plane != plane) {
            grz_mesh_corners(w->level->all.mesh, polygon->of, c);
            if (!(grz_bsp_lift_of(&lift, (const double(*)[3])c) <= w->most_moved))
                continue;
        }
        sum += w->areas.items[i];
        w->area[polygon->plane] -= w->areas.items[i];
        w->areas.items[i] = 0.0;
    }
    w->area[plane] = 0.0;
    return sum;
}

// Planes with large areas.
static int pick_largest(grz_bsp_work *w, const grz_parts_polygons *surface, uint32_t picked[TRIED], double areas[TRIED])
{
    int count = 0;
    for (; count < TRIED; count++) {
        size_t best = 0;
        for (size_t i = 1; i < w->touched.count; i++)
            if (w->area[w->touched.items[i]] > w->area[w->touched.items[best]])
                best = i;
        if (!(w->area[w->touched.items[best]] > 0.0))
            break;
        picked[count] = w->touched.items[best];
        areas[count] = take_area(w, surface, picked[count]);
    }
    for (size_t i = 0; i < w->touched.count; i++)
        w->area[w->touched.items[i]] = 0.0;
    return count;
}

// A plane across an axis through the median of the walls' first corners.
static bool set_across(grz_bsp_work *w, const grz_parts_polygons *surface, int axis, candidate *c)
{
    const size_t count = surface->all.count, size = count < SAMPLE ? count : SAMPLE;
    double sorted[SAMPLE] = {0.0};
    size_t found = 0;
    for (size_t i = 0; i < size; i++) {
        const grz_parts_polygon *polygon =
            &surface->all.items[(size_t)(((double)i + 0.5) * ((double)count / (double)size))];
        const double at = grz_bsp_spot_of(w, surface->places.items[polygon->from].corner)[axis];
        size_t j = found++;
        for (; j > 0 && sorted[j - 1] > at; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = at;
    }
    *c = (candidate){.plane = UINT32_MAX, .axis = axis, .at = sorted[found / 2]};
    c->n[axis] = 1.0;
    c->d = c->at;
    return isfinite(c->at) && c->at > w->level->box.min[axis] && c->at < w->level->box.max[axis];
}

// A cut in halves.
static uint32_t choose_half(grz_bsp_work *w, const grz_parts_polygons *surface, const uint32_t *picked, int count)
{
    candidate best = {.plane = UINT32_MAX, .axis = NONE};
    double most = -HUGE_VAL;
    for (int i = -3; i < count; i++) {
        candidate c = {.plane = UINT32_MAX, .axis = NONE};
        double balance, cut;
        if (i >= 0)
            set_plane(w, picked[i], &c);
        else if (!set_across(w, surface, i + 3, &c))
            continue;
        judge(w, surface, &c, &balance, &cut);
        if (balance >= LEAST_BALANCE && balance - cut > most) {
            most = balance - cut;
            best = c;
        }
    }
    return best.axis != NONE ? grz_bsp_add_across(w, best.axis, best.at) : best.plane;
}

// A marked portal divides, however little of a cell it covers.
static uint32_t find_mark(const grz_bsp_work *w, const grz_parts_polygons *surface)
{
    for (size_t i = 0; i < surface->all.count; i++)
        if (grz_bsp_is_mark(w, surface->all.items[i].of))
            return surface->all.items[i].plane;
    return UINT32_MAX;
}

uint32_t grz_bsp_choose(grz_bsp_work *w, const grz_parts_node *part)
{
    uint32_t picked[TRIED], best = UINT32_MAX;
    double areas[TRIED], most = -HUGE_VAL;
    if (part->surface.all.count == 0 || !add_areas(w, &part->surface))
        return UINT32_MAX;
    const int count = pick_largest(w, &part->surface, picked, areas);
    for (int i = 0; i < count; i++) {
        candidate c;
        double balance, cut;
        set_plane(w, picked[i], &c);
        const double coverage = areas[i] / cross_section(w, &part->cell, &c);
        if (!(coverage >= w->options->coverage))
            continue;
        judge(w, &part->surface, &c, &balance, &cut);
        const double worth = fmin(coverage, 1.0) + 0.5 * balance - cut;
        if (worth > most) {
            most = worth;
            best = picked[i];
        }
    }
    if (best == UINT32_MAX)
        best = find_mark(w, &part->surface);
    if (best == UINT32_MAX && part->surface.all.count > w->options->cell_faces)
        best = choose_half(w, &part->surface, picked, count);
    return best;
}
