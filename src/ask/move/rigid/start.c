// SPDX-License-Identifier: MIT
// The start of a motion, decided as grz_collide() decides it.
#include "ask/move/rigid/start.h"

#include "ask/move/start_normal.h"
#include "ask/solids_overlap.h"
#include "base/clock.h"
#include "base/control.h"

static void objects_at(const grz_rigid_asking *asking, double t, grz_object objects[2])
{
    for (int s = 0; s < 2; s++) {
        grz_moving_state state;
        grz_moving_at(&asking->sides[s], t, &state);
        objects[s] = grz_object_at(asking->sides[s].mesh, state.pose);
    }
}

grz_status grz_rigid_collide_options(const grz_rigid_asking *asking, grz_collide_options *options)
{
    const grz_rigid_options *given = asking->options;
    *options = grz_default_collide_options();
    options->find = 0;
    options->inside_rule = given->inside_rule;
    options->limits = grz_control_limits_left(asking->control);
    return GRZ_OK;
}

grz_status grz_rigid_touch_at(const grz_rigid_asking *asking, double t, grz_result *result, bool *touch,
                              grz_error *error)
{
    grz_object objects[2];
    grz_collide_options options;
    objects_at(asking, t, objects);
    grz_status status = grz_rigid_collide_options(asking, &options);
    if (status == GRZ_OK)
        status = grz_collide(asking->device, &objects[0], &objects[1], &options, result, error);
    *touch = status == GRZ_OK && grz_result_summary(result)->colliding;
    return status;
}

// Of all pairs of faces: the smallest number first, then the smallest other number.
static void choose_faces(const grz_result *result, grz_move_answer *answer)
{
    uint64_t count, best = UINT64_MAX;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t a = pairs[i].face_a, b = pairs[i].face_b, key = a < b ? a << 32 | b : b << 32 | a;
        if (key >= best)
            continue;
        best = key;
        answer->face_a = pairs[i].face_a;
        answer->face_b = pairs[i].face_b;
    }
}

// They touch: which faces, and do their insides overlap?
static grz_status describe_start(const grz_rigid_asking *asking, const grz_object objects[2], grz_result *result,
                                 grz_move_answer *answer, grz_error *error)
{
    grz_collide_options options;
    grz_status status = grz_rigid_collide_options(asking, &options);
    options.max_pairs = UINT64_MAX;
    options.find = GRZ_FIND_PAIRS | (asking->options->inside ? GRZ_FIND_SOLIDS : 0u);
    if (status == GRZ_OK)
        status = grz_collide(asking->device, &objects[0], &objects[1], &options, result, error);
    if (status != GRZ_OK)
        return status;
    const grz_summary *summary = grz_result_summary(result);
    choose_faces(result, answer);
    answer->started_inside = asking->options->inside && grz_summary_overlaps(summary);
    if (answer->started_inside)
        return GRZ_OK;
    return grz_move_start_normal(asking->device, &objects[0], &objects[1], &options, asking->control, answer, error);
}

grz_status grz_rigid_start(const grz_rigid_asking *asking, grz_move_answer *answer, grz_error *error)
{
    grz_object objects[2];
    grz_collide_options options;
    grz_result *result = NULL;
    objects_at(asking, 0.0, objects);
    grz_status status = grz_rigid_collide_options(asking, &options);
    options.find = asking->options->inside ? GRZ_FIND_CONTAINMENT : 0u;
    if (status == GRZ_OK)
        status = grz_result_create(asking->device, &result, error);
    if (status == GRZ_OK)
        status = grz_collide(asking->device, &objects[0], &objects[1], &options, result, error);
    if (status == GRZ_OK) {
        const grz_relation relation = grz_result_summary(result)->relation;
        answer->has_contact = relation != GRZ_APART;
        answer->started_touching = relation == GRZ_COLLIDING;
        answer->started_inside = answer->has_contact && relation != GRZ_COLLIDING;
        if (relation == GRZ_COLLIDING)
            status = describe_start(asking, objects, result, answer, error);
    }
    if (answer->has_contact) {
        answer->first_contact = answer->lower = answer->upper = 0.0;
        answer->certainty = GRZ_EXACT;
    }
    grz_result_destroy(result);
    return status;
}
