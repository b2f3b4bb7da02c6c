// SPDX-License-Identifier: MIT
// Writes error texts, and names the status codes and the version.
#include "base/fail.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

grz_status grz_fail(grz_error *error, grz_status code, uint64_t element, const char *format, ...)
{
    assert(code != GRZ_OK && format != NULL);
    if (error == NULL)
        return code;
    error->code = code;
    error->element = element;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(error->message, sizeof error->message, format, arguments) < 0)
        error->message[0] = '\0';
    va_end(arguments);
    // Texts of the caller's, such as a method's name, may hold anything. The message is one line all the same.
    for (char *c = error->message; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return code;
}

const char *grz_status_name(grz_status status)
{
    switch (status) {
    case GRZ_OK:
        return "GRZ_OK";
    case GRZ_ERROR_ARGUMENT:
        return "GRZ_ERROR_ARGUMENT";
    case GRZ_ERROR_MEMORY:
        return "GRZ_ERROR_MEMORY";
    case GRZ_ERROR_MESH:
        return "GRZ_ERROR_MESH";
    case GRZ_ERROR_POSE:
        return "GRZ_ERROR_POSE";
    case GRZ_ERROR_LIMIT:
        return "GRZ_ERROR_LIMIT";
    case GRZ_ERROR_UNSUPPORTED:
        return "GRZ_ERROR_UNSUPPORTED";
    case GRZ_ERROR_DEVICE:
        return "GRZ_ERROR_DEVICE";
    case GRZ_ERROR_BUSY:
        return "GRZ_ERROR_BUSY";
    case GRZ_ERROR_CANCELLED:
        return "GRZ_ERROR_CANCELLED";
    case GRZ_ERROR_DEADLINE:
        return "GRZ_ERROR_DEADLINE";
    case GRZ_ERROR_FILE:
        return "GRZ_ERROR_FILE";
    case GRZ_ERROR_FORMAT:
        return "GRZ_ERROR_FORMAT";
    }
    return "unknown status";
}

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *grz_version(void)
{
    return VERSION_TEXT(GRZ_VERSION_MAJOR, GRZ_VERSION_MINOR, GRZ_VERSION_PATCH);
}
