// SPDX-License-Identifier: MIT
// What the fuzzers of the four readers share: a file's bytes are refused with a message that keeps to its rules, or give a model
// that keeps model.h's promises; whatever way they come in, they give the same. A broken law ends the program.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_FILES_H
#define GRZ_TESTS_SUPPORT_FUZZ_FILES_H

#include "fuzz_input.h"

typedef enum fuzz_format {
    FUZZ_OBJ,
    FUZZ_STL,
    FUZZ_PLY,
    FUZZ_OFF
} fuzz_format;

// Read the bytes as a file of that format. Nothing is done where they begin like a file of another one: that has a fuzzer of its
// own.
void fuzz_read(fuzz_format format, const uint8_t *data, size_t size);

// Mutate a file: as libFuzzer does, or by lines and numbers, which most of its own steps only break; then, mostly, put the counts
// right that a binary file states.
size_t fuzz_mutate_file(fuzz_format format, uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
