// SPDX-License-Identifier: MIT
// With corners c[i] seen from the origin and D the direction, the determinant D · (c[i] × c[i+1]) has the sign of the
// side on which the line passes edge i. If all three have one sign, the line goes through the inside. Then
// t = N · c[0] / N · D with the normal N. In doubles the determinants have error bounds; where these do not tell, the
// same is done in double-doubles. docs/use/pick.md derives the bounds.
#include "geometry/ray/line_triangle.h"

#include <math.h>

#include "base/rounding.h"
#include "geometry/ray/line_crossing.h"
#include "geometry/ray/line_hit.h"

// The sign that all three sides have; 0: two are opposite, so the line misses; 2: not known.
static int common_sign(const int sign[3])
{
    if ((sign[0] > 0 || sign[1] > 0 || sign[2] > 0) && (sign[0] < 0 || sign[1] < 0 || sign[2] < 0))
        return 0;
    return sign[0] == 0 || sign[1] == 0 || sign[2] == 0 ? 2 : sign[0];
}

// ---- Double-doubles -----------------------------------------------------------------------------------------------

static int bounded_sign(const grz_bounded *x)
{
    return grz_line_sign_beyond(x->at.high * GRZ_LESS(8), x->error);
}

// The sides in double-doubles, as common_sign() has them.
static int sides_doubled(const grz_line *line, const double c[3][3])
{
    grz_bounded_vector from[3], d;
    int sign[3];
    if (!grz_line_bounded_direction(line, &d))
        return 2;
    for (int i = 0; i < 3; i++)
        if (!grz_way_between(line->origin, c[i], &from[i]))
            return 2;
    for (int i = 0; i < 3; i++) {
        const grz_bounded_vector normal = grz_bounded_cross(&from[i], &from[(i + 1) % 3]);
        const grz_bounded side = grz_bounded_dot(&normal, &d);
        sign[i] = bounded_sign(&side);
    }
    return common_sign(sign);
}

bool grz_line_crossing_at(const grz_line *line, const double c[3][3], grz_bounded *t)
{
    return grz_crossing_at(line, c, t);
}

// Sides are certain; is t?
static grz_crossing cross_doubled(const grz_line *line, const double c[3][3], grz_line_crossing *out)
{
    grz_bounded t;
    if (!grz_line_crossing_at(line, c, &t))
        return GRZ_CROSSING_OPEN;
    const double slack = 2.0 * t.error + fabs(t.at.low);
    out->low = nextafter(t.at.high - slack, -HUGE_VAL);
    out->high = nextafter(t.at.high + slack, HUGE_VAL);
    return GRZ_CROSSING_FACE;
}

// ---- Doubles ------------------------------------------------------------------------------------------------------

// Two signs are not known, one is: does the line go through the corner that the two edges share? Then their
// determinants are 0, and the third one is N · D, whose sign tells the side.
static bool meets_corner(const grz_line *line, const double c[3][3], const int sign[3], grz_line_crossing *out)
{
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, corner = (i + 2) % 3;
        if (sign[i] == 0 || sign[next] != 0 || sign[corner] != 0)
            continue;
        out->feature = (uint8_t)(GRZ_CORNER_0 + corner);
        out->front = sign[i] < 0;
        return grz_line_passes(line, c[corner], &out->low);
    }
    return false;
}

grz_crossing grz_line_crosses(const grz_line *line, const double c[3][3], grz_line_crossing *out)
{
    double from[3][3], most = 0.0;
    int sign[3];
    if (!line->in_range)
        return GRZ_CROSSING_OPEN;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            from[i][k] = c[i][k] - line->origin[k];
        most = grz_line_larger(most, grz_line_most_of(from[i]));
    }
    const double bound = GRZ_LINE_DETERMINANT * line->most * most * most;
    if (!(bound > GRZ_LINE_LEAST_BOUND && most < GRZ_LINE_LARGEST))
        return GRZ_CROSSING_OPEN;
    for (int i = 0; i < 3; i++) {
        const double *p = from[i], *q = from[(i + 1) % 3];
        double normal[3];
        grz_cross(p, q, normal);
        sign[i] = grz_line_sign_beyond(grz_dot(normal, line->direction), bound);
    }
    int side = common_sign(sign);
    if (side == 0)
        return GRZ_CROSSING_NONE;
    if (side == 2) {
        if (meets_corner(line, c, sign, out)) {
            out->high = out->low;
            return GRZ_CROSSING_CORNER;
        }
        side = sides_doubled(line, c);
        if (side == 0 || side == 2)
            return side == 0 ? GRZ_CROSSING_NONE : GRZ_CROSSING_OPEN;
    }
    out->feature = GRZ_FACE;
    out->front = side < 0;
    if (grz_crossing_enclose(line, c, from[0], grz_line_most_of(from[0]), side, &out->low, &out->high))
        return GRZ_CROSSING_FACE;
    return cross_doubled(line, c, out);
}

// ---- Points -------------------------------------------------------------------------------------------------------

bool grz_line_point_at(const grz_line *line, const grz_bounded *t, const double crossing[3][3], double point[3])
{
    return grz_crossing_point(line, t, crossing, point);
}

double grz_line_length(const grz_line *line, dd t)
{
    return grz_crossing_length(line, t);
}

double grz_line_length_at(const grz_line *line, const grz_time *t)
{
    int exponent;
    const dd length = grz_line_scaled_length(line, &exponent);
    if (t->numerator.sign == 0)
        return 0.0;
    // t · 2^-scale is near 1, so that it has all digits; then what is left of it.
    const grz_scaled size = grz_integer_to_scaled(&t->numerator, t->exponent),
                     below = grz_integer_to_scaled(&t->denominator, 0);
    const int scale = size.exponent - below.exponent;
    grz_time left = *t;
    left.exponent -= scale;
    const double head = grz_integer_quotient(&left.numerator, &left.denominator, left.exponent);
    const double tail = grz_time_minus(&left, head);
    return ldexp(fabs(dd_multiply(length, (dd){head, tail}).high), exponent + scale);
}

grz_line_describe *grz_line_describe_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_line_describe_of);
}

grz_line_describe_four *grz_line_describe_four_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_line_describe_four_of);
}

grz_line_crosses_posed *grz_line_crosses_posed_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_line_crosses_posed_of);
}
