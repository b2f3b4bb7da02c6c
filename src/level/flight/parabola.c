// SPDX-License-Identifier: MIT
// Along an axis the path has at most two monotone parts, before and after its turn. In a monotone part the times
// outside of a range are found by bisection over the doubles: a time at which the path is certainly outside, by a bound
// of what is rounded, makes all times on that side of it certainly outside.
#include "level/flight/parabola.h"

#include "base/rounding.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double ROUNDING = 0x1p-50; // of the sum of all terms: what rounding can do to a coordinate

typedef struct axis {
    double start, velocity, half; // half of the acceleration
} axis;

static axis axis_of(const grz_parabola *path, int k)
{
    return (axis){path->start[k], path->velocity[k], 0.5 * path->acceleration[k]};
}

static double at(const axis *x, double t)
{
    return x->start + t * (x->velocity + t * x->half);
}

static double size_at(const axis *x, double t)
{
    return fabs(x->start) + t * (fabs(x->velocity) + t * fabs(x->half));
}

void grz_parabola_at(const grz_parabola *path, double time, double out[3])
{
    for (int k = 0; k < 3; k++) {
        const axis x = axis_of(path, k);
        out[k] = at(&x, time) + 0.0; // no -0
    }
}

double grz_parabola_size(const grz_parabola *path, double time)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        const axis x = axis_of(path, k);
        size = fmax(size, size_at(&x, time));
    }
    return size;
}

// Below the range: -1. Above: 1. Not certainly outside: 0. The turn itself is rounded: near it the path goes back by
// less than the acceleration times the square of that rounding, which the bound holds.
static int side_at(const axis *x, double t, double low, double high)
{
    const double value = at(x, t), bound = ROUNDING * size_at(x, t) + GRZ_UNDERFLOWS;
    return value + bound < low ? -1 : value - bound > high ? 1 : 0;
}

static double between(double a, double b)
{
    int64_t i, j;
    memcpy(&i, &a, sizeof i);
    memcpy(&j, &b, sizeof j);
    i += (j - i) / 2;
    memcpy(&a, &i, sizeof a);
    return a;
}

// Of a monotone part, from `from` to `to`: the hull of the times that are not certainly outside. False: there are none.
static bool part_in_range(const axis *x, double low, double high, double from, double to, double *enter, double *leave)
{
    const int first = side_at(x, from, low, high), last = side_at(x, to, low, high);
    if (first != 0 && first == last)
        return false;
    double outside = from, inside = to;
    if (first != 0) { // the last time that is outside on the side of `from`
        while (between(outside, inside) != outside) {
            const double middle = between(outside, inside);
            if (side_at(x, middle, low, high) == first)
                outside = middle;
            else
                inside = middle;
        }
    }
    *enter = outside;
    outside = to;
    inside = from;
    if (last != 0) {
        while (between(inside, outside) != inside) {
            const double middle = between(inside, outside);
            if (side_at(x, middle, low, high) == last)
                outside = middle;
            else
                inside = middle;
        }
    }
    *leave = outside;
    return *enter <= *leave;
}

typedef struct times {
    double enter[2], leave[2];
    int count;
} times;

static void axis_in_range(const axis *x, double low, double high, double until, times *out)
{
    const double turn = x->half != 0.0 ? -0.5 * x->velocity / x->half : 0.0, middle = turn > 0.0 ? turn : 0.0;
    const double ends[3] = {0.0, fmin(middle, until), until};
    out->count = 0;
    for (int i = 0; i < 2; i++) {
        double enter, leave;
        if ((i == 0 && ends[1] == 0.0) || (i == 1 && middle >= until && until > 0.0) ||
            !part_in_range(x, low, high, ends[i], ends[i + 1], &enter, &leave))
            continue;
        out->enter[out->count] = enter;
        out->leave[out->count++] = leave;
    }
}

bool grz_parabola_in_box(const grz_parabola *path, const grz_box *box, double until, double *enter, double *leave)
{
    times t[3];
    bool any = false;
    *enter = HUGE_VAL;
    *leave = -HUGE_VAL;
    if (grz_box_is_empty(box))
        return false;
    for (int k = 0; k < 3; k++) {
        const axis x = axis_of(path, k);
        axis_in_range(&x, box->min[k], box->max[k], until, &t[k]);
    }
    for (int i = 0; i < t[0].count; i++)
        for (int j = 0; j < t[1].count; j++)
            for (int k = 0; k < t[2].count; k++) {
                const double from = fmax(fmax(t[0].enter[i], t[1].enter[j]), t[2].enter[k]),
                             to = fmin(fmin(t[0].leave[i], t[1].leave[j]), t[2].leave[k]);
                if (from > to)
                    continue;
                any = true;
                *enter = fmin(*enter, from);
                *leave = fmax(*leave, to);
            }
    return any;
}
