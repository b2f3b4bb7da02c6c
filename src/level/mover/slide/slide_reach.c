// SPDX-License-Identifier: MIT
// A lift may lead back a little, and legs on and lifts back may repeat, in a pit of many faces within the skin. They
// have an end when many legs lead no further: such a pit is a corner.
#include <string.h>

#include "geometry/vector.h"
#include "level/mover/slide/slide_parts.h"

enum {
    STALL_LEGS = 64 // legs that together do not lead on
};

// Skins, along the displacement: so little is no progress; and less than this since the slide began is a corner.
static const double STALL_LENGTH = 0.0625, STALL_RETURN = 1.0;

grz_slide_reach grz_slide_reach_of(const grz_slide *slide, const double displacement[3])
{
    grz_slide_reach r = {.iterations = 0};
    const double length = sqrt(grz_dot(displacement, displacement));
    for (int k = 0; k < 3; k++)
        r.direction[k] = displacement[k] / length;
    r.first = r.far = r.counted = grz_dot(slide->position, r.direction);
    memcpy(r.first_position, slide->position, sizeof r.first_position);
    memcpy(r.far_position, slide->position, sizeof r.far_position);
    return r;
}

bool grz_slide_stalls(grz_slide_reach *r, const grz_slide *slide)
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

bool grz_slide_begin_again(grz_slide_reach *r, grz_slide *slide, bool *corner)
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
