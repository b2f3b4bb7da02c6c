// SPDX-License-Identifier: MIT
// grz_move_rigid(): checks what was asked, decides the start, has the walk enclose the first contact, and describes it.
#include <graze/distance.h>
#include <graze/rigid_motion.h>

#include <math.h>
#include <string.h>

#include "ask/distance/user_feature.h"
#include "ask/move/rigid/start.h"
#include "ask/move/rigid/walk.h"
#include "base/certainty.h"
#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/options.h"
#include "geometry/distance/nearest.h"
#include "geometry/vector.h"
#include "mesh/source.h"
#include "mesh/triangles.h"

static const uint64_t MOST_STEPS = 100000000;
static const double TOLERANCE = 1e-6; // of the size of the smaller object

static const grz_options_type options_type = {"grz_rigid_options", "grz_default_rigid_options()",
                                              sizeof(grz_rigid_options), GRZ_MEMBER_END(grz_rigid_options, method)};
static const grz_rigid_options defaults = {.size = sizeof(grz_rigid_options), .until = 1.0, .inside = true};

static const grz_move_answer nothing = {.first_contact = 0.0,
                                        .upper = HUGE_VAL,
                                        .certainty = GRZ_UNDECIDED,
                                        .face_a = GRZ_NO_FACE,
                                        .face_b = GRZ_NO_FACE,
                                        .feature_a = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}},
                                        .feature_b = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}}};

void grz_rigid_options_init(grz_rigid_options *options, size_t size)
{
    grz_options_init(&options_type, &defaults, options, size);
}

static grz_status read_options(const grz_rigid_options *given, grz_rigid_options *options, bool *halving,
                               grz_error *error)
{
    *options = defaults;
    const grz_status status =
        given != NULL ? grz_options_read(&options_type, "move rigid", "options", given, options, error) : GRZ_OK;
    if (status != GRZ_OK)
        return status;
    if (!(options->tolerance >= 0.0 && options->tolerance < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "move rigid: options.tolerance is %g; it must be 0 or above, and finite", options->tolerance);
    if (!(options->until >= 0.0 && options->until <= 1.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "move rigid: options.until is %g; it must be from 0 to 1", options->until);
    if (!(options->deadline >= 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "move rigid: options.deadline is negative or not a number");
    if (options->inside_rule != GRZ_EVEN_ODD && options->inside_rule != GRZ_NONZERO)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move rigid: options.inside_rule is %d",
                        (int)options->inside_rule);
    const char *name = options->method != NULL ? options->method : "auto";
    *halving = strcmp(name, "halving") == 0;
    if (!*halving && strcmp(name, "auto") != 0 && strcmp(name, "advance") != 0)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "move rigid: method %s follows no motions that turn; those that do are advance and halving",
                        name);
    if (options->most_steps == 0)
        options->most_steps = MOST_STEPS;
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

// What rounding does to a velocity is in `slack`; to posed positions, which are compared with each other, in `error`.
static void join(grz_moving_pair *pair)
{
    const grz_moving *sides = pair->sides;
    pair->directed = sides[0].directed && sides[1].directed;
    pair->error = sides[0].error + sides[1].error;
    pair->acceleration = sides[0].acceleration + sides[1].acceleration;
    pair->slack = 0x1p-40 * (sides[0].speed + sides[1].speed);
}

static double tolerance_of(const grz_moving_pair *pair, double asked)
{
    if (asked > 0.0)
        return asked;
    const double a = size_of(&pair->sides[0]), b = size_of(&pair->sides[1]);
    const double size = a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
    return size > 0.0 ? TOLERANCE * size : fmax(1024.0 * pair->error, 0x1p-1000);
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
    answer->contact = found->upper <= 1.0;
    answer->lower = found->lower;
    answer->upper = found->upper;
    answer->first_contact = found->lower;
    // A contact that is proved is enclosed however the search ended; `done` without one: there is none.
    answer->certainty =
        answer->contact || found->done ? grz_certainty_of_estimate(found->lower, found->upper) : GRZ_UNDECIDED;
    answer->compared = found->compared;
    if (found->has_near && (answer->contact || !found->done))
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

static grz_status follow(grz_rigid_question *q, grz_device *device, const grz_rigid_options *options, bool halving,
                         grz_move_answer *answer, grz_error *error)
{
    const grz_rigid_asking asking = {device, q->pair.sides, options, q->control};
    grz_status status = grz_rigid_start(&asking, answer, error);
    if (status != GRZ_OK || answer->contact)
        return status;
    if (is_still(&q->pair) || q->pair.sides[0].mesh->triangle_count == 0 ||
        q->pair.sides[1].mesh->triangle_count == 0) {
        write_no_contact(answer);
        return GRZ_OK;
    }
    if (halving)
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

static grz_status check_and_move(grz_device *device, const grz_mesh *const meshes[2],
                                 const grz_motion *const motions[2], const grz_rigid_options *given,
                                 grz_move_answer *answer, grz_error *error)
{
    grz_rigid_options options;
    grz_control control;
    bool halving = false;
    if (device == NULL || answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move rigid: the %s is NULL",
                        device == NULL ? "device" : "answer");
    for (int s = 0; s < 2; s++)
        if (meshes[s] == NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, (uint64_t)s, "move rigid: mesh %c is NULL", "AB"[s]);
    grz_status status = read_options(given, &options, &halving, error);
    if (status != GRZ_OK)
        return status;
    grz_control_init(&control, grz_device_allocator(device), grz_clock_seconds());
    control.cancel = options.cancel;
    control.deadline = options.deadline;
    control.memory_limit = options.memory_limit;
    grz_rigid_question q = {.device = device,
                            .until = options.until,
                            .most_steps = options.most_steps,
                            .control = &control,
                            .simd = grz_device_simd(device)};
    for (int s = 0; s < 2 && status == GRZ_OK; s++) {
        const grz_mesh *in_memory;
        status = grz_mesh_in_memory(meshes[s], &control, &in_memory, error);
        if (status == GRZ_OK)
            status = grz_moving_init(&q.pair.sides[s], in_memory, motions[s], (uint64_t)s, error);
    }
    if (status != GRZ_OK)
        return status;
    join(&q.pair);
    q.tolerance = tolerance_of(&q.pair, options.tolerance);
    return grz_control_name_deadline(&control, follow(&q, device, &options, halving, answer, error), error);
}

grz_status grz_move_rigid(grz_device *device, const grz_mesh *a, const grz_motion *motion_a, const grz_mesh *b,
                          const grz_motion *motion_b, const grz_rigid_options *options, grz_move_answer *answer,
                          grz_error *error)
{
    const grz_mesh *const meshes[2] = {a, b};
    const grz_motion *const motions[2] = {motion_a, motion_b};
    const grz_fp_state fp = grz_fp_enter();
    if (answer != NULL)
        *answer = nothing;
    const grz_status status = check_and_move(device, meshes, motions, options, answer, error);
    grz_fp_leave(fp);
    return status;
}
