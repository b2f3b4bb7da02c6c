// SPDX-License-Identifier: MIT
// Shapes that are hard for spatial structures, each in its own way.
#ifndef GRZ_TESTS_SPACE_SUPPORT_SHAPES_H
#define GRZ_TESTS_SPACE_SUPPORT_SHAPES_H

#include "pair_generator.h"
#include "support_meshes.h"

enum {
    TEST_STRUCTURE_SHAPES = 9
};

// Number 0 to TEST_STRUCTURE_SHAPES - 1, of size 1 or so but for number 7.
test_mesh test_structure_shape(int shape, random_stream *random);

#endif
