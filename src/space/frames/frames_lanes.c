// SPDX-License-Identifier: MIT
// Frames and their margins. A vertex x has world position w = M·x + t and tree coordinates y = (x - o)·s. With an
// approximate inverse X of M_b, a point with A's tree coordinates y has in B's tree coordinates about R·y + T, where
//   R = (s_b / s_a)·X·M_a,   T = s_b·X·((M_a·o_a + t_a) - (M_b·o_b + t_b)).
// docs/internals/bvh.md ("Frames") bounds the error; the margin is the sum of
// - the rounding of the world positions and of the two origins: 2^-49 of the largest world coordinates, and underflow;
// - the error of the inverse: |X·M_b - I|, at most 2^-30, times the largest row of |X|·|M_a| and |X|·|distance of the
//   origins|;
// - the rounding of floats: eight roundings of R, the boxes, products and sums: 2^-21 of their magnitudes, and
//   underflow.
// If pairs that do not touch are wanted as well: points nearer than d in the world are nearer than d·s_b·|M_b^-1|
// ("Reach").
// Vectors hold a column of a 3 x 3 matrix each, one row in a lane; the fourth lane is 0.
#include "base/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "base/simd.h"
#include "geometry/pose.h"
#include "space/frames/frames.h"

static const double WORLD_ROUNDING = 0x1p-49;    // of the magnitudes' sum: derived in docs/internals/bvh.md
static const double WORLD_UNDERFLOW = 0x1p-1070; // four products for each vertex and origin, each off by 2^-1075
// Poses that shrink both objects to less than SMALL are enlarged before their inverse is taken: what is 2^500 times as
// large in both poses touches just the same. The underflow of the world positions grows with it.
static const double SMALL = 0x1p-500, ENLARGED = 0x1p500;
static const double TURN_ROUNDING = 0x1p-43; // of M·Aᵀ for M·A⁻¹, with the axes' LARGEST_SKEW of 2^-48 (bvh_axes.c)
static const double FLOAT_ROUNDING = 0x1.1p-21;
static const double DOUBLE_ROUNDING = 0x1p-50;      // rounding of R and T in doubles
static const double UNDERFLOW = 0x1p-140;           // underflow of floats: each operation loses at most 2^-150
static const double LARGEST_RESIDUAL = 0x1p-30;     // of |X·M_b - I|
static const double LARGEST_FLOAT = 0x1p100;        // sums and products of a few numbers of this size stay finite
static const double REACH_ROUNDING = 1.0 + 0x1p-18; // for the error of the inverse, and for all roundings

enum {
    ROWS = 7 // the lanes of a bit mask that hold rows
};

// An affine map between tree coordinates in doubles, with a bound on the error of the translation, and how far apart
// points within reach can be.
typedef struct grz_exact_map {
    grz_f64x4 m[3], t, error;
    double reach;
} grz_exact_map;

// What both directions between two objects need of one of them.
typedef struct grz_framed {
    const grz_bvh *bvh;
    double underflow; // of world positions
    // The linear part of the pose; of a turned tree, multiplied by the inverse of its axes. Rows of three numbers each;
    // the fourth has no meaning.
    const double (*rows)[4];
    grz_f64x4 m[3];      // its columns
    double turned[3][4]; // the rows of a turned tree
    grz_f64x4 turning;   // bounds what that product adds to the error of world positions
    grz_f64x4 magnitude; // the largest |m0·x| + |m1·y| + |m2·z| + |t| over the mesh
    double origin[3];    // of the tree, in world coordinates
    grz_f64x4 low, high; // the mesh's box in tree coordinates
} grz_framed;

// What a map between two trees came to.
typedef enum grz_mapping {
    MAPPED,     // it can be used
    TOO_LARGE,  // floats cannot express it, or the pose has no accurate inverse
    BOXES_APART // no map is needed
} grz_mapping;

// An approximate inverse of a pose's linear part, multiplied by a power of two.
typedef struct grz_inverse {
    grz_f64x4 m[3];
    double scale;    // the power of two
    double residual; // bounds the row sums of |X·M/scale - I|
} grz_inverse;

static inline grz_f64x4 scaled(grz_f64x4 a, double factor)
{
    return grz_f64x4_multiply(a, grz_f64x4_splat(factor));
}

static inline grz_f64x4 sum_of_3(grz_f64x4 a, grz_f64x4 b, grz_f64x4 c)
{
    return grz_f64x4_add(grz_f64x4_add(a, b), c);
}

// True if each row of `a` is below `limit`, and a number.
static inline bool is_below(grz_f64x4 a, double limit)
{
    return (grz_f64x4_greater(grz_f64x4_splat(limit), a) & ROWS) == ROWS;
}

static inline double largest_of(grz_f64x4 a)
{
    double lanes[4];
    grz_f64x4_store(lanes, a);
    const double first = lanes[0] > lanes[1] ? lanes[0] : lanes[1];
    return first > lanes[2] ? first : lanes[2];
}

// Column j of the matrix product a·b, where b is given by the entries of that column.
static inline grz_f64x4 times_column(const grz_f64x4 a[3], double b0, double b1, double b2)
{
    return sum_of_3(scaled(a[0], b0), scaled(a[1], b1), scaled(a[2], b2));
}

// The largest power of two that is at most x, for a normal positive x.
static double power_of_two_below(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7ff0000000000000);
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Choose which bound entry (i, j) takes: a negative entry makes the lower bound from the box's upper bound.
static inline void choose_bounds(grz_bvh_map *map, int i, int j)
{
    const int negative = map->m[i][j] < 0.0f;
    map->least[i][j] = (uint8_t)((negative * 3 + j) * GRZ_BVH_WIDTH);
    map->most[i][j] = (uint8_t)(((1 - negative) * 3 + j) * GRZ_BVH_WIDTH);
}

static inline void choose_row(grz_bvh_map *map, int i)
{
    choose_bounds(map, i, 0);
    choose_bounds(map, i, 1);
    choose_bounds(map, i, 2);
}

static inline void copy_row(grz_bvh_map *map, int i)
{
    for (int j = 0; j < 4; j++)
        map->m[i][j] = map->columns[j][i];
    choose_row(map, i);
}

static inline void store_rows(float to[3], grz_f64x4 a)
{
    float lanes[4];
    grz_f32x4_store(lanes, grz_f64x4_to_f32x4(a));
    memcpy(to, lanes, 3 * sizeof *to);
}

// The margin that boxes need which are mapped in floats, and the largest magnitude of a mapped coordinate.
// `mapped_max`: the largest |coordinate| of these boxes; `compared_max`: that of the boxes they are compared with.
static inline grz_f64x4 margin_of(const grz_exact_map *exact, double mapped_max, double compared_max,
                                  grz_f64x4 *magnitude)
{
    const grz_f64x4 rows = grz_f64x4_of(1.0, 1.0, 1.0, 0.0);
    *magnitude = grz_f64x4_abs(exact->t);
    for (int j = 0; j < 3; j++)
        *magnitude = grz_f64x4_add(*magnitude, scaled(grz_f64x4_abs(exact->m[j]), mapped_max));
    const grz_f64x4 rounding = scaled(grz_f64x4_add(*magnitude, grz_f64x4_splat(compared_max)), FLOAT_ROUNDING);
    assert(grz_f64x4_greater(grz_f64x4_splat(0.0), exact->error) == 0);
    return grz_f64x4_multiply(sum_of_3(exact->error, rounding, grz_f64x4_splat(UNDERFLOW)), rows);
}

// True if the boxes of both meshes are apart in the coordinates of `to`, with the same margin and reach.
static inline bool boxes_apart(const grz_exact_map *exact, grz_f64x4 margin, const grz_framed *from,
                               const grz_framed *to)
{
    double centre[4], half[4];
    grz_f64x4_store(centre, scaled(grz_f64x4_add(from->low, from->high), 0.5));
    grz_f64x4_store(half, scaled(grz_f64x4_subtract(from->high, from->low), 0.5));
    const grz_f64x4 middle = grz_f64x4_add(times_column(exact->m, centre[0], centre[1], centre[2]), exact->t);
    const grz_f64x4 sizes[3] = {grz_f64x4_abs(exact->m[0]), grz_f64x4_abs(exact->m[1]), grz_f64x4_abs(exact->m[2])};
    const grz_f64x4 reach =
        sum_of_3(times_column(sizes, half[0], half[1], half[2]), margin, grz_f64x4_splat(exact->reach));
    return ((grz_f64x4_greater(grz_f64x4_subtract(middle, reach), to->high) |
             grz_f64x4_greater(to->low, grz_f64x4_add(middle, reach))) &
            ROWS) != 0;
}

// Round a map to floats. False: the numbers are too large for floats.
static bool round_map(const grz_exact_map *exact, grz_f64x4 magnitude, grz_f64x4 margin, grz_bvh_map *map)
{
    for (int j = 0; j < 3; j++) {
        const grz_f64x4 size = grz_f64x4_abs(exact->m[j]);
        if (!is_below(size, LARGEST_FLOAT))
            return false;
        grz_f32x4_store(map->columns[j], grz_f64x4_to_f32x4(exact->m[j]));
        grz_f32x4_store(map->magnitudes[j], grz_f64x4_to_f32x4(size));
    }
    if (!is_below(grz_f64x4_add(magnitude, margin), LARGEST_FLOAT) || !(exact->reach < LARGEST_FLOAT))
        return false;
    grz_f32x4_store(map->columns[3], grz_f64x4_to_f32x4(exact->t));
    grz_f32x4_store(map->magnitudes[3], grz_f64x4_to_f32x4(margin));
    store_rows(map->low, grz_f64x4_subtract(exact->t, margin));
    store_rows(map->high, grz_f64x4_add(exact->t, margin));
    copy_row(map, 0);
    copy_row(map, 1);
    copy_row(map, 2);
    assert(map->low[0] <= map->high[0] && map->low[1] <= map->high[1] && map->low[2] <= map->high[2]);
    map->slack = (float)(8.0 * largest_of(margin));
    map->reach = (float)exact->reach;
    return true;
}

// How far apart points nearer than `reach` in the world can be, given the columns of the linear part N of the map from
// the world, which is off by 2^-29 of its largest row: |N|·reach, and |N|² is at most the largest row sum of |N·Nᵀ|,
// which is exact for a rotation.
static inline double reach_of(const grz_f64x4 n[3], double reach)
{
    double columns[3][4], most = 0.0;
    if (!(reach > 0.0))
        return 0.0;
    for (int j = 0; j < 3; j++)
        grz_f64x4_store(columns[j], n[j]);
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += fabs(columns[0][i] * columns[0][k] + columns[1][i] * columns[1][k] + columns[2][i] * columns[2][k]);
        most = sum > most ? sum : most;
    }
    return reach * (sqrt(most) * REACH_ROUNDING);
}

static inline void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// False if the inverse is not accurate enough.
static bool invert(const grz_framed *object, grz_inverse *inverse)
{
    double m[3][4], columns[3][3];
    const grz_f64x4 sizes = grz_f64x4_max(grz_f64x4_abs(object->m[0]),
                                          grz_f64x4_max(grz_f64x4_abs(object->m[1]), grz_f64x4_abs(object->m[2])));
    const double largest = largest_of(sizes);
    if (!(largest > GRZ_PRODUCT_MIN))
        return false;
    inverse->scale = power_of_two_below(largest);
    const double shrink = 1.0 / inverse->scale; // exact, as the products with it are
    for (int i = 0; i < 3; i++)
        grz_f64x4_store(m[i], scaled(grz_f64x4_load(object->rows[i]), shrink));
    cross(m[1], m[2], columns[0]);
    cross(m[2], m[0], columns[1]);
    cross(m[0], m[1], columns[2]);
    const double determinant = m[0][0] * columns[0][0] + m[0][1] * columns[0][1] + m[0][2] * columns[0][2];
    if (!(fabs(determinant) > 0x1p-60)) // chosen: the residual decides
        return false;
    const double factor = 1.0 / determinant;
    grz_f64x4 sizes_of[3], rows = grz_f64x4_splat(0.0);
    for (int j = 0; j < 3; j++) {
        inverse->m[j] = scaled(grz_f64x4_of(columns[j][0], columns[j][1], columns[j][2], 0.0), factor);
        sizes_of[j] = grz_f64x4_abs(inverse->m[j]);
    }
    const grz_f64x4 unit[3] = {grz_f64x4_of(1.0, 0.0, 0.0, 0.0), grz_f64x4_of(0.0, 1.0, 0.0, 0.0),
                               grz_f64x4_of(0.0, 0.0, 1.0, 0.0)};
    for (int j = 0; j < 3; j++) {
        const grz_f64x4 product = times_column(inverse->m, m[0][j], m[1][j], m[2][j]);
        const grz_f64x4 magnitude = times_column(sizes_of, fabs(m[0][j]), fabs(m[1][j]), fabs(m[2][j]));
        rows = sum_of_3(rows, grz_f64x4_abs(grz_f64x4_subtract(product, unit[j])), scaled(magnitude, DOUBLE_ROUNDING));
    }
    inverse->residual = largest_of(rows);
    return is_below(rows, LARGEST_RESIDUAL);
}

// A bound of the mesh's box in tree coordinates. A tree may hold only a part of a mesh, which its reach bounds.
static inline grz_f64x4 tree_bound(const grz_bvh *bvh, const double bound[3])
{
    const grz_f64x4 shifted =
        grz_f64x4_of(bound[0] - bvh->origin[0], bound[1] - bvh->origin[1], bound[2] - bvh->origin[2], 0.0);
    const grz_f64x4 most = grz_f64x4_splat(bvh->max_abs), least = grz_f64x4_splat(-bvh->max_abs);
    return grz_f64x4_max(least, grz_f64x4_min(most, scaled(shifted, bvh->scale)));
}

// For a turned tree: x = o + A⁻¹·y/s, so the linear part becomes M·A⁻¹, for which M·Aᵀ is taken. The box is that of the
// tree's root.
static void turn(grz_framed *framed)
{
    const grz_bvh *bvh = framed->bvh;
    const double reach = bvh->unit * bvh->max_abs;
    grz_f64x4 columns[3];
    double lanes[4], bounds[2][4] = {{0.0}};
    framed->turning = grz_f64x4_add(
        scaled(sum_of_3(grz_f64x4_abs(framed->m[0]), grz_f64x4_abs(framed->m[1]), grz_f64x4_abs(framed->m[2])),
               TURN_ROUNDING * reach),
        grz_f64x4_splat(WORLD_UNDERFLOW * reach));
    for (int j = 0; j < 3; j++) {
        columns[j] = times_column(framed->m, bvh->axes[j][0], bvh->axes[j][1], bvh->axes[j][2]);
        grz_f64x4_store(lanes, columns[j]);
        for (int i = 0; i < 3; i++)
            framed->turned[i][j] = lanes[i];
        framed->turned[j][3] = 0.0;
        bounds[0][j] = (double)bvh->whole[0][j][0];
        bounds[1][j] = (double)bvh->whole[1][j][0];
    }
    memcpy(framed->m, columns, sizeof columns);
    framed->rows = (const double(*)[4])framed->turned;
    framed->low = grz_f64x4_load(bounds[0]);
    framed->high = grz_f64x4_load(bounds[1]);
}

static void frame(grz_framed *framed, const grz_bvh *bvh, const grz_object *object)
{
    const double(*m)[4] = object->pose.m;
    const double *most = object->mesh->max_abs;
    framed->low = tree_bound(bvh, object->mesh->bounds.min);
    framed->high = tree_bound(bvh, object->mesh->bounds.max);
    framed->bvh = bvh;
    framed->rows = m;
    framed->turning = grz_f64x4_splat(0.0);
    framed->underflow = WORLD_UNDERFLOW;
    for (int j = 0; j < 3; j++)
        framed->m[j] = grz_f64x4_of(m[0][j], m[1][j], m[2][j], 0.0);
    const grz_f64x4 t = grz_f64x4_of(m[0][3], m[1][3], m[2][3], 0.0);
    framed->magnitude = grz_f64x4_add(sum_of_3(scaled(grz_f64x4_abs(framed->m[0]), most[0]),
                                               scaled(grz_f64x4_abs(framed->m[1]), most[1]),
                                               scaled(grz_f64x4_abs(framed->m[2]), most[2])),
                                      grz_f64x4_abs(t));
    grz_world_position(&object->pose, bvh->origin, framed->origin);
    if (bvh->turned)
        turn(framed);
}

// If all vertices of a tree coincide, the linear part of a map has no effect.
static inline grz_f64x4 effective(grz_f64x4 column, const grz_framed *from)
{
    return from->bvh->max_abs > 0.0 ? column : grz_f64x4_splat(0.0);
}

// The map from the tree coordinates of `from` to those of `to`.
static grz_mapping map_between(const grz_framed *from, const grz_framed *to, double reach, grz_bvh_map *map)
{
    grz_inverse inverse;
    grz_exact_map exact;
    double world_error[4];
    if (!invert(to, &inverse))
        return TOO_LARGE;
    const double outer = to->bvh->scale / inverse.scale, linear = outer * from->bvh->unit;
    const grz_f64x4 world = grz_f64x4_add(from->magnitude, to->magnitude);
    const grz_f64x4 turning = grz_f64x4_add(from->turning, to->turning);
    grz_f64x4_store(world_error, sum_of_3(scaled(world, WORLD_ROUNDING), turning, grz_f64x4_splat(from->underflow)));
    grz_f64x4 rows = grz_f64x4_splat(0.0);
    exact.t = exact.error = grz_f64x4_splat(0.0);
    for (int j = 0; j < 3; j++) {
        const double *m = from->rows[j], between = from->origin[j] - to->origin[j];
        const double row = (fabs(m[0]) + fabs(m[1]) + fabs(m[2])) * linear * from->bvh->max_abs;
        const grz_f64x4 column = inverse.m[j], size = grz_f64x4_abs(column);
        exact.t = grz_f64x4_add(exact.t, scaled(scaled(column, between), outer));
        exact.error = grz_f64x4_add(exact.error, scaled(scaled(size, world_error[j]), outer));
        rows = grz_f64x4_add(rows, scaled(size, row + fabs(between) * outer));
        exact.m[j] = effective(
            scaled(times_column(inverse.m, from->rows[0][j], from->rows[1][j], from->rows[2][j]), linear), from);
    }
    const double inexact = (inverse.residual + DOUBLE_ROUNDING) * largest_of(rows);
    exact.error = grz_f64x4_add(exact.error, grz_f64x4_splat(inexact));
    exact.reach = reach_of(inverse.m, reach * outer);
    grz_f64x4 magnitude;
    const grz_f64x4 margin = margin_of(&exact, from->bvh->max_abs, to->bvh->max_abs, &magnitude);
    if (boxes_apart(&exact, margin, from, to))
        return BOXES_APART;
    return round_map(&exact, magnitude, margin, map) ? MAPPED : TOO_LARGE;
}

// The map to world coordinates, moved to `centre` and multiplied by `scale`. False if floats cannot express it.
static bool map_to_world(const grz_framed *framed, const double centre[3], double scale, double reach, grz_bvh_map *map)
{
    grz_exact_map exact;
    const double *at = framed->origin;
    for (int j = 0; j < 3; j++)
        exact.m[j] = effective(scaled(scaled(framed->m[j], framed->bvh->unit), scale), framed);
    exact.t = scaled(grz_f64x4_of(at[0] - centre[0], at[1] - centre[1], at[2] - centre[2], 0.0), scale);
    const grz_f64x4 world =
        grz_f64x4_add(framed->magnitude, grz_f64x4_of(fabs(centre[0]), fabs(centre[1]), fabs(centre[2]), 0.0));
    exact.error =
        scaled(sum_of_3(scaled(world, WORLD_ROUNDING), framed->turning, grz_f64x4_splat(framed->underflow)), scale);
    exact.reach = reach * scale * REACH_ROUNDING;
    grz_f64x4 magnitude;
    const grz_f64x4 margin = margin_of(&exact, framed->bvh->max_abs, 0.0, &magnitude);
    return round_map(&exact, magnitude, margin, map);
}

// The map of last resort: every box becomes the whole space.
static void map_anything(grz_bvh_map *map)
{
    *map = (grz_bvh_map){.m = {{0.0f}}};
    for (int i = 0; i < 3; i++) {
        map->magnitudes[3][i] = HUGE_VALF;
        map->low[i] = -HUGE_VALF;
        map->high[i] = HUGE_VALF;
        choose_row(map, i);
    }
}

// Use world coordinates as the only frame, moved to the middle of both objects' boxes and scaled to about 1.
// The map of A has the reach.
static void frames_of_world(grz_bvh_frames *frames, const grz_framed *framed_a, const grz_object *a,
                            const grz_framed *framed_b, const grz_object *b, double reach)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    double centre[3], largest = 0.0;
    for (int i = 0; i < 3; i++) {
        const double low = fmin(box_a.min[i], box_b.min[i]), high = fmax(box_a.max[i], box_b.max[i]);
        centre[i] = 0.5 * low + 0.5 * high;
        largest = fmax(largest, 0.5 * high - 0.5 * low);
    }
    const double scale = largest > GRZ_PRODUCT_MIN ? 1.0 / power_of_two_below(largest) : 1.0;
    frames->kind = GRZ_FRAMES_WORLD;
    if (!map_to_world(framed_a, centre, scale, reach, &frames->a))
        map_anything(&frames->a);
    if (!map_to_world(framed_b, centre, scale, 0.0, &frames->b))
        map_anything(&frames->b);
}

// By how much a map enlarges, approximately.
static float scale_of(const grz_bvh_map *map)
{
    float lanes[4];
    const grz_f32x4 x = grz_f32x4_load(map->columns[0]), y = grz_f32x4_load(map->columns[1]),
                    z = grz_f32x4_load(map->columns[2]);
    grz_f32x4_store(lanes, grz_f32x4_add(grz_f32x4_add(grz_f32x4_multiply(x, x), grz_f32x4_multiply(y, y)),
                                         grz_f32x4_multiply(z, z)));
    return sqrtf(lanes[0] + lanes[1] + lanes[2]);
}

// True if the object is so small that its pose can be enlarged, which is exact.
static bool is_small(const grz_framed *framed)
{
    bool fits = is_below(framed->magnitude, SMALL);
    for (int j = 0; j < 3; j++)
        fits = fits && is_below(grz_f64x4_abs(framed->m[j]), ENLARGED);
    return fits;
}

static void enlarge(grz_framed *framed, grz_object *object)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            object->pose.m[i][j] *= ENLARGED;
    frame(framed, framed->bvh, object);
    framed->underflow = WORLD_UNDERFLOW * ENLARGED;
}

// Make the frames of two objects that frame() has looked at.
static void make_frames(grz_bvh_frames *frames, const grz_framed *framed_a, const grz_object *a,
                        const grz_framed *framed_b, const grz_object *b, double reach)
{
    grz_mapping mapping = map_between(framed_a, framed_b, reach, &frames->a);
    if (mapping == MAPPED)
        mapping = map_between(framed_b, framed_a, reach, &frames->b);
    frames->kind = mapping == BOXES_APART ? GRZ_FRAMES_APART : GRZ_FRAMES_TREES;
    if (mapping == BOXES_APART)
        return;
    if (mapping == TOO_LARGE)
        frames_of_world(frames, framed_a, a, framed_b, b, reach);
    frames->scale_a = scale_of(&frames->a);
    frames->scale_b = frames->kind == GRZ_FRAMES_WORLD ? scale_of(&frames->b) : sqrtf(3.0f);
}

static void make_enlarged_frames(grz_bvh_frames *frames, grz_framed *framed_a, const grz_object *a,
                                 grz_framed *framed_b, const grz_object *b, double reach)
{
    grz_object large_a = *a, large_b = *b;
    enlarge(framed_a, &large_a);
    enlarge(framed_b, &large_b);
    make_frames(frames, framed_a, &large_a, framed_b, &large_b, reach * ENLARGED);
}

void GRZ_OF_WIDTH(grz_bvh_frames_of_pair)(grz_bvh_frames *frames, const grz_bvh *bvh_a, const grz_object *a,
                                          const grz_bvh *bvh_b, const grz_object *b, double reach)
{
    grz_framed framed_a, framed_b;
    assert(reach >= 0.0 && reach < HUGE_VAL);
    assert(bvh_a->max_abs >= 0.0 && bvh_b->max_abs >= 0.0);
    frame(&framed_a, bvh_a, a);
    frame(&framed_b, bvh_b, b);
    if (is_small(&framed_a) && is_small(&framed_b))
        make_enlarged_frames(frames, &framed_a, a, &framed_b, b, reach);
    else
        make_frames(frames, &framed_a, a, &framed_b, b, reach);
}
