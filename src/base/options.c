// SPDX-License-Identifier: MIT
// Reading options of any version. The rule for larger structures is that of Linux's copy_struct_from_user().
#include "base/options.h"

#include <string.h>

#include "base/fail.h"

enum {
    // No structure of options will ever be larger. A larger size was never set, and reading that far might leave the
    // stack.
    MOST_BYTES = 4096
};

static size_t size_of(const void *options)
{
    size_t size;
    memcpy(&size, options, sizeof size);
    return size;
}

static grz_status check_limits(const char *call, const char *member, const grz_limits *limits, grz_error *error)
{
    if (!(limits->deadline >= 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: %s.limits.deadline is %g, must be 0 or above",
                        call, member, limits->deadline);
    if (limits->reserved[0] != NULL || limits->reserved[1] != NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: %s.limits.reserved is not zero, but version %s of the library knows no such limit", call,
                        member, grz_version());
    return GRZ_OK;
}

// Copy `given` to `out`, which holds the defaults.
static grz_status read_given(const grz_options_type *type, const char *call, const void *given, void *out,
                             grz_error *error)
{
    const char *member = type->member;
    const size_t size = size_of(given);
    const unsigned char *bytes = given;
    if (size < type->least || size > MOST_BYTES)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: %s.size is %zu, but a %s has %zu bytes; start from %s", call, member, size, type->name,
                        type->size, type->start);
    for (size_t i = type->size; i < size; i++)
        if (bytes[i] != 0)
            return grz_fail(
                error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                "%s: %s.size is %zu and byte %zu is not zero, but version %s of the library knows %zu bytes of %s",
                call, member, size, i, grz_version(), type->size, type->name);
    if (type->has_limits) {
        const grz_options_head *head = given;
        const grz_status status = check_limits(call, member, &head->limits, error);
        if (status != GRZ_OK)
            return status;
    }
    memcpy(out, given, size < type->size ? size : type->size);
    memcpy(out, &type->size, sizeof type->size);
    return GRZ_OK;
}

grz_status grz_options_read(const grz_options_type *type, const char *call, const void *given, void *out,
                            grz_error *error)
{
    memcpy(out, type->defaults, type->size);
    return given != NULL ? read_given(type, call, given, out, error) : GRZ_OK;
}

void grz_options_init(const grz_options_type *type, void *out, size_t size)
{
    if (out == NULL || size < sizeof size)
        return;
    memset(out, 0, size);
    memcpy(out, type->defaults, size < type->size ? size : type->size);
    memcpy(out, &size, sizeof size);
}
