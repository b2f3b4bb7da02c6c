// SPDX-License-Identifier: MIT
// Histories of a scene with events, against sets of pairs: objects are added, taken out, moved, deformed and regrouped;
// queries ask about all pairs, about what changed, or about one object, with and without clearance and containment.
// After each update the nine lists must be the difference of two sets, which are made from single calls of
// grz_collide() and from a list of what changed. A difference is printed and ends the program.
#ifndef GRZ_TESTS_SUPPORT_SCENE_EVENTS_H
#define GRZ_TESTS_SUPPORT_SCENE_EVENTS_H

#include "support_meshes.h"

enum {
    TEST_EVENTS_MESHES = 5,
    TEST_EVENTS_OBJECTS = 12,
    TEST_EVENTS_HELD = TEST_EVENTS_OBJECTS * TEST_EVENTS_OBJECTS
};

// Which of `count` things a history does next.
typedef uint32_t test_events_draw(void *source, uint32_t count);

typedef struct test_held_pair {
    uint32_t a, b;
    uint64_t serial_a, serial_b;
    grz_pair_state state;
} test_held_pair;

typedef struct test_pair_set {
    test_held_pair items[TEST_EVENTS_HELD];
    size_t count;
} test_pair_set;

typedef struct test_events_world {
    test_events_draw *draw;
    void *source;
    grz_device *device;
    grz_result *result, *alone;
    grz_mesh *meshes[TEST_EVENTS_MESHES];
    test_mesh sources[TEST_EVENTS_MESHES];
    grz_scene *scene;
    grz_scene_events *events;
    bool used[TEST_EVENTS_OBJECTS], changed[TEST_EVENTS_OBJECTS]; // changed: since the last query
    grz_object objects[TEST_EVENTS_OBJECTS];
    uint64_t serials[TEST_EVENTS_OBJECTS], last_serial;
    uint32_t mesh_of[TEST_EVENTS_OBJECTS];
    test_pair_set held;
    // In numbers of queries: how far changes are known, of all pairs and of those of the last reference.
    uint64_t answered, known, known_of_reference, reference;
    grz_collide_options last; // of the last update; size 0: there was none
    uint64_t updates, refused, hash, seen[GRZ_PAIR_STATE_COUNT][GRZ_PAIR_EVENT_COUNT];
} test_events_world;

// A device of its own, meshes (0: a cube with edges of 2; 1: one of 0.5 in its corner; 2: a sheet; 3: a cube with edges
// of 5; 4: one of 4 without a lid), and a scene without objects.
test_events_world *test_events_open(unsigned threads, test_events_draw *draw, void *source);
void test_events_close(test_events_world *w);

// Some changes, then a query, whose result the events mostly are given.
void test_events_step(test_events_world *w);

#endif
