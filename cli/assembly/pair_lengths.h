// SPDX-License-Identifier: MIT
// Lengths for pairs of objects, as `--clearance A:B=D` and `--deeper-than A:B=D` give them. Of several that name a
// pair, the first counts.
#ifndef GRZ_CLI_ASSEMBLY_PAIR_LENGTHS_H
#define GRZ_CLI_ASSEMBLY_PAIR_LENGTHS_H

#include "assembly/exclusions.h"

typedef struct pair_lengths {
    exclusions pairs; // the number of each pair's rule is its `why`
    double *lengths;  // of each rule
    double largest;   // of all rules; 0: there are none
} pair_lengths;

// Read the values of an option that name pairs. On failure returns false, and `message` holds one line.
// pair_lengths_finish() is due in any case.
bool pair_lengths_read(const options *given, uint64_t option, const char *name, const scene_objects *objects,
                       pair_lengths *out, char message[LOAD_MESSAGE_SIZE]);

// The length for a pair, a < b; NULL: none names it.
const double *pair_lengths_find(const pair_lengths *lengths, uint32_t a, uint32_t b);

void pair_lengths_finish(pair_lengths *lengths);

#endif
