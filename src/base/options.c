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

grz_status grz_options_read(const grz_options_type *type, const char *call, const char *member, const void *given,
                            void *out, grz_error *error)
{
    const size_t size = size_of(given);
    const unsigned char *bytes = given;
    if (size < type->least || size > MOST_BYTES)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: %s.size is %zu, but a %s has %zu bytes; start from %s", call, member, size, type->name,
                        type->size, type->defaults);
    for (size_t i = type->size; i < size; i++)
        if (bytes[i] != 0)
            return grz_fail(
                error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                "%s: %s.size is %zu and byte %zu is not zero, but version %s of the library knows %zu bytes of %s",
                call, member, size, i, grz_version(), type->size, type->name);
    memcpy(out, given, size < type->size ? size : type->size);
    memcpy(out, &type->size, sizeof type->size);
    return GRZ_OK;
}

void grz_options_init(const grz_options_type *type, const void *defaults, void *out, size_t size)
{
    if (out == NULL || size < sizeof size)
        return;
    memset(out, 0, size);
    memcpy(out, defaults, size < type->size ? size : type->size);
    memcpy(out, &size, sizeof size);
}
