// SPDX-License-Identifier: MIT
// Covering the probes: one row of bits for each candidate, computed in parallel, then the greedy choice for the set
// cover problem (V. Chvatal, "A greedy heuristic for the set-covering problem", 1979), with areas as weights. Areas are
// integers, so that neither the order of faces nor the number of threads changes a choice.
#include "ask/projections/probe_cover.h"

#include <string.h>

#include "ask/projections/sight.h"
#include "base/control.h"
#include "base/device.h"

enum {
    CHECK_BITS = 10 // check the control once in so many cells
};

bool grz_sight_rows_init(grz_sight_search *search)
{
    search->row_words = search->surface->cells.count / 64 + 1;
    search->rows = grz_allocate_zeroed(grz_control_allocator(search->control),
                                       search->row_words * search->direction_count, sizeof *search->rows);
    return search->rows != NULL;
}

void grz_sight_rows_finish(grz_sight_search *search)
{
    grz_release(grz_control_allocator(search->control), search->rows, search->row_words * search->direction_count,
                sizeof *search->rows);
}

// ---- Looking ------------------------------------------------------------------------------------------------------

typedef struct look_task {
    grz_sight_search *search;
    uint32_t part, other;
} look_task;

static void look_at_pose(const look_task *task, const grz_sight_view *view, uint32_t pose, uint64_t *row,
                         const grz_sight_anchor *anchors)
{
    const grz_sight_search *search = task->search;
    for (size_t i = 0; i < search->surface->cells.count; i++) {
        const grz_sight_cell *cell = &search->surface->cells.items[i];
        const uint32_t part = grz_sight_part(search, i);
        if (grz_control_expired_at(search->control, i, CHECK_BITS))
            return;
        if (cell->pose != pose || (part != task->part && part != task->other))
            continue;
        bool covered = cell->buried;
        if (!covered) {
            const grz_sight_line line = grz_sight_line_through(view, cell->probe, part, &anchors[part]);
            covered = grz_sight_depth(&line, cell->normal, view->axes[2]) <= search->tolerance;
        }
        const uint64_t bit = UINT64_C(1) << i % 64;
        row[i / 64] = covered ? row[i / 64] | bit : row[i / 64] & ~bit;
    }
}

static void look_along(size_t candidate, void *context)
{
    const look_task *task = context;
    grz_sight_search *search = task->search;
    const grz_allocator *allocator = grz_control_allocator(search->control);
    grz_sight_anchor *anchors = grz_allocate(allocator, search->model.part_count, sizeof *anchors);
    if (anchors == NULL)
        grz_control_fail(search->control, GRZ_ERROR_MEMORY);
    for (uint32_t p = 0; p < search->surface->pose_count && anchors != NULL; p++) {
        grz_sight_view view;
        const grz_status status = grz_sight_view_init(&view, search->surface, &search->model, p,
                                                      search->directions[candidate], search->control);
        if (status == GRZ_OK) {
            grz_sight_anchors(&view, search->projection, search->model.part_count, anchors);
            look_at_pose(task, &view, p, search->rows + candidate * search->row_words, anchors);
        } else {
            grz_control_fail(search->control, status);
        }
        grz_sight_view_finish(&view);
        if (grz_control_status(search->control) != GRZ_OK)
            break;
    }
    grz_release(allocator, anchors, search->model.part_count, sizeof *anchors);
}

grz_status grz_sight_look(grz_sight_search *search, uint32_t part, uint32_t other)
{
    look_task task = {.search = search, .part = part, .other = other};
    grz_parallel(search->device, search->direction_count, look_along, &task);
    return grz_control_status(search->control);
}

// ---- The greedy choice --------------------------------------------------------------------------------------------

// The cells of a part, and which of them are covered so far.
typedef struct part_cells {
    GRZ_ARRAY(uint32_t) cells;
    bool *covered; // one for each of them
} part_cells;

static uint64_t weight_of(const grz_sight_search *search, uint32_t cell)
{
    return search->surface->cells.items[cell].weight;
}

static grz_status list_cells(const grz_sight_search *search, uint32_t part, part_cells *list)
{
    const grz_allocator *allocator = grz_control_allocator(search->control);
    *list = (part_cells){.covered = NULL};
    for (size_t i = 0; i < search->surface->cells.count; i++) {
        if (grz_sight_part(search, i) != part)
            continue;
        if (!grz_array_add(allocator, &list->cells))
            return GRZ_ERROR_MEMORY;
        list->cells.items[list->cells.count - 1] = (uint32_t)i;
    }
    list->covered = grz_allocate_zeroed(allocator, list->cells.count + 1, sizeof *list->covered);
    return list->covered != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
}

static void finish_cells(const grz_sight_search *search, part_cells *list)
{
    const grz_allocator *allocator = grz_control_allocator(search->control);
    grz_release(allocator, list->covered, list->cells.count + 1, sizeof *list->covered);
    grz_array_finish(allocator, &list->cells);
}

// What a candidate covers that is not covered yet.
static uint64_t gain_of(const grz_sight_search *search, const part_cells *list, uint32_t candidate)
{
    uint64_t gain = 0;
    for (size_t i = 0; i < list->cells.count; i++)
        if (!list->covered[i] && grz_sight_covers(search, candidate, list->cells.items[i]))
            gain += weight_of(search, list->cells.items[i]);
    return gain;
}

static uint64_t coverable_of(const grz_sight_search *search, const part_cells *list)
{
    uint64_t coverable = 0;
    for (size_t i = 0; i < list->cells.count; i++)
        for (uint32_t c = 0; c < search->direction_count; c++)
            if (grz_sight_covers(search, c, list->cells.items[i])) {
                coverable += weight_of(search, list->cells.items[i]);
                break;
            }
    return coverable;
}

// What the chosen candidates cover without number `left_out` of them.
static uint64_t covered_without(const grz_sight_search *search, const part_cells *list, const grz_sight_choice *choice,
                                uint32_t left_out)
{
    uint64_t covered = 0;
    for (size_t i = 0; i < list->cells.count; i++)
        for (uint32_t k = 0; k < choice->count; k++)
            if (k != left_out && grz_sight_covers(search, choice->chosen[k], list->cells.items[i])) {
                covered += weight_of(search, list->cells.items[i]);
                break;
            }
    return covered;
}

static void drop_superfluous(const grz_sight_search *search, const part_cells *list, uint64_t goal,
                             grz_sight_choice *choice)
{
    for (uint32_t k = choice->count; k-- > 0 && choice->count > 1;) {
        const uint64_t covered = covered_without(search, list, choice, k);
        if (covered < goal && covered < choice->covered)
            continue;
        memmove(choice->chosen + k, choice->chosen + k + 1, (choice->count - k - 1) * sizeof choice->chosen[0]);
        choice->count--;
        choice->covered = covered;
    }
}

grz_status grz_sight_choose(const grz_sight_search *search, uint32_t part, grz_sight_choice *choice)
{
    part_cells list;
    grz_status status = list_cells(search, part, &list);
    *choice = (grz_sight_choice){.count = 0};
    for (size_t i = 0; i < list.cells.count && status == GRZ_OK; i++)
        choice->weight += weight_of(search, list.cells.items[i]);
    choice->coverable = status == GRZ_OK ? coverable_of(search, &list) : 0;
    const uint64_t allowed = (uint64_t)((double)choice->weight * search->uncovered_share);
    const uint64_t goal = choice->coverable - (allowed < choice->coverable ? allowed : choice->coverable);
    while (status == GRZ_OK && choice->count < search->max_directions &&
           (choice->count == 0 || choice->covered < goal)) {
        uint64_t most = 0;
        uint32_t best = 0;
        for (uint32_t c = 0; c < search->direction_count; c++) {
            const uint64_t gain = gain_of(search, &list, c);
            if (gain > most) {
                most = gain;
                best = c;
            }
        }
        if (most == 0 && choice->count > 0)
            break;
        choice->chosen[choice->count++] = best;
        choice->covered += most;
        for (size_t i = 0; i < list.cells.count; i++)
            list.covered[i] = list.covered[i] || grz_sight_covers(search, best, list.cells.items[i]);
        status = grz_control_expired(search->control) ? grz_control_status(search->control) : GRZ_OK;
    }
    if (status == GRZ_OK)
        drop_superfluous(search, &list, goal, choice);
    finish_cells(search, &list);
    return status;
}
