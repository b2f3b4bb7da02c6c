// SPDX-License-Identifier: MIT
// A test that tells many pairs apart between some surfaces, and only costs time between others. It is tried, given up
// where it tells too little, and tried again later.
#ifndef GRZ_ASK_DISTANCE_TRIAL_H
#define GRZ_ASK_DISTANCE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GRZ_TRIAL_ROUND = 8192, // pairs
    GRZ_TRIAL_SAMPLE = 512, // the first so many of a round are tested anyway
    GRZ_TRIAL_WORTH = 32    // of so many pairs one must be told apart
};

// Of this round. All zero at first.
typedef struct grz_trial {
    uint32_t pairs, far_apart;
} grz_trial;

// True if the next pair is to be tested.
static inline bool grz_trial_is_worth(const grz_trial *trial)
{
    return trial->pairs < GRZ_TRIAL_SAMPLE || trial->far_apart >= trial->pairs / GRZ_TRIAL_WORTH;
}

// Count a pair, tested or not, and whether the test told it apart.
static inline void grz_trial_count(grz_trial *trial, bool far_apart)
{
    if (++trial->pairs == GRZ_TRIAL_ROUND)
        *trial = (grz_trial){0};
    trial->far_apart += far_apart;
}

#endif
