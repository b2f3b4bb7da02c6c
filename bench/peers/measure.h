// SPDX-License-Identifier: MIT
// How a library is measured: in a process of its own, pinned, each query timed alone, in several passes over all
// queries; kept is each query's median of all passes but the first, and the first pass apart.
#ifndef GRZ_BENCH_PEERS_MEASURE_H
#define GRZ_BENCH_PEERS_MEASURE_H

#include "peer.h"

typedef struct settings {
    bool quick;
    const char *rows;       // names with commas between them; NULL: all
    const char *libraries;  // likewise
    const char *csv, *plot; // files to write, or NULL
    const char *large;      // a mesh to take in place of W2's generated ones, or NULL
    const char *data;       // folder of the sample meshes
    int passes;             // warm ones
    bool means;             // a query's figure is the mean of its passes, not the median
    double
        budget; // seconds that one way may take for a row's queries, about; fewer queries are asked where it is too slow
} settings;

// What came out for one way of asking and one row. Times in microseconds; NAN where there is none.
typedef struct figures {
    char trouble[96];        // why there are none; empty where there are
    uint32_t total, asked;   // queries of the row, and how many of them, evenly spread, were asked
    uint32_t hits;           // of those asked: how many touch in truth
    double mean, hit, clear; // of the queries' medians: over all, over those that touch, over those that do not
    double first;            // mean over all in the first pass
    double part;             // of `mean`, what the row names apart: a refit alone (W3)
    double ratio;            // time over Graze's time for the same queries
    uint32_t wrong_no, wrong_yes;
    bool lists; // whether the next three mean something
    uint64_t true_pairs, missing, invented;
    uint64_t by_rounding; // of all that is wrong: what is right for the moved positions rounded to float
    double build_ms;      // of A and B together
    double build_ns;      // the same per triangle; NAN where the row has no build of triangles
    double bytes;         // per triangle, beyond the caller's arrays
} figures;

// Where a measurement began.
typedef struct stopwatch {
    double wall, processor;
} stopwatch;

// @return seconds from start to stop. By the wall clock; but on one thread a query of 100 µs or more is given no more
//     than the processor time that it took, so that other programs on the same core do not count.
stopwatch measure_start(void);
double measure_stop(stopwatch start);

// From now on measure by the wall clock alone: for what works elsewhere than on the processor, such as a GPU, while the
// process sleeps.
void measure_by_wall(void);

// What measuring nothing gives, on average: it is in every query's time. Microseconds.
double measure_clock_cost(void);

// The middle one of some values, which are sorted in place.
double measure_median(double *values, int count);

// Keep this process, and threads that it starts, to the last `threads` cores that it may use.
void measure_pin(unsigned threads);

// Bytes that malloc has handed out.
size_t measure_malloc(void);

// One query: asks, compares with the truth where `judge` is set, and returns the seconds that the asking took.
typedef double measure_ask(void *context, uint32_t query, bool judge);

// Whether a query touches in truth.
typedef bool measure_truth(const void *context, uint32_t query);

// Ask all queries, or evenly spread ones where the budget is too small for all, in all passes; every second pass goes
// backwards, so that what moves from query to query moves on. Fills in times and counts. `reference` holds Graze's
// times for each query: written where `is_reference`, else compared with.
void measure_queries(const settings *set, measure_ask *ask, measure_truth *truth, void *context, uint32_t count,
                     double *reference, bool is_reference, figures *out);

// Run `work(context, out)` in a child, with a limit of seconds; where it dies, out->trouble says how. `out` and
// whatever else the work writes for the parent must be from measure_share().
void measure_in_child(void (*work)(void *context, figures *out), void *context, unsigned seconds, figures *out);

// Zeroed memory that children and parent share. Never freed.
void *measure_share(size_t bytes);

#endif
