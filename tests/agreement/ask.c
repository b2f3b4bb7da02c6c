// SPDX-License-Identifier: MIT
// Short forms of the queries, and situations at a moment of a motion.
#include "ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool agree_call(agree_run *run, grz_status status, const grz_error *error, const char *name)
{
    return agree_law_holds(run, AGREE_LAW_CALLS, status == GRZ_OK, "%s fails: %s, %s", name, grz_status_name(status),
                           error->message);
}

grz_summary agree_collide(agree_run *run, const grz_object *a, const grz_object *b, uint32_t find)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error = {.message = ""};
    options.find = find;
    const grz_status status = grz_collide(run->device, a, b, &options, run->result, &error);
    agree_call(run, status, &error, "grz_collide");
    return *grz_result_summary(run->result);
}

bool agree_are_solids(grz_solids solids)
{
    return solids != GRZ_SOLIDS_NOT_ASKED && solids != GRZ_SOLIDS_UNDECIDABLE;
}

bool agree_insides_meet(grz_solids solids)
{
    return agree_are_solids(solids) && solids != GRZ_SOLIDS_APART && solids != GRZ_SOLIDS_TOUCHING;
}

bool agree_is_exact(double lower, double upper)
{
    return nextafter(lower, HUGE_VAL) >= upper;
}

grz_penetration_answer agree_along(agree_run *run, const grz_object *a, const grz_object *b, const double d[3],
                                   const char *method)
{
    grz_move_options options = grz_default_move_options();
    grz_penetration_answer answer;
    grz_error error = {.message = ""};
    options.method = method;
    const grz_status status = grz_penetration_along(run->device, a, b, d, &options, &answer, &error);
    agree_call(run, status, &error, "grz_penetration_along");
    agree_law_holds(run, AGREE_LAW_CALLS,
                    answer.lower <= answer.depth && answer.depth <= answer.upper && answer.lower >= 0.0,
                    "grz_penetration_along: depth %a not in [%a, %a]", answer.depth, answer.lower, answer.upper);
    return answer;
}

static grz_mesh *whole_mesh(const agree_run *run, const agree_body *body, int64_t factor)
{
    test_mesh world = test_mesh_copy(&body->mesh);
    for (uint64_t v = 0; v < world.vertex_count; v++) {
        double *p = world.positions + 3 * v;
        grz_pose_apply(&body->pose, p, p);
        for (int k = 0; k < 3; k++)
            p[k] = ldexp(p[k], -run->now->exponent) * (double)factor;
    }
    grz_mesh *mesh = test_mesh_upload(run->device, &world);
    test_mesh_finish(&world);
    return mesh;
}

bool agree_moment_make(agree_run *run, agree_time t, agree_moment *moment)
{
    const agree_situation *s = run->now;
    const int64_t limit = INT64_C(1) << 52;
    int64_t step = 0;
    for (int k = 0; k < 3; k++)
        step = abs(s->d[k]) > step ? abs(s->d[k]) : step;
    if (!s->whole || s->most + 1 > limit / t.den || t.num > (limit - s->most * t.den) / step)
        return false;
    for (int i = 0; i < 2; i++) {
        moment->meshes[i] = whole_mesh(run, &s->bodies[i], t.den);
        moment->objects[i] = grz_object_at_origin(moment->meshes[i]);
    }
    for (int k = 0; k < 3; k++)
        moment->objects[0].pose.m[k][3] = (double)(t.num * s->d[k]);
    return true;
}

void agree_moment_finish(agree_moment *moment)
{
    grz_mesh_destroy(moment->meshes[0]);
    grz_mesh_destroy(moment->meshes[1]);
}
