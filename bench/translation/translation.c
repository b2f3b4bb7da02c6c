// SPDX-License-Identifier: MIT
// Measures the stages behind translations (docs/motion.md), one pair of triangles after the other: the filter in lanes,
// the enclosure in doubles, the exact times, the contact. Prints nanoseconds a pair and how many pairs each stage left.
// Usage: bench_translation
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
    PAIRS = PACKETS * LANES
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
    for (int i = 0; i < PACKETS; i++) {
        double parts[3][GRZ_TRANSLATION_PARTS] = {{0.0}};
        for (int j = 0; j < LANES; j++)
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

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// The least time of several runs.
static void keep_least(double *least, double start)
{
    const double took = now() - start;
    *least = took < *least ? took : *least;
}

static void measure_filter(grz_simd simd, double until)
{
    grz_meeting_filter *filter = grz_meeting_filter_for(simd);
    double least = HUGE_VAL, enter[LANES], leave[LANES];
    uint64_t left = 0;
    for (int run = 0; run < 9; run++) {
        const double start = now();
        left = 0;
        for (int i = 0; i < PACKETS; i++)
            left += (uint64_t)__builtin_popcount(filter(&movers[i], &packets[i], until, enter, leave));
        keep_least(&least, start);
    }
    printf("  filter %-8s until %-4g %8.1f ns a pair, %5.1f%% left\n", grz_simd_name(simd), until, least / PAIRS,
           100.0 * (double)left / PAIRS);
}

static void measure_stages(void)
{
    static grz_meeting m;
    double set = HUGE_VAL, settle = HUGE_VAL, contact = HUGE_VAL;
    uint64_t states[3] = {0}, met = 0, asked = 0;
    for (int run = 0; run < 5; run++) {
        double start = now();
        memset(states, 0, sizeof states);
        for (int i = 0; i < PAIRS; i++) {
            grz_meeting_set(&m, (const double(*)[3])a[i / LANES], (const double(*)[3])b[i], &motions[i / LANES]);
            states[m.state]++;
        }
        keep_least(&set, start);
        double spent = 0.0, spent_contact = 0.0;
        met = asked = 0;
        for (int i = 0; i < PAIRS; i++) {
            grz_meeting_contact found;
            if (!grz_meeting_set(&m, (const double(*)[3])a[i / LANES], (const double(*)[3])b[i], &motions[i / LANES]))
                continue;
            start = now();
            asked++;
            const bool happens = grz_meeting_happens(&m);
            if (happens)
                (void)grz_meeting_round(&m, GRZ_MEETING_ENTER);
            spent += now() - start;
            if (!happens)
                continue;
            met++;
            start = now();
            (void)grz_meeting_contact_at_enter(&m, &found);
            spent_contact += now() - start;
        }
        settle = spent < settle ? spent : settle;
        contact = spent_contact < contact ? spent_contact : contact;
    }
    printf("  enclosure %21.1f ns a pair; never %.1f%%, sure %.1f%%, open %.1f%%\n", set / PAIRS,
           100.0 * (double)states[GRZ_MEETING_NEVER] / PAIRS, 100.0 * (double)states[GRZ_MEETING_SURE] / PAIRS,
           100.0 * (double)states[GRZ_MEETING_OPEN] / PAIRS);
    printf("  exact times %19.1f ns each of %llu pairs that may meet, a clock's %.0f ns included\n",
           settle / (double)(asked > 0 ? asked : 1), (unsigned long long)asked, -(now() - now()));
    printf("  contact %23.1f ns each of %llu pairs that meet\n", contact / (double)(met > 0 ? met : 1),
           (unsigned long long)met);
}

int main(void)
{
    for (int which = 0; which < SCENES; which++) {
        printf("%s: %d pairs\n", scene_names[which], PAIRS);
        set_scene((scene)which);
        for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++)
            if (grz_simd_available((grz_simd)simd))
                measure_filter((grz_simd)simd, 1.0);
        measure_stages();
    }
    return EXIT_SUCCESS;
}
