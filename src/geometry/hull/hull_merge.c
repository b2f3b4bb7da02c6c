// SPDX-License-Identifier: MIT
// Joins neighbouring triangles of one plane to polygons, and keeps their corners only. A point is a corner of the hull
// if three faces or more meet there: inside a face there is one, inside an edge there are two.
#include "base/control.h"
#include "geometry/hull/hull_parts.h"

typedef struct merging {
    const grz_hull_points *points;
    grz_hull_facet *facets;
    size_t count;
    const grz_allocator *allocator;
    grz_control *control;
    uint8_t *edges; // of each point: how many edges between two faces leave it; 3 means at least three
    GRZ_ARRAY(uint32_t) open;
    grz_hull_loops *loops;
} merging;

// The side of the facet across a side from which that side is seen back.
static int side_back(const grz_hull_facet *facets, uint32_t at, int side)
{
    const grz_hull_facet *other = &facets[facets[at].neighbour[side]];
    int back = 0;
    while (back < 2 && other->neighbour[back] != at)
        back++;
    return back;
}

// Number the faces: all triangles that are connected through their common plane.
static bool number_faces(merging *m)
{
    uint32_t face = 0;
    for (size_t i = 0; i < m->count; i++)
        m->facets[i].mark = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (grz_control_expired_at(m->control, i, 12))
            return false;
        if (m->facets[i].corner[0] == GRZ_HULL_NONE || m->facets[i].mark != 0)
            continue;
        m->facets[i].mark = ++face;
        m->open.count = 0;
        if (!grz_array_add(m->allocator, &m->open))
            return false;
        m->open.items[0] = (uint32_t)i;
        while (m->open.count > 0) {
            const uint32_t at = m->open.items[--m->open.count];
            for (int side = 0; side < 3; side++) {
                const uint32_t other = m->facets[at].neighbour[side];
                const uint32_t tip = m->facets[other].corner[(side_back(m->facets, at, side) + 2) % 3];
                double value;
                if (m->facets[other].mark != 0 ||
                    grz_hull_side(m->points, &m->facets[at], m->points->at[tip], &value) != 0)
                    continue;
                m->facets[other].mark = face;
                if (!grz_array_add(m->allocator, &m->open))
                    return false;
                m->open.items[m->open.count - 1] = other;
            }
        }
    }
    return true;
}

static bool is_edge(const merging *m, uint32_t at, int side)
{
    return m->facets[at].mark != m->facets[m->facets[at].neighbour[side]].mark;
}

// Go once around a face, from a side that is an edge. Sides are marked by taking the facet's neighbour away.
static bool add_loop(merging *m, uint32_t start, int start_side)
{
    uint32_t at = start;
    int side = start_side;
    do {
        const uint32_t corner = m->facets[at].corner[side];
        if (m->edges[corner] == 3) {
            if (!grz_array_add(m->allocator, &m->loops->corners))
                return false;
            m->loops->corners.items[m->loops->corners.count - 1] = corner;
        }
        m->facets[at].outside |= 1u << side;
        side = (side + 1) % 3;
        while (!is_edge(m, at, side)) {
            const int back = side_back(m->facets, at, side);
            at = m->facets[at].neighbour[side];
            side = (back + 1) % 3;
        }
    } while (at != start || side != start_side);
    if (!grz_array_add(m->allocator, &m->loops->ends))
        return false;
    m->loops->ends.items[m->loops->ends.count - 1] = (uint32_t)m->loops->corners.count;
    return true;
}

static bool merge(merging *m)
{
    if (!number_faces(m))
        return false;
    for (uint32_t i = 0; i < m->count; i++) {
        if (grz_control_expired_at(m->control, i, 14))
            return false;
        m->facets[i].outside = 0; // from here on: the sides that have been walked along
        for (int side = 0; m->facets[i].corner[0] != GRZ_HULL_NONE && side < 3; side++) {
            uint8_t *edges = &m->edges[m->facets[i].corner[side]];
            if (is_edge(m, i, side) && *edges < 3)
                ++*edges;
        }
    }
    for (uint32_t i = 0; i < m->count; i++) {
        if (grz_control_expired_at(m->control, i, 14))
            return false;
        for (int side = 0; m->facets[i].corner[0] != GRZ_HULL_NONE && side < 3; side++)
            if (is_edge(m, i, side) && (m->facets[i].outside >> side & 1) == 0 && !add_loop(m, i, side))
                return false;
    }
    return true;
}

grz_status grz_hull_merge(const grz_hull_points *points, grz_hull_facets *facets, grz_control *control,
                          grz_hull_loops *loops)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    merging m = {.points = points, .facets = facets->items, .count = facets->count, .allocator = allocator};
    m.control = control;
    m.loops = loops;
    m.edges = grz_allocate_zeroed(allocator, points->count, sizeof *m.edges);
    const bool ok = m.edges != NULL && merge(&m);
    grz_release(allocator, m.edges, points->count, sizeof *m.edges);
    grz_array_finish(allocator, &m.open);
    if (ok)
        return GRZ_OK;
    return grz_control_status(control) != GRZ_OK ? grz_control_status(control) : GRZ_ERROR_MEMORY;
}
