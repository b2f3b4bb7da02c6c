// SPDX-License-Identifier: MIT
// Devices of OpenGL for tests; in builds without OpenGL no test may open one.
#include "support_gl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

bool test_gl_is_here(void)
{
    if (grz_renderer_count() > 0)
        return true;
    printf("skipped: no OpenGL here, or not in this build\n");
    return false;
}

static int skipped_tests;

void test_skip_one(const char *reason)
{
    print_message("skipped: %s\n", reason);
    skipped_tests++;
    skip();
}

int test_exit_status(int failed)
{
    return failed == 0 && skipped_tests > 0 ? TEST_SKIPPED : failed;
}

#ifdef GRZ_HAVE_GL
#include "gl/gl_parts.h"

grz_device *test_gl_device_open(void)
{
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    grz_error error;
    options.threads = 1;
    options.kind = GRZ_DEVICE_GL;
    if (grz_device_open(&options, &device, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return device;
}

void test_gl_device_close(grz_device *device)
{
    grz_gl *gl;
    assert_int_equal(grz_gl_enter(device, "test", &gl, NULL), GRZ_OK); // deletes what was to be deleted later
    grz_gl_release_slots(gl, true);
    assert_int_equal(grz_gl_object_count(device), gl->programs.count);
    grz_gl_drop_programs(gl);
    assert_int_equal(grz_gl_object_count(device), 0);
    assert_int_equal(grz_gl_leave(gl, GRZ_OK, NULL), GRZ_OK);
    grz_device_close(device);
}
#else

// Never called: tests ask test_gl_is_here() first.
grz_device *test_gl_device_open(void)
{
    fail_msg("OpenGL is not in this build");
    return NULL;
}

void test_gl_device_close(grz_device *device)
{
    grz_device_close(device);
}

#endif
