// SPDX-License-Identifier: MIT
// The control of one public call: cancel flag, deadline, memory limit and progress.
// The counting allocator adds the change of size to a counter at every call and passes the request on. It stores
// nothing in front of a block, because the caller of release() passes the block's size.
#include "base/control.h"

#include <assert.h>

#include "base/clock.h"
#include "base/fail.h"

// Add `bytes` to the counter of the call. False if that would exceed the limit; the counter is then unchanged.
static bool charge(grz_control *control, size_t bytes)
{
    const long long after =
        atomic_fetch_add_explicit(&control->memory, (long long)bytes, memory_order_relaxed) + (long long)bytes;
    if (control->limits.memory_limit == 0 || after <= 0 || (unsigned long long)after <= control->limits.memory_limit)
        return true;
    atomic_fetch_sub_explicit(&control->memory, (long long)bytes, memory_order_relaxed);
    atomic_store(&control->over_memory, true);
    return false;
}

static void *counted_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    grz_control *control = user;
    const size_t more = new_size > old_size ? new_size - old_size : 0;
    if (!charge(control, more))
        return NULL;
    void *moved = control->base->reallocate(block, old_size, new_size, control->base->user);
    const size_t refund = moved == NULL ? more : old_size > new_size ? old_size - new_size : 0;
    atomic_fetch_sub_explicit(&control->memory, (long long)refund, memory_order_relaxed);
    return moved;
}

static void counted_release(void *block, size_t size, void *user)
{
    grz_control *control = user;
    atomic_fetch_sub_explicit(&control->memory, (long long)size, memory_order_relaxed);
    control->base->release(block, size, control->base->user);
}

void grz_control_init(grz_control *control, const grz_allocator *base, const grz_limits *limits)
{
    assert(base != NULL && base->reallocate != NULL && base->release != NULL);
    *control = (grz_control){.base = base, .caller = pthread_self(), .span_to = 1.0, .stage_to = 1.0};
    if (limits != NULL)
        control->limits = *limits;
    if (control->limits.deadline > 0.0)
        control->start = grz_clock_seconds();
    control->counted = (grz_allocator){.reallocate = counted_reallocate, .release = counted_release, .user = control};
    atomic_init(&control->memory, 0);
    atomic_init(&control->over_memory, false);
    atomic_init(&control->status, GRZ_OK);
}

const grz_allocator *grz_control_allocator(grz_control *control)
{
    return &control->counted;
}

void grz_control_fail(grz_control *control, grz_status status)
{
    assert(status != GRZ_OK);
    int none = GRZ_OK;
    atomic_compare_exchange_strong(&control->status, &none, (int)status);
}

// Read the caller's cancel flag, which another thread may write at the same time.
static bool is_raised(const volatile int *flag)
{
#if defined(__GNUC__)
    return flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
#else
    return flag != NULL && *flag != 0;
#endif
}

double grz_control_seconds(const grz_control *control)
{
    return control->times ? grz_clock_seconds() : 0.0;
}

bool grz_control_expired(grz_control *control)
{
    if (is_raised(control->limits.cancel))
        grz_control_fail(control, GRZ_ERROR_CANCELLED);
    else if (control->limits.deadline > 0.0 && grz_clock_seconds() - control->start > control->limits.deadline)
        grz_control_fail(control, GRZ_ERROR_DEADLINE);
    return atomic_load_explicit(&control->status, memory_order_relaxed) != GRZ_OK;
}

grz_status grz_control_status(const grz_control *control)
{
    return (grz_status)atomic_load(&control->status);
}

grz_status grz_control_explain(const grz_control *control, grz_status status, const char *what, grz_error *error)
{
    switch (status) {
    case GRZ_ERROR_CANCELLED:
        return grz_fail(error, status, GRZ_NO_ELEMENT, "cancelled");
    case GRZ_ERROR_DEADLINE:
        return grz_fail(error, status, GRZ_NO_ELEMENT, "the deadline of %g s passed", control->limits.deadline);
    default:
        if (atomic_load(&control->over_memory))
            return grz_fail(error, status, GRZ_NO_ELEMENT, "%s: more than the limit of %llu bytes", what,
                            (unsigned long long)control->limits.memory_limit);
        return grz_fail(error, status, GRZ_NO_ELEMENT, "%s: out of memory", what);
    }
}

// A deadline that has passed leaves a little time, in which the other call ends by itself.
grz_limits grz_control_limits_left(const grz_control *control)
{
    grz_limits left = {.cancel = control->limits.cancel, .memory_limit = control->limits.memory_limit};
    if (control->limits.deadline > 0.0) {
        left.deadline = control->limits.deadline - (grz_clock_seconds() - control->start);
        if (!(left.deadline > 0x1p-30)) // a nanosecond, as 0 means none
            left.deadline = 0x1p-30;
    }
    return left;
}

void grz_control_clear(grz_control *control, grz_status status)
{
    int expected = (int)status;
    atomic_compare_exchange_strong(&control->status, &expected, GRZ_OK);
}

void grz_control_span(grz_control *control, double from, double to)
{
    assert(0.0 <= from && from <= to && to <= 1.0);
    control->span_from = from;
    control->span_to = to;
}

void grz_control_stage(grz_control *control, double from, double to)
{
    assert(0.0 <= from && from <= to && to <= 1.0);
    control->stage_from = from;
    control->stage_to = to;
}

void grz_control_report_progress(grz_control *control, double share)
{
    assert(0.0 <= share && share <= 1.0 + 1e-9); // a sum of shares may round up
    if (control->limits.progress == NULL || !pthread_equal(pthread_self(), control->caller))
        return;
    const double inner = control->stage_from + share * (control->stage_to - control->stage_from);
    const double whole = control->span_from + inner * (control->span_to - control->span_from);
    if (whole > control->reported_progress)
        control->reported_progress = whole;
    control->limits.progress(control->reported_progress, control->limits.progress_user);
    if (control->reported_progress <
        1.0) // the callback may have raised the cancel flag, and this may be the last check
        grz_control_expired(control);
}
