// SPDX-License-Identifier: MIT
/// @file
/// What a caller may ask of a call while it runs: to end early, to take no more memory, to say how far it is.
#ifndef GRAZE_LIMITS_H
#define GRAZE_LIMITS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Limits of one call. They are the member `limits` of every structure of options whose call may take long. Zeroed, the
/// call has no limits.
///
/// @code
/// options.limits.deadline = 0.5; // seconds
/// options.limits.cancel = &cancelled;
/// @endcode
typedef struct grz_limits {
    /// May be NULL. Any other thread may set it to non-zero, atomically, to end the call with GRZ_ERROR_CANCELLED. The
    /// call reads it every few milliseconds, and the clock for `deadline` as well. Large work of OpenGL is then drawn
    /// in parts, because what has begun cannot be stopped. Compiling shaders, once a device, is not interrupted.
    const volatile int *cancel;
    /// Seconds from the start of the call, 0 or above, after which it ends with GRZ_ERROR_DEADLINE; 0: never. What is
    /// proved until then is in the answer, where the call's description says so.
    double deadline;
    /// Bytes that the call may take in addition to what its result and its meshes hold already: trees that it builds,
    /// working memory, and what the result grows by. Beyond it the call ends with GRZ_ERROR_MEMORY. 0: no limit.
    uint64_t memory_limit;
    /// May be NULL. Called now and then by the calling thread with the share of the work that is done: from 0 to 1,
    /// never falling. A call that succeeds ends with 1; short ones say nothing before.
    void (*progress)(double share, void *user);
    void *progress_user;     ///< passed to `progress`
    const void *reserved[2]; ///< zeros; room for what a later version limits, so that this structure never grows
} grz_limits;

#ifdef __cplusplus
}
#endif

#endif
