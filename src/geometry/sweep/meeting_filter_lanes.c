// SPDX-License-Identifier: MIT
// Bounds the times at which a moving triangle meets four that stand still, one in each lane. Each axis gives a range of
// times, widened by what rounding can do; a lane is dropped when the intersection of its intervals with [0, until]
// is empty. The axes are those of grz_meeting_set(), the cheap ones first. Same error bounds (docs/use/move.md).
#include <math.h>
#include <stdbool.h>

#include "base/lanes.h"
#include "geometry/sweep/meeting_filter.h"

// As in enclose.c.
static const double PLANE = 0x1p-45, PLANE_ALONG = 0x1p-46, UNIT = 0x1p-49, UNIT_ALONG = 0x1p-51, UNDERFLOW = 0x1p-700,
                    LARGEST = 0x1p100;

enum {
    ALL = (1 << GRZ_MEETING_LANES) - 1
};

typedef struct vectors {
    grz_f64x4 x, y, z;
} vectors;

// Four pairs, measured from the first corner of A, and the times found so far.
typedef struct search {
    vectors a[3], b[3], v;
    grz_f64x4 size, zero;
    grz_f64x4 enter, leave;
} search;

static inline vectors splat(const double v[3])
{
    return (vectors){grz_f64x4_splat(v[0]), grz_f64x4_splat(v[1]), grz_f64x4_splat(v[2])};
}

static inline vectors load(const double from[3][GRZ_MEETING_LANES])
{
    return (vectors){grz_f64x4_load(from[0]), grz_f64x4_load(from[1]), grz_f64x4_load(from[2])};
}

static inline vectors subtract(vectors a, vectors b)
{
    return (vectors){grz_f64x4_subtract(a.x, b.x), grz_f64x4_subtract(a.y, b.y), grz_f64x4_subtract(a.z, b.z)};
}

static inline grz_f64x4 dot(vectors a, vectors b)
{
    return grz_f64x4_add(grz_f64x4_add(grz_f64x4_multiply(a.x, b.x), grz_f64x4_multiply(a.y, b.y)),
                         grz_f64x4_multiply(a.z, b.z));
}

static inline vectors cross(vectors a, vectors b)
{
    return (vectors){grz_f64x4_subtract(grz_f64x4_multiply(a.y, b.z), grz_f64x4_multiply(a.z, b.y)),
                     grz_f64x4_subtract(grz_f64x4_multiply(a.z, b.x), grz_f64x4_multiply(a.x, b.z)),
                     grz_f64x4_subtract(grz_f64x4_multiply(a.x, b.y), grz_f64x4_multiply(a.y, b.x))};
}

static inline grz_f64x4 most(vectors v)
{
    return grz_f64x4_max(grz_f64x4_max(grz_f64x4_abs(v.x), grz_f64x4_abs(v.y)), grz_f64x4_abs(v.z));
}

// Cut the times down to those at which low <= t · along <= high, for t >= 0, all with errors. Where the sign of `along`
// is not certain, all times before (the gap at time 0) / (the largest |along|) are out if there is a gap, else none.
static inline void cut(search *s, grz_f64x4 low, grz_f64x4 high, grz_f64x4 along, grz_f64x4 error,
                       grz_f64x4 along_error)
{
    const grz_f64x4 zero = s->zero, magnitude = grz_f64x4_abs(along),
                    least = grz_f64x4_max(grz_f64x4_subtract(magnitude, along_error), zero),
                    largest = grz_f64x4_add(magnitude, along_error);
    // Turn the axis so that `along` is above 0, or, if that is not certain, so that the middle is.
    const grz_f64x4 turn_by = grz_f64x4_if_greater(magnitude, along_error, along, grz_f64x4_add(low, high));
    const grz_f64x4 turned_low = grz_f64x4_subtract(zero, high), turned_high = grz_f64x4_subtract(zero, low);
    const grz_f64x4 first = grz_f64x4_subtract(grz_f64x4_if_greater(zero, turn_by, turned_low, low), error),
                    last = grz_f64x4_add(grz_f64x4_if_greater(zero, turn_by, turned_high, high), error);
    const grz_f64x4 enter = grz_f64x4_divide(grz_f64x4_max(first, zero), largest),
                    leave = grz_f64x4_divide(last, grz_f64x4_if_greater(last, zero, least, largest));
    s->enter = grz_f64x4_max(s->enter, enter);
    s->leave = grz_f64x4_min(s->leave, leave);
}

static inline void cut_along(search *s, vectors n, grz_f64x4 error, grz_f64x4 along_error)
{
    const grz_f64x4 zero = s->zero, a1 = dot(n, s->a[1]), a2 = dot(n, s->a[2]), b0 = dot(n, s->b[0]),
                    b1 = dot(n, s->b[1]), b2 = dot(n, s->b[2]);
    const grz_f64x4 low_a = grz_f64x4_min(zero, grz_f64x4_min(a1, a2)),
                    high_a = grz_f64x4_max(zero, grz_f64x4_max(a1, a2)),
                    low_b = grz_f64x4_min(b0, grz_f64x4_min(b1, b2)), high_b = grz_f64x4_max(b0, grz_f64x4_max(b1, b2));
    cut(s, grz_f64x4_subtract(low_b, high_a), grz_f64x4_subtract(high_b, low_a), dot(n, s->v), error, along_error);
}

static inline void cut_along_unit(search *s, grz_f64x4 a1, grz_f64x4 a2, grz_f64x4 b0, grz_f64x4 b1, grz_f64x4 b2,
                                  grz_f64x4 v, grz_f64x4 error, grz_f64x4 along_error)
{
    const grz_f64x4 zero = s->zero, low_a = grz_f64x4_min(zero, grz_f64x4_min(a1, a2)),
                    high_a = grz_f64x4_max(zero, grz_f64x4_max(a1, a2)),
                    low_b = grz_f64x4_min(b0, grz_f64x4_min(b1, b2)), high_b = grz_f64x4_max(b0, grz_f64x4_max(b1, b2));
    cut(s, grz_f64x4_subtract(low_b, high_a), grz_f64x4_subtract(high_b, low_a), v, error, along_error);
}

// The lanes whose times are not empty, and do not begin after `until`.
static inline uint32_t lanes_left(const search *s, grz_f64x4 until)
{
    return ALL & ~(grz_f64x4_greater(s->enter, grz_f64x4_min(s->leave, until)));
}

static inline grz_f64x4 with_underflow(grz_f64x4 error)
{
    return grz_f64x4_add(error, grz_f64x4_splat(UNDERFLOW));
}

static inline void prepare(search *s, const grz_meeting_mover *a, const grz_meeting_packet *b)
{
    const vectors origin = splat(a->corners[0]);
    s->zero = grz_f64x4_splat(0.0);
    s->enter = s->zero;
    s->leave = grz_f64x4_splat(HUGE_VAL);
    s->v = splat(a->v);
    s->size = grz_f64x4_splat(a->edge_size);
    for (int i = 0; i < 3; i++) {
        s->a[i] = subtract(splat(a->corners[i]), origin);
        s->b[i] = subtract(load(b->corners[i]), origin);
        s->size = grz_f64x4_max(s->size, most(s->b[i]));
    }
}

// Lanes within the range of the filter. `until` and the times of the others are not touched.
static inline uint32_t lanes_in_range(const grz_meeting_mover *a, const grz_meeting_packet *b)
{
    const double of_a = a->size > a->v_size ? a->size : a->v_size;
    return of_a <= LARGEST ? ALL & ~grz_f64x4_greater(grz_f64x4_load(b->size), grz_f64x4_splat(LARGEST)) : 0;
}

static inline uint32_t search_all(search *s, const grz_meeting_mover *a, const grz_meeting_packet *b, grz_f64x4 until)
{
    const grz_f64x4 edge_a = grz_f64x4_splat(a->edge_size), edge_b = grz_f64x4_load(b->edge_size),
                    v_size = grz_f64x4_splat(a->v_size);
    const grz_f64x4 unit = with_underflow(grz_f64x4_multiply(s->size, grz_f64x4_splat(UNIT))),
                    unit_along = with_underflow(grz_f64x4_multiply(v_size, grz_f64x4_splat(UNIT_ALONG)));
    cut_along_unit(s, s->a[1].x, s->a[2].x, s->b[0].x, s->b[1].x, s->b[2].x, s->v.x, unit, unit_along);
    cut_along_unit(s, s->a[1].y, s->a[2].y, s->b[0].y, s->b[1].y, s->b[2].y, s->v.y, unit, unit_along);
    cut_along_unit(s, s->a[1].z, s->a[2].z, s->b[0].z, s->b[1].z, s->b[2].z, s->v.z, unit, unit_along);
    if (lanes_left(s, until) == 0)
        return 0;
    const grz_f64x4 plane = grz_f64x4_multiply(s->size, grz_f64x4_splat(PLANE)),
                    plane_along = grz_f64x4_multiply(v_size, grz_f64x4_splat(PLANE_ALONG));
    const grz_f64x4 squares[3] = {grz_f64x4_multiply(edge_a, edge_a), grz_f64x4_multiply(edge_b, edge_b),
                                  grz_f64x4_multiply(edge_a, edge_b)};
    grz_f64x4 errors[3], along_errors[3];
    for (int i = 0; i < 3; i++) {
        errors[i] = with_underflow(grz_f64x4_multiply(squares[i], plane));
        along_errors[i] = with_underflow(grz_f64x4_multiply(squares[i], plane_along));
    }
    cut_along(s, splat(a->normal), errors[0], along_errors[0]);
    cut_along(s, load(b->normal), errors[1], along_errors[1]);
    for (int i = 0; i < 3; i++) {
        if (lanes_left(s, until) == 0)
            return 0;
        const vectors edge = splat(a->edges[i]);
        for (int j = 0; j < 3; j++)
            cut_along(s, cross(edge, load(b->edges[j])), errors[2], along_errors[2]);
    }
    return lanes_left(s, until);
}

uint32_t GRZ_OF_WIDTH(grz_meeting_filter)(const grz_meeting_mover *a, const grz_meeting_packet *b, double until,
                                          double enter[GRZ_MEETING_LANES], double leave[GRZ_MEETING_LANES])
{
    search s;
    const uint32_t in_range = lanes_in_range(a, b);
    prepare(&s, a, b);
    const uint32_t left = search_all(&s, a, b, grz_f64x4_splat(until)) | (ALL & ~in_range);
    grz_f64x4_store(enter, s.enter);
    grz_f64x4_store(leave, s.leave);
    for (int i = 0; i < GRZ_MEETING_LANES; i++)
        if ((in_range >> i & 1) == 0) {
            enter[i] = 0.0;
            leave[i] = HUGE_VAL;
        }
    return left;
}
