// SPDX-License-Identifier: MIT
// grz_projections_find(): checks what was asked, then surface, candidates, split, bound. The paper leaves the choice of
// projections open: J. Fabrizio, "Easy real-time collision detection", section 4.
#include "ask/projections/projections.h"

#include <math.h>
#include <string.h>

#include "ask/projections/candidates.h"
#include "ask/projections/split.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "inside/rule/chosen_rule.h"
#include "mesh/source.h"
#include "mesh/topology/topology.h"

enum {
    MAX_POSES = 65536,
    MAX_CELLS = 1 << 22,
    MAX_PARTS = 256,
    MAX_GRID = 49
};

static const double DEFAULT_TOLERANCE = 0.01;  // of the diagonal
static const double LEAST_TOLERANCE = 0x1p-14; // of the diagonal: four times as far as a probe is from its cell

static const grz_projections_options defaults = {.size = sizeof(grz_projections_options),
                                                 .cells = 16384,
                                                 .candidates = MAX_GRID,
                                                 .max_directions = 8,
                                                 .max_parts = 8,
                                                 .uncovered_share = 0.001,
                                                 .projection = GRZ_PROJECTION_SINGLE,
                                                 .inside_rule = GRZ_EVEN_ODD};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(projections_options, defaults);

void grz_projections_options_init(grz_projections_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

// ---- What was asked -----------------------------------------------------------------------------------------------

static grz_status check_range(const char *name, uint32_t value, uint32_t least, uint32_t most, grz_error *error)
{
    if (value >= least && value <= most)
        return GRZ_OK;
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "projections: options.%s is %u, must be %u to %u", name,
                    value, least, most);
}

static grz_status check_options(const grz_projections_options *options, grz_error *error)
{
    const bool one_way = options->projection == GRZ_PROJECTION_SINGLE || options->projection == GRZ_PROJECTION_FLOOR;
    grz_status status = check_range("cells", options->cells, 1, MAX_CELLS, error);
    if (status == GRZ_OK)
        status = check_range("candidates", options->candidates, 0, MAX_GRID, error);
    if (status == GRZ_OK)
        status = check_range("max_directions", options->max_directions, 1, GRZ_SIGHT_MAX_CHOSEN, error);
    if (status == GRZ_OK)
        status = check_range("max_parts", options->max_parts, 1, MAX_PARTS, error);
    if (status == GRZ_OK)
        status =
            check_range("direction_count", options->direction_count, 0, GRZ_MAX_CANDIDATES / (one_way ? 2 : 1), error);
    if (status == GRZ_OK)
        status = check_range("projection", (uint32_t)options->projection, 0, GRZ_PROJECTION_FLOOR, error);
    if (status == GRZ_OK)
        status = check_range("inside_rule", (uint32_t)options->inside_rule, GRZ_EVEN_ODD, GRZ_INSIDE_AUTO, error);
    if (status != GRZ_OK)
        return status;
    if (options->direction_count > 0 && options->directions == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "projections: options.directions are NULL");
    if (!(options->tolerance >= 0.0 && isfinite(options->tolerance)))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "projections: options.tolerance is %g, must be 0 or more, and finite", options->tolerance);
    if (!(options->uncovered_share >= 0.0 && options->uncovered_share <= 1.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "projections: options.uncovered_share is %g, must be 0 to 1", options->uncovered_share);
    return GRZ_OK;
}

static bool has_same_faces(const grz_mesh *a, const grz_mesh *b)
{
    if (a->face_count != b->face_count || a->triangle_count != b->triangle_count ||
        a->vertex_count != b->vertex_count || (a->face_offsets == NULL) != (b->face_offsets == NULL))
        return false;
    if (a->face_offsets == NULL)
        return memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * 3 * sizeof *a->triangles) == 0;
    return a->corner_total == b->corner_total &&
           memcmp(a->face_offsets, b->face_offsets, ((size_t)a->face_count + 1) * sizeof *a->face_offsets) == 0 &&
           memcmp(a->corners, b->corners, (size_t)a->corner_total * sizeof *a->corners) == 0;
}

// Bring the poses into memory, and check that they are closed and have the same faces.
static grz_status read_poses(const grz_mesh *const *given, uint32_t count, const grz_mesh **poses, grz_control *control,
                             grz_error *error)
{
    for (uint32_t p = 0; p < count; p++) {
        const grz_topology *topology;
        if (given[p] == NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, p, "projections: pose %u is NULL", p);
        grz_status status = grz_mesh_in_memory(given[p], control, &poses[p], error);
        if (status != GRZ_OK)
            return status;
        if (!has_same_faces(poses[0], poses[p]))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, p, "projections: pose %u has other faces than pose 0", p);
        status = grz_mesh_topology(poses[p], control, &topology, error);
        if (status != GRZ_OK)
            return status;
        if (!topology->closed)
            return grz_fail(error, GRZ_ERROR_MESH, p,
                            "projections: cannot decide what is empty space beside pose %u: the mesh is open", p);
    }
    return GRZ_OK;
}

// ---- The search ---------------------------------------------------------------------------------------------------

// What the search allocates.
typedef struct workspace {
    grz_sight_surface surface;
    grz_sight_candidates candidates;
    grz_sight_choice choices[MAX_PARTS];
    grz_sight_tally parts[MAX_PARTS];
} workspace;

static grz_status choose_tolerance(const grz_sight_frame *frame, double wanted, double *tolerance, grz_error *error)
{
    *tolerance = wanted > 0.0 ? wanted * frame->scale : frame->diagonal * DEFAULT_TOLERANCE;
    if (wanted > 0.0 && *tolerance < frame->diagonal * LEAST_TOLERANCE)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "projections: options.tolerance is %g, must be 0 or at least %g (2^-14 of the box's diagonal)",
                        wanted, frame->diagonal * LEAST_TOLERANCE / frame->scale);
    return GRZ_OK;
}

// What stands when all directions are chosen: the report.
static grz_status report(grz_sight_search *search, workspace *work, grz_projections **found, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(search->control);
    const uint32_t poses = search->surface->pose_count;
    grz_sight_tally *of_poses = grz_allocate(allocator, poses, sizeof *of_poses);
    grz_status status = GRZ_ERROR_MEMORY;
    if (of_poses != NULL)
        status = grz_sight_tally_up(search, work->choices, work->parts, of_poses);
    if (status == GRZ_OK)
        status = grz_projections_write(search, work->choices, work->parts, of_poses, found);
    double volumes[2];
    if (status == GRZ_OK)
        status = grz_sight_invented(search, work->choices, work->choices[0].chosen[0], &volumes[0], &volumes[1], error);
    if (status == GRZ_OK) {
        const double scale = search->surface->frame.scale;
        (*found)->summary.invented_volume = volumes[0] / scale / scale / scale;
        (*found)->summary.invented_volume_of_one = volumes[1] / scale / scale / scale;
    }
    grz_release(allocator, of_poses, poses, sizeof *of_poses);
    return status;
}

static grz_status search_in(workspace *work, grz_device *device, const grz_mesh *const *poses, uint32_t count,
                            const grz_projections_options *options, grz_control *control, grz_projections **found,
                            grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_sight_frame frame = grz_sight_frame_of(poses, count);
    grz_sight_search search = {.device = device,
                               .control = control,
                               .surface = &work->surface,
                               .directions = (const double(*)[3])work->candidates.directions,
                               .projection = options->projection,
                               .max_directions = options->max_directions,
                               .max_parts = options->max_parts,
                               .uncovered_share = options->uncovered_share};
    // All poses are one object, so they have one rule.
    grz_status status = grz_choose_rule(poses[0], options->inside_rule, control, &search.inside_rule, error);
    if (status == GRZ_OK)
        status = choose_tolerance(&frame, options->tolerance, &search.tolerance, error);
    if (status == GRZ_OK)
        status = grz_sight_surface_init(&work->surface, device, poses, count, options->cells, search.inside_rule,
                                        control, error);
    if (status == GRZ_OK)
        status = grz_sight_candidates_find(&work->candidates, &work->surface, options, control, error);
    if (status != GRZ_OK)
        return status;
    search.direction_count = work->candidates.count;
    status = grz_sight_rows_init(&search) ? grz_sight_split(&search, work->choices) : GRZ_ERROR_MEMORY;
    for (uint32_t part = 0; part < search.model.part_count && status == GRZ_OK; part++)
        status = grz_sight_find_smallest_cover(&search, part, &work->choices[part]);
    if (status == GRZ_OK)
        status = report(&search, work, found, error);
    grz_sight_rows_finish(&search);
    grz_sight_model_finish(&search.model, allocator);
    return status;
}

static grz_status check_and_find(grz_call *call, const grz_mesh *const *given, uint32_t count,
                                 const grz_projections_options *options, grz_projections **found)
{
    grz_control *control = &call->control;
    grz_error *error = call->error;
    grz_status status = check_options(options, error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_mesh **poses = grz_allocate(allocator, count, sizeof(const grz_mesh *));
    workspace *work = grz_allocate_zeroed(allocator, 1, sizeof *work);
    status = poses != NULL && work != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        status = read_poses(given, count, poses, control, error);
    if (status == GRZ_OK)
        status = search_in(work, call->device, poses, count, options, control, found, error);
    if (work != NULL)
        grz_sight_surface_finish(&work->surface, allocator);
    grz_release(allocator, work, 1, sizeof *work);
    grz_release(allocator, poses, count, sizeof(const grz_mesh *));
    return grz_call_explain(call, status);
}

grz_status grz_projections_find(grz_device *device, const grz_mesh *const *poses, uint32_t count,
                                const grz_projections_options *options, grz_projections **found, grz_error *error)
{
    if (found == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "projections: `found` is NULL");
    *found = NULL;
    if (poses == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "projections: the poses are NULL");
    if (count == 0 || count > MAX_POSES)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "projections: %u poses, must be 1 to %d", count,
                        (int)MAX_POSES);
    grz_call call;
    grz_projections_options read;
    grz_status status = grz_call_begin(&call, "projections", device, &options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check_and_find(&call, poses, count, &read, found);
    if (status != GRZ_OK) {
        grz_projections_destroy(*found);
        *found = NULL;
    }
    return grz_call_end(&call, status);
}
