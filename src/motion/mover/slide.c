// SPDX-License-Identifier: MIT
// The time of a step is cut where something new is met. At each cut the wish, not what was left of it by the last
// contact, is projected onto the cone of all contacts, so that the body never goes against the wish and never back and
// forth between two walls: position · wish grows with every leg.
#include "motion/mover/slide.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/mover/cone.h"

enum {
    MOST_LEGS = 1000 // of one slide: a very long step along a finely cut hollow. Then the rest of the wish is lost
};

// Contacts nearer than this share of the skin are lifted; to the second one. In an acute corner that takes some skins.
static const double LIFT_BELOW = 0.25, LIFT_TO = 0.6875, MOST_LIFT = 64.0;

bool grz_slide_look(grz_slide *slide)
{
    return grz_touches_find(&slide->touches, slide->level, &slide->body, slide->position);
}

// ---- A straight way -----------------------------------------------------------------------------------------------

typedef struct cast {
    grz_slide *slide;
    grz_core core;
    grz_sweep_bars bars;
} cast;

static bool sweep(void *context, const grz_level_triangle *triangle, grz_beam *beam)
{
    cast *c = context;
    double corners[3][3];
    grz_body_relative(c->slide->position, triangle->corners, corners);
    c->slide->touches.compared++;
    beam->until = fmin(beam->until,
                       grz_separation_sweep(&c->core, (const double(*)[3])corners, beam->way, beam->until, &c->bars));
    return true;
}

bool grz_slide_cast(grz_slide *slide, const double way[3], uint32_t skip, double *share)
{
    const grz_body *body = &slide->body;
    cast c = {.slide = slide, .core = grz_body_core(body, slide->position), .bars = {body->radius, body->skin}};
    grz_beam beam = {.around = grz_box_empty(), .until = 1.0};
    for (int i = 0; i < c.core.count; i++)
        grz_box_add_point(&beam.around, c.core.ends[i]);
    beam.around = grz_box_grown(&beam.around, body->radius + body->skin);
    memcpy(beam.from, slide->position, sizeof beam.from);
    memcpy(beam.way, way, sizeof beam.way);
    if (!grz_level_visit(slide->level, &beam, skip, sweep, &c))
        return false;
    *share = beam.until;
    slide->legs++;
    for (int k = 0; k < 3; k++)
        slide->position[k] += beam.until * way[k];
    return true;
}

// ---- Slides -------------------------------------------------------------------------------------------------------

static bool add_normal(grz_slide *slide, const double normal[3], double depth)
{
    const grz_allocator *allocator = grz_control_allocator(slide->level->control);
    const size_t count = slide->depths.count;
    if (!grz_array_add(allocator, &slide->depths) || !grz_array_reserve(allocator, &slide->normals, 3 * count + 3)) {
        grz_control_fail(slide->level->control, GRZ_ERROR_MEMORY);
        return false;
    }
    slide->depths.items[count] = depth;
    slide->normals.count = 3 * count + 3;
    memcpy(slide->normals.items + 3 * count, normal, 3 * sizeof *normal);
    return true;
}

// Keep a normal of the rule until the slide ends. Else two walls of which the rule knows one could throw the body to
// and fro.
static bool keep_rule(grz_slide *slide, const double normal[3])
{
    for (size_t i = 0; i < slide->rules.count; i += 3)
        if (memcmp(slide->rules.items + i, normal, 3 * sizeof *normal) == 0)
            return true;
    if (!grz_array_reserve(grz_control_allocator(slide->level->control), &slide->rules, slide->rules.count + 3)) {
        grz_control_fail(slide->level->control, GRZ_ERROR_MEMORY);
        return false;
    }
    memcpy(slide->rules.items + slide->rules.count, normal, 3 * sizeof *normal);
    slide->rules.count += 3;
    return true;
}

// The normals of all contacts, and how far each must be lifted; with a wish, those of the rule, since the slide began.
static bool collect(grz_slide *slide, const double *wish)
{
    const bool rule = wish != NULL && slide->rule != NULL;
    const double target = slide->body.radius + LIFT_TO * slide->body.skin;
    slide->normals.count = slide->depths.count = 0;
    for (size_t i = 0; i < slide->touches.count; i++) {
        const grz_touch *touch = &slide->touches.all.items[i];
        double normal[3];
        if (!add_normal(slide, touch->apart.normal, fmax(0.0, target - touch->apart.lower)))
            return false;
        bool wall = false;
        if (rule && slide->rule(slide->rule_context, touch, normal, &wall) && !keep_rule(slide, normal))
            return false;
        slide->met_wall = slide->met_wall || (wall && grz_dot(touch->apart.normal, wish) < 0.0);
    }
    for (size_t i = 0; rule && i < slide->rules.count; i += 3)
        if (!add_normal(slide, slide->rules.items + i, 0.0))
            return false;
    return true;
}

// Back to the last place if the end is not proved.
static bool prove(grz_slide *slide, const double before[3], bool *cut)
{
    if (!grz_slide_look(slide))
        return false;
    *cut = slide->touches.inside;
    if (!*cut)
        return true;
    memcpy(slide->position, before, sizeof slide->position);
    return grz_slide_look(slide);
}

bool grz_slide_lift(grz_slide *slide)
{
    double way[3], before[3], share;
    bool cut;
    if (slide->touches.inside || slide->touches.count == 0 ||
        slide->touches.nearest >= slide->body.radius + LIFT_BELOW * slide->body.skin)
        return true;
    if (!collect(slide, NULL))
        return false;
    if (!grz_cone_lift(slide->normals.items, slide->depths.items, slide->depths.count, MOST_LIFT * slide->body.skin,
                       way))
        return true;
    memcpy(before, slide->position, sizeof before);
    return grz_slide_cast(slide, way, UINT32_MAX, &share) && prove(slide, before, &cut);
}

bool grz_slide_out(grz_slide *slide, double way[3])
{
    return collect(slide, NULL) && grz_cone_lift(slide->normals.items, slide->depths.items, slide->depths.count,
                                                 2.0 * (slide->body.radius + slide->body.skin), way);
}

bool grz_slide_along(grz_slide *slide, const double wish[3], grz_mover_outcome *outcome)
{
    static const grz_mover_outcome outcomes[] = {[GRZ_CONE_FREE] = GRZ_MOVER_FREE,
                                                 [GRZ_CONE_SLIDE] = GRZ_MOVER_SLIDE,
                                                 [GRZ_CONE_CREASE] = GRZ_MOVER_CREASE,
                                                 [GRZ_CONE_CORNER] = GRZ_MOVER_CORNER};
    double left = 1.0;
    slide->rules.count = 0;
    *outcome = GRZ_MOVER_FREE;
    if (wish[0] == 0.0 && wish[1] == 0.0 && wish[2] == 0.0)
        return true;
    for (int leg = 0; leg < MOST_LEGS; leg++) {
        double way[3], before[3], share;
        bool cut;
        if (grz_control_expired(slide->level->control) || !grz_slide_lift(slide) || !collect(slide, wish))
            return false;
        const grz_cone_part part = grz_cone_project(slide->normals.items, slide->depths.count, wish, way);
        *outcome = outcomes[part];
        if (part == GRZ_CONE_CORNER)
            return true;
        for (int k = 0; k < 3; k++)
            way[k] *= left;
        memcpy(before, slide->position, sizeof before);
        if (!grz_slide_cast(slide, way, UINT32_MAX, &share) || !prove(slide, before, &cut))
            return false;
        left *= 1.0 - share;
        if (cut)
            break;
        if (share == 1.0 || left == 0.0)
            return true;
    }
    *outcome = GRZ_MOVER_LIMIT;
    return true;
}

void grz_slide_finish(grz_slide *slide)
{
    const grz_allocator *allocator = grz_control_allocator(slide->level->control);
    grz_array_finish(allocator, &slide->normals);
    grz_array_finish(allocator, &slide->depths);
    grz_array_finish(allocator, &slide->rules);
    grz_touches_finish(&slide->touches, slide->level->control);
}
