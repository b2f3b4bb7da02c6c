// SPDX-License-Identifier: MIT
/// @file
/// A device runs queries: the CPU's cores for now, OpenGL later.
#ifndef GRAZE_DEVICE_H
#define GRAZE_DEVICE_H

#include <graze/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where memory comes from. All three members or none.
///
/// Called from any thread, also at once.
typedef struct grz_allocator {
    /// As realloc: block may be NULL, old_size is what it was asked for with, a new_size of zero is never asked.
    void *(*reallocate)(void *block, size_t old_size, size_t new_size, void *user);
    void (*release)(void *block, size_t size, void *user); ///< as free; size is what the block was last asked for with
    void *user;                                            ///< the caller's, handed to both
} grz_allocator;

/// Who runs parallel work, in place of the device's own threads.
///
typedef struct grz_task_runner {
    /// Call task(index, context) once for every index in [0, count), on any threads, and return when all have returned. It is not
    /// called from within one of these tasks.
    void (*run)(void (*task)(size_t index, void *context), void *context, size_t count, void *user);
    unsigned width; ///< how many tasks are likely to run at once, at least 1
    void *user;     ///< the caller's, handed to run
} grz_task_runner;

/// Options of grz_device_open(). Start from grz_default_device_options().
typedef struct grz_device_options {
    size_t size;                 ///< sizeof this structure, as the caller knows it
    unsigned threads;            ///< how many threads a query may use, the caller's own included; 0: as many as there are cores
    grz_allocator allocator;     ///< zeroed: malloc
    grz_task_runner task_runner; ///< zeroed: threads of the device's own
} grz_device_options;

/// Opaque. Outlives everything made with it. Thread-safety: a CPU device serves any number of threads at once.
typedef struct grz_device grz_device;

/// @return options that suit most callers: all cores, malloc.
GRZ_API grz_device_options grz_default_device_options(void);

/// Open a device.
///
/// @param options  NULL means the defaults
/// @param device   receives the device; NULL on failure. Close it with grz_device_close()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_device_open(const grz_device_options *options, grz_device **device, grz_error *error);

/// Close a device. NULL is accepted. Meshes and results made with it must have been destroyed before.
GRZ_API void grz_device_close(grz_device *device);

/// @return "cpu". Never NULL. Thread-safe.
GRZ_API const char *grz_device_name(const grz_device *device);

/// @return how many threads a query on this device may use, the caller's own included. Thread-safe.
GRZ_API unsigned grz_device_threads(const grz_device *device);

#ifdef __cplusplus
}
#endif

#endif
