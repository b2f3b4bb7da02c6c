// SPDX-License-Identifier: MIT
// A straight way: the sweeps of all triangles near it share one time, which only falls.
#include <math.h>
#include <string.h>

#include "level/mover/body/core_sweep.h"
#include "level/mover/slide/slide.h"

bool grz_slide_look(grz_slide *slide)
{
    return grz_touches_find(&slide->touches, slide->level, &slide->body, slide->position);
}

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
        grz_core_sweep(&c->core, (const double(*)[3])corners, drifts ? (const double(*)[3])triangle->drift : NULL,
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
    grz_beam beam = {.box = grz_box_grown(&box, body->radius + body->skin), .until = 1.0};
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
