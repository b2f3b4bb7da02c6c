// SPDX-License-Identifier: MIT
// What the smaller benchmarks share: the clock, memory, and the end of the program at an error.
#ifndef GRZ_BENCH_BENCH_H
#define GRZ_BENCH_BENCH_H

#include <graze/status.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// CLOCK_PROCESS_CPUTIME_ID: processor time of all threads. CLOCK_MONOTONIC: time on the wall, which is what matters
// where OpenGL has threads of its own.
static inline double bench_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// End the program if a call failed.
static inline void bench_need(grz_status status, const grz_error *error)
{
    if (status == GRZ_OK)
        return;
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

// Memory filled with zeros.
static inline void *bench_allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (block == NULL) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    return block;
}

#endif
