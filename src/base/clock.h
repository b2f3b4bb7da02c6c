// SPDX-License-Identifier: MIT
// Elapsed time from a clock that never goes backwards. Use it for durations and deadlines, not for the time of day.
#ifndef GRZ_BASE_CLOCK_H
#define GRZ_BASE_CLOCK_H

// Seconds since some fixed moment. Only the difference of two calls has a meaning.
double grz_clock_seconds(void);

#endif
