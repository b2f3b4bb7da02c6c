// SPDX-License-Identifier: MIT
// The cells that a body occupies: that of its point, and from there through every portal that meets the body's
// box (T. Munzner, "Collision detection", cell-portal collisions). The point's cell is looked for among the last
// cells, or by the BSP tree. Which cells have been reached before does not matter, so an answer with too many cells
// is not handed on.
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "level/portals/bsp/bsp_cells.h"
#include "level/portals/portal_cells.h"
#include "level/portals/portal_polygons.h"
#include "level/vector_check.h"

bool grz_cell_has(const grz_cell *cell, bool outside, const double point[3], grz_control *control)
{
    grz_location location = GRZ_OUTSIDE;
    if (cell->shell.mesh != NULL && grz_box_contains(&cell->box, point)) {
        grz_probe probe = {.solid = &cell->solid, .control = control};
        if (!grz_probe_point(&probe, point, false, &location))
            return false;
    }
    return location == GRZ_ON_SURFACE || (location == GRZ_INSIDE) != outside;
}

uint32_t grz_cells_search(const grz_portals *level, const double point[3], grz_control *control, uint32_t *searched)
{
    for (uint32_t i = 1; i < level->cell_count; i++) {
        if (!grz_box_contains(&level->cells[i].box, point))
            continue;
        ++*searched;
        if (grz_cell_has(&level->cells[i], false, point, control))
            return i;
    }
    return GRZ_PORTALS_OUTSIDE; // every point is in a cell
}

// The cells whose leaves have a point.
typedef struct finding {
    grz_portals_tracker *tracker;
    uint32_t at, cell; // the lowest place among the last cells, count if there is none; else the lowest cell
} finding;

static bool find_leaf(void *context, uint32_t cell)
{
    finding *f = context;
    const grz_portals_tracker *t = f->tracker;
    f->tracker->searched++;
    f->cell = cell < f->cell ? cell : f->cell;
    for (uint32_t i = 0; i < f->at; i++)
        if (t->last[i] == cell)
            f->at = i;
    return true;
}

static void locate_in_tree(grz_portals_tracker *t, const double point[3])
{
    finding f = {.tracker = t, .at = t->last_count, .cell = UINT32_MAX};
    grz_box box = grz_box_empty();
    grz_box_add_point(&box, point);
    (void)grz_bsp_visit(t->level, &box, find_leaf, &f);
    t->teleported = f.at == t->last_count;
    t->cells[0] = t->teleported ? f.cell : t->last[f.at];
}

void grz_tracker_locate(grz_portals_tracker *t, const double point[3], grz_control *control)
{
    const grz_portals *level = t->level;
    uint32_t *cells = t->last;
    t->last = t->cells;
    t->last_count = t->count;
    t->cells = cells;
    t->count = 1;
    t->searched = 0;
    t->teleported = false;
    if (level->nodes.count > 0) {
        locate_in_tree(t, point);
        return;
    }
    for (uint32_t i = 0; i < t->last_count; i++) {
        const uint32_t cell = t->last[i];
        t->searched++;
        if (grz_cell_has(&level->cells[cell], cell == GRZ_PORTALS_OUTSIDE, point, control)) {
            t->cells[0] = cell;
            return;
        }
    }
    t->teleported = true;
    t->cells[0] = grz_cells_search(level, point, control, &t->searched);
}

void grz_tracker_undo(grz_portals_tracker *t)
{
    uint32_t *cells = t->cells;
    t->cells = t->last;
    t->count = t->last_count;
    t->last = cells;
    t->last_count = 0;
}

void grz_tracker_flood(grz_portals_tracker *t, const grz_box *box)
{
    const grz_portals *level = t->level;
    if (++t->flood == 0) { // the numbers have gone round
        memset(t->seen, 0, level->cell_count * sizeof *t->seen);
        t->flood = 1;
    }
    t->count = 1;
    t->seen[t->cells[0]] = t->flood;
    for (uint32_t i = 0; i < t->count; i++) {
        const grz_cell *cell = &level->cells[t->cells[i]];
        for (uint32_t j = 0; j < cell->portal_count; j++) {
            const uint32_t number = level->cell_portals[cell->first_portal + j];
            const grz_portal *portal = &level->portals[number];
            const uint32_t other = portal->cells[portal->cells[0] == t->cells[i]];
            if (t->seen[other] == t->flood || !grz_portal_may_meet(level, number, box))
                continue;
            t->seen[other] = t->flood;
            t->cells[t->count++] = other;
        }
    }
}

// ---- The calls ----------------------------------------------------------------------------------------------------

grz_status grz_portals_tracker_create(const grz_portals *level, grz_portals_tracker **tracker, grz_error *error)
{
    if (tracker != NULL)
        *tracker = NULL;
    if (level == NULL || tracker == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the %s is NULL",
                        level == NULL ? "level" : "tracker");
    grz_portals_tracker *t = grz_allocate_zeroed(level->allocator, 1, sizeof *t);
    if (t != NULL) {
        t->level = level;
        t->cells = grz_allocate(level->allocator, level->cell_count, sizeof *t->cells);
        t->last = grz_allocate(level->allocator, level->cell_count, sizeof *t->last);
        t->seen = grz_allocate_zeroed(level->allocator, level->cell_count, sizeof *t->seen);
        if (t->cells != NULL && t->last != NULL && t->seen != NULL) {
            *tracker = t;
            return GRZ_OK;
        }
    }
    grz_portals_tracker_destroy(t);
    return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "portals: out of memory for a tracker");
}

void grz_portals_tracker_destroy(grz_portals_tracker *t)
{
    if (t == NULL)
        return;
    const grz_allocator *allocator = t->level->allocator;
    const size_t count = t->level->cell_count;
    grz_release(allocator, t->cells, count, sizeof *t->cells);
    grz_release(allocator, t->last, count, sizeof *t->last);
    grz_release(allocator, t->seen, count, sizeof *t->seen);
    grz_array_finish(allocator, &t->objects);
    grz_array_finish(allocator, &t->earlier);
    grz_array_finish(allocator, &t->names);
    grz_array_finish(allocator, &t->faces);
    grz_array_finish(allocator, &t->taken);
    grz_array_finish(allocator, &t->straddled);
    grz_release(allocator, t, 1, sizeof *t);
}

static grz_status check(const double *const vectors[3], grz_error *error)
{
    static const char *const names[] = {"point", "min", "max"};
    for (int i = 0; i < 3; i++) {
        if (vectors[i] == NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: %s is NULL", names[i]);
        const grz_status status = grz_vector_check("portals", names[i], vectors[i], error);
        if (status != GRZ_OK)
            return status;
    }
    for (int k = 0; k < 3; k++)
        if (vectors[1][k] > vectors[2][k])
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: min %c is %g, above max %c, %g",
                            "xyz"[k], vectors[1][k], "xyz"[k], vectors[2][k]);
    return GRZ_OK;
}

grz_status grz_portals_track(grz_portals_tracker *tracker, const double point[3], const double min[3],
                             const double max[3], grz_portals_place *place, grz_error *error)
{
    const double *const vectors[] = {point, min, max};
    if (tracker == NULL || place == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the %s is NULL",
                        tracker == NULL ? "tracker" : "place");
    *place = (grz_portals_place){.cells = NULL};
    grz_call call;
    grz_box box;
    grz_status status = check(vectors, error);
    if (status != GRZ_OK)
        return status;
    status = grz_call_begin(&call, "portals", tracker->level->device, NULL, NULL, NULL, error);
    if (status != GRZ_OK)
        return grz_call_end(&call, status);
    memcpy(box.min, min, sizeof box.min);
    memcpy(box.max, max, sizeof box.max);
    grz_box_add_point(&box, point);
    grz_tracker_locate(tracker, point, &call.control);
    grz_tracker_flood(tracker, &box);
    *place = (grz_portals_place){tracker->cells, tracker->count, tracker->searched, tracker->teleported, false};
    return grz_call_end(&call, GRZ_OK);
}
