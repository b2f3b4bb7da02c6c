// SPDX-License-Identifier: MIT
// Every query checks the others: laws between the answers of different queries about one situation. A law that is
// broken is printed with what repeats it; the situation can be written as files.
#ifndef GRZ_TESTS_AGREEMENT_H
#define GRZ_TESTS_AGREEMENT_H

#include "situation.h"

// LAW(name, text)
#define AGREE_LAWS(LAW)                                                                                                \
    LAW(CALLS, "every call gives an answer, whose numbers are in order")                                               \
    LAW(ALONG_TRUTH, "the depth along a direction is that of the pieces")                                              \
    LAW(ALONG_ROUNDED, "and is rounded to nearest")                                                                    \
    LAW(ALONG_LENGTH, "a direction's length does not matter")                                                          \
    LAW(ALONG_ZERO, "no depth <=> the insides are disjoint")                                                           \
    LAW(ALONG_FREE, "after the depth the insides are disjoint")                                                        \
    LAW(ALONG_BEFORE, "before the depth they are not")                                                                 \
    LAW(ALONG_SWAPPED, "the depth of B in A along -d is that of A in B along d")                                       \
    LAW(ALONG_METHODS, "depths by all methods")

typedef enum agree_law {
#define AGREE_ENUM(name, text) AGREE_LAW_##name,
    AGREE_LAWS(AGREE_ENUM)
#undef AGREE_ENUM
    AGREE_LAW_COUNT
} agree_law;

typedef struct agree_run {
    grz_device *device;
    grz_result *result;
    const agree_situation *now;
    grz_object objects[2]; // of `now`
    uint64_t seed;         // of `now`
    bool broke;            // a law was broken in `now`
    bool of_bytes;         // `now` comes from a fuzzer's input
    uint64_t situations[AGREE_KIND_COUNT];
    uint64_t applied[AGREE_LAW_COUNT], broken[AGREE_LAW_COUNT];
    uint64_t exact_depths, wide_depths; // answers whose bounds are neighbours, and others
    // The same for each law and kind: how many breaches were printed.
    uint8_t printed[AGREE_LAW_COUNT][AGREE_KIND_COUNT];
} agree_run;

void agree_run_open(agree_run *run);
void agree_run_close(agree_run *run);

// Make the situation of a seed, or of a fuzzer's bytes, and ask all laws. Returns whether all hold.
bool agree_run_seed(agree_run *run, uint64_t seed);
bool agree_run_bytes(agree_run *run, const uint8_t *data, size_t size);

// Add what `more` has counted.
void agree_run_add(agree_run *run, const agree_run *more);
// Print a table of the laws: how often each applied, and was broken.
void agree_run_print(const agree_run *run);

// Count a law. If it does not hold, print it with both answers, which `format` and what follows tell. Returns `holds`.
bool agree_law_holds(agree_run *run, agree_law law, bool holds, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// The laws, by subject.
void agree_laws_of_penetration(agree_run *run);

#endif
