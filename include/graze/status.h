// SPDX-License-Identifier: MIT
/// @file
/// What every call returns, and how it says what went wrong.
#ifndef GRAZE_STATUS_H
#define GRAZE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The version that these headers belong to; grz_version() tells that of the library in use.
#define GRZ_VERSION_MAJOR 0
#define GRZ_VERSION_MINOR 1 ///< see GRZ_VERSION_MAJOR
#define GRZ_VERSION_PATCH 0 ///< see GRZ_VERSION_MAJOR

/// Marks what the library exports.
#if defined(GRZ_BUILD_SHARED) && defined(__GNUC__)
#define GRZ_API __attribute__((visibility("default")))
#else
#define GRZ_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended. The answer of a call never travels in its status.
typedef enum grz_status {
    GRZ_OK = 0,
    GRZ_ERROR_ARGUMENT,    ///< the call itself is wrong: a NULL where none may be, an unknown option, a size of zero
    GRZ_ERROR_MEMORY,      ///< the allocator gave nothing
    GRZ_ERROR_MESH,        ///< mesh data refused: NaN, index out of range, too large a coordinate, a face of two corners
    GRZ_ERROR_POSE,        ///< a pose that is not finite, or that carries the mesh past 2^300
    GRZ_ERROR_LIMIT,       ///< the answer is longer than the options allow; the yes/no of the result holds
    GRZ_ERROR_UNSUPPORTED, ///< the method asked for cannot do this, or is not in this build
    GRZ_ERROR_DEVICE,      ///< the device cannot be had or was lost
    GRZ_ERROR_BUSY,        ///< the device serves another thread
    GRZ_ERROR_CANCELLED,   ///< the caller's cancel flag was raised
    GRZ_ERROR_DEADLINE     ///< the deadline passed before the answer was complete
} grz_status;

/// Stands for "no particular element" in grz_error::element.
#define GRZ_NO_ELEMENT UINT64_MAX

/// Details of a failure. Storage is the caller's; every function accepts NULL in its place and leaves it untouched on success.
typedef struct grz_error {
    grz_status code;   ///< what the call returned
    uint64_t element;  ///< index of the vertex, face or object at fault (the text says which), or GRZ_NO_ELEMENT
    char message[256]; ///< English, one line, no full stop, always terminated
} grz_error;

/// @return the name of a status as it is spelled in this header, never NULL. Thread-safe.
GRZ_API const char *grz_status_name(grz_status status);

/// @return the library's version, "MAJOR.MINOR.PATCH". Thread-safe.
GRZ_API const char *grz_version(void);

#ifdef __cplusplus
}
#endif

#endif
