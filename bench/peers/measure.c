// SPDX-License-Identifier: MIT
// Clock, cores, memory, passes and medians, children.
#define _GNU_SOURCE // sched_setaffinity
#include "measure.h"

#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned pinned_threads = 1;
static bool long_queries; // long enough for a second clock, which takes a system call

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

stopwatch measure_start(void)
{
    stopwatch start = {0};
    if (long_queries)
        start.processor = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    start.wall = read_clock(CLOCK_MONOTONIC);
    return start;
}

double measure_stop(stopwatch start)
{
    const double wall = read_clock(CLOCK_MONOTONIC) - start.wall;
    return long_queries ? fmin(wall, read_clock(CLOCK_PROCESS_CPUTIME_ID) - start.processor) : wall;
}

void measure_by_wall(void)
{
    long_queries = false;
    pinned_threads = 0;
}

double measure_clock_cost(void)
{
    enum {
        TIMES = 100000
    };
    double sum = 0;
    for (int i = 0; i < TIMES; i++)
        sum += measure_stop(measure_start());
    return 1e6 * sum / TIMES;
}

void measure_pin(unsigned threads)
{
    cpu_set_t allowed, chosen;
    CPU_ZERO(&chosen);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        peer_die("the cores that may be used are not known");
    unsigned left = threads;
    for (size_t core = CPU_SETSIZE; core > 0 && left > 0; core--)
        if (CPU_ISSET(core - 1, &allowed)) {
            CPU_SET(core - 1, &chosen);
            left--;
        }
    if (left > 0)
        peer_die("not enough cores");
    pinned_threads = threads;
    long_queries = threads == 1; // until the first queries show how long they are
    if (sched_setaffinity(0, sizeof chosen, &chosen) != 0)
        peer_die("could not be kept to one core");
}

size_t measure_malloc(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static int compare_doubles(const void *x, const void *y)
{
    const double *p = x, *q = y;
    return (*p > *q) - (*p < *q);
}

double measure_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double mean(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

enum {
    MAX_PASSES = 16
};

// Find out whether queries are long. @return the stride: one query in so many is run. It follows from the time of some
// queries, with the work outside of the measurement.
static uint32_t stride_for(const settings *set, measure_ask *ask, void *context, uint32_t count)
{
    enum {
        MAX_PROBES = 3
    };
    const int probes = set->quick ? 2 : MAX_PROBES;
    double asking[MAX_PROBES], all[MAX_PROBES];
    for (int i = 0; i < probes; i++) {
        const stopwatch start = measure_start();
        asking[i] = ask(context, (uint32_t)((uint64_t)(count - 1) * (unsigned)i / (unsigned)(probes - 1)), false);
        all[i] = measure_stop(start);
    }
    long_queries = pinned_threads == 1 && measure_median(asking, probes) > 100e-6;
    const double stride = ceil(measure_median(all, probes) * count * (set->passes + 1) / set->budget);
    return stride < 1 ? 1 : stride > count ? count : (uint32_t)stride;
}

// Means of the medians (or of the means, if the settings say so) of all but the first pass; `times` has a line for each
// query asked.
static void summarise(const settings *set, double (*times)[MAX_PASSES], uint32_t stride, measure_truth *truth,
                      const void *context, double *reference, bool is_reference, figures *out)
{
    double sums[2] = {0, 0}, first = 0, here = 0, ours = 0;
    for (uint32_t i = 0; i < out->asked; i++) {
        const bool hit = truth(context, i * stride);
        first += times[i][0];
        const double warm = set->means ? mean(times[i] + 1, set->passes) : measure_median(times[i] + 1, set->passes);
        sums[hit] += warm;
        out->hits += hit;
        if (is_reference)
            reference[i * stride] = warm;
        if (reference[i * stride] > 0) // a query that Graze was asked too
            here += warm, ours += reference[i * stride];
    }
    out->mean = 1e6 * (sums[0] + sums[1]) / out->asked;
    out->hit = out->hits > 0 ? 1e6 * sums[1] / out->hits : (double)NAN;
    out->clear = out->hits < out->asked ? 1e6 * sums[0] / (out->asked - out->hits) : (double)NAN;
    out->first = 1e6 * first / out->asked;
    out->ratio = ours > 0 ? here / ours : (double)NAN;
}

void measure_queries(const settings *set, measure_ask *ask, measure_truth *truth, void *context, uint32_t count,
                     double *reference, bool is_reference, figures *out)
{
    const uint32_t stride = stride_for(set, ask, context, count);
    out->total = count;
    out->asked = (count + stride - 1) / stride;
    double(*times)[MAX_PASSES] = calloc(out->asked, sizeof *times);
    if (!times || set->passes >= MAX_PASSES)
        peer_die("out of memory for times");
    for (int pass = 0; pass <= set->passes; pass++)
        for (uint32_t i = 0; i < out->asked; i++) {
            const uint32_t query = pass % 2 == 0 ? i : out->asked - 1 - i;
            times[query][pass] = ask(context, query * stride, pass == 0);
        }
    summarise(set, times, stride, truth, context, reference, is_reference, out);
    free(times);
}

void *measure_share(size_t bytes)
{
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        peer_die("out of memory to share");
    return shared;
}

void measure_in_child(void (*work)(void *context, figures *out), void *context, unsigned seconds, figures *out)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        peer_die(strerror(errno));
    if (child == 0) {
        alarm(seconds);
        work(context, out);
        fflush(NULL);
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            peer_die(strerror(errno));
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(out->trouble, sizeof out->trouble, "not done in %u s", seconds);
    else if (WIFSIGNALED(status))
        snprintf(out->trouble, sizeof out->trouble, "died of signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(out->trouble, sizeof out->trouble, "ended with status %d", WEXITSTATUS(status));
}
