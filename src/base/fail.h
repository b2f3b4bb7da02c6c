// SPDX-License-Identifier: MIT
// Reports a failure in one call: it fills the caller's grz_error and returns the status, so that a function can write
//     return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "mesh: out of memory for %u vertices", count);
#ifndef GRZ_BASE_FAIL_H
#define GRZ_BASE_FAIL_H

#include <graze/status.h>

#if defined(__GNUC__)
#define GRZ_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define GRZ_PRINTF(format_index, first)
#endif

// Fill `error` (which may be NULL) and return `code`, which is not GRZ_OK. `element` is the index of the vertex, face
// or object at fault, or GRZ_NO_ELEMENT. A text longer than grz_error::message is cut.
grz_status grz_fail(grz_error *error, grz_status code, uint64_t element, const char *format, ...) GRZ_PRINTF(4, 5);

#endif
