// SPDX-License-Identifier: MIT
// Convex parts: space is cut in two, again and again, by planes of the mesh's triangles. A cell needs no more cuts when
// none of the triangles in it has another one on its outer side: what it holds of the solid is then the cell below all
// their planes, which is convex (docs/use/convex_parts.md). It is a BSP tree that stops early.
#include <graze/convex_parts.h>

#include <math.h>
#include <string.h>

#include "ask/convex_parts/parts_begin.h"
#include "ask/convex_parts/convex_parts.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "mesh/source.h"
#include "mesh/topology/open_edge.h"
#include "mesh/topology/topology.h"

enum {
    MOST_TRIED = 24 // planes that are compared before one is chosen
};

static const grz_convex_parts_options defaults = {.size = sizeof(grz_convex_parts_options), .max_parts = 10000};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(convex_parts_options, defaults);

void grz_convex_parts_options_init(grz_convex_parts_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

typedef struct work {
    const grz_mesh *mesh;
    grz_call call;
    const grz_allocator *allocator;
    uint32_t most;
    grz_parts_pool pool;
    GRZ_ARRAY(grz_parts_node) open;
    grz_convex_part_list found;
    double rounding;
    bool outside_is_solid;
} work;

// How a plane of a node's polygons divides them.
typedef struct division {
    uint32_t plane, split, above, below;
    bool is_reflex; // some polygon is on the outer side of one in this plane
} division;

static division divide(const work *w, const grz_parts_node *node, uint32_t plane)
{
    division d = {.plane = plane};
    bool up = false, down = false;
    for (size_t i = 0; i < node->surface.all.count; i++) {
        const grz_parts_polygon *polygon = &node->surface.all.items[i];
        int low, high;
        grz_parts_sides(&w->pool, &node->surface, polygon, plane, &low, &high);
        d.split += low < 0 && high > 0;
        d.above += high > 0;
        d.below += low < 0;
        if (polygon->plane == plane) {
            up = up || polygon->facing > 0;
            down = down || polygon->facing < 0;
        }
    }
    d.is_reflex = (up && (d.above > 0 || down)) || (down && d.below > 0);
    return d;
}

static uint32_t cost(const division *d)
{
    const uint32_t apart = d->above > d->below ? d->above - d->below : d->below - d->above;
    return 8 * d->split + apart;
}

// The best plane to cut by; UINT32_MAX if none is needed.
static uint32_t choose(const work *w, const grz_parts_node *node)
{
    division best = {.plane = UINT32_MAX};
    uint32_t tried = 0;
    for (size_t i = 0; i < node->surface.all.count && tried < MOST_TRIED; i++) {
        const uint32_t plane = node->surface.all.items[i].plane;
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = node->surface.all.items[j].plane == plane;
        if (seen)
            continue;
        const division d = divide(w, node, plane);
        if (!d.is_reflex)
            continue;
        tried++;
        if (best.plane == UINT32_MAX || cost(&d) < cost(&best))
            best = d;
    }
    return best.plane;
}

// Keep a convex cell as a part: the hull of its rounded corners.
static grz_status keep(work *w, const grz_parts_polygons *cell)
{
    grz_status status = GRZ_ERROR_MEMORY;
    if (w->found.count >= w->most)
        return GRZ_ERROR_LIMIT;
    for (size_t f = 0; f < cell->all.count; f++)
        if (cell->all.items[f].plane < GRZ_PARTS_BOX_PLANES) {
            w->outside_is_solid = true;
            return GRZ_ERROR_MESH;
        }
    const size_t count = cell->places.count;
    double(*points)[3] = grz_allocate(w->allocator, count, sizeof *points);
    if (points != NULL && grz_array_reserve(w->allocator, &w->found, w->found.count + 1)) {
        for (size_t i = 0; i < count; i++) {
            grz_parts_round(w->pool.planes.items, &w->pool.corners.items[cell->places.items[i].corner], points[i]);
            w->rounding = fmax(w->rounding, grz_convex_parts_rounding_at(points[i]));
        }
        grz_convex_part_entry *part = &w->found.items[w->found.count];
        part->hull.device = w->call.device;
        status = grz_hull_build(points[0], NULL, (uint32_t)count, &w->call.control, &part->hull.shape);
        w->found.count += status == GRZ_OK;
    }
    grz_release(w->allocator, points, count, sizeof *points);
    return status;
}

// A cell whose surface is convex: cut away what is outside of each of its planes.
static grz_status finish_cell(work *w, grz_parts_node *node)
{
    if (node->surface.all.count == 0)
        return node->inside ? keep(w, &node->cell) : GRZ_OK;
    for (size_t i = 0; i < node->surface.all.count; i++) {
        const grz_parts_polygon *polygon = &node->surface.all.items[i];
        bool above = false, below = false;
        for (size_t f = 0; f < node->cell.all.count; f++) {
            int low, high;
            grz_parts_sides(&w->pool, &node->cell, &node->cell.all.items[f], polygon->plane, &low, &high);
            above = above || high > 0;
            below = below || low < 0;
        }
        if (!above || !below)
            continue;
        grz_parts_polygons cut = {.all = {.count = 0}};
        const bool ok = grz_parts_cut_cell(&w->pool, &node->cell, polygon->plane, -polygon->facing, &cut);
        grz_array_finish(w->allocator, &node->cell.all);
        grz_array_finish(w->allocator, &node->cell.places);
        node->cell = cut;
        if (!ok)
            return GRZ_ERROR_MEMORY;
    }
    return keep(w, &node->cell);
}

// Which side of a plane is solid where the node's surface lies in it: -1 below, 1 above.
static int solid_side(const grz_parts_node *node, uint32_t plane)
{
    for (size_t i = 0; i < node->surface.all.count; i++)
        if (node->surface.all.items[i].plane == plane)
            return -node->surface.all.items[i].facing;
    return 0;
}

static grz_status process(work *w, grz_parts_node *node)
{
    const uint32_t plane = choose(w, node);
    if (plane == UINT32_MAX)
        return finish_cell(w, node);
    const int solid = solid_side(node, plane);
    for (int side = -1; side <= 1; side += 2) {
        if (!grz_array_add(w->allocator, &w->open))
            return GRZ_ERROR_MEMORY;
        grz_parts_node *part = &w->open.items[w->open.count - 1];
        *part = (grz_parts_node){.inside = side == solid};
        if (!grz_parts_cut_cell(&w->pool, &node->cell, plane, side, &part->cell) ||
            !grz_parts_cut_surface(&w->pool, &node->surface, plane, side, &part->surface))
            return GRZ_ERROR_MEMORY;
    }
    return GRZ_OK;
}

static grz_status run(work *w)
{
    if (!grz_array_add(w->allocator, &w->open))
        return GRZ_ERROR_MEMORY;
    w->open.items[0] = (grz_parts_node){.inside = false};
    if (!grz_parts_begin_with_box(&w->pool, w->mesh, &w->open.items[0]) ||
        !grz_parts_begin_with_surface(&w->pool, w->mesh, true, &w->call.control, &w->open.items[0]))
        return GRZ_ERROR_MEMORY;
    while (w->open.count > 0) {
        grz_parts_node node = w->open.items[--w->open.count];
        const grz_status status =
            grz_control_expired(&w->call.control) ? grz_control_status(&w->call.control) : process(w, &node);
        grz_parts_node_finish(w->allocator, &node);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

static grz_status check_surface(const grz_mesh *mesh, grz_control *control, grz_error *error)
{
    const grz_topology *topology;
    const grz_status status = grz_mesh_topology(mesh, control, &topology, error);
    if (status == GRZ_OK && !topology->balanced)
        return grz_mesh_refuse_open(mesh, "convex parts", topology->closed, control, error);
    return status;
}

static void finish(work *w)
{
    for (size_t i = 0; i < w->open.count; i++)
        grz_parts_node_finish(w->allocator, &w->open.items[i]);
    grz_array_finish(w->allocator, &w->open);
    grz_array_finish(w->allocator, &w->pool.planes);
    grz_array_finish(w->allocator, &w->pool.corners);
}

static grz_status explain(work *w, grz_status status)
{
    if (status == GRZ_ERROR_LIMIT)
        return grz_fail(w->call.error, status, GRZ_NO_ELEMENT,
                        "convex parts: there are more than %u parts, see options.max_parts", w->most);
    if (w->outside_is_solid)
        return grz_fail(w->call.error, status, GRZ_NO_ELEMENT,
                        "convex parts: the mesh is inside out, its faces are clockwise from outside");
    return grz_control_explain(&w->call.control, status, "the convex parts", w->call.error);
}

static grz_status answer(work *w, const grz_mesh *mesh, grz_convex_parts **parts)
{
    grz_control *control = &w->call.control;
    w->allocator = w->pool.allocator = grz_control_allocator(control);
    grz_status status = grz_mesh_in_memory(mesh, control, &mesh, w->call.error);
    if (status == GRZ_OK)
        status = check_surface(mesh, control, w->call.error);
    if (status != GRZ_OK)
        return status;
    w->mesh = mesh;
    status = run(w);
    if (status == GRZ_ERROR_MEMORY && grz_control_status(control) != GRZ_OK)
        status = grz_control_status(control);
    finish(w);
    for (size_t i = 0; i < w->found.count; i++) {
        w->found.items[i].lower = 0.0;
        w->found.items[i].upper = w->rounding;
    }
    status = grz_convex_parts_hand_over(w->call.device, w->allocator, &w->found, w->rounding, status, parts);
    return status == GRZ_OK ? GRZ_OK : explain(w, status);
}

grz_status grz_convex_parts_of_mesh(const grz_mesh *mesh, const grz_convex_parts_options *options,
                                    grz_convex_parts **parts, grz_error *error)
{
    grz_convex_parts_options read;
    work w = {.most = 0};
    if (parts != NULL)
        *parts = NULL;
    if (mesh == NULL || parts == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "convex parts: %s NULL",
                        mesh == NULL ? "mesh is" : "parts are");
    grz_status status = grz_call_begin(&w.call, "convex parts", mesh->device, &options_type, options, &read, error);
    if (status == GRZ_OK && read.max_parts == 0)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "convex parts: options.max_parts is 0, must be at least 1");
    w.most = read.max_parts;
    if (status == GRZ_OK)
        status = answer(&w, mesh, parts);
    return grz_call_end(&w.call, status);
}
