// SPDX-License-Identifier: MIT
// Shells that no contact places: a point of each decides. Usually a vertex does; where every vertex of a shell touches
// the other surface, a point inside one of its triangles.
#include <assert.h>

#include "base/control.h"
#include "geometry/triangle/triangle.h"
#include "inside/point_in_mesh.h"
#include "inside/solids/exact_ray.h"
#include "inside/solids/cell_labels.h"
#include "mesh/topology/topology.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 10 // triangles between two checks of the control, as a power of two
};

typedef struct shell_work {
    const grz_posed_surface *inner, *other;
    grz_inside_rule rule;
    bool swapped;
    grz_control *control;
    grz_probe probe;
    unsigned *labels;
    bool *placed; // of each shell
    uint32_t left;
} shell_work;

static void place(shell_work *work, uint32_t shell, bool inside)
{
    const bool swapped = work->swapped;
    work->placed[shell] = true;
    work->left--;
    *work->labels |= grz_label(swapped ? inside : true, swapped ? true : inside);
    *work->labels |= grz_label(swapped ? inside : false, swapped ? false : inside);
}

static bool try_vertices(shell_work *work, uint32_t triangle, uint32_t shell)
{
    double corners[3][3];
    grz_world_corners(work->inner->object->mesh, &work->inner->object->pose, triangle, corners);
    for (int i = 0; i < 3; i++) {
        grz_location location;
        if (!grz_probe_point(&work->probe, corners[i], false, &location))
            return false;
        if (location == GRZ_ON_SURFACE)
            continue;
        place(work, shell, location == GRZ_INSIDE);
        break;
    }
    return true;
}

// True if a point on the other surface is on triangles alone whose both sides are inside: then it is inside, too.
static bool is_between_insides(const shell_work *work, const grz_exact_point *point)
{
    enum {
        ROOM = 8
    };
    uint32_t holders[ROOM];
    const uint32_t count = grz_exact_holders(work->other->object, work->other->bvh, point, holders, ROOM);
    bool between = count > 0 && count <= ROOM;
    for (uint32_t i = 0; i < count && between; i++)
        between = work->other->surface->sides[holders[i]] == (GRZ_NORMAL_SIDE_INSIDE | GRZ_OTHER_SIDE_INSIDE);
    return between;
}

static bool try_interior(shell_work *work, uint32_t triangle, uint32_t shell)
{
    double corners[3][3];
    grz_world_corners(work->inner->object->mesh, &work->inner->object->pose, triangle, corners);
    for (int attempt = 0; attempt < GRZ_INTERIOR_ATTEMPTS; attempt++) {
        grz_exact_point point;
        grz_exact_hits hits;
        if (!grz_exact_interior_point((const double(*)[3])corners, attempt, &point))
            continue;
        if (!grz_exact_ray(work->other->object, work->other->bvh, &point, 0, true, UINT32_MAX, work->control, &hits))
            return false;
        if (hits.on_surface && !is_between_insides(work, &point))
            continue;
        place(work, shell, hits.on_surface || (work->rule == GRZ_NONZERO ? hits.winding != 0 : hits.odd));
        break;
    }
    return true;
}

// Go through all triangles; `attempt` is called for those whose shell has no place yet. False: the control says to end.
static bool try_all(shell_work *work, bool (*attempt)(shell_work *work, uint32_t triangle, uint32_t shell))
{
    const grz_surface *surface = work->inner->surface;
    for (uint32_t t = 0; t < surface->triangle_count && work->left > 0 && !grz_labels_settled(*work->labels); t++) {
        const uint32_t shell = surface->shell[t];
        if (grz_control_expired_at(work->control, t, CHECK_BITS))
            return false;
        if (shell != GRZ_NO_SHELL && !work->placed[shell] && !attempt(work, t, shell))
            return false;
    }
    return true;
}

grz_status grz_shell_labels_add(const grz_posed_surface *inner, const grz_posed_surface *other, grz_inside_rule rule,
                                const bool *in_contact, bool swapped, grz_control *control, unsigned *labels,
                                bool *placed, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint32_t count = inner->surface->shell_count;
    grz_solid solid;
    shell_work work = {.inner = inner,
                       .other = other,
                       .rule = rule,
                       .swapped = swapped,
                       .control = control,
                       .probe = {.solid = &solid, .control = control}};
    work.labels = labels;
    for (uint32_t i = 0; i < count; i++)
        work.left += !in_contact[i];
    *placed = true;
    if (work.left == 0)
        return GRZ_OK;
    grz_status status = grz_solid_init(&solid, other->object, rule, control, error);
    if (status != GRZ_OK)
        return status;
    assert(solid.fault == GRZ_FAULT_NONE);
    work.placed = grz_allocate(allocator, count, sizeof *work.placed);
    if (work.placed == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "solids", error);
    for (uint32_t i = 0; i < count; i++)
        work.placed[i] = in_contact[i];
    if (!try_all(&work, try_vertices) || !try_all(&work, try_interior))
        status = grz_control_explain(control, grz_control_status(control), "solids", error);
    *placed = work.left == 0 || grz_labels_settled(*labels);
    grz_release(allocator, work.placed, count, sizeof *work.placed);
    return status;
}

// ---- Components that need not be clean ----

// True if a point inside the triangle is on an odd number of triangles, all of which lie in the triangle's plane: its
// two sides are then different.
static bool has_two_sides(const grz_object *object, const grz_bvh *bvh, uint32_t triangle)
{
    enum {
        ROOM = 8
    };
    double corners[3][3], other[3][3];
    uint32_t holders[ROOM];
    grz_world_corners(object->mesh, &object->pose, triangle, corners);
    const double(*c)[3] = (const double(*)[3])corners;
    if (grz_triangle_dimension(c) < 2)
        return false;
    for (int attempt = 0; attempt < 2; attempt++) {
        grz_exact_point point;
        if (!grz_exact_interior_point(c, attempt, &point))
            continue;
        const uint32_t count = grz_exact_holders(object, bvh, &point, holders, ROOM);
        bool flat = count <= ROOM && count % 2 == 1;
        for (uint32_t i = 0; i < count && flat; i++) {
            grz_world_corners(object->mesh, &object->pose, holders[i], other);
            // In its interior: on its border, it covers one half of the neighbourhood only.
            flat = grz_orient3d(c[0], c[1], c[2], other[0]) == 0 && grz_orient3d(c[0], c[1], c[2], other[1]) == 0 &&
                   grz_orient3d(c[0], c[1], c[2], other[2]) == 0;
            for (int k = 0, axis = 0, turn; k < 3 && flat; k++) {
                axis = grz_projection_axis((const double(*)[3])other, &turn);
                flat = grz_exact_orient_projected(axis, other[k], other[(k + 1) % 3], &point) != 0;
            }
        }
        if (flat)
            return true;
    }
    return false;
}

grz_status grz_components_bound(const grz_object *object, uint32_t most, grz_control *control, bool *all,
                                grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_topology *topology;
    const grz_bvh *bvh = NULL;
    *all = false;
    grz_status status = grz_mesh_topology(object->mesh, control, &topology, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(object->mesh, control, &bvh, error);
    if (status != GRZ_OK)
        return status;
    const uint32_t count = topology->component_count;
    uint32_t left = count;
    // How many triangles of the component were looked at; UINT32_MAX: one of them has two different sides.
    uint32_t *tried = grz_allocate_zeroed(allocator, count, sizeof *tried);
    if (tried == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "solids", error);
    for (uint32_t t = 0; t < object->mesh->triangle_count && left > 0 && status == GRZ_OK; t++) {
        uint32_t *of = &tried[topology->triangle_component[t]];
        if (grz_control_expired_at(control, t, CHECK_BITS))
            status = grz_control_explain(control, grz_control_status(control), "solids", error);
        if (*of >= most)
            continue;
        (*of)++;
        if (has_two_sides(object, bvh, t)) {
            *of = UINT32_MAX;
            left--;
        }
    }
    *all = left == 0;
    grz_release(allocator, tried, count, sizeof *tried);
    return status;
}
