// SPDX-License-Identifier: MIT
// For tests of OpenGL: skipping if there is none, and checking that no objects leak.
#ifndef GRZ_TESTS_SUPPORT_GL_H
#define GRZ_TESTS_SUPPORT_GL_H

#include <graze/graze.h>

// True if OpenGL is available here. If not, the reason is printed, and the program must return TEST_SKIPPED.
#define TEST_SKIPPED 77
bool test_gl_is_here(void);

// A device with a context of its own.
grz_device *test_gl_device_open(void);

// Close the device, after checking that only programs are left of its objects, and nothing after those are deleted.
void test_gl_device_close(grz_device *device);

#endif
