// SPDX-License-Identifier: MIT
// A scene's answer held against what its pairs of objects give when each is asked alone, with everything in the answer: the truth
// says what a question with less to find has to give, and in which order, and what the scene's summary adds up to.
#ifndef GRZ_TESTS_SUPPORT_SCENES_H
#define GRZ_TESTS_SUPPORT_SCENES_H

#include "support_queries.h"

enum {
    TEST_FIND_CONTACTS = GRZ_FIND_CONTACTS | GRZ_FIND_CURVES, // what implies contacts
    TEST_FIND_LISTS = GRZ_FIND_PAIRS | TEST_FIND_CONTACTS,    // and pairs
    TEST_FIND_ALL = TEST_FIND_LISTS | GRZ_FIND_CONTAINMENT    // of two objects
};

// What the answer to TEST_FIND_ALL makes of a question with less to find: the lists are borrowed from it, do not finish this one.
test_answer test_answer_reduced(const test_answer *all, uint32_t find);

// Whether such an answer puts its objects on a scene's list.
bool test_answer_is_listed(const test_answer *reduced);

// A scene's answer, checked pair by pair.
typedef struct test_scene_check {
    const grz_result *result;
    uint32_t find;
    test_answer whole;
    const grz_scene_pair *parts;
    uint64_t part_count, next; // how many pairs of objects are listed, and checked already
    grz_summary sum;           // of those checked already
} test_scene_check;

// Begin with the answer to a question for `find`, just given.
test_scene_check test_scene_check_begin(const grz_result *result, uint32_t find);

// The next pair of objects that could be listed, in order: `alone` is their answer to TEST_FIND_ALL. False, and the difference
// printed, where the scene says otherwise.
bool test_scene_check_pair(test_scene_check *check, uint32_t a, uint32_t b, const test_answer *alone);

// Nothing else is listed, and the summary fits. Frees the check.
bool test_scene_check_end(test_scene_check *check);

#endif
