// SPDX-License-Identifier: MIT
// Complaints are made printable as a whole, since they quote names and arguments. A failed write to stdout shows either
// in the stream's error flag (an earlier buffer was lost) or only when the last buffer is flushed: both count.

#include "output.h"

#include "report/printable.h"
#include "report/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

// Without memory for a long text, its beginning.
static void write_list(const char *format, va_list arguments)
{
    char few[1024];
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(few, sizeof few, format, arguments);
    char *all = length >= (int)sizeof few ? malloc((size_t)length + 1) : NULL;
    if (all != NULL)
        vsnprintf(all, (size_t)length + 1, format, again);
    va_end(again);
    if (length >= 0)
        printable_write(all != NULL ? all : few, stderr);
    free(all);
}

void complain_list(const char *command, const char *format, va_list arguments)
{
    const bool coloured = terminal_colours(stderr);

    fprintf(stderr, "%sgraze%s%s:%s ", coloured ? "\033[1;31m" : "", command != NULL ? " " : "",
            command != NULL ? command : "", coloured ? "\033[0m" : "");
    write_list(format, arguments);
    fputc('\n', stderr);
}

void complain(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_list(command, format, arguments);
    va_end(arguments);
}

void complain_hint(const char *command)
{
    fprintf(stderr, command != NULL ? "Try `graze %s --help`.\n" : "Try `graze --help`.\n", command);
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
