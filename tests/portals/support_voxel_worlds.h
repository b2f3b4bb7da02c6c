// SPDX-License-Identifier: MIT
// Worlds of unit cubes, each solid or empty at random. Their walls are the squares between the two kinds, cut and
// joined at random, so that corners lie within edges of others. Which cubes are in one place is found by walking from
// cube to cube.
#ifndef GRZ_TESTS_SUPPORT_VOXEL_WORLDS_H
#define GRZ_TESTS_SUPPORT_VOXEL_WORLDS_H

#include "support_meshes.h"

enum {
    TEST_VOXELS = 4, // along each side, from the origin
    TEST_VOXEL_COUNT = TEST_VOXELS * TEST_VOXELS * TEST_VOXELS
};

typedef struct test_voxels {
    bool solid[TEST_VOXEL_COUNT];
    uint32_t places[TEST_VOXEL_COUNT + 1]; // cubes with one number can be joined by a way without a wall; the last
                                           // entry is what lies outside of all cubes
    test_mesh walls;
} test_voxels;

test_voxels test_voxels_make(random_stream *random, uint32_t solid_of_16);

// The middle of a cube, or a point outside of all for TEST_VOXEL_COUNT.
void test_voxel_middle(uint32_t voxel, double middle[3]);

#endif
