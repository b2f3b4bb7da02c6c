// SPDX-License-Identifier: MIT
// Complaints on stderr, and the last look at stdout. A failed write shows either in the stream's error flag (an earlier buffer did
// not fit) or only when the last buffer is flushed: both count.

#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void complain_list(const char *command, const char *format, va_list arguments)
{
    fputs("graze", stderr);
    if (command != NULL)
        fprintf(stderr, " %s", command);
    fputs(": ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void complain(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_list(command, format, arguments);
    va_end(arguments);
}

bool output_finish(const char *command)
{
    errno = 0;
    bool flushed = fflush(stdout) == 0;
    const char *reason = errno != 0 ? strerror(errno) : "an earlier write failed";

    if (flushed && ferror(stdout) == 0)
        return true;
    complain(command, "standard output cannot be written: %s", reason);
    return false;
}
