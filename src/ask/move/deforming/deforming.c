// SPDX-License-Identifier: MIT
// grz_move_deforming(): checks what was asked, computes the world positions at both ends of the motion, and has the
// pairs of triangles searched whose swept boxes overlap.
#include <graze/move_deforming.h>

#include <math.h>
#include <string.h>

#include "ask/move/deforming/time_slabs.h"
#include "ask/move/unknown.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/pose.h"
#include "mesh/object_check.h"
#include "mesh/source.h"

// Chosen, as <graze/move_deforming.h> says.
static const grz_deforming_options defaults = {
    .size = sizeof(grz_deforming_options), .t_max = 1.0, .time_tolerance = 0x1p-40, .max_steps = 4096};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(deforming_options, defaults);

void grz_deforming_options_init(grz_deforming_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

static grz_status refuse(const char *name, double value, const char *need, grz_error *error)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move deforming: options.%s is %g; it must be %s", name,
                    value, need);
}

static grz_status check_options(const grz_deforming_options *options, grz_error *error)
{
    if (!(options->t_max > 0.0 && options->t_max <= 1.0))
        return refuse("t_max", options->t_max, "above 0 and at most 1", error);
    if (!(options->time_tolerance > 0.0 && options->time_tolerance < HUGE_VAL))
        return refuse("time_tolerance", options->time_tolerance, "above 0, and finite", error);
    if (!(options->tolerance >= 0.0 && options->tolerance < HUGE_VAL))
        return refuse("tolerance", options->tolerance, "0 or above, and finite", error);
    if (!(options->separation >= 0.0 && options->separation <= GRZ_MAX_COORDINATE))
        return refuse("separation", options->separation, "0 or above, and at most 2^300", error);
    if (options->max_steps == 0)
        return refuse("max_steps", 0.0, "above 0", error);
    return GRZ_OK;
}

// The positions at time 1 that the caller gave: finite, and in range under the pose.
static grz_status check_end(const grz_object *object, const double *end, const char *what, grz_error *error)
{
    double most[3] = {0.0, 0.0, 0.0};
    for (uint32_t v = 0; end != NULL && v < object->mesh->vertex_count; v++) {
        for (size_t axis = 0; axis < 3; axis++) {
            const double x = end[(size_t)v * 3 + axis];
            if (!(fabs(x) <= GRZ_MAX_COORDINATE))
                return grz_fail(error, GRZ_ERROR_ARGUMENT, v,
                                "move deforming: end of %s, vertex %u: %c is %g; it must be finite and at most 2^300 "
                                "in magnitude",
                                what, v, "xyz"[axis], x);
            most[axis] = fmax(most[axis], fabs(x));
        }
    }
    grz_error inner = {.code = GRZ_OK};
    const grz_status status = grz_pose_check(&object->pose, most, &inner);
    return status == GRZ_OK ? GRZ_OK : grz_fail(error, status, GRZ_NO_ELEMENT, "end of %s: %s", what, inner.message);
}

static void pose_positions(const grz_pose *pose, const double *from, uint32_t count, double *out)
{
    for (size_t v = 0; v < count; v++)
        grz_world_position(pose, from + v * 3, out + v * 3);
}

static bool moving_mesh_init(grz_moving_mesh *m, const grz_mesh *mesh, const grz_pose *pose, const double *end,
                             const grz_allocator *allocator)
{
    m->mesh = mesh;
    for (int time = 0; time < 2; time++) {
        m->at[time] = grz_allocate(allocator, mesh->vertex_count, 3 * sizeof(double));
        if (m->at[time] == NULL && mesh->vertex_count > 0)
            return false;
        pose_positions(pose, time == 1 && end != NULL ? end : mesh->positions, mesh->vertex_count, m->at[time]);
    }
    return true;
}

static void moving_mesh_finish(grz_moving_mesh *m, const grz_allocator *allocator)
{
    for (int time = 0; m->mesh != NULL && time < 2; time++)
        grz_release(allocator, m->at[time], m->mesh->vertex_count, 3 * sizeof(double));
}

static grz_status search_all(grz_call *call, const grz_moving_mesh *a, const grz_moving_mesh *b,
                             const grz_deforming_options *options, grz_move_answer *answer)
{
    grz_control *control = &call->control;
    grz_first_contact first;
    grz_first_contact_init(&first, a, b, options, control);
    const bool complete = grz_slabs_search(call->device, &first);
    const grz_status status = complete ? GRZ_OK : grz_control_status(control);
    if (complete || status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_CANCELLED)
        grz_first_contact_answer(&first, complete, answer);
    return grz_call_explain(call, status);
}

static grz_status check_and_search(grz_call *call, const grz_object *a, const double *end_a, const grz_object *b,
                                   const double *end_b, const grz_deforming_options *options, grz_move_answer *answer)
{
    grz_error *error = call->error;
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move deforming: the answer is NULL");
    grz_status status = check_options(options, error);
    if (status == GRZ_OK && b == NULL && end_b != NULL)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move deforming: end_b is given, but b is NULL");
    if (status == GRZ_OK)
        status = grz_object_check("move deforming", a, "object A", 0, error);
    if (status == GRZ_OK && b != NULL)
        status = grz_object_check("move deforming", b, "object B", 1, error);
    if (status == GRZ_OK)
        status = check_end(a, end_a, "object A", error);
    if (status == GRZ_OK && b != NULL)
        status = check_end(b, end_b, "object B", error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *const allocator = grz_control_allocator(&call->control);
    const grz_mesh *mesh_a, *mesh_b = NULL;
    status = grz_mesh_in_memory(a->mesh, &call->control, &mesh_a, error);
    if (status == GRZ_OK && b != NULL)
        status = grz_mesh_in_memory(b->mesh, &call->control, &mesh_b, error);
    if (status != GRZ_OK)
        return status;
    grz_moving_mesh moving[2] = {{0}, {0}};
    const bool has_room = moving_mesh_init(&moving[0], mesh_a, &a->pose, end_a, allocator) &&
                          (b == NULL || moving_mesh_init(&moving[1], mesh_b, &b->pose, end_b, allocator));
    status = has_room ? search_all(call, &moving[0], &moving[b != NULL], options, answer)
                      : grz_call_explain(call, GRZ_ERROR_MEMORY);
    moving_mesh_finish(&moving[0], allocator);
    moving_mesh_finish(&moving[1], allocator);
    return status;
}

grz_status grz_move_deforming(grz_device *device, const grz_object *a, const double *end_a, const grz_object *b,
                              const double *end_b, const grz_deforming_options *options, grz_move_answer *answer,
                              grz_error *error)
{
    grz_call call;
    grz_deforming_options read;
    if (answer != NULL)
        *answer = grz_move_unknown;
    grz_status status = grz_call_begin(&call, "move deforming", device, &options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check_and_search(&call, a, end_a, b, end_b, &read, answer);
    return grz_call_end(&call, status);
}
