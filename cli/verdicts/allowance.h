// SPDX-License-Identifier: MIT
// What --allow-touching makes of an answer: solids that only touch are fine.
#ifndef GRZ_CLI_VERDICTS_ALLOWANCE_H
#define GRZ_CLI_VERDICTS_ALLOWANCE_H

#include <graze/graze.h>

typedef enum allowance {
    ALLOWANCE_FINE,    // they are apart, or only touch
    ALLOWANCE_UNKNOWN, // they touch, or one may hold the other, and a mesh is open
    ALLOWANCE_REFUSED, // their insides overlap, one holds the other, or they are the same
    ALLOWANCE_COUNT
} allowance;

// How two objects stand that relate so. GRZ_SOLIDS_NOT_ASKED counts as undecidable.
allowance allowance_of(grz_relation relation, grz_containment containment, grz_solids solids);

#endif
