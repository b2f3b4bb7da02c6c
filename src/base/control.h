// SPDX-License-Identifier: MIT
// The control of one public call: what the caller may ask of the call while it runs. The caller can cancel it, set a
// deadline, limit its memory and receive progress. There is one control per call, on the stack of the calling thread.
// Every stage and every thread of the call checks it from time to time.
#ifndef GRZ_BASE_CONTROL_H
#define GRZ_BASE_CONTROL_H

#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include <graze/limits.h>

#include "base/control_type.h"
#include "base/memory.h"

struct grz_control {
    grz_limits limits; // what the caller asked for
    bool times;        // the caller wants to know how long the parts of the call took; set after grz_control_init()

    // The rest is private to control.c.
    const grz_allocator *base; // the device's allocator
    grz_allocator counted;     // passes requests on to `base` and counts the bytes
    double start;              // by grz_clock_seconds(), if there is a deadline
    atomic_llong memory;       // bytes allocated so far, minus bytes released
    atomic_bool over_memory;   // true after the limit refused a request
    atomic_int status;         // the first failure, a grz_status
    pthread_t caller;          // only this thread calls `progress`
    double span_from, span_to, stage_from, stage_to, reported_progress;
};

// Set up a control: the time of the deadline begins. `limits` NULL: there are none. It needs no clean-up.
void grz_control_init(grz_control *control, const grz_allocator *base, const grz_limits *limits);

// The allocator for everything that the call allocates. A block may outlive the call: `base` can reallocate and release
// it.
const grz_allocator *grz_control_allocator(grz_control *control);

// End the call with a failure. The first failure is kept. Any thread may call this.
void grz_control_fail(grz_control *control, grz_status status);

// Seconds by the clock if the call measures times; else 0, without reading it. Use the difference of two readings.
double grz_control_seconds(const grz_control *control);

// True if the call must end: it failed, the cancel flag is set, or the deadline has passed. Any thread may call this.
// Cost: one reading of the clock if there is a deadline.
bool grz_control_expired(grz_control *control);

// True if there is a cancel flag or a deadline.
static inline bool grz_control_may_end(const grz_control *control)
{
    return control->limits.cancel != NULL || control->limits.deadline > 0.0;
}

// As grz_control_expired(), but checks only if the low `bits` bits of `step` are zero. Example: bits = 13 in a loop
// over vertices checks once in 8,192 vertices.
static inline bool grz_control_expired_at(grz_control *control, size_t step, unsigned bits)
{
    assert(bits < sizeof step * CHAR_BIT);
    return (step & (((size_t)1 << bits) - 1)) == 0 && grz_control_expired(control);
}

// GRZ_OK, or the first failure.
grz_status grz_control_status(const grz_control *control);

// Write the error text for a status that this control returned, or for GRZ_ERROR_MEMORY. `what` names the thing that
// ran out of memory, for example "the result". Returns `status`.
grz_status grz_control_explain(const grz_control *control, grz_status status, const char *what, grz_error *error);

// What is left of the limits, for another public call that this one makes: a deadline of the seconds until this call's
// own, above 0; the same cancel flag and memory limit; no progress.
grz_limits grz_control_limits_left(const grz_control *control);

// Clear a failure of this kind, because the call continues in another way.
void grz_control_clear(grz_control *control, grz_status status);

// Progress has two levels. A span is a part of the whole call, and a stage is a part of the span; both run from 0 to 1.
// Example: after span(0.5, 1) and stage(0, 0.5), a report of 0.5 means 5/8 of the call.
void grz_control_span(grz_control *control, double from, double to);
void grz_control_stage(grz_control *control, double from, double to);

// Report which share of the stage is done, 0 to 1. Any thread may call this, but only reports from the calling thread
// reach the caller's callback. The reported share of the call never decreases.
void grz_control_report_progress(grz_control *control, double share);

#endif
