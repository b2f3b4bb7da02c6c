// SPDX-License-Identifier: MIT
// Compares the answer for a scene with the answers for its pairs of objects, each queried alone with everything in the
// answer. From those follows what a query with less to find must give, in which order, and what the scene's summary
// must add up to.
#ifndef GRZ_TESTS_SUPPORT_SCENES_H
#define GRZ_TESTS_SUPPORT_SCENES_H

#include "support_queries.h"

enum {
    TEST_FIND_CONTACTS = GRZ_FIND_CONTACTS | GRZ_FIND_CURVES, // what implies contacts
    TEST_FIND_LISTS = GRZ_FIND_PAIRS | TEST_FIND_CONTACTS,    // and pairs
    TEST_FIND_ALL = TEST_FIND_LISTS | GRZ_FIND_CONTAINMENT    // of two objects
};

// Reduce an answer for TEST_FIND_ALL to what a query for `find` must give. The lists still belong to `all`: do not
// finish the reduced answer.
test_answer test_answer_reduced(const test_answer *all, uint32_t find);

// True if a scene must list the two objects with this answer.
bool test_answer_is_listed(const test_answer *reduced);

// The state of checking a scene's answer pair by pair.
typedef struct test_scene_check {
    const grz_result *result;
    uint32_t find;
    test_answer whole;
    const grz_scene_pair *parts;
    uint64_t part_count, next; // how many pairs of objects are listed, and how many are checked
    grz_summary sum;           // of the pairs checked so far
} test_scene_check;

// Start with a result that was just filled by a query for `find`.
test_scene_check test_scene_check_begin(const grz_result *result, uint32_t find);

// Check the next pair of objects, in order. `alone` is their answer for TEST_FIND_ALL. If the scene differs, the
// difference is printed and the result is false.
bool test_scene_check_pair(test_scene_check *check, uint32_t a, uint32_t b, const test_answer *alone);

// Check that nothing else is listed and that the summary is right. Frees the state.
bool test_scene_check_end(test_scene_check *check);

#endif
