// SPDX-License-Identifier: MIT
// Short forms of the queries, and situations at a moment of a motion.
#include "ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fraction.h"
#include "support_fuzz_shapes.h"

enum {
    MOST_PAIRS = 450,     // of triangles
    MOST_SLOW_PAIRS = 150 // where doubles decide nothing, or surfaces meet themselves
};

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

bool agree_bounds_agree(double lower, double upper, double other_lower, double other_upper)
{
    if (agree_is_exact(lower, upper) && agree_is_exact(other_lower, other_upper))
        return lower == other_lower && upper == other_upper;
    return lower <= other_upper && other_lower <= upper;
}

// The numbers of an answer are in order, and near each other if they are said to be exact.
static void expect_order(agree_run *run, const char *name, const double bounds[2], double number,
                         grz_certainty certainty)
{
    const double lower = bounds[0], upper = bounds[1];
    agree_law_holds(run, AGREE_LAW_CALLS, lower <= number && number <= upper && lower >= 0.0, "%s: %a not in [%a, %a]",
                    name, number, lower, upper);
    if (certainty == GRZ_EXACT)
        agree_law_holds(run, AGREE_LAW_LABELS, agree_is_exact(lower, upper), "%s: exact, with bounds [%a, %a]", name,
                        lower, upper);
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
    expect_order(run, "grz_penetration_along", (const double[]){answer.lower, answer.upper}, answer.depth,
                 answer.certainty);
    return answer;
}

grz_penetration_answer agree_least(agree_run *run, const grz_object *a, const grz_object *b)
{
    grz_penetration_answer answer;
    grz_error error = {.message = ""};
    agree_call(run, grz_penetration(run->device, a, b, NULL, &answer, &error), &error, "grz_penetration");
    expect_order(run, "grz_penetration", (const double[]){answer.lower, answer.upper}, answer.depth, answer.certainty);
    return answer;
}

grz_overlap_volume_answer agree_volume(agree_run *run, const grz_object *a, const grz_object *b, const char *method)
{
    grz_move_options options = grz_default_move_options();
    grz_overlap_volume_answer answer;
    grz_error error = {.message = ""};
    options.method = method;
    const grz_status status = grz_overlap_volume(run->device, a, b, &options, &answer, &error);
    agree_call(run, status, &error, "grz_overlap_volume");
    expect_order(run, "grz_overlap_volume", (const double[]){answer.lower, answer.upper}, answer.upper,
                 answer.certainty);
    return answer;
}

grz_overlap_depth_options agree_depth_options(bool decide, double depth)
{
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    options.max_cells = 300;
    options.tolerance = 0.05;
    options.decide = decide;
    options.measure = !decide;
    options.deeper_than = depth;
    return options;
}

grz_overlap_depth_answer agree_depth(agree_run *run, const grz_object *a, const grz_object *b, bool decide,
                                     double depth)
{
    const grz_overlap_depth_options options = agree_depth_options(decide, depth);
    grz_overlap_depth_answer answer;
    grz_error error = {.message = ""};
    agree_call(run, grz_overlap_depth(run->device, a, b, &options, &answer, &error), &error, "grz_overlap_depth");
    agree_law_holds(run, AGREE_LAW_CALLS, 0.0 <= answer.lower && answer.lower <= answer.upper,
                    "grz_overlap_depth: [%a, %a]", answer.lower, answer.upper);
    return answer;
}

grz_distance_answer agree_distance(agree_run *run, const grz_object *a, const grz_object *b, const char *method)
{
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answer;
    grz_error error = {.message = ""};
    options.method = method;
    agree_call(run, grz_distance(run->device, a, b, &options, &answer, &error), &error, "grz_distance");
    expect_order(run, "grz_distance", (const double[]){answer.lower, answer.upper}, answer.distance, answer.certainty);
    return answer;
}

grz_move_answer agree_move(agree_run *run, const grz_object *a, const double to[3], const grz_object *b, bool inside,
                           const char *method)
{
    grz_move_options options = grz_default_move_options();
    grz_move_answer answer;
    grz_error error = {.message = ""};
    options.method = method;
    options.inside = inside;
    agree_call(run, grz_move(run->device, a, to, b, NULL, &options, &answer, &error), &error, "grz_move");
    expect_order(run, "grz_move", (const double[]){answer.lower, answer.upper}, answer.first_contact, answer.certainty);
    return answer;
}

agree_intervals agree_intervals_of(agree_run *run, const grz_object *a, const double to[3], const grz_object *b,
                                   const char *method)
{
    grz_move_options options = grz_default_move_options();
    agree_intervals all;
    grz_error error = {.message = ""};
    options.method = method;
    memset(&all, 0, sizeof all);
    const grz_status status =
        grz_move_intervals(run->device, a, to, b, NULL, &options, all.list, AGREE_MOST_INTERVALS, &all.found, &error);
    agree_call(run, status, &error, "grz_move_intervals");
    return all;
}

void agree_locate(agree_run *run, const grz_object *object, const double *points, size_t count, grz_location *locations)
{
    grz_error error = {.message = ""};
    agree_call(run, grz_locate_points(run->device, object, points, count, NULL, locations, &error), &error,
               "grz_locate_points");
}

void agree_way(const agree_run *run, int steps, double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = run->objects[0].pose.m[k][3] + ldexp((double)(steps * run->now->d[k]), run->now->exponent);
}

double *agree_world(const agree_body *body)
{
    return fuzz_world(body->mesh.positions, body->mesh.vertex_count, &body->pose);
}

bool agree_is_clean(const agree_situation *s)
{
    return s->bodies[0].bare && s->bodies[0].wound && s->bodies[1].bare && s->bodies[1].wound;
}

bool agree_is_large(const agree_situation *s)
{
    uint64_t pairs = 1;
    for (int i = 0; i < 2; i++)
        pairs *= s->bodies[i].mesh.index_count - 2 * s->bodies[i].mesh.face_count;
    const bool closed = s->bodies[0].closed && s->bodies[1].closed,
               slow = s->exponent < -300 || (closed && !agree_is_clean(s));
    return pairs > (slow ? MOST_SLOW_PAIRS : MOST_PAIRS);
}

static grz_mesh *whole_mesh(const agree_run *run, const agree_body *body, int64_t factor)
{
    test_mesh world = test_mesh_copy(&body->mesh);
    for (uint64_t v = 0; v < world.vertex_count; v++) {
        double *p = world.positions + 3 * v;
        grz_pose_apply(body->pose, p, p);
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

bool agree_collide_at(agree_run *run, agree_time t, uint32_t find, grz_summary *summary)
{
    agree_moment moment;
    if (!agree_moment_make(run, t, &moment))
        return false;
    *summary = agree_collide(run, &moment.objects[0], &moment.objects[1], find);
    agree_moment_finish(&moment);
    return true;
}

bool agree_moment_of(const agree_situation *s, long double lower, long double upper, int scale, agree_time *t)
{
    const int64_t most_den = s->most < 512 ? 4096 : 64;
    if (!s->whole || !agree_simplest(lower, upper, t) || t->den > most_den)
        return false;
    t->num *= scale;
    return true;
}
