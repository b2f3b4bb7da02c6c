// SPDX-License-Identifier: MIT
// Measures the stages behind translations (docs/use/move.md), one pair of triangles after the other: the filter in
// lanes, the enclosure in doubles, the exact times, the contact. Prints nanoseconds a pair and how many pairs each
// stage left. Usage: bench_translation
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "geometry/sweep/meeting.h"
#include "geometry/sweep/meeting_filter.h"

enum {
    PACKETS = 2048,
    LANES = GRZ_MEETING_LANES,
    PAIRS = PACKETS * LANES,
    RUNS = 15
};

typedef double triangle[3][3];

typedef enum scene {
    NEAR_MISSES, // unit triangles, 2 apart, which move by about that, sideways too
    HITS,        // each is aimed at a point of the other
    BOXES,       // halves of the sides of boxes along the axes, which move along an axis or in any direction
    SCENES
} scene;

static const char *const scene_names[SCENES] = {"near misses", "hits", "boxes"};

static uint64_t random_state = 1;

static double random_signed(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 11) * 0x1p-52 - 1.0;
}

static void random_triangle(triangle t, double x)
{
    for (int i = 0; i < 9; i++)
        t[i / 3][i % 3] = random_signed() + (i % 3 == 0 ? x : 0.0);
}

static void random_side(triangle t, double x)
{
    const int axis = (int)((random_signed() + 1.0) * 1.5) % 3;
    double low[3];
    for (int k = 0; k < 3; k++)
        low[k] = floor(8.0 * random_signed()) * 0.125 + (k == 0 ? x : 0.0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            t[i][k] = low[k] + (k == (axis + 1) % 3 && i > 0 ? 1.0 : 0.0) + (k == (axis + 2) % 3 && i > 1 ? 1.0 : 0.0);
}

static triangle a[PACKETS], b[PAIRS];
static grz_translation motions[PACKETS];
static grz_meeting_mover movers[PACKETS];
static grz_meeting_packet packets[PACKETS];

static void set_scene(scene which)
{
    for (size_t i = 0; i < PACKETS; i++) {
        double parts[3][GRZ_TRANSLATION_PARTS] = {{0.0}};
        for (size_t j = 0; j < LANES; j++)
            which == BOXES ? random_side(b[LANES * i + j], 2.0) : random_triangle(b[LANES * i + j], 3.0);
        which == BOXES ? random_side(a[i], -1.0) : random_triangle(a[i], -1.0);
        for (int k = 0; k < 3; k++)
            parts[k][0] = which == HITS             ? b[LANES * i][0][k] - a[i][1][k] + 0.1 * random_signed()
                          : which == BOXES && i % 2 ? (k == 0 ? 4.0 : 0.0)
                                                    : random_signed() + (k == 0 ? 4.0 : 0.0);
        grz_translation_set(&motions[i], (const double(*)[GRZ_TRANSLATION_PARTS])parts);
        grz_meeting_mover_set(&movers[i], (const double(*)[3])a[i], motions[i].v);
        grz_meeting_packet_set(&packets[i], LANES, (const double(*)[3][3])b + LANES * i);
    }
}

// Nanoseconds of this process.
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); // the machine may be busy
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// The least time of several runs.
static void keep_least(double *least, double start)
{
    const double took = now() - start;
    *least = took < *least ? took : *least;
}

static void measure_packets(void)
{
    double least = HUGE_VAL;
    for (int run = 0; run < RUNS; run++) {
        const double start = now();
        for (size_t i = 0; i < PACKETS; i++)
            grz_meeting_packet_set(&packets[i], LANES, (const double(*)[3][3])b + LANES * i);
        keep_least(&least, start);
    }
    printf("  packets of B %18.1f ns a triangle\n", least / PAIRS);
}

static void measure_filter(grz_simd simd, double until)
{
    grz_meeting_filter *filter = grz_meeting_filter_for(simd);
    double least = HUGE_VAL, enter[LANES], leave[LANES];
    uint64_t left = 0;
    for (int run = 0; run < RUNS; run++) {
        const double start = now();
        left = 0;
        for (int i = 0; i < PACKETS; i++)
            left += (uint64_t)__builtin_popcount(filter(&movers[i], &packets[i], until, enter, leave));
        keep_least(&least, start);
    }
    printf("  filter %-8s until %-4g %8.1f ns a pair, %5.1f%% left\n", grz_simd_name(simd), until, least / PAIRS,
           100.0 * (double)left / PAIRS);
}

// How far to go with each pair.
typedef enum stage {
    ENCLOSE,
    EXACT_TIMES,
    CONTACT,
    STAGES
} stage;

typedef struct counts {
    uint64_t states[3], met;
} counts;

// Take all pairs as far as a stage. The least time of several runs.
static double measure_stage(stage last, counts *counted)
{
    static grz_meeting m;
    double least = HUGE_VAL;
    for (int run = 0; run < RUNS; run++) {
        const double start = now();
        *counted = (counts){{0}, 0};
        for (int i = 0; i < PAIRS; i++) {
            grz_meeting_contact found;
            const bool may =
                grz_meeting_set(&m, (const double(*)[3])a[i / LANES], (const double(*)[3])b[i], &motions[i / LANES]);
            counted->states[m.state]++;
            if (last == ENCLOSE || !may || !grz_meeting_happens(&m))
                continue;
            (void)grz_meeting_round(&m, GRZ_MEETING_ENTER);
            counted->met++;
            if (last == CONTACT)
                (void)grz_meeting_contact_at_enter(&m, &found);
        }
        keep_least(&least, start);
    }
    return least;
}

static void measure_stages(void)
{
    counts counted[STAGES];
    double times[STAGES];
    for (int i = 0; i < STAGES; i++)
        times[i] = measure_stage((stage)i, &counted[i]);
    const uint64_t *states = counted[0].states, asked = PAIRS - states[GRZ_MEETING_NEVER], met = counted[1].met;
    printf("  enclosure %21.0f ns a pair; never %.1f%%, sure %.1f%%, open %.1f%%\n", times[ENCLOSE] / PAIRS,
           100.0 * (double)states[GRZ_MEETING_NEVER] / PAIRS, 100.0 * (double)states[GRZ_MEETING_SURE] / PAIRS,
           100.0 * (double)states[GRZ_MEETING_OPEN] / PAIRS);
    printf("  exact times %19.0f ns each of %llu pairs that may meet\n",
           (times[EXACT_TIMES] - times[ENCLOSE]) / (double)asked, (unsigned long long)asked);
    printf("  contact %23.0f ns each of %llu pairs that meet\n", (times[CONTACT] - times[EXACT_TIMES]) / (double)met,
           (unsigned long long)met);
}

int main(void)
{
    for (int which = 0; which < SCENES; which++) {
        printf("%s: %d pairs\n", scene_names[which], PAIRS);
        set_scene((scene)which);
        measure_packets();
        for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++)
            if (grz_simd_available((grz_simd)simd))
                measure_filter((grz_simd)simd, 1.0);
        measure_stages();
    }
    return EXIT_SUCCESS;
}
