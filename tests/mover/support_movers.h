// SPDX-License-Identifier: MIT
// Levels for movers, and steps whose ends are checked.
#ifndef GRZ_TESTS_SUPPORT_MOVERS_H
#define GRZ_TESTS_SUPPORT_MOVERS_H

#include <graze/graze.h>

#include "support_meshes.h"
#include "support_moved.h"

enum {
    TEST_LEVEL_MOST = 64
};

// Uses test_device (support_devices.h).
typedef struct test_level {
    grz_object objects[TEST_LEVEL_MOST];
    grz_mesh *meshes[TEST_LEVEL_MOST];
    uint32_t count;
} test_level;

test_level test_level_of(test_mesh mesh); // frees the mesh
void test_level_add(test_level *level, test_mesh mesh);
void test_level_finish(test_level *level);

// The exact distance of a round shape's core from a level. Infinite for an empty level.
double test_core_distance(const test_level *level, const grz_shape *shape, const double position[3]);

// True if a shape at a position keeps `margin` from the level. With 0 this is exact: by grz_distance() for what is
// round, else in rationals (mover_twin.h). Above 0, what is not round may keep a little more.
bool test_is_free(const test_level *level, const grz_shape *shape, const double position[3], double margin);

// The shapes that most tests try: a sphere, a capsule, two boxes, two ellipsoids and two cylinders, none larger
// than `size` times (0.6, 0.6, 1.6).
enum {
    TEST_SHAPES = 8
};
grz_shape test_shape(int number, double size);

// How far a shape reaches along a direction of length 1.
double test_shape_reach(const grz_shape *shape, const double direction[3]);
double test_shape_thickness(const grz_shape *shape); // the radius or the smallest half axis

// Move, and check what holds for every step: GRZ_OK, and an end that is outside, exactly, unless the outcome is
// GRZ_MOVER_START_INSIDE or GRZ_MOVER_CRUSHED. `position` receives the end.
grz_mover_answer test_move(const test_level *level, const grz_shape *shape, double position[3],
                           const double displacement[3], const grz_mover_options *options);

// The square from (-10, -10) to (10, 10) in the plane z = 0, cut in one of four ways: into long slivers, into a fine
// grid, into a fan, and with corners in the middle of others' edges, all with corners of their own.
test_mesh test_slivers(int kind);

// Turned a little about two axes (tilt 1), or not (tilt 0).
test_mesh test_tilted(test_mesh mesh, int tilt);

#endif
