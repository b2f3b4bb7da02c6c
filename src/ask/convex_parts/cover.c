// SPDX-License-Identifier: MIT
// A cover of a solid by few convex bodies: cut the solid into pieces, take their hulls, measure how far they stand
// out, cut the worst again; at last join what can be joined (docs/use/convex_parts.md).
#include "ask/convex_parts/cover.h"

#include <math.h>
#include <string.h>

#include "ask/convex_parts/parts_begin.h"
#include "ask/convex_parts/convex_parts.h"
#include "base/call.h"
#include "base/fail.h"
#include "base/options.h"
#include "base/rounding.h"
#include "geometry/functions/functions.h"
#include "mesh/source.h"
#include "mesh/topology/open_edge.h"
#include "mesh/topology/topology.h"

enum {
    MOST_PARTS = 4096,
    TIMES_MORE = 4, // pieces than parts wanted: joining leaves fewer
    BESIDE = 64     // roundings from a corner that is nearly on the surface
};

static const double MOST_SIZE = 0x1p290; // points that are measured are up to three times as far away

static const grz_convex_cover_options defaults = {.size = sizeof(grz_convex_cover_options), .max_parts = 64};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(convex_cover_options, defaults);

void grz_convex_cover_options_init(grz_convex_cover_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

// Which corners of a cell hold some of the piece next to them: those inside of the solid. On its surface, or as near to
// it as rounding is, the cell may only touch it from outside; then a point beside the corner, BESIDE roundings further
// into the cell, decides. If that is outside, what is solid next to the corner is thinner than that, or a polygon of
// the piece has the corner, too.
static grz_status find_solid_corners(grz_cover *cover, const grz_parts_polygons *cell, double *points, bool *solid)
{
    const size_t count = cell->places.count;
    grz_point_distance *answers = grz_allocate(cover->allocator, 2 * count, sizeof *answers);
    double middle[3] = {0.0, 0.0, 0.0};
    if (answers == NULL)
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        memcpy(points + 3 * i, cover->pool.corners.items[cell->places.items[i].corner].at, 3 * sizeof *points);
        for (int k = 0; k < 3; k++)
            middle[k] += points[3 * i + (size_t)k] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double away = 0.0;
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            away = fmax(away, fabs(middle[k % 3] - points[k]));
        const double share =
            fmin(0.25, BESIDE * grz_convex_parts_rounding_at(points + 3 * i) / fmax(away, GRZ_NEVER_ZERO));
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            points[3 * count + k] = points[k] + (middle[k % 3] - points[k]) * share;
    }
    const grz_status status = grz_parts_measure_points(&cover->ruler, points, 2 * count, answers);
    for (size_t i = 0; i < count; i++) {
        const double rounding = grz_convex_parts_rounding_at(points + 3 * i);
        const bool near = answers[i].lower <= rounding;
        solid[i] = near ? answers[count + i].location != GRZ_OUTSIDE : answers[i].location == GRZ_INSIDE;
        if (near && !solid[i])
            cover->rounding = fmax(cover->rounding, 4.0 * BESIDE * rounding);
    }
    grz_release(cover->allocator, answers, 2 * count, sizeof *answers);
    return status;
}

// The corners of a piece: those of its polygons, and those of its cell that are solid.
static grz_status gather(grz_cover *cover, const grz_parts_node *node, double **points, size_t *count, size_t *room)
{
    const grz_parts_polygons *surface = &node->surface, *cell = &node->cell;
    *room = surface->places.count + 2 * cell->places.count;
    *points = grz_allocate(cover->allocator, *room, 3 * sizeof **points);
    bool *solid = grz_allocate(cover->allocator, cell->places.count, sizeof *solid);
    grz_status status = *points != NULL && solid != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK) {
        double *corners = *points + 3 * surface->places.count;
        status = find_solid_corners(cover, cell, corners, solid);
        *count = surface->places.count;
        for (size_t i = 0; i < surface->places.count; i++)
            memcpy(*points + 3 * i, cover->pool.corners.items[surface->places.items[i].corner].at, 3 * sizeof **points);
        for (size_t i = 0; i < cell->places.count && status == GRZ_OK; i++)
            if (solid[i])
                memmove(*points + 3 * (*count)++, corners + 3 * i, 3 * sizeof **points);
        for (size_t i = 0; i < 3 * *count && status == GRZ_OK; i += 3)
            cover->rounding = fmax(cover->rounding, grz_convex_parts_rounding_at(*points + i));
    }
    grz_release(cover->allocator, solid, cell->places.count, sizeof *solid);
    return status;
}

// Take a piece for a body, if any of it is solid. It empties `node`.
static grz_status add_body(grz_cover *cover, grz_parts_node *node)
{
    double *points = NULL;
    size_t count = 0, room = 0;
    grz_cover_body body = {.node = *node};
    *node = (grz_parts_node){.inside = false};
    grz_status status = gather(cover, &body.node, &points, &count, &room);
    if (status == GRZ_OK && count > GRZ_HULL_MAX_POINTS)
        status = GRZ_ERROR_MEMORY;
    if (status == GRZ_OK && count > 0)
        status = grz_hull_build(points, NULL, (uint32_t)count, cover->control, &body.hull);
    grz_release(cover->allocator, points, room, 3 * sizeof *points);
    if (status == GRZ_OK && count > 0)
        status = grz_parts_measure_hull(&cover->ruler, &body.hull, cover->allowed, true, &body.stands);
    // A cell without surface touches the solid only where a neighbour has it, or is solid as a whole.
    const bool useless = count == 0 || (body.node.surface.all.count == 0 && body.hull.dimension < 3);
    if (status == GRZ_OK && !useless && grz_array_add(cover->allocator, &cover->bodies)) {
        body.volume = grz_cover_volume(&body.hull);
        body.done = body.stands.upper <= cover->allowed || body.node.surface.all.count == 0;
        if (body.done) {
            grz_parts_node_finish(cover->allocator, &body.node);
            body.node = (grz_parts_node){.inside = false};
        }
        cover->bodies.items[cover->bodies.count - 1] = body;
        return GRZ_OK;
    }
    grz_cover_body_finish(cover->allocator, &body);
    return status == GRZ_OK && !useless ? GRZ_ERROR_MEMORY : status;
}

// Round the corners that a cut has made.
static void round_corners(grz_cover *cover, size_t from)
{
    for (size_t i = from; i < cover->pool.corners.count; i++) {
        grz_parts_corner *corner = &cover->pool.corners.items[i];
        grz_parts_round(cover->pool.planes.items, corner, corner->at);
    }
}

// Cut a body in two. Both take its place.
static grz_status cut_body(grz_cover *cover, size_t which)
{
    uint32_t plane;
    if (!grz_cover_choose_plane(cover, &cover->bodies.items[which], &plane))
        return GRZ_ERROR_MEMORY;
    if (plane == UINT32_MAX) {
        cover->bodies.items[which].done = true;
        return GRZ_OK;
    }
    const size_t corners = cover->pool.corners.count;
    grz_cover_body whole = cover->bodies.items[which];
    grz_parts_node pieces[2] = {{.inside = false}, {.inside = false}};
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++)
        ok = grz_parts_cut_cell(&cover->pool, &whole.node.cell, plane, 2 * i - 1, &pieces[i].cell) &&
             grz_parts_cut_surface(&cover->pool, &whole.node.surface, plane, 2 * i - 1, &pieces[i].surface);
    grz_status status = ok ? GRZ_OK : GRZ_ERROR_MEMORY;
    if (ok) {
        round_corners(cover, corners);
        grz_cover_body_finish(cover->allocator, &whole);
        cover->bodies.items[which] = cover->bodies.items[--cover->bodies.count];
        for (int i = 0; i < 2 && status == GRZ_OK; i++)
            status = add_body(cover, &pieces[i]);
    }
    for (int i = 0; i < 2; i++)
        grz_parts_node_finish(cover->allocator, &pieces[i]);
    return status;
}

grz_status grz_cover_cut(grz_cover *cover)
{
    grz_parts_node first = {.inside = false};
    if (!grz_parts_begin_with_box(&cover->pool, cover->mesh, &first) ||
        !grz_parts_begin_with_surface(&cover->pool, cover->mesh, false, cover->control, &first)) {
        grz_parts_node_finish(cover->allocator, &first);
        return GRZ_ERROR_MEMORY;
    }
    round_corners(cover, 0);
    grz_status status = add_body(cover, &first);
    const size_t most = cover->most > 1 ? (size_t)TIMES_MORE * cover->most : 1;
    while (status == GRZ_OK && cover->bodies.count < most) {
        size_t worst = SIZE_MAX;
        for (size_t i = 0; i < cover->bodies.count; i++)
            if (!cover->bodies.items[i].done &&
                (worst == SIZE_MAX || cover->bodies.items[i].stands.lower > cover->bodies.items[worst].stands.lower))
                worst = i;
        if (worst == SIZE_MAX)
            break;
        status = grz_control_expired(cover->control) ? grz_control_status(cover->control) : cut_body(cover, worst);
    }
    return status;
}

// Those that were found to stand out too far were measured coarsely only.
static grz_status measure_again(grz_cover *cover)
{
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < cover->bodies.count && status == GRZ_OK; i++) {
        grz_cover_body *body = &cover->bodies.items[i];
        if (body->stands.upper > cover->allowed)
            status = grz_parts_measure_hull(&cover->ruler, &body->hull, cover->allowed, false, &body->stands);
    }
    return status;
}

static grz_status hand_over(grz_cover *cover, grz_status status, grz_convex_parts **parts)
{
    grz_convex_part_list list = {.items = NULL};
    for (size_t i = 0; i < cover->bodies.count; i++) {
        grz_cover_body *body = &cover->bodies.items[i];
        if (status == GRZ_OK && !grz_array_add(cover->allocator, &list))
            status = GRZ_ERROR_MEMORY;
        if (status == GRZ_OK) {
            list.items[list.count - 1] = (grz_convex_part_entry){
                .hull = {cover->mesh->device, body->hull}, .lower = body->stands.lower, .upper = body->stands.upper};
            body->hull = (grz_hull_shape){.dimension = 0};
        }
        grz_cover_body_finish(cover->allocator, body);
    }
    grz_array_finish(cover->allocator, &cover->bodies);
    grz_array_finish(cover->allocator, &cover->pool.planes);
    grz_array_finish(cover->allocator, &cover->pool.corners);
    return grz_convex_parts_hand_over(cover->mesh->device, cover->allocator, &list, cover->rounding, status, parts);
}

static grz_status run(grz_cover *cover, grz_error *error)
{
    const grz_topology *topology;
    grz_status status = grz_mesh_topology(cover->mesh, cover->control, &topology, error);
    if (status != GRZ_OK)
        return status;
    if (!topology->closed)
        return grz_mesh_refuse_open(cover->mesh, "convex cover", false, cover->control, error);
    status = grz_cover_cut(cover);
    if (status == GRZ_OK)
        status = grz_cover_join(cover);
    if (status == GRZ_OK)
        status = measure_again(cover);
    if (status == GRZ_ERROR_MEMORY && grz_control_status(cover->control) != GRZ_OK)
        status = grz_control_status(cover->control);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(cover->control, status, "the convex cover", error);
}

static grz_status answer(grz_call *call, const grz_mesh *mesh, const grz_convex_cover_options *options,
                         grz_convex_parts **parts)
{
    grz_control *control = &call->control;
    grz_error *error = call->error;
    grz_status status = grz_mesh_in_memory(mesh, control, &mesh, error);
    if (status != GRZ_OK)
        return status;
    grz_cover cover = {.mesh = mesh,
                       .control = control,
                       .allocator = grz_control_allocator(control),
                       .most = options->max_parts,
                       .ruler = {.device = mesh->device, .solid = grz_object_at_origin(mesh), .control = control}};
    double diagonal = 0.0;
    for (int k = 0; k < 3; k++) {
        diagonal = grz_hypotenuse(diagonal, mesh->bounds.max[k] - mesh->bounds.min[k]);
        cover.ruler.size = fmax(cover.ruler.size, mesh->max_abs[k]);
    }
    cover.allowed = options->error > 0.0 ? options->error : diagonal / 100.0;
    cover.pool.allocator = cover.allocator;
    status = cover.ruler.size > MOST_SIZE
                 ? grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                            "convex cover: the mesh has coordinates of %g, must be at most 2^290", cover.ruler.size)
                 : run(&cover, error);
    const grz_status given = hand_over(&cover, status, parts);
    return status != GRZ_OK || given == GRZ_OK ? status
                                               : grz_control_explain(control, given, "the convex cover", error);
}

grz_status grz_convex_cover_of_mesh(const grz_mesh *mesh, const grz_convex_cover_options *options,
                                    grz_convex_parts **parts, grz_error *error)
{
    grz_call call;
    grz_convex_cover_options read;
    if (parts != NULL)
        *parts = NULL;
    if (mesh == NULL || parts == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "convex cover: %s NULL",
                        mesh == NULL ? "mesh is" : "parts are");
    grz_status status = grz_call_begin(&call, "convex cover", mesh->device, &options_type, options, &read, error);
    if (status == GRZ_OK && !(read.error >= 0.0 && isfinite(read.error)))
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "convex cover: options.error is %g, must be 0 or more", read.error);
    if (status == GRZ_OK && (read.max_parts == 0 || read.max_parts > MOST_PARTS))
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "convex cover: options.max_parts is %u, must be 1 to %d", read.max_parts, MOST_PARTS);
    if (status == GRZ_OK)
        status = answer(&call, mesh, &read, parts);
    return grz_call_end(&call, status);
}
