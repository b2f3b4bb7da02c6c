// SPDX-License-Identifier: MIT
// The shortest way away from contacts: out of the skin, swept and proved; or out of what the body is inside of.
#include <string.h>

#include "level/mover/slide/cone.h"
#include "level/mover/slide/slide_parts.h"

// Contacts nearer than this share of the skin are lifted, by at most so many skins (an acute corner takes some). Below
// 1/4 a sweep ends almost where it begins: bar_for() in core_sweep.c. MAX_LIFT is chosen.
static const double LIFT_BELOW = 0.25, MAX_LIFT = 64.0;

bool grz_slide_prove(grz_slide *slide, const double before[3], bool *cut)
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
    if (!grz_slide_collect(slide, NULL))
        return false;
    if (!grz_cone_lift(slide->normals.items, slide->depths.items, slide->depths.count, MAX_LIFT * slide->body.skin,
                       way))
        return true;
    memcpy(before, slide->position, sizeof before);
    return grz_slide_cast(slide, way, &share) && grz_slide_prove(slide, before, &cut);
}

bool grz_slide_out(grz_slide *slide, double way[3])
{
    return grz_slide_collect(slide, NULL) &&
           grz_cone_lift(slide->normals.items, slide->depths.items, slide->depths.count,
                         2.0 * (slide->body.thickness + slide->body.skin), way);
}
