// SPDX-License-Identifier: MIT
// Shared by the fuzzers: taking numbers from the bytes of an input (zeros after its end), and reporting a law that an
// input breaks. The functions that libFuzzer calls or provides are declared here. In the replay tests, fuzz_replay.c
// replaces libFuzzer.
#ifndef GRZ_TESTS_FUZZ_INPUT_H
#define GRZ_TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

// End the program if a law is broken; the fuzzer then saves the input.
#define FUZZ_REQUIRE(law)                                                                                              \
    do {                                                                                                               \
        if (!(law)) {                                                                                                  \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #law);                                          \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef struct fuzz_input {
    const uint8_t *data;
    size_t size; // bytes left
} fuzz_input;

static inline uint8_t fuzz_byte(fuzz_input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->data++;
}

// 0 to count - 1, from one byte.
static inline uint32_t fuzz_below(fuzz_input *in, uint32_t count)
{
    return fuzz_byte(in) % count;
}

// Any bits, the lowest byte first.
static inline uint64_t fuzz_bits(fuzz_input *in, int bytes)
{
    uint64_t bits = 0;
    for (int i = 0; i < bytes; i++)
        bits |= (uint64_t)fuzz_byte(in) << (8 * i);
    return bits;
}

// Any double, NaN and infinities included.
static inline double fuzz_raw_double(fuzz_input *in)
{
    const uint64_t bits = fuzz_bits(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
