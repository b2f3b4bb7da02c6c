// SPDX-License-Identifier: MIT
// Classifies packets of triangle pairs, four pairs at a time (one per SIMD lane). The build compiles this file once for
// each SIMD width. Method: the signs of each triangle's corners against the other's plane; if these do not separate all
// four pairs, also the signs of all edges of A against all edges of B. A sign is certain if the determinant is larger
// than its error bound, and only certain signs prove anything. The bound is that of the filter in
// geometry/exact/predicates.c, with the extents of both triangles together. docs/reference/numbers.md ("Packets")
// derives it and proves the conclusions.
#include <assert.h>

#include "geometry/triangle/packet_parts.h"

static const double PACKET_FILTER = 50.0 * 0x1p-53; // error bound as a multiple of M, derived: 48u + O(u²), u = 2^-53
static const double PACKET_LEAST_M = 0x1p-700;      // below this M a product could underflow

// Load the world positions of four triangles.
static inline void load_triangles(const grz_packet_side *side, const uint32_t triangle[LANES], grz_f64x4 corners[3][3])
{
    const uint32_t *t[LANES];
    for (int lane = 0; lane < LANES; lane++)
        t[lane] = side->triangles + 3 * (size_t)triangle[lane];
    for (int corner = 0; corner < 3; corner++) {
        const double *p[LANES];
        grz_f64x4 mesh[3];
        for (int lane = 0; lane < LANES; lane++)
            p[lane] = side->positions + 3 * (size_t)t[lane][corner];
        for (int axis = 0; axis < 3; axis++)
            mesh[axis] = grz_f64x4_of(p[0][axis], p[1][axis], p[2][axis], p[3][axis]);
        for (int axis = 0; axis < 3; axis++) {
            if (side->pose == NULL) {
                corners[corner][axis] = mesh[axis];
                continue;
            }
            // As grz_world_position(): the same operations in the same order.
            const double *m = side->pose->m[axis];
            grz_f64x4 sum = grz_f64x4_add(grz_f64x4_multiply(grz_f64x4_splat(m[0]), mesh[0]),
                                          grz_f64x4_multiply(grz_f64x4_splat(m[1]), mesh[1]));
            sum = grz_f64x4_add(sum, grz_f64x4_multiply(grz_f64x4_splat(m[2]), mesh[2]));
            corners[corner][axis] = grz_f64x4_add(sum, grz_f64x4_splat(m[3]));
        }
    }
}

// Compute the error bound of each lane.
static inline void find_bound(grz_packet *packet)
{
    grz_f64x4 m = grz_f64x4_splat(1.0);
    for (int axis = 0; axis < 3; axis++) {
        grz_f64x4 low = packet->a[0][axis], high = low;
        for (int corner = 0; corner < 3; corner++) {
            low = grz_f64x4_min(low, grz_f64x4_min(packet->a[corner][axis], packet->b[corner][axis]));
            high = grz_f64x4_max(high, grz_f64x4_max(packet->a[corner][axis], packet->b[corner][axis]));
        }
        packet->low[axis] = low;
        packet->high[axis] = high;
        m = grz_f64x4_multiply(m, grz_f64x4_subtract(high, low));
    }
    packet->valid = grz_f64x4_greater(m, grz_f64x4_splat(PACKET_LEAST_M));
    packet->bound = grz_f64x4_multiply(m, grz_f64x4_splat(PACKET_FILTER));
    packet->negative_bound = grz_f64x4_multiply(m, grz_f64x4_splat(-PACKET_FILTER));
}

// True if two vertices count as one corner of the mesh: equal index, or equal name and still equal position.
static inline bool is_same_corner(const grz_packet_side *side, uint32_t v, uint32_t w)
{
    const double *p = side->positions + 3 * (size_t)v, *q = side->positions + 3 * (size_t)w;
    return v == w || (side->identity != NULL && side->identity[v] == side->identity[w] && p[0] == q[0] &&
                      p[1] == q[1] && p[2] == q[2]);
}

// Find the corners that two triangles of one mesh share, in one lane. Each corner is paired with at most one of the
// other.
static void pair_corners(const grz_packet_side *side, const uint32_t a[3], const uint32_t b[3], int lane,
                         grz_packet *packet)
{
    uint32_t taken = 0; // bit j: corner j of b has a partner
    assert(lane >= 0 && lane < LANES);
    for (int i = 0; i < 3; i++)
        packet->shared_a[i] &= ~(1u << lane), packet->shared_b[i] &= ~(1u << lane);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if ((taken >> j & 1) != 0 || !is_same_corner(side, a[i], b[j]))
                continue;
            taken |= 1u << j;
            packet->shared_a[i] |= 1u << lane;
            packet->shared_b[j] |= 1u << lane;
            break;
        }
}

static inline grz_u32x4 corners_of(const uint32_t *const triangle[LANES], int corner)
{
    return grz_u32x4_of(triangle[0][corner], triangle[1][corner], triangle[2][corner], triangle[3][corner]);
}

static inline grz_u32x4 identities_of(const uint32_t *identity, const uint32_t *const triangle[LANES], int corner)
{
    return grz_u32x4_of(identity[triangle[0][corner]], identity[triangle[1][corner]], identity[triangle[2][corner]],
                        identity[triangle[3][corner]]);
}

// Find the shared corners in all lanes. All lanes together are compared by name, which is right if vertices of one name
// still have equal positions and the corners of a triangle are three different ones. Lanes for which that is not
// certain are done again one by one.
static inline void find_shared(const grz_packet_side *side, const uint32_t triangle_a[LANES],
                               const uint32_t triangle_b[LANES], grz_packet *packet)
{
    const uint32_t *a[LANES], *b[LANES];
    grz_u32x4 vertex_a[3], vertex_b[3], identity_a[3], identity_b[3];
    uint32_t unclear = 0;
    for (int lane = 0; lane < LANES; lane++) {
        a[lane] = side->triangles + 3 * (size_t)triangle_a[lane];
        b[lane] = side->triangles + 3 * (size_t)triangle_b[lane];
    }
    for (int i = 0; i < 3; i++) {
        vertex_a[i] = identity_a[i] = corners_of(a, i);
        vertex_b[i] = identity_b[i] = corners_of(b, i);
        if (side->identity != NULL) {
            identity_a[i] = identities_of(side->identity, a, i);
            identity_b[i] = identities_of(side->identity, b, i);
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const uint32_t same = grz_u32x4_equal(identity_a[i], identity_b[j]);
            unclear |= same & (packet->shared_a[i] | packet->shared_b[j] | ~grz_u32x4_equal(vertex_a[i], vertex_b[j]));
            packet->shared_a[i] |= same;
            packet->shared_b[j] |= same;
        }
    for (; unclear != 0; unclear &= unclear - 1) {
        const int lane = __builtin_ctz(unclear);
        pair_corners(side, a[lane], b[lane], lane, packet);
    }
    const uint32_t *s = packet->shared_a;
    packet->more_shared = (s[0] & s[1]) | (s[1] & s[2]) | (s[2] & s[0]);
    packet->one_shared = (s[0] | s[1] | s[2]) & ~packet->more_shared;
}

static inline void load_packet(const grz_packet_side *a, const grz_packet_side *b, const grz_packet_pair *pairs,
                               size_t count, grz_packet *packet)
{
    uint32_t triangle_a[LANES], triangle_b[LANES];
    assert(count > 0);
    for (size_t lane = 0; lane < LANES; lane++) { // unused lanes repeat the last pair
        const grz_packet_pair *pair = &pairs[lane < count ? lane : count - 1];
        triangle_a[lane] = pair->a;
        triangle_b[lane] = pair->b;
    }
    load_triangles(a, triangle_a, packet->a);
    load_triangles(b, triangle_b, packet->b);
    find_bound(packet);
    packet->one_shared = packet->more_shared = 0;
    for (int i = 0; i < 3; i++)
        packet->shared_a[i] = packet->shared_b[i] = 0;
    if (a == b)
        find_shared(a, triangle_a, triangle_b, packet);
}

static inline grz_sign_bits signs_of(const grz_packet *packet, grz_f64x4 value)
{
    return (grz_sign_bits){grz_f64x4_greater(value, packet->bound) & packet->valid,
                           grz_f64x4_greater(packet->negative_bound, value) & packet->valid};
}

static inline void cross(const grz_f64x4 u[3], const grz_f64x4 v[3], grz_f64x4 out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = grz_f64x4_subtract(grz_f64x4_multiply(u[j], v[k]), grz_f64x4_multiply(u[k], v[j]));
    }
}

static inline void subtract(const grz_f64x4 u[3], const grz_f64x4 v[3], grz_f64x4 out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = grz_f64x4_subtract(u[i], v[i]);
}

static inline grz_f64x4 dot(const grz_f64x4 u[3], const grz_f64x4 v[3])
{
    return grz_f64x4_add(grz_f64x4_add(grz_f64x4_multiply(u[0], v[0]), grz_f64x4_multiply(u[1], v[1])),
                         grz_f64x4_multiply(u[2], v[2]));
}

// The side of the plane of triangle `of` that each corner of the triangle `corners` lies on.
static inline void sides_of(const grz_packet *packet, const grz_f64x4 of[3][3], const grz_f64x4 corners[3][3],
                            grz_sign_bits out[3])
{
    grz_f64x4 u[3], v[3], normal[3];
    subtract(of[1], of[0], u);
    subtract(of[2], of[0], v);
    cross(u, v, normal);
    for (int i = 0; i < 3; i++) {
        grz_f64x4 w[3];
        subtract(corners[i], of[0], w);
        out[i] = signs_of(packet, dot(normal, w));
    }
}

// Lanes in which three signs are certain and equal, ignoring shared corners.
static inline uint32_t free_on_one_side(const grz_sign_bits signs[3], const uint32_t shared[3])
{
    return ((signs[0].positive | shared[0]) & (signs[1].positive | shared[1]) & (signs[2].positive | shared[2])) |
           ((signs[0].negative | shared[0]) & (signs[1].negative | shared[1]) & (signs[2].negative | shared[2]));
}

// Lanes in which the signs of all corners that are not shared are certain.
static inline uint32_t all_certain(const grz_sign_bits signs[3], const uint32_t shared[3])
{
    uint32_t bits = ~0u;
    for (int i = 0; i < 3; i++)
        bits &= signs[i].positive | signs[i].negative | shared[i];
    return bits;
}

// Lanes in which an edge certainly passes through the interior of the other triangle. `from` and `to` are the sides of
// the plane that its ends lie on, `turn` the sides on which it passes the other triangle's edges.
static inline uint32_t pierced(grz_sign_bits from, grz_sign_bits to, const grz_sign_bits turn[3])
{
    const uint32_t straddles = (from.positive & to.negative) | (from.negative & to.positive);
    return straddles & grz_packet_one_side(turn);
}

// Lanes that are certainly apart and lanes that certainly cross, by all signs: corners against planes, edges against
// edges. If one corner is shared, the intersection is a segment that starts there, or only that corner. The other end
// of a segment is where the edge opposite to the shared corner passes through the other triangle. This needs every free
// corner to be certainly off the other triangle's plane.
static inline void judge_by_edges(const grz_packet *packet, const grz_sign_bits corner_a[3],
                                  const grz_sign_bits corner_b[3], uint32_t *apart, uint32_t *crossing)
{
    grz_sign_bits turn[3][3], turn_of_b[3][3]; // [edge of A][edge of B], and the other way round
    grz_f64x4 edge_b[3][3];
    uint32_t all = ~0u, any = 0;
    for (int j = 0; j < 3; j++)
        subtract(packet->b[(j + 1) % 3], packet->b[j], edge_b[j]);
    for (int i = 0; i < 3; i++) {
        grz_f64x4 edge_a[3];
        subtract(packet->a[(i + 1) % 3], packet->a[i], edge_a);
        for (int j = 0; j < 3; j++) {
            grz_f64x4 between[3], normal[3];
            subtract(packet->b[j], packet->a[i], between);
            cross(edge_b[j], edge_a, normal);
            turn[i][j] = turn_of_b[j][i] = signs_of(packet, dot(normal, between));
        }
    }
    for (int i = 0; i < 3; i++) {
        // Two edges that both have the shared corner as an end give no information: their sign is 0.
        for (int j = 0; j < 3; j++)
            all &= turn[i][j].positive | turn[i][j].negative |
                   (packet->one_shared & ~packet->shared_a[(i + 2) % 3] & ~packet->shared_b[(j + 2) % 3]);
        any |= pierced(corner_a[i], corner_a[(i + 1) % 3], turn[i]) |
               pierced(corner_b[i], corner_b[(i + 1) % 3], turn_of_b[i]);
    }
    // If a sign is not zero, the triangle whose plane it belongs to has area.
    const uint32_t area_a = corner_b[0].positive | corner_b[0].negative | corner_b[1].positive | corner_b[1].negative |
                            corner_b[2].positive | corner_b[2].negative;
    const uint32_t area_b = corner_a[0].positive | corner_a[0].negative | corner_a[1].positive | corner_a[1].negative |
                            corner_a[2].positive | corner_a[2].negative;
    *crossing = any & area_a & area_b;
    *apart |= all & all_certain(corner_a, packet->shared_a) & all_certain(corner_b, packet->shared_b) & ~any &
              ~packet->more_shared;
}

// Prefetch all corners. In large meshes they are rarely in the cache, and a processor does not look ahead as far as the
// next packet.
static inline void prefetch_corners(const grz_packet_side *a, const grz_packet_side *b, const grz_packet_pair *pairs,
                                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(a->triangles + 3 * (size_t)pairs[i].a);
        __builtin_prefetch(b->triangles + 3 * (size_t)pairs[i].b);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = a->triangles + 3 * (size_t)pairs[i].a, *u = b->triangles + 3 * (size_t)pairs[i].b;
        for (size_t corner = 0; corner < 3; corner++) {
            __builtin_prefetch(a->positions + 3 * (size_t)t[corner]);
            __builtin_prefetch(b->positions + 3 * (size_t)u[corner]);
        }
    }
}

// Lanes that are certainly apart, that certainly cross, and that certainly overlap in one plane.
static inline void judge_packet(const grz_packet *packet, uint32_t *apart, uint32_t *crossing, uint32_t *coplanar)
{
    // Lanes in which the triangles do not share all three corners.
    const uint32_t different = ~(packet->shared_a[0] & packet->shared_a[1] & packet->shared_a[2]);
    grz_sign_bits corner_a[3], corner_b[3];
    *crossing = *coplanar = 0;
    sides_of(packet, packet->a, packet->b, corner_b);
    *apart = free_on_one_side(corner_b, packet->shared_b) & different;
    if ((~*apart & ALL_LANES) == 0)
        return;
    sides_of(packet, packet->b, packet->a, corner_a);
    *apart |= free_on_one_side(corner_a, packet->shared_a) & different;
    if ((~*apart & ALL_LANES) == 0)
        return;
    judge_by_edges(packet, corner_a, corner_b, apart, crossing);
    const uint32_t open = ~(*apart | *crossing) & ALL_LANES;
    if (open != 0)
        GRZ_OF_WIDTH(grz_packet_judge_flat)(packet, open, apart, coplanar);
}

void GRZ_OF_WIDTH(grz_packet_judge)(const grz_packet_side *a, const grz_packet_side *b, const grz_packet_pair *pairs,
                                    size_t count, unsigned char *verdicts)
{
    assert(count <= GRZ_PACKET_MOST);
    if (a != b) // in self-collision, the pairs come from neighbouring triangles, which are usually in the cache already
        prefetch_corners(a, b, pairs, count);
    for (size_t first = 0; first < count; first += LANES) {
        const size_t filled = count - first < LANES ? count - first : LANES;
        uint32_t apart, crossing, coplanar;
        grz_packet packet;
        load_packet(a, b, pairs + first, filled, &packet);
        judge_packet(&packet, &apart, &crossing, &coplanar);
        for (size_t lane = 0; lane < filled; lane++)
            verdicts[first + lane] = (apart >> lane & 1) != 0      ? GRZ_PACKET_APART
                                     : (crossing >> lane & 1) != 0 ? GRZ_PACKET_CROSSING
                                     : (coplanar >> lane & 1) != 0 ? GRZ_PACKET_COPLANAR
                                                                   : GRZ_PACKET_OPEN;
    }
}
