// SPDX-License-Identifier: MIT
// Reads the monotonic clock of POSIX. Returns 0 if the system has none.
#include "base/clock.h"

#include <time.h>

double grz_clock_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0.0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
