// SPDX-License-Identifier: MIT
// Shared by fuzz_collide and fuzz_self. One query is run with every method, and all must give the same bytes. The query
// is then repeated with other options, and the answers must be consistent. A broken law ends the program.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_QUERIES_H
#define GRZ_TESTS_SUPPORT_FUZZ_QUERIES_H

#include "fuzz_input.h"
#include "support_queries.h"

enum {
    FUZZ_FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT
};

// The fuzzers' device with one thread. The first call opens it; it is never closed.
grz_device *fuzz_device(void);

// Query everything with every method, and require the same answer from each. If `b` is NULL, the query is a with
// itself. False if all methods refuse the query in the same way; only a pose may cause that. If true, the caller
// finishes the answer.
bool fuzz_ask(const grz_object *a, const grz_object *b, test_answer *answer);

// Query with the method that the library chooses, for comparing one query with another. `find` is as in the options.
// The query must not be refused.
test_answer fuzz_ask_once(const grz_object *a, const grz_object *b, uint32_t find);

// Repeat the query with options taken from the input: less to find, a smaller max_pairs, a cancel flag that is set, a
// deadline that has passed.
void fuzz_ask_otherwise(fuzz_input *in, const grz_object *a, const grz_object *b, const test_answer *answer);

#endif
