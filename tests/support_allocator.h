// SPDX-License-Identifier: MIT
// An allocator that counts, poisons, moves blocks at every chance, checks each size that it is given, and fails when told to.
#ifndef GRZ_TESTS_SUPPORT_ALLOCATOR_H
#define GRZ_TESTS_SUPPORT_ALLOCATOR_H

#include <pthread.h>

#include <graze/graze.h>

// Start with .lock = PTHREAD_MUTEX_INITIALIZER, all else zero.
typedef struct test_strict_allocator {
    pthread_mutex_t lock;
    long calls, blocks, bytes;
    long fail_at;  // the number of the call that fails, from 1; 0: none
    bool for_good; // all later ones, too
    bool failed, misused;
} test_strict_allocator;

// As an option of a device. `strict` outlives the device.
grz_allocator test_strict_allocator_of(test_strict_allocator *strict);

#endif
