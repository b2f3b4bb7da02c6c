// SPDX-License-Identifier: MIT
// A fast filter in front of grz_meeting_set(): one moving triangle against four that stand still, in doubles with
// error bounds. It bounds the time of entering from below and that of leaving from above.
#ifndef GRZ_GEOMETRY_SWEEP_MEETING_FILTER_H
#define GRZ_GEOMETRY_SWEEP_MEETING_FILTER_H

#include <stdint.h>

#include "base/simd.h"

enum {
    GRZ_MEETING_LANES = 4
};

// What the filter needs of a moving triangle.
typedef struct grz_meeting_mover {
    double corners[3][3];
    double edges[3][3], normal[3]; // edge i: from corner i to the next; rounded
    double v[3];
    double edge_size, v_size, size; // the largest component of any edge, of v; the largest coordinate
} grz_meeting_mover;

// v: grz_translation::v, or its opposite if it is B that moves.
void grz_meeting_mover_set(grz_meeting_mover *out, const double a[3][3], const double v[3]);

// What the filter needs of four triangles: [corner][coordinate][lane] and so on.
typedef struct grz_meeting_packet {
    double corners[3][3][GRZ_MEETING_LANES];
    double edges[3][3][GRZ_MEETING_LANES], normal[3][GRZ_MEETING_LANES];
    double edge_size[GRZ_MEETING_LANES], size[GRZ_MEETING_LANES];
} grz_meeting_packet;

// Set `count` (1 to 4) triangles; the other lanes repeat the last one.
void grz_meeting_packet_set(grz_meeting_packet *out, uint32_t count, const double (*triangles)[3][3]);

// Which lanes may meet A at a time t with 0 <= t <= until: bit i for lane i. A lane whose bit is not set certainly does
// not. enter[i] and leave[i] of the lanes whose bits are set: they do not meet at any time t >= 0 before enter[i], nor
// after leave[i]; enter[i] >= 0. `until` may be infinite.
typedef uint32_t grz_meeting_filter(const grz_meeting_mover *a, const grz_meeting_packet *b, double until,
                                    double enter[GRZ_MEETING_LANES], double leave[GRZ_MEETING_LANES]);

// The function for a SIMD width that this processor supports. All give the same bits.
grz_meeting_filter *grz_meeting_filter_for(grz_simd simd);

grz_meeting_filter grz_meeting_filter_scalar, grz_meeting_filter_base;
#ifdef GRZ_SIMD_X86
grz_meeting_filter grz_meeting_filter_avx2, grz_meeting_filter_avx512;
#endif

#endif
