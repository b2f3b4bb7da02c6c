// SPDX-License-Identifier: MIT
// A strict allocator for tests. It counts calls, blocks and bytes, fills new and released memory with a pattern, moves
// blocks at every reallocation, checks the sizes that it is given, and can be told to fail at a certain call.
#ifndef GRZ_TESTS_SUPPORT_ALLOCATOR_H
#define GRZ_TESTS_SUPPORT_ALLOCATOR_H

#include <pthread.h>

#include <graze/graze.h>

// Initialise .lock with PTHREAD_MUTEX_INITIALIZER and everything else with zero.
typedef struct test_strict_allocator {
    pthread_mutex_t lock;
    long calls, blocks, bytes;
    long most;     // the largest number of bytes so far
    long fail_at;  // the number of the call that fails, from 1; 0: no call fails
    bool for_good; // all calls after that one fail, too
    bool failed, misused;
} test_strict_allocator;

// The allocator to put into a device's options. `strict` must outlive the device.
grz_allocator test_strict_allocator_of(test_strict_allocator *strict);

#endif
