// SPDX-License-Identifier: MIT
// The inside of a device: its allocator, its threads, its SIMD width, and a pointer to its OpenGL side.
// Layers below gl/ know nothing of OpenGL; they see that side as an opaque pointer.
#ifndef GRZ_BASE_DEVICE_H
#define GRZ_BASE_DEVICE_H

#include "base/memory.h"
#include "base/simd.h"

const grz_allocator *grz_device_allocator(const grz_device *device);

// The options that a caller gave, or the defaults where it gave NULL, at this version's size.
grz_status grz_device_options_read(const grz_device_options *given, grz_device_options *out, grz_error *error);

// Open a device that has an allocator and threads only. grz_device_open() (gl/device_open.c) adds OpenGL if the options
// ask for it.
grz_status grz_device_open_cpu(const grz_device_options *options, grz_device **device, grz_error *error);

// A device lives until its caller has closed it and everything made with it is gone. What is made with a device retains
// it, and releases it as the last thing when it is destroyed: its allocator is the device's. Any thread.
void grz_device_retain(grz_device *device);
void grz_device_release(grz_device *device);

// The OpenGL side of a device, or NULL. grz_device_close() calls `close` on it before it stops the threads.
void grz_device_set_graphics(grz_device *device, void *graphics, void (*close)(void *graphics));
void *grz_device_graphics(const grz_device *device);

// The SIMD width that queries on this device use.
grz_simd grz_device_simd(const grz_device *device);

// How many steps of a query the calling thread does alone before it shares the rest with pool threads. A step takes
// some 50 to 100 nanoseconds, so the default of 1,024 takes about as long as waking a thread. Answers do not depend on
// this number; tests of the sharing set a smaller one.
uint64_t grz_device_solo_steps(const grz_device *device);
void grz_device_set_solo_steps(grz_device *device, uint64_t steps);

// Call task(index, context) once for each index below `count`, on the calling thread and the device's threads. Return
// when all calls have returned. Each call runs under the floating-point guard (base/fp_guard.h).
//
// Several threads may call grz_parallel() at the same time; they share the pool. A task may call it too: the nested
// call uses pool threads that are free. With a task runner supplied by the caller, a nested call uses its own thread
// only.
void grz_parallel(grz_device *device, size_t count, void (*task)(size_t index, void *context), void *context);

#endif
