// SPDX-License-Identifier: MIT
// Where to cut a piece of a solid: of some planes the one after which both hulls together have the least volume.
// Planes across the axes through the middle and through the worst point, and planes of the surface beside that point,
// which stop the body from filling a corner that bends inwards. All is rough here: any plane gives a right answer.
#include <math.h>
#include <string.h>

#include "ask/convex_parts/parts_begin.h"
#include "ask/convex_parts/cover.h"
#include "geometry/functions/functions.h"

enum {
    MOST_SAMPLED = 3000, // polygons, of pieces with more
    MOST_BESIDE = 4,
    MOST_CANDIDATES = 2 * MOST_BESIDE + 9
};

// Of the solid's size, chosen: 8,192 roundings, which is more than the planes of one flat face differ by; and what a
// point must be away from a plane, so that it stays well beyond it.
static const double STEP_BESIDE = 0x1p-40, LEAST_AWAY = 0x1p-38;

// Points with normal · x above offset are on the one side.
typedef struct division {
    double normal[3], offset;
    GRZ_ARRAY(double) sides[2];
} division;

static void normal_of(const grz_parts_plane *plane, double normal[3])
{
    const double(*at)[3] = plane->at;
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        normal[k] = (at[1][u] - at[0][u]) * (at[2][v] - at[0][v]) - (at[1][v] - at[0][v]) * (at[2][u] - at[0][u]);
    }
}

static double height(const division *d, const double p[3])
{
    return d->normal[0] * p[0] + d->normal[1] * p[1] + d->normal[2] * p[2] - d->offset;
}

static bool add_point(const grz_allocator *allocator, division *d, int side, const double p[3])
{
    if (!grz_array_reserve(allocator, &d->sides[side], d->sides[side].count + 3))
        return false;
    memcpy(d->sides[side].items + d->sides[side].count, p, 3 * sizeof *p);
    d->sides[side].count += 3;
    return true;
}

// The corners of a polygon on their sides, and the points where its edges are cut on both. A side on which it only
// touches the plane gets nothing, as when it is cut.
static bool divide_polygon(const grz_allocator *allocator, division *d, const grz_parts_corner *corners,
                           const grz_parts_place *places, uint32_t count)
{
    bool strict[2] = {false, false};
    for (uint32_t i = 0; i < count; i++) {
        const double at = height(d, corners[places[i].corner].at);
        strict[0] = strict[0] || at < 0.0;
        strict[1] = strict[1] || at > 0.0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double *from = corners[places[i].corner].at, *to = corners[places[i + 1 < count ? i + 1 : 0].corner].at;
        const double a = height(d, from), b = height(d, to);
        if ((strict[1] && a >= 0.0 && !add_point(allocator, d, 1, from)) ||
            (strict[0] && a <= 0.0 && !add_point(allocator, d, 0, from)))
            return false;
        if (!((a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)))
            continue;
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = from[k] + a / (a - b) * (to[k] - from[k]);
        if (!add_point(allocator, d, 0, at) || !add_point(allocator, d, 1, at))
            return false;
    }
    return true;
}

// The volume of both hulls together, rounded, so that it may be below 0 if they are flat; infinite if nothing is on one
// side. False: there is no memory, or the control says to end.
static bool volume_after(grz_cover *cover, const grz_cover_body *body, division *d, double *volume)
{
    const grz_parts_polygons *surface = &body->node.surface;
    const size_t step = surface->all.count / MOST_SAMPLED + 1;
    const grz_parts_corner *corners = cover->pool.corners.items;
    double sum = 0.0;
    bool ok = true;
    d->sides[0].count = d->sides[1].count = 0;
    for (size_t i = 0; i < surface->all.count && ok; i += step) {
        const grz_parts_polygon *polygon = &surface->all.items[i];
        const grz_parts_place *places = surface->places.items + polygon->from;
        ok = divide_polygon(cover->allocator, d, corners, places, polygon->count);
    }
    for (int side = 0; side < 2 && ok; side++) {
        grz_hull_shape hull;
        if (d->sides[side].count == 0) {
            *volume = HUGE_VAL;
            return true;
        }
        ok = grz_hull_build(d->sides[side].items, NULL, (uint32_t)(d->sides[side].count / 3), cover->control, &hull) ==
             GRZ_OK;
        sum += ok ? grz_cover_volume(&hull) : 0.0;
        grz_hull_shape_finish(cover->allocator, &hull);
    }
    *volume = sum;
    return ok;
}

typedef struct candidates {
    grz_parts_plane planes[MOST_CANDIDATES];
    int count;
} candidates;

static void add_across(candidates *c, const grz_mesh *mesh, int axis, double at)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double(*points)[3] = c->planes[c->count++].at;
    for (int i = 0; i < 3; i++) {
        points[i][axis] = at;
        points[i][u] = mesh->bounds.min[u];
        points[i][v] = mesh->bounds.min[v];
    }
    points[1][u] = fmax(mesh->bounds.max[u], nextafter(points[0][u], HUGE_VAL));
    points[2][v] = fmax(mesh->bounds.max[v], nextafter(points[0][v], HUGE_VAL));
}

// The square of the distance of a point from the box around a polygon.
static double distance_from_box(const grz_cover *cover, const grz_parts_place *places, uint32_t count,
                                const double point[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t j = 0; j < count; j++) {
            low = fmin(low, cover->pool.corners.items[places[j].corner].at[k]);
            high = fmax(high, cover->pool.corners.items[places[j].corner].at[k]);
        }
        const double away = fmax(0.0, fmax(low - point[k], point[k] - high));
        sum += away * away;
    }
    return sum;
}

// Takes the plane of a polygon and moves it a little towards a point. So all polygons of one flat face, whose planes
// differ by roundings, stay on the other side. Returns the point's distance from the polygon's plane: negative on its
// inner side, as the polygon is wound; 0 if the point is too near to the plane.
static double plane_beside(const grz_cover *cover, const grz_parts_polygon *polygon, const double point[3],
                           grz_parts_plane *plane)
{
    double normal[3], length = 0.0, away = 0.0;
    *plane = cover->pool.planes.items[polygon->plane];
    normal_of(plane, normal);
    for (int k = 0; k < 3; k++)
        length = grz_hypotenuse(length, normal[k]);
    if (!(length > 0.0))
        return 0.0;
    for (int k = 0; k < 3; k++) {
        normal[k] *= polygon->facing / length;
        away += normal[k] * (point[k] - plane->at[0][k]);
    }
    const double step = copysign(STEP_BESIDE * cover->ruler.size, away);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            plane->at[i][k] += normal[k] * step;
    return fabs(away) > LEAST_AWAY * cover->ruler.size ? away : 0.0;
}

// Add the planes of the polygons that are nearest to the point that stands out farthest: of those that have it on
// their outer side (`sign` 1) or on their inner side (-1). Returns about the squared distance of the nearest polygon,
// infinity if there is none.
static double add_beside(candidates *c, const grz_cover *cover, const grz_cover_body *body, double sign)
{
    const grz_parts_polygons *surface = &body->node.surface;
    const int first = c->count;
    double distances[MOST_CANDIDATES] = {0.0};
    for (size_t i = 0; i < surface->all.count; i++) {
        const grz_parts_polygon *polygon = &surface->all.items[i];
        const double distance =
            distance_from_box(cover, surface->places.items + polygon->from, polygon->count, body->stands.worst);
        grz_parts_plane plane;
        int at = c->count;
        while (at > first && distance < distances[at - 1])
            at--;
        if (at == first + MOST_BESIDE || !(plane_beside(cover, polygon, body->stands.worst, &plane) * sign > 0.0))
            continue;
        c->count += c->count < first + MOST_BESIDE;
        for (int j = c->count - 1; j > at; j--) {
            c->planes[j] = c->planes[j - 1];
            distances[j] = distances[j - 1];
        }
        c->planes[at] = plane;
        distances[at] = distance;
    }
    return c->count > first ? distances[first] : HUGE_VAL;
}

// Whether the plane has corners of the cell on both sides, exactly.
static bool cuts(const grz_cover *cover, const grz_cover_body *body, uint32_t plane)
{
    bool above = false, below = false;
    for (size_t i = 0; i < body->node.cell.places.count; i++) {
        const grz_parts_corner *corner = &cover->pool.corners.items[body->node.cell.places.items[i].corner];
        const int side = grz_parts_side(cover->pool.planes.items, corner, plane);
        above = above || side > 0;
        below = below || side < 0;
    }
    return above && below;
}

static bool choose(grz_cover *cover, const grz_cover_body *body, division *d, uint32_t *plane)
{
    candidates c = {.count = 0};
    const double *worst = body->stands.worst, *beside = body->stands.beside;
    // Under the even-odd rule a surface may be wound either way. So if the nearest polygon has the point on its inner
    // side, planes of such polygons are tried as well.
    const double outer = add_beside(&c, cover, body, 1.0);
    const int outer_count = c.count;
    if (!(add_beside(&c, cover, body, -1.0) < outer))
        c.count = outer_count;
    for (int k = 0; k < 6; k++)
        add_across(&c, cover->mesh, k % 3, k < 3 ? beside[k] : worst[k - 3]);
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t i = 0; i < body->hull.vertex_count; i++) {
            low = fmin(low, body->hull.positions[3 * (size_t)i + (size_t)k]);
            high = fmax(high, body->hull.positions[3 * (size_t)i + (size_t)k]);
        }
        add_across(&c, cover->mesh, k, low + 0.5 * (high - low));
    }
    // The first ones are preferred: a corner that bends inwards ends with some such cuts, even if none of them alone
    // gains anything, as around a cavity.
    const double better = body->volume / 64.0;
    double least = HUGE_VAL;
    int best = -1;
    for (int i = 0; i < c.count; i++) {
        normal_of(&c.planes[i], d->normal);
        d->offset = 0.0;
        for (int k = 0; k < 3; k++)
            d->offset += d->normal[k] * c.planes[i].at[0][k];
        double volume;
        if (!volume_after(cover, body, d, &volume))
            return false;
        if (volume < least - better) {
            least = volume;
            best = i;
        }
    }
    *plane = UINT32_MAX;
    if (best < 0)
        return true;
    const double(*at)[3] = (const double(*)[3])c.planes[best].at;
    *plane = grz_parts_add_plane(&cover->pool, at[0], at[1], at[2]);
    if (*plane == UINT32_MAX)
        return false;
    if (!cuts(cover, body, *plane))
        *plane = UINT32_MAX;
    return true;
}

bool grz_cover_choose_plane(grz_cover *cover, const grz_cover_body *body, uint32_t *plane)
{
    division d = {.offset = 0.0};
    const bool ok = choose(cover, body, &d, plane);
    grz_array_finish(cover->allocator, &d.sides[0]);
    grz_array_finish(cover->allocator, &d.sides[1]);
    return ok;
}
