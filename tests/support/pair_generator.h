// SPDX-License-Identifier: MIT
// Random pairs of triangles for the exact tests, in eight classes. Each class contains planted contacts: corners on
// faces and edges, edges that cross or overlap, triangles inside each other, degenerate triangles, and all of these
// moved by one ulp. A seed gives the same pairs on every machine.
#ifndef GRZ_TESTS_PAIR_GENERATOR_H
#define GRZ_TESTS_PAIR_GENERATOR_H

#include <stdint.h>

typedef enum pair_class {
    PAIR_RANDOM,        // doubles and float32 values in a cube
    PAIR_GRID,          // small integers
    PAIR_COPLANAR,      // both in one exactly representable plane, or nearly
    PAIR_SLIVER,        // very thin triangles, some with a tip close to the other triangle
    PAIR_SHARED_VERTEX, // one common corner, sometimes missed by an ulp
    PAIR_SHARED_EDGE,   // one common edge, folded flat and nearly flat included
    PAIR_LARGE_OFFSET,  // any of the above, moved by 2^20 to 2^52 times its size and rounded
    PAIR_TINY_SCALE,    // any of the above, scaled down as far as 2^-1074, also by axis and by triangle
    PAIR_CLASS_COUNT
} pair_class;

// State of the generator (splitmix64).
typedef struct random_stream {
    uint64_t state;
} random_stream;

const char *pair_class_name(pair_class group);

// Each block of each class has its own stream, so threads can take the blocks in any order.
random_stream random_stream_of_block(pair_class group, uint64_t block);
uint64_t random_bits(random_stream *random);
// Uniform in [0, count).
uint32_t random_below(random_stream *random, uint32_t count);
// Uniform in [-1, 1), 53 random bits.
double random_signed(random_stream *random);
// ±f·2^e, where e is from low to high and f in [1, 2) has all bits, few bits or is 1; sometimes 0. May be subnormal.
double random_extreme(random_stream *random, int low, int high);

// The double that is `steps` ulps above (steps > 0) or below.
double step_ulps(double value, int steps);

// Make the next pair of a class. All coordinates are finite and at most 2^300.
void pair_generate(pair_class group, random_stream *random, double a[3][3], double b[3][3]);

#endif
