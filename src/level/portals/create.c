// SPDX-License-Identifier: MIT
// grz_portals_create() and grz_portals_create_bsp(): check what was given, take the triangles to the world, and have
// the cells made.
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/pose.h"
#include "level/portals/bsp/bsp_cells.h"
#include "level/portals/portal_cells.h"
#include "mesh/mesh.h"
#include "mesh/object_check.h"
#include "mesh/source.h"
#include "mesh/triangles.h"

static const double LARGEST = 0x1p100;     // of what the caller gives, as <graze/portals.h> says
static const double MOST_FLATNESS = 0.125; // of the margin
static const double USUAL_MARGIN = 0x1p-5; // of the mean length of edges

// Chosen, as <graze/portals.h> says.
static const grz_portals_options defaults = {
    .size = sizeof(grz_portals_options), .coverage = 0.25, .flatness = 0x1p-6, .cell_faces = 256, .max_cells = 100000};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(portals_options, defaults);

void grz_portals_options_init(grz_portals_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

static grz_status check_options(const grz_portals_options *options, grz_error *error)
{
    if (!(options->margin >= 0.0 && options->margin <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: options.margin is %g, must be 0 to 2^100",
                        options->margin);
    if (!(options->coverage >= 0.0 && options->coverage <= 1.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: options.coverage is %g, must be 0 to 1",
                        options->coverage);
    if (!(options->flatness >= 0.0 && options->flatness <= MOST_FLATNESS))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: options.flatness is %g, must be 0 to 1/8",
                        options->flatness);
    if (options->max_cells < 2)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "portals: options.max_cells is %u, must be at least 2", options->max_cells);
    return GRZ_OK;
}

// ---- The triangles ------------------------------------------------------------------------------------------------

static grz_status take_mesh(grz_portals *level, const grz_object *object, grz_control *control, grz_error *error)
{
    const grz_mesh *mesh = object->mesh;
    const grz_allocator *allocator = grz_control_allocator(control);
    double *positions = grz_allocate(allocator, mesh->vertex_count, 3 * sizeof *positions);
    level->all.count = mesh->triangle_count;
    level->all.faces = grz_allocate(allocator, mesh->triangle_count, sizeof *level->all.faces);
    level->is_portal = grz_allocate_zeroed(allocator, mesh->triangle_count, sizeof *level->is_portal);
    level->sides = grz_allocate(allocator, mesh->triangle_count, 2 * sizeof *level->sides);
    grz_status status = GRZ_ERROR_MEMORY;
    if (positions != NULL && level->all.faces != NULL && level->is_portal != NULL && level->sides != NULL) {
        for (uint32_t i = 0; i < mesh->vertex_count; i++)
            grz_world_position(&object->pose, grz_mesh_position(mesh, i), positions + 3 * (size_t)i);
        for (uint32_t t = 0; t < mesh->triangle_count; t++)
            level->all.faces[t] = grz_mesh_triangle_face(mesh, t);
        const grz_mesh_description d = grz_mesh_description_from_triangles(positions, GRZ_FLOAT64, mesh->vertex_count,
                                                                           mesh->triangles, mesh->triangle_count);
        status = grz_mesh_make(level->device, &d, control, &level->all.mesh, error);
    } else
        status = grz_control_explain(control, status, "portals", error);
    grz_release(allocator, positions, mesh->vertex_count, 3 * sizeof *positions);
    if (status != GRZ_OK)
        return status;
    for (int k = 0; k < 3; k++)
        if (level->all.mesh->max_abs[k] > LARGEST)
            return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                            "portals: the walls have coordinates above 2^100");
    return GRZ_OK;
}

// Faces are numbered in ascending order over the triangles.
static bool mark_portal(grz_portals *level, uint32_t face, bool *twice)
{
    uint32_t low = 0, high = level->all.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (level->all.faces[middle] < face)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == level->all.count || level->all.faces[low] != face)
        return false;
    *twice = level->is_portal[low] != 0;
    for (; low < level->all.count && level->all.faces[low] == face; low++)
        level->is_portal[low] = 1;
    return true;
}

static grz_status mark_portals(grz_portals *level, const uint32_t *portals, uint64_t count, grz_error *error)
{
    for (uint64_t i = 0; i < count; i++) {
        bool twice;
        if (!mark_portal(level, portals[i], &twice))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, portals[i], "portals: portal %llu is face %u, but there are %u",
                            (unsigned long long)i, portals[i], level->all.faces[level->all.count - 1] + 1);
        if (twice)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, portals[i], "portals: face %u is listed twice", portals[i]);
    }
    return GRZ_OK;
}

static grz_status allocate_portals(grz_portals *level, uint64_t count, grz_control *control, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    level->portal_count = (uint32_t)count;
    if (count == 0)
        return GRZ_OK;
    level->portals = grz_allocate_zeroed(allocator, count, sizeof *level->portals);
    level->first_polygon = grz_allocate_zeroed(allocator, count + 1, sizeof *level->first_polygon);
    level->cell_portals = grz_allocate(allocator, 2 * count, sizeof *level->cell_portals);
    return level->portals != NULL && level->first_polygon != NULL && level->cell_portals != NULL
               ? GRZ_OK
               : grz_control_explain(control, GRZ_ERROR_MEMORY, "portals", error);
}

// No triangle without area, and no two that meet outside of common edges and corners.
static grz_status check_faces(const grz_portals *level, const grz_mesh *given, grz_control *control, grz_error *error)
{
    grz_mesh_report report;
    if (given->nonsimple_faces > 0)
        return grz_fail(error, GRZ_ERROR_MESH, given->first_nonsimple_face, "portals: face %llu crosses itself",
                        (unsigned long long)given->first_nonsimple_face);
    grz_status status = grz_mesh_check(level->all.mesh, &report, error);
    if (status != GRZ_OK)
        return status;
    if (report.degenerate_faces > 0) {
        const uint32_t face = level->all.faces[report.first_degenerate_face];
        return grz_fail(error, GRZ_ERROR_MESH, face, "portals: face %u has no area, or a triangle of it has none",
                        face);
    }
    grz_result *result;
    const grz_object object = grz_object_at_origin(level->all.mesh);
    grz_collide_options options = grz_default_collide_options();
    options.limits = grz_control_limits_left(control);
    status = grz_result_create(level->device, &result, error);
    if (status == GRZ_OK)
        status = grz_collide_self(level->device, &object, &options, result, error);
    uint64_t count = 0;
    const grz_pair *pairs = status == GRZ_OK ? grz_result_pairs(result, &count) : NULL;
    if (count > 0) {
        const uint32_t a = level->all.faces[pairs[0].face_a], b = level->all.faces[pairs[0].face_b];
        status = grz_fail(error, GRZ_ERROR_MESH, a,
                          "portals: faces %u and %u meet outside of a whole common edge or corner", a, b);
    }
    grz_result_destroy(result);
    return status;
}

// Of the edges of a sample of triangles.
static double mean_edge(const grz_portals *level)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < level->all.count; t++) {
        double c[3][3];
        grz_mesh_corners(level->all.mesh, t, c);
        for (int i = 0; i < 3; i++) {
            const double *p = c[i], *q = c[(i + 1) % 3];
            sum += sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]) + (q[2] - p[2]) * (q[2] - p[2]));
        }
    }
    return sum / (3.0 * level->all.count);
}

// ---- The call -----------------------------------------------------------------------------------------------------

// What a level is made from.
typedef struct plan {
    const grz_object *object;
    const uint32_t *portals;
    uint64_t portal_count;
    grz_portals_options options;
    bool by_tree;
} plan;

static grz_status build_of_tree(grz_portals *level, const plan *p, grz_control *control, grz_error *error)
{
    const grz_bsp_options options = {p->options.coverage, p->options.flatness, p->options.cell_faces,
                                     p->options.max_cells};
    grz_cell_pairs pairs = {.all = {.count = 0}};
    grz_status status = p->options.open_walls ? GRZ_OK : grz_leaks_refuse(level, control, error);
    if (status == GRZ_OK)
        status = grz_bsp_build(level, &options, &pairs, control, error);
    if (status == GRZ_OK)
        status = grz_cells_make_of(level, &pairs, control, error);
    grz_array_finish(grz_control_allocator(control), &pairs.all);
    return status;
}

static grz_status build(grz_portals *level, const plan *p, grz_control *control, grz_error *error)
{
    grz_object object = *p->object;
    grz_status status = grz_mesh_in_memory(p->object->mesh, control, &object.mesh, error);
    if (status == GRZ_OK)
        status = take_mesh(level, &object, control, error);
    if (status == GRZ_OK)
        status = mark_portals(level, p->portals, p->portal_count, error);
    if (status == GRZ_OK && !p->by_tree)
        status = allocate_portals(level, p->portal_count, control, error);
    if (status == GRZ_OK && !p->by_tree)
        status = check_faces(level, object.mesh, control, error);
    if (status != GRZ_OK)
        return status;
    level->margin = p->options.margin > 0.0 ? p->options.margin : USUAL_MARGIN * mean_edge(level);
    level->first_useless_portal = GRZ_NO_ELEMENT;
    if (p->by_tree)
        return build_of_tree(level, p, control, error);
    status = grz_cells_find(level, p->options.open_walls, control, error);
    return status == GRZ_OK ? grz_cells_make(level, control, error) : status;
}

static grz_status check_and_create(grz_call *call, const plan *p, grz_portals **out)
{
    grz_device *device = call->device;
    grz_error *error = call->error;
    if (p->object == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the object is NULL");
    if (p->portal_count > 0 && p->portals == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the list of portals is NULL");
    grz_status status = check_options(&p->options, error);
    if (status == GRZ_OK)
        status = grz_object_check("portals", p->object, "the object", GRZ_NO_ELEMENT, error);
    if (status != GRZ_OK)
        return status;
    grz_portals *level = grz_allocate_zeroed(grz_device_allocator(device), 1, sizeof *level);
    if (level == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "portals: out of memory");
    level->device = device;
    level->allocator = grz_device_allocator(device);
    grz_device_retain(device);
    status = build(level, p, &call->control, error);
    if (status == GRZ_OK)
        *out = level;
    else
        grz_portals_destroy(level);
    return status;
}

static grz_status create(grz_device *device, plan *p, const grz_portals_options *options, grz_portals **level,
                         grz_error *error)
{
    if (level == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the level is NULL");
    *level = NULL;
    grz_call call;
    grz_status status = grz_call_begin(&call, "portals", device, &options_type, options, &p->options, error);
    if (status == GRZ_OK && p->by_tree) {
        p->portals = p->options.marks;
        p->portal_count = p->options.mark_count;
    }
    if (status == GRZ_OK)
        status = check_and_create(&call, p, level);
    return grz_call_end(&call, status);
}

grz_status grz_portals_create(grz_device *device, const grz_object *object, const uint32_t *portals,
                              uint64_t portal_count, const grz_portals_options *options, grz_portals **level,
                              grz_error *error)
{
    plan p = {.object = object, .portals = portals, .portal_count = portal_count};
    return create(device, &p, options, level, error);
}

grz_status grz_portals_create_bsp(grz_device *device, const grz_object *object, const grz_portals_options *options,
                                  grz_portals **level, grz_error *error)
{
    plan p = {.object = object, .by_tree = true};
    return create(device, &p, options, level, error);
}

void grz_portals_destroy(grz_portals *level)
{
    if (level == NULL)
        return;
    const grz_allocator *allocator = level->allocator;
    for (uint32_t i = 0; level->cells != NULL && i < level->cell_count; i++) {
        grz_part_finish(allocator, &level->cells[i].shell);
        grz_part_finish(allocator, &level->cells[i].walls);
        grz_array_finish(allocator, &level->cells[i].contents);
    }
    for (size_t i = 0; i < level->contents.count; i++)
        grz_array_finish(allocator, &level->contents.items[i].cells);
    grz_array_finish(allocator, &level->contents);
    grz_array_finish(allocator, &level->nodes);
    grz_release(allocator, level->is_portal, level->all.count, sizeof *level->is_portal);
    grz_release(allocator, level->sides, level->all.count, 2 * sizeof *level->sides);
    grz_part_finish(allocator, &level->all);
    grz_part_finish(allocator, &level->walls);
    grz_release(allocator, level->cells, level->cell_count, sizeof *level->cells);
    grz_release(allocator, level->portals, level->portal_count, sizeof *level->portals);
    if (level->first_polygon != NULL)
        grz_release(allocator, level->first_polygon, level->portal_count + (size_t)1, sizeof *level->first_polygon);
    grz_array_finish(allocator, &level->polygons.pieces);
    grz_array_finish(allocator, &level->polygons.corners);
    grz_release(allocator, level->cell_portals, 2 * (size_t)level->portal_count, sizeof *level->cell_portals);
    grz_device *device = level->device;
    grz_release(allocator, level, 1, sizeof *level);
    grz_device_release(device);
}
