// SPDX-License-Identifier: MIT
// Convex parts: space is cut in two, again and again, by planes of the mesh's triangles. A cell needs no more cuts when
// none of the triangles in it has another one on its outer side: what it holds of the solid is then the cell below all
// their planes, which is convex (docs/convex_parts.md). It is a BSP tree that stops early.
#include <graze/convex_parts.h>

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/options.h"
#include "geometry/triangle/triangle.h"
#include "mesh/source.h"
#include "mesh/topology/topology.h"
#include "mesh/triangles.h"
#include "query/hull/hull.h"
#include "query/parts/cut.h"

enum {
    BOX_PLANES = 6,
    MOST_TRIED = 24 // planes that are compared before one is chosen
};

struct grz_convex_parts {
    grz_device *device;
    uint32_t count, capacity;
    grz_hull *all;
    double rounding;
};

static const grz_options_type options_type = {"grz_convex_parts_options", "grz_default_convex_parts_options()",
                                              sizeof(grz_convex_parts_options),
                                              GRZ_MEMBER_END(grz_convex_parts_options, most)};
static const grz_convex_parts_options defaults = {.size = sizeof(grz_convex_parts_options), .most = 10000};

void grz_convex_parts_options_init(grz_convex_parts_options *options, size_t size)
{
    grz_options_init(&options_type, &defaults, options, size);
}

typedef struct work {
    const grz_mesh *mesh;
    grz_device *device;
    grz_control control;
    const grz_allocator *allocator;
    uint32_t most;
    grz_parts_pool pool;
    GRZ_ARRAY(grz_parts_node) open;
    GRZ_ARRAY(grz_hull) found;
    double rounding;
    bool outside_is_solid;
} work;

static uint32_t add_plane(work *w, const double a[3], const double b[3], const double c[3])
{
    if (!grz_array_add(w->allocator, &w->pool.planes))
        return UINT32_MAX;
    grz_parts_plane *plane = &w->pool.planes.items[w->pool.planes.count - 1];
    memcpy(plane->at[0], a, sizeof plane->at[0]);
    memcpy(plane->at[1], b, sizeof plane->at[1]);
    memcpy(plane->at[2], c, sizeof plane->at[2]);
    return (uint32_t)(w->pool.planes.count - 1);
}

static bool add_given(work *w, const double p[3], uint32_t *corner)
{
    if (!grz_array_add(w->allocator, &w->pool.corners))
        return false;
    *corner = (uint32_t)(w->pool.corners.count - 1);
    w->pool.corners.items[*corner] =
        (grz_parts_corner){.given = true, .at = {p[0], p[1], p[2]}, .planes = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    return true;
}

// The first cell: a box around the mesh, with room on each side. Its planes are 0 to 5.
static bool begin_with_box(work *w, grz_parts_node *node)
{
    // Corners by bits 0 to 2: x, y, z is the larger one. Faces: below and above x, y, z.
    static const int faces[BOX_PLANES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double at[8][3], size = 0.0;
    uint32_t corners[8];
    const grz_box *box = &w->mesh->bounds;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(box->max[k] - box->min[k], 0x1p-50 * w->mesh->max_abs[k]));
    size = fmax(size, 0x1p-1074);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++)
            at[i][k] = (i >> k & 1) != 0 ? box->max[k] + size : box->min[k] - size;
        if (!add_given(w, at[i], &corners[i]))
            return false;
    }
    for (int f = 0; f < BOX_PLANES; f++)
        if (add_plane(w, at[faces[f][0]], at[faces[f][1]], at[faces[f][2]]) == UINT32_MAX)
            return false;
    for (uint32_t f = 0; f < BOX_PLANES; f++) {
        if (!grz_parts_begin(w->allocator, &node->cell, f, 1))
            return false;
        for (int i = 0; i < 4; i++) { // the edge to the next corner is also one of the face that has it backwards
            const int from = faces[f][i], to = faces[f][(i + 1) % 4];
            uint32_t along = 0;
            for (uint32_t g = 0; g < BOX_PLANES; g++)
                for (int j = 0; j < 4; j++)
                    if (faces[g][j] == to && faces[g][(j + 1) % 4] == from)
                        along = g;
            if (!grz_parts_add(w->allocator, &node->cell, corners[from], along))
                return false;
        }
    }
    return true;
}

// The plane of a triangle: an earlier one's if they lie in the same. `facing` receives its side.
static uint32_t plane_of(work *w, const double c[3][3], int *facing)
{
    *facing = 1;
    for (uint32_t i = BOX_PLANES; i < w->pool.planes.count; i++) {
        const double(*at)[3] = (const double(*)[3])w->pool.planes.items[i].at;
        if (grz_orient3d(at[0], at[1], at[2], c[0]) != 0 || grz_orient3d(at[0], at[1], at[2], c[1]) != 0 ||
            grz_orient3d(at[0], at[1], at[2], c[2]) != 0)
            continue;
        for (int axis = 0; axis < 3; axis++) {
            const int sign = grz_orient_projected(axis, at[0], at[1], at[2]);
            if (sign != 0) {
                *facing = sign * grz_orient_projected(axis, c[0], c[1], c[2]);
                return i;
            }
        }
    }
    return add_plane(w, c[0], c[1], c[2]);
}

// A plane through an edge that is not the triangle's.
static uint32_t plane_along(work *w, const double c[3][3], int edge)
{
    double far[3];
    memcpy(far, c[edge], sizeof far);
    for (int axis = 0; axis < 3; axis++)
        if (grz_orient_projected(axis, c[0], c[1], c[2]) != 0) {
            double size = fabs(far[axis]) * 0x1p-20;
            for (int i = 1; i < 3; i++)
                for (int k = 0; k < 3; k++)
                    size = fmax(size, fabs(c[i][k] - c[0][k]));
            far[axis] += size;
            break;
        }
    return add_plane(w, c[edge], c[(edge + 1) % 3], far);
}

// All triangles with area become polygons of the first cell. Planes of edges come after those of all triangles, so that
// plane_of() does not look at them.
static bool begin_with_surface(work *w, grz_parts_node *node)
{
    const grz_mesh *mesh = w->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3];
        int facing;
        grz_mesh_corners(mesh, t, c);
        if (grz_orient_projected(0, c[0], c[1], c[2]) == 0 && grz_orient_projected(1, c[0], c[1], c[2]) == 0 &&
            grz_orient_projected(2, c[0], c[1], c[2]) == 0)
            continue;
        const uint32_t plane = plane_of(w, (const double(*)[3])c, &facing);
        if (plane == UINT32_MAX || !grz_parts_begin(w->allocator, &node->surface, plane, facing) ||
            grz_control_expired_at(&w->control, t, 4))
            return false;
        for (int i = 0; i < 3; i++) {
            uint32_t corner;
            if (!add_given(w, c[i], &corner) || !grz_parts_add(w->allocator, &node->surface, corner, UINT32_MAX))
                return false;
        }
    }
    for (size_t p = 0; p < node->surface.all.count; p++) {
        grz_parts_place *places = node->surface.places.items + node->surface.all.items[p].from;
        double c[3][3];
        for (int i = 0; i < 3; i++)
            memcpy(c[i], w->pool.corners.items[places[i].corner].at, sizeof c[i]);
        for (int i = 0; i < 3; i++) {
            places[i].along = plane_along(w, (const double(*)[3])c, i);
            if (places[i].along == UINT32_MAX)
                return false;
        }
    }
    return true;
}

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
        if (cell->all.items[f].plane < BOX_PLANES) {
            w->outside_is_solid = true;
            return GRZ_ERROR_MESH;
        }
    const size_t count = cell->places.count;
    double(*points)[3] = grz_allocate(w->allocator, count, sizeof *points);
    if (points != NULL && grz_array_reserve(w->allocator, &w->found, w->found.count + 1)) {
        for (size_t i = 0; i < count; i++) {
            grz_parts_round(w->pool.planes.items, &w->pool.corners.items[cell->places.items[i].corner], points[i]);
            for (int k = 0; k < 3; k++) // half of the last digit on each axis, and the root of 3 is below 2
                w->rounding = fmax(w->rounding, nextafter(fabs(points[i][k]), HUGE_VAL) - fabs(points[i][k]));
        }
        grz_hull *hull = &w->found.items[w->found.count];
        hull->device = w->device;
        status = grz_hull_build(points[0], NULL, (uint32_t)count, &w->control, &hull->shape);
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
    if (!begin_with_box(w, &w->open.items[0]) || !begin_with_surface(w, &w->open.items[0]))
        return GRZ_ERROR_MEMORY;
    while (w->open.count > 0) {
        grz_parts_node node = w->open.items[--w->open.count];
        const grz_status status =
            grz_control_expired(&w->control) ? grz_control_status(&w->control) : process(w, &node);
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
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "convex parts: the mesh %s",
                        topology->closed ? "has faces that run through an edge in the same direction"
                                         : "is not closed: it has no inside");
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

// Give what was found to the caller, or destroy it.
static grz_status hand_over(work *w, grz_status status, grz_convex_parts **parts)
{
    grz_convex_parts *made = grz_allocate(w->allocator, 1, sizeof *made);
    if (made == NULL) {
        for (size_t i = 0; i < w->found.count; i++)
            grz_hull_shape_finish(w->allocator, &w->found.items[i].shape);
        grz_array_finish(w->allocator, &w->found);
        return status != GRZ_OK ? status : GRZ_ERROR_MEMORY;
    }
    *made = (grz_convex_parts){.device = w->device,
                               .count = (uint32_t)w->found.count,
                               .capacity = (uint32_t)w->found.capacity,
                               .all = w->found.items,
                               .rounding = w->rounding};
    grz_device_retain(w->device);
    if (status == GRZ_OK)
        *parts = made;
    else
        grz_convex_parts_destroy(made);
    return status;
}

static grz_status explain(const work *w, grz_status status, grz_error *error)
{
    if (status == GRZ_ERROR_LIMIT)
        return grz_fail(error, status, GRZ_NO_ELEMENT, "convex parts: there are more than %u parts, see options.most",
                        w->most);
    if (w->outside_is_solid)
        return grz_fail(error, status, GRZ_NO_ELEMENT,
                        "convex parts: the mesh is inside out, its faces are clockwise from outside");
    return grz_control_explain(&w->control, status, "the convex parts", error);
}

static grz_status answer(const grz_mesh *mesh, const grz_convex_parts_options *options, grz_convex_parts **parts,
                         grz_error *error)
{
    work w = {.device = mesh->device, .most = options->most};
    grz_control_init(&w.control, mesh->allocator, options->deadline > 0.0 ? grz_clock_seconds() : 0.0);
    w.control.cancel = options->cancel;
    w.control.deadline = options->deadline;
    w.control.memory_limit = options->memory_limit;
    w.allocator = w.pool.allocator = grz_control_allocator(&w.control);
    grz_status status = grz_mesh_in_memory(mesh, &w.control, &mesh, error);
    if (status == GRZ_OK)
        status = check_surface(mesh, &w.control, error);
    if (status != GRZ_OK)
        return status;
    w.mesh = mesh;
    status = run(&w);
    if (status == GRZ_ERROR_MEMORY && grz_control_status(&w.control) != GRZ_OK)
        status = grz_control_status(&w.control);
    finish(&w);
    status = hand_over(&w, status, parts);
    return status == GRZ_OK ? GRZ_OK : explain(&w, status, error);
}

grz_status grz_convex_parts_of_mesh(const grz_mesh *mesh, const grz_convex_parts_options *options,
                                    grz_convex_parts **parts, grz_error *error)
{
    grz_convex_parts_options read = defaults;
    if (parts != NULL)
        *parts = NULL;
    if (mesh == NULL || parts == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "convex parts: %s NULL",
                        mesh == NULL ? "mesh is" : "parts are");
    grz_status status =
        options != NULL ? grz_options_read(&options_type, "convex parts", "options", options, &read, error) : GRZ_OK;
    if (status == GRZ_OK && (!(read.deadline >= 0.0) || read.most == 0))
        status =
            grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "convex parts: options.%s, must be %s",
                     read.most == 0 ? "most is 0" : "deadline is below 0", read.most == 0 ? "at least 1" : "0 or more");
    if (status != GRZ_OK)
        return status;
    const grz_fp_state state = grz_fp_enter();
    status = answer(mesh, &read, parts, error);
    grz_fp_leave(state);
    return status;
}

void grz_convex_parts_destroy(grz_convex_parts *parts)
{
    if (parts == NULL)
        return;
    grz_device *device = parts->device;
    const grz_allocator *allocator = grz_device_allocator(device);
    for (uint32_t i = 0; i < parts->count; i++)
        grz_hull_shape_finish(allocator, &parts->all[i].shape);
    grz_release(allocator, parts->all, parts->capacity, sizeof *parts->all);
    grz_release(allocator, parts, 1, sizeof *parts);
    grz_device_release(device);
}

uint32_t grz_convex_parts_count(const grz_convex_parts *parts)
{
    return parts != NULL ? parts->count : 0;
}

const grz_hull *grz_convex_part(const grz_convex_parts *parts, uint32_t index)
{
    return parts != NULL && index < parts->count ? &parts->all[index] : NULL;
}

double grz_convex_parts_rounding(const grz_convex_parts *parts)
{
    return parts != NULL ? parts->rounding : 0.0;
}
