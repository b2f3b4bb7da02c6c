// SPDX-License-Identifier: MIT
// The device of a program's tests, and its set-up and tear-down for cmocka: open_device, close_device.
// TEST_DEVICE_THREADS, if it is defined before: how many threads the device has; else as many as there are cores.
#ifndef GRZ_TESTS_SUPPORT_OWN_DEVICE_H
#define GRZ_TESTS_SUPPORT_OWN_DEVICE_H

#include "support_queries.h"

#ifndef TEST_DEVICE_THREADS
#define TEST_DEVICE_THREADS 0
#endif

static grz_device *device;

static int open_device(void **state)
{
    (void)state;
    device = test_device_open(TEST_DEVICE_THREADS);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    grz_device_close(device);
    return 0;
}

#endif
