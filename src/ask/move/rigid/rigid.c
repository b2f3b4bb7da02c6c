// SPDX-License-Identifier: MIT
// grz_move_rigid(): checks what was asked, decides the start, has the walk enclose the first contact, and describes it.
#include <graze/distance.h>
#include <graze/move_rigid.h>

#include <math.h>
#include <string.h>

#include "ask/distance/user_feature.h"
#include "ask/move/rigid/start.h"
#include "ask/move/rigid/rigid_walk.h"
#include "ask/move/rigid/straight.h"
#include "ask/move/unknown.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "base/rounding.h"
#include "geometry/distance/nearest.h"
#include "geometry/vector.h"
#include "mesh/source.h"
#include "mesh/triangles.h"

enum {
    MOST_STEPS = 100000000
};
static const double TOLERANCE = 1e-6; // of the size of the smaller object

static const grz_rigid_options defaults = {
    .size = sizeof(grz_rigid_options), .t_max = 1.0, .max_steps = MOST_STEPS, .inside = true};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(rigid_options, defaults);

void grz_rigid_options_init(grz_rigid_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

static grz_status check_options(const grz_rigid_options *options, grz_error *error)
{
    if (!(options->tolerance >= 0.0 && options->tolerance < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "move rigid: options.tolerance is %g; it must be 0 or above, and finite", options->tolerance);
    if (!(options->t_max >= 0.0 && options->t_max <= 1.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "move rigid: options.t_max is %g; it must be from 0 to 1", options->t_max);
    if ((unsigned)options->inside_rule > GRZ_INSIDE_AUTO)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move rigid: options.inside_rule is %d",
                        (int)options->inside_rule);
    if (options->search != GRZ_RIGID_ADVANCE && options->search != GRZ_RIGID_HALVING)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move rigid: options.search is %d",
                        (int)options->search);
    if (options->max_steps == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "move rigid: options.max_steps is 0, must be above 0");
    return GRZ_OK;
}

// ---- Bounds of both together --------------------------------------------------------------------------------------

static double size_of(const grz_moving *moving)
{
    grz_moving_state state;
    double sum = 0.0;
    grz_moving_at(moving, 0.0, &state);
    const grz_box box = grz_world_box(&state.pose, &moving->mesh->bounds);
    for (int k = 0; k < 3 && !grz_box_is_empty(&box); k++)
        sum += (box.max[k] - box.min[k]) * (box.max[k] - box.min[k]);
    return sqrt(sum);
}

// What rounding does to a velocity is in `rate_error`; to posed positions, which are compared with each other, in
// `error`.
static void join(grz_moving_pair *pair)
{
    const grz_moving *sides = pair->sides;
    pair->directed = sides[0].directed && sides[1].directed;
    pair->error = sides[0].error + sides[1].error;
    pair->acceleration = sides[0].acceleration + sides[1].acceleration;
    // Chosen as in bound_motion() of moving.c.
    pair->rate_error = 0x1p-40 * (sides[0].speed + sides[1].speed);
}

static double tolerance_of(const grz_moving_pair *pair, double asked)
{
    if (asked > 0.0)
        return asked;
    const double a = size_of(&pair->sides[0]), b = size_of(&pair->sides[1]);
    const double size = a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
    return size > 0.0 ? TOLERANCE * size : fmax(1024.0 * pair->error, GRZ_NEVER_ZERO);
}

// ---- The answer ---------------------------------------------------------------------------------------------------

// The nearest pair at `lower`, by the rounded positions.
static void describe_near(const grz_rigid_question *q, const grz_rigid_found *found, grz_move_answer *answer)
{
    const grz_mesh *mesh_a = q->pair.sides[0].mesh, *mesh_b = q->pair.sides[1].mesh;
    grz_moving_state states[2];
    grz_moving_faces faces;
    const double t = found->lower <= 1.0 ? found->lower : 1.0;
    for (int s = 0; s < 2; s++)
        grz_moving_at(&q->pair.sides[s], t, &states[s]);
    grz_moving_faces_ahead(&q->pair, grz_triangle_gap_for(q->simd), t, states, found->near_a, found->near_b, &faces);
    answer->face_a = grz_mesh_triangle_face(mesh_a, found->near_a);
    answer->face_b = grz_mesh_triangle_face(mesh_b, found->near_b);
    for (int k = 0; k < 3; k++)
        answer->normal[k] = faces.way[k] != 0.0 ? -faces.way[k] : 0.0;
    const double(*a)[3] = (const double(*)[3])faces.a, (*b)[3] = (const double(*)[3])faces.b;
    if (grz_triangles_touch(a, b)) { // by rounding; the corner of A that goes farthest towards B
        double most = -HUGE_VAL;
        for (int i = 0; i < 3; i++)
            if (grz_dot(a[i], faces.way) > most) {
                most = grz_dot(a[i], faces.way);
                memcpy(answer->point, a[i], sizeof answer->point);
            }
        return;
    }
    double on_a[3], on_b[3];
    const grz_nearest nearest = grz_triangles_nearest(a, b);
    grz_nearest_points(a, b, nearest, on_a, on_b);
    for (int k = 0; k < 3; k++)
        answer->point[k] = 0.5 * on_a[k] + 0.5 * on_b[k];
    answer->feature_a = grz_user_feature(mesh_a, found->near_a, nearest.a);
    answer->feature_b = grz_user_feature(mesh_b, found->near_b, nearest.b);
}

static void write_answer(const grz_rigid_question *q, const grz_rigid_found *found, grz_move_answer *answer)
{
    answer->has_contact = found->upper <= 1.0;
    answer->lower = found->lower;
    answer->upper = found->upper;
    answer->first_contact = found->lower;
    // A contact that is proved is enclosed however the search ended; `done` without one: there is none.
    answer->certainty =
        answer->has_contact || found->done ? grz_certainty_of_estimate(found->lower, found->upper) : GRZ_UNDECIDED;
    answer->compared = found->compared;
    if (found->has_near && (answer->has_contact || !found->done))
        describe_near(q, found, answer);
}

static void write_no_contact(grz_move_answer *answer)
{
    answer->certainty = GRZ_EXACT;
    answer->first_contact = answer->lower = answer->upper = HUGE_VAL;
}

static bool is_still(const grz_moving_pair *pair)
{
    return pair->sides[0].motion.kind == GRZ_MOTION_REST && pair->sides[1].motion.kind == GRZ_MOTION_REST;
}

static grz_status follow(grz_rigid_question *q, grz_device *device, const grz_rigid_options *options,
                         grz_move_answer *answer, grz_error *error)
{
    const grz_rigid_asking asking = {device, q->pair.sides, options, q->control};
    if (options->search == GRZ_RIGID_ADVANCE && grz_rigid_is_straight(q->pair.sides))
        return grz_rigid_straight(&asking, answer, error);
    grz_status status = grz_rigid_start(&asking, answer, error);
    if (status != GRZ_OK || answer->has_contact)
        return status;
    if (is_still(&q->pair) || q->pair.sides[0].mesh->triangle_count == 0 ||
        q->pair.sides[1].mesh->triangle_count == 0) {
        write_no_contact(answer);
        return GRZ_OK;
    }
    if (options->search == GRZ_RIGID_HALVING)
        return grz_rigid_halving(&asking, q->tolerance, answer, error);
    for (int s = 0; s < 2 && status == GRZ_OK; s++)
        status = grz_mesh_bvh(q->pair.sides[s].mesh, q->control, &q->bvhs[s], error);
    if (status != GRZ_OK)
        return grz_control_explain(q->control, status, "move rigid", error);
    grz_rigid_found found;
    status = grz_rigid_walk(q, &found);
    write_answer(q, &found, answer);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(q->control, status, "move rigid", error);
}

static grz_status check_and_move(grz_call *call, const grz_object *const objects[2], const grz_motion *const motions[2],
                                 grz_rigid_options *options, grz_move_answer *answer)
{
    grz_error *error = call->error;
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move rigid: the answer is NULL");
    for (int s = 0; s < 2; s++)
        if (objects[s] == NULL || objects[s]->mesh == NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, (uint64_t)s, "move rigid: object %c, or its mesh, is NULL",
                            "AB"[s]);
    grz_status status = check_options(options, error);
    grz_rigid_question q = {.device = call->device,
                            .until = options->t_max,
                            .max_steps = options->max_steps,
                            .control = &call->control,
                            .simd = grz_device_simd(call->device)};
    for (int s = 0; s < 2 && status == GRZ_OK; s++) {
        const grz_mesh *in_memory;
        const grz_motion rest = grz_motion_rest(objects[s]->pose);
        status = grz_mesh_in_memory(objects[s]->mesh, &call->control, &in_memory, error);
        if (status == GRZ_OK)
            status = grz_moving_init(&q.pair.sides[s], in_memory, motions[s] != NULL ? motions[s] : &rest, (uint64_t)s,
                                     error);
    }
    if (status != GRZ_OK)
        return status;
    join(&q.pair);
    q.tolerance = tolerance_of(&q.pair, options->tolerance);
    return follow(&q, call->device, options, answer, error);
}

grz_status grz_move_rigid(grz_device *device, const grz_object *a, const grz_motion *motion_a, const grz_object *b,
                          const grz_motion *motion_b, const grz_rigid_options *options, grz_move_answer *answer,
                          grz_error *error)
{
    const grz_object *const objects[2] = {a, b};
    const grz_motion *const motions[2] = {motion_a, motion_b};
    grz_call call;
    grz_rigid_options read;
    if (answer != NULL)
        *answer = grz_move_unknown;
    grz_status status = grz_call_begin(&call, "move rigid", device, &options_type, options, &read, error);
    if (status == GRZ_OK)
        status = check_and_move(&call, objects, motions, &read, answer);
    return grz_call_end(&call, status);
}
