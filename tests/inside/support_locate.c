// SPDX-License-Identifier: MIT
// Devices and calls for the tests of grz_locate_points().
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support_locate.h"
#include "support_meshes.h"

grz_device *locate_devices[LOCATE_DEVICES];

int locate_open_devices(void **state)
{
    static const unsigned thread_counts[LOCATE_DEVICES] = {1, 2, 5};
    (void)state;
    for (int i = 0; i < LOCATE_DEVICES; i++)
        locate_devices[i] = test_device_open(thread_counts[i]);
    return 0;
}

int locate_close_devices(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATE_DEVICES; i++)
        grz_device_close(locate_devices[i]);
    return 0;
}

void locate_points(grz_device *device, const grz_object *object, const double *points, uint64_t count,
                   grz_inside_rule rule, grz_location *locations)
{
    grz_locate_options options = grz_default_locate_options();
    grz_error error = {.code = GRZ_OK};
    options.inside_rule = rule;
    if (grz_locate_points(device, object, points, count, &options, locations, &error) != GRZ_OK)
        fail_msg("%s", error.message);
}
