// SPDX-License-Identifier: MIT
// Two devices, with one thread and with two, for answers that must not depend on the threads.
#ifndef GRZ_TESTS_SUPPORT_DEVICES_H
#define GRZ_TESTS_SUPPORT_DEVICES_H

#include <graze/device.h>

// test_devices[i] has i + 1 threads. They are open between these two functions, which set up and tear down a group of
// cmocka's.
extern grz_device *test_devices[2];
int test_devices_open(void **state);
int test_devices_close(void **state);

#endif
