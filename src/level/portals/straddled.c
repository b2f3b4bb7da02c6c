// SPDX-License-Identifier: MIT
// The portals that a body straddles (T. Munzner, "Collision detection", cell-portal collisions): of the cells that its
// tracker has, those whose polygon and the body's shape have a point in common.
#include "base/fail.h"
#include "base/fp_guard.h"
#include "level/portals/portal_polygons.h"
#include "level/vector_check.h"

typedef struct straddler {
    grz_portals_tracker *tracker;
    grz_shape shape; // where the body is
    grz_box box;     // of the shape
    grz_error *error;
    uint32_t undecided;
} straddler;

// Whether the body has points of a triangle whose corners are off by `off`. If it had none of the true triangle, a
// translation by `off` would part the two: so a greater depth decides.
static grz_status compare(straddler *s, const double c[3][3], double off, bool *meets, bool *undecided)
{
    const grz_shape triangle = grz_shape_triangle(c[0], c[1], c[2]);
    grz_shape_options options = grz_default_shape_options();
    grz_shape_answer answer;
    options.depth = off > 0.0;
    const grz_status status =
        grz_shapes_compare(s->tracker->level->device, &s->shape, &triangle, &options, &answer, s->error);
    if (status != GRZ_OK)
        return status;
    const bool met = answer.relation >= GRZ_SHAPES_TOUCHING && (off == 0.0 || answer.depth_lower > off);
    const bool apart = answer.relation == GRZ_SHAPES_APART && (off == 0.0 || answer.lower > off);
    *meets = *meets || met;
    *undecided = *undecided || (!met && !apart);
    return GRZ_OK;
}

// Whether the body has points of a portal. What is not decided counts.
static grz_status try_portal(straddler *s, uint32_t portal, bool *met)
{
    const grz_portals *level = s->tracker->level;
    bool undecided = false;
    grz_status status = GRZ_OK;
    *met = false;
    if (!grz_portal_may_meet(level, portal, &s->box))
        return GRZ_OK;
    for (uint32_t i = level->first_polygon[portal]; i < level->first_polygon[portal + 1] && !*met; i++) {
        const grz_portal_piece *piece = &level->polygons.pieces.items[i];
        for (uint32_t t = 0; t + 2 < piece->count && status == GRZ_OK && !*met; t++) {
            double c[3][3];
            grz_portal_triangle(level, piece, t, c);
            status = compare(s, (const double(*)[3])c, piece->off, met, &undecided);
        }
    }
    s->undecided += undecided && !*met;
    *met = *met || undecided;
    return status;
}

static bool is_taken(const grz_portals_tracker *t, uint32_t portal)
{
    for (size_t i = 0; i < t->straddled.count; i++)
        if (t->straddled.items[i] == portal)
            return true;
    return false;
}

// Ascending: each new one is moved to its place.
static bool take(grz_portals_tracker *t, uint32_t portal)
{
    if (!grz_array_add(t->level->allocator, &t->straddled))
        return false;
    size_t at = t->straddled.count - 1;
    for (; at > 0 && t->straddled.items[at - 1] > portal; at--)
        t->straddled.items[at] = t->straddled.items[at - 1];
    t->straddled.items[at] = portal;
    return true;
}

static grz_status try_cells(straddler *s)
{
    grz_portals_tracker *t = s->tracker;
    const grz_portals *level = t->level;
    t->straddled.count = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const grz_cell *cell = &level->cells[t->cells[i]];
        for (uint32_t j = 0; j < cell->portal_count; j++) {
            const uint32_t portal = level->cell_portals[cell->first_portal + j];
            bool met;
            const grz_status status = try_portal(s, portal, &met);
            if (status != GRZ_OK)
                return status;
            if (met && !is_taken(t, portal) && !take(t, portal))
                return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "portals: out of memory");
        }
    }
    return GRZ_OK;
}

static grz_status check_and_straddle(straddler *s, const grz_shape *shape, const double position[3],
                                     const grz_portals_straddle *straddle)
{
    const char *missing = s->tracker == NULL ? "tracker"
                          : shape == NULL    ? "shape"
                          : position == NULL ? "position"
                          : straddle == NULL ? "straddle"
                                             : NULL;
    if (missing != NULL)
        return grz_fail(s->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the %s is NULL", missing);
    grz_status status = grz_vector_check("portals", "position", position, s->error);
    if (status != GRZ_OK)
        return status;
    s->shape = *shape;
    for (int k = 0; k < 3; k++)
        s->shape.pose.m[k][3] += position[k];
    status = grz_shape_bounds(&s->shape, s->box.min, s->box.max, s->error);
    return status == GRZ_OK ? try_cells(s) : status;
}

grz_status grz_portals_straddled(grz_portals_tracker *tracker, const grz_shape *shape, const double position[3],
                                 grz_portals_straddle *straddle, grz_error *error)
{
    straddler s = {.tracker = tracker, .error = error};
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = check_and_straddle(&s, shape, position, straddle);
    if (straddle != NULL)
        *straddle = (grz_portals_straddle){.portals = NULL};
    if (straddle != NULL && status == GRZ_OK)
        *straddle = (grz_portals_straddle){tracker->straddled.items, (uint32_t)tracker->straddled.count, s.undecided};
    grz_fp_leave(fp);
    return status;
}
