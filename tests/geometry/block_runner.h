// SPDX-License-Identifier: MIT
// Runs the big exact tests on all cores. The pairs of each class are divided into blocks, each with its own seed, and
// threads take the blocks one by one. The result does not depend on the number of threads. A failing pair is printed so
// that it can be pasted into a test.
#ifndef GRZ_TESTS_BLOCK_RUNNER_H
#define GRZ_TESTS_BLOCK_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "pair_generator.h"

enum {
    BLOCK_MAX_WORKERS = 16
};

// One block's work on a worker's own data. Returns false to stop the run.
typedef bool block_task(void *worker, pair_class group, uint64_t block, uint32_t count);

// How many pairs of triangles the tests try in total: GRZ_ORACLE_PAIRS from the environment, or two million.
uint64_t oracle_pairs(void);

// How many workers run_blocks() needs: the number of cores, at most BLOCK_MAX_WORKERS.
int block_worker_count(void);

// Run the task on blocks of `block_size` pairs (the last may be shorter) of every class. Only one thread at a time uses
// workers[i]. True if all blocks were run and no task stopped the run.
bool run_blocks(uint64_t pairs_per_class, uint32_t block_size, block_task *task, void *const workers[],
                int worker_count);

// Print what failed and where, and the pair as C initialisers in hexadecimal.
void print_failing_pair(const char *what, pair_class group, uint64_t block, uint32_t index, const double a[3][3],
                        const double b[3][3]);

#endif
