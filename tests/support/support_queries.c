// SPDX-License-Identifier: MIT
// Runs one query by every method, with one and with two threads. The devices are opened once. Meshes are created for
// each query, so that trees are built in every way, too.
#include "support_queries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    DEVICES = 2
};

static const unsigned thread_counts[DEVICES] = {1, 2};
static grz_device *devices[DEVICES];
static grz_result *results[DEVICES]; // used again and again

test_query test_query_of_pair(const test_mesh *a, const test_mesh *b, uint32_t find)
{
    return (test_query){.a = a, .b = b, .pose_a = grz_pose_identity(), .pose_b = grz_pose_identity(), .find = find};
}

test_query test_query_of_self(const test_mesh *mesh, uint32_t find)
{
    return test_query_of_pair(mesh, NULL, find);
}

static void *copied(const void *items, uint64_t count, size_t size)
{
    void *copy = malloc((size_t)count * size + 1);
    assert_non_null(copy);
    if (count > 0)
        memcpy(copy, items, (size_t)count * size);
    return copy;
}

test_answer test_answer_of(const grz_result *result)
{
    test_answer answer = {.summary = *grz_result_summary(result)};
    const grz_pair *pairs = grz_result_pairs(result, &answer.pair_count);
    const grz_contact *contacts = grz_result_contacts(result, &answer.contact_count);
    const double *points = grz_result_points(result, &answer.point_count);
    uint64_t feature_count;
    const grz_features *features = grz_result_features(result, &feature_count);
    assert_int_equal(feature_count, answer.point_count);
    const grz_curve *curves = grz_result_curves(result, &answer.curve_count);
    const double *curve_points = grz_result_curve_points(result, &answer.curve_point_count);
    answer.pairs = copied(pairs, answer.pair_count, sizeof *pairs);
    answer.contacts = copied(contacts, answer.contact_count, sizeof *contacts);
    answer.points = copied(points, answer.point_count, 3 * sizeof *points);
    answer.features = copied(features, answer.point_count, sizeof *features);
    answer.curves = copied(curves, answer.curve_count, sizeof *curves);
    answer.curve_points = copied(curve_points, answer.curve_point_count, 3 * sizeof *curve_points);
    return answer;
}

void test_answer_finish(test_answer *answer)
{
    free(answer->pairs);
    free(answer->contacts);
    free(answer->points);
    free(answer->features);
    free(answer->curves);
    free(answer->curve_points);
    *answer = (test_answer){.pair_count = 0};
}

static bool summaries_equal(const grz_summary *x, const grz_summary *y)
{
    const char *reason_x = x->reason != NULL ? x->reason : "", *reason_y = y->reason != NULL ? y->reason : "";
    return x->relation == y->relation && x->colliding == y->colliding && x->certainty == y->certainty &&
           x->containment == y->containment && strcmp(reason_x, reason_y) == 0 && x->solids == y->solids &&
           x->pair_count == y->pair_count && x->pairs_complete == y->pairs_complete &&
           memcmp(x->kinds, y->kinds, sizeof x->kinds) == 0 && x->has_region == y->has_region &&
           memcmp(x->region_min, y->region_min, sizeof x->region_min) == 0 &&
           memcmp(x->region_max, y->region_max, sizeof x->region_max) == 0;
}

// Arrays of structures without padding, or compared member by member.
static bool same_pairs(const test_answer *x, const test_answer *y)
{
    return x->pair_count == y->pair_count && memcmp(x->pairs, y->pairs, (size_t)x->pair_count * sizeof *x->pairs) == 0;
}

static bool same_contacts(const test_answer *x, const test_answer *y)
{
    if (x->contact_count != y->contact_count || x->point_count != y->point_count)
        return false;
    for (uint64_t i = 0; i < x->contact_count; i++) {
        const grz_contact *c = &x->contacts[i], *d = &y->contacts[i];
        if (c->pair != d->pair || c->first_point != d->first_point || c->point_count != d->point_count ||
            c->kind != d->kind || memcmp(c->normal, d->normal, sizeof c->normal) != 0)
            return false;
    }
    return memcmp(x->features, y->features, (size_t)x->point_count * sizeof *x->features) == 0 &&
           memcmp(x->points, y->points, (size_t)x->point_count * 3 * sizeof(double)) == 0;
}

static bool same_curves(const test_answer *x, const test_answer *y)
{
    if (x->curve_count != y->curve_count || x->curve_point_count != y->curve_point_count)
        return false;
    for (uint64_t i = 0; i < x->curve_count; i++) {
        const grz_curve *c = &x->curves[i], *d = &y->curves[i];
        if (c->first_point != d->first_point || c->point_count != d->point_count || c->closed != d->closed)
            return false;
    }
    return memcmp(x->curve_points, y->curve_points, (size_t)x->curve_point_count * 3 * sizeof(double)) == 0;
}

static void print_pairs(const char *name, const grz_pair *pairs, uint64_t count)
{
    static const char kinds[] = "ntcX"; // near, touching, coplanar, crossing
    fprintf(stderr, "  %s: %llu pairs", name, (unsigned long long)count);
    for (uint64_t i = 0; i < count && i < 40; i++)
        fprintf(stderr, " %u-%u%c", pairs[i].face_a, pairs[i].face_b,
                pairs[i].kind < GRZ_KIND_COUNT ? kinds[pairs[i].kind] : '?');
    fprintf(stderr, "%s\n", count > 40 ? " …" : "");
}

bool test_answers_equal(const char *what, const test_answer *x, const test_answer *y)
{
    const char *difference = !summaries_equal(&x->summary, &y->summary) ? "summaries"
                             : !same_pairs(x, y)                        ? "pairs"
                             : !same_contacts(x, y)                     ? "contacts"
                             : !same_curves(x, y)                       ? "curves"
                                                                        : NULL;
    if (difference == NULL)
        return true;
    fprintf(stderr, "%s: %s differ\n", what, difference);
    fprintf(stderr, "  relations %d and %d, contacts %llu and %llu, curves %llu and %llu\n", (int)x->summary.relation,
            (int)y->summary.relation, (unsigned long long)x->contact_count, (unsigned long long)y->contact_count,
            (unsigned long long)x->curve_count, (unsigned long long)y->curve_count);
    print_pairs("one", x->pairs, x->pair_count);
    print_pairs("other", y->pairs, y->pair_count);
    return false;
}

// The answer on one device by one method.
static test_answer ask_once(const char *what, const test_query *query, int device, const char *method)
{
    grz_error error = {.code = GRZ_OK};
    grz_mesh *a = test_mesh_upload_flags(devices[device], query->a, query->flags);
    grz_mesh *b = query->b != NULL ? test_mesh_upload_flags(devices[device], query->b, query->flags) : NULL;
    grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
    grz_collide_options options = grz_default_collide_options();
    options.method = method;
    options.find = query->find;
    options.inside_rule = query->rule;
    object_a.pose = query->pose_a;
    object_b.pose = query->pose_b;
    grz_status status = GRZ_OK;
    if (query->moved_a != NULL) {
        // Build the trees for the old positions first: they must follow.
        status = grz_mesh_prepare(a, method, &error);
        if (status == GRZ_OK)
            status = grz_mesh_set_positions(a, query->moved_a, &error);
    }
    if (status == GRZ_OK)
        status = b != NULL ? grz_collide(devices[device], &object_a, &object_b, &options, results[device], &error)
                           : grz_collide_self(devices[device], &object_a, &options, results[device], &error);
    if (status != GRZ_OK)
        fail_msg("%s: %s: %s: %s", what, method, grz_status_name(status), error.message);
    test_answer answer = test_answer_of(results[device]);
    answer.self = query->b == NULL;
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    return answer;
}

test_answer test_ask(const char *what, const test_query *query)
{
    static size_t turn;
    test_answer first = {.pair_count = 0};
    for (int device = 0; device < DEVICES; device++) {
        turn++;
        if (devices[device] == NULL) {
            devices[device] = test_device_open(thread_counts[device]);
            results[device] = test_result_create(devices[device]);
        }
        const char *method;
        for (size_t i = 0; (method = test_exact_method_in_turn(i, turn)) != NULL; i++) {
            test_answer answer = ask_once(what, query, device, method);
            if (device == 0 && i == 0) {
                first = answer;
                continue;
            }
            if (!test_answers_equal(what, &first, &answer))
                fail_msg("%s: %s with %u threads answers otherwise than %s with one", what, method,
                         thread_counts[device], test_exact_method(0));
            test_answer_finish(&answer);
        }
    }
    return first;
}

void test_expect_pairs(const char *what, const test_answer *answer, const grz_pair *expected, uint64_t count)
{
    uint64_t kinds[GRZ_KIND_COUNT] = {0};
    for (uint64_t i = 0; i < count; i++)
        kinds[expected[i].kind]++;
    if (answer->pair_count != count ||
        (count > 0 && memcmp(answer->pairs, expected, (size_t)count * sizeof *expected) != 0)) {
        print_pairs("got", answer->pairs, answer->pair_count);
        print_pairs("expected", expected, count);
        fail_msg("%s: other pairs than expected", what);
    }
    if (answer->summary.pair_count != count || memcmp(answer->summary.kinds, kinds, sizeof kinds) != 0)
        fail_msg("%s: the summary's counts are not those of the pairs", what);
    if (answer->summary.certainty != GRZ_EXACT || !answer->summary.pairs_complete ||
        (count > 0 && !answer->summary.colliding))
        fail_msg("%s: the summary is not that of an exact, complete answer", what);
}

void test_expect_query(const char *what, const test_query *query, const grz_pair *expected, uint64_t count)
{
    test_answer answer = test_ask(what, query);
    test_expect_pairs(what, &answer, expected, count);
    test_answer_finish(&answer);
}

void test_queries_finish(void)
{
    for (int device = 0; device < DEVICES; device++) {
        grz_result_destroy(results[device]);
        grz_device_close(devices[device]);
        results[device] = NULL;
        devices[device] = NULL;
    }
}

void test_expect_error(grz_status status, grz_status expected, const grz_error *error, const char *words,
                       uint64_t element)
{
    if (status != expected || error->code != expected || strstr(error->message, words) == NULL ||
        error->element != element)
        fail_msg("%s (element %llu): \"%s\"; expected %s, \"%s\"", grz_status_name(status),
                 (unsigned long long)error->element, error->message, grz_status_name(expected), words);
}

void test_brake_pull(double progress, void *user)
{
    test_brake *brake = user;
    brake->went_back = brake->went_back || progress < brake->reported;
    brake->reported = progress;
    if (progress >= brake->at)
        __atomic_store_n(&brake->flag, 1, __ATOMIC_RELAXED);
}
