// SPDX-License-Identifier: MIT
// The report on the chosen directions. A cell is proved to be covered if one direction of its part covers all of it
// (grz_sight_proves()). The volume is counted at the points of a regular grid that lie outside of the object.
#include "ask/projections/bound.h"

#include <math.h>
#include <string.h>

#include <graze/locate.h>

#include "ask/projections/sight.h"
#include "base/control.h"
#include "base/device.h"

enum {
    CHECK_BITS = 8, // check the control once in so many cells
    GRID = 24       // points of the grid along each axis
};

// What the parts' directions found out about the cells. The maps of one part may take space beside another part for
// solid, so each part is asked about all cells.
typedef struct tally_task {
    const grz_sight_search *search;
    const grz_sight_choice *choices;
    double *depths;  // one for each part and cell: the least depth of a gap so far
    uint8_t *proved; // one for each part and cell
} tally_task;

static void look_at_cells(const tally_task *task, uint32_t part, uint32_t pose, const grz_sight_view *view,
                          const grz_sight_anchor *anchor)
{
    const grz_sight_search *search = task->search;
    const size_t count = search->surface->cells.count;
    double *depths = task->depths + part * count;
    uint8_t *proved = task->proved + part * count;
    for (size_t i = 0; i < count; i++) {
        const grz_sight_cell *cell = &search->surface->cells.items[i];
        if (grz_control_expired_at(search->control, i, CHECK_BITS))
            return;
        if (cell->pose != pose)
            continue;
        const grz_sight_line line = grz_sight_line_through(view, cell->probe, part, anchor);
        depths[i] = fmin(depths[i], cell->buried ? 0.0 : grz_sight_depth(&line, cell->normal, view->axes[2]));
        if (proved[i] == 0) {
            double corners[3][3];
            grz_sight_cell_corners(search->surface, cell, corners);
            proved[i] = grz_sight_proves(view, corners, cell->normal, part, anchor, search->tolerance);
        }
    }
}

// The depth that the maps of all parts leave, and whether it is proved to be small everywhere in the cell.
static double depth_of(const tally_task *task, size_t cell, bool *proved)
{
    const size_t count = task->search->surface->cells.count;
    double depth = 0.0;
    *proved = true;
    for (uint32_t part = 0; part < task->search->model.part_count; part++) {
        depth = fmax(depth, task->depths[part * count + cell]);
        *proved = *proved && task->proved[part * count + cell] != 0;
    }
    return depth;
}

// One task for each part.
static void look_at_part(size_t part, void *context)
{
    const tally_task *task = context;
    const grz_sight_search *search = task->search;
    const grz_allocator *allocator = grz_control_allocator(search->control);
    grz_sight_anchor *anchors = grz_allocate(allocator, search->model.part_count, sizeof *anchors);
    if (anchors == NULL)
        grz_control_fail(search->control, GRZ_ERROR_MEMORY);
    for (uint32_t k = 0; k < task->choices[part].count && anchors != NULL; k++)
        for (uint32_t pose = 0; pose < search->surface->pose_count; pose++) {
            grz_sight_view view;
            const grz_status status =
                grz_sight_view_init(&view, search->surface, &search->model, pose,
                                    search->directions[task->choices[part].chosen[k]], search->control);
            if (status == GRZ_OK) {
                grz_sight_anchors(&view, search->projection, search->model.part_count, anchors);
                look_at_cells(task, (uint32_t)part, pose, &view, &anchors[part]);
            } else {
                grz_control_fail(search->control, status);
            }
            grz_sight_view_finish(&view);
        }
    grz_release(allocator, anchors, search->model.part_count, sizeof *anchors);
}

static void add_cell(grz_sight_tally *tally, uint64_t weight, double depth, double tolerance, bool proved)
{
    tally->weight += weight;
    if (depth > tolerance) {
        tally->uncovered += weight;
        tally->deepest = fmax(tally->deepest, depth);
    } else if (!proved) {
        tally->unproved += weight;
    }
}

grz_status grz_sight_tally_up(const grz_sight_search *search, const grz_sight_choice *choices, grz_sight_tally *parts,
                              grz_sight_tally *poses)
{
    const grz_allocator *allocator = grz_control_allocator(search->control);
    const size_t count = search->surface->cells.count, entries = count * search->model.part_count;
    tally_task task = {.search = search, .choices = choices};
    task.depths = grz_allocate(allocator, entries, sizeof *task.depths);
    task.proved = grz_allocate_zeroed(allocator, entries, sizeof *task.proved);
    grz_status status = task.depths != NULL && task.proved != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < entries && status == GRZ_OK; i++)
        task.depths[i] = HUGE_VAL;
    if (status == GRZ_OK) {
        grz_parallel(search->device, search->model.part_count, look_at_part, &task);
        status = grz_control_status(search->control);
    }
    memset(parts, 0, search->model.part_count * sizeof *parts);
    memset(poses, 0, search->surface->pose_count * sizeof *poses);
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        const grz_sight_cell *cell = &search->surface->cells.items[i];
        grz_sight_tally *of[2] = {&parts[grz_sight_part(search, i)], &poses[cell->pose]};
        bool proved;
        const double depth = depth_of(&task, i, &proved);
        for (int k = 0; k < 2; k++)
            add_cell(of[k], cell->weight, depth, search->tolerance, proved);
    }
    grz_release(allocator, task.depths, entries, sizeof *task.depths);
    grz_release(allocator, task.proved, entries, sizeof *task.proved);
    return status;
}

// ---- The volume ---------------------------------------------------------------------------------------------------

// The points of the grid in one pose, and what maps say of them.
typedef struct volume_grid {
    double points[GRID * GRID * GRID][3]; // frame
    double world[GRID * GRID * GRID][3];
    grz_location locations[GRID * GRID * GRID];
    bool solid[GRID * GRID * GRID];   // by some part
    bool in_part[GRID * GRID * GRID]; // by all maps of the part so far
} volume_grid;

// Keep the points that one map of a part takes for solid.
static grz_status look_at_points(const grz_sight_search *search, const grz_sight_model *model, uint32_t pose,
                                 uint32_t candidate, uint32_t part, volume_grid *grid)
{
    static const double no_normal[3] = {0.0, 0.0, 0.0};
    const grz_allocator *allocator = grz_control_allocator(search->control);
    grz_sight_anchor *anchors = grz_allocate(allocator, model->part_count, sizeof *anchors);
    grz_sight_view view;
    grz_status status =
        grz_sight_view_init(&view, search->surface, model, pose, search->directions[candidate], search->control);
    if (status == GRZ_OK && anchors == NULL)
        status = GRZ_ERROR_MEMORY;
    if (status == GRZ_OK) {
        grz_sight_anchors(&view, search->projection, model->part_count, anchors);
        for (size_t i = 0; i < (size_t)GRID * GRID * GRID; i++) {
            if (!grid->in_part[i])
                continue;
            const grz_sight_line line = grz_sight_line_through(&view, grid->points[i], part, &anchors[part]);
            grid->in_part[i] = grz_sight_depth(&line, no_normal, view.axes[2]) > search->tolerance;
        }
    }
    grz_sight_view_finish(&view);
    grz_release(allocator, anchors, model->part_count, sizeof *anchors);
    return status;
}

// Lay a grid over a pose. Returns the volume of one point.
static double lay_grid(const grz_sight_search *search, uint32_t pose, volume_grid *grid)
{
    const grz_sight_frame *frame = &search->surface->frame;
    const grz_box *box = &search->surface->poses[pose]->bounds;
    double low[3], high[3], volume = 1.0;
    grz_sight_place(frame, box->min, low);
    grz_sight_place(frame, box->max, high);
    for (int j = 0; j < 3; j++)
        volume *= (high[j] - low[j]) / GRID;
    for (size_t i = 0; i < (size_t)GRID * GRID * GRID; i++) {
        const size_t places[3] = {i % GRID, i / GRID % GRID, i / GRID / GRID};
        for (int j = 0; j < 3; j++) {
            grid->points[i][j] = low[j] + (high[j] - low[j]) * ((double)places[j] + 0.5) / GRID;
            grid->world[i][j] = grid->points[i][j] / frame->scale + frame->centre[j];
        }
    }
    return volume;
}

static uint64_t count_solid(const bool *solid)
{
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)GRID * GRID * GRID; i++)
        count += solid[i];
    return count;
}

static void begin_part(volume_grid *grid)
{
    for (size_t i = 0; i < (size_t)GRID * GRID * GRID; i++)
        grid->in_part[i] = grid->locations[i] == GRZ_OUTSIDE;
}

// The points of one pose that the parts' maps take for solid.
static grz_status count_pose(const grz_sight_search *search, const grz_sight_choice *choices, uint32_t pose,
                             volume_grid *grid, uint64_t *count)
{
    memset(grid->solid, 0, sizeof grid->solid);
    for (uint32_t part = 0; part < search->model.part_count; part++) {
        begin_part(grid);
        for (uint32_t k = 0; k < choices[part].count; k++) {
            const grz_status status = look_at_points(search, &search->model, pose, choices[part].chosen[k], part, grid);
            if (status != GRZ_OK)
                return status;
        }
        for (size_t i = 0; i < (size_t)GRID * GRID * GRID; i++)
            grid->solid[i] = grid->solid[i] || grid->in_part[i];
    }
    *count = count_solid(grid->solid);
    return GRZ_OK;
}

grz_status grz_sight_invented(const grz_sight_search *search, const grz_sight_choice *choices, uint32_t candidate,
                              double *volume, double *volume_of_one, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(search->control);
    const uint32_t poses = search->surface->pose_count;
    volume_grid *grid = grz_allocate(allocator, 1, sizeof *grid);
    grz_sight_model whole; // in one part
    grz_status status = grz_sight_model_init(&whole, search->surface, allocator);
    if (grid == NULL)
        status = GRZ_ERROR_MEMORY;
    grz_locate_options options = grz_default_locate_options();
    options.inside_rule = search->inside_rule;
    *volume = *volume_of_one = 0.0;
    for (uint32_t pose = 0; pose < poses && status == GRZ_OK; pose++) {
        const grz_object object = grz_object_at_origin(search->surface->poses[pose]);
        const double of_point = lay_grid(search, pose, grid);
        uint64_t count = 0;
        options.limits = grz_control_limits_left(search->control);
        status = grz_locate_points(search->device, &object, grid->world[0], (uint64_t)GRID * GRID * GRID, &options,
                                   grid->locations, error);
        if (status == GRZ_OK)
            status = count_pose(search, choices, pose, grid, &count);
        *volume += (double)count * of_point / poses;
        begin_part(grid);
        if (status == GRZ_OK)
            status = look_at_points(search, &whole, pose, candidate, 0, grid);
        *volume_of_one += (double)count_solid(grid->in_part) * of_point / poses;
    }
    grz_release(allocator, grid, 1, sizeof *grid);
    grz_sight_model_finish(&whole, allocator);
    return status;
}
