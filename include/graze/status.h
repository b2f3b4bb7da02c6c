// SPDX-License-Identifier: MIT
/// @file
/// What every call returns, and how it says what went wrong.
#ifndef GRAZE_STATUS_H
#define GRAZE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The version of these headers. The version of the library in use is grz_version().
#define GRZ_VERSION_MAJOR 0
#define GRZ_VERSION_MINOR 3 ///< see GRZ_VERSION_MAJOR
#define GRZ_VERSION_PATCH 0 ///< see GRZ_VERSION_MAJOR

/// Marks what the library exports.
#if defined(GRZ_BUILD_SHARED) && defined(__GNUC__)
#define GRZ_API __attribute__((visibility("default")))
#else
#define GRZ_API
#endif

/// Marks short functions that are compiled into the caller's program.
#define GRZ_INLINE static inline

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended. The status never carries the answer: that comes through a pointer.
typedef enum grz_status {
    GRZ_OK = 0,
    GRZ_ERROR_ARGUMENT,    ///< the call is wrong: a NULL that is not allowed, an unknown option, a size of zero
    GRZ_ERROR_MEMORY,      ///< no memory, or more than options allow
    GRZ_ERROR_MESH,        ///< bad mesh data: NaN, an index out of range, too large a coordinate, a face of two corners
    GRZ_ERROR_POSE,        ///< a pose that is not finite, is all zeros, or carries the mesh past 2^300
    GRZ_ERROR_LIMIT,       ///< the list is longer than the options allow; the yes or no of an exact answer is right
    GRZ_ERROR_UNSUPPORTED, ///< the method cannot do this, or this build does not have it
    GRZ_ERROR_DEVICE,      ///< the device cannot be opened, or was lost
    GRZ_ERROR_BUSY,        ///< the device is serving another thread
    GRZ_ERROR_CANCELLED,   ///< the caller raised its cancel flag
    GRZ_ERROR_DEADLINE,    ///< the deadline passed before the answer was complete
    GRZ_ERROR_FILE,        ///< a file cannot be opened, read or written; only by <graze/io.h>
    GRZ_ERROR_FORMAT       ///< the content of a file is damaged, or is no mesh; only by <graze/io.h>
} grz_status;

/// Means "no particular element" in grz_error::element.
#define GRZ_NO_ELEMENT UINT64_MAX

/// Details of a failure, in memory of the caller's. Every function accepts NULL instead, and leaves the structure as it
/// is if the call succeeds.
///
/// @code
/// grz_error error;
/// if (grz_device_open(NULL, &device, &error) != GRZ_OK) fprintf(stderr, "%s\n", error.message);
/// @endcode
typedef struct grz_error {
    grz_status code;  ///< what the call returned
    uint64_t element; ///< index of the vertex, face or object at fault (the text says which), or GRZ_NO_ELEMENT
    /// English, one line, no full stop, always terminated. Names of files stand in it as the caller gave them.
    char message[256];
} grz_error;

/// @return the name of a status as this header spells it, such as "GRZ_ERROR_MESH"; never NULL. Thread-safe.
GRZ_API const char *grz_status_name(grz_status status);

/// @return the version of the library in use, "MAJOR.MINOR.PATCH". Thread-safe.
GRZ_API const char *grz_version(void);

#ifdef __cplusplus
}
#endif

#endif
