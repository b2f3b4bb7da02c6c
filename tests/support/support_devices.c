// SPDX-License-Identifier: MIT
#include "support_devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

grz_device *test_device;

int open_test_device(void **state)
{
    (void)state;
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    return grz_device_open(&options, &test_device, NULL) == GRZ_OK ? 0 : -1;
}

int close_test_device(void **state)
{
    (void)state;
    grz_device_close(test_device);
    return 0;
}

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

static void *counting_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    counting_allocator *c = user;
    (void)old_size;
    if (++c->calls == c->fail_at)
        return NULL;
    c->live += block == NULL;
    return realloc(block, new_size);
}

static void counting_release(void *block, size_t size, void *user)
{
    (void)size;
    ((counting_allocator *)user)->live--;
    free(block);
}

grz_allocator counting_allocator_of(counting_allocator *counter)
{
    return (grz_allocator){counting_reallocate, counting_release, counter};
}

grz_device *counting_device_open(counting_allocator *counter)
{
    grz_device *device = NULL;
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    options.allocator = counting_allocator_of(counter);
    assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
    return device;
}
