// SPDX-License-Identifier: MIT
// Method `slices`, its discrete answer. Both objects are drawn into one picture of the region where their boxes
// overlap. Each fragment writes its depth as one bit of colour, and the logic operation OR joins these bits. A pixel
// with the same bit of both objects is a cell where they collide, as far as pixels and slices can show. The boxes of
// such cells can be drawn again at full resolution, as often as the options ask for. Source: J. Dinerstein, P. Egbert,
// "Practical collision detection in rendering hardware for two complex 3D polygon objects" (2002).
#include "base/control.h"
#include "image/slices/slices_draw.h"
#include "image/slices/slices_options.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/rounding.h"
#include "geometry/pose.h"
#include "image/grid/propose.h"
#include "mesh/source.h"

enum {
    MOST_REFINEMENTS = 16,
    MOST_CELLS_OFFSET = 16
};

// The part of a view volume that encloses all cells found.
static grz_view volume_of(const grz_view *view, const grz_slices_found *found, uint32_t resolution, uint32_t slices)
{
    double from[3], to[3];
    for (int i = 0; i < 3; i++) {
        const double count = i < 2 ? resolution : slices;
        assert(found->least[i] <= found->last[i] && found->last[i] < count);
        from[i] = found->least[i] / count;
        to[i] = (found->last[i] + 1.0) / count;
    }
    return grz_view_part(view, from, to);
}

// How far the surface of a mesh is moved outwards, in mesh coordinates.
static double offset_of(const grz_mesh *mesh, const grz_slices_options *options)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (mesh->bounds.max[i] - mesh->bounds.min[i]) * (mesh->bounds.max[i] - mesh->bounds.min[i]);
    return options->offset * sqrt(square);
}

static grz_box plain_box(const grz_object *object, const grz_slices_options *options)
{
    const double out = fmax(offset_of(object->mesh, options), 0.0);
    grz_box box = object->mesh->bounds;
    for (int j = 0; j < 3; j++) {
        box.min[j] -= out;
        box.max[j] += out;
    }
    return grz_world_box(&object->pose, &box);
}

// False: the boxes do not overlap.
static bool find_region(const grz_slices_options *options, const grz_slices_drawn drawn[2], const grz_box plain[2],
                        grz_view_region *region)
{
    const grz_box common = grz_box_intersection(&plain[0], &plain[1]);
    double size = 0.0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            size = fmax(size, plain[i].max[j] - plain[i].min[j]);
    region->padding = size > 0.0 ? size * GRZ_VIEW_PADDING : GRZ_NEVER_ZERO;
    if (grz_box_is_empty(&common))
        return false;
    region->boxes[0] = grz_view_plain_box(&common);
    region->count = 1;
    for (int i = 0; i < 2 && options->oriented; i++) {
        const grz_object *object = drawn[i].object;
        region->boxes[region->count++] = grz_view_posed_box(
            object, grz_mesh_buffers_box(object->mesh, drawn[i].buffers), fmax(offset_of(object->mesh, options), 0.0));
    }
    return !options->oriented || grz_view_boxes_meet(&region->boxes[1], &region->boxes[2]);
}

static bool first_view(const grz_slices_options *options, const grz_slices_drawn drawn[2],
                       const grz_view_region *region, grz_view *view)
{
    const grz_object *objects[2] = {drawn[0].object, drawn[1].object};
    const grz_mesh_buffers *buffers[2] = {drawn[0].buffers, drawn[1].buffers};
    double direction[3];
    for (int i = 0; i < 3; i++)
        direction[i] = options->direction[i];
    if (!options->has_direction)
        grz_view_choose_direction(objects, buffers, region, direction);
    return grz_view_along(direction, region, view);
}

// The view volumes to draw next.
typedef struct volumes {
    grz_view views[GRZ_SLICES_MAX_BOXES];
    uint64_t cells[GRZ_SLICES_MAX_BOXES];
    uint32_t count;
} volumes;

// Draw all volumes, and replace them by the collision volumes found in them.
static grz_status refine(grz_slicing *s, const grz_slices_drawn *drawn, size_t drawn_count, uint32_t slices,
                         double padding, volumes *v)
{
    const grz_allocator *allocator = grz_control_allocator(s->control);
    const uint32_t across = grz_slices_tiles_across(s->resolution), parents = v->count;
    const size_t tile_count = grz_slices_tile_count(s->resolution), total = parents * tile_count;
    const volumes before = *v;
    grz_tile *tiles = grz_allocate(allocator, total, sizeof *tiles);
    if (tiles == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for the answer");
    grz_status status = grz_slices_look(s, before.views, parents, drawn, drawn_count, slices, tiles);
    v->count = 0;
    for (uint32_t i = 0; i < parents && status == GRZ_OK; i++) {
        // A volume may become several, but leaves room for one of each volume that comes after it.
        grz_slices_found groups[GRZ_SLICES_MAX_BOXES];
        const uint32_t room =
            s->options->max_boxes > v->count + (parents - i) ? s->options->max_boxes - v->count - (parents - i - 1) : 1;
        bool has_memory;
        const uint32_t count = grz_slices_group(tiles + i * tile_count, across, room, allocator, groups, &has_memory);
        if (!has_memory)
            status = grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for the answer");
        for (uint32_t j = 0; j < count; j++) {
            assert(v->count + (parents - i - 1) < s->options->max_boxes);
            v->views[v->count] = volume_of(&before.views[i], &groups[j], s->resolution, slices);
            // Offset surfaces meet beside the contact of the surfaces themselves: about as far away as they were moved,
            // farther where they meet at a small angle.
            const double moved = grz_slices_cell_offset(s, &before.views[i], slices);
            for (int k = 0; k < 3; k++)
                v->views[v->count].half[k] = fmax(v->views[v->count].half[k] + moved, padding);
            v->cells[v->count++] = groups[j].cells;
        }
    }
    grz_release(allocator, tiles, total, sizeof *tiles);
    return status;
}

// Whether a volume has so many cells that it counts as a collision.
static bool is_large(const grz_slicing *s, const volumes *v)
{
    const double pixels = (double)s->resolution * s->resolution;
    for (uint32_t i = 0; i < v->count && s->options->large_share > 0.0; i++)
        if ((double)v->cells[i] >= s->options->large_share * pixels)
            return true;
    return false;
}

// Draw a view volume, then the volumes found in it, as often as the options ask for. `slices` receives the slices of
// the last drawing. *assumed: a large volume ended it.
static grz_status look_closer(grz_slicing *s, const grz_view *view, const grz_slices_drawn *drawn, size_t drawn_count,
                              double padding, uint32_t *slices, bool *assumed, volumes *v)
{
    const grz_slices_options *options = s->options;
    grz_status status = GRZ_OK;
    *slices = options->slices;
    *assumed = false;
    s->resolution = options->resolution;
    v->views[0] = *view;
    v->count = 1;
    const double out = grz_slices_cell_offset(s, view, *slices);
    for (int i = 0; i < 3; i++)
        v->views[0].half[i] += out;
    for (uint32_t round = 0; round <= options->refinements && status == GRZ_OK && v->count > 0 && !*assumed; round++) {
        if (round == options->refinements && round > 0) {
            *slices = options->last_slices > 0 ? options->last_slices : *slices;
            s->resolution = options->last_resolution > 0 ? options->last_resolution : s->resolution;
        }
        status = refine(s, drawn, drawn_count, *slices, padding, v);
        *assumed = status == GRZ_OK && round < options->refinements && is_large(s, v);
        if (status == GRZ_OK && grz_control_expired(s->control))
            status = grz_control_status(s->control);
    }
    return status;
}

// Whether surfaces are moved along normals.
static bool has_offset(const grz_slices_options *options)
{
    return options->offset != 0.0 || options->cell_offset != 0.0;
}

static grz_status upload(grz_slicing *s, const grz_mesh *mesh, grz_slices_drawn *drawn)
{
    const grz_status status = has_offset(s->options)
                                  ? grz_mesh_buffers_get_normals(s->gl, mesh, s->control, &drawn->buffers, s->error)
                                  : grz_mesh_buffers_get(mesh, s->control, &drawn->buffers, s->error);
    if (status == GRZ_OK)
        drawn->offset = (float)(offset_of(mesh, s->options) / drawn->buffers->scale);
    return status;
}

static grz_status check_numbers(const grz_slices_options *options, grz_error *error)
{
    const double *d = options->direction;
    if (!(fabs(options->offset) <= 1.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: an offset of %g, must be -1 to 1",
                        options->offset);
    if (!(options->cell_offset >= 0.0 && options->cell_offset <= MOST_CELLS_OFFSET))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: an offset of %g cells, must be 0 to %d",
                        options->cell_offset, MOST_CELLS_OFFSET);
    if (!(options->large_share >= 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: a large share of %g, must be 0 or more",
                        options->large_share);
    if (options->has_direction &&
        (!isfinite(d[0]) || !isfinite(d[1]) || !isfinite(d[2]) || (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0)))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: the direction is zero or not finite");
    return GRZ_OK;
}

// Check the options that do not depend on the device.
static grz_status check_options(const grz_slices_options *options, grz_error *error)
{
    if (options->resolution == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: a resolution of 0, must be 1 at least");
    if (options->slices == 0 || options->slices > GRZ_SLICES_MAX)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: %u slices, must be 1 to %d",
                        options->slices, GRZ_SLICES_MAX);
    if (options->last_slices > GRZ_SLICES_MAX)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "slices: %u slices in the last drawing, must be 0 to %d", options->last_slices, GRZ_SLICES_MAX);
    if (options->max_boxes == 0 || options->max_boxes > GRZ_SLICES_MAX_BOXES)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: %u volumes, must be 1 to %d",
                        options->max_boxes, GRZ_SLICES_MAX_BOXES);
    if (options->refinements > MOST_REFINEMENTS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: %u refinements, the most is %d",
                        options->refinements, MOST_REFINEMENTS);
    if (options->analysis != GRZ_ANALYSIS_GPU && options->analysis != GRZ_ANALYSIS_CPU)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: options.analysis is %d",
                        (int)options->analysis);
    return check_numbers(options, error);
}

// Draw two objects and find the cells that both have.
static grz_status slice(grz_slicing *s, const grz_object *a, const grz_object *b, grz_discrete *out)
{
    grz_slices_drawn drawn[2] = {{.object = a}, {.object = b, .second = true}};
    const grz_box plain[2] = {plain_box(a, s->options), plain_box(b, s->options)};
    grz_status status = GRZ_OK;
    grz_view view = {.half = {0.0}};
    grz_view_region where;
    uint32_t slices;
    bool assumed;
    volumes v;
    const double start = grz_clock_seconds();
    if (!grz_boxes_overlap(&plain[0], &plain[1]))
        return GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++)
        status = upload(s, drawn[i].object->mesh, &drawn[i]);
    out->prepare_ms = 1e3 * (grz_clock_seconds() - start);
    if (status != GRZ_OK || !find_region(s->options, drawn, plain, &where) ||
        !first_view(s->options, drawn, &where, &view))
        return status;
    status = look_closer(s, &view, drawn, 2, where.padding, &slices, &assumed, &v);
    if (status != GRZ_OK)
        return status;
    out->colliding = v.count > 0;
    grz_discrete_set(out, "resolution", s->resolution);
    grz_discrete_set(out, "slices", slices);
    grz_discrete_set(out, "drawings", s->drawings);
    grz_discrete_set(out, "assumed", assumed);
    for (uint32_t i = 0; i < v.count; i++) {
        const grz_collision_box volume = grz_view_box(&v.views[i], v.cells[i]);
        if (!grz_discrete_add_box(out, &volume))
            return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %u volumes",
                            v.count);
        grz_discrete_add(out, "cells", v.cells[i]);
    }
    return GRZ_OK;
}

// Offset surfaces and oriented boxes are computed on the CPU: for them, read back a mesh in the caller's buffers.
static grz_status bring_here(const grz_slices_options *options, grz_object *object, grz_control *control,
                             grz_error *error)
{
    const bool needed = has_offset(options) || options->oriented;
    return needed ? grz_mesh_in_memory(object->mesh, control, &object->mesh, error) : GRZ_OK;
}

static grz_status discrete(grz_device *device, const grz_job_set *set, const void *given, grz_control *control,
                           bool *confirm, grz_discrete *out, grz_error *error)
{
    grz_slices_options read;
    grz_slicing s = {.options = &read, .control = control, .error = error};
    grz_object a = *grz_job_object_a(set, &set->jobs[0]), b = *grz_job_object_b(set, &set->jobs[0]);
    out->may_miss = out->may_invent = true;
    grz_status status = grz_image_check_device(device, "slices", set, &set->jobs[0], error);
    if (status == GRZ_OK)
        status = grz_slices_options_read("slices", given, &read, error);
    if (status == GRZ_OK)
        status = check_options(&read, error);
    if (status == GRZ_OK)
        status = bring_here(s.options, &a, control, error);
    if (status == GRZ_OK)
        status = bring_here(s.options, &b, control, error);
    if (status == GRZ_OK)
        status = grz_gl_enter(device, "slices", &s.gl, error);
    if (status != GRZ_OK)
        return status;
    *confirm = s.options->confirm;
    grz_discrete_set(out, "resolution", s.options->resolution);
    grz_discrete_set(out, "slices", s.options->slices);
    grz_discrete_set(out, "drawings", 0);
    grz_discrete_set(out, "assumed", 0);
    grz_discrete_set(out, "cells", 0);
    status = grz_slices_check_size(s.gl, s.options, error);
    if (status == GRZ_OK)
        status = slice(&s, &a, &b, out);
    return grz_gl_leave(s.gl, status, error);
}

static const grz_image_method exact = {
    .name = "slices", .join = GRZ_JOIN_MARKED, .resolution = grz_image_pair_resolution};

static grz_status propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    return grz_image_propose(device, &exact, set, sink, error);
}

static grz_status read_near(grz_device *device, const grz_job_set *set, grz_control *control, grz_mesh *parts[2],
                            bool *done, grz_error *error)
{
    return grz_image_read_near(device, &exact, set, control, parts, done, error);
}

const grz_filter grz_filter_slices = {.name = "slices",
                                      .capabilities = GRZ_CAN_PAIR | GRZ_CAN_MANY | GRZ_CAN_READ_BUFFERS |
                                                      GRZ_CAN_DISCRETE_PAIR | GRZ_USES_GL,
                                      .propose = propose,
                                      .read_near = read_near,
                                      .discrete = discrete};

// Draw all steps of both objects into one picture. *crossing: it shows a cell that both have.
static grz_status superpose(grz_slicing *s, const grz_object *objects, size_t steps, const grz_slices_drawn first[2],
                            const grz_box swept[2], bool *crossing)
{
    const grz_allocator *allocator = grz_control_allocator(s->control);
    const grz_slices_options one = {.size = sizeof one,
                                    .resolution = s->options->resolution,
                                    .slices = s->options->slices,
                                    .max_boxes = 1,
                                    .analysis = s->options->analysis,
                                    .cell_offset = s->options->cell_offset};
    const grz_slices_options *options = s->options;
    grz_view view = {.half = {0.0}};
    grz_view_region where;
    volumes v;
    *crossing = false;
    grz_slices_drawn *drawn = grz_allocate(allocator, 2 * steps, sizeof *drawn);
    if (drawn == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %zu steps", steps);
    for (size_t i = 0; i < 2 * steps; i++) {
        assert(objects[i].mesh == objects[i % 2].mesh); // their buffers are the same
        drawn[i] = first[i % 2];
        drawn[i].object = &objects[i];
    }
    grz_status status = GRZ_OK;
    if (find_region(&one, drawn, swept, &where) &&
        first_view(options, drawn, &where, &view)) { // boxes of paths are axis-aligned
        uint32_t slices;
        bool assumed;
        s->options = &one;
        status = look_closer(s, &view, drawn, 2 * steps, where.padding, &slices, &assumed, &v);
        s->options = options;
        *crossing = status == GRZ_OK && v.count > 0;
    }
    grz_release(allocator, drawn, 2 * steps, sizeof *drawn);
    return status;
}

grz_status grz_slices_follow(grz_device *device, grz_object *objects, size_t steps, const grz_slices_options *options,
                             grz_control *control, grz_slices_path_answer *answer, grz_error *error)
{
    grz_slicing s = {.options = options, .control = control, .error = error};
    grz_slices_drawn drawn[2] = {{.second = false}, {.second = true}};
    grz_box swept[2] = {grz_box_empty(), grz_box_empty()};
    assert(steps > 0 && answer->first == steps);
    grz_status status = check_options(options, error);
    for (size_t i = 0; i < 2 * steps && status == GRZ_OK; i++)
        status = bring_here(options, &objects[i], control, error);
    if (status == GRZ_OK)
        status = grz_gl_enter(device, "slices", &s.gl, error);
    if (status != GRZ_OK)
        return status;
    status = grz_slices_check_size(s.gl, options, error);
    for (size_t i = 0; i < 2 * steps; i++) {
        const grz_box box = plain_box(&objects[i], options);
        grz_box_add_box(&swept[i % 2], &box);
    }
    for (int i = 0; i < 2 && status == GRZ_OK; i++)
        status = upload(&s, objects[i].mesh, &drawn[i]);
    if (status == GRZ_OK)
        status = superpose(&s, objects, steps, drawn, swept, &answer->crossing);
    grz_collision_box_array boxes_found = {.items = NULL};
    for (size_t step = 0; step < steps && status == GRZ_OK && answer->crossing && answer->first == steps; step++) {
        grz_discrete found = {.boxes = &boxes_found, .allocator = grz_control_allocator(control)};
        boxes_found.count = 0;
        status = slice(&s, &objects[2 * step], &objects[2 * step + 1], &found);
        if (found.colliding)
            answer->first = step;
    }
    grz_array_finish(grz_control_allocator(control), &boxes_found);
    answer->drawings = s.drawings;
    return grz_gl_leave(s.gl, status, error);
}
