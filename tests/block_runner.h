// SPDX-License-Identifier: MIT
// Runs the big exact tests on all cores: the pairs of each class are cut into blocks with a seed each, threads take the blocks in
// turn, and the outcome is the same for any number of threads. A failing pair is printed so that it can be pasted into a test.
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

// How many pairs of triangles the tests shall try in all: GRZ_ORACLE_PAIRS from the environment, or ten million.
uint64_t oracle_pairs(void);

// How many workers run_blocks() wants: the cores, at most BLOCK_MAX_WORKERS.
int block_worker_count(void);

// Run the task on blocks of `block_size` pairs (the last may be shorter) of every class. workers[i] is used by one thread at a
// time. True where every block was run and none said stop.
bool run_blocks(uint64_t pairs_per_class, uint32_t block_size, block_task *task, void *const workers[], int worker_count);

// Print what failed, where, and the pair as C initialisers in hexadecimal.
void print_failing_pair(const char *what, pair_class group, uint64_t block, uint32_t index, const double a[3][3],
                        const double b[3][3]);

#endif
