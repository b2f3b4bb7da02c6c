// SPDX-License-Identifier: MIT
// Laws of distances and clearances.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

static bool same_feature(grz_feature a, grz_feature b)
{
    return a.vertex[0] == b.vertex[0] && a.vertex[1] == b.vertex[1];
}

// All but `compared`. `swapped`: one of them is about B and A.
static bool same_distance(const grz_distance_answer *x, const grz_distance_answer *y, bool swapped)
{
    const bool same = x->distance == y->distance && x->lower == y->lower && x->upper == y->upper &&
                      x->certainty == y->certainty && x->touching == y->touching && x->ties == y->ties;
    if (swapped)
        return same && x->face_a == y->face_b && x->face_b == y->face_a;
    return same && x->face_a == y->face_a && x->face_b == y->face_b && same_feature(x->feature_a, y->feature_a) &&
           same_feature(x->feature_b, y->feature_b) && memcmp(x->point_a, y->point_a, sizeof x->point_a) == 0 &&
           memcmp(x->point_b, y->point_b, sizeof x->point_b) == 0;
}

static void expect_same(agree_run *run, agree_law law, const grz_distance_answer *x, const grz_distance_answer *y)
{
    agree_law_holds(run, law, same_distance(x, y, law == AGREE_LAW_DISTANCE_SWAPPED),
                    "%a between faces %u and %u, %a between %u and %u", x->distance, x->face_a, x->face_b, y->distance,
                    y->face_a, y->face_b);
}

// Points of A's vertices, measured one by one from B's surface.
static void check_vertices(agree_run *run, int which, const grz_distance_answer *answer)
{
    const agree_body *body = &run->now->bodies[which];
    const size_t count = body->mesh.vertex_count;
    double *world = agree_world(body);
    grz_point_distance *points = calloc(count, sizeof *points);
    grz_error error = {.message = ""};
    if (points == NULL)
        abort();
    agree_call(run, grz_distance_points(run->device, &run->objects[1 - which], world, count, NULL, points, &error),
               &error, "grz_distance_points");
    for (size_t v = 0; v < count; v++) {
        bool used = false;
        for (uint64_t i = 0; i < body->mesh.index_count && !used; i++)
            used = body->mesh.indices[i] == v;
        if (used && !agree_law_holds(run, AGREE_LAW_DISTANCE_POINTS, points[v].upper >= answer->lower,
                                     "vertex %zu of %c is %a away, but the meshes are %a", v, "AB"[which],
                                     points[v].distance, answer->distance))
            break;
    }
    free(points);
    free(world);
}

static void check_moved(agree_run *run, agree_source *source, const grz_distance_answer *answer)
{
    const agree_situation *s = run->now;
    int v[3];
    grz_object moved = run->objects[0];
    if (!s->whole)
        return;
    for (int k = 0; k < 3; k++) {
        v[k] = agree_between(source, -3, 3);
        moved.pose.m[k][3] += ldexp(v[k], s->exponent);
    }
    const grz_distance_answer other = agree_distance(run, &moved, &run->objects[1], NULL);
    const double way = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * (1.0 + 0x1p-50),
                 near = ldexp(fmax(answer->lower, other.lower), -s->exponent),
                 far = ldexp(fmin(answer->upper, other.upper), -s->exponent);
    agree_law_holds(run, AGREE_LAW_DISTANCE_MOVED, near - far <= way + 0x1p-40 * near,
                    "distances %a and, moved by %d,%d,%d units, %a", answer->distance, v[0], v[1], v[2],
                    other.distance);
}

// ---- Clearances ---------------------------------------------------------------------------------------------------

// Ask whether a clearance is met; and how many faces are near, if `faces` is wanted.
static grz_clearance ask_clearance(agree_run *run, double clearance)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error = {.message = ""};
    options.find = GRZ_FIND_PAIRS;
    options.clearance = clearance;
    agree_call(run, grz_collide(run->device, &run->objects[0], &run->objects[1], &options, run->result, &error), &error,
               "grz_collide");
    return grz_result_summary(run->result)->clearance;
}

static void check_clearance(agree_run *run, const grz_distance_answer *answer)
{
    const double above = answer->lower < answer->upper ? answer->upper : nextafter(answer->upper, HUGE_VAL);
    if (!answer->touching && answer->lower > 0.0) {
        const grz_clearance met = ask_clearance(run, answer->lower);
        agree_law_holds(run, AGREE_LAW_CLEARANCE_MET, met == GRZ_CLEARANCE_MET, "distance %a, clearance %a not met",
                        answer->distance, answer->lower);
    }
    const grz_clearance not_met = ask_clearance(run, above);
    agree_law_holds(run, AGREE_LAW_CLEARANCE_NOT_MET, not_met == GRZ_CLEARANCE_NOT_MET, "distance %a, clearance %a met",
                    answer->distance, above);
    if (answer->touching)
        return;
    uint64_t count;
    bool listed = false;
    const grz_pair *near = grz_result_near_pairs(run->result, &count);
    for (uint64_t i = 0; i < count; i++)
        listed = listed || (near[i].face_a == answer->face_a && near[i].face_b == answer->face_b);
    agree_law_holds(run, AGREE_LAW_CLEARANCE_FACES, listed && count >= answer->ties,
                    "faces %u and %u are nearest, of %llu pairs; within %a are %llu, %s them", answer->face_a,
                    answer->face_b, (unsigned long long)answer->ties, above, (unsigned long long)count,
                    listed ? "with" : "without");
}

void agree_laws_of_distance(agree_run *run)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    agree_source source = run->choices;
    const grz_distance_answer answer = agree_distance(run, a, b, NULL);
    const grz_summary summary = agree_collide(run, a, b, GRZ_FIND_PAIRS);
    const bool zero = answer.lower == 0.0 && answer.upper == 0.0;
    agree_law_holds(run, AGREE_LAW_DISTANCE_ZERO,
                    answer.touching == (summary.pair_count > 0) && answer.touching == zero,
                    "distance %a, touching %d, %llu pairs of faces touch", answer.distance, answer.touching,
                    (unsigned long long)summary.pair_count);
    agree_law_holds(run, AGREE_LAW_DISTANCE_ROUNDED,
                    answer.certainty == GRZ_EXACT && agree_is_exact(answer.lower, answer.upper),
                    "distance %a in [%a, %a]", answer.distance, answer.lower, answer.upper);
    const grz_distance_answer swapped = agree_distance(run, b, a, NULL), naive = agree_distance(run, a, b, "naive");
    expect_same(run, AGREE_LAW_DISTANCE_SWAPPED, &answer, &swapped);
    expect_same(run, AGREE_LAW_DISTANCE_METHODS, &answer, &naive);
    check_vertices(run, (int)agree_below(&source, 2), &answer);
    check_moved(run, &source, &answer);
    check_clearance(run, &answer);
}
