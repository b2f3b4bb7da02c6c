// SPDX-License-Identifier: MIT
// What is known of the user's terminal.
#ifndef GRZ_CLI_TERMINAL_H
#define GRZ_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

// Whether the stream goes to a terminal.
bool terminal_is(FILE *stream);

// Whether to colour what goes to the stream: only on a terminal that is not "dumb", and not if the environment variable
// NO_COLOR is set to anything but nothing (no-color.org).
bool terminal_colours(FILE *stream);

#endif
