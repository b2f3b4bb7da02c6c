// SPDX-License-Identifier: MIT
// Reporting a failure: one call fills the caller's grz_error and gives back the status to return.
#ifndef GRZ_BASE_FAIL_H
#define GRZ_BASE_FAIL_H

#include <graze/status.h>

#if defined(__GNUC__)
#define GRZ_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define GRZ_PRINTF(format_index, first)
#endif

// Fill `error` (which may be NULL) and return `code`. The text is cut at the size of grz_error::message.
grz_status grz_fail(grz_error *error, grz_status code, uint64_t element, const char *format, ...) GRZ_PRINTF(4, 5);

#endif
