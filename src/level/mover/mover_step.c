// SPDX-License-Identifier: MIT
// One step: objects that have moved push the mover, and its floor carries it; what is inside then is put out; the rest
// is a slide, or a walk.
#include "level/mover/mover_step.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/functions/functions.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "level/mover/clean_up.h"
#include "level/mover/slide/push.h"
#include "level/mover/walk.h"

enum {
    SHORT_STEP = 5 // times the shape's size: up to that the triangles near by are collected once
};

static double largest_of(const double v[3])
{
    return fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

// Where the floor has carried the position.
static bool carried_by(const grz_mover_options *options, const grz_level *level, const double position[3],
                       double carried[3])
{
    const grz_pose *now, *before;
    double in_mesh[3], there[3];
    grz_pose back;
    if (!options->walk || !options->floor.stands || options->earlier_poses == NULL)
        return false;
    now = &level->objects[options->floor.object].object.pose;
    before = &options->earlier_poses[options->floor.object];
    if (memcmp(now, before, sizeof *now) == 0 || grz_pose_inverse(before, &back, NULL) != GRZ_OK)
        return false;
    grz_pose_apply(back, position, in_mesh);
    grz_pose_apply(*now, in_mesh, there);
    for (int k = 0; k < 3; k++)
        carried[k] = there[k] - position[k];
    return largest_of(carried) > 0.0;
}

// Follow the objects from their earlier poses to where they are. `crushed`: they leave the mover no room; the level
// then stays at the last time that was proved.
static bool follow(const grz_mover_options *options, grz_slide *slide, grz_mover_answer *answer, bool *crushed)
{
    grz_level *level = slide->level;
    grz_push push = {.crushed = false};
    bool any = false;
    *crushed = false;
    for (uint32_t i = 0; i < level->count; i++)
        any = any || level->objects[i].moved;
    if (!any)
        return true;
    level->time = 0.0;
    if (!grz_slide_look(slide))
        return false;
    if (slide->touches.inside) { // nothing can be proved from here
        level->time = 1.0;
        return true;
    }
    if (!carried_by(options, level, slide->position, push.carried))
        memset(push.carried, 0, sizeof push.carried);
    if (!grz_push_along(&push, slide))
        return false;
    *crushed = push.crushed;
    answer->crushed_at = push.time;
    memcpy(answer->carried, push.carried, sizeof answer->carried);
    memcpy(answer->pushed, push.pushed, sizeof answer->pushed);
    return true;
}

static grz_walk walk_of(const grz_mover_options *options, const grz_slide *slide, const double carried[3])
{
    grz_walk walk = {.step_up = options->step_up, .step_down = options->step_down, .skin = slide->body.skin};
    memcpy(walk.up, options->up, sizeof walk.up);
    grz_make_unit(walk.up);
    // Slopes at the limit are floors: cosine, normal and product are off by some 2^-50.
    walk.least = grz_cosine(options->slope_limit * (GRZ_PI / 180.0)) - 0x1p-40;
    walk.stands = options->floor.stands;
    const grz_core core = grz_body_core(&slide->body, slide->position);
    const double foot = grz_dot(walk.up, slide->position) - grz_core_support(&core, walk.up) - slide->body.radius;
    walk.height = options->floor.stands ? grz_dot(walk.up, options->floor.point) + grz_dot(walk.up, carried) : foot;
    const grz_mover_floor floor = grz_walk_floor(&walk, slide);
    walk.stands = floor.stands;
    if (floor.stands)
        walk.height = grz_dot(walk.up, floor.point);
    return walk;
}

// Keep the triangles that a short step can meet.
static bool keep_near(const grz_mover_options *options, grz_slide *slide, const double displacement[3])
{
    const grz_body *body = &slide->body;
    const double walks = options->walk ? options->step_up + options->step_down : 0.0,
                 reach = sqrt(grz_dot(displacement, displacement)) + walks + body->radius + 3.0 * body->skin;
    const grz_core core = grz_body_core(body, slide->position);
    grz_box box = grz_core_bounds(&core);
    if (reach > SHORT_STEP * body->extent)
        return true;
    box = grz_box_grown(&box, reach);
    return grz_level_keep(slide->level, slide->position, &box);
}

// What has been crushed, or is inside, and is not put out, stays.
static bool stay(grz_slide *slide, bool crushed, grz_mover_answer *answer)
{
    answer->outcome = crushed ? GRZ_MOVER_CRUSHED : GRZ_MOVER_START_INSIDE;
    if (crushed) // outside at that time
        return true;
    answer->crushed_at = 1.0;
    memset(answer->carried, 0, sizeof answer->carried);
    memset(answer->pushed, 0, sizeof answer->pushed);
    memcpy(slide->position, answer->position, sizeof slide->position); // as given
    return grz_slide_look(slide);
}

bool grz_mover_step_along(const grz_mover_options *options, grz_slide *slide, const double displacement[3],
                          grz_mover_answer *answer)
{
    bool crushed;
    if (grz_control_expired(slide->level->control) || !follow(options, slide, answer, &crushed))
        return false;
    const double until = slide->level->time;
    slide->level->time = 1.0;
    if (!keep_near(options, slide, displacement) || !grz_slide_look(slide))
        return false;
    answer->started_inside = slide->touches.inside;
    if (slide->touches.inside && !grz_clean_up(options->clean_up, slide, displacement))
        return false;
    // What has crushed the mover may be behind it now: that is no place to go on from, unless a clean-up is asked for.
    if (slide->touches.inside || (crushed && options->clean_up == GRZ_MOVER_CLEAN_UP_NONE)) {
        slide->level->time = crushed ? until : 1.0;
        return stay(slide, crushed, answer) && grz_slide_look(slide);
    }
    memcpy(answer->position, slide->position, sizeof answer->position); // proved
    if (!options->walk)
        return grz_slide_along(slide, displacement, &answer->outcome);
    grz_walk walk = walk_of(options, slide, answer->carried);
    return grz_walk_along(&walk, slide, displacement, answer);
}
