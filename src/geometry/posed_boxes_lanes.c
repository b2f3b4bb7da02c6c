// SPDX-License-Identifier: MIT
// The separating axis test of two posed boxes, three axes at a time: the axes of the world, the normals of the faces of
// each box, then the cross products of the edges of A with one edge of B. No axis is normalised.
// docs/reference/numbers.md ("Posed boxes") bounds the rounding.
// Source: S. Gottschalk, M. Lin, D. Manocha, "OBBTree: a hierarchical structure for rapid interference detection"
// (1996), section 5.
#include "geometry/posed_boxes.h"

#include <assert.h>
#include <math.h>

#include "base/lanes.h"

static const double ROUNDING = 0x1p-44;    // of a projection, in units of two edges times the magnitude of a coordinate
static const double UNDERFLOW = 0x1p-1000; // more than the products of a projection lose, and not subnormal itself
static const double SMALLEST = 0x1p-1000;  // what underflow of positions and edges loses is less than 2^-47 of this

enum {
    AXES = 7 // the lanes of a bit mask that hold axes
};

// Three vectors side by side: lane i of x, y and z belongs to vector i. The fourth lane means nothing.
typedef struct grz_vectors {
    grz_f64x4 x, y, z;
} grz_vectors;

// A posed box as the test needs it: the points middle + Σ t·edge with |t| <= 1, for its three half edges.
typedef struct grz_placed_box {
    double middle[3];
    double edge[3][4]; // [coordinate][edge]
    double magnitude;  // bounds the magnitude of each coordinate, and of what it is computed from
    grz_vectors edges;
} grz_placed_box;

static inline grz_f64x4 sum_of_products(const grz_vectors *a, grz_f64x4 x, grz_f64x4 y, grz_f64x4 z)
{
    return grz_f64x4_add(grz_f64x4_add(grz_f64x4_multiply(a->x, x), grz_f64x4_multiply(a->y, y)),
                         grz_f64x4_multiply(a->z, z));
}

// The size of the product of each vector with v.
static inline grz_f64x4 along(const grz_vectors *vectors, double x, double y, double z)
{
    return grz_f64x4_abs(sum_of_products(vectors, grz_f64x4_splat(x), grz_f64x4_splat(y), grz_f64x4_splat(z)));
}

static inline grz_f64x4 along_edge(const grz_vectors *vectors, const grz_placed_box *box, int j)
{
    return along(vectors, box->edge[0][j], box->edge[1][j], box->edge[2][j]);
}

static inline grz_vectors cross(const grz_vectors *a, const grz_vectors *b)
{
    return (grz_vectors){
        grz_f64x4_subtract(grz_f64x4_multiply(a->y, b->z), grz_f64x4_multiply(a->z, b->y)),
        grz_f64x4_subtract(grz_f64x4_multiply(a->z, b->x), grz_f64x4_multiply(a->x, b->z)),
        grz_f64x4_subtract(grz_f64x4_multiply(a->x, b->y), grz_f64x4_multiply(a->y, b->x)),
    };
}

// Vector i is vector i + 1 of `a`, and vector 2 its first.
static inline grz_vectors turned(const grz_vectors *a)
{
    return (grz_vectors){grz_f64x4_turn(a->x), grz_f64x4_turn(a->y), grz_f64x4_turn(a->z)};
}

// The largest coordinate of each vector.
static inline grz_f64x4 size_of(const grz_vectors *a)
{
    return grz_f64x4_max(grz_f64x4_max(grz_f64x4_abs(a->x), grz_f64x4_abs(a->y)), grz_f64x4_abs(a->z));
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline void place(const grz_posed_box *posed, grz_placed_box *out)
{
    const double *min = posed->box->min, *max = posed->box->max;
    double middle[3], most[4], sizes[4];
    for (int j = 0; j < 3; j++) {
        assert(min[j] <= max[j]);
        middle[j] = 0.5 * min[j] + 0.5 * max[j];
        most[j] = larger(-min[j], max[j]) + SMALLEST;
    }
    const grz_f64x4 half =
        grz_f64x4_of(0.5 * max[0] - 0.5 * min[0], 0.5 * max[1] - 0.5 * min[1], 0.5 * max[2] - 0.5 * min[2], 0.0);
    const grz_f64x4 magnitudes = grz_f64x4_of(most[0], most[1], most[2], 1.0);
    grz_f64x4 rows[3], largest = grz_f64x4_splat(0.0);
    for (int i = 0; i < 3; i++) {
        const double *m = posed->pose->m[i];
        const grz_f64x4 row = grz_f64x4_load(m);
        rows[i] = grz_f64x4_multiply(row, half);
        // cppcheck-suppress uninitvar ; it is written here
        grz_f64x4_store(out->edge[i], rows[i]);
        largest = grz_f64x4_max(largest, grz_f64x4_multiply(grz_f64x4_abs(row), magnitudes));
        out->middle[i] = ((m[0] * middle[0] + m[1] * middle[1]) + m[2] * middle[2]) + m[3];
    }
    grz_f64x4_store(sizes, largest);
    out->magnitude = (sizes[0] + sizes[1]) + (sizes[2] + sizes[3]) + SMALLEST;
    out->edges = (grz_vectors){rows[0], rows[1], rows[2]};
}

// What the AABBs of two boxes say: are they apart, does one of them reach over the middle of the other?
typedef struct grz_aabb_test {
    bool apart, reaches_over;
} grz_aabb_test;

// Both boxes, and what all axes are compared with.
typedef struct grz_box_pair {
    grz_placed_box a, b;
    double offset[3]; // from A's middle to B's
    double rounding, underflow;
} grz_box_pair;

// True if the middles are further apart along one of three axes than both boxes reach. sizes: the products of the
// largest coordinates of two vectors whose cross product is the axis.
static inline bool is_beyond(const grz_box_pair *pair, const grz_vectors *axes, grz_f64x4 extent, grz_f64x4 sizes)
{
    const grz_f64x4 distance = along(axes, pair->offset[0], pair->offset[1], pair->offset[2]);
    const grz_f64x4 rounding =
        grz_f64x4_add(grz_f64x4_multiply(sizes, grz_f64x4_splat(pair->rounding)), grz_f64x4_splat(pair->underflow));
    return (grz_f64x4_greater(distance, grz_f64x4_add(extent, rounding)) & AXES) != 0;
}

// Try the axes of the world. `most` is what rounding may add to a distance of the middles.
static inline grz_aabb_test compare_aabbs(const grz_box_pair *pair, double most)
{
    bool apart = false, over_a = true, over_b = true;
    for (int i = 0; i < 3; i++) {
        const double *edge_a = pair->a.edge[i], *edge_b = pair->b.edge[i], distance = fabs(pair->offset[i]);
        const double half_a = (fabs(edge_a[0]) + fabs(edge_a[1])) + fabs(edge_a[2]);
        const double half_b = (fabs(edge_b[0]) + fabs(edge_b[1])) + fabs(edge_b[2]);
        apart = apart || distance > (half_a + half_b) + most;
        over_a = over_a && distance <= half_a;
        over_b = over_b && distance <= half_b;
    }
    return (grz_aabb_test){apart, over_a || over_b};
}

// Try the normals of the faces of one box.
static inline bool normals_separate(const grz_box_pair *pair, const grz_placed_box *box, const grz_placed_box *other)
{
    const grz_vectors second = turned(&box->edges), third = turned(&second), normals = cross(&second, &third);
    const grz_f64x4 own = grz_f64x4_abs(sum_of_products(&normals, box->edges.x, box->edges.y, box->edges.z));
    const grz_f64x4 extent =
        grz_f64x4_add(grz_f64x4_add(along_edge(&normals, other, 0), along_edge(&normals, other, 1)),
                      grz_f64x4_add(along_edge(&normals, other, 2), own));
    return is_beyond(pair, &normals, extent, grz_f64x4_multiply(size_of(&second), size_of(&third)));
}

// Try the cross products of the edges of A with edge j of B.
static inline bool edges_separate(const grz_box_pair *pair, grz_f64x4 sizes_a, int j)
{
    const grz_placed_box *a = &pair->a, *b = &pair->b;
    const grz_vectors edge = {grz_f64x4_splat(b->edge[0][j]), grz_f64x4_splat(b->edge[1][j]),
                              grz_f64x4_splat(b->edge[2][j])};
    const grz_vectors axes = cross(&a->edges, &edge);
    const grz_f64x4 extent_a =
        grz_f64x4_add(grz_f64x4_add(along_edge(&axes, a, 0), along_edge(&axes, a, 1)), along_edge(&axes, a, 2));
    const grz_f64x4 extent_b = grz_f64x4_add(along_edge(&axes, b, (j + 1) % 3), along_edge(&axes, b, (j + 2) % 3));
    return is_beyond(pair, &axes, grz_f64x4_add(extent_a, extent_b), grz_f64x4_multiply(sizes_a, size_of(&edge)));
}

bool GRZ_OF_WIDTH(grz_posed_boxes_apart)(const grz_posed_box *posed_a, const grz_posed_box *posed_b)
{
    grz_box_pair pair;
    place(posed_a, &pair.a);
    place(posed_b, &pair.b);
    const double magnitude = pair.a.magnitude + pair.b.magnitude;
    pair.rounding = ROUNDING * magnitude;
    pair.underflow = UNDERFLOW * (1.0 + magnitude);
    for (int i = 0; i < 3; i++)
        pair.offset[i] = pair.b.middle[i] - pair.a.middle[i];
    const grz_aabb_test aabbs = compare_aabbs(&pair, pair.rounding + pair.underflow);
    if (aabbs.apart || aabbs.reaches_over)
        return aabbs.apart;
    if (normals_separate(&pair, &pair.a, &pair.b) || normals_separate(&pair, &pair.b, &pair.a))
        return true;
    const grz_f64x4 sizes_a = size_of(&pair.a.edges);
    return edges_separate(&pair, sizes_a, 0) || edges_separate(&pair, sizes_a, 1) || edges_separate(&pair, sizes_a, 2);
}
