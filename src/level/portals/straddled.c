// SPDX-License-Identifier: MIT
// The portals that a body straddles (T. Munzner, "Collision detection", cell-portal collisions): of the cells that its
// tracker has, those whose polygon and the body's shape have a point in common.
#include <math.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "level/portals/portal_polygons.h"
#include "level/vector_check.h"
#include "mesh/triangles.h"

typedef struct straddler {
    grz_portals_tracker *tracker;
    grz_shape shape; // where the body is
    grz_box box;     // of the shape
    grz_error *error;
    uint32_t undecided;
} straddler;

static grz_status compare(straddler *s, const grz_shape *polygon, bool *meets, bool *undecided)
{
    grz_shape_options options = grz_default_shape_options();
    grz_shape_answer answer;
    options.depth = false;
    const grz_status status =
        grz_shapes_compare(s->tracker->level->device, &s->shape, polygon, &options, &answer, s->error);
    *meets = *meets || (status == GRZ_OK && answer.relation >= GRZ_SHAPES_TOUCHING);
    *undecided = *undecided || (status == GRZ_OK && answer.relation == GRZ_SHAPES_UNDECIDED);
    return status;
}

// Whether the body has points of a portal. What is not decided counts.
static grz_status try_portal(straddler *s, uint32_t portal, bool *met)
{
    const grz_portals *level = s->tracker->level;
    const grz_portal *p = &level->portals[portal];
    bool undecided = false;
    uint32_t t, end;
    *met = false;
    if (!grz_portal_may_meet(level, portal, &s->box))
        return GRZ_OK;
    grz_portal_triangles(level, portal, &t, &end);
    grz_status status = GRZ_OK;
    if (t == end) {
        double middle[3], half[3];
        for (int k = 0; k < 3; k++) {
            middle[k] = 0.5 * p->min[k] + 0.5 * p->max[k];
            // Rounded up, so that the box holds the opening.
            half[k] = fmax(p->max[k] - middle[k], middle[k] - p->min[k]) * (1.0 + 0x1p-52);
        }
        const grz_shape opening = grz_shape_box(middle, half);
        status = compare(s, &opening, met, &undecided);
    }
    for (; t < end && status == GRZ_OK && !*met; t++) {
        double c[3][3];
        grz_mesh_corners(level->all.mesh, t, c);
        const grz_shape triangle = grz_shape_triangle(c[0], c[1], c[2]);
        status = compare(s, &triangle, met, &undecided);
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
