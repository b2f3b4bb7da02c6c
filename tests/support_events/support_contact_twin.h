// SPDX-License-Identifier: MIT
// The slow twin of grz_contact_tracker: all pairs of an old and a new point, sorted by distance, are taken one after
// the other. It shares no code with the library.
#ifndef GRZ_TESTS_SUPPORT_CONTACT_TWIN_H
#define GRZ_TESTS_SUPPORT_CONTACT_TWIN_H

#include <graze/contact_tracker.h>

enum {
    TEST_TWIN_POINTS = 128, // at most, of a frame
    TEST_TWIN_KEY = 8       // object, vertices and face, of the lesser half and of the greater one
};

typedef struct test_twin_point {
    uint64_t key[TEST_TWIN_KEY];
    double at[3], normal[3];
    uint64_t id, index;
    uint32_t age;
    bool taken;
    grz_contact_match match;
    uint64_t before;
} test_twin_point;

// Zeroed memory is a twin without points.
typedef struct test_twin {
    test_twin_point points[TEST_TWIN_POINTS];
    uint32_t count;
    uint64_t given, ended[TEST_TWIN_POINTS], ended_count;
} test_twin;

// A point as the twin compares it. `index`: among the points of its frame.
test_twin_point test_twin_read(const grz_tracked_point *point, uint64_t index);

// The order in which new points are numbered; 0: they are alike in everything, but for their index.
int test_twin_compare(const test_twin_point *a, const test_twin_point *b);

void test_twin_update(test_twin *twin, const grz_tracked_point *points, uint32_t count,
                      const grz_contact_tracker_options *options);

// Whether the tracker said the same; if not, the difference is printed.
bool test_twin_agrees(const test_twin *twin, const grz_contact_tracker *tracker, const grz_contact_id *ids);

// The same point with A and B exchanged.
grz_tracked_point test_twin_exchanged(const grz_tracked_point *point);

#endif
