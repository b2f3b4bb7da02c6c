// SPDX-License-Identifier: MIT
// The time of a step is cut where something new is met. At each cut the displacement, not what was left of it by the
// last contact, is projected onto the cone of all contacts, so that the body never goes against the displacement and
// never back and forth between two walls: position · displacement grows with every leg.
#include "level/mover/slide.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "level/mover/cone.h"

enum {
    // A leg is one straight move of a slide. Very long steps along a finely cut hollow end here: the rest of the
    // displacement is lost. Steps of the random test have 34 legs at most (docs/use/mover.md).
    MOST_LEGS = 1000,
    MOST_STOPS = 4,  // legs one after the other that change nothing: nor will others
    STALL_LEGS = 64, // legs that together do not lead on
    SQUEEZES = 8,    // contacts that are tried to be ignored
    SQUEEZE_LEGS = 4 // legs of such a try
};

// Contacts nearer than this share of the skin are lifted, to the second one, by at most so many skins (an acute corner
// takes some). Below 1/4 a sweep ends almost where it begins; LIFT_TO is the middle between 5/8, where a sweep from far
// away ends, and 3/4, where "far away" begins: bar_for() in separation.c. MOST_LIFT is chosen.
static const double LIFT_BELOW = 0.25, LIFT_TO = 0.6875, MOST_LIFT = 64.0;
// Skins, along the displacement.
static const double FORGET_AFTER = 4.0, SQUEEZED = 2.0, STALL_LENGTH = 0.0625, STALL_RETURN = 1.0;

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
    const bool drifts = triangle->moved && c->slide->level->moves;
    const double free_until =
        grz_separation_sweep(&c->core, (const double(*)[3])corners, drifts ? (const double(*)[3])triangle->drift : NULL,
                             beam->way, beam->until, &c->bars);
    // A sweep of which roundings leave little may end before the boxes meet. Then whether a triangle is visited at all
    // depends on those before it, and the answer must not.
    beam->until = fmin(beam->until, fmax(free_until, beam->entry));
    return true;
}

bool grz_slide_cast(grz_slide *slide, const double way[3], double *share)
{
    const grz_body *body = &slide->body;
    cast c = {.slide = slide, .core = grz_body_core(body, slide->position), .bars = {body->radius, body->skin}};
    const grz_box box = grz_core_bounds(&c.core);
    grz_beam beam = {.around = grz_box_grown(&box, body->radius + body->skin), .until = 1.0};
    memcpy(beam.from, slide->position, sizeof beam.from);
    memcpy(beam.way, way, sizeof beam.way);
    if (!grz_level_visit(slide->level, &beam, sweep, &c))
        return false;
    *share = beam.until;
    slide->iterations++;
    for (int k = 0; k < 3; k++)
        slide->position[k] += beam.until * way[k];
    return true;
}

// ---- Slides -------------------------------------------------------------------------------------------------------

bool grz_slide_add_normal(grz_slide *slide, const double normal[3], double depth)
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

// ---- Contacts that were --------------------------------------------------------------------------------------------
//
// In a narrow hollow a sharp corner may touch one face, then the other, within a fraction of the skin, and the body
// would oscillate between them. So each contact since the slide began goes on blocking the body while it is near.

static grz_past_contact *past_of(grz_slide *slide, const grz_touch *touch)
{
    for (size_t i = 0; i < slide->past.count; i++) {
        grz_past_contact *past = &slide->past.items[i];
        if (past->object == touch->triangle.object && past->triangle == touch->triangle.triangle)
            return past;
    }
    return NULL;
}

static bool remember(grz_slide *slide, const grz_touch *touch)
{
    grz_past_contact *past = past_of(slide, touch);
    if (past == NULL) {
        if (!grz_array_add(grz_control_allocator(slide->level->control), &slide->past)) {
            grz_control_fail(slide->level->control, GRZ_ERROR_MEMORY);
            return false;
        }
        past = &slide->past.items[slide->past.count - 1];
    }
    *past = (grz_past_contact){.object = touch->triangle.object, .triangle = touch->triangle.triangle, .seen = true};
    memcpy(past->normal, touch->apart.normal, sizeof past->normal);
    return true;
}

// Remember the contacts; forget what is no longer near; add the planes of the others.
static bool add_past(grz_slide *slide)
{
    size_t kept = 0;
    for (size_t i = 0; i < slide->past.count; i++)
        slide->past.items[i].seen = false;
    for (size_t i = 0; i < slide->touches.all.count; i++) {
        const grz_touch *touch = &slide->touches.all.items[i];
        grz_past_contact *past = i < slide->touches.count ? NULL : past_of(slide, touch);
        if (i < slide->touches.count && !remember(slide, touch))
            return false;
        if (past == NULL)
            continue;
        past->seen = true;
        if (!grz_slide_add_normal(slide, past->normal, 0.0))
            return false;
    }
    for (size_t i = 0; i < slide->past.count; i++)
        if (slide->past.items[i].seen)
            slide->past.items[kept++] = slide->past.items[i];
    slide->past.count = kept;
    return true;
}

// ---- Planes --------------------------------------------------------------------------------------------------------

// The normals of all contacts, and how far each must be lifted; with a displacement, those of the rule, since the slide
// began.
static bool collect(grz_slide *slide, const double *displacement)
{
    const bool rule = displacement != NULL && slide->rule != NULL;
    const double target = slide->body.radius + LIFT_TO * slide->body.skin;
    slide->normals.count = slide->depths.count = 0;
    for (size_t i = 0; i < slide->touches.count; i++) {
        const grz_touch *touch = &slide->touches.all.items[i];
        double normal[3];
        if (!grz_slide_add_normal(slide, touch->apart.normal, fmax(0.0, target - touch->apart.lower)))
            return false;
        bool wall = false;
        if (rule && slide->rule(slide->rule_context, touch, normal, &wall) && !keep_rule(slide, normal))
            return false;
        slide->met_wall = slide->met_wall || (wall && grz_dot(touch->apart.normal, displacement) < 0.0);
    }
    for (size_t i = 0; rule && i < slide->rules.count; i += 3)
        if (!grz_slide_add_normal(slide, slide->rules.items + i, 0.0))
            return false;
    return displacement == NULL || slide->body.radius > 0.0 || add_past(slide);
}

// What is left of the displacement. Contacts that were may leave nothing where those that are leave something: they are
// then forgotten, if the body has gone on since the last time.
static bool project(grz_slide *slide, const double displacement[3], double *forgotten_at, grz_cone_part *part,
                    double way[3])
{
    if (!collect(slide, displacement))
        return false;
    *part = grz_cone_project(slide->normals.items, slide->depths.count, displacement, way);
    const double at = grz_dot(slide->position, displacement) / sqrt(grz_dot(displacement, displacement));
    if (*part != GRZ_CONE_CORNER || slide->past.count == 0 || at < *forgotten_at + FORGET_AFTER * slide->body.skin)
        return true;
    *forgotten_at = at;
    slide->past.count = 0;
    if (!collect(slide, displacement))
        return false;
    *part = grz_cone_project(slide->normals.items, slide->depths.count, displacement, way);
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
    return grz_slide_cast(slide, way, &share) && prove(slide, before, &cut);
}

bool grz_slide_out(grz_slide *slide, double way[3])
{
    return collect(slide, NULL) && grz_cone_lift(slide->normals.items, slide->depths.items, slide->depths.count,
                                                 2.0 * (slide->body.thickness + slide->body.skin), way);
}

// Go along what the contacts but one leave of the displacement. `progress`: along the displacement.
static bool go_without(grz_slide *slide, const double displacement[3], const grz_past_contact *ignored, double rest,
                       double *progress)
{
    double start[3];
    memcpy(start, slide->position, sizeof start);
    for (int leg = 0; leg < SQUEEZE_LEGS; leg++) {
        double way[3], before[3], share;
        bool cut;
        slide->normals.count = slide->depths.count = 0;
        for (size_t i = 0; i < slide->touches.count; i++) {
            const grz_touch *touch = &slide->touches.all.items[i];
            if ((touch->triangle.object != ignored->object || touch->triangle.triangle != ignored->triangle) &&
                !grz_slide_add_normal(slide, touch->apart.normal, 0.0))
                return false;
        }
        if (grz_cone_project(slide->normals.items, slide->depths.count, displacement, way) == GRZ_CONE_CORNER)
            break;
        for (int k = 0; k < 3; k++)
            way[k] *= rest;
        memcpy(before, slide->position, sizeof before);
        if (!grz_slide_cast(slide, way, &share) || !prove(slide, before, &cut))
            return false;
        rest *= 1.0 - share;
        if (cut || share == 0.0 || rest == 0.0)
            break;
    }
    for (int k = 0; k < 3; k++)
        start[k] = slide->position[k] - start[k];
    *progress = grz_dot(start, displacement) / sqrt(grz_dot(displacement, displacement));
    return true;
}

// The corner of a sharp body may be one within the skin only: beyond the end of one of the triangles it is free. Each
// contact is ignored once; all ways are swept and proved as others are. `left` receives what is left of the
// displacement. A round body is left where it is.
static bool squeeze(grz_slide *slide, const double displacement[3], double *left, bool *done)
{
    grz_past_contact ignored[SQUEEZES];
    double start[3], progress;
    size_t count = 0;
    const double length = sqrt(grz_dot(displacement, displacement)), least = SQUEEZED * slide->body.skin,
                 nearest = slide->touches.nearest;
    memcpy(start, slide->position, sizeof start);
    *done = false;
    if (slide->body.radius > 0.0 || slide->rule != NULL || !(*left * length > least))
        return true;
    for (; count < slide->touches.count && count < SQUEEZES; count++) {
        const grz_level_triangle *t = &slide->touches.all.items[count].triangle;
        ignored[count] = (grz_past_contact){.object = t->object, .triangle = t->triangle};
    }
    for (size_t i = 0; i < count; i++) {
        if (!go_without(slide, displacement, &ignored[i], *left, &progress))
            return false;
        // What has only gone deeper into the skin would be lifted back.
        if (progress > least && slide->touches.nearest >= nearest - 0.0625 * slide->body.skin) {
            *left -= progress / length; // at most
            *done = true;
            return true;
        }
        memcpy(slide->position, start, sizeof start);
        if (!grz_slide_look(slide))
            return false;
    }
    return true;
}

// How far a slide has come along its displacement. A lift may lead back a little, and legs on and lifts back may
// repeat, in a pit of many faces within the skin. They have an end when many legs lead no further: such a pit is a
// corner.
typedef struct reach {
    double direction[3]; // of the displacement, length 1
    double first, far, counted;
    double first_position[3], far_position[3];
    int iterations; // since `counted`
} reach;

static reach reach_of(const grz_slide *slide, const double displacement[3])
{
    reach r = {.iterations = 0};
    const double length = sqrt(grz_dot(displacement, displacement));
    for (int k = 0; k < 3; k++)
        r.direction[k] = displacement[k] / length;
    r.first = r.far = r.counted = grz_dot(slide->position, r.direction);
    memcpy(r.first_position, slide->position, sizeof r.first_position);
    memcpy(r.far_position, slide->position, sizeof r.far_position);
    return r;
}

// True if the legs lead no further.
static bool stalls(reach *r, const grz_slide *slide)
{
    const double at = grz_dot(slide->position, r->direction);
    if (at > r->far) {
        r->far = at;
        memcpy(r->far_position, slide->position, sizeof r->far_position);
    }
    r->iterations++;
    if (at > r->counted + STALL_LENGTH * slide->body.skin) {
        r->counted = at;
        r->iterations = 0;
    }
    return r->iterations >= STALL_LEGS;
}

// Where legs have led no further: go on from the furthest place as if the slide began there. If that has not led on by
// a skin, it is a corner: back to where it began, so that the same displacement moves a body that stands there by not
// one bit.
static bool begin_again(reach *r, grz_slide *slide, bool *corner)
{
    *corner = r->far <= r->first + STALL_RETURN * slide->body.skin;
    if (!*corner) {
        r->first = r->far;
        memcpy(r->first_position, r->far_position, sizeof r->first_position);
    }
    r->far = r->counted = r->first;
    r->iterations = 0;
    memcpy(slide->position, r->first_position, sizeof slide->position);
    slide->past.count = 0;
    return grz_slide_look(slide);
}

bool grz_slide_along(grz_slide *slide, const double displacement[3], grz_mover_outcome *outcome)
{
    static const grz_mover_outcome outcomes[] = {[GRZ_CONE_FREE] = GRZ_MOVER_FREE,
                                                 [GRZ_CONE_SLIDE] = GRZ_MOVER_SLIDE,
                                                 [GRZ_CONE_CREASE] = GRZ_MOVER_CREASE,
                                                 [GRZ_CONE_CORNER] = GRZ_MOVER_CORNER};
    double left = 1.0, forgotten_at = -HUGE_VAL;
    slide->rules.count = slide->past.count = 0;
    *outcome = GRZ_MOVER_FREE;
    if (displacement[0] == 0.0 && displacement[1] == 0.0 && displacement[2] == 0.0)
        return true;
    int stops = 0;
    reach far = reach_of(slide, displacement);
    for (int leg = 0; leg < MOST_LEGS && stops < MOST_STOPS; leg++) {
        double way[3], before[3], start[3], share;
        bool cut, squeezed = false;
        grz_cone_part part;
        if (stalls(&far, slide)) {
            bool corner;
            *outcome = GRZ_MOVER_CORNER;
            if (!begin_again(&far, slide, &corner) || (corner && !squeeze(slide, displacement, &left, &squeezed)))
                return false;
            if (corner && (!squeezed || !(left > 0.0)))
                return true;
            squeezed = false;
        }
        memcpy(start, slide->position, sizeof start);
        if (grz_control_expired(slide->level->control) || !grz_slide_lift(slide) ||
            !project(slide, displacement, &forgotten_at, &part, way))
            return false;
        *outcome = outcomes[part];
        if (part == GRZ_CONE_CORNER && !squeeze(slide, displacement, &left, &squeezed))
            return false;
        if (squeezed && left > 0.0)
            continue;
        if (part == GRZ_CONE_CORNER)
            return true;
        for (int k = 0; k < 3; k++)
            way[k] *= left;
        memcpy(before, slide->position, sizeof before);
        if (!grz_slide_cast(slide, way, &share) || !prove(slide, before, &cut))
            return false;
        left *= 1.0 - share;
        if (cut)
            break;
        if (share == 1.0 || left == 0.0)
            return true;
        stops = memcmp(start, slide->position, sizeof start) == 0 ? stops + 1 : 0;
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
    grz_array_finish(allocator, &slide->past);
    grz_touches_finish(&slide->touches, slide->level->control);
}
