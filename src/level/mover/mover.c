// SPDX-License-Identifier: MIT
// grz_mover_step(): checks what was asked, carries the mover along with its floor, cleans up, and has the step done.
#include <graze/mover.h>

#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/functions/functions.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "level/mover/cone.h"
#include "level/mover/moved_shape.h"
#include "level/mover/push.h"
#include "level/mover/step.h"
#include "level/mover/walk.h"
#include "level/vector_check.h"

static const double LARGEST = 0x1p100;       // of what the caller gives, as <graze/mover.h> says
static const double DEFAULT_SKIN = 0x1p-10;  // of the radius, or the smallest half axis
static const double ROUNDING_SKIN = 0x1p-44; // of the largest coordinate: the least skin

// Of the skin: how far out a clean-up tries to put a mover. The same as LIFT_TO in slide.c.
static const double CLEAN_UP_TO = 0.6875;

enum {
    CLEAN_UPS = 16,       // tries to put a mover out
    CLEAN_UPS_BACK = 512, // the same against the displacement, each at least a sixteenth of the skin further
    SHORT_STEP = 5        // times the shape's size: up to that the triangles near by are collected once
};

static const grz_mover_options defaults = {
    .size = sizeof(grz_mover_options), .up = {0.0, 0.0, 1.0}, .slope_limit = 45.0};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(mover_options, defaults);

void grz_mover_options_init(grz_mover_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

// ---- Checks -------------------------------------------------------------------------------------------------------

static grz_status refuse(grz_error *error, const char *what)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mover: %s", what);
}

static double largest_of(const double v[3])
{
    return fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2])); // NaN is checked for elsewhere
}

static grz_status check_distance(double distance, const char *name, grz_error *error)
{
    if (!(distance >= 0.0 && distance <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mover: options.%s is %g, must be 0 to 2^100", name,
                        distance);
    return GRZ_OK;
}

static grz_status check_walking(const grz_mover_options *options, uint32_t count, grz_error *error)
{
    grz_status status = grz_vector_check("mover", "options.up", options->up, error);
    if (status != GRZ_OK)
        return status;
    if (!(largest_of(options->up) > 0.0))
        return refuse(error, "options.up is (0, 0, 0)");
    if (!(options->slope_limit >= 0.0 && options->slope_limit <= 90.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mover: options.slope_limit is %g, must be 0 to 90 degrees", options->slope_limit);
    status = check_distance(options->step_up, "step_up", error);
    if (status == GRZ_OK)
        status = check_distance(options->step_down, "step_down", error);
    if (status == GRZ_OK && options->floor.stands && options->floor.object >= count)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, options->floor.object,
                        "mover: options.floor.object is %u, but there are %u objects", options->floor.object, count);
    return status == GRZ_OK && options->floor.stands
               ? grz_vector_check("mover", "options.floor.point", options->floor.point, error)
               : status;
}

grz_status grz_mover_read_options(const grz_mover_options *given, grz_mover_options *options, grz_error *error)
{
    return grz_options_read(&options_type, "mover", given, options, error);
}

static grz_status check_options(const grz_mover_options *options, uint32_t count, grz_error *error)
{
    if (!(options->skin >= 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mover: options.skin is %g, must be 0 or above",
                        options->skin);
    if (options->clean_up != GRZ_MOVER_CLEAN_UP_NONE && options->clean_up != GRZ_MOVER_CLEAN_UP_SHORTEST &&
        options->clean_up != GRZ_MOVER_CLEAN_UP_BACK)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mover: options.clean_up is %d",
                        (int)options->clean_up);
    return options->walk ? check_walking(options, count, error) : GRZ_OK;
}

// The skin must hold what is rounded at these coordinates.
static grz_status choose_skin(grz_body *body, const grz_mover_options *options, const double position[3],
                              const double displacement[3], grz_error *error)
{
    const double size = largest_of(position) + largest_of(displacement) + largest_of(body->half) + body->core.size,
                 least = size * ROUNDING_SKIN;
    body->skin = options->skin > 0.0 ? options->skin : body->thickness * DEFAULT_SKIN;
    if (body->skin > body->thickness)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mover: options.skin is %g, must be at most %s, %g",
                        body->skin, body->core.kind == GRZ_CORE_ROUND ? "the radius" : "the smallest half axis",
                        body->thickness);
    if (body->skin < least)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mover: the skin is %g, needs %g at these coordinates (2^-44 of them)", body->skin, least);
    return GRZ_OK;
}

// ---- Steps --------------------------------------------------------------------------------------------------------

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

// Put the mover out. Nothing is proved but the end. False: the control says to end.
static bool go_out(grz_slide *slide)
{
    for (int i = 0; i < CLEAN_UPS && slide->touches.inside; i++) {
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
    for (int i = 0; i < CLEAN_UPS_BACK && slide->touches.inside; i++) {
        gone += fmax(body->radius + CLEAN_UP_TO * body->skin - slide->touches.nearest, 0.0625 * body->skin);
        if (gone > most)
            return true;
        for (int k = 0; k < 3; k++)
            slide->position[k] = from[k] - gone * way[k];
        if (!grz_slide_look(slide))
            return false;
    }
    return true;
}

static bool clean_up(const grz_mover_options *options, grz_slide *slide, const double displacement[3])
{
    double before[3];
    memcpy(before, slide->position, sizeof before);
    if (options->clean_up == GRZ_MOVER_CLEAN_UP_SHORTEST && !go_out(slide))
        return false;
    if (options->clean_up == GRZ_MOVER_CLEAN_UP_BACK && !go_back_out(slide, displacement))
        return false;
    if (!slide->touches.inside)
        return true;
    memcpy(slide->position, before, sizeof before);
    return grz_slide_look(slide);
}

static grz_walk walk_of(const grz_mover_options *options, const grz_slide *slide, const double carried[3])
{
    grz_walk walk = {.step_up = options->step_up, .step_down = options->step_down, .skin = slide->body.skin};
    memcpy(walk.up, options->up, sizeof walk.up);
    grz_make_unit(walk.up);
    // Slopes at the limit are floors.
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

static void list_contacts(const grz_slide *slide, grz_mover_answer *answer)
{
    answer->contact_count = (uint32_t)slide->touches.count;
    for (size_t i = 0; i < slide->touches.count && i < GRZ_MOVER_MAX_CONTACTS; i++) {
        const grz_touch *touch = &slide->touches.all.items[i];
        grz_mover_contact *contact = &answer->contacts[i];
        contact->object = touch->triangle.object;
        contact->face = touch->face;
        contact->distance = touch->apart.lower;
        contact->on_face = touch->apart.on_face;
        for (int k = 0; k < 3; k++) {
            contact->normal[k] = touch->apart.normal[k];
            contact->point[k] = slide->position[k] + touch->apart.point[k];
        }
    }
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

static bool step(const grz_mover_options *options, grz_slide *slide, const double displacement[3],
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
    if (slide->touches.inside && !clean_up(options, slide, displacement))
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

static void set_body(const grz_moved_shape *shape, grz_body *body)
{
    *body = (grz_body){.count = 1};
    if (shape->kind != GRZ_MOVED_ROUND) {
        grz_core_set(&body->core, shape->kind == GRZ_MOVED_BOX ? GRZ_CORE_BOX : GRZ_CORE_ELLIPSOID, shape->half,
                     shape->axes);
        body->thickness = grz_moved_shape_thickness(shape);
        body->extent = sqrt(grz_dot(shape->half, shape->half));
        return;
    }
    body->radius = body->thickness = shape->radius;
    for (int k = 0; k < 3; k++) {
        body->half[k] = shape->half[k];
        body->count = shape->half[k] != 0.0 ? 2 : body->count;
    }
    body->extent = body->radius + sqrt(grz_dot(body->half, body->half));
}

static grz_status do_step(grz_level *level, const grz_body *body, const double position[3],
                          const double displacement[3], const grz_mover_options *options, grz_mover_answer *answer,
                          grz_error *error)
{
    grz_slide slide = {.level = level, .body = *body};
    memcpy(slide.position, position, sizeof slide.position);
    const bool done = step(options, &slide, displacement, answer);
    if (done) {
        for (int k = 0; k < 3; k++)
            answer->position[k] = slide.position[k] + 0.0; // no -0
        list_contacts(&slide, answer);
    }
    answer->iterations = slide.iterations;
    answer->compared = slide.touches.compared;
    grz_slide_finish(&slide);
    return done ? GRZ_OK : grz_control_explain(level->control, grz_control_status(level->control), "the mover", error);
}

static grz_status check_and_step(grz_call *call, const grz_object *objects, uint32_t count, const grz_shape *shape,
                                 const double position[3], const double displacement[3],
                                 const grz_mover_options *options, grz_mover_answer *answer, grz_box *searched)
{
    grz_error *error = call->error;
    grz_body body;
    if (position == NULL || displacement == NULL || answer == NULL)
        return refuse(error, position == NULL       ? "the position is NULL"
                             : displacement == NULL ? "the displacement is NULL"
                                                    : "the answer is NULL");
    grz_moved_shape moved;
    grz_status status = check_options(options, count, error);
    if (status == GRZ_OK)
        status = grz_moved_shape_read(shape, &moved, error);
    if (status == GRZ_OK)
        status = grz_vector_check("mover", "position", position, error);
    if (status == GRZ_OK)
        status = grz_vector_check("mover", "displacement", displacement, error);
    if (status != GRZ_OK)
        return status;
    set_body(&moved, &body);
    status = choose_skin(&body, options, position, displacement, error);
    if (status != GRZ_OK)
        return status;
    grz_level level = {.control = &call->control, .searched = searched};
    status = grz_level_open(&level, "mover", objects, count, options->earlier_poses, error);
    if (status == GRZ_OK)
        status = do_step(&level, &body, position, displacement, options, answer, error);
    grz_level_close(&level);
    return status;
}

grz_status grz_mover_step_searched(grz_device *device, const grz_object *objects, uint32_t count,
                                   const grz_shape *shape, const double position[3], const double displacement[3],
                                   const grz_mover_options *options, grz_mover_answer *answer, grz_box *searched,
                                   grz_error *error)
{
    grz_call call;
    grz_mover_options read;
    if (answer != NULL) {
        *answer = (grz_mover_answer){.outcome = GRZ_MOVER_LIMIT, .crushed_at = 1.0};
        if (position != NULL)
            memcpy(answer->position, position, sizeof answer->position);
    }
    grz_status status = grz_call_begin(&call, "mover", device, &options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check_and_step(&call, objects, count, shape, position, displacement, &read, answer, searched);
    return grz_call_end(&call, status);
}

grz_status grz_mover_step(grz_device *device, const grz_object *objects, uint32_t count, const grz_shape *shape,
                          const double position[3], const double displacement[3], const grz_mover_options *options,
                          grz_mover_answer *answer, grz_error *error)
{
    return grz_mover_step_searched(device, objects, count, shape, position, displacement, options, answer, NULL, error);
}
