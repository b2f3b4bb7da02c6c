// SPDX-License-Identifier: MIT
// What every command does with its two streams: complaints go to stderr in one form, and stdout is checked at the end,
// so that a report that was cut short by a full disk never passes for an answer.
#ifndef GRZ_CLI_OUTPUT_H
#define GRZ_CLI_OUTPUT_H

#include <stdarg.h>
#include <stdbool.h>

// Write "graze COMMAND: TEXT" and a newline to stderr, TEXT with its names as they are: they are made printable here
// (printable.h). `command` may be NULL.
void complain(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
void complain_list(const char *command, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

// Write where a user finds help: "Try `graze COMMAND --help`." `command` may be NULL.
void complain_hint(const char *command);

// Flush stdout. Returns whether everything arrived; complains if not.
bool output_finish(const char *command);

#endif
