// SPDX-License-Identifier: MIT
// Wall-clock time that never runs backwards.
#ifndef GRZ_BASE_CLOCK_H
#define GRZ_BASE_CLOCK_H

// Seconds since some fixed moment.
double grz_clock_seconds(void);

#endif
