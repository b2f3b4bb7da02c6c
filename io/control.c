// SPDX-License-Identifier: MIT
// The control of a call that reads: option structs of any age, cancelling, deadline, progress, counted memory, error
// texts, the plain environment.
#include "control.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LEAST_NAME_SHOWN = 80 // bytes of a long name that a message keeps, whatever the reason's length
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *reallocate_by_malloc(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)old_size;
    (void)user;
    return realloc(block, new_size);
}

static void release_by_free(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}

grz_allocator grz_io_allocator_or_malloc(const grz_allocator *given)
{
    if (given->reallocate != NULL)
        return *given;
    return (grz_allocator){reallocate_by_malloc, release_by_free, NULL};
}

// Every default is 0.
void grz_io_options_init(grz_io_options *options, size_t size)
{
    if (options == NULL || size < sizeof size)
        return;
    memset(options, 0, size);
    memcpy(options, &size, sizeof size);
}

// The whole name, or "..." and the last bytes of one that is longer than `most`; no character of UTF-8 is cut.
static const char *cut_name(const char *name, size_t most, const char **dots)
{
    const size_t length = strlen(name);
    *dots = "";
    if (length <= most)
        return name;
    *dots = "...";
    const char *from = name + length - (most - 3);
    while (((unsigned char)*from & 0xc0) == 0x80)
        from++;
    return from;
}

grz_status grz_io_explain(grz_status status, uint64_t element, const char *name, const char *reason, grz_error *error)
{
    const char *dots = "";
    if (error == NULL)
        return status;
    const size_t room = sizeof error->message - sizeof ": ", length = strlen(reason);
    const size_t for_name = length + LEAST_NAME_SHOWN < room ? room - length : LEAST_NAME_SHOWN;
    const char *shown = *name != '\0' ? cut_name(name, for_name, &dots) : "\"\"";
    const int written = snprintf(error->message, sizeof error->message, "%s%s: %s", dots, shown, reason);
    if (written >= (int)sizeof error->message) {
        char *end = error->message + sizeof error->message - 4;
        while (end > error->message && ((unsigned char)*end & 0xc0) == 0x80)
            end--;
        memcpy(end, "...", 4);
    }
    error->code = status;
    error->element = element;
    return status;
}

grz_status grz_io_refuse(const char *call, const char *reason, grz_error *error)
{
    return grz_io_explain(GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, call, reason, error);
}

enum {
    MOST_OPTION_BYTES = 4096 // a larger size is a mistake, whatever the version
};

// Copy what the caller's structure has. It may be smaller than ours, of an older version, or larger, of a newer one, if
// the bytes that we do not know are zero.
static bool take_options(const grz_io_options *options, grz_io_options *out)
{
    *out = grz_io_default_options();
    if (options == NULL)
        return true;
    const size_t size = options->size, least = offsetof(grz_io_options, format) + sizeof options->format;
    if (size < least || size > MOST_OPTION_BYTES)
        return false;
    for (size_t i = sizeof *options; i < size; i++)
        if (((const unsigned char *)options)[i] != 0)
            return false;
    memcpy(out, options, size < sizeof *options ? size : sizeof *options);
    out->size = sizeof *out;
    return true;
}

grz_status grz_io_control_begin(load_control *control, const char *call, const grz_io_options *options,
                                grz_error *error)
{
    *control = (load_control){.call = call, .element = GRZ_NO_ELEMENT, .start = now()};
    if (!take_options(options, &control->options)) {
        char reason[160];
        const bool newer = options->size > sizeof *options && options->size <= MOST_OPTION_BYTES;
        snprintf(reason, sizeof reason,
                 newer ? "options.size is %zu and bytes that this library does not know are not zero; it knows %zu"
                       : "options.size is %zu, but a grz_io_options has %zu bytes; start from grz_io_default_options()",
                 options->size, sizeof *options);
        return grz_io_refuse(call, reason, error);
    }
    if (!(control->options.limits.deadline >= 0))
        return grz_io_refuse(call, "options.limits.deadline is negative or not a number", error);
    if (control->options.limits.reserved[0] != NULL || control->options.limits.reserved[1] != NULL)
        return grz_io_refuse(call, "options.limits.reserved is not zero, but this library knows no such limit", error);
    const grz_allocator *given = &control->options.allocator;
    if ((given->reallocate == NULL) != (given->release == NULL))
        return grz_io_refuse(call, "options.allocator has one function of the two", error);
    control->allocator = grz_io_allocator_or_malloc(given);
    return GRZ_OK;
}

grz_status grz_io_control_explain(const load_control *control, const char *name, grz_error *error)
{
    if (control->options.reason != NULL && control->options.reason_size > 0)
        (void)snprintf(control->options.reason, control->options.reason_size, "%s", control->reason);
    const char *who = control->status == GRZ_ERROR_ARGUMENT ? control->call : name;
    return grz_io_explain(control->status, control->element, who, control->reason, error);
}

bool grz_io_control_fail(load_control *control, grz_status status, uint64_t element, const char *format, ...)
{
    if (control->status != GRZ_OK)
        return false;
    control->status = status;
    control->element = element;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(control->reason, sizeof control->reason, format, arguments);
    va_end(arguments);
    return false;
}

bool grz_io_control_goes_on(load_control *control)
{
    const grz_io_options *o = &control->options;
    if (o->limits.cancel != NULL && *o->limits.cancel != 0)
        return grz_io_control_fail(control, GRZ_ERROR_CANCELLED, GRZ_NO_ELEMENT, "cancelled");
    if (o->limits.deadline > 0 && now() - control->start >= o->limits.deadline)
        return grz_io_control_fail(control, GRZ_ERROR_DEADLINE, GRZ_NO_ELEMENT, "not read within %g s",
                                   o->limits.deadline);
    return true;
}

bool grz_io_enter_plain(load_control *control, plain_environment *out)
{
    out->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (out->plain == (locale_t)0)
        return grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the model");
    out->before = uselocale(out->plain);
    if (fegetenv(&out->arithmetic) == 0 && fesetenv(FE_DFL_ENV) == 0)
        return true;
    uselocale(out->before);
    freelocale(out->plain);
    return grz_io_control_fail(control, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                               "the floating-point environment cannot be set");
}

void grz_io_leave_plain(plain_environment *entered)
{
    (void)fesetenv(&entered->arithmetic);
    uselocale(entered->before);
    freelocale(entered->plain);
}

void grz_io_control_progress(load_control *control, double share)
{
    const grz_io_options *o = &control->options;
    if (o->limits.progress == NULL || share < control->reported_share)
        return;
    control->reported_share = share;
    o->limits.progress(share < 1 ? share : 1, o->limits.progress_user);
}

void *grz_io_control_reallocate(load_control *control, void *block, size_t old_size, size_t new_size)
{
    const uint64_t limit = control->options.limits.memory_limit, others = control->memory_used - old_size;
    if (limit > 0 && (others > limit || new_size > limit - others))
        return NULL;
    void *moved = control->allocator.reallocate(block, old_size, new_size, control->allocator.user);
    if (moved != NULL)
        control->memory_used = others + new_size;
    return moved;
}

void grz_io_release_block(const grz_allocator *allocator, const void *block, size_t size)
{
    if (block != NULL)
        allocator->release((void *)block, size, allocator->user);
}

void grz_io_control_release(load_control *control, void *block, size_t size)
{
    if (block == NULL)
        return;
    control->memory_used -= size;
    grz_io_release_block(&control->allocator, block, size);
}
