// SPDX-License-Identifier: MIT
// The device from inside: its allocator, and its threads.
#ifndef GRZ_BASE_DEVICE_H
#define GRZ_BASE_DEVICE_H

#include "base/memory.h"
#include "base/simd.h"

const grz_allocator *grz_device_allocator(const grz_device *device);

// How wide the registers are that its queries use.
grz_simd grz_device_simd(const grz_device *device);

// Call task(index, context) once for each index below count, on the device's threads and the calling one, and return when all
// calls have. Each call runs under the floating-point guard. Calls of grz_parallel() from several threads share the threads.
void grz_parallel(grz_device *device, size_t count, void (*task)(size_t index, void *context), void *context);

#endif
