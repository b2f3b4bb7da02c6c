// SPDX-License-Identifier: MIT
// The exact stage, in integers. If the line runs along the triangle's plane, or the triangle has no area, all three
// determinants are 0. Then the line meets it from the first to the last of these points: corners on the line, and edges
// whose ends are on opposite sides of it.
#include <assert.h>

#include "geometry/ray/line_triangle.h"

// A line and a triangle as integers: coordinates · 2^shift, seen from the origin, and the direction · 2^way_shift.
typedef struct integers {
    grz_integer corner[3][3], way[3];
    int exponent; // t is a quotient of these numbers · 2^exponent
} integers;

static void set_way(const grz_line *line, grz_integer way[3], int *shift)
{
    const double *const parts[2] = {line->direction, line->tail};
    *shift = grz_integer_common_shift(parts, 2, 3);
    for (int k = 0; k < 3; k++) {
        grz_integer head, tail;
        grz_integer_from_double(line->direction[k], *shift, &head);
        grz_integer_from_double(line->tail[k], *shift, &tail);
        grz_integer_add(&head, &tail, 1, &way[k]);
    }
}

static void set_integers(const grz_line *line, const double c[3][3], integers *n)
{
    const double *const points[4] = {line->origin, c[0], c[1], c[2]};
    const int shift = grz_integer_common_shift(points, 4, 3);
    int way_shift;
    set_way(line, n->way, &way_shift);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            grz_integer_difference(line->origin[k], c[i][k], shift, &n->corner[i][k]);
    n->exponent = way_shift - shift;
}

// The fraction, with a denominator above 0. It is not 0.
static void set_time(const grz_integer *numerator, const grz_integer *denominator, int exponent, grz_time *t)
{
    grz_integer_copy(numerator, &t->numerator);
    grz_integer_copy(denominator, &t->denominator);
    t->numerator.sign *= denominator->sign;
    t->denominator.sign = 1;
    t->exponent = exponent;
}

// ---- The line runs along --------------------------------------------------------------------------------------------

// Points where the line enters and leaves, as far as they have been found.
typedef struct span {
    bool any;
    grz_time ends[2];
    uint8_t features[2];
} span;

static void add_point(span *s, const grz_time *t, uint8_t feature)
{
    for (int end = 0; end < 2; end++) {
        const int order = s->any ? grz_times_compare(t, &s->ends[end]) : 0;
        if (s->any && (end == 0 ? order >= 0 : order <= 0))
            continue;
        s->ends[end] = *t;
        s->features[end] = feature;
    }
    s->any = true;
}

// A coordinate in which a vector is not 0; -1: it is 0.
static int coordinate_of(const grz_integer v[3])
{
    for (int k = 0; k < 3; k++)
        if (v[k].sign != 0)
            return k;
    return -1;
}

// Edge i, whose ends are on opposite sides of the line.
static void add_edge(const integers *n, const grz_integer sides[3], int i, int m, span *s)
{
    const int j = (i + 1) % 3;
    grz_integer numerator, difference, denominator;
    grz_time t;
    grz_integer_determinant2(&sides[j], &n->corner[j][m], &sides[i], &n->corner[i][m], &numerator);
    // That was sides[j] · corner[i] - corner[j] · sides[i].
    grz_integer_add(&sides[j], &sides[i], -1, &difference);
    grz_integer_multiply(&difference, &n->way[m], &denominator);
    set_time(&numerator, &denominator, n->exponent, &t);
    add_point(s, &t, (uint8_t)(GRZ_EDGE_0 + i));
}

// The edge with these two corners.
static uint8_t edge_between(int a, int b)
{
    return (uint8_t)(GRZ_EDGE_0 + ((a + 1) % 3 == b ? a : b));
}

static bool meet_along(const integers *n, grz_line_meeting *out)
{
    const int m = coordinate_of(n->way);
    grz_integer sides[3];
    span s = {.any = false};
    int k = -1;
    // All way × corner are parallel, so one of their coordinates tells how they compare.
    for (int i = 0; i < 3; i++) {
        grz_integer normal[3];
        grz_integer_cross(n->way, n->corner[i], normal);
        if (k < 0)
            k = coordinate_of(normal);
        grz_integer_copy(&normal[k < 0 ? 0 : k], &sides[i]);
    }
    for (int i = 0; i < 3; i++) {
        grz_time t;
        if (sides[i].sign != 0)
            continue;
        set_time(&n->corner[i][m], &n->way[m], n->exponent, &t);
        add_point(&s, &t, (uint8_t)(GRZ_CORNER_0 + i));
    }
    for (int i = 0; i < 3; i++)
        if (sides[i].sign * sides[(i + 1) % 3].sign < 0)
            add_edge(n, sides, i, m, &s);
    if (!s.any)
        return false;
    out->enter = s.ends[0];
    out->leave = s.ends[1];
    out->at_enter = s.features[0];
    out->at_leave = s.features[1];
    out->is_point = grz_times_compare(&out->enter, &out->leave) == 0;
    out->side = 0;
    if (out->is_point)
        out->at_leave = out->between = out->at_enter;
    else if (out->at_enter <= GRZ_CORNER_2 && out->at_leave <= GRZ_CORNER_2)
        out->between = edge_between(out->at_enter, out->at_leave);
    else
        out->between = GRZ_FACE;
    return true;
}

// ---- In general -----------------------------------------------------------------------------------------------------

// The feature that holds the point at which a line meets a triangle, from which edges it meets.
static uint8_t feature_of(const grz_integer side[3])
{
    for (int i = 0; i < 3; i++)
        if (side[i].sign == 0 && side[(i + 1) % 3].sign == 0)
            return (uint8_t)(GRZ_CORNER_0 + (i + 1) % 3);
    for (int i = 0; i < 3; i++)
        if (side[i].sign == 0)
            return (uint8_t)(GRZ_EDGE_0 + i);
    return GRZ_FACE;
}

bool grz_line_meets(const grz_line *line, const double c[3][3], grz_line_meeting *out)
{
    integers n;
    grz_integer side[3], two, speed, height, normal[3];
    bool above = false, below = false;
    set_integers(line, c, &n);
    for (int i = 0; i < 3; i++) {
        grz_integer_cross(n.corner[i], n.corner[(i + 1) % 3], normal);
        grz_integer_dot(normal, n.way, &side[i]);
        above = above || side[i].sign > 0;
        below = below || side[i].sign < 0;
        if (i == 1)
            grz_integer_dot(normal, n.corner[0], &height);
    }
    if (above && below)
        return false;
    if (!above && !below)
        return meet_along(&n, out);
    grz_integer_add(&side[0], &side[1], 1, &two);
    grz_integer_add(&two, &side[2], 1, &speed);
    assert(speed.sign != 0);
    set_time(&height, &speed, n.exponent, &out->enter);
    out->leave = out->enter;
    out->is_point = true;
    out->at_enter = out->at_leave = out->between = feature_of(side);
    out->side = -speed.sign;
    return true;
}

void grz_line_point(const grz_line *line, const grz_time *t, const double crossing[3][3], double point[3])
{
    const double *const origin = line->origin;
    grz_integer way[3], at, product, step, shifted[2], sum;
    int way_shift;
    const int shift = grz_integer_common_shift(&origin, 1, 3);
    set_way(line, way, &way_shift);
    const int step_exponent = t->exponent - way_shift, least = step_exponent < -shift ? step_exponent : -shift;
    for (int k = 0; k < 3; k++) {
        if (crossing != NULL && crossing[0][k] == crossing[1][k] && crossing[0][k] == crossing[2][k]) {
            point[k] = crossing[0][k] + 0.0; // no -0
            continue;
        }
        grz_integer_from_double(origin[k], shift, &at);
        grz_integer_multiply(&at, &t->denominator, &product);
        grz_integer_multiply(&t->numerator, &way[k], &step);
        grz_integer_shift_left(&product, -shift - least, &shifted[0]);
        grz_integer_shift_left(&step, step_exponent - least, &shifted[1]);
        grz_integer_add(&shifted[0], &shifted[1], 1, &sum);
        point[k] = grz_integer_quotient(&sum, &t->denominator, least);
    }
}
