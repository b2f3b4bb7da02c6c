// SPDX-License-Identifier: MIT
// Shared by the tests of grz_locate_points(): devices with one thread and with several, and a call for many points.
#ifndef GRZ_TESTS_SUPPORT_LOCATE_H
#define GRZ_TESTS_SUPPORT_LOCATE_H

#include <graze/graze.h>

enum {
    LOCATE_DEVICES = 3
};

// Devices with 1, 2 and 5 threads. locate_open_devices and locate_close_devices are setup and teardown functions for a
// cmocka group.
extern grz_device *locate_devices[LOCATE_DEVICES];
int locate_open_devices(void **state);
int locate_close_devices(void **state);

// Locate all points in one call. The test fails if the call does.
void locate_points(grz_device *device, const grz_object *object, const double *points, uint64_t count,
                   grz_inside_rule rule, grz_location *locations);

#endif
