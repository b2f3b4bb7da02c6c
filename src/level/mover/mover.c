// SPDX-License-Identifier: MIT
// A mover's step: checks what was asked, has the step done, and reads the answer.
#include <graze/mover.h>

#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/vector.h"
#include "level/mover/body/moved_shape.h"
#include "level/mover/mover_searched.h"
#include "level/mover/mover_step.h"
#include "level/vector_check.h"

static const double LARGEST = 0x1p100;       // of what the caller gives, as <graze/mover.h> says
static const double DEFAULT_SKIN = 0x1p-10;  // of the radius, or the smallest half axis
static const double ROUNDING_SKIN = 0x1p-44; // of the largest coordinate: the least skin

static const grz_mover_options defaults = {
    .size = sizeof(grz_mover_options), .up = {0.0, 0.0, 1.0}, .slope_limit = 45.0, .ground_axis = 2};
const grz_options_type grz_mover_options_type = GRZ_LIMITED_OPTIONS_TYPE(mover_options, defaults);

void grz_mover_options_init(grz_mover_options *options, size_t size)
{
    grz_options_init(&grz_mover_options_type, options, size);
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
    return grz_options_read(&grz_mover_options_type, "mover", given, options, error);
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

static void set_body(const grz_moved_shape *shape, grz_body *body)
{
    *body = (grz_body){.count = 1};
    if (shape->kind != GRZ_MOVED_ROUND) {
        static const grz_core_kind kinds[] = {[GRZ_MOVED_BOX] = GRZ_CORE_BOX,
                                              [GRZ_MOVED_ELLIPSOID] = GRZ_CORE_ELLIPSOID,
                                              [GRZ_MOVED_CYLINDER] = GRZ_CORE_CYLINDER};
        grz_core_set(&body->core, kinds[shape->kind], shape->half, shape->axes);
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
    const bool done = grz_mover_step_along(options, &slide, displacement, answer);
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
    grz_status status = grz_call_begin(&call, "mover", device, &grz_mover_options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check_and_step(&call, objects, count, shape, position, displacement, &read, answer, searched);
    return grz_call_end(&call, status);
}
