// SPDX-License-Identifier: MIT
// The planes that a slide must not pass: those of the contacts, those of the rule, and those of contacts that were.
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/vector.h"
#include "level/mover/slide/slide_parts.h"

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

bool grz_slide_collect(grz_slide *slide, const double *displacement)
{
    const bool rule = displacement != NULL && slide->rule != NULL;
    const double target = slide->body.radius + GRZ_LIFT_TO * slide->body.skin;
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
