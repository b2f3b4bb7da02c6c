// SPDX-License-Identifier: MIT
// What a caller may ask of a call that reads: to stop (flag, deadline), to report progress, to take no more than so
// much memory. One object a call, on the caller's stack.
#ifndef GRZ_IO_CONTROL_H
#define GRZ_IO_CONTROL_H

#include <graze/io.h>

#include <fenv.h>
#include <locale.h>

enum {
    REASON_SIZE = 512 // bytes of the longest reason of a failure
};

typedef struct load_control {
    const char *call;        // what messages about wrong arguments begin with: "load file"
    grz_io_options options;  // complete: defaults where the caller's structure is older
    grz_allocator allocator; // complete: malloc where the caller gave none
    uint64_t memory_used;
    double start; // of the call, by the monotonic clock
    double reported_share;
    grz_status status;        // why the call ends: GRZ_OK as long as it does not
    uint64_t element;         // line or byte at fault, GRZ_NO_ELEMENT
    char reason[REASON_SIZE]; // without the file's name
} load_control;

// Start a call, "load file". On failure the control is not usable, and `error` is filled.
grz_status grz_io_control_begin(load_control *control, const char *call, const grz_io_options *options,
                                grz_error *error);

// Fill the caller's `error` and `reason` from a control that failed: "NAME: reason", or "CALL: reason" where an
// argument is wrong. Returns the status.
grz_status grz_io_control_explain(const load_control *control, const char *name, grz_error *error);

// Fill `error` with "NAME: reason", the name cut from the left and the reason from the right where they have not room.
// Returns the status.
grz_status grz_io_explain(grz_status status, uint64_t element, const char *name, const char *reason, grz_error *error);

// Refuse an argument: "CALL: reason". Returns GRZ_ERROR_ARGUMENT.
grz_status grz_io_refuse(const char *call, const char *reason, grz_error *error);

// Say why the call fails; the first failure counts. Returns false, for `return grz_io_control_fail(…)`.
bool grz_io_control_fail(load_control *control, grz_status status, uint64_t element, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Whether the call goes on. False, with the reason, where the flag is up or the deadline has passed.
bool grz_io_control_goes_on(load_control *control);

// The environment in which files are read: the locale "C", so that strtod takes a point for a point, and the default
// floating-point environment, so that it gives the nearest double.
typedef struct plain_environment {
    locale_t plain, before;
    fenv_t arithmetic;
} plain_environment;

// Set both for the calling thread. False, with the reason, where that fails; nothing is set then.
bool grz_io_enter_plain(load_control *control, plain_environment *out);

// Put back what was there before.
void grz_io_leave_plain(plain_environment *entered);

// Report a share of the work, 0 to 1.
void grz_io_control_progress(load_control *control, double share);

// As realloc, within the memory limit. NULL without memory; `block` is as it was then.
void *grz_io_control_reallocate(load_control *control, void *block, size_t old_size, size_t new_size);

// As free. NULL is accepted.
void grz_io_control_release(load_control *control, void *block, size_t size);

// The same for what outlives the call.
void grz_io_release_block(const grz_allocator *allocator, const void *block, size_t size);

// The allocator that was given, or malloc where it is zeroed.
grz_allocator grz_io_allocator_or_malloc(const grz_allocator *given);

#endif
