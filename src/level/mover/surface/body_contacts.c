// SPDX-License-Identifier: MIT
// A contact is a local minimum of the distance from the core to the surface. Each triangle near by has one nearest
// point. If that point lies on another triangle, too, which is nearer, then the distance falls from there on along that
// triangle (distances from a convex core are convex): the point is no minimum and makes no contact. So edges that are
// flat or bend inwards, edges between objects that lie side by side, and faces behind other ones are not felt, and no
// adjacency has to be known. What is left is each feature once. docs/use/mover.md, "Contacts".
#include "level/mover/surface/body_contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "base/rounding.h"
#include "geometry/distance/nearer.h"
#include "geometry/triangle/pair.h"
#include "geometry/vector.h"
#include "level/mover/body/body_exact.h"
#include "level/mover/surface/level_triangle.h"

// Normals that differ by less than this in all coordinates are one.
static const double SAME_NORMAL = 0x1p-44;

typedef struct search {
    grz_touches *touches;
    grz_level *level;
    const grz_body *body;
    const double *position;
    grz_core core;
    grz_box box; // of the core
    double reach;
} search;

static double size_of(const double c[3][3])
{
    double size = 0.0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(c[i / 3][i % 3]));
    return size;
}

// True if a triangle is nearer to the core than the radius, exactly.
static bool is_nearer(const grz_body *body, const double position[3], const grz_level_triangle *triangle)
{
    double core[3][3];
    if (body->core.kind != GRZ_CORE_ROUND)
        return grz_core_contains_part(&body->core, position, (const double(*)[3])triangle->corners);
    grz_body_corners(body, position, core);
    const double(*c)[3] = (const double(*)[3])core, (*t)[3] = (const double(*)[3])triangle->corners;
    return grz_triangles_touch(c, t) || grz_triangles_nearer(c, t, body->radius, grz_triangle_gap);
}

// True if the boxes of a triangle and of the core are certainly further apart than `reach`.
static bool is_far(const grz_box *core, const double c[3][3], double reach)
{
    const grz_box box = grz_triangle_box(c);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double below = core->min[k] - box.max[k], above = box.min[k] - core->max[k],
                     gap = below > above ? below : above;
        square += gap > 0.0 ? gap * gap : 0.0;
    }
    return square > reach * reach * GRZ_MORE(8192);
}

static bool add(void *context, const grz_level_triangle *triangle, grz_beam *beam)
{
    search *s = context;
    grz_touches *touches = s->touches;
    double c[3][3];
    grz_separation apart;
    (void)beam;
    grz_body_relative(s->position, triangle->corners, c);
    if (is_far(&s->box, (const double(*)[3])c, s->reach))
        return true;
    grz_separation_find(&s->core, (const double(*)[3])c, &apart);
    touches->compared++;
    touches->nearest = fmin(touches->nearest, apart.lower);
    if (apart.lower > s->reach)
        return true;
    if (!(apart.lower >= s->body->radius) && is_nearer(s->body, s->position, triangle))
        touches->inside = true;
    if (!grz_array_add(grz_control_allocator(s->level->control), &touches->all)) {
        grz_control_fail(s->level->control, GRZ_ERROR_MEMORY);
        return false;
    }
    grz_touch *touch = &touches->all.items[touches->all.count - 1];
    *touch = (grz_touch){.triangle = *triangle, .apart = apart, .face = grz_level_face(s->level, triangle)};
    touch->error = grz_separation_error(fmax(size_of((const double(*)[3])c), s->core.size));
    touch->distance = apart.order;
    return true;
}

static grz_beam beam_around(const grz_body *body, const double position[3], double reach)
{
    const grz_core core = grz_body_core(body, position);
    const grz_box box = grz_core_bounds(&core);
    grz_beam beam = {.box = grz_box_grown(&box, reach), .until = 0.0};
    memcpy(beam.from, position, sizeof beam.from);
    return beam;
}

static int compare(const void *x, const void *y)
{
    const grz_touch *a = x, *b = y;
    if (a->dropped != b->dropped)
        return a->dropped ? 1 : -1;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    const int order = grz_level_triangles_compare(&a->triangle, &b->triangle);
    if (order != 0)
        return order;
    if (a->triangle.object != b->triangle.object)
        return a->triangle.object < b->triangle.object ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

// True if the surface goes on from the nearest point of `a` towards the body, along `b`.
static bool leads_nearer(const grz_touch *a, const grz_touch *b, const double position[3])
{
    const double error = a->error + b->error;
    if (!(b->distance < a->distance - error ||
          (b->apart.on_face && !a->apart.on_face && b->distance <= a->distance + error)))
        return false;
    double c[3][3], nearest[3];
    grz_body_relative(position, b->triangle.corners, c);
    for (int k = 0; k < 3; k++) {
        const double low = fmin(fmin(c[0][k], c[1][k]), c[2][k]), high = fmax(fmax(c[0][k], c[1][k]), c[2][k]);
        if (a->apart.point[k] < low - 4.0 * error || a->apart.point[k] > high + 4.0 * error)
            return false;
    }
    return grz_nearest_of_triangle(a->apart.point, (const double(*)[3])c, nearest) <= 16.0 * error * error;
}

static bool same_normal(const grz_touch *a, const grz_touch *b)
{
    // What pushes faster must stay.
    if ((a->triangle.moved || b->triangle.moved) &&
        memcmp(a->triangle.drift, b->triangle.drift, sizeof a->triangle.drift) != 0)
        return false;
    for (int k = 0; k < 3; k++)
        if (!(fabs(a->apart.normal[k] - b->apart.normal[k]) <= SAME_NORMAL))
            return false;
    return true;
}

static void drop(grz_touches *touches, const double position[3])
{
    grz_touch *all = touches->all.items;
    const size_t count = touches->all.count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count && all[j].distance <= all[i].distance + all[i].error + all[j].error; j++)
            if (j != i && leads_nearer(&all[i], &all[j], position)) {
                all[i].dropped = true;
                break;
            }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i && !all[i].dropped; j++)
            if (!all[j].dropped && same_normal(&all[i], &all[j]))
                all[i].dropped = true;
    qsort(all, count, sizeof *all, compare);
    for (touches->count = 0; touches->count < count && !all[touches->count].dropped; touches->count++)
        ;
}

bool grz_touches_find(grz_touches *touches, grz_level *level, const grz_body *body, const double position[3])
{
    search s = {.touches = touches, .level = level, .body = body, .position = position};
    s.core = grz_body_core(body, position);
    s.reach = body->radius + body->skin;
    s.box = grz_core_bounds(&s.core);
    touches->all.count = touches->count = 0;
    touches->inside = false;
    touches->nearest = s.reach;
    grz_beam beam = beam_around(body, position, s.reach);
    if (!grz_level_visit(level, &beam, add, &s))
        return false;
    if (touches->all.count > 0) {
        qsort(touches->all.items, touches->all.count, sizeof *touches->all.items, compare);
        drop(touches, position);
    }
    return true;
}

// ---- Only inside or not -------------------------------------------------------------------------------------------

static bool look(void *context, const grz_level_triangle *triangle, grz_beam *beam)
{
    search *s = context;
    (void)beam;
    if (is_nearer(s->body, s->position, triangle)) {
        s->touches->inside = true;
        return false;
    }
    return true;
}

bool grz_body_is_inside(grz_level *level, const grz_body *body, const double position[3], bool *inside)
{
    grz_touches touches = {.inside = false};
    search s = {.touches = &touches, .level = level, .body = body, .position = position};
    grz_beam beam = beam_around(body, position, body->radius);
    const bool done = grz_level_visit(level, &beam, look, &s);
    *inside = touches.inside;
    return done || touches.inside;
}

void grz_touches_finish(grz_touches *touches, grz_control *control)
{
    grz_array_finish(grz_control_allocator(control), &touches->all);
}
