// SPDX-License-Identifier: MIT
// Numbers on the command line.
#ifndef GRZ_CLI_ARGUMENTS_NUMBERS_H
#define GRZ_CLI_ARGUMENTS_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

// Read a whole number from 1 to `most`, which is below 2^32. Returns 0 if the text is anything else.
uint64_t numbers_read_whole(const char *text, uint64_t most);

// Read finite numbers with commas between them, at most `capacity`. Returns how many; 0 if the text is anything else.
size_t numbers_read(const char *text, double *numbers, size_t capacity);

#endif
