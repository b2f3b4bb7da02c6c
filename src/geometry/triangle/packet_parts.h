// SPDX-License-Identifier: MIT
// What the files share that classify packets of triangle pairs: four pairs, one in each SIMD lane. They are compiled
// once for each SIMD width.
#ifndef GRZ_GEOMETRY_TRIANGLE_PACKET_PARTS_H
#define GRZ_GEOMETRY_TRIANGLE_PACKET_PARTS_H

#include "base/lanes.h"
#include "base/simd.h"
#include "geometry/triangle/packet.h"

enum {
    LANES = 4,
    ALL_LANES = (1 << LANES) - 1
};

// Four pairs of triangles. The first index is the corner, the second the coordinate.
typedef struct grz_packet {
    grz_f64x4 a[3][3], b[3][3];
    grz_f64x4 low[3], high[3];         // the box of both triangles
    grz_f64x4 bound, negative_bound;   // the error bound of orient3d and its negative
    uint32_t valid;                    // lanes in which the bound holds (M is large enough)
    uint32_t shared_a[3], shared_b[3]; // per corner: lanes in which the other triangle has the same corner
    uint32_t one_shared, more_shared;  // lanes with one shared corner, with two or three
} grz_packet;

// The signs of a determinant, one bit per lane. Neither bit is set if the sign is not certain.
typedef struct grz_sign_bits {
    uint32_t positive, negative;
} grz_sign_bits;

// Lanes in which three signs are certain and equal.
static inline uint32_t grz_packet_one_side(const grz_sign_bits signs[3])
{
    return (signs[0].positive & signs[1].positive & signs[2].positive) |
           (signs[0].negative & signs[1].negative & signs[2].negative);
}

// Classify lanes by a projection along one axis, each lane along its own. Proves more lanes apart, and proves that
// triangles in one plane that is perpendicular to an axis overlap with area (`coplanar`). `open`: the lanes to look at.
typedef void grz_packet_flat_judge(const grz_packet *packet, uint32_t open, uint32_t *apart, uint32_t *coplanar);

grz_packet_flat_judge GRZ_OF_WIDTH(grz_packet_judge_flat);

#endif
