// SPDX-License-Identifier: MIT
// What a run of a command costs: time by the monotonic clock, and memory.
#ifndef GRZ_CLI_MEASURE_H
#define GRZ_CLI_MEASURE_H

typedef struct measures {
    double start_ms;          // on the clock
    double load_ms, total_ms; // from the start
    double peak_memory_mb;    // the most that the process had
} measures;

// Start the clock.
measures measure_begin(void);

// All files are read.
void measure_loaded(measures *measured);

// The answer is found.
void measure_end(measures *measured);

#endif
