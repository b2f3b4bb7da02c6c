// SPDX-License-Identifier: MIT
// The path of one object past another: both move along straight lines, so only the motion of A against B counts.
#ifndef GRZ_ASK_MOVE_TRANSLATION_TRANSLATION_PATH_H
#define GRZ_ASK_MOVE_TRANSLATION_TRANSLATION_PATH_H

#include "ask/distance/distance_frames.h"
#include "geometry/sweep/translation.h"

typedef struct grz_path {
    const grz_object *a, *b; // where the motion begins
    grz_translation motion;  // from there to the end, of A against B
    double moved_b[3];       // how far B moves, rounded
    double end;              // of the time that counts: 1
    double from, to;         // the part of the time in which the boxes of the objects meet; from > to: they never do
} grz_path;

// to_a, to_b: translations at the end.
void grz_path_set(grz_path *path, const grz_object *a, const double to_a[3], const grz_object *b, const double to_b[3]);

// A moves along a direction, which is not zero, by that in each unit of time, until `end`, which may be infinite; B
// rests.
void grz_path_along(grz_path *path, const grz_object *a, const double direction[3], double end, const grz_object *b);

enum {
    GRZ_SLAB_ROWS = 6
};

// Common coordinates of two posed trees in which A's boxes move. They have a time of their own: 0 where the boxes of
// the objects begin to meet, 1 where they end to. So floats are exact enough for objects that are small against the
// path.
typedef struct grz_translating_frames {
    struct {
        grz_distance_row maps[2]; // of A's tree where the frames' time is 0, and of B's; A moves upwards
        float pace;               // 1 / (frame units that A moves from time 0 to 1)
    } rows[GRZ_SLAB_ROWS];
    int count;         // 3 or 6
    double from, part; // the frames' time 0 in the path's time, and how long the time to 1 is
} grz_translating_frames;

void grz_translating_frames_set(grz_translating_frames *frames, const grz_path *path, const grz_bvh *bvh_a,
                                const grz_bvh *bvh_b);

// The time of the whole path that a time of the frames stands for, at least.
double grz_translating_frames_time(const grz_translating_frames *frames, float time);

// The time of the whole path that a time of the frames stands for, at most.
double grz_translating_frames_after(const grz_translating_frames *frames, float time);

// A time of the frames that is certainly not before a time of the path.
float grz_translating_frames_limit(const grz_translating_frames *frames, double time);

// Children of a node that are looked at, as bits.
typedef struct grz_translating_side {
    const grz_bvh_node *node;
    uint32_t children;
} grz_translating_side;

// When each child of A's node may meet each child of B's: from enter[i][j], 0 or above, to leave[i][j], in the frames'
// time.
typedef struct grz_slab_spans {
    uint32_t rows;                  // the children of A that may meet any, as bits
    uint32_t within[GRZ_BVH_WIDTH]; // for these: the children of B; of others the times mean nothing
    float enter[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH], leave[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH];
} grz_slab_spans;

// Those that meet at a time from 0 to `until`.
typedef void grz_slab_times(const grz_translating_frames *frames, const grz_translating_side *a,
                            const grz_translating_side *b, float until, grz_slab_spans *spans);

grz_slab_times *grz_slab_times_for(grz_simd simd);

grz_slab_times grz_slab_times_of_scalar, grz_slab_times_of_base;
#ifdef GRZ_SIMD_X86
grz_slab_times grz_slab_times_of_avx2, grz_slab_times_of_avx512;
#endif

#endif
