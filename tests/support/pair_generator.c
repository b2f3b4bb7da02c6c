// SPDX-License-Identifier: MIT
// Random pairs of triangles in eight classes. A pair starts from a lattice, from float32 or from double coordinates;
// then a relation is planted between the two (a corner on an edge, overlapping edges, containment, …) by sums with
// dyadic weights, which are exact on the lattice and mostly exact on float32; then the class squeezes, shares, shifts
// or scales it; last, corners, axes and the two triangles are shuffled, so that no test depends on an order.
#include "pair_generator.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef double triangle[3][3];

const char *pair_class_name(pair_class group)
{
    static const char *const names[PAIR_CLASS_COUNT] = {"random",        "integer grid", "coplanar",     "sliver",
                                                        "shared vertex", "shared edge",  "large offset", "tiny scale"};
    return group < PAIR_CLASS_COUNT ? names[group] : "?";
}

uint64_t random_bits(random_stream *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

random_stream random_stream_of_block(pair_class group, uint64_t block)
{
    random_stream random = {(block << 8 | (uint64_t)group) * UINT64_C(0xd1342543de82ef95) + 1};
    random.state = random_bits(&random);
    return random;
}

uint32_t random_below(random_stream *random, uint32_t count)
{
    return (uint32_t)(((random_bits(random) >> 32) * count) >> 32);
}

static int random_int(random_stream *random, int low, int high)
{
    return low + (int)random_below(random, (uint32_t)(high - low + 1));
}

double random_signed(random_stream *random)
{
    return (double)(random_bits(random) >> 11) * 0x1p-52 - 1.0;
}

double random_extreme(random_stream *random, int low, int high)
{
    uint64_t bits = random_bits(random);
    double f = 1.0;
    switch (bits & 7) {
    case 0:
        return 0.0;
    case 1:
    case 2:
        break;
    case 3:
    case 4:
        f += (double)(bits >> 56) * 0x1p-8;
        break;
    default:
        f += (double)(bits >> 12) * 0x1p-52;
    }
    f = ldexp(f, random_int(random, low, high));
    return bits & 8 ? -f : f;
}

double step_ulps(double value, int steps)
{
    for (; steps > 0; steps--)
        value = nextafter(value, HUGE_VAL);
    for (; steps < 0; steps++)
        value = nextafter(value, -HUGE_VAL);
    return value;
}

// --- sources of coordinates

typedef enum source {
    SOURCE_SMALL_LATTICE, // few integers, so that coincidences are frequent
    SOURCE_LATTICE,       // multiples of 16, so that sums with weights k/4, taken twice, stay integers
    SOURCE_FLOAT,
    SOURCE_DOUBLE
} source;

static double coordinate(random_stream *random, source from)
{
    switch (from) {
    case SOURCE_SMALL_LATTICE:
        return (double)random_int(random, -2, 2);
    case SOURCE_LATTICE:
        return 16.0 * (double)random_int(random, -4, 4);
    case SOURCE_FLOAT:
        // From 24 bits. Not (double)(float)x: in pairs of neighbours GCC 12's vectoriser drops that rounding.
        return (double)(random_bits(random) >> 40) * 0x1p-23 - 1.0;
    default:
        return random_signed(random);
    }
}

static void fill(random_stream *random, source from, triangle t)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            t[i][k] = coordinate(random, from);
}

// --- relations between two triangles

// p = t0 + u·(t1 − t0) + v·(t2 − t0); exact where the coordinates have bits to spare.
static void combine(const triangle t, double u, double v, double p[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = t[0][k] + u * (t[1][k] - t[0][k]) + v * (t[2][k] - t[0][k]);
}

static void rotate_corners(random_stream *random, triangle t)
{
    uint32_t turn = random_below(random, 3);
    triangle copy;
    memcpy(copy, t, sizeof copy);
    for (uint32_t i = 0; i < 3; i++)
        memcpy(t[i], copy[(i + turn) % 3], sizeof t[i]);
    if (random_below(random, 2)) {
        memcpy(copy[0], t[1], sizeof copy[0]);
        memcpy(t[1], t[2], sizeof t[1]);
        memcpy(t[2], copy[0], sizeof t[2]);
    }
}

// A point of the plane of t with dyadic weights: on the line of edge 0 where `on_line`, inside t where `inside`.
static void plane_point(random_stream *random, const triangle t, bool on_line, bool inside, double p[3])
{
    double u, v;
    if (inside) {
        int i = random_int(random, 0, 4);
        int j = random_int(random, 0, 4 - i);
        u = 0.25 * i;
        v = on_line ? 0.0 : 0.25 * j;
    } else {
        u = 0.25 * random_int(random, -4, 8);
        v = on_line ? 0.0 : 0.25 * random_int(random, -4, 8);
    }
    combine(t, u, v, p);
}

// Two corners of b on opposite sides of a point of a.
static void straddle(random_stream *random, const triangle a, bool on_edge, triangle b)
{
    double m[3];
    plane_point(random, a, on_edge, true, m);
    for (int k = 0; k < 3; k++) {
        double d = b[0][k] - m[k];
        b[1][k] = m[k] - (random_below(random, 4) ? d : 2 * d);
    }
}

// Move b so that one of its points coincides with a point of a: otherwise most random pairs are apart.
static void bring_near(random_stream *random, const triangle a, triangle b)
{
    double p[3], q[3];
    plane_point(random, a, false, true, p);
    plane_point(random, (const double(*)[3])b, false, true, q);
    for (int k = 0; k < 3; k++) {
        double move = p[k] - q[k];
        for (int i = 0; i < 3; i++)
            b[i][k] += move;
    }
}

static void collapse(random_stream *random, triangle t)
{
    switch (random_below(random, 4)) {
    case 0: // a point
        memcpy(t[1], t[0], sizeof t[1]);
        memcpy(t[2], t[0], sizeof t[2]);
        break;
    case 1: // a segment with a doubled end
        memcpy(t[2], t[random_below(random, 2)], sizeof t[2]);
        break;
    default: // a segment with the third corner inside or beyond
        plane_point(random, (const double(*)[3])t, true, random_below(random, 2), t[2]);
    }
}

static void relate(random_stream *random, triangle a, triangle b)
{
    const double(*fixed)[3] = (const double(*)[3])a;
    switch (random_below(random, 20)) {
    case 0: // equal corners
        memcpy(b[0], a[0], sizeof b[0]);
        break;
    case 1: // a corner on an edge
        plane_point(random, fixed, true, true, b[0]);
        break;
    case 2: // a corner on the face
        plane_point(random, fixed, false, true, b[0]);
        break;
    case 3: // edges on one line
        plane_point(random, fixed, true, false, b[0]);
        plane_point(random, fixed, true, false, b[1]);
        break;
    case 4:
        straddle(random, fixed, true, b);
        break;
    case 5:
        straddle(random, fixed, false, b);
        break;
    case 6: // an edge in the plane
        plane_point(random, fixed, false, false, b[0]);
        plane_point(random, fixed, false, random_below(random, 2), b[1]);
        break;
    case 7: // coplanar, anywhere
    case 8:
        for (int i = 0; i < 3; i++)
            plane_point(random, fixed, false, false, b[i]);
        break;
    case 9: // inside
        for (int i = 0; i < 3; i++)
            plane_point(random, fixed, false, true, b[i]);
        break;
    case 10: // identical
        memcpy(b, a, sizeof(triangle));
        break;
    case 11: // mirrored in an edge, in the plane
        memcpy(b, a, sizeof(triangle));
        combine(fixed, 1, -1, b[2]);
        break;
    case 12: // both corners of one edge on edges of the other
        plane_point(random, fixed, true, true, b[0]);
        combine(fixed, 0, 0.25 * random_int(random, 0, 4), b[1]);
        break;
    default:
        if (random_below(random, 4))
            bring_near(random, fixed, b);
    }
}

static void nudge(random_stream *random, triangle t)
{
    int times = random_int(random, 1, 3);
    for (int n = 0; n < times; n++) {
        uint32_t corner = random_below(random, 3), axis = random_below(random, 3);
        double *x = &t[corner][axis];
        *x = step_ulps(*x, random_below(random, 2) ? 1 : -1);
    }
}

// A pair with a planted relation; `degenerate_in` says that one in so many is degenerate.
static void related_pair(random_stream *random, source from, uint32_t degenerate_in, triangle a, triangle b)
{
    fill(random, from, a);
    fill(random, from, b);
    if (!random_below(random, degenerate_in))
        collapse(random, a);
    relate(random, a, b);
    if (!random_below(random, degenerate_in))
        collapse(random, b);
}

// --- the classes

static void make_random(random_stream *random, triangle a, triangle b)
{
    related_pair(random, random_below(random, 2) ? SOURCE_FLOAT : SOURCE_DOUBLE, 24, a, b);
}

static void make_grid(random_stream *random, triangle a, triangle b)
{
    related_pair(random, random_below(random, 3) ? SOURCE_LATTICE : SOURCE_SMALL_LATTICE, 12, a, b);
}

// Corners o + i·u + j·v with small integer o, u, v and integer i, j of `bits` bits: exactly in one plane.
static void lattice_plane(random_stream *random, triangle a, triangle b)
{
    double o[3], u[3], v[3];
    int size = 1 << (random_below(random, 2) ? 3 : random_int(random, 4, 26));
    for (int k = 0; k < 3; k++) {
        o[k] = random_int(random, -9, 9);
        u[k] = random_int(random, -3, 3);
        v[k] = random_int(random, -3, 3);
    }
    for (int n = 0; n < 6; n++) {
        double i = 4.0 * random_int(random, -size, size);
        double j = 4.0 * random_int(random, -size, size);
        double *p = n < 3 ? a[n] : b[n - 3];
        for (int k = 0; k < 3; k++)
            p[k] = o[k] + i * u[k] + j * v[k];
    }
}

static void make_coplanar(random_stream *random, triangle a, triangle b)
{
    if (random_below(random, 2)) {
        lattice_plane(random, a, b);
    } else {
        source from = random_below(random, 2) ? SOURCE_DOUBLE : SOURCE_FLOAT;
        double height = coordinate(random, from);
        fill(random, from, a);
        fill(random, from, b);
        for (int i = 0; i < 3; i++)
            a[i][2] = b[i][2] = height;
    }
    if (random_below(random, 2))
        relate(random, a, b);
    if (!random_below(random, 24))
        collapse(random, random_below(random, 2) ? a : b);
    switch (random_below(random, 8)) {
    case 0: // almost coplanar
    case 1:
        nudge(random, b);
        break;
    case 2: // hinged: one edge stays in the plane
        b[0][random_below(random, 3)] += 8;
        break;
    case 3: // parallel or shifted within
        for (int i = 0, k = random_int(random, 0, 2); i < 3; i++)
            b[i][k] = step_ulps(b[i][k], 1);
        break;
    default:
        break;
    }
}

// Bring one corner to within an ulp to 2^-20 of another corner, of an edge, or of a point of the other triangle.
static void squeeze(random_stream *random, const triangle other, triangle t)
{
    double size = ldexp(1.0, -random_int(random, 20, 60));
    double to[3];
    switch (random_below(random, 4)) {
    case 0: // a needle
        memcpy(to, t[1], sizeof to);
        break;
    case 1: // a cap
        combine((const double(*)[3])t, 0.125 * random_int(random, 1, 7), 0, to);
        break;
    case 2: // beyond the end of the edge
        combine((const double(*)[3])t, 0.25 * random_int(random, -2, 6), 0, to);
        break;
    default: // along the other's edge
        combine(other, 0.25 * random_int(random, -1, 5), 0, to);
        combine(other, 0.25 * random_int(random, -1, 5), 0, t[0]);
    }
    for (int k = 0; k < 3; k++)
        t[2][k] = random_below(random, 2) ? to[k] + size * random_signed(random)
                                          : step_ulps(to[k], random_int(random, -1, 1));
}

static void make_sliver(random_stream *random, triangle a, triangle b)
{
    static const source sources[4] = {SOURCE_LATTICE, SOURCE_FLOAT, SOURCE_DOUBLE, SOURCE_DOUBLE};
    source from = sources[random_below(random, 4)];
    fill(random, from, a);
    fill(random, from, b);
    bool early = random_below(random, 2);
    if (early)
        squeeze(random, (const double(*)[3])b, a);
    relate(random, a, b);
    if (!early || random_below(random, 2))
        squeeze(random, (const double(*)[3])a, b);
    if (random_below(random, 3) == 0)
        bring_near(random, (const double(*)[3])a, b);
}

// Change one coordinate by an amount between its own size and almost nothing.
static void bend(random_stream *random, double p[3])
{
    uint32_t axis = random_below(random, 3);
    double size = ldexp(1.0, -random_int(random, 0, 60));
    p[axis] += size * random_signed(random);
}

static void make_shared(random_stream *random, int shared, triangle a, triangle b)
{
    related_pair(random, (source)random_below(random, 4), 24, a, b);
    rotate_corners(random, a);
    rotate_corners(random, b);
    for (int i = 0; i < shared; i++)
        memcpy(b[i], a[i], sizeof b[i]);
    switch (random_below(random, 8)) {
    case 0: // flat, anywhere in the plane of a
    case 1:
        for (int i = shared; i < 3; i++)
            plane_point(random, (const double(*)[3])a, false, false, b[i]);
        break;
    case 2: // a free corner on the face or the line of the edge
        plane_point(random, (const double(*)[3])a, random_below(random, 2), true, b[2]);
        break;
    case 3: // almost flat
        for (int i = shared; i < 3; i++)
            plane_point(random, (const double(*)[3])a, false, false, b[i]);
        bend(random, b[2]);
        break;
    default:
        break;
    }
    if (!random_below(random, 8)) // the common corners miss each other by an ulp
        nudge(random, b);
}

static void make_any(random_stream *random, triangle a, triangle b)
{
    switch (random_below(random, 6)) {
    case 0:
        make_coplanar(random, a, b);
        break;
    case 1:
        make_sliver(random, a, b);
        break;
    case 2:
        make_shared(random, random_int(random, 1, 2), a, b);
        break;
    case 3:
        make_random(random, a, b);
        break;
    default:
        make_grid(random, a, b);
    }
}

static void make_large_offset(random_stream *random, triangle a, triangle b)
{
    make_any(random, a, b);
    for (int k = 0; k < 3; k++) {
        int factor = random_int(random, -3, 3), exponent = random_int(random, 20, 52);
        double offset = ldexp((double)factor, exponent);
        for (int i = 0; i < 3; i++) {
            a[i][k] += offset;
            b[i][k] += offset;
        }
    }
}

static void scale(triangle t, int axis, int exponent)
{
    for (int i = 0; i < 3; i++)
        t[i][axis] = ldexp(t[i][axis], exponent);
}

static void make_tiny(random_stream *random, triangle a, triangle b)
{
    static const int exponents[4] = {-200, -900, -1060, -1074};
    make_any(random, a, b);
    int exponent = exponents[random_below(random, 4)];
    switch (random_below(random, 16)) {
    case 0: // another scale on every axis
    case 1:
    case 2:
        for (int k = 0; k < 3; k++) {
            exponent = random_below(random, 4) ? random_int(random, -1074, 200) : 0;
            scale(a, k, exponent);
            scale(b, k, exponent);
        }
        break;
    case 3: // of two triangles one
        for (int k = 0; k < 3; k++)
            scale(a, k, exponent);
        break;
    default:
        for (int k = 0; k < 3; k++) {
            scale(a, k, exponent);
            scale(b, k, exponent);
        }
    }
}

// --- the shuffle at the end

static void shuffle(random_stream *random, triangle a, triangle b)
{
    if (!random_below(random, 12))
        nudge(random, b);
    uint64_t bits = random_bits(random);
    if (bits & 1) {
        triangle copy;
        memcpy(copy, a, sizeof copy);
        memcpy(a, b, sizeof copy);
        memcpy(b, copy, sizeof copy);
    }
    rotate_corners(random, a);
    rotate_corners(random, b);
    int turn = (int)(bits >> 8 & 0xff) % 3;
    bool swap = bits & 2;
    for (int n = 0; n < 6; n++) {
        double *p = n < 3 ? a[n] : b[n - 3];
        double x[3] = {p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]};
        p[0] = bits & 16 ? -x[0] : x[0];
        p[1] = swap ? x[2] : x[1];
        p[2] = swap ? x[1] : x[2];
    }
    // The sign of a zero must not matter, and must not make equal corners different.
    if ((bits & 0xe0) == 0)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                if (a[i][k] == 0)
                    a[i][k] = -a[i][k];
}

void pair_generate(pair_class group, random_stream *random, double a[3][3], double b[3][3])
{
    switch (group) {
    case PAIR_GRID:
        make_grid(random, a, b);
        break;
    case PAIR_COPLANAR:
        make_coplanar(random, a, b);
        break;
    case PAIR_SLIVER:
        make_sliver(random, a, b);
        break;
    case PAIR_SHARED_VERTEX:
        make_shared(random, 1, a, b);
        break;
    case PAIR_SHARED_EDGE:
        make_shared(random, 2, a, b);
        break;
    case PAIR_LARGE_OFFSET:
        make_large_offset(random, a, b);
        break;
    case PAIR_TINY_SCALE:
        make_tiny(random, a, b);
        break;
    default:
        make_random(random, a, b);
    }
    shuffle(random, a, b);
}
