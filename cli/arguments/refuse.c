// SPDX-License-Identifier: MIT
// Complaints about a command line.
#include "arguments/refuse.h"

#include "output.h"

#include <stdarg.h>

bool option_refuse(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_list(command, format, arguments);
    va_end(arguments);
    complain_hint(command);
    return false;
}
