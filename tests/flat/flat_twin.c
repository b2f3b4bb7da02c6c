// SPDX-License-Identifier: MIT
#include "flat_twin.h"

#include <math.h>
#include <stdlib.h>

enum {
    NUMBERS = 24
};

// Rational numbers for one computation.
typedef struct scratch {
    mpq_t x[NUMBERS];
} scratch;

static void scratch_init(scratch *s)
{
    for (int i = 0; i < NUMBERS; i++)
        mpq_init(s->x[i]);
}

static void scratch_finish(scratch *s)
{
    for (int i = 0; i < NUMBERS; i++)
        mpq_clear(s->x[i]);
}

static void difference(mpq_t out, double a, double b, mpq_t t)
{
    mpq_set_d(out, a);
    mpq_set_d(t, b);
    mpq_sub(out, out, t);
}

// out = ax · by - ay · bx, or ax · bx + ay · by.
static void cross(mpq_t out, mpq_t ax, mpq_t ay, mpq_t bx, mpq_t by, mpq_t t)
{
    mpq_mul(out, ax, by);
    mpq_mul(t, ay, bx);
    mpq_sub(out, out, t);
}

static void dot(mpq_t out, mpq_t ax, mpq_t ay, mpq_t bx, mpq_t by, mpq_t t)
{
    mpq_mul(out, ax, bx);
    mpq_mul(t, ay, by);
    mpq_add(out, out, t);
}

// An interval of a line's parameter; without an end if `endless`.
typedef struct span {
    mpq_t low, high;
    bool endless;
} span;

// Keep what is in [low, high], too. False: nothing.
static bool span_cut(span *s, mpq_t low, mpq_t high)
{
    if (mpq_cmp(low, s->low) > 0)
        mpq_set(s->low, low);
    if (s->endless || mpq_cmp(high, s->high) < 0)
        mpq_set(s->high, high);
    s->endless = false;
    return mpq_cmp(s->low, s->high) <= 0;
}

// Clip a line by the box of an item, one axis after the other.
static bool clip_by_box(const grz_flat_ray *ray, const grz_flat_item *item, span *s, scratch *w)
{
    for (int k = 0; k < 2; k++) {
        const double low = fmin(item->from[k], item->to[k]), high = fmax(item->from[k], item->to[k]);
        difference(w->x[0], ray->to[k], ray->from[k], w->x[9]);
        if (mpq_sgn(w->x[0]) == 0) {
            if (ray->from[k] < low || ray->from[k] > high)
                return false;
            continue;
        }
        const bool forwards = mpq_sgn(w->x[0]) > 0;
        difference(w->x[1], forwards ? low : high, ray->from[k], w->x[9]);
        difference(w->x[2], forwards ? high : low, ray->from[k], w->x[9]);
        mpq_div(w->x[1], w->x[1], w->x[0]);
        mpq_div(w->x[2], w->x[2], w->x[0]);
        if (!span_cut(s, w->x[1], w->x[2]))
            return false;
    }
    return mpq_sgn(s->low) >= 0;
}

// The line against a segment: two equations. On one line, the segment's box says the rest.
static bool meet_segment(const grz_flat_ray *ray, const grz_flat_item *item, span *s, scratch *w)
{
    mpq_t *x = w->x;
    for (int k = 0; k < 2; k++) {
        difference(x[10 + k], ray->to[k], ray->from[k], x[9]);    // d
        difference(x[12 + k], item->to[k], item->from[k], x[9]);  // e
        difference(x[14 + k], item->from[k], ray->from[k], x[9]); // r
    }
    cross(x[16], x[10], x[11], x[12], x[13], x[9]); // d × e
    if (mpq_sgn(x[16]) == 0) {
        // Parallel, or one of them is a point: r must be parallel to both, then boxes decide.
        cross(x[17], x[14], x[15], x[10], x[11], x[9]);
        cross(x[18], x[14], x[15], x[12], x[13], x[9]);
        return mpq_sgn(x[17]) == 0 && mpq_sgn(x[18]) == 0 && clip_by_box(ray, item, s, w);
    }
    cross(x[17], x[14], x[15], x[12], x[13], x[9]); // t = (r × e) / (d × e)
    cross(x[18], x[14], x[15], x[10], x[11], x[9]); // s = (r × d) / (d × e)
    mpq_div(x[17], x[17], x[16]);
    mpq_div(x[18], x[18], x[16]);
    mpq_set_ui(x[19], 1, 1);
    return mpq_sgn(x[18]) >= 0 && mpq_cmp(x[18], x[19]) <= 0 && span_cut(s, x[17], x[17]);
}

// The least t at which a ray meets an item.
static bool entry_of(const grz_flat_ray *ray, const grz_flat_item *item, mpq_t t)
{
    scratch w;
    span s = {.endless = ray->endless};
    scratch_init(&w);
    mpq_inits(s.low, s.high, NULL);
    mpq_set_ui(s.high, 1, 1);
    const bool met = item->kind == GRZ_FLAT_SEGMENT ? meet_segment(ray, item, &s, &w) : clip_by_box(ray, item, &s, &w);
    mpq_set(t, s.low);
    mpq_clears(s.low, s.high, NULL);
    scratch_finish(&w);
    return met;
}

bool flat_twin_touch(const grz_flat_item *a, const grz_flat_item *b)
{
    if (a->kind != GRZ_FLAT_SEGMENT && b->kind == GRZ_FLAT_SEGMENT)
        return flat_twin_touch(b, a);
    if (a->kind != GRZ_FLAT_SEGMENT)
        return a->from[0] <= b->to[0] && b->from[0] <= a->to[0] && a->from[1] <= b->to[1] && b->from[1] <= a->to[1];
    const grz_flat_ray ray = {{a->from[0], a->from[1]}, {a->to[0], a->to[1]}, false};
    mpq_t t;
    mpq_init(t);
    const bool touch = entry_of(&ray, b, t);
    mpq_clear(t);
    return touch;
}

// The squared distance: of the point from + share · (to - from), each coordinate of a box by itself.
static void square_of(const grz_flat_item *item, const double point[2], mpq_t square)
{
    scratch w;
    scratch_init(&w);
    mpq_t *x = w.x;
    for (int k = 0; k < 2; k++) {
        difference(x[k], item->to[k], item->from[k], x[9]);
        difference(x[2 + k], point[k], item->from[k], x[9]);
    }
    mpq_set_ui(x[8], 1, 1);
    if (item->kind == GRZ_FLAT_SEGMENT) {
        dot(x[4], x[0], x[1], x[2], x[3], x[9]);
        dot(x[5], x[0], x[1], x[0], x[1], x[9]);
        if (mpq_sgn(x[5]) > 0)
            mpq_div(x[4], x[4], x[5]);
        if (mpq_sgn(x[4]) < 0)
            mpq_set_ui(x[4], 0, 1);
        if (mpq_cmp(x[4], x[8]) > 0)
            mpq_set(x[4], x[8]);
        for (int k = 0; k < 2; k++) {
            mpq_mul(x[6], x[4], x[k]);
            mpq_sub(x[2 + k], x[2 + k], x[6]);
        }
    } else {
        for (int k = 0; k < 2; k++) {
            if (mpq_sgn(x[2 + k]) > 0 && mpq_cmp(x[2 + k], x[k]) <= 0)
                mpq_set_ui(x[2 + k], 0, 1);
            else if (mpq_sgn(x[2 + k]) > 0)
                mpq_sub(x[2 + k], x[2 + k], x[k]);
        }
    }
    dot(square, x[2], x[3], x[2], x[3], x[9]);
    scratch_finish(&w);
}

uint64_t flat_twin_pairs(const flat_twin *twin, grz_flat_pair *pairs)
{
    uint64_t count = 0;
    for (uint32_t a = 0; a < twin->count; a++)
        for (uint32_t b = a + 1; b < twin->count; b++)
            if (twin->is_there[a] && twin->is_there[b] && flat_twin_touch(&twin->items[a], &twin->items[b]))
                pairs[count++] = (grz_flat_pair){a, b};
    return count;
}

uint64_t flat_twin_in_box(const flat_twin *twin, const double min[2], const double max[2], uint32_t *numbers)
{
    const grz_flat_item box = {{min[0], min[1]}, {max[0], max[1]}, GRZ_FLAT_BOX};
    uint64_t count = 0;
    for (uint32_t i = 0; i < twin->count; i++)
        if (twin->is_there[i] && flat_twin_touch(&twin->items[i], &box))
            numbers[count++] = i;
    return count;
}

uint64_t flat_twin_in_circle(const flat_twin *twin, const double centre[2], double radius, uint32_t *numbers)
{
    uint64_t count = 0;
    mpq_t square, limit;
    mpq_inits(square, limit, NULL);
    mpq_set_d(limit, radius);
    mpq_mul(limit, limit, limit);
    for (uint32_t i = 0; i < twin->count; i++) {
        if (!twin->is_there[i])
            continue;
        square_of(&twin->items[i], centre, square);
        if (mpq_cmp(square, limit) <= 0)
            numbers[count++] = i;
    }
    mpq_clears(square, limit, NULL);
    return count;
}

uint32_t flat_twin_nearest(const flat_twin *twin, const double point[2])
{
    uint32_t best = GRZ_FLAT_NONE;
    mpq_t square, least;
    mpq_inits(square, least, NULL);
    for (uint32_t i = 0; i < twin->count; i++) {
        if (!twin->is_there[i])
            continue;
        square_of(&twin->items[i], point, square);
        if (best != GRZ_FLAT_NONE && mpq_cmp(square, least) >= 0)
            continue;
        best = i;
        mpq_set(least, square);
    }
    mpq_clears(square, least, NULL);
    return best;
}

uint64_t flat_twin_hits(const flat_twin *twin, const grz_flat_ray *ray, uint32_t *numbers)
{
    uint64_t count = 0;
    mpq_t *times = malloc(((size_t)twin->count + 1) * sizeof *times), t;
    mpq_init(t);
    for (uint32_t i = 0; i < twin->count && times != NULL; i++) {
        if (!twin->is_there[i] || !entry_of(ray, &twin->items[i], t))
            continue;
        uint64_t at = count++;
        mpq_init(times[at]);
        for (; at > 0 && mpq_cmp(times[at - 1], t) > 0; at--) { // equal ones stay in the order of their numbers
            mpq_set(times[at], times[at - 1]);
            numbers[at] = numbers[at - 1];
        }
        mpq_set(times[at], t);
        numbers[at] = i;
    }
    for (uint64_t i = 0; i < count; i++)
        mpq_clear(times[i]);
    mpq_clear(t);
    free(times);
    return count;
}

static bool is_even(double x)
{
    int exponent;
    const double mantissa = frexp(x, &exponent);
    return fmod(ldexp(mantissa, exponent < -1021 ? exponent + 1074 : 53), 2.0) == 0.0;
}

// Is x, or its square, the double nearest to a number, which is 0 or above? The middles between it and its neighbours
// are compared.
static bool is_nearest(double x, mpq_t number, bool square)
{
    mpq_t middle, other;
    bool right = x >= 0.0 && !signbit(x);
    mpq_inits(middle, other, NULL);
    for (int side = 0; side < 2 && right; side++) {
        const double next = nextafter(x, side == 0 ? -HUGE_VAL : HUGE_VAL);
        if (next < 0.0)
            continue;
        mpq_set_d(middle, x);
        mpq_set_d(other, next);
        mpq_add(middle, middle, other);
        mpq_set_ui(other, 1, 2);
        mpq_mul(middle, middle, other);
        if (square)
            mpq_mul(middle, middle, middle);
        const int order = side == 0 ? mpq_cmp(number, middle) : mpq_cmp(middle, number);
        right = order > 0 || (order == 0 && is_even(x));
    }
    mpq_clears(middle, other, NULL);
    return right;
}

bool flat_twin_is_distance(const grz_flat_item *item, const double point[2], double distance)
{
    mpq_t square;
    mpq_init(square);
    square_of(item, point, square);
    const bool right = is_nearest(distance, square, true);
    mpq_clear(square);
    return right;
}

bool flat_twin_is_entry(const grz_flat_item *item, const grz_flat_ray *ray, double t)
{
    mpq_t exact, largest;
    mpq_inits(exact, largest, NULL);
    bool right = entry_of(ray, item, exact);
    mpq_set_d(largest, 0x1.fffffffffffffp1023);
    if (right && mpq_cmp(exact, largest) > 0)
        right = t == HUGE_VAL || t == 0x1.fffffffffffffp1023;
    else if (right)
        right = is_nearest(t, exact, false);
    mpq_clears(exact, largest, NULL);
    return right;
}
