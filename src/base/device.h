// SPDX-License-Identifier: MIT
// The device from inside: its allocator, and its threads.
#ifndef GRZ_BASE_DEVICE_H
#define GRZ_BASE_DEVICE_H

#include "base/memory.h"
#include "base/simd.h"

const grz_allocator *grz_device_allocator(const grz_device *device);

// Open a device with nothing beside its threads. grz_device_open() (gl/device_open.c) adds what else its options ask for.
grz_status grz_device_open_cpu(const grz_device_options *options, grz_device **device, grz_error *error);

// What a device has beside its threads, whatever that is; grz_device_close() closes it first. NULL: nothing.
void grz_device_set_graphics(grz_device *device, void *graphics, void (*close)(void *graphics));
void *grz_device_graphics(const grz_device *device);

// How wide the registers are that its queries use.
grz_simd grz_device_simd(const grz_device *device);

// How many steps of a query, each of some 50 to 100 nanoseconds, its caller takes alone before it shares what is left with other
// threads, which take about as long to wake up. Answers do not depend on it; tests of the sharing set it to less.
uint64_t grz_device_solo_steps(const grz_device *device);
void grz_device_set_solo_steps(grz_device *device, uint64_t steps);

// Call task(index, context) once for each index below count, on the device's threads and the calling one, and return when all
// calls have. Each call runs under the floating-point guard. Calls of grz_parallel() from several threads share the threads; one
// from a task takes the threads that have nothing else to do, or with a caller's runner its own thread alone.
void grz_parallel(grz_device *device, size_t count, void (*task)(size_t index, void *context), void *context);

#endif
