// SPDX-License-Identifier: MIT
// Devices: one with one thread; two, with one thread and with two, for answers that must not depend on the threads; and
// one whose allocator counts, and fails at a given call.
#ifndef GRZ_TESTS_SUPPORT_DEVICES_H
#define GRZ_TESTS_SUPPORT_DEVICES_H

#include <graze/graze.h>

// A device with one thread. open_test_device and close_test_device are setup and teardown functions for a cmocka group.
extern grz_device *test_device;
int open_test_device(void **state);
int close_test_device(void **state);

// test_devices[i] has i + 1 threads. They are open between these two functions, which set up and tear down a group of
// cmocka's.
extern grz_device *test_devices[2];
int test_devices_open(void **state);
int test_devices_close(void **state);

// An allocator whose call number `fail_at` (from 1) fails, and which counts the blocks in use. For one thread.
typedef struct counting_allocator {
    long calls, fail_at, live;
} counting_allocator;

grz_allocator counting_allocator_of(counting_allocator *counter);
// A CPU device with one thread and this allocator.
grz_device *counting_device_open(counting_allocator *counter);

#endif
