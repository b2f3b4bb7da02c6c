// SPDX-License-Identifier: MIT
// The rules of walking. A walker slides, but slopes that are too steep are walls to it. Where a wall stops it, it also
// tries the same displacement one stair higher, and takes what gets further if it ends on a floor. Standing on a floor
// it stays on it where the floor falls away by less than `step_down`. All ways that are tried are swept and proved as
// slides are.
#include "level/mover/walk.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"

// ---- Floors and walls ---------------------------------------------------------------------------------------------

static double height_of(const grz_walk *walk, const grz_touch *touch, const double position[3])
{
    return grz_dot(walk->up, touch->apart.point) + grz_dot(walk->up, position);
}

// True if a triangle has the nearest point of a contact, and is flat enough to stand on.
static bool is_tread(const grz_walk *walk, const grz_touch *triangle, const grz_touch *touch, const double position[3])
{
    double c[3][3], u[3], v[3], n[3], nearest[3];
    const double error = 4.0 * (triangle->error + touch->error);
    grz_body_relative(position, triangle->triangle.corners, c);
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        v[k] = c[2][k] - c[0][k];
    }
    grz_cross(u, v, n);
    return grz_make_unit(n) && fabs(grz_dot(n, walk->up)) >= walk->least &&
           grz_nearest_of_triangle(touch->apart.point, (const double(*)[3])c, nearest) <= error * error;
}

static bool is_floor(const grz_walk *walk, const grz_touch *touch)
{
    return grz_dot(touch->apart.normal, walk->up) >= walk->least;
}

typedef struct rule_context {
    const grz_walk *walk;
    const grz_slide *slide;
} rule_context;

// True if a contact is the edge of a stair that a walker on a floor may go up.
static bool is_stair(const grz_walk *walk, const grz_slide *slide, const grz_touch *touch)
{
    if (!walk->stands || touch->apart.on_face || !(grz_dot(touch->apart.normal, walk->up) > 0.0) ||
        height_of(walk, touch, slide->position) > walk->height + walk->step_up + walk->skin)
        return false;
    for (size_t i = 0; i < slide->touches.all.count; i++)
        if (is_tread(walk, &slide->touches.all.items[i], touch, slide->position))
            return true;
    return false;
}

bool grz_walk_rule(const void *context, const grz_touch *touch, double normal[3], bool *wall)
{
    const rule_context *c = context;
    const double along = grz_dot(touch->apart.normal, c->walk->up);
    *wall = !is_floor(c->walk, touch) || !touch->apart.on_face; // an edge may be a stair's
    if (!(along > 0.0) || is_floor(c->walk, touch) || is_stair(c->walk, c->slide, touch))
        return false;
    for (int k = 0; k < 3; k++)
        normal[k] = touch->apart.normal[k] - along * c->walk->up[k];
    return grz_make_unit(normal);
}

grz_mover_floor grz_walk_floor(const grz_walk *walk, const grz_slide *slide)
{
    grz_mover_floor floor = {.stands = false};
    double best = 0.0;
    for (size_t i = 0; i < slide->touches.count; i++) {
        const grz_touch *touch = &slide->touches.all.items[i];
        const double along = grz_dot(touch->apart.normal, walk->up);
        if (!(along > best) || (!is_floor(walk, touch) && !is_stair(walk, slide, touch)))
            continue;
        best = along;
        floor.stands = true;
        floor.object = touch->triangle.object;
        floor.face = touch->face;
        memcpy(floor.normal, touch->apart.normal, sizeof floor.normal);
        for (int k = 0; k < 3; k++)
            floor.point[k] = slide->position[k] + touch->apart.point[k];
    }
    return floor;
}

// ---- Steps --------------------------------------------------------------------------------------------------------

static double along_up(const grz_walk *walk, const double from[3], const double to[3])
{
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = to[k] - from[k];
    return grz_dot(walk->up, way);
}

static bool go_along_up(const grz_walk *walk, grz_slide *slide, double distance)
{
    double way[3], share;
    for (int k = 0; k < 3; k++)
        way[k] = distance * walk->up[k];
    return grz_slide_cast(slide, way, &share) && grz_slide_look(slide);
}

static bool go_back(grz_slide *slide, const double position[3])
{
    memcpy(slide->position, position, sizeof slide->position);
    return grz_slide_look(slide);
}

// What was gone of a displacement, along it.
static double progress(const double from[3], const double to[3], const double displacement[3])
{
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = to[k] - from[k];
    return grz_dot(way, displacement) / sqrt(grz_dot(displacement, displacement));
}

// Try the displacement, which is across `up`, one stair higher. The slide is at the end of the way without that, and
// stays there if it is no worse.
static bool try_stair(const grz_walk *walk, grz_slide *slide, const double start[3], const double level_displacement[3],
                      grz_mover_outcome *outcome, bool *stepped)
{
    double without[3];
    grz_mover_outcome higher;
    memcpy(without, slide->position, sizeof without);
    if (!go_back(slide, start) || !go_along_up(walk, slide, walk->step_up) ||
        !grz_slide_along(slide, level_displacement, &higher) ||
        !go_along_up(walk, slide, -(fmax(0.0, along_up(walk, start, slide->position)) + walk->step_down)))
        return false;
    const grz_mover_floor floor = grz_walk_floor(walk, slide);
    const double gain =
        progress(start, slide->position, level_displacement) - progress(start, without, level_displacement);
    *stepped = !slide->touches.inside && floor.stands && gain > 0.0625 * walk->skin &&
               grz_dot(walk->up, floor.point) <= walk->height + walk->step_up + walk->skin;
    if (*stepped) {
        *outcome = higher;
        return true;
    }
    return go_back(slide, without);
}

// Stay on a floor that falls away.
static bool stay_on_floor(const grz_walk *walk, grz_slide *slide, bool *stepped)
{
    double before[3];
    memcpy(before, slide->position, sizeof before);
    if (!go_along_up(walk, slide, -walk->step_down))
        return false;
    *stepped = !slide->touches.inside && grz_walk_floor(walk, slide).stands;
    return *stepped || go_back(slide, before);
}

bool grz_walk_along(grz_walk *walk, grz_slide *slide, const double given[3], grz_mover_answer *answer)
{
    double start[3], displacement[3], level_displacement[3];
    const rule_context context = {walk, slide};
    const double rising = grz_dot(walk->up, given);
    memcpy(start, slide->position, sizeof start);
    for (int k = 0; k < 3; k++) {
        level_displacement[k] = given[k] - rising * walk->up[k];
        displacement[k] = walk->stands && rising <= 0.0 ? level_displacement[k] : given[k];
    }
    slide->rule = grz_walk_rule;
    slide->rule_context = &context;
    slide->met_wall = false;
    bool done = grz_slide_along(slide, displacement, &answer->outcome);
    const bool moves = grz_dot(level_displacement, level_displacement) > 0.0, grounded = walk->stands && rising <= 0.0;
    if (done && grounded && moves && slide->met_wall && walk->step_up > 0.0)
        done = try_stair(walk, slide, start, level_displacement, &answer->outcome, &answer->stepped_up);
    if (done && grounded && walk->step_down > 0.0 && !grz_walk_floor(walk, slide).stands)
        done = stay_on_floor(walk, slide, &answer->stepped_down);
    slide->rule = NULL;
    slide->rule_context = NULL;
    if (done)
        answer->floor = grz_walk_floor(walk, slide);
    return done;
}
