// SPDX-License-Identifier: MIT
// Collects pairs of triangles whose lower bound is not above the best upper bound, and finds the nearest of them: by
// signs which features are nearest, then by comparing fractions of integers. Pairs that share the nearest features, as
// neighbours around a vertex do, need no second comparison.
#include "ask/distance/nearest_pairs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask/distance/tied_pairs.h"
#include "ask/distance/user_feature.h"
#include "base/certainty.h"
#include "base/control.h"
#include "base/rounding.h"
#include "geometry/distance/common_point.h"
#include "geometry/distance/nearest.h"
#include "geometry/exact/expansion.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    FIRST_LOOK = 4096, // pairs
    CHECK_BITS = 6     // pairs decided between two checks of the control, as a power of two
};

// What the ends along a way of length 1 and the bounds of a pair are off by: 128 roundings of what is added up for a
// coordinate, and 32 underflows (2^-1075 each), also in entries that are multiplied by coordinates.
static const double ROUNDING = 0x1p-46, UNDERFLOW = 0x1p-1070;

// Two triangles in the world.
typedef struct corners {
    double a[3][3], b[3][3];
} corners;

static corners corners_of(const grz_nearest_pairs *pairs, const grz_near_pair *pair)
{
    corners c = {.a = {{0.0}}};
    grz_world_corners(pairs->a->mesh, &pairs->a->pose, pair->a, c.a);
    grz_world_corners(pairs->b->mesh, &pairs->b->pose, pair->b, c.b);
    return c;
}

#define A(c) ((const double(*)[3])(c)->a)
#define B(c) ((const double(*)[3])(c)->b)

static void look_along(grz_nearest_pairs *pairs, const double way[3])
{
    const grz_pose *poses[2] = {&pairs->a->pose, &pairs->b->pose};
    memcpy(pairs->way, way, sizeof pairs->way);
    const double *most[2] = {pairs->a->mesh->max_abs, pairs->b->mesh->max_abs};
    for (int t = 0; t < 2; t++)
        for (int j = 0; j < 4; j++) {
            const double entry = (way[0] * poses[t]->m[0][j] + way[1] * poses[t]->m[1][j]) + way[2] * poses[t]->m[2][j];
            pairs->rows[t][j] = j < 3 && most[t][j] == 0.0 ? 0.0 : entry; // it may be infinite, times 0
        }
    pairs->looks++;
}

// The sum of the largest coordinates of an object's mesh. An entry of a row that underflows is off by some of the
// smallest doubles, and its product with a coordinate by that times the coordinate.
static double extent_of(const grz_object *object)
{
    const double *most = object->mesh->max_abs;
    return most[0] + most[1] + most[2];
}

// An upper bound of all that is added up for a posed coordinate.
static double size_of(const grz_object *object)
{
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *m = object->pose.m[i];
        double sum = fabs(m[3]);
        for (int j = 0; j < 3; j++)
            sum += fabs(m[j]) * object->mesh->max_abs[j];
        size = fmax(size, sum);
    }
    return size;
}

void grz_nearest_pairs_init(grz_nearest_pairs *pairs, const grz_object *a, const grz_object *b, grz_simd simd,
                            grz_control *control)
{
    const grz_box boxes[2] = {grz_world_box(&a->pose, &a->mesh->bounds), grz_world_box(&b->pose, &b->mesh->bounds)};
    double most = 0.0, way[3];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fmax(fabs(boxes[i].min[k]), fabs(boxes[i].max[k])));
    *pairs = (grz_nearest_pairs){.a = a,
                                 .b = b,
                                 .control = control,
                                 .gap = grz_triangle_gap_for(simd),
                                 .upper = HUGE_VAL,
                                 .error = ROUNDING * (size_of(a) + size_of(b)) +
                                          UNDERFLOW * (1.0 + extent_of(a) + extent_of(b)),
                                 .scale = 1.0,
                                 .by_way = true,
                                 .next_look = FIRST_LOOK};
    // Chosen: coordinates that are neither large nor tiny need no scale.
    if (most > 0x1p100 || (most < 0x1p-100 && most > 0.0)) {
        int exponent;
        frexp(most, &exponent);
        pairs->scale = ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
    }
    for (int k = 0; k < 3; k++)
        way[k] = 0.5 * (boxes[1].min[k] - boxes[0].min[k]) + 0.5 * (boxes[1].max[k] - boxes[0].max[k]);
    if (!grz_make_unit(way))
        way[0] = 1.0;
    look_along(pairs, way);
}

void grz_nearest_pairs_finish(grz_nearest_pairs *pairs)
{
    grz_array_finish(grz_control_allocator(pairs->control), &pairs->pairs);
}

// The gap of two triangles, which are scaled to a size that doubles can square.
static grz_gap gap_of(const grz_nearest_pairs *pairs, const corners *c, double way[3])
{
    if (pairs->scale == 1.0)
        return pairs->gap(A(c), B(c), pairs->upper, way);
    corners scaled;
    for (int i = 0; i < 9; i++) {
        scaled.a[i / 3][i % 3] = c->a[i / 3][i % 3] * pairs->scale;
        scaled.b[i / 3][i % 3] = c->b[i / 3][i % 3] * pairs->scale;
    }
    const grz_gap gap = pairs->gap(A(&scaled), B(&scaled), pairs->upper * pairs->scale,
                                   way); // its error covers coordinates that the scale rounded
    return (grz_gap){nextafter(gap.lower / pairs->scale, 0.0), nextafter(gap.upper / pairs->scale, HUGE_VAL)};
}

static void drop_far_pairs(grz_nearest_pairs *pairs)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->pairs.count; i++)
        if (pairs->pairs.items[i].gap.lower <= pairs->upper)
            pairs->pairs.items[kept++] = pairs->pairs.items[i];
    pairs->pairs.count = kept;
    pairs->next_look = 2 * kept > FIRST_LOOK ? 2 * kept : FIRST_LOOK;
}

static void set_upper(grz_nearest_pairs *pairs, const grz_near_pair *pair, double upper, double way[3])
{
    pairs->upper = upper;
    pairs->best = *pair;
    if (!grz_make_unit(way))
        return;
    memcpy(pairs->next_way, way, sizeof pairs->next_way);
    pairs->has_next = true;
}

// The ends of the projection of three points onto a direction.
static inline void project(const double direction[3], const double c[3][3], double *low, double *high)
{
    const double at[3] = {grz_dot(direction, c[0]), grz_dot(direction, c[1]), grz_dot(direction, c[2])};
    const double least = at[0] < at[1] ? at[0] : at[1], most = at[0] < at[1] ? at[1] : at[0];
    *low = at[2] < least ? at[2] : least;
    *high = at[2] > most ? at[2] : most;
}

static void pose(const grz_object *object, grz_posed_triangle *triangle)
{
    if (!triangle->is_posed)
        grz_world_corners(object->mesh, &object->pose, triangle->number, triangle->corners);
    triangle->is_posed = true;
}

static void find_normal(grz_posed_triangle *triangle)
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = triangle->corners[1][k] - triangle->corners[0][k];
        v[k] = triangle->corners[2][k] - triangle->corners[0][k];
    }
    grz_cross(u, v, triangle->normal);
    const double square = grz_dot(triangle->normal, triangle->normal);
    const bool usable = square > GRZ_PRODUCT_MIN && square < GRZ_PRODUCT_MAX;
    const double factor = usable ? 1.0 / sqrt(square) : 0.0;
    for (int k = 0; k < 3; k++)
        triangle->normal[k] = usable ? triangle->normal[k] * factor : 0.0;
    project(triangle->normal, (const double(*)[3])triangle->corners, &triangle->lowest, &triangle->highest);
    triangle->has_normal = true;
}

// The gap of two posed triangles along the normal of the first one.
static inline double gap_along_normal(grz_posed_triangle *of, const grz_posed_triangle *other)
{
    double low, high;
    if (!of->has_normal)
        find_normal(of);
    project(of->normal, (const double(*)[3])other->corners, &low, &high);
    const double above = low - of->highest, below = of->lowest - high;
    return above > below ? above : below;
}

// True if the normal of either triangle tells that they are too far apart, as it does where surfaces run side by side.
static bool is_far_along_normals(grz_nearest_pairs *pairs, grz_posed_triangle *a, grz_posed_triangle *b)
{
    const double most = pairs->upper + pairs->error;
    const bool far_apart =
        grz_trial_is_worth(&pairs->normals) && (gap_along_normal(a, b) > most || gap_along_normal(b, a) > most);
    grz_trial_count(&pairs->normals, far_apart);
    return far_apart;
}

// Where the projection of a triangle onto the way ends: of A its largest value, of B its smallest.
static double end_of(const grz_nearest_pairs *pairs, int side, grz_posed_triangle *triangle)
{
    if (triangle->looks == pairs->looks)
        return triangle->end;
    const grz_mesh *mesh = (side == 0 ? pairs->a : pairs->b)->mesh;
    const double *row = pairs->rows[side];
    const uint32_t *vertex = mesh->triangles + 3 * (size_t)triangle->number;
    double low = HUGE_VAL, high = -HUGE_VAL, sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double at = grz_dot(row, grz_mesh_position(mesh, vertex[i]));
        low = at < low ? at : low;
        high = at > high ? at : high;
        sum += at;
    }
    triangle->end = (side == 0 ? high : low) + row[3];
    if (!(fabs(sum) < HUGE_VAL)) // the row is too large: nothing is known
        triangle->end = (double)NAN;
    triangle->looks = pairs->looks;
    return triangle->end;
}

bool grz_nearest_pairs_compare(grz_nearest_pairs *pairs, grz_posed_triangle *a, grz_posed_triangle *b)
{
    grz_near_pair pair = {.a = a->number, .b = b->number};
    corners c;
    double way[3];
    if (pairs->by_way && end_of(pairs, 1, b) - end_of(pairs, 0, a) - pairs->error > pairs->upper)
        return true;
    pose(pairs->a, a);
    pose(pairs->b, b);
    pairs->compared++;
    if (is_far_along_normals(pairs, a, b))
        return true;
    memcpy(c.a, a->corners, sizeof c.a);
    memcpy(c.b, b->corners, sizeof c.b);
    pair.gap = gap_of(pairs, &c, way);
    if (pair.gap.lower > pairs->upper)
        return true;
    if (pair.gap.lower == 0.0 && !pairs->touching && grz_triangles_touch(A(&c), B(&c))) {
        pairs->touching = true;
        set_upper(pairs, &pair, 0.0, way);
    }
    if (pair.gap.upper < pairs->upper)
        set_upper(pairs, &pair, pair.gap.upper, way);
    if (pairs->pairs.count >= pairs->next_look)
        drop_far_pairs(pairs);
    if (!grz_array_add(grz_control_allocator(pairs->control), &pairs->pairs))
        return false;
    pairs->pairs.items[pairs->pairs.count - 1] = pair;
    return true;
}

bool grz_nearest_pairs_try(grz_nearest_pairs *pairs, uint32_t triangle_a, uint32_t triangle_b)
{
    grz_posed_triangle a, b;
    grz_posed_triangle_init(&a, triangle_a);
    grz_posed_triangle_init(&b, triangle_b);
    const bool has_room = grz_nearest_pairs_compare(pairs, &a, &b);
    grz_nearest_pairs_look(pairs);
    return has_room;
}

bool grz_nearest_pairs_look(grz_nearest_pairs *pairs)
{
    if (!pairs->has_next)
        return false;
    look_along(pairs, pairs->next_way);
    pairs->has_next = false;
    return true;
}

double grz_nearest_pairs_lower(const grz_nearest_pairs *pairs)
{
    double lower = HUGE_VAL;
    for (size_t i = 0; i < pairs->pairs.count; i++)
        lower = fmin(lower, pairs->pairs.items[i].gap.lower);
    return lower;
}

// ---- The answer ---------------------------------------------------------------------------------------------------

static int compare_points(const void *a, const void *b)
{
    const double *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k])
            return p[k] < q[k] ? -1 : 1;
    return 0;
}

static void describe(const grz_nearest_pairs *pairs, const grz_near_pair *pair, grz_distance_answer *answer)
{
    const corners c = corners_of(pairs, pair);
    const grz_mesh *mesh_a = pairs->a->mesh, *mesh_b = pairs->b->mesh;
    grz_nearest nearest;
    if (grz_triangles_touch(A(&c), B(&c))) {
        nearest = grz_common_point(A(&c), B(&c), answer->point_a);
        memcpy(answer->point_b, answer->point_a, sizeof answer->point_b);
    } else {
        nearest = grz_triangles_nearest(A(&c), B(&c));
        grz_nearest_points(A(&c), B(&c), nearest, answer->point_a, answer->point_b);
    }
    answer->face_a = grz_mesh_triangle_face(mesh_a, pair->a);
    answer->face_b = grz_mesh_triangle_face(mesh_b, pair->b);
    answer->feature_a = grz_user_feature(mesh_a, pair->a, nearest.a);
    answer->feature_b = grz_user_feature(mesh_b, pair->b, nearest.b);
}

void grz_nearest_pairs_best(const grz_nearest_pairs *pairs, grz_distance_answer *answer)
{
    describe(pairs, &pairs->best, answer);
}

// ---- The nearest --------------------------------------------------------------------------------------------------

// The corners that span two nearest features, each side's sorted. Pairs with equal spans are equally far apart.
typedef struct span {
    double points[4][3];
    int counts[2]; // corners of A's feature, and of B's
} span;

// Returns the number of points.
static int add_feature(const double c[3][3], uint8_t feature, double points[3][3])
{
    const int count = feature <= GRZ_CORNER_2 ? 1 : feature <= GRZ_EDGE_2 ? 2 : 3;
    const int from = count == 1 ? feature - GRZ_CORNER_0 : count == 2 ? feature - GRZ_EDGE_0 : 0;
    for (int i = 0; i < count; i++)
        memcpy(points[i], c[(from + i) % 3], sizeof points[i]);
    qsort(points, (size_t)count, sizeof points[0], compare_points);
    return count;
}

static span span_of(const corners *c, grz_nearest nearest)
{
    span s = {.counts = {0}};
    s.counts[0] = add_feature(A(c), nearest.a, s.points);
    s.counts[1] = add_feature(B(c), nearest.b, s.points + s.counts[0]);
    return s;
}

static bool same_span(const span *a, const span *b)
{
    return a->counts[0] == b->counts[0] && a->counts[1] == b->counts[1] &&
           memcmp(a->points, b->points, (size_t)(a->counts[0] + a->counts[1]) * sizeof a->points[0]) == 0;
}

// True if two pairs of corners, which span the nearest features, are certainly as far apart: along each axis.
static bool same_differences(const span *a, const span *b)
{
    bool same = a->counts[0] == 1 && a->counts[1] == 1 && b->counts[0] == 1 && b->counts[1] == 1;
    for (int k = 0; k < 3 && same; k++) {
        double difference[2], tails[2];
        two_diff(a->points[1][k], a->points[0][k], &difference[0], &tails[0]);
        two_diff(b->points[1][k], b->points[0][k], &difference[1], &tails[1]);
        same = tails[0] == 0.0 && tails[1] == 0.0 && fabs(difference[0]) == fabs(difference[1]);
    }
    return same;
}

// The nearest pair so far.
typedef struct best_pair {
    bool any;
    grz_near_pair pair;
    corners corners;
    grz_nearest nearest;
    span span;
    bool has_square; // which is only needed to compare it with another one
    grz_square square;
} best_pair;

static int compare_ties(const grz_nearest_pairs *pairs, const grz_near_pair *x, const corners *at_x,
                        const grz_near_pair *y, const corners *at_y)
{
    const grz_tied_pair tied_x = {x->a, x->b, A(at_x), B(at_x)}, tied_y = {y->a, y->b, A(at_y), B(at_y)};
    return grz_tied_pairs_compare(pairs->a->mesh, pairs->b->mesh, &tied_x, &tied_y);
}

// Keep the nearer of two pairs, `best` and this one. Returns how this one compares: -1 nearer, 0 as near, 1 farther.
static int consider(const grz_nearest_pairs *pairs, const grz_near_pair *pair, best_pair *best)
{
    grz_square square;
    const corners c = corners_of(pairs, pair);
    if (pairs->touching) {
        if (!grz_triangles_touch(A(&c), B(&c)))
            return 1;
        if (!best->any || compare_ties(pairs, pair, &c, &best->pair, &best->corners) < 0) {
            best->pair = *pair;
            best->corners = c;
        }
        best->any = true;
        return 0;
    }
    const grz_nearest nearest = grz_triangles_nearest(A(&c), B(&c));
    const span s = span_of(&c, nearest);
    int order = best->any ? 0 : -1;
    if (best->any && !same_span(&s, &best->span) && !same_differences(&s, &best->span)) {
        if (!best->has_square)
            grz_square_of(A(&best->corners), B(&best->corners), best->nearest, &best->square);
        grz_square_of(A(&c), B(&c), nearest, &square);
        order = grz_square_compare(&square, &best->square);
        if (order < 0)
            best->square = square;
        best->has_square = true;
    }
    if (order < 0 || (order == 0 && compare_ties(pairs, pair, &c, &best->pair, &best->corners) < 0)) {
        best->any = true;
        best->pair = *pair;
        best->corners = c;
        best->nearest = nearest;
        best->span = s;
    }
    return order;
}

// The pair with the smallest upper bound comes first: it is likely to be the nearest.
static void put_best_first(grz_nearest_pairs *pairs)
{
    grz_near_pair *items = pairs->pairs.items;
    for (size_t i = 1; i < pairs->pairs.count; i++)
        if (items[i].gap.upper < items[0].gap.upper) {
            const grz_near_pair other = items[0];
            items[0] = items[i];
            items[i] = other;
        }
}

// How many pairs of faces the first `count` pairs of triangles are of. The pairs are lost.
static uint64_t count_faces(grz_nearest_pairs *pairs, size_t count)
{
    pairs->pairs.count = 0;
    return grz_count_face_pairs(pairs->a->mesh, pairs->b->mesh, pairs->pairs.items, sizeof(grz_near_pair), count);
}

bool grz_nearest_pairs_decide(grz_nearest_pairs *pairs, grz_distance_answer *answer)
{
    best_pair best = {.any = false};
    size_t ties = 0;
    drop_far_pairs(pairs);
    put_best_first(pairs);
    for (size_t i = 0; i < pairs->pairs.count; i++) {
        if (grz_control_expired_at(pairs->control, i, CHECK_BITS))
            return false;
        const grz_near_pair pair = pairs->pairs.items[i];
        const int order = consider(pairs, &pair, &best);
        ties = order < 0 ? 0 : ties;
        if (order <= 0)
            pairs->pairs.items[ties++] = pair;
    }
    assert(best.any);
    const grz_root root = pairs->touching ? (grz_root){0.0, 0.0, 0.0}
                                          : grz_distance_root(A(&best.corners), B(&best.corners), best.nearest);
    answer->distance = root.nearest;
    answer->lower = root.lower;
    answer->upper = root.upper;
    answer->certainty = grz_certainty_of_bounds(root.lower, root.upper);
    answer->touching = pairs->touching;
    describe(pairs, &best.pair, answer);
    answer->ties = count_faces(pairs, ties);
    return true;
}
