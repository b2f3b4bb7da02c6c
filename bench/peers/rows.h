// SPDX-License-Identifier: MIT
// The rows of the benchmark: what each one prepares, and how it measures one library.
#ifndef GRZ_BENCH_PEERS_ROWS_H
#define GRZ_BENCH_PEERS_ROWS_H

#include "measure.h"
#include "truth.h"

typedef struct row_work {
    const settings *set;
    const void *data; // what prepare() returned
    const peer *peer;
    double *reference; // Graze's time for each query, shared; zeros where Graze was not asked
    bool is_reference; // this is Graze on one thread
} row_work;

typedef struct row {
    const char *name;  // what --rows names; rows that share one are its parts
    const char *label; // of the part; --rows takes it too
    const char *title; // of the table
    const char *part;  // what figures::part is, or NULL
    void *subject;     // what prepare() is given, where rows share one; or NULL
    // Meshes, poses, truth. `about` receives a line on what was made. Called once; what it makes lives as long as the
    // program. NULL: these settings leave the row out.
    const void *(*prepare)(const settings *set, void *subject, char about[256]);
    uint32_t (*queries)(const void *data);
    bool (*can)(const peer *p);
    // In a child. The library has been started.
    void (*measure)(const row_work *work, figures *out);
} row;

// Count the true, missing and invented pairs of one answer. Both lists are sorted.
static inline void figures_add_pairs(figures *out, const peer_pair *truth, size_t count, const peer_pairs *answer)
{
    out->true_pairs += count;
    out->missing += pairs_lacking(truth, count, answer->items, answer->count);
    out->invented += pairs_lacking(answer->items, answer->count, truth, count);
}

typedef struct row_list {
    const row *items;
    size_t count;
} row_list;

// rows_NAME() for each file rows/row_NAME.c.
#define ROWS(name) row_list rows_##name(void);
#include "rows/row_list.h"
#undef ROWS

#endif
