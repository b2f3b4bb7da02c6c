// SPDX-License-Identifier: MIT
// Cuts convex polygons and cells by planes. New corners are where an edge's two planes meet the cutting plane.
#include "geometry/cut/cut.h"

#include <assert.h>

void grz_parts_polygons_finish(const grz_allocator *allocator, grz_parts_polygons *list)
{
    grz_array_finish(allocator, &list->all);
    grz_array_finish(allocator, &list->places);
}

void grz_parts_node_finish(const grz_allocator *allocator, grz_parts_node *node)
{
    grz_parts_polygons_finish(allocator, &node->cell);
    grz_parts_polygons_finish(allocator, &node->surface);
}

bool grz_parts_begin(const grz_allocator *allocator, grz_parts_polygons *list, uint32_t plane, int facing)
{
    if (!grz_array_add(allocator, &list->all))
        return false;
    list->all.items[list->all.count - 1] =
        (grz_parts_polygon){.plane = plane, .from = (uint32_t)list->places.count, .facing = facing};
    return true;
}

bool grz_parts_add(const grz_allocator *allocator, grz_parts_polygons *list, uint32_t corner, uint32_t along)
{
    if (!grz_array_add(allocator, &list->places))
        return false;
    list->places.items[list->places.count - 1] = (grz_parts_place){corner, along};
    list->all.items[list->all.count - 1].count++;
    return true;
}

bool grz_parts_copy(const grz_allocator *allocator, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                    grz_parts_polygons *out)
{
    if (!grz_parts_begin(allocator, out, polygon->plane, polygon->facing))
        return false;
    out->all.items[out->all.count - 1].of = polygon->of;
    for (uint32_t i = 0; i < polygon->count; i++) {
        const grz_parts_place place = list->places.items[polygon->from + i];
        if (!grz_parts_add(allocator, out, place.corner, place.along))
            return false;
    }
    return true;
}

// Take the last polygon back.
static void drop_last(grz_parts_polygons *list)
{
    list->places.count = list->all.items[list->all.count - 1].from;
    list->all.count--;
}

static int side_of(const grz_parts_pool *pool, uint32_t corner, uint32_t plane)
{
    return grz_parts_side(pool->planes.items, &pool->corners.items[corner], plane);
}

void grz_parts_sides(const grz_parts_pool *pool, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                     uint32_t plane, int *low, int *high)
{
    *low = 1;
    *high = -1;
    for (uint32_t i = 0; i < polygon->count; i++) {
        const int sign = side_of(pool, list->places.items[polygon->from + i].corner, plane);
        *low = sign < *low ? sign : *low;
        *high = sign > *high ? sign : *high;
    }
    if (polygon->plane == plane)
        *low = *high = 0;
}

static bool add_corner(grz_parts_pool *pool, uint32_t a, uint32_t b, uint32_t c, uint32_t *corner)
{
    if (!grz_array_add(pool->allocator, &pool->corners))
        return false;
    *corner = (uint32_t)(pool->corners.count - 1);
    pool->corners.items[*corner] = grz_parts_meet(pool->planes.items, a, b, c);
    return true;
}

// An edge that the plane cuts, and the new corner on it.
typedef struct cut_edge {
    uint32_t low, high, corner;
} cut_edge;

typedef struct cut {
    grz_parts_pool *pool;
    uint32_t plane;
    int side;
    GRZ_ARRAY(cut_edge) edges;
} cut;

// The corner on an edge of a cell: both faces of the edge must find the same one.
static bool corner_on(cut *c, uint32_t from, uint32_t to, uint32_t own, uint32_t along, uint32_t *corner)
{
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    for (size_t i = 0; i < c->edges.count; i++)
        if (c->edges.items[i].low == low && c->edges.items[i].high == high) {
            *corner = c->edges.items[i].corner;
            return true;
        }
    if (!add_corner(c->pool, own, along, c->plane, corner) || !grz_array_add(c->pool->allocator, &c->edges))
        return false;
    c->edges.items[c->edges.count - 1] = (cut_edge){low, high, *corner};
    return true;
}

// Cut one polygon. Nothing is added if less than a triangle is left.
static bool cut_polygon(cut *c, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                        grz_parts_polygons *out)
{
    const grz_allocator *allocator = c->pool->allocator;
    const grz_parts_place *place = list->places.items + polygon->from;
    bool strict = false;
    if (!grz_parts_begin(allocator, out, polygon->plane, polygon->facing))
        return false;
    out->all.items[out->all.count - 1].of = polygon->of;
    for (uint32_t i = 0; i < polygon->count; i++) {
        const grz_parts_place here = place[i], next = place[i + 1 < polygon->count ? i + 1 : 0];
        const int sign = c->side * side_of(c->pool, here.corner, c->plane),
                  after = c->side * side_of(c->pool, next.corner, c->plane);
        strict = strict || sign > 0;
        uint32_t corner;
        // Where the boundary leaves the side, the new edge runs along the cutting plane.
        if (sign > 0 || (sign == 0 && after >= 0))
            if (!grz_parts_add(allocator, out, here.corner, here.along))
                return false;
        if (sign == 0 && after < 0 && !grz_parts_add(allocator, out, here.corner, c->plane))
            return false;
        if (sign * after < 0) {
            if (!corner_on(c, here.corner, next.corner, polygon->plane, here.along, &corner) ||
                !grz_parts_add(allocator, out, corner, sign > 0 ? c->plane : here.along))
                return false;
        }
    }
    if (!strict || out->all.items[out->all.count - 1].count < 3)
        drop_last(out);
    return true;
}

// Close a cut cell: its edges in the plane, backwards, are those of the new face.
static bool close_cell(cut *c, grz_parts_polygons *out)
{
    const grz_allocator *allocator = c->pool->allocator;
    const size_t faces = out->all.count;
    GRZ_ARRAY(cut_edge) rim = {0}; // from `low` to `high`; `corner`: the plane of the face that the edge is of
    bool ok = true;
    for (size_t f = 0; f < faces && ok; f++) {
        const grz_parts_polygon *face = &out->all.items[f];
        for (uint32_t i = 0; i < face->count && ok; i++) {
            const uint32_t from = out->places.items[face->from + i].corner;
            const uint32_t next = face->from + (i + 1 < face->count ? i + 1 : 0);
            const uint32_t to = out->places.items[next].corner;
            if (side_of(c->pool, from, c->plane) != 0 || side_of(c->pool, to, c->plane) != 0)
                continue;
            out->places.items[face->from + i].along = c->plane;
            ok = grz_array_add(allocator, &rim);
            if (ok)
                rim.items[rim.count - 1] = (cut_edge){to, from, face->plane};
        }
    }
    assert(!ok || rim.count >= 3);
    ok = ok && grz_parts_begin(allocator, out, c->plane, -c->side);
    for (size_t step = 0, at = 0; ok && step < rim.count; step++) {
        ok = grz_parts_add(allocator, out, rim.items[at].low, rim.items[at].corner);
        size_t next = 0;
        while (next + 1 < rim.count && rim.items[next].low != rim.items[at].high)
            next++;
        at = next;
    }
    grz_array_finish(allocator, &rim);
    return ok;
}

static bool cut_all(cut *c, const grz_parts_polygons *list, grz_parts_polygons *out)
{
    for (size_t i = 0; i < list->all.count; i++)
        if (!cut_polygon(c, list, &list->all.items[i], out))
            return false;
    return true;
}

bool grz_parts_cut_cell(grz_parts_pool *pool, const grz_parts_polygons *cell, uint32_t plane, int side,
                        grz_parts_polygons *out)
{
    cut c = {.pool = pool, .plane = plane, .side = side};
    const bool ok = cut_all(&c, cell, out) && close_cell(&c, out);
    grz_array_finish(pool->allocator, &c.edges);
    return ok;
}

bool grz_parts_cut_polygon(grz_parts_pool *pool, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                           uint32_t plane, int side, grz_parts_polygons *out)
{
    cut c = {.pool = pool, .plane = plane, .side = side};
    const bool ok = cut_polygon(&c, list, polygon, out);
    grz_array_finish(pool->allocator, &c.edges);
    return ok;
}

bool grz_parts_cut_surface(grz_parts_pool *pool, const grz_parts_polygons *surface, uint32_t plane, int side,
                           grz_parts_polygons *out)
{
    for (size_t i = 0; i < surface->all.count; i++)
        if (surface->all.items[i].plane != plane &&
            !grz_parts_cut_polygon(pool, surface, &surface->all.items[i], plane, side, out))
            return false;
    return true;
}
