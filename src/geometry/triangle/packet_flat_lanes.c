// SPDX-License-Identifier: MIT
// Classifies pairs of triangles that lie nearly or exactly in one plane, four at a time: caps of gears, stacked boxes.
// Their signs of orient3d are zero or too small to be certain. Each lane is projected along the axis that its triangles
// face. If a line through an edge separates the projections, the triangles are apart. If all six corners have the same
// coordinate along that axis, the projections are the triangles themselves: then a corner inside the other triangle, or
// two edges that cross, prove an overlap with area. docs/reference/numbers.md ("Flat packets") has the bound and the
// proofs.
#include <assert.h>
#include <math.h>

#include "geometry/triangle/packet_parts.h"

// The error bound of orient2d as a multiple of M, the product of the extents along both axes; u = 2^-53.
static const double FLAT_FILTER = 10.0 * 0x1p-53; // derived: 8u + O(u²)
static const double FLAT_LEAST_M = 0x1p-900;      // below this M a product could underflow

// Four pairs of projected triangles.
typedef struct grz_flat {
    grz_f64x4 a[3][2], b[3][2];
    grz_f64x4 bound, negative_bound; // the error bound of orient2d and its negative
    uint32_t valid;                  // lanes in which the bound holds
    uint32_t planar;                 // lanes in which all corners have the same coordinate along the axis
} grz_flat;

// The axis along which a lane is projected: the one along which all corners are equal, else that of the largest
// component of A's normal. Any axis gives right answers.
static int choose_axis(const double a[3][3][LANES], const double extent[3][LANES], int lane)
{
    double u[3], v[3], size[3];
    for (int i = 0; i < 3; i++) {
        if (extent[i][lane] == 0.0)
            return i;
        u[i] = a[1][i][lane] - a[0][i][lane];
        v[i] = a[2][i][lane] - a[0][i][lane];
    }
    size[0] = fabs(u[1] * v[2] - u[2] * v[1]);
    size[1] = fabs(u[2] * v[0] - u[0] * v[2]);
    size[2] = fabs(u[0] * v[1] - u[1] * v[0]);
    const int first = size[1] > size[0] ? 1 : 0;
    return size[2] > size[first] ? 2 : first;
}

static inline grz_f64x4 gather(const double from[3][LANES], const int axis[LANES])
{
    return grz_f64x4_of(from[axis[0]][0], from[axis[1]][1], from[axis[2]][2], from[axis[3]][3]);
}

static inline void project(const grz_packet *packet, grz_flat *flat)
{
    double a[3][3][LANES], b[3][3][LANES], extent[3][LANES];
    int first[LANES], second[LANES], along[LANES];
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            grz_f64x4_store(a[i][axis], packet->a[i][axis]);
            grz_f64x4_store(b[i][axis], packet->b[i][axis]);
        }
        grz_f64x4_store(extent[i], grz_f64x4_subtract(packet->high[i], packet->low[i]));
    }
    flat->planar = 0;
    for (int lane = 0; lane < LANES; lane++) {
        along[lane] = choose_axis((const double(*)[3][LANES])a, (const double(*)[LANES])extent, lane);
        first[lane] = along[lane] == 2 ? 0 : along[lane] + 1;
        second[lane] = along[lane] == 0 ? 2 : along[lane] - 1;
        flat->planar |= (uint32_t)(extent[along[lane]][lane] == 0.0) << lane;
    }
    for (int i = 0; i < 3; i++) {
        flat->a[i][0] = gather((const double(*)[LANES])a[i], first);
        flat->a[i][1] = gather((const double(*)[LANES])a[i], second);
        flat->b[i][0] = gather((const double(*)[LANES])b[i], first);
        flat->b[i][1] = gather((const double(*)[LANES])b[i], second);
    }
    const grz_f64x4 m = grz_f64x4_multiply(gather((const double(*)[LANES])extent, first),
                                           gather((const double(*)[LANES])extent, second));
    flat->valid = grz_f64x4_greater(m, grz_f64x4_splat(FLAT_LEAST_M));
    flat->bound = grz_f64x4_multiply(m, grz_f64x4_splat(FLAT_FILTER));
    flat->negative_bound = grz_f64x4_multiply(m, grz_f64x4_splat(-FLAT_FILTER));
}

// orient2d of an edge and a point.
static inline grz_sign_bits side_of(const grz_flat *flat, const grz_f64x4 from[2], const grz_f64x4 to[2],
                                    const grz_f64x4 point[2])
{
    const grz_f64x4 ux = grz_f64x4_subtract(to[0], from[0]), uy = grz_f64x4_subtract(to[1], from[1]);
    const grz_f64x4 vx = grz_f64x4_subtract(point[0], from[0]), vy = grz_f64x4_subtract(point[1], from[1]);
    const grz_f64x4 value = grz_f64x4_subtract(grz_f64x4_multiply(ux, vy), grz_f64x4_multiply(uy, vx));
    return (grz_sign_bits){grz_f64x4_greater(value, flat->bound) & flat->valid,
                           grz_f64x4_greater(flat->negative_bound, value) & flat->valid};
}

// The sides of the edges of `of`: out[i][j] for its edge i and corner j of `corners`, positive if the corner is on the
// inner side. Returns the lanes in which `of` certainly has area; the others get no signs.
static inline uint32_t sides_of_edges(const grz_flat *flat, const grz_f64x4 of[3][2], const grz_f64x4 corners[3][2],
                                      grz_sign_bits out[3][3])
{
    const grz_sign_bits turn = side_of(flat, of[0], of[1], of[2]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const grz_sign_bits side = side_of(flat, of[i], of[(i + 1) % 3], corners[j]);
            out[i][j] = (grz_sign_bits){(side.positive & turn.positive) | (side.negative & turn.negative),
                                        (side.negative & turn.positive) | (side.positive & turn.negative)};
        }
    return turn.positive | turn.negative;
}

// Lanes in which an edge has all corners of the other triangle on its outer side. Corners that both triangles share may
// lie on the edge: no more than those is common to both.
static inline uint32_t separated(const grz_sign_bits side[3][3], const uint32_t shared_of[3], const uint32_t shared[3])
{
    uint32_t bits = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t on_edge = ~shared_of[(i + 2) % 3]; // shared corners are ends of this edge
        bits |= (side[i][0].negative | (shared[0] & on_edge)) & (side[i][1].negative | (shared[1] & on_edge)) &
                (side[i][2].negative | (shared[2] & on_edge));
    }
    return bits;
}

// Lanes in which a corner lies inside the other triangle.
static inline uint32_t has_corner_inside(const grz_sign_bits side[3][3])
{
    uint32_t bits = 0;
    for (int j = 0; j < 3; j++)
        bits |= side[0][j].positive & side[1][j].positive & side[2][j].positive;
    return bits;
}

// Lanes in which the signs of two corners j and j + 1 are certain and different.
static inline uint32_t straddles(const grz_sign_bits side[3], int j)
{
    const grz_sign_bits from = side[j], to = side[(j + 1) % 3];
    return (from.positive & to.negative) | (from.negative & to.positive);
}

static inline uint32_t edges_cross(const grz_sign_bits side_a[3][3], const grz_sign_bits side_b[3][3])
{
    uint32_t bits = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            bits |= straddles(side_a[i], j) & straddles(side_b[j], i);
    return bits;
}

void GRZ_OF_WIDTH(grz_packet_judge_flat)(const grz_packet *packet, uint32_t open, uint32_t *apart, uint32_t *coplanar)
{
    grz_flat flat;
    grz_sign_bits side_a[3][3], side_b[3][3]; // [edge of A][corner of B], and the other way round
    assert(open != 0);
    project(packet, &flat);
    const uint32_t area_a = sides_of_edges(&flat, (const grz_f64x4(*)[2])flat.a, (const grz_f64x4(*)[2])flat.b, side_a);
    const uint32_t area_b = sides_of_edges(&flat, (const grz_f64x4(*)[2])flat.b, (const grz_f64x4(*)[2])flat.a, side_b);
    const grz_sign_bits(*a)[3] = (const grz_sign_bits(*)[3])side_a, (*b)[3] = (const grz_sign_bits(*)[3])side_b;
    const uint32_t all_shared = packet->shared_a[0] & packet->shared_a[1] & packet->shared_a[2];
    *apart |= open & ~all_shared &
              (separated(a, packet->shared_a, packet->shared_b) | separated(b, packet->shared_b, packet->shared_a));
    *coplanar |=
        open & flat.planar & area_a & area_b & (has_corner_inside(a) | has_corner_inside(b) | edges_cross(a, b));
}
