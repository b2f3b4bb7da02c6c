// SPDX-License-Identifier: MIT
// Run one query in every way that must give the same bytes: with every method, with one and two threads, with a new
// result and a used one. The answer of the first way is copied. If another way gives a different answer, the test fails
// and prints which.
#ifndef GRZ_TESTS_SUPPORT_QUERIES_H
#define GRZ_TESTS_SUPPORT_QUERIES_H

#include "support_meshes.h"

// Start from test_query_of_pair() or test_query_of_self().
typedef struct test_query {
    const test_mesh *a, *b; // if b is NULL: a with itself
    grz_pose pose_a, pose_b;
    const double *moved_a; // new positions for a, set after its creation; may be NULL
    uint32_t flags;        // of both meshes, GRZ_MESH_…
    uint32_t find;         // GRZ_FIND_…
    grz_inside_rule rule;
} test_query;

test_query test_query_of_pair(const test_mesh *a, const test_mesh *b, uint32_t find);
test_query test_query_of_self(const test_mesh *mesh, uint32_t find);

// A copy of a result. Free it with test_answer_finish().
typedef struct test_answer {
    grz_summary summary;
    grz_pair *pairs;
    grz_contact *contacts;
    double *points;         // three numbers each
    grz_features *features; // one per point
    grz_curve *curves;
    double *curve_points;
    uint64_t pair_count, contact_count, point_count, curve_count, curve_point_count;
    // A query of a mesh with itself: its points are rounded, moved by the pose and rounded again. The caller sets this.
    bool self;
} test_answer;

// Run the query; `what` names it in messages.
test_answer test_ask(const char *what, const test_query *query);
test_answer test_answer_of(const grz_result *result);
void test_answer_finish(test_answer *answer);

// True if two answers are equal, except for times, candidate counts and the method's name. Prints the first difference.
bool test_answers_equal(const char *what, const test_answer *x, const test_answer *y);

// Expect exactly these pairs, in this order. On failure both lists are printed.
void test_expect_pairs(const char *what, const test_answer *answer, const grz_pair *expected, uint64_t count);

// Run a query and expect exactly these pairs.
void test_expect_query(const char *what, const test_query *query, const grz_pair *expected, uint64_t count);

// Expect a status, and an error with that code and element whose message contains `words`.
void test_expect_error(grz_status status, grz_status expected, const grz_error *error, const char *words,
                       uint64_t element);

// Cancel a query at a given progress: set options.limits.progress to test_brake_pull, progress_user to the brake, and
// cancel to its flag.
typedef struct test_brake {
    double at;       // raise the flag once the progress is this or more
    double reported; // the last progress
    int flag;
    bool went_back; // the progress became smaller
} test_brake;

void test_brake_pull(double progress, void *user);

// Close the devices that the queries used. Call this at the end of main().
void test_queries_finish(void);

#endif
