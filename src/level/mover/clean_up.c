// SPDX-License-Identifier: MIT
#include "level/mover/clean_up.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"

enum {
    MAX_TRIES = 16,      // to put a mover out
    MAX_TRIES_BACK = 512 // the same against the displacement, each at least a sixteenth of the skin further
};

// Put the mover out. Nothing is proved but the end. False: the control says to end.
static bool go_out(grz_slide *slide)
{
    for (int i = 0; i < MAX_TRIES && slide->touches.inside; i++) {
        double way[3];
        if (!grz_slide_out(slide, way))
            return true;
        for (int k = 0; k < 3; k++)
            slide->position[k] += way[k];
        if (!grz_slide_look(slide))
            return false;
    }
    return true;
}

// Go back against the displacement. The distance grows no faster than the way, so the first place outside is not passed
// by more than a share of the skin.
static bool go_back_out(grz_slide *slide, const double displacement[3])
{
    const grz_body *body = &slide->body;
    const double most = sqrt(grz_dot(displacement, displacement)) + 2.0 * body->extent;
    double from[3], way[3], gone = 0.0;
    memcpy(from, slide->position, sizeof from);
    memcpy(way, displacement, sizeof way);
    if (!grz_make_unit(way))
        return true;
    for (int i = 0; i < MAX_TRIES_BACK && slide->touches.inside; i++) {
        gone += fmax(body->radius + GRZ_LIFT_TO * body->skin - slide->touches.nearest, 0.0625 * body->skin);
        if (gone > most)
            return true;
        for (int k = 0; k < 3; k++)
            slide->position[k] = from[k] - gone * way[k];
        if (!grz_slide_look(slide))
            return false;
    }
    return true;
}

bool grz_clean_up(grz_mover_clean_up kind, grz_slide *slide, const double displacement[3])
{
    double before[3];
    memcpy(before, slide->position, sizeof before);
    if (kind == GRZ_MOVER_CLEAN_UP_SHORTEST && !go_out(slide))
        return false;
    if (kind == GRZ_MOVER_CLEAN_UP_BACK && !go_back_out(slide, displacement))
        return false;
    if (!slide->touches.inside)
        return true;
    memcpy(slide->position, before, sizeof before);
    return grz_slide_look(slide);
}
