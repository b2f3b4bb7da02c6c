// SPDX-License-Identifier: MIT
// What there is to say about four crossings, side by side. The normals take the operations of grz_normal_in_doubles()
// one by one. All other numbers are enclosed in double-doubles, and taken only where everything in the enclosure is
// rounded to the same double: then they are what any other way gives, too. docs/use/pick.md derives the bounds.
#include "base/lanes_doubles.h"
#include "base/simd.h"
#include "geometry/exact/bounded.h"
#include "geometry/ray/line_hit.h"

typedef grz_f64x4 number;

// A double-double in each lane.
typedef struct wide {
    number high, low;
} wide;

// Derived in docs/use/pick.md: errors of N · c and N · D, and of a length, in u².
static const double DOT_ERROR = 1024.0 * GRZ_UU, LENGTH_ERROR = 1024.0 * GRZ_UU;
// Chosen: within these nothing below overflows or underflows; other lanes are not `ok`.
static const double SMALLEST_TIME = 0x1p-500, LARGEST_TIME = 0x1p500, SMALLEST_NORMAL = 0x1p-500;
// Of coordinates' differences that are not 0: then products of two have exact tails.
static const double SMALLEST_PART = 0x1p-449;
// Of two extents: the bound of a rounded minor is far from underflow. Twice that of normal_doubles.h.
static const double LEAST_PRODUCT = 0x1p-899;

static inline number splat(double x)
{
    return grz_f64x4_splat(x);
}

static inline number plus(number a, number b)
{
    return grz_f64x4_add(a, b);
}

static inline number minus(number a, number b)
{
    return grz_f64x4_subtract(a, b);
}

static inline number times(number a, number b)
{
    return grz_f64x4_multiply(a, b);
}

static inline number over(number a, number b)
{
    return grz_f64x4_divide(a, b);
}

static inline number size_of(number a)
{
    return grz_f64x4_abs(a);
}

static inline number larger(number a, number b)
{
    return grz_f64x4_max(a, b);
}

static inline uint32_t is_above(number a, double bound)
{
    return grz_f64x4_greater(a, splat(bound));
}

static inline uint32_t is_below(number a, double bound)
{
    return grz_f64x4_greater(splat(bound), a);
}

// ---- Double-doubles: the operations of expansion.h -----------------------------------------------------------------

static inline wide two_sums(number a, number b)
{
    const number sum = plus(a, b), b_virtual = minus(sum, a), a_virtual = minus(sum, b_virtual);
    return (wide){sum, plus(minus(a, a_virtual), minus(b, b_virtual))};
}

static inline wide two_differences(number a, number b)
{
    const number difference = minus(a, b), b_virtual = minus(difference, a), a_virtual = minus(difference, b_virtual);
    return (wide){difference, minus(minus(a, a_virtual), plus(b, b_virtual))};
}

static inline wide fast_two_sums(number a, number b)
{
    const number sum = plus(a, b);
    return (wide){sum, minus(b, minus(sum, a))};
}

static inline wide two_products(number a, number b)
{
    const number product = times(a, b);
    return (wide){product, grz_f64x4_product_error(a, b, product)};
}

static inline wide multiply(wide a, wide b)
{
    const wide product = two_products(a.high, b.high);
    return fast_two_sums(product.high, plus(product.low, plus(times(a.high, b.low), times(a.low, b.high))));
}

static inline wide subtract(wide a, wide b)
{
    const wide high = two_differences(a.high, b.high), low = two_differences(a.low, b.low),
               sum = fast_two_sums(high.high, plus(high.low, low.high));
    return fast_two_sums(sum.high, plus(low.low, sum.low));
}

// a · b, off by at most 200u² of what is added up.
static inline wide dot(const wide a[3], const wide b[3])
{
    wide sum = two_products(a[0].high, b[0].high);
    number rest = plus(times(a[0].high, b[0].low), times(a[0].low, b[0].high));
    for (int k = 1; k < 3; k++) {
        const wide product = two_products(a[k].high, b[k].high), next = two_sums(sum.high, product.high);
        sum = (wide){next.high, plus(sum.low, plus(next.low, product.low))};
        rest = plus(rest, plus(times(a[k].high, b[k].low), times(a[k].low, b[k].high)));
    }
    return two_sums(sum.high, plus(sum.low, rest));
}

// Lanes where all numbers that are at most `error` away are rounded to x.high.
static inline uint32_t is_nearest(wide x, number error)
{
    return grz_f64x4_equal(x.high, plus(x.high, plus(x.low, error))) &
           grz_f64x4_equal(x.high, plus(x.high, minus(x.low, error)));
}

// ---- Normals --------------------------------------------------------------------------------------------------------

// Put two points in lexicographic order; `sign` changes where they are swapped.
static inline void order_points(number p[3], number q[3], number *sign)
{
    const number zero = splat(0.0), x = minus(p[0], q[0]), y = minus(p[1], q[1]), z = minus(p[2], q[2]),
                 way = grz_f64x4_if_greater(size_of(x), zero, x, grz_f64x4_if_greater(size_of(y), zero, y, z));
    for (int k = 0; k < 3; k++) {
        const number first = grz_f64x4_if_greater(way, zero, q[k], p[k]);
        q[k] = grz_f64x4_if_greater(way, zero, p[k], q[k]);
        p[k] = first;
    }
    *sign = grz_f64x4_if_greater(way, zero, minus(zero, *sign), *sign);
}

// u0·v1 - u1·v0, where the differences are doubles: as two_by_two() and grz_sum_of_expansion().
static inline wide exact_minor(number u0, number u1, number v0, number v1)
{
    const wide first = two_products(u0, v1), second = two_products(u1, v0), i = two_differences(first.low, second.low),
               j = two_sums(first.high, i.high), k = two_differences(j.low, second.high), h = two_sums(j.high, k.high);
    const wide x = two_sums(k.low, i.low), y = two_sums(h.low, x.high), z = two_sums(h.high, y.high);
    return fast_two_sums(z.high, plus(z.low, plus(y.low, x.low)));
}

// u0·v1 - u1·v0, as grz_minor_in_doubles(). `ok`: lanes where that has enough digits.
static inline wide minor_of(wide u0, wide u1, wide v0, wide v1, uint32_t *ok)
{
    const number tails = plus(plus(size_of(u0.low), size_of(u1.low)), plus(size_of(v0.low), size_of(v1.low)));
    const wide exact = exact_minor(u0.high, u1.high, v0.high, v1.high);
    const uint32_t rounded = is_above(tails, 0.0);
    if (rounded == 0)
        return exact;
    const wide left = multiply(u0, v1), right = multiply(u1, v0), near = subtract(left, right);
    const number most = times(larger(size_of(u0.high), size_of(v0.high)), larger(size_of(u1.high), size_of(v1.high)));
    const uint32_t enough =
                       grz_f64x4_greater(size_of(near.high), times(splat(64.0 * GRZ_UU / GRZ_ERROR_ENOUGH), most)) &
                       is_above(most, LEAST_PRODUCT),
                   is_zero = grz_f64x4_equal(plus(size_of(left.high), size_of(right.high)), splat(0.0));
    *ok &= enough | is_zero | ~rounded;
    return (wide){grz_f64x4_if_greater(tails, splat(0.0), near.high, exact.high),
                  grz_f64x4_if_greater(tails, splat(0.0), near.low, exact.low)};
}

// `sign` times a power of two that makes `most` at least 1 and below 2.
static inline number scale_for(number most, number sign)
{
    double lanes[4];
    grz_f64x4_store(lanes, most);
    for (int i = 0; i < 4; i++)
        lanes[i] = lanes[i] > SMALLEST_NORMAL && lanes[i] < 1.0 / SMALLEST_NORMAL
                       ? grz_times_power(1.0, -grz_exponent_of(lanes[i]))
                       : 1.0;
    return times(sign, grz_f64x4_load(lanes));
}

// The normal with length 1: as grz_direction_align(), grz_direction_length() and grz_direction_unit().
static inline void unit_of(const wide normal[3], number scale, number unit[3])
{
    number square[3], tail[3];
    wide at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = (wide){times(scale, normal[k].high), times(scale, normal[k].low)};
        const wide product = two_products(at[k].high, at[k].high);
        square[k] = product.high;
        tail[k] = plus(product.low, times(times(splat(2.0), at[k].high), at[k].low));
    }
    const wide two = two_sums(square[0], square[1]), sum = two_sums(two.high, square[2]);
    const number low = plus(plus(two.low, sum.low), plus(plus(tail[0], tail[1]), tail[2])),
                 root = grz_f64x4_root(sum.high);
    const wide back = two_products(root, root),
               length = fast_two_sums(
                   root, over(plus(minus(minus(sum.high, back.high), back.low), low), times(splat(2.0), root)));
    const number excess = over(length.low, length.high);
    for (int k = 0; k < 3; k++) {
        const number quotient = over(at[k].high, length.high);
        unit[k] = plus(quotient, minus(over(at[k].low, length.high), times(quotient, excess)));
    }
}

// ---- Crossings ------------------------------------------------------------------------------------------------------

// The triangles: corners in lexicographic order, and their normals.
typedef struct triangles {
    number first[3]; // corner
    wide normal[3];
    number spread[3]; // 0: all corners have this coordinate
    number most;      // of `spread`
    number unit[3];
} triangles;

// Returns the lanes in which everything is known.
static inline uint32_t set_triangles(const grz_line_four *four, triangles *out)
{
    number p[3], q[3], r[3], sign = splat(1.0), least = splat(1.0);
    wide u[3], v[3];
    uint32_t ok = 15;
    for (int k = 0; k < 3; k++) {
        p[k] = grz_f64x4_load(four->corner[0][k]);
        q[k] = grz_f64x4_load(four->corner[1][k]);
        r[k] = grz_f64x4_load(four->corner[2][k]);
    }
    order_points(p, q, &sign);
    order_points(q, r, &sign);
    order_points(p, q, &sign);
    out->most = splat(0.0);
    for (int k = 0; k < 3; k++) {
        const number zero = splat(0.0), one = splat(1.0);
        u[k] = two_differences(q[k], p[k]);
        v[k] = two_differences(r[k], p[k]);
        const number parts[4] = {size_of(u[k].high), size_of(v[k].high), size_of(u[k].low), size_of(v[k].low)};
        for (int i = 0; i < 4; i++)
            least = grz_f64x4_min(least, grz_f64x4_if_greater(parts[i], zero, parts[i], one));
        out->first[k] = p[k];
        out->spread[k] = larger(parts[0], parts[1]);
        out->most = larger(out->most, out->spread[k]);
    }
    ok &= is_above(least, SMALLEST_PART) & is_above(out->most, GRZ_SMALLEST_WAY) & is_below(out->most, GRZ_LARGEST_WAY);
    number size = splat(0.0);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out->normal[k] = minor_of(u[i], u[j], v[i], v[j], &ok);
        size = larger(size, size_of(out->normal[k].high));
    }
    ok &= is_above(size, SMALLEST_NORMAL);
    unit_of(out->normal, scale_for(size, sign), out->unit);
    return ok;
}

// The parameters and their errors.
static inline uint32_t set_times(const triangles *triangle, const number origin[3], const wide direction[3],
                                 number most_direction, wide *t, number *error)
{
    number reach = splat(0.0);
    wide first[3];
    for (int k = 0; k < 3; k++) {
        first[k] = two_differences(triangle->first[k], origin[k]);
        reach = larger(reach, size_of(first[k].high));
    }
    const wide height = dot(triangle->normal, first), speed = dot(triangle->normal, direction);
    const number inverse = over(splat(1.0), size_of(speed.high)),
                 share = times(times(splat(DOT_ERROR), times(triangle->most, triangle->most)), inverse),
                 of_height = times(share, plus(reach, triangle->most)), of_speed = times(share, most_direction),
                 quotient = over(height.high, speed.high);
    const wide back = two_products(quotient, speed.high);
    const number rest =
        plus(minus(minus(height.high, back.high), back.low), minus(height.low, times(quotient, speed.low)));
    *t = fast_two_sums(quotient, over(rest, speed.high));
    const number size = size_of(t->high);
    *error = times(splat(2.0), plus(of_height, times(size, plus(of_speed, splat(32.0 * GRZ_UU)))));
    return is_above(reach, GRZ_SMALLEST_WAY) & is_below(reach, GRZ_LARGEST_WAY) & is_below(of_speed, GRZ_ERROR_ENOUGH) &
           is_above(size, SMALLEST_TIME) & is_below(size, LARGEST_TIME) & grz_f64x4_greater(size_of(t->low), *error) &
           is_nearest(*t, *error);
}

// Coordinate k of the points.
static inline uint32_t set_coordinate(const triangles *triangle, int k, number origin, wide direction, wide t,
                                      number error, number *out)
{
    const number zero = splat(0.0);
    const wide product = two_products(direction.high, t.high);
    const number rest = plus(product.low, plus(times(direction.high, t.low), times(direction.low, t.high)));
    const wide sum = two_sums(product.high, origin), x = two_sums(sum.high, plus(sum.low, rest));
    const number of_step = plus(times(times(splat(2.0), size_of(direction.high)), error),
                                times(splat(16.0 * GRZ_UU), size_of(product.high))),
                 of_sum = plus(times(splat(4.0 * GRZ_UU), size_of(x.high)), splat(GRZ_UNDERFLOWS)),
                 // A coordinate that all of the line or all of the triangle has is known.
        is_open = grz_f64x4_min(triangle->spread[k], size_of(direction.high));
    const uint32_t known = is_nearest(x, plus(of_step, of_sum)) & is_above(size_of(x.high), 0.0);
    const number given = grz_f64x4_if_greater(triangle->spread[k], zero, origin, triangle->first[k]);
    *out = plus(grz_f64x4_if_greater(is_open, zero, x.high, given), zero); // no -0
    return known | (~is_above(is_open, 0.0) & 15);
}

static inline uint32_t set_distances(const wide direction[3], wide t, number error, number *out)
{
    const wide square = dot(direction, direction);
    const number first = grz_f64x4_root(square.high);
    const wide back = two_products(first, first);
    const number rest = plus(minus(minus(square.high, back.high), back.low), square.low);
    const wide length = fast_two_sums(first, over(rest, times(splat(2.0), first))), distance = multiply(length, t);
    const number size = size_of(distance.high);
    *out = size;
    return is_nearest(distance, plus(times(splat(LENGTH_ERROR), size), times(splat(2.0), times(length.high, error))));
}

// The hits in these lanes, from numbers that lie side by side.
static inline void write_hits(uint32_t lanes, wide t, number distance, const number point[3], const number unit[3],
                              grz_line_hit hits[GRZ_LINE_FOUR])
{
    double times_[2][4], far[4], points[3][4], units[3][4];
    grz_f64x4_store(times_[0], t.high);
    grz_f64x4_store(times_[1], t.low);
    grz_f64x4_store(far, distance);
    for (int k = 0; k < 3; k++) {
        grz_f64x4_store(points[k], point[k]);
        grz_f64x4_store(units[k], unit[k]);
    }
    for (int i = 0; i < GRZ_LINE_FOUR; i++) {
        if ((lanes >> i & 1) == 0)
            continue;
        const double high = times_[0][i];
        const bool above = times_[1][i] > 0.0;
        const double other = grz_double_toward(high, above);
        hits[i].t = high;
        hits[i].lower = above ? high : other;
        hits[i].upper = above ? other : high;
        hits[i].distance = far[i];
        for (int k = 0; k < 3; k++) {
            hits[i].point[k] = points[k][i];
            hits[i].unit[k] = units[k][i];
        }
    }
}

uint32_t GRZ_OF_WIDTH(grz_line_describe_four_of)(const grz_line_four *four, grz_line_hit hits[GRZ_LINE_FOUR])
{
    number origin[3], most = splat(0.0), error, distance, point[3];
    wide direction[3], t;
    triangles triangle;
    uint32_t ok = set_triangles(four, &triangle);
    for (int k = 0; k < 3; k++) {
        origin[k] = grz_f64x4_load(four->origin[k]);
        direction[k] = (wide){grz_f64x4_load(four->direction[k]), grz_f64x4_load(four->tail[k])};
        most = larger(most, size_of(direction[k].high));
    }
    ok &= set_times(&triangle, origin, direction, most, &t, &error);
    for (int k = 0; k < 3; k++)
        ok &= set_coordinate(&triangle, k, origin[k], direction[k], t, error, &point[k]);
    ok &= set_distances(direction, t, error, &distance);
    write_hits(ok, t, distance, point, triangle.unit, hits);
    return ok;
}
