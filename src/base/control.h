// SPDX-License-Identifier: MIT
// What a caller may ask of a call while it runs: to stop (flag, deadline), to take no more than so much memory, to tell how far it
// is. One object a call, on the caller's stack; every stage and every thread of the call looks at it.
#ifndef GRZ_BASE_CONTROL_H
#define GRZ_BASE_CONTROL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"

typedef struct grz_control {
    // Set by the owner after grz_control_init(), before the work starts.
    const volatile int *cancel; // may be NULL
    double deadline;            // seconds after the start; 0: never
    uint64_t memory_limit;      // bytes that the call may take on top of what there was; 0: no limit
    void (*progress)(double share, void *user);
    void *progress_user;

    // What follows is the control's own.
    const grz_allocator *base; // the device's
    grz_allocator counted;     // the same memory, but charged here
    double start;              // by grz_clock_seconds()
    atomic_llong memory;       // charged so far, less what was given back
    atomic_bool over_memory;   // the limit refused a block
    atomic_int status;         // the first failure, a grz_status
    pthread_t caller;          // progress is told from this thread only
    double span_from, span_to, stage_from, stage_to, told;
} grz_control;

// A control that asks for nothing: no flag, no deadline, no limit. It needs no finishing.
void grz_control_init(grz_control *control, const grz_allocator *base, double start);

// The allocator for what the call takes. Blocks may outlive the call: `base` can release and reallocate them.
const grz_allocator *grz_control_allocator(grz_control *control);

// End the call with a failure; the first one counts. Any thread.
void grz_control_fail(grz_control *control, grz_status status);

// Whether the call is to end: it failed, the flag is up, or the deadline has passed. Any thread; costs a look at the clock.
bool grz_control_expired(grz_control *control);

// As grz_control_expired(), but looks at the flag and the clock only where the low `bits` bits of `step` are zero.
static inline bool grz_control_expired_at(grz_control *control, size_t step, unsigned bits)
{
    return (step & (((size_t)1 << bits) - 1)) == 0 && grz_control_expired(control);
}

// GRZ_OK, or the first failure.
grz_status grz_control_status(const grz_control *control);

// Fill in the text for a status that this control gave, or GRZ_ERROR_MEMORY. `what` ran out of memory: "the result", say.
grz_status grz_control_explain(const grz_control *control, grz_status status, const char *what, grz_error *error);

// Forget a failure of this kind: the call goes on in another way.
void grz_control_clear(grz_control *control, grz_status status);

// What follows is this part of the whole call, 0 to 1, and within that this stage; shares are told within the stage.
void grz_control_span(grz_control *control, double from, double to);
void grz_control_stage(grz_control *control, double from, double to);

// Tell how much of the stage is done, 0 to 1. Any thread; passed on from the calling one only, and never backwards.
void grz_control_tell(grz_control *control, double share);

#endif
