// SPDX-License-Identifier: MIT
// For tests of OpenGL: skipping if there is none, and checking that no objects leak.
#ifndef GRZ_TESTS_SUPPORT_GL_H
#define GRZ_TESTS_SUPPORT_GL_H

#include <graze/graze.h>

// True if OpenGL is available here. If not, the reason is printed, and the program must return TEST_SKIPPED.
#define TEST_SKIPPED 77
bool test_gl_is_here(void);

// Skip one of several tests of a program, and print why; does not return. cmocka's skip() alone leaves the exit status
// of a program that passed: main() must return test_exit_status() of what cmocka returned.
void test_skip_one(const char *reason);

// TEST_SKIPPED if no test failed, but some were skipped.
int test_exit_status(int failed);

// A device with a context of its own.
grz_device *test_gl_device_open(void);

// Close the device, after checking that only programs are left of its objects, and nothing after those are deleted.
void test_gl_device_close(grz_device *device);

#endif
