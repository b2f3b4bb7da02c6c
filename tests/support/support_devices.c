// SPDX-License-Identifier: MIT
// Two devices, with one thread and with two.
#include "support_devices.h"

grz_device *test_devices[2];

int test_devices_open(void **state)
{
    grz_device_options options = grz_default_device_options();
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        options.threads = i + 1;
        if (grz_device_open(&options, &test_devices[i], NULL) != GRZ_OK)
            return -1;
    }
    return 0;
}

int test_devices_close(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        grz_device_close(test_devices[i]);
    return 0;
}
