// SPDX-License-Identifier: MIT
// Runs blocks of pairs on threads. Blocks are numbered over all classes, and an atomic counter assigns them to threads.
// Every block has its own stream of random numbers (random_stream_of_block), so it does not matter which thread runs
// it.
#include "block_runner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct shared_run {
    uint64_t pairs_per_class, blocks_per_class;
    uint32_t block_size;
    block_task *task;
    atomic_uint_fast64_t next;
    atomic_bool stop;
} shared_run;

typedef struct thread_argument {
    shared_run *run;
    void *worker;
} thread_argument;

uint64_t oracle_pairs(void)
{
    const char *text = getenv("GRZ_ORACLE_PAIRS");
    unsigned long long pairs = text ? strtoull(text, NULL, 10) : 0;
    return pairs ? pairs : UINT64_C(2000000);
}

int block_worker_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > BLOCK_MAX_WORKERS ? BLOCK_MAX_WORKERS : (int)cores;
}

static void *run_thread(void *argument)
{
    const thread_argument *mine = argument;
    shared_run *run = mine->run;
    uint64_t total = run->blocks_per_class * PAIR_CLASS_COUNT;
    for (;;) {
        uint64_t number = atomic_fetch_add(&run->next, 1);
        if (number >= total || atomic_load(&run->stop))
            return NULL;
        uint64_t block = number / PAIR_CLASS_COUNT;
        uint64_t left = run->pairs_per_class - block * run->block_size;
        uint32_t count = left < run->block_size ? (uint32_t)left : run->block_size;
        if (!run->task(mine->worker, (pair_class)(number % PAIR_CLASS_COUNT), block, count))
            atomic_store(&run->stop, true);
    }
}

bool run_blocks(uint64_t pairs_per_class, uint32_t block_size, block_task *task, void *const workers[],
                int worker_count)
{
    shared_run run = {.pairs_per_class = pairs_per_class, .block_size = block_size, .task = task};
    run.blocks_per_class = (pairs_per_class + block_size - 1) / block_size;
    atomic_init(&run.next, 0);
    atomic_init(&run.stop, false);
    thread_argument arguments[BLOCK_MAX_WORKERS];
    pthread_t threads[BLOCK_MAX_WORKERS];
    int started = 0;
    while (started < worker_count) {
        arguments[started] = (thread_argument){&run, workers[started]};
        if (pthread_create(&threads[started], NULL, run_thread, &arguments[started]) != 0)
            break;
        started++;
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return started > 0 && !atomic_load(&run.stop);
}

static void print_triangle(const char *name, const double t[3][3])
{
    printf("  const double %s[3][3] = {", name);
    for (int i = 0; i < 3; i++)
        printf("%s{%a, %a, %a}", i ? ", " : "", t[i][0], t[i][1], t[i][2]);
    printf("};\n");
}

void print_failing_pair(const char *what, pair_class group, uint64_t block, uint32_t index, const double a[3][3],
                        const double b[3][3])
{
    flockfile(stdout);
    printf("FAILED: %s (class %s, block %llu, pair %u)\n", what, pair_class_name(group), (unsigned long long)block,
           (unsigned)index);
    print_triangle("a", a);
    print_triangle("b", b);
    fflush(stdout);
    funlockfile(stdout);
}
