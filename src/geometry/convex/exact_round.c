// SPDX-License-Identifier: MIT
// A plane with the normal n separates A from B if max n·a <= min n·b. The largest n·a is a whole number for corners,
// once all numbers are multiplied by powers of two; of the round forms it is a whole number and a square root: with m =
// half · (poseᵀ n), coordinate by coordinate, it is that of the middle and
//   √(m0² + m1² + m2²)              for an ellipsoid,
//   √(m0² + m1²) + |m2|             for a cylinder,
//   the larger of m2 and √(m0² + m1²) - m2 for a cone,
// and a radius adds radius · |n|. So it is decided, exactly, whether a plane with a given n separates the sets, and
// whether with room to spare. If without, the sets touch if they have a point in common: if their stand-ins have.
#include "geometry/convex/exact_round.h"

#include <math.h>
#include <string.h>

#include "geometry/convex/exact_corner.h"
#include "geometry/convex/root_sum.h"
#include "geometry/convex/round_faces.h"
#include "geometry/convex/stand_in.h"
#include "geometry/vector.h"

enum {
    MOST_DENOMINATOR = 1000, // of the ratios of a normal's coordinates
    MOST_NORMAL_BITS = 600   // of a normal's coordinates that are computed
};

// How far a guess may be off: where surfaces are smooth, a search in doubles finds the direction to half of its digits.
static const double NEAR_GUESS = 0x1p-20;
static const double COARSE_GUESS = 0x1p-6; // chosen: an axis, or a diagonal of two or three
// Of the extent: 256 roundings. Two heights along a rounded normal have fewer than 32.
static const double OF_HEIGHTS = 0x1p-45;
// A plane that is guessed has to separate the sets up to this share of their extent; else it is not looked at further.
static const double NEAR_PLANE = 0x1p-30;

typedef struct pair {
    const grz_convex_round *is;
    grz_exact_scale scale;
    grz_round_set a, b; // of sets that are round
} pair;

// A normal, and the same rounded to length 1.
typedef struct plane_normal {
    grz_integer exact[3];
    double unit[3];
} plane_normal;

static void read_set(const grz_exact_scale *scale, const grz_convex *c, grz_round_set *out)
{
    for (int k = 0; k < 3; k++) {
        grz_integer_from_double(c->pose.m[k][3], scale->world, &out->middle[k]);
        grz_integer_from_double(c->half[k], scale->world - scale->pose, &out->half[k]);
        for (int j = 0; j < 3; j++)
            grz_integer_from_double(c->pose.m[k][j], scale->pose, &out->matrix[k][j]);
    }
}

static void set_zero(grz_integer *x)
{
    x->sign = x->count = 0;
}

static void add_to(grz_integer *sum, const grz_integer *x, int sign)
{
    grz_integer next;
    grz_integer_add(sum, x, sign, &next);
    grz_integer_copy(&next, sum);
}

static void add_square(grz_integer *sum, const grz_integer *x)
{
    grz_integer square;
    grz_integer_multiply(x, x, &square);
    add_to(sum, &square, 1);
}

// ---- How far a set reaches along a direction -----------------------------------------------------------------------

// The largest n·corner, and of a direction against n (`side` -1) the largest -n·corner. Only corners that may be
// farthest, by their doubles, are looked at.
static void reach_of_corners(const pair *p, const grz_convex *c, const plane_normal *n, int side, grz_integer *whole)
{
    const double along[3] = {side * n->unit[0], side * n->unit[1], side * n->unit[2]};
    double far[3];
    bool any = false;
    grz_convex_farthest(c, along, far);
    const double least = grz_dot(along, far) - 4.0 * c->error - OF_HEIGHTS * c->extent;
    for (uint32_t i = 0; i < c->count; i++) {
        grz_integer corner[3], height;
        if (grz_dot(along, grz_convex_corner(c, i)) < least)
            continue;
        grz_exact_corner(&p->scale, c, i, corner);
        grz_integer_dot(n->exact, corner, &height);
        height.sign *= side;
        if (!any || grz_integer_compare(&height, whole) > 0)
            grz_integer_copy(&height, whole);
        any = true;
    }
}

// The same of a round set: `whole` + √root.
static void reach_of_round(const grz_convex *c, const grz_round_set *set, const plane_normal *n, int side,
                           grz_integer *whole, grz_integer *root)
{
    grz_integer m[3], column[3], along;
    grz_integer_dot(n->exact, set->middle, whole);
    whole->sign *= side;
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++)
            grz_integer_copy(&set->matrix[k][j], &column[k]);
        grz_integer_dot(n->exact, column, &along);
        grz_integer_multiply(&along, &set->half[j], &m[j]);
        m[j].sign *= side;
    }
    set_zero(root);
    add_square(root, &m[0]);
    add_square(root, &m[1]);
    if (c->form == GRZ_CONVEX_ELLIPSOID) {
        add_square(root, &m[2]);
        return;
    }
    if (c->form == GRZ_CONVEX_CYLINDER) {
        add_to(whole, &m[2], m[2].sign);
        return;
    }
    grz_integer twice, square;
    grz_integer_shift_left(&m[2], 1, &twice);
    grz_integer_multiply(&twice, &twice, &square);
    const bool is_apex = m[2].sign >= 0 && grz_integer_compare(&square, root) >= 0;
    add_to(whole, &m[2], is_apex ? 1 : -1);
    if (is_apex)
        set_zero(root);
}

// 1: a plane with this normal separates the sets, and leaves room; 0: without room; -1: none does, or that is not
// known.
static int separates(const pair *p, const plane_normal *n)
{
    const grz_convex_round *is = p->is;
    grz_integer whole, other, roots[3], radius, square, sum;
    for (int i = 0; i < 3; i++)
        set_zero(&roots[i]);
    if (is->a->form == GRZ_CONVEX_CORNERS)
        reach_of_corners(p, is->a, n, 1, &whole);
    else
        reach_of_round(is->a, &p->a, n, 1, &whole, &roots[0]);
    if (is->b->form == GRZ_CONVEX_CORNERS)
        reach_of_corners(p, is->b, n, -1, &other);
    else
        reach_of_round(is->b, &p->b, n, -1, &other, &roots[1]);
    grz_integer_add(&whole, &other, 1, &sum);
    sum.sign = -sum.sign; // what is left between the sets, but for the roots
    grz_integer_from_double(is->radius_a, p->scale.world, &whole);
    grz_integer_from_double(is->radius_b, p->scale.world, &other);
    grz_integer_add(&whole, &other, 1, &radius);
    grz_integer_multiply(&radius, &radius, &square);
    grz_integer_dot(n->exact, n->exact, &whole);
    grz_integer_multiply(&square, &whole, &roots[2]);
    int order;
    return grz_compare_root_sum(&sum, &roots[0], &roots[1], &roots[2], &order) ? order : -1;
}

// ---- A point in common ---------------------------------------------------------------------------------------------

// Whether the squares that holds() compares have no room.
static bool is_too_long(const grz_round_set *set, const grz_integer q[3], const grz_integer *determinant)
{
    int longest = grz_integer_bits(determinant), half = 0;
    for (int k = 0; k < 3; k++) {
        const int bits = grz_integer_bits(&q[k]), size = grz_integer_bits(&set->half[k]);
        longest = bits > longest ? bits : longest;
        half = size > half ? size : half;
    }
    return 2 * (longest + 3 * half + 4) > 32 * GRZ_MAX_LIMBS;
}

// Whether a point in the world is certainly in a set that has no size 0. With q = pose⁻¹ (point - middle), times the
// pose's determinant.
static bool holds(const grz_convex *c, const grz_round_set *set, const grz_integer point[3])
{
    grz_integer way[3], column[3][3], across[3], q[3], determinant, size, part, left, right, squares;
    for (int k = 0; k < 3; k++) {
        grz_integer_add(&point[k], &set->middle[k], -1, &way[k]);
        for (int j = 0; j < 3; j++)
            grz_integer_copy(&set->matrix[k][j], &column[j][k]);
    }
    grz_integer_determinant3(column[0], column[1], column[2], &determinant);
    if (determinant.sign == 0 || set->half[0].sign == 0 || set->half[1].sign == 0 || set->half[2].sign == 0)
        return false;
    for (int j = 0; j < 3; j++) {
        grz_integer_cross(column[(j + 1) % 3], column[(j + 2) % 3], across);
        grz_integer_dot(across, way, &q[j]);
        q[j].sign *= determinant.sign;
    }
    determinant.sign = 1;
    if (is_too_long(set, q, &determinant))
        return false;
    grz_integer_multiply(&set->half[0], &set->half[1], &size);
    if (c->form == GRZ_CONVEX_ELLIPSOID) {
        set_zero(&squares);
        for (int j = 0; j < 3; j++) {
            grz_integer_multiply(&set->half[(j + 1) % 3], &set->half[(j + 2) % 3], &left);
            grz_integer_multiply(&left, &q[j], &part);
            add_square(&squares, &part);
        }
        grz_integer_multiply(&size, &set->half[2], &left);
        grz_integer_multiply(&left, &determinant, &part);
        grz_integer_multiply(&part, &part, &right);
        return grz_integer_compare(&squares, &right) <= 0;
    }
    grz_integer_multiply(&determinant, &set->half[2], &right); // the height, as far as q[2] may be
    grz_integer_copy(&q[2], &left);
    left.sign = left.sign == 0 ? 0 : 1;
    if (grz_integer_compare(&left, &right) > 0)
        return false;
    set_zero(&squares);
    for (int j = 0; j < 2; j++) {
        grz_integer_multiply(&q[j], &set->half[1 - j], &part);
        if (c->form == GRZ_CONVEX_CONE) {
            grz_integer_multiply(&part, &set->half[2], &left);
            grz_integer_shift_left(&left, 1, &part);
        }
        add_square(&squares, &part);
    }
    if (c->form == GRZ_CONVEX_CONE)
        grz_integer_add(&right, &q[2], -1, &left);
    else
        grz_integer_copy(&determinant, &left);
    grz_integer_multiply(&size, &left, &part);
    grz_integer_multiply(&part, &part, &right);
    return grz_integer_compare(&squares, &right) <= 0;
}

// Whether a round set has one of another set's corners that are farthest against n (`side` -1) or along it.
static bool holds_farthest(const pair *p, const grz_convex *round, const grz_round_set *set, const grz_convex *corners,
                           const plane_normal *n, int side)
{
    const double along[3] = {side * n->unit[0], side * n->unit[1], side * n->unit[2]};
    double far[3];
    grz_convex_farthest(corners, along, far);
    const double least = grz_dot(along, far) - 4.0 * corners->error - OF_HEIGHTS * corners->extent;
    for (uint32_t i = 0; i < corners->count; i++) {
        grz_integer corner[3];
        if (grz_dot(along, grz_convex_corner(corners, i)) < least)
            continue;
        grz_exact_corner(&p->scale, corners, i, corner);
        if (holds(round, set, corner))
            return true;
    }
    return false;
}

// How the stand-ins lie to each other: what they have in common, the sets have.
static grz_convex_relation relation_of_stand_ins(const pair *p, const plane_normal *n)
{
    const grz_convex_round *is = p->is;
    const double back[3] = {-n->unit[0], -n->unit[1], -n->unit[2]};
    grz_stand_in a, b;
    double middle_a[3], middle_b[3];
    grz_convex_exact found;
    const grz_simplex none = {.count = 0};
    grz_convex_middle(is->a, middle_a);
    grz_convex_middle(is->b, middle_b);
    if (is->a->form != GRZ_CONVEX_CORNERS)
        grz_stand_in_make(is->a, n->unit, middle_b, is->origin, is->scale, &a);
    if (is->b->form != GRZ_CONVEX_CORNERS)
        grz_stand_in_make(is->b, back, middle_a, is->origin, is->scale, &b);
    grz_convex_decide(is->a->form == GRZ_CONVEX_CORNERS ? is->a : &a.convex,
                      is->b->form == GRZ_CONVEX_CORNERS ? is->b : &b.convex, is->radius_a, is->radius_b, &none, false,
                      &found);
    return found.relation;
}

// The corners that are farthest along side · n. False: there are more than two.
static bool face_of_corners(const pair *p, const grz_convex *c, const plane_normal *n, int side, grz_flat_face *out)
{
    grz_integer most, corner[3], height;
    reach_of_corners(p, c, n, side, &most);
    out->count = 0;
    grz_integer_from_double(1.0, 0, &out->times);
    const double along[3] = {side * n->unit[0], side * n->unit[1], side * n->unit[2]};
    double far[3];
    grz_convex_farthest(c, along, far);
    const double least = grz_dot(along, far) - 4.0 * c->error - OF_HEIGHTS * c->extent;
    for (uint32_t i = 0; i < c->count; i++) {
        if (grz_dot(along, grz_convex_corner(c, i)) < least)
            continue;
        grz_exact_corner(&p->scale, c, i, corner);
        grz_integer_dot(n->exact, corner, &height);
        height.sign *= side;
        if (grz_integer_compare(&height, &most) != 0)
            continue;
        if (out->count == 2)
            return false;
        for (int k = 0; k < 3; k++)
            grz_integer_copy(&corner[k], &out->at[out->count][k]);
        out->count++;
    }
    return out->count > 0;
}

// Whether the faces along the normal are points or segments, and have a point in common.
static bool faces_meet(const pair *p, const plane_normal *n)
{
    const grz_convex_round *is = p->is;
    grz_flat_face a, b;
    const bool has_a = is->a->form == GRZ_CONVEX_CORNERS ? face_of_corners(p, is->a, n, 1, &a)
                                                         : grz_round_face(is->a, &p->a, n->exact, 1, &a);
    return has_a &&
           (is->b->form == GRZ_CONVEX_CORNERS ? face_of_corners(p, is->b, n, -1, &b)
                                              : grz_round_face(is->b, &p->b, n->exact, -1, &b)) &&
           grz_flat_faces_meet(&a, &b, n->exact);
}

// Whether sets that a plane separates without room have a point in common.
static bool meet(const pair *p, const plane_normal *n)
{
    const grz_convex_round *is = p->is;
    if (faces_meet(p, n))
        return true;
    const grz_convex_relation relation = relation_of_stand_ins(p, n);
    if (relation == GRZ_CONVEX_TOUCHING || relation == GRZ_CONVEX_PENETRATING)
        return true;
    if (is->radius_a > 0.0 || is->radius_b > 0.0)
        return false;
    if (is->b->form == GRZ_CONVEX_CORNERS)
        return holds_farthest(p, is->a, &p->a, is->b, n, -1);
    return is->a->form == GRZ_CONVEX_CORNERS && holds_farthest(p, is->b, &p->b, is->a, n, 1);
}

// ---- Guesses -------------------------------------------------------------------------------------------------------

// The smallest whole numbers whose ratios are those of a direction, as far as a guess goes. False: there are none.
static bool find_ratios(const double direction[3], double near, int most, double whole[3])
{
    const double largest = grz_largest(direction);
    if (!(largest > 0.0))
        return false;
    for (int denominator = 1; denominator <= most; denominator++) {
        bool all = true;
        for (int k = 0; k < 3; k++) {
            const double times = direction[k] / largest * denominator;
            whole[k] = nearbyint(times);
            all = all && fabs(times - whole[k]) <= near * denominator;
        }
        if (all)
            return true;
    }
    return false;
}

static bool round_normal(plane_normal *n)
{
    grz_scaled parts[3];
    int most = -1000000;
    for (int k = 0; k < 3; k++) {
        parts[k] = grz_integer_to_scaled(&n->exact[k], 0);
        if (n->exact[k].sign != 0 && parts[k].exponent > most)
            most = parts[k].exponent;
    }
    for (int k = 0; k < 3; k++)
        n->unit[k] = n->exact[k].sign == 0 || parts[k].exponent < most - 1000
                         ? 0.0
                         : ldexp(parts[k].mantissa, parts[k].exponent - most);
    return grz_make_unit(n->unit);
}

// The normal with the whole numbers `ratios` as coordinates, in the world or (`set`) before the pose of a round set: a
// plane's normal l there is the cofactors of the pose times l here. It is turned to the side of `guess`.
static bool make_normal(const double ratios[3], const grz_round_set *set, const double guess[3], plane_normal *out)
{
    grz_integer number[3], column[3][3], across[3], part;
    for (int k = 0; k < 3; k++) {
        grz_integer_from_double(ratios[k], 0, &number[k]);
        set_zero(&out->exact[k]);
    }
    if (set == NULL)
        for (int k = 0; k < 3; k++)
            grz_integer_copy(&number[k], &out->exact[k]);
    else {
        for (int i = 0; i < 9; i++)
            grz_integer_copy(&set->matrix[i / 3][i % 3], &column[i % 3][i / 3]);
        for (int j = 0; j < 3; j++) {
            grz_integer_cross(column[(j + 1) % 3], column[(j + 2) % 3], across);
            for (int k = 0; k < 3; k++) {
                grz_integer_multiply(&across[k], &number[j], &part);
                add_to(&out->exact[k], &part, 1);
            }
        }
    }
    if (!round_normal(out))
        return false;
    if (grz_dot(out->unit, guess) < 0.0)
        for (int k = 0; k < 3; k++) {
            out->exact[k].sign = -out->exact[k].sign;
            out->unit[k] = -out->unit[k];
        }
    return true;
}

// Whether a plane with this normal separates the sets, as far as doubles tell.
static bool nearly_separates(const grz_convex_round *is, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    double on_a[3], on_b[3];
    grz_convex_farthest(is->a, n, on_a);
    grz_convex_farthest(is->b, back, on_b);
    const double room = grz_dot(n, on_b) - grz_dot(n, on_a) - (is->radius_a + is->radius_b) * is->scale;
    return room >= -NEAR_PLANE * (is->a->extent + is->b->extent);
}

// What a plane with this normal proves.
static grz_convex_relation try_normal(const pair *p, const plane_normal *n, double found[3])
{
    if (!nearly_separates(p->is, n->unit))
        return GRZ_CONVEX_UNDECIDED;
    const int order = separates(p, n);
    memcpy(found, n->unit, sizeof n->unit);
    if (order > 0)
        return GRZ_CONVEX_APART;
    return order == 0 && meet(p, n) ? GRZ_CONVEX_TOUCHING : GRZ_CONVEX_UNDECIDED;
}

// Try a guess in the world, or in the coordinates of a round set.
static grz_convex_relation try_guess(const pair *p, const double guess[3], const grz_convex *c,
                                     const grz_round_set *set, bool coarse, double found[3])
{
    double direction[3], ratios[3];
    plane_normal n;
    for (int j = 0; j < 3; j++) {
        direction[j] = guess[j];
        if (c != NULL)
            direction[j] = guess[0] * c->pose.m[0][j] + guess[1] * c->pose.m[1][j] + guess[2] * c->pose.m[2][j];
    }
    if (!find_ratios(direction, coarse ? COARSE_GUESS : NEAR_GUESS, coarse ? 1 : MOST_DENOMINATOR, ratios) ||
        !make_normal(ratios, set, guess, &n))
        return GRZ_CONVEX_UNDECIDED;
    return try_normal(p, &n, found);
}

// The middle of a round set or of a ball, times 2^world. False: it is neither.
static bool exact_middle(const pair *p, const grz_convex *c, const grz_round_set *set, grz_integer out[3])
{
    if (c->form == GRZ_CONVEX_CORNERS && c->count != 1)
        return false;
    if (c->form == GRZ_CONVEX_CORNERS)
        grz_exact_corner(&p->scale, c, 0, out);
    for (int k = 0; c->form != GRZ_CONVEX_CORNERS && k < 3; k++)
        grz_integer_copy(&set->middle[k], &out[k]);
    return true;
}

// Balls and ellipsoids may touch between their middles; beside the axis of a round set, the normal is the part of that
// way across the axis, for a set that is not sheared. No rounding: so its ratios may be those of large numbers.
static grz_convex_relation try_middles(const pair *p, double found[3])
{
    const grz_convex *frames[3] = {NULL, p->is->a, p->is->b};
    const grz_round_set *sets[3] = {NULL, &p->a, &p->b};
    grz_integer from[3], to[3], way[3], axis[3], square, along, part;
    if (!exact_middle(p, p->is->a, &p->a, from) || !exact_middle(p, p->is->b, &p->b, to))
        return GRZ_CONVEX_UNDECIDED;
    for (int k = 0; k < 3; k++)
        grz_integer_add(&to[k], &from[k], -1, &way[k]);
    for (int i = 0; i < 3; i++) {
        plane_normal n;
        if (i > 0 && frames[i]->form == GRZ_CONVEX_CORNERS)
            continue;
        for (int k = 0; k < 3; k++) {
            grz_integer_copy(&way[k], &n.exact[k]);
            if (i > 0)
                grz_integer_copy(&sets[i]->matrix[k][2], &axis[k]);
        }
        if (i > 0) {
            grz_integer_dot(axis, axis, &square);
            grz_integer_dot(axis, way, &along);
            for (int k = 0; k < 3; k++) {
                grz_integer_multiply(&way[k], &square, &n.exact[k]);
                grz_integer_multiply(&axis[k], &along, &part);
                add_to(&n.exact[k], &part, -1);
            }
        }
        if (grz_integer_bits(&n.exact[0]) > MOST_NORMAL_BITS || grz_integer_bits(&n.exact[1]) > MOST_NORMAL_BITS ||
            grz_integer_bits(&n.exact[2]) > MOST_NORMAL_BITS || !round_normal(&n))
            continue;
        const grz_convex_relation relation = try_normal(p, &n, found);
        if (relation != GRZ_CONVEX_UNDECIDED)
            return relation;
    }
    return GRZ_CONVEX_UNDECIDED;
}

grz_convex_relation grz_convex_decide_round(const grz_convex_round *is, double normal[3])
{
    pair p = {.is = is};
    if (!grz_exact_choose_scale(is->a, is->b, is->radius_a, is->radius_b, &p.scale))
        return GRZ_CONVEX_UNDECIDED;
    const grz_convex *frames[3] = {NULL, is->a, is->b};
    const grz_round_set *sets[3] = {NULL, &p.a, &p.b};
    read_set(&p.scale, is->a, &p.a);
    read_set(&p.scale, is->b, &p.b);
    for (int i = 0; i < is->guess_count; i++)
        for (int frame = 0; frame < 3; frame++)
            for (int coarse = 0; coarse < 2; coarse++) {
                const grz_convex_relation relation =
                    try_guess(&p, is->guesses[i], frames[frame], sets[frame], coarse, normal);
                if (relation != GRZ_CONVEX_UNDECIDED)
                    return relation;
            }
    const grz_convex_relation between = try_middles(&p, normal);
    if (between != GRZ_CONVEX_UNDECIDED)
        return between;
    for (int i = 0; i < is->guess_count; i++) {
        plane_normal n;
        memcpy(n.unit, is->guesses[i], sizeof n.unit);
        if (grz_make_unit(n.unit) && relation_of_stand_ins(&p, &n) == GRZ_CONVEX_PENETRATING)
            return GRZ_CONVEX_PENETRATING;
    }
    return GRZ_CONVEX_UNDECIDED;
}
