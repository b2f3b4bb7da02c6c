// SPDX-License-Identifier: MIT
// Slerp and screw in doubles. Both turn about one axis in space at an even rate; they differ in how the mesh's origin
// moves. Formulas that stay good for small angles; docs/use/move_rigid.md has them, and the proof of the error bound.
#include "ask/move/rigid/moving_mesh.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/exact/expansion.h"
#include "geometry/functions/functions.h"
#include "geometry/pose.h"
#include "geometry/vector.h"

static const double MOST = 0x1p100; // of the magnitude of world coordinates

// Errors of posed positions: what the turn does, per unit of the mesh's coordinates; what the translation does.
static const double TURN_ERROR = 0x1p-41, SHIFT_ERROR = 0x1p-48, WAY_ERROR = 0x1p-41;
static const double RATE_ERROR = 0x1p-40;  // of speeds and accelerations; chosen: twice TURN_ERROR
static const double GROWN = 1.0 + 0x1p-40; // covers the rounding of a bound that is computed

grz_motion grz_motion_rest(grz_pose pose)
{
    return (grz_motion){.kind = GRZ_MOTION_REST, .pose = pose};
}

static grz_motion between(grz_motion_kind kind, const double from[3], const double from_turn[4], const double to[3],
                          const double to_turn[4])
{
    grz_motion motion = {.kind = kind};
    if (from != NULL && from_turn != NULL && to != NULL && to_turn != NULL) {
        memcpy(motion.from, from, sizeof motion.from);
        memcpy(motion.from_turn, from_turn, sizeof motion.from_turn);
        memcpy(motion.to, to, sizeof motion.to);
        memcpy(motion.to_turn, to_turn, sizeof motion.to_turn);
    }
    return motion;
}

grz_motion grz_motion_slerp(const double from[3], const double from_turn[4], const double to[3],
                            const double to_turn[4])
{
    return between(GRZ_MOTION_SLERP, from, from_turn, to, to_turn);
}

grz_motion grz_motion_screw(const double from[3], const double from_turn[4], const double to[3],
                            const double to_turn[4])
{
    return between(GRZ_MOTION_SCREW, from, from_turn, to, to_turn);
}

grz_motion grz_motion_along(const grz_motion_path *path)
{
    grz_motion motion = {.kind = GRZ_MOTION_PATH};
    if (path != NULL)
        motion.path = *path;
    return motion;
}

// ---- Quaternions: x, y, z, w --------------------------------------------------------------------------------------

// Scale to a largest component in [1/2, 1), exactly but for components that become subnormal.
static grz_status scale_turn(const double given[4], double out[4], uint64_t element, grz_error *error)
{
    double largest = 0.0;
    int exponent;
    for (int i = 0; i < 4; i++) {
        if (!isfinite(given[i]))
            return grz_fail(error, GRZ_ERROR_POSE, element, "move rigid: quaternion component %d is not finite", i);
        largest = fmax(largest, fabs(given[i]));
    }
    if (largest == 0.0)
        return grz_fail(error, GRZ_ERROR_POSE, element, "move rigid: a quaternion is zero, which is no rotation");
    frexp(largest, &exponent);
    for (int i = 0; i < 4; i++)
        out[i] = ldexp(given[i], -exponent);
    return GRZ_OK;
}

static void make_unit_turn(double q[4])
{
    const double length = sqrt(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

// The sign of p · q, exact unless products underflow: which of two ways of turning is the shorter.
static bool is_opposite(const double p[4], const double q[4])
{
    double sum[8] = {0.0}, next[8];
    int count = 1;
    for (int i = 0; i < 4; i++) {
        double product[2];
        two_product(p[i], q[i], &product[1], &product[0]);
        count = expansion_sum(count, sum, 2, product, next);
        memcpy(sum, next, sizeof sum);
    }
    return sum[count - 1] < 0.0;
}

// p · q: q's turn first, then p's.
static void multiply_turns(const double p[4], const double q[4], double out[4])
{
    double cross[3];
    grz_cross(p, q, cross);
    for (int i = 0; i < 3; i++)
        out[i] = (p[3] * q[i] + q[3] * p[i]) + cross[i];
    out[3] = p[3] * q[3] - grz_dot(p, q);
}

// Turn a vector that is perpendicular to the axis.
static void turn_across(const grz_moving *moving, double angle, const double v[3], double out[3])
{
    double side[3], s, c;
    grz_sines(angle, &s, &c);
    grz_cross(moving->axis, v, side);
    for (int i = 0; i < 3; i++)
        out[i] = c * v[i] + s * side[i];
}

// ---- At a time ----------------------------------------------------------------------------------------------------

// sin(t · angle) / sin(angle), and its limit for an angle of 0.
static double sine_share(double t, double angle)
{
    return angle > 0.0 ? grz_sine(t * angle) / grz_sine(angle) : t;
}

static void screw_origin(const grz_moving *moving, double t, grz_moving_state *state)
{
    const double half = moving->half_angle, share = sine_share(t, half),
                 rate = half > 0.0 ? half / grz_sine(half) : 1.0;
    double at[3], towards[3];
    turn_across(moving, (t - 1.0) * half, moving->across, at);
    turn_across(moving, (2.0 * t - 1.0) * half, moving->across, towards);
    for (int i = 0; i < 3; i++) {
        state->pose.m[i][3] = moving->motion.from[i] + (t * moving->along[i] + share * at[i]);
        state->velocity[i] = moving->along[i] + rate * towards[i];
    }
}

void grz_moving_at(const grz_moving *moving, double t, grz_moving_state *state)
{
    const grz_motion *motion = &moving->motion;
    memset(state->velocity, 0, sizeof state->velocity);
    memset(state->spin, 0, sizeof state->spin);
    if (motion->kind == GRZ_MOTION_REST) {
        state->pose = motion->pose;
        return;
    }
    if (motion->kind == GRZ_MOTION_PATH) {
        motion->path.pose(motion->path.user, t, &state->pose);
        if (moving->directed)
            motion->path.velocity(motion->path.user, t, state->velocity, state->spin);
        return;
    }
    double turn[4], s, c;
    grz_sines(t * moving->half_angle, &s, &c);
    const double step[4] = {s * moving->axis[0], s * moving->axis[1], s * moving->axis[2], c};
    multiply_turns(step, moving->turn, turn);
    grz_pose_set_turn(turn, &state->pose);
    for (int i = 0; i < 3; i++) {
        state->pose.m[i][3] = motion->from[i] + t * moving->way[i];
        state->velocity[i] = moving->way[i];
        state->spin[i] = 2.0 * moving->half_angle * moving->axis[i];
    }
    if (motion->kind == GRZ_MOTION_SCREW)
        screw_origin(moving, t, state);
}

double grz_moving_travel(const grz_moving *moving, double from, double to)
{
    if (moving->motion.kind == GRZ_MOTION_REST)
        return 0.0;
    if (moving->motion.kind != GRZ_MOTION_PATH)
        return moving->speed * (to - from) * GROWN;
    const double far = moving->motion.path.travel(moving->motion.path.user, from, to) * GROWN;
    return far >= 0.0 ? far : HUGE_VAL; // not a number: nothing is known
}

// ---- Bounds -------------------------------------------------------------------------------------------------------

static void corner_of(const grz_box *box, int i, double corner[3])
{
    for (int k = 0; k < 3; k++)
        corner[k] = (i >> k & 1) != 0 ? box->max[k] : box->min[k];
}

static double length_of(const double v[3])
{
    return sqrt(grz_dot(v, v));
}

// Speed and acceleration of a point are convex functions of where it is in the mesh, so the corners of the mesh's box
// bound them. A screw moves each point at an even speed; a slerp at no more than that of its origin plus that about it.
static void bound_motion(grz_moving *moving)
{
    const grz_motion *motion = &moving->motion;
    const double half = moving->half_angle, angle = 2.0 * half;
    const bool screw = motion->kind == GRZ_MOTION_SCREW;
    double sine = 0.0, cosine = 1.0;
    if (screw)
        grz_sines(half, &sine, &cosine);
    const double share = sine > 0.0 ? half / sine : 1.0; // of half the angle to its sine
    grz_moving_state start;
    double side[3], size = length_of(moving->way);
    moving->even_spin = !screw;
    if (grz_box_is_empty(&moving->mesh->bounds))
        return;
    grz_moving_at(moving, 0.0, &start);
    grz_cross(moving->axis, moving->across, side);
    for (int i = 0; i < 8; i++) {
        double corner[3], arm[3], spun[3], bend[3], speed[3];
        corner_of(&moving->mesh->bounds, i, corner);
        for (int k = 0; k < 3; k++)
            arm[k] = grz_dot(start.pose.m[k], corner);
        grz_cross(start.spin, arm, spun);
        for (int k = 0; k < 3; k++) {
            speed[k] = screw ? start.velocity[k] + spun[k] : spun[k];
            const double away =
                arm[k] - grz_dot(arm, moving->axis) * moving->axis[k]; // from the axis through the origin
            bend[k] = angle * angle * away;
            if (screw)
                bend[k] -= 0.5 * angle * angle * moving->across[k] + angle * share * cosine * side[k];
        }
        moving->speed = fmax(moving->speed, length_of(speed) + (screw ? 0.0 : length_of(moving->way)));
        moving->acceleration = fmax(moving->acceleration, length_of(bend));
        size = fmax(size, length_of(arm));
    }
    moving->speed += RATE_ERROR * (1.0 + angle) * size;
    moving->acceleration += RATE_ERROR * angle * (1.0 + angle) * size;
}

static double sum_of(const double v[3])
{
    return (fabs(v[0]) + fabs(v[1])) + fabs(v[2]);
}

static grz_status begin_turning(grz_moving *moving, uint64_t element, grz_error *error)
{
    grz_motion *motion = &moving->motion;
    double from[4] = {0.0}, to[4] = {0.0}, back[4], step[4];
    grz_status status = scale_turn(motion->from_turn, from, element, error);
    if (status == GRZ_OK)
        status = scale_turn(motion->to_turn, to, element, error);
    for (int i = 0; i < 3 && status == GRZ_OK; i++)
        if (!(fabs(motion->from[i]) <= MOST && fabs(motion->to[i]) <= MOST))
            status = grz_fail(error, GRZ_ERROR_POSE, element,
                              "move rigid: translation component %d is above 2^100 or no number", i);
    if (status != GRZ_OK)
        return status;
    const bool opposite = is_opposite(from, to);
    const bool upright = sum_of(from) == 0.0 && sum_of(to) == 0.0; // no turn at all
    make_unit_turn(from);
    make_unit_turn(to);
    for (int i = 0; i < 4; i++) {
        to[i] = opposite ? -to[i] : to[i];
        back[i] = i < 3 ? -from[i] : from[i];
    }
    multiply_turns(to, back, step);
    memcpy(moving->turn, from, sizeof from);
    const double sine = length_of(step);
    moving->half_angle = grz_arctangent(sine, step[3]);
    for (int i = 0; i < 3; i++) {
        moving->axis[i] = sine > 0.0 ? step[i] / sine : 0.0;
        moving->way[i] = motion->to[i] - motion->from[i];
    }
    if (!(sine > 0.0))
        moving->half_angle = 0.0;
    const double along = grz_dot(moving->way, moving->axis);
    for (int i = 0; i < 3; i++) {
        moving->along[i] = along * moving->axis[i];
        moving->across[i] = moving->way[i] - moving->along[i];
    }
    bound_motion(moving);
    const double way = sum_of(motion->from) + sum_of(motion->to), most = sum_of(moving->mesh->max_abs);
    // Without a turn the matrix is exact, and a posed point a sum that is rounded.
    moving->error = (upright ? SHIFT_ERROR : TURN_ERROR) * most + SHIFT_ERROR * way;
    if (motion->kind == GRZ_MOTION_SCREW && !upright)
        moving->error += WAY_ERROR * way;
    return GRZ_OK;
}

static grz_status begin_path(grz_moving *moving, uint64_t element, grz_error *error)
{
    const grz_motion_path *path = &moving->motion.path;
    if (path->pose == NULL || path->travel == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "move rigid: path.%s is NULL",
                        path->pose == NULL ? "pose" : "travel");
    if (!(path->error >= 0.0 && path->error < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element,
                        "move rigid: path.error is %g; it must be 0 or above, and finite", path->error);
    moving->directed = path->velocity != NULL;
    if (moving->directed && !(path->acceleration >= 0.0 && path->acceleration < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element,
                        "move rigid: path.acceleration is %g; it must be 0 or above, and finite", path->acceleration);
    moving->acceleration = path->acceleration;
    moving->speed = grz_moving_travel(moving, 0.0, 1.0);
    if (!(moving->speed < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_POSE, element, "move rigid: path.travel(0, 1) is negative or not finite");
    return GRZ_OK;
}

// The poses at both ends are in range; of a path, whose way is bounded, so are then all between.
static grz_status check_ends(grz_moving *moving, uint64_t element, grz_error *error)
{
    const bool path = moving->motion.kind == GRZ_MOTION_PATH;
    double most = 0.0;
    for (int end = 0; end < 2; end++) {
        grz_moving_state state;
        grz_error inner = {.code = GRZ_OK};
        grz_moving_at(moving, (double)end, &state);
        if (grz_pose_check(&state.pose, moving->mesh->max_abs, &inner) != GRZ_OK)
            return grz_fail(error, inner.code, element, "move rigid: at t = %d: %s", end, inner.message);
        const grz_box box = grz_world_box(&state.pose, &moving->mesh->bounds);
        for (int k = 0; k < 3 && !grz_box_is_empty(&box); k++)
            most = fmax(most, fmax(fabs(box.min[k]), fabs(box.max[k])));
        double sum = 0.0; // of what is added up for a coordinate
        for (int k = 0; k < 12; k++)
            sum += fabs(state.pose.m[k / 4][k % 4]) * (k % 4 < 3 ? moving->mesh->max_abs[k % 4] : 1.0);
        if (path) // 64 roundings of what is added up, here or as far away as the mesh travels
            moving->error = fmax(moving->error, moving->motion.path.error + 0x1p-47 * (sum + moving->speed));
    }
    if (!(most <= MOST))
        return grz_fail(error, GRZ_ERROR_POSE, element, "move rigid: world coordinates are above 2^100");
    return GRZ_OK;
}

grz_status grz_moving_init(grz_moving *moving, const grz_mesh *mesh, const grz_motion *motion, uint64_t element,
                           grz_error *error)
{
    *moving = (grz_moving){
        .mesh = mesh, .motion = motion != NULL ? *motion : (grz_motion){.pose = grz_pose_identity()}, .directed = true};
    grz_status status = GRZ_OK;
    switch (moving->motion.kind) {
    case GRZ_MOTION_REST:
        break;
    case GRZ_MOTION_SLERP:
    case GRZ_MOTION_SCREW:
        status = begin_turning(moving, element, error);
        break;
    case GRZ_MOTION_PATH:
        status = begin_path(moving, element, error);
        break;
    default:
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "move rigid: no kind of motion has the number %d",
                        (int)moving->motion.kind);
    }
    return status == GRZ_OK ? check_ends(moving, element, error) : status;
}

grz_status grz_motion_pose(const grz_motion *motion, double t, grz_pose *pose, grz_error *error)
{
    static const grz_mesh none = {.bounds = {{0.0}, {0.0}}};
    grz_moving moving;
    grz_moving_state state;
    if (motion == NULL || pose == NULL || !(t >= 0.0 && t <= 1.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "motion pose: %s",
                        motion == NULL ? "the motion is NULL"
                        : pose == NULL ? "the pose is NULL"
                                       : "t is not in [0, 1]");
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = grz_moving_init(&moving, &none, motion, GRZ_NO_ELEMENT, error);
    if (status == GRZ_OK) {
        grz_moving_at(&moving, t, &state);
        *pose = state.pose;
    }
    grz_fp_leave(fp);
    return status;
}
