// SPDX-License-Identifier: MIT
// Where the numbers of a situation come from: a seed, or the bytes of a fuzzer's input. The same seed, or the same
// bytes, give the same numbers on every machine.
#ifndef GRZ_TESTS_AGREEMENT_SOURCE_H
#define GRZ_TESTS_AGREEMENT_SOURCE_H

#include "fuzz_input.h"
#include "pair_generator.h"

typedef struct agree_source {
    random_stream random;
    fuzz_input bytes;
    bool from_bytes;
} agree_source;

static inline agree_source agree_source_of_seed(uint64_t seed)
{
    agree_source s = {.random = {seed * UINT64_C(0xd1342543de82ef95) + 1}};
    s.random.state = random_bits(&s.random);
    return s;
}

static inline agree_source agree_source_of_bytes(const uint8_t *data, size_t size)
{
    const agree_source s = {.bytes = {data, size}, .from_bytes = true};
    return s;
}

// Numbers of their own for part `number` of what follows: of a seed others, of an input some bytes later.
static inline agree_source agree_source_apart(agree_source s, unsigned number)
{
    s.random.state += (number + 1) * UINT64_C(0xa0761d6478bd642f);
    s.random.state = random_bits(&s.random);
    for (unsigned i = 0; i < number && s.from_bytes; i++)
        fuzz_byte(&s.bytes);
    return s;
}

// 0 to count - 1; count is at most 2^16. One byte of an input, two if count is above 256.
static inline uint32_t agree_below(agree_source *s, uint32_t count)
{
    if (!s->from_bytes)
        return random_below(&s->random, count);
    return (uint32_t)fuzz_bits(&s->bytes, count > 256 ? 2 : 1) % count;
}

// low to high, both included.
static inline int agree_between(agree_source *s, int low, int high)
{
    return low + (int)agree_below(s, (uint32_t)(high - low + 1));
}

static inline bool agree_one_in(agree_source *s, uint32_t count)
{
    return agree_below(s, count) == count - 1;
}

// In [-1, 1): 53 random bits, or 16 of an input.
static inline double agree_signed(agree_source *s)
{
    return s->from_bytes ? ((double)fuzz_bits(&s->bytes, 2) - 32768.0) * 0x1p-15 : random_signed(&s->random);
}

#endif
