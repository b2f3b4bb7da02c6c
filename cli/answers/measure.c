// SPDX-License-Identifier: MIT
// Reads the clock and the process's own account.

#define _POSIX_C_SOURCE 200809L

#include "answers/measure.h"

#include <sys/resource.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static double peak_memory_mb(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return (double)usage.ru_maxrss / 1024.0; // Linux counts in KiB
}

measures measure_begin(void)
{
    return (measures){.start_ms = now_ms()};
}

void measure_loaded(measures *measured)
{
    measured->load_ms = now_ms() - measured->start_ms;
}

void measure_end(measures *measured)
{
    measured->total_ms = now_ms() - measured->start_ms;
    measured->peak_memory_mb = peak_memory_mb();
}
