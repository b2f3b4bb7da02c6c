// SPDX-License-Identifier: MIT
// What fuzz_collide and fuzz_self share: one question asked by every method, which must give the same bytes, and the same question
// with other options, whose answers must fit. A broken law ends the program.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_QUERIES_H
#define GRZ_TESTS_SUPPORT_FUZZ_QUERIES_H

#include "fuzz_input.h"
#include "support_queries.h"

enum {
    FUZZ_FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT
};

// The fuzzers' device, of one thread; opened by the first call and never closed.
grz_device *fuzz_device(void);

// The answer with everything in it, the same from every method; `b` NULL: a with itself. Returns false where all methods refuse the
// question in the same way, which only a pose may cause. Finish the answer where true.
bool fuzz_ask(const grz_object *a, const grz_object *b, test_answer *answer);

// The answer of the method that the library chooses, for comparing one question with another; `find` as in the options. The
// question must be one that is not refused.
test_answer fuzz_ask_once(const grz_object *a, const grz_object *b, uint32_t find);

// Ask again with options that the input chooses: less to find, fewer pairs allowed, a raised cancel flag, no time at all.
void fuzz_ask_otherwise(fuzz_input *in, const grz_object *a, const grz_object *b, const test_answer *answer);

#endif
