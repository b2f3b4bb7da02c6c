// SPDX-License-Identifier: MIT
// Complaints about a command line.
#ifndef GRZ_CLI_ARGUMENTS_REFUSE_H
#define GRZ_CLI_ARGUMENTS_REFUSE_H

#include <stdbool.h>

// Complain about the command line and say where help is. Always returns false.
bool option_refuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
