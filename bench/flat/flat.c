// SPDX-License-Identifier: MIT
// What <graze/flat.h> costs by each search: sets of 1,000 to 1,000,000 points, boxes and segments, spread evenly or in
// clusters. Prints a table; times are the least of some runs, in seconds of the processor. All searches must give the
// same answers: else the program ends with 1. "-": left out, because it would take minutes.
// Usage: bench_flat [LARGEST [CSV]]
#include <graze/flat.h>

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../bench.h"

enum {
    SEARCHES = 4,
    QUERIES = 2000,
    RUNS = 3,
    ROOM = 1 << 12,
    CLUSTERS = 64
};

static const char *const names[SEARCHES] = {"naive", "grid", "quadtree", "sweep"};

// From 0 to 1 (splitmix64).
static double next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

typedef struct plane {
    bool clustered;
    uint32_t count;
    double spacing; // about the distance of neighbours
    grz_flat_item *items, *moved;
    double centres[2 * CLUSTERS];
} plane;

static void random_point(const plane *p, uint64_t *state, double out[2])
{
    const size_t cluster = (size_t)(next_random(state) * CLUSTERS);
    for (int k = 0; k < 2; k++) {
        const double u = next_random(state);
        // Denser towards the middle of a cluster, whose radius is a hundredth of the plane.
        out[k] = p->clustered ? p->centres[2 * cluster + (size_t)k] + 0.01 * (2.0 * u - 1.0) * next_random(state) : u;
    }
}

static plane make_plane(bool clustered, uint32_t count)
{
    plane p = {.clustered = clustered, .count = count};
    uint64_t state = 1;
    p.items = bench_allocate(count, sizeof *p.items);
    p.moved = bench_allocate(count, sizeof *p.moved);
    for (int i = 0; i < 2 * CLUSTERS; i++)
        p.centres[i] = next_random(&state);
    p.spacing = clustered ? 0.01 * sqrt(2.0 * CLUSTERS / count) : sqrt(1.0 / count);
    for (uint32_t i = 0; i < count; i++) {
        double at[2], size[2], way[2];
        random_point(&p, &state, at);
        for (int k = 0; k < 2; k++) {
            size[k] = 0.5 * p.spacing * next_random(&state);
            way[k] = 0.25 * p.spacing * (2.0 * next_random(&state) - 1.0);
        }
        p.items[i] = i % 3 == 0   ? grz_flat_box(at[0], at[1], at[0] + size[0], at[1] + size[1])
                     : i % 3 == 1 ? grz_flat_segment(at[0], at[1] + size[1], at[0] + size[0], at[1])
                                  : grz_flat_point(at[0], at[1]);
        p.moved[i] = p.items[i];
        for (int k = 0; k < 2; k++) {
            p.moved[i].from[k] += way[k];
            p.moved[i].to[k] += way[k];
        }
    }
    return p;
}

// What one search took, in seconds; below 0: left out. And a number that all its answers go into.
typedef struct row {
    double build, few, all, pairs, box, circle, nearest, first, every;
    uint64_t pair_count, sum;
} row;

static double now(void)
{
    return bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void keep_least(double *least, double begin, double share)
{
    const double took = (now() - begin) / share;
    *least = *least < 0.0 || took < *least ? took : *least;
}

static void add_to_sum(row *r, uint64_t x)
{
    r->sum = (r->sum ^ x) * UINT64_C(0x100000001b3);
}

static void measure_updates(grz_flat *flat, const plane *p, row *r)
{
    grz_error error;
    const uint32_t few = p->count / 100 > 0 ? p->count / 100 : 1;
    uint32_t *numbers = bench_allocate(few, sizeof *numbers);
    for (uint32_t i = 0; i < few; i++)
        numbers[i] = i;
    for (int run = 0; run < RUNS; run++) {
        double begin = now();
        bench_need(grz_flat_move(flat, numbers, p->moved, few, NULL, &error), &error);
        bench_need(grz_flat_move(flat, numbers, p->items, few, NULL, &error), &error);
        keep_least(&r->few, begin, 2.0 * few);
        begin = now();
        bench_need(grz_flat_move(flat, NULL, p->moved, p->count, NULL, &error), &error);
        keep_least(&r->all, begin, 1.0);
        bench_need(grz_flat_move(flat, NULL, p->items, p->count, NULL, &error), &error);
    }
    free(numbers);
}

static void measure_pairs(const grz_flat *flat, row *r)
{
    grz_error error;
    grz_flat_pair *pairs;
    for (int run = 0; run < RUNS; run++) {
        const double begin = now();
        bench_need(grz_flat_pairs(flat, NULL, NULL, 0, &r->pair_count, &error), &error);
        keep_least(&r->pairs, begin, 1.0);
    }
    pairs = bench_allocate(r->pair_count + 1, sizeof *pairs);
    bench_need(grz_flat_pairs(flat, NULL, pairs, r->pair_count, &r->pair_count, &error), &error);
    for (uint64_t i = 0; i < r->pair_count; i++)
        add_to_sum(r, (uint64_t)pairs[i].a << 32 | pairs[i].b);
    free(pairs);
}

static void measure_ranges(const grz_flat *flat, const plane *p, uint32_t queries, row *r)
{
    static uint32_t numbers[ROOM];
    grz_error error;
    for (int run = 0; run < RUNS; run++)
        for (int circle = 0; circle < 2; circle++) {
            uint64_t state = 5, found;
            const double begin = now();
            for (uint32_t i = 0; i < queries; i++) {
                double at[2];
                random_point(p, &state, at);
                const double high[2] = {at[0] + 3.0 * p->spacing, at[1] + 3.0 * p->spacing};
                if (circle != 0)
                    bench_need(grz_flat_in_circle(flat, at, 1.7 * p->spacing, NULL, numbers, ROOM, &found, &error),
                               &error);
                else
                    bench_need(grz_flat_in_box(flat, at, high, NULL, numbers, ROOM, &found, &error), &error);
                for (uint64_t k = 0; k < found && k < ROOM && run == 0; k++)
                    add_to_sum(r, numbers[k]);
            }
            keep_least(circle != 0 ? &r->circle : &r->box, begin, queries);
        }
}

static void measure_nearest(const grz_flat *flat, const plane *p, uint32_t queries, row *r)
{
    static double points[2 * QUERIES];
    static grz_flat_near near[QUERIES];
    uint64_t state = 6;
    grz_error error;
    for (uint32_t i = 0; i < queries; i++)
        random_point(p, &state, points + 2 * (size_t)i);
    for (int run = 0; run < RUNS; run++) {
        const double begin = now();
        bench_need(grz_flat_nearest(flat, points, queries, NULL, near, &error), &error);
        keep_least(&r->nearest, begin, queries);
    }
    for (uint32_t i = 0; i < queries; i++)
        add_to_sum(r, near[i].number);
}

static void measure_rays(const grz_flat *flat, const plane *p, uint32_t queries, row *r)
{
    static grz_flat_ray rays[QUERIES];
    static grz_flat_hit hits[QUERIES > ROOM ? QUERIES : ROOM];
    uint64_t state = 7, found;
    grz_error error;
    for (uint32_t i = 0; i < queries; i++) { // from anywhere to anywhere
        random_point(p, &state, rays[i].from);
        random_point(p, &state, rays[i].to);
        rays[i].endless = true;
    }
    for (int run = 0; run < RUNS; run++) {
        double begin = now();
        bench_need(grz_flat_first_hits(flat, rays, queries, NULL, hits, &error), &error);
        keep_least(&r->first, begin, queries);
        for (uint32_t i = 0; i < queries && run == 0; i++)
            add_to_sum(r, hits[i].number);
        const uint32_t some = queries / 10 > 0 ? queries / 10 : 1;
        begin = now();
        for (uint32_t i = 0; i < some; i++) {
            bench_need(grz_flat_all_hits(flat, &rays[i], NULL, hits, ROOM, &found, &error), &error);
            for (uint64_t k = 0; k < found && k < ROOM && run == 0; k++)
                add_to_sum(r, hits[k].number);
        }
        keep_least(&r->every, begin, some);
    }
}

static row measure(grz_device *device, const plane *p, grz_flat_search search, uint32_t queries, bool with_pairs)
{
    row r = {-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 0, 0};
    grz_flat_options options = grz_default_flat_options();
    grz_flat *flat = NULL;
    grz_error error;
    options.search = search;
    for (int run = 0; run < RUNS; run++) {
        grz_flat_destroy(flat);
        const double begin = now();
        bench_need(grz_flat_create(device, p->items, p->count, &options, &flat, &error), &error);
        keep_least(&r.build, begin, 1.0);
    }
    measure_updates(flat, p, &r);
    measure_ranges(flat, p, queries, &r);
    measure_nearest(flat, p, queries, &r);
    measure_rays(flat, p, queries, &r);
    if (with_pairs)
        measure_pairs(flat, &r);
    grz_flat_destroy(flat);
    return r;
}

static void print_time(double seconds, double unit, FILE *csv)
{
    if (seconds < 0.0)
        printf(" %9s", "-");
    else
        printf(" %9.3g", seconds * unit);
    if (csv != NULL)
        fprintf(csv, seconds < 0.0 ? "," : ",%.6g", seconds);
}

static void print_row(const plane *p, int search, const row *r, FILE *csv)
{
    const double times[] = {r->build, r->few, r->all, r->pairs, r->box, r->circle, r->nearest, r->first, r->every},
                 units[] = {1e3, 1e6, 1e3, 1e3, 1e6, 1e6, 1e6, 1e6, 1e6};
    printf("%-9s %8" PRIu32 " %-9s", p->clustered ? "clusters" : "even", p->count, names[search]);
    if (csv != NULL)
        fprintf(csv, "%s,%" PRIu32 ",%s", p->clustered ? "clusters" : "even", p->count, names[search]);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        print_time(times[i], units[i], csv);
    printf(" %10" PRIu64 "\n", r->pair_count);
    if (csv != NULL)
        fprintf(csv, ",%" PRIu64 "\n", r->pair_count);
    fflush(stdout);
}

// All searches over one plane. False: their answers differ.
static bool compare(grz_device *device, bool clustered, uint32_t count, FILE *csv)
{
    const plane p = make_plane(clustered, count);
    const uint32_t naive_queries = count > 200000 ? 10 : count > 20000 ? 100 : 1000;
    row few[SEARCHES];
    bool same = true;
    for (int search = 0; search < SEARCHES; search++) {
        const bool with_pairs = search > 0 || count <= 30000;
        few[search] = measure(device, &p, (grz_flat_search)search, naive_queries, false);
        row r = few[search];
        if (search > 0)
            r = measure(device, &p, (grz_flat_search)search, QUERIES, true);
        else if (with_pairs)
            r = measure(device, &p, (grz_flat_search)search, naive_queries, true);
        print_row(&p, search, &r, csv);
        if (few[search].sum != few[0].sum) {
            fprintf(stderr, "bench_flat: %s and %s differ\n", names[0], names[search]);
            same = false;
        }
    }
    free(p.items);
    free(p.moved);
    return same;
}

int main(int argc, char **argv)
{
    const uint64_t largest = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    grz_device_options options = grz_default_device_options();
    grz_device *device = NULL;
    grz_error error;
    FILE *csv = argc > 2 ? fopen(argv[2], "w") : NULL;
    if (largest < 1000 || largest > 100000000 || (argc > 2 && csv == NULL)) {
        fprintf(stderr, "usage: bench_flat [LARGEST [CSV]]\n");
        return 2;
    }
    options.threads = 1;
    bench_need(grz_device_open(&options, &device, &error), &error);
    printf("%-9s %8s %-9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %10s\n", "spread", "items", "search", "build ms",
           "1% us/it", "all ms", "pairs ms", "box us", "circle us", "near us", "first us", "every us", "pairs");
    if (csv != NULL)
        fprintf(csv,
                "spread,items,search,build,update_one,update_all,pairs,box,circle,nearest,first,every,pair_count\n");
    bool same = true;
    for (int clustered = 0; clustered < 2; clustered++)
        for (uint64_t count = 1000; count <= largest; count *= 10)
            same = compare(device, clustered != 0, (uint32_t)count, csv) && same;
    if (csv != NULL && fclose(csv) != 0)
        same = false;
    grz_device_close(device);
    return same ? 0 : 1;
}
