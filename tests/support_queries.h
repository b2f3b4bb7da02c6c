// SPDX-License-Identifier: MIT
// Ask one question in every way that must give the same bytes: by every method, with one thread and with two, on a fresh result and
// on a used one. The first way's answer is copied out; where another way's differs the test fails and says which.
#ifndef GRZ_TESTS_SUPPORT_QUERIES_H
#define GRZ_TESTS_SUPPORT_QUERIES_H

#include "support_meshes.h"

// Start from test_query_of_pair() or test_query_of_self().
typedef struct test_query {
    const test_mesh *a, *b; // b NULL: a with itself
    grz_pose pose_a, pose_b;
    const double *moved_a; // may be NULL: new positions of a's vertices, given after a's creation
    uint32_t flags;        // of both meshes, GRZ_MESH_…
    uint32_t find;         // GRZ_FIND_…
    grz_inside_rule rule;
} test_query;

test_query test_query_of_pair(const test_mesh *a, const test_mesh *b, uint32_t find);
test_query test_query_of_self(const test_mesh *mesh, uint32_t find);

// A result's copy. Free it with test_answer_finish().
typedef struct test_answer {
    grz_summary summary;
    grz_pair *pairs;
    grz_contact *contacts;
    double *points;         // three numbers each
    grz_features *features; // one a point
    grz_curve *curves;
    double *curve_points;
    uint64_t pair_count, contact_count, point_count, curve_count, curve_point_count;
    bool self; // of a mesh with itself: points are rounded, moved by the pose and rounded again. Set by who asks
} test_answer;

// `what` names the question in messages.
test_answer test_ask(const char *what, const test_query *query);
test_answer test_answer_of(const grz_result *result);
void test_answer_finish(test_answer *answer);

// Whether everything is the same but times, counts of candidates and the method's name; prints the first difference.
bool test_answers_equal(const char *what, const test_answer *x, const test_answer *y);

// The pairs are exactly these, in this order; prints both lists and fails otherwise.
void test_expect_pairs(const char *what, const test_answer *answer, const grz_pair *expected, uint64_t count);

// Compare the pairs of a self-query, or of a pair, with those that the query gives; frees the answer.
void test_expect_query(const char *what, const test_query *query, const grz_pair *expected, uint64_t count);

// Free the devices that the questions used. Call at the end of main().
void test_queries_finish(void);

#endif
