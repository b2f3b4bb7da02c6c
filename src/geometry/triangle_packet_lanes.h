// SPDX-License-Identifier: MIT
// The judging of packets, included by one file for each width of registers, which defines GRZ_PACKET_JUDGE, the function's name.
// Four pairs at a time. First the sides of each other's planes that their corners lie on; unless that parts all four, the turns of
// all edges past all edges. A sign counts where the determinant is larger than its bound. Source: the bound is that of
// geometry/predicates.c, with the extents of both triangles together (docs/numbers.md).
#include "base/lanes.h"
#include "geometry/triangle_packet.h"

enum {
    LANES = 4
};

// Derived: 48u + O(u²) of the product of the extents, u = 2^-53; and where products cannot underflow.
static const double PACKET_FILTER = 50.0 * 0x1p-53;
static const double PACKET_LEAST_M = 0x1p-700;

// Four pairs of triangles: corner, coordinate.
typedef struct grz_packet {
    grz_wide a[3][3], b[3][3];
    grz_wide bound, negative_bound;
    uint32_t valid;                    // lanes whose bound holds
    uint32_t shared_a[3], shared_b[3]; // lanes whose corner is one of the other triangle's, too
    uint32_t one_shared, more_shared;  // lanes with one such corner, with two or three
} grz_packet;

// Signs of a determinant, a bit a lane; neither where it is not certain.
typedef struct grz_sign_bits {
    uint32_t positive, negative;
} grz_sign_bits;

static inline void load_triangles(const grz_packet_side *side, const uint32_t triangle[LANES], grz_wide corners[3][3])
{
    const uint32_t *t[LANES];
    for (int lane = 0; lane < LANES; lane++)
        t[lane] = side->triangles + 3 * (size_t)triangle[lane];
    for (int corner = 0; corner < 3; corner++) {
        const double *p[LANES];
        grz_wide mesh[3];
        for (int lane = 0; lane < LANES; lane++)
            p[lane] = side->positions + 3 * (size_t)t[lane][corner];
        for (int axis = 0; axis < 3; axis++)
            mesh[axis] = grz_wide_of(p[0][axis], p[1][axis], p[2][axis], p[3][axis]);
        for (int axis = 0; axis < 3; axis++) {
            if (side->pose == NULL) {
                corners[corner][axis] = mesh[axis];
                continue;
            }
            // As grz_world_position() has it: the same operations in the same order.
            const double *m = side->pose->m[axis];
            grz_wide sum =
                grz_wide_add(grz_wide_multiply(grz_wide_all(m[0]), mesh[0]), grz_wide_multiply(grz_wide_all(m[1]), mesh[1]));
            sum = grz_wide_add(sum, grz_wide_multiply(grz_wide_all(m[2]), mesh[2]));
            corners[corner][axis] = grz_wide_add(sum, grz_wide_all(m[3]));
        }
    }
}

static inline void find_bound(grz_packet *p)
{
    grz_wide m = grz_wide_all(1.0);
    for (int axis = 0; axis < 3; axis++) {
        grz_wide low = p->a[0][axis], high = low;
        for (int corner = 0; corner < 3; corner++) {
            low = grz_wide_min(low, grz_wide_min(p->a[corner][axis], p->b[corner][axis]));
            high = grz_wide_max(high, grz_wide_max(p->a[corner][axis], p->b[corner][axis]));
        }
        m = grz_wide_multiply(m, grz_wide_subtract(high, low));
    }
    p->valid = grz_wide_more(m, grz_wide_all(PACKET_LEAST_M));
    p->bound = grz_wide_multiply(m, grz_wide_all(PACKET_FILTER));
    p->negative_bound = grz_wide_multiply(m, grz_wide_all(-PACKET_FILTER));
}

static inline bool is_same_corner(const grz_packet_side *side, uint32_t v, uint32_t w)
{
    const double *p = side->positions + 3 * (size_t)v, *q = side->positions + 3 * (size_t)w;
    return v == w || (side->names != NULL && side->names[v] == side->names[w] && p[0] == q[0] && p[1] == q[1] && p[2] == q[2]);
}

// Find the corners that two triangles of one mesh share, each paired with one.
static void pair_corners(const grz_packet_side *side, const uint32_t a[3], const uint32_t b[3], int lane, grz_packet *p)
{
    uint32_t taken = 0;
    for (int i = 0; i < 3; i++)
        p->shared_a[i] &= ~(1u << lane), p->shared_b[i] &= ~(1u << lane);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if ((taken >> j & 1) != 0 || !is_same_corner(side, a[i], b[j]))
                continue;
            taken |= 1u << j;
            p->shared_a[i] |= 1u << lane;
            p->shared_b[j] |= 1u << lane;
            break;
        }
}

static inline grz_numbers corners_of(const uint32_t *const triangle[LANES], int corner)
{
    return grz_numbers_of(triangle[0][corner], triangle[1][corner], triangle[2][corner], triangle[3][corner]);
}

static inline grz_numbers names_of(const uint32_t *names, const uint32_t *const triangle[LANES], int corner)
{
    return grz_numbers_of(names[triangle[0][corner]], names[triangle[1][corner]], names[triangle[2][corner]],
                          names[triangle[3][corner]]);
}

// Find the shared corners of all lanes. Vertices of one name share where they still lie together, and a triangle's corners are
// different ones: almost always, and if not, lane by lane.
static inline void find_shared(const grz_packet_side *side, const uint32_t triangle_a[LANES], const uint32_t triangle_b[LANES],
                               grz_packet *p)
{
    const uint32_t *a[LANES], *b[LANES];
    grz_numbers vertex_a[3], vertex_b[3], name_a[3], name_b[3];
    uint32_t unclear = 0;
    for (int lane = 0; lane < LANES; lane++) {
        a[lane] = side->triangles + 3 * (size_t)triangle_a[lane];
        b[lane] = side->triangles + 3 * (size_t)triangle_b[lane];
    }
    for (int i = 0; i < 3; i++) {
        vertex_a[i] = name_a[i] = corners_of(a, i);
        vertex_b[i] = name_b[i] = corners_of(b, i);
        if (side->names != NULL) {
            name_a[i] = names_of(side->names, a, i);
            name_b[i] = names_of(side->names, b, i);
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const uint32_t same = grz_numbers_equal(name_a[i], name_b[j]);
            unclear |= same & (p->shared_a[i] | p->shared_b[j] | ~grz_numbers_equal(vertex_a[i], vertex_b[j]));
            p->shared_a[i] |= same;
            p->shared_b[j] |= same;
        }
    for (; unclear != 0; unclear &= unclear - 1) {
        const int lane = __builtin_ctz(unclear);
        pair_corners(side, a[lane], b[lane], lane, p);
    }
    const uint32_t *s = p->shared_a;
    p->more_shared = (s[0] & s[1]) | (s[1] & s[2]) | (s[2] & s[0]);
    p->one_shared = (s[0] | s[1] | s[2]) & ~p->more_shared;
}

static inline void load_packet(const grz_packet_side *a, const grz_packet_side *b, const grz_packet_pair *pairs, size_t count,
                               grz_packet *p)
{
    uint32_t triangle_a[LANES], triangle_b[LANES];
    for (size_t lane = 0; lane < LANES; lane++) { // lanes left over repeat the last pair
        const grz_packet_pair *pair = &pairs[lane < count ? lane : count - 1];
        triangle_a[lane] = pair->a;
        triangle_b[lane] = pair->b;
    }
    load_triangles(a, triangle_a, p->a);
    load_triangles(b, triangle_b, p->b);
    find_bound(p);
    p->one_shared = p->more_shared = 0;
    for (int i = 0; i < 3; i++)
        p->shared_a[i] = p->shared_b[i] = 0;
    if (a == b)
        find_shared(a, triangle_a, triangle_b, p);
}

static inline grz_sign_bits signs_of(const grz_packet *p, grz_wide value)
{
    return (grz_sign_bits){grz_wide_more(value, p->bound) & p->valid, grz_wide_more(p->negative_bound, value) & p->valid};
}

static inline void cross(const grz_wide u[3], const grz_wide v[3], grz_wide out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = grz_wide_subtract(grz_wide_multiply(u[j], v[k]), grz_wide_multiply(u[k], v[j]));
    }
}

static inline void subtract(const grz_wide u[3], const grz_wide v[3], grz_wide out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = grz_wide_subtract(u[i], v[i]);
}

static inline grz_wide dot(const grz_wide u[3], const grz_wide v[3])
{
    return grz_wide_add(grz_wide_add(grz_wide_multiply(u[0], v[0]), grz_wide_multiply(u[1], v[1])), grz_wide_multiply(u[2], v[2]));
}

// The sides of the plane of `of` that the corners of `corners` lie on.
static inline void sides_of(const grz_packet *p, const grz_wide of[3][3], const grz_wide corners[3][3], grz_sign_bits out[3])
{
    grz_wide u[3], v[3], normal[3];
    subtract(of[1], of[0], u);
    subtract(of[2], of[0], v);
    cross(u, v, normal);
    for (int i = 0; i < 3; i++) {
        grz_wide w[3];
        subtract(corners[i], of[0], w);
        out[i] = signs_of(p, dot(normal, w));
    }
}

static inline uint32_t one_side(const grz_sign_bits signs[3])
{
    return (signs[0].positive & signs[1].positive & signs[2].positive) |
           (signs[0].negative & signs[1].negative & signs[2].negative);
}

// The same but for shared corners.
static inline uint32_t free_on_one_side(const grz_sign_bits signs[3], const uint32_t shared[3])
{
    return ((signs[0].positive | shared[0]) & (signs[1].positive | shared[1]) & (signs[2].positive | shared[2])) |
           ((signs[0].negative | shared[0]) & (signs[1].negative | shared[1]) & (signs[2].negative | shared[2]));
}

// Lanes where the signs of corners that are not shared are certain.
static inline uint32_t free_certain(const grz_sign_bits signs[3], const uint32_t shared[3])
{
    uint32_t bits = ~0u;
    for (int i = 0; i < 3; i++)
        bits &= signs[i].positive | signs[i].negative | shared[i];
    return bits;
}

// Lanes where all of an edge's turns are certain, and where the edge runs through the other triangle's interior for certain.
static inline uint32_t pierced(grz_sign_bits from, grz_sign_bits to, const grz_sign_bits turn[3])
{
    const uint32_t straddles = (from.positive & to.negative) | (from.negative & to.positive);
    return straddles & one_side(turn);
}

// Lanes that are apart, and lanes that cross, by all signs: of corners beside planes, and of edges past edges. Where one corner is
// shared the intersection begins there; it ends where an edge that lies opposite to it runs through the other triangle, or there and
// then, if no free corner lies in the other's plane.
static inline void judge_by_edges(const grz_packet *p, const grz_sign_bits corner_a[3], const grz_sign_bits corner_b[3],
                                  uint32_t *apart, uint32_t *crossing)
{
    grz_sign_bits turn[3][3], turned[3][3];
    grz_wide edge_b[3][3];
    uint32_t all = ~0u, any = 0;
    for (int j = 0; j < 3; j++)
        subtract(p->b[(j + 1) % 3], p->b[j], edge_b[j]);
    for (int i = 0; i < 3; i++) {
        grz_wide edge_a[3];
        subtract(p->a[(i + 1) % 3], p->a[i], edge_a);
        for (int j = 0; j < 3; j++) {
            grz_wide between[3], normal[3];
            subtract(p->b[j], p->a[i], between);
            cross(edge_b[j], edge_a, normal);
            turn[i][j] = turned[j][i] = signs_of(p, dot(normal, between));
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) // edges that both begin or end at a shared corner have nothing to say
            all &=
                turn[i][j].positive | turn[i][j].negative | (p->one_shared & ~p->shared_a[(i + 2) % 3] & ~p->shared_b[(j + 2) % 3]);
        any |= pierced(corner_a[i], corner_a[(i + 1) % 3], turn[i]) | pierced(corner_b[i], corner_b[(i + 1) % 3], turned[i]);
    }
    // A sign that is not zero vouches for the area of the triangle whose plane it was asked of.
    const uint32_t area_a = corner_b[0].positive | corner_b[0].negative | corner_b[1].positive | corner_b[1].negative |
                            corner_b[2].positive | corner_b[2].negative;
    const uint32_t area_b = corner_a[0].positive | corner_a[0].negative | corner_a[1].positive | corner_a[1].negative |
                            corner_a[2].positive | corner_a[2].negative;
    *crossing = any & area_a & area_b;
    *apart |= all & free_certain(corner_a, p->shared_a) & free_certain(corner_b, p->shared_b) & ~any & ~p->more_shared;
}

// Ask the caches for all corners: of large meshes they are rarely there, and no processor looks as far ahead as the next packet.
static inline void fetch_ahead(const grz_packet_side *a, const grz_packet_side *b, const grz_packet_pair *pairs, size_t count)
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

// Which of four lanes are apart, and which cross.
static inline void judge_packet(const grz_packet *p, uint32_t *apart, uint32_t *crossing)
{
    const uint32_t different = ~(p->shared_a[0] & p->shared_a[1] & p->shared_a[2]); // lanes whose triangles are not one
    const uint32_t lanes = (1u << LANES) - 1;
    grz_sign_bits corner_a[3], corner_b[3];
    *crossing = 0;
    sides_of(p, p->a, p->b, corner_b);
    *apart = free_on_one_side(corner_b, p->shared_b) & different;
    if ((~*apart & lanes) == 0)
        return;
    sides_of(p, p->b, p->a, corner_a);
    *apart |= free_on_one_side(corner_a, p->shared_a) & different;
    if ((~*apart & lanes) != 0)
        judge_by_edges(p, corner_a, corner_b, apart, crossing);
}

void GRZ_PACKET_JUDGE(const grz_packet_side *a, const grz_packet_side *b, const grz_packet_pair *pairs, size_t count,
                      unsigned char *verdicts)
{
    if (a != b) // of one mesh, what is near each other has been near before
        fetch_ahead(a, b, pairs, count);
    for (size_t first = 0; first < count; first += LANES) {
        const size_t filled = count - first < LANES ? count - first : LANES;
        uint32_t apart, crossing;
        grz_packet p;
        load_packet(a, b, pairs + first, filled, &p);
        judge_packet(&p, &apart, &crossing);
        for (size_t lane = 0; lane < filled; lane++)
            verdicts[first + lane] = (apart >> lane & 1) != 0      ? GRZ_PACKET_APART
                                     : (crossing >> lane & 1) != 0 ? GRZ_PACKET_CROSSING
                                                                   : GRZ_PACKET_OPEN;
    }
}
