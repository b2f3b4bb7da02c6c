// SPDX-License-Identifier: MIT
// Two meshes, and what is needed to ask `slices` for its discrete answer about them.
#ifndef GRZ_TESTS_SUPPORT_SLICES_H
#define GRZ_TESTS_SUPPORT_SLICES_H

#include <graze/gl.h>

#include "support_meshes.h"

typedef struct test_slices_stage {
    grz_device *device;
    grz_result *result;
    grz_mesh *meshes[2];
    grz_object objects[2];
    grz_slices_options options; // balanced
} test_slices_stage;

// Takes the meshes; both objects are at the origin. test_slices_close() is due.
test_slices_stage test_slices_open(test_mesh a, test_mesh b);
void test_slices_close(test_slices_stage *s);

// Ask; the answer is in s->result.
grz_status test_slices_ask(test_slices_stage *s, grz_error *error);

#endif
