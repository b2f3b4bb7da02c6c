// SPDX-License-Identifier: MIT
// For tests of OpenGL: skipping where there is none, and what is left of its objects.
#ifndef GRZ_TESTS_SUPPORT_GL_H
#define GRZ_TESTS_SUPPORT_GL_H

#include <graze/graze.h>

// Whether OpenGL can be had here. Where not, the program must return TEST_SKIPPED, and the reason is printed.
#define TEST_SKIPPED 77
bool test_gl_is_here(void);

// A device with a context of its own.
grz_device *test_gl_device_open(void);

// Close it, once it has shown that nothing but programs is left of its objects, and after them nothing.
void test_gl_device_close(grz_device *device);

#endif
