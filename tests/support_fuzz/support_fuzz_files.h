// SPDX-License-Identifier: MIT
// Shared by the fuzzers of OBJ, STL, PLY and OFF. A file is either refused with a message of the right form, or read as
// a model that keeps the promises of <graze/io.h>. Reading the same bytes in different ways must give the same result.
// A broken law ends the program.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_FILES_H
#define GRZ_TESTS_SUPPORT_FUZZ_FILES_H

#include "fuzz_input.h"

typedef enum fuzz_format {
    FUZZ_OBJ,
    FUZZ_STL,
    FUZZ_PLY,
    FUZZ_OFF
} fuzz_format;

// Read the bytes as a file of a format. Does nothing if they begin like a file of another format, which has its own
// fuzzer.
void fuzz_read(fuzz_format format, const uint8_t *data, size_t size);

// Mutate a file: either as libFuzzer does, or by whole lines and numbers (libFuzzer's own mutations mostly destroy
// those). After that, usually correct the counts that a binary file states.
size_t fuzz_mutate_file(fuzz_format format, uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
