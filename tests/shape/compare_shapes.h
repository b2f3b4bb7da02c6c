// SPDX-License-Identifier: MIT
// For tests of shapes.
#ifndef GRZ_TESTS_SHAPE_COMPARE_SHAPES_H
#define GRZ_TESTS_SHAPE_COMPARE_SHAPES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <graze/shape.h>

#include "support_devices.h"

// Compare two shapes on `test_device`, with the default options. A refusal fails the test.
static inline grz_shape_answer test_shapes_compare(const grz_shape *a, const grz_shape *b)
{
    grz_shape_answer answer;
    grz_error error;
    if (grz_shapes_compare(test_device, a, b, NULL, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return answer;
}

#endif
