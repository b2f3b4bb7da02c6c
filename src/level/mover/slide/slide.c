// SPDX-License-Identifier: MIT
// The time of a step is cut where something new is met. At each cut the displacement, not what was left of it by the
// last contact, is projected onto the cone of all contacts, so that the body never goes against the displacement and
// never back and forth between two walls: position · displacement grows with every leg.
#include "level/mover/slide/slide.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/vector.h"
#include "level/mover/slide/cone.h"
#include "level/mover/slide/slide_parts.h"

enum {
    // A leg is one straight move of a slide. Very long steps along a finely cut hollow end here: the rest of the
    // displacement is lost. Steps of the random test have 34 legs at most (docs/use/mover.md).
    MAX_LEGS = 1000,
    MAX_STOPS = 4 // legs one after the other that change nothing: nor will others
};

static const double FORGET_AFTER = 4.0; // skins along the displacement

// What is left of the displacement. Contacts that were may leave nothing where those that are leave something: they are
// then forgotten, if the body has gone on since the last time.
static bool project(grz_slide *slide, const double displacement[3], double *forgotten_at, grz_cone_part *part,
                    double way[3])
{
    if (!grz_slide_collect(slide, displacement))
        return false;
    *part = grz_cone_project(slide->normals.items, slide->depths.count, displacement, way);
    const double at = grz_dot(slide->position, displacement) / sqrt(grz_dot(displacement, displacement));
    if (*part != GRZ_CONE_CORNER || slide->past.count == 0 || at < *forgotten_at + FORGET_AFTER * slide->body.skin)
        return true;
    *forgotten_at = at;
    slide->past.count = 0;
    if (!grz_slide_collect(slide, displacement))
        return false;
    *part = grz_cone_project(slide->normals.items, slide->depths.count, displacement, way);
    return true;
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
    grz_slide_reach far = grz_slide_reach_of(slide, displacement);
    for (int leg = 0; leg < MAX_LEGS && stops < MAX_STOPS; leg++) {
        double way[3], before[3], start[3], share;
        bool cut, squeezed = false;
        grz_cone_part part;
        if (grz_slide_stalls(&far, slide)) {
            bool corner;
            *outcome = GRZ_MOVER_CORNER;
            if (!grz_slide_begin_again(&far, slide, &corner) ||
                (corner && !grz_slide_squeeze(slide, displacement, &left, &squeezed)))
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
        if (part == GRZ_CONE_CORNER && !grz_slide_squeeze(slide, displacement, &left, &squeezed))
            return false;
        if (squeezed && left > 0.0)
            continue;
        if (part == GRZ_CONE_CORNER)
            return true;
        for (int k = 0; k < 3; k++)
            way[k] *= left;
        memcpy(before, slide->position, sizeof before);
        if (!grz_slide_cast(slide, way, &share) || !grz_slide_prove(slide, before, &cut))
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
