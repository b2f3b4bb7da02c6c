// SPDX-License-Identifier: MIT
// Asks the system about streams, and the environment about settings.

#define _POSIX_C_SOURCE 200809L

#include "report/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_is(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

bool terminal_colours(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");

    return terminal_is(stream) && (refused == NULL || *refused == '\0') && kind != NULL && *kind != '\0' &&
           strcmp(kind, "dumb") != 0;
}
