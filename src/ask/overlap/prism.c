// SPDX-License-Identifier: MIT
// Seen along z, the rectangle that the boxes of two triangles have in common is clipped by the six edges (I.
// Sutherland, G. Hodgman, "Reentrant polygon clipping", 1974), and the positive part of the difference of the two
// planes is integrated over what is left. Edges and planes are first translated to a corner of the rectangle, in
// double-doubles: then rounding errors grow with the rectangle's size, not with the triangles'. The volume depends
// continuously on all that is rounded, so no case needs an exact decision: each rounding adds to the bound what it can
// change at most. docs/use/overlap.md, "The bound", derives the factors of ROUNDING.
#include "ask/overlap/prism.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "geometry/exact/predicates.h"

static const double ROUNDING = DBL_EPSILON / 2.0; // u: the relative error of one operation
static const double MORE = 1.0 + 0x1p-40;         // pays for the rounding of the bounds themselves
static const double TINY = 0x1p-1060;             // pays for products that underflow
static const double LEAST_TURN = 0x1p-400;        // of twice an area, for slopes to be known

enum {
    LINES = 6,
    MOST_CORNERS = 42 // a rectangle, clipped six times: at most 4, 6, 9, 13, 19, 28, 42, however corners are rounded
};

// ---- One triangle -------------------------------------------------------------------------------------------------

static int compare_corners(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static void exchange(double a[3], double b[3], bool *odd)
{
    double kept[3];
    memcpy(kept, a, sizeof kept);
    memcpy(a, b, sizeof kept);
    memcpy(b, kept, sizeof kept);
    *odd = !*odd;
}

// Which corner is given first then changes no bit of the answer. True if the order now turns the other way.
static bool sort_corners(double p[3][3])
{
    bool odd = false;
    if (compare_corners(p[1], p[0]) < 0)
        exchange(p[0], p[1], &odd);
    if (compare_corners(p[2], p[1]) < 0)
        exchange(p[1], p[2], &odd);
    if (compare_corners(p[1], p[0]) < 0)
        exchange(p[0], p[1], &odd);
    return odd;
}

// x · y - z · w
static dd cross_term(dd x, dd y, dd z, dd w)
{
    return dd_add(dd_multiply(x, y), dd_negate(dd_multiply(z, w)));
}

static double normal_error(const grz_prism *t, int k)
{
    return 11.0 * ROUNDING * ROUNDING * t->sizes[k] + TINY;
}

static void set_slopes(grz_prism *t)
{
    dd u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = dd_difference(t->p[1][k], t->p[0][k]);
        v[k] = dd_difference(t->p[2][k], t->p[0][k]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        t->normal[k] = cross_term(u[i], v[j], u[j], v[i]);
        t->sizes[k] = (fabs(u[i].high * v[j].high) + fabs(u[j].high * v[i].high)) * MORE;
    }
    const double turn = fabs(t->normal[2].high), turn_error = 1.1 * ROUNDING * turn + normal_error(t, 2);
    t->area = 0.5 * (turn + turn_error) * MORE;
    t->flat = !(turn > 16.0 * turn_error && turn > LEAST_TURN);
    for (int k = 0; k < 2 && !t->flat; k++) {
        const double along = fabs(t->normal[k].high);
        t->slope[k] = -t->normal[k].high / t->normal[2].high;
        t->error[k] = (1.1 * (1.1 * ROUNDING * along + normal_error(t, k) + fabs(t->slope[k]) * turn_error) / turn +
                       1.1 * ROUNDING * fabs(t->slope[k])) *
                      MORE;
    }
}

void grz_prism_set(grz_prism *t, const grz_prism_frame *frame, const double corners[3][3])
{
    double world[3][3];
    *t = (grz_prism){.slack = 0.0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            world[i][k] = corners[i][frame->axis[k]];
    t->turned = sort_corners(world);
    t->turn = grz_orient2d(world[0], world[1], world[2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            t->p[i][k] = world[i][k] * frame->scale[k];
    for (int k = 0; k < 3; k++) {
        t->min[k] = fmin(fmin(t->p[0][k], t->p[1][k]), t->p[2][k]);
        t->max[k] = fmax(fmax(t->p[0][k], t->p[1][k]), t->p[2][k]);
    }
    for (int i = 0; i < 3; i++)
        memcpy(t->outline[i], t->p[t->turn > 0 ? i : 2 - i], sizeof t->outline[i]);
    set_slopes(t);
}

void grz_prism_flatten(grz_prism *t, double height)
{
    for (int i = 0; i < 3; i++)
        t->p[i][2] = height;
    t->min[2] = t->max[2] = height;
    set_slopes(t);
}

grz_enclosure grz_prism_down_to(const grz_prism *t, double floor)
{
    const double area = 0.5 * fabs(t->normal[2].high),
                 error = 0.5 * (1.1 * ROUNDING * fabs(t->normal[2].high) + normal_error(t, 2)),
                 height = (((t->p[0][2] - floor) + (t->p[1][2] - floor)) + (t->p[2][2] - floor)) / 3.0;
    const double volume = area * height, bound = (error * height + 10.0 * ROUNDING * volume) * MORE;
    return (grz_enclosure){fmax(volume - bound, 0.0), volume + bound};
}

// ---- Two triangles ------------------------------------------------------------------------------------------------

typedef struct corner {
    double x, y;
} corner;

// A line through two corners of a triangle, which is to its left.
typedef struct line {
    double along[2]; // from one to the other
    double origin;   // how far the origin is to its left, times the length of `along`; the same for points
    double error;    // of that, at most, for points in the rectangle and those that clipping makes of them
} line;

// Two triangles. The origin is the corner of the rectangle with the smallest coordinates, in the height of the lowest
// corner of the lower triangle.
typedef struct pair {
    const grz_prism *upper, *lower;
    double origin[3];
    double wide[2];      // the rectangle, at most
    double rise;         // of the upper plane above the lower one, at the origin
    double slope[2];     // of that
    double height_error; // of that in the rectangle, at most
    corner polygon[MOST_CORNERS];
    int count;            // corners of the polygon
    int computed_corners; // corners that clipping computed
    double lost; // how much area may be in the polygon by mistake, or not in it, counted as often as it is wound around
} pair;

// The line through edge i.
static line line_of(const pair *q, const grz_prism *t, int i)
{
    const double *from = t->outline[i], *to = t->outline[(i + 1) % 3];
    line l;
    const dd x = dd_difference(to[0], from[0]), y = dd_difference(to[1], from[1]),
             beside = dd_difference(q->origin[0], from[0]), above = dd_difference(q->origin[1], from[1]);
    l.along[0] = x.high;
    l.along[1] = y.high;
    l.origin = cross_term(x, above, y, beside).high;
    const double far = fabs(x.high * above.high) + fabs(y.high * beside.high),
                 near = fabs(x.high) * q->wide[1] + fabs(y.high) * q->wide[0];
    l.error =
        (8.0 * ROUNDING * near + 5.0 * ROUNDING * fabs(l.origin) + 11.0 * ROUNDING * ROUNDING * far + TINY) * MORE;
    return l;
}

static double left_of(const line *l, const corner *at)
{
    return l->origin + (l->along[0] * at->y - l->along[1] * at->x);
}

// The height of a triangle's plane at the origin. `error` receives how far off it is, at most.
static double rise_of(const pair *q, const grz_prism *t, double *error)
{
    const double turn = fabs(t->normal[2].high);
    double sizes = 0.0;
    dd sum = {0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const dd way = dd_difference(q->origin[k], t->p[0][k]);
        sum = dd_add(sum, dd_multiply(t->normal[k], way));
        sizes += t->sizes[k] * fabs(way.high);
    }
    const double rise = -sum.high / t->normal[2].high;
    *error = 2.5 * ROUNDING * fabs(rise) +
             1.1 * (25.0 * ROUNDING * ROUNDING * sizes + TINY + fabs(rise) * normal_error(t, 2)) / turn;
    return rise;
}

static void set_planes(pair *q)
{
    const grz_prism *u = q->upper, *l = q->lower;
    double errors[2];
    const double upper = rise_of(q, u, &errors[0]), lower = rise_of(q, l, &errors[1]);
    q->rise = upper - lower;
    q->height_error = errors[0] + errors[1] + 4.0 * ROUNDING * (fabs(upper) + fabs(lower)) + TINY;
    for (int k = 0; k < 2; k++) {
        q->slope[k] = u->slope[k] - l->slope[k];
        q->height_error +=
            (u->error[k] + l->error[k] + 40.0 * ROUNDING * (fabs(u->slope[k]) + fabs(l->slope[k]))) * q->wide[k];
    }
    q->height_error *= MORE;
}

// ---- Parts of triangles -------------------------------------------------------------------------------------------

// The outline's area, seen along z; `error` receives how far off it is, at most.
static double outline_area(const grz_prism *t, double *error)
{
    const double x = t->outline[1][0] - t->outline[0][0], y = t->outline[1][1] - t->outline[0][1],
                 v = t->outline[2][0] - t->outline[0][0], w = t->outline[2][1] - t->outline[0][1];
    *error = (4.0 * ROUNDING * (fabs(x * w) + fabs(y * v)) + TINY) * MORE;
    return 0.5 * (x * w - y * v);
}

// The height of a triangle's plane at a place, at least and at most; of a steep one, that of the triangle.
static void range_at(const grz_prism *whole, const double place[2], double range[2])
{
    double error;
    range[0] = whole->min[2];
    range[1] = whole->max[2];
    if (whole->flat)
        return;
    const pair at = {.origin = {place[0], place[1], whole->p[0][2]}};
    const double height = whole->p[0][2] + rise_of(&at, whole, &error);
    error = (error + ROUNDING * fabs(height) + TINY) * MORE;
    range[0] = height - error;
    range[1] = height + error;
}

void grz_prism_part(const grz_prism *whole, const double outline[3][2], double slack, grz_prism *part)
{
    double least = HUGE_VAL, most = -HUGE_VAL, sums[2] = {0.0, 0.0}, error;
    *part = *whole;
    part->slack = slack;
    memcpy(part->outline, outline, sizeof part->outline);
    for (int k = 0; k < 2; k++) {
        part->min[k] = fmin(fmin(outline[0][k], outline[1][k]), outline[2][k]);
        part->max[k] = fmax(fmax(outline[0][k], outline[1][k]), outline[2][k]);
    }
    part->area = fmin(fabs(outline_area(part, &error)) + error, whole->area) * MORE;
    for (int i = 0; i < 3; i++) {
        double range[2];
        range_at(whole, outline[i], range);
        for (int k = 0; k < 2; k++)
            sums[k] += range[k];
        least = fmin(least, range[0]);
        most = fmax(most, range[1]);
    }
    const double rounded = 4.0 * ROUNDING * (fabs(least) + fabs(most)) + TINY;
    part->mean[0] = sums[0] / 3.0 - rounded;
    part->mean[1] = sums[1] / 3.0 + rounded;
    part->min[2] = fmin(fmax(least, whole->min[2]), whole->max[2]);
    part->max[2] = fmax(fmin(most, whole->max[2]), whole->min[2]);
}

// How much of a part's outline, in a rectangle with these sides, may be no part.
static double no_part(const grz_prism *part, const double wide[2])
{
    return fmin(4.0 * part->slack * (wide[0] + wide[1]), wide[0] * wide[1]) * MORE;
}

grz_enclosure grz_prism_part_down_to(const grz_prism *part, double floor)
{
    const double wide[2] = {part->max[0] - part->min[0], part->max[1] - part->min[1]}, outside = no_part(part, wide);
    double error;
    const double area = outline_area(part, &error), low = part->mean[0] - floor, high = part->mean[1] - floor,
                 farthest = 3.0 * fmax(fabs(low), fabs(high)) + 2.0 * (part->max[2] - floor);
    const double least = fmin((area - error) * low, (area + error) * low), most = (area + error) * fmax(high, 0.0),
                 bound = (outside * farthest + 8.0 * ROUNDING * (fabs(least) + most) + TINY) * MORE,
                 cap = part->area * (part->max[2] - floor) * MORE;
    return (grz_enclosure){fmax(fmin(least - bound, cap), 0.0), fmax(fmin(most + bound, cap), 0.0)};
}

// ---- Two planes ---------------------------------------------------------------------------------------------------

// The upper plane above the lower one.
static double height_at(const pair *q, const corner *at)
{
    return q->rise + (q->slope[0] * at->x + q->slope[1] * at->y);
}

// The same in the rectangle, at most.
static double highest(const pair *q)
{
    const double x = fmax(q->slope[0] * q->wide[0], 0.0), y = fmax(q->slope[1] * q->wide[1], 0.0);
    return q->rise + (x + y) + 2.0 * q->height_error;
}

// True if an edge of one triangle has the other on its outer side, for certain.
static bool is_beyond(const grz_prism *t, const grz_prism *other)
{
    for (int i = 0; i < 3; i++) {
        const double *from = t->outline[i], *to = t->outline[i < 2 ? i + 1 : 0], x = to[0] - from[0],
                     y = to[1] - from[1];
        int outside = 0;
        for (int j = 0; j < 3 && outside == j; j++) {
            const double one = x * (other->outline[j][1] - from[1]), two = y * (other->outline[j][0] - from[0]),
                         error = (4.5 * ROUNDING * (fabs(one) + fabs(two)) + TINY) * MORE;
            outside += one - two < -error;
        }
        if (outside == 3)
            return true;
    }
    return false;
}

// ---- Clipping -----------------------------------------------------------------------------------------------------

// The point between `in` and `out`, which are `inner` to the left of a line and `outer` to its right, on the line.
static corner on_line(const corner *in, const corner *out, double inner, double outer)
{
    const double t = inner / (inner + outer);
    return (corner){in->x + t * (out->x - in->x), in->y + t * (out->y - in->y)};
}

// Keep what is to the left of a line.
static void clip(pair *q, const line *l)
{
    corner before[MOST_CORNERS];
    double left[MOST_CORNERS];
    const int count = q->count;
    int inside = 0, outside = 0, kept = 0;
    for (int j = 0; j < count; j++) {
        before[j] = q->polygon[j];
        left[j] = left_of(l, &before[j]);
        inside += left[j] > l->error;
        outside += left[j] < -l->error;
    }
    if (inside == count)
        return;
    for (int j = 0; j < count; j++) {
        const int next = j + 1 < count ? j + 1 : 0;
        const bool in = left[j] >= 0.0, next_in = left[next] >= 0.0;
        if (in)
            q->polygon[kept++] = before[j];
        if (in == next_in)
            continue;
        q->polygon[kept++] = in ? on_line(&before[j], &before[next], left[j], -left[next])
                                : on_line(&before[next], &before[j], left[next], -left[j]);
        q->computed_corners++;
    }
    q->count = kept;
    if (outside < count) { // points farther than the error from the line are on their side
        const double across = fmax(fabs(l->along[0]) * q->wide[1], fabs(l->along[1]) * q->wide[0]);
        const double box = q->wide[0] * q->wide[1],
                     strip = across > 0.0 ? fmin(2.0 * l->error * (box / across), box) : box;
        q->lost += strip * 0.5 * (double)(count + kept);
    }
}

static void intersect(pair *q)
{
    q->count = 4;
    q->polygon[0] = (corner){0.0, 0.0};
    q->polygon[1] = (corner){q->wide[0], 0.0};
    q->polygon[2] = (corner){q->wide[0], q->wide[1]};
    q->polygon[3] = (corner){0.0, q->wide[1]};
    for (int i = 0; i < LINES && q->count > 0; i++) {
        const line l = line_of(q, i < 3 ? q->upper : q->lower, i % 3);
        clip(q, &l);
    }
    q->lost += (double)(7 * q->computed_corners) * ROUNDING * (q->wide[0] * q->wide[1]);
}

// ---- The integral -------------------------------------------------------------------------------------------------

// The mean of the positive part of a linear function over a triangle, from its values at the corners.
static double mean_above(double a, double b, double c)
{
    const int count = (a > 0.0) + (b > 0.0) + (c > 0.0);
    if (count == 0)
        return 0.0;
    if (count == 3)
        return (a + b + c) / 3.0;
    const bool alone = count == 1; // the other case: the values of the two others are positive
    const double one = (a > 0.0) == alone ? a : (b > 0.0) == alone ? b : c;
    const double p = (a > 0.0) == alone ? b : a, q = (a > 0.0) == alone || (b > 0.0) == alone ? c : b;
    const double part = one / 3.0 * (one / (one - p)) * (one / (one - q));
    return alone ? part : (a + b + c) / 3.0 - part;
}

// Integrate over the polygon, a fan of triangles around its first corner. `most`: how high the upper plane is over the
// lower one at most, in the box; `cap`: of the volume, at most.
static grz_enclosure integrate(const pair *q, double most, double difference, double cap)
{
    double heights[MOST_CORNERS], highest_at = 0.0, volume = 0.0, area = 0.0;
    const corner *p = q->polygon;
    for (int i = 0; i < q->count; i++) {
        heights[i] = height_at(q, &p[i]);
        highest_at = fmax(highest_at, fabs(heights[i]));
    }
    double beyond = 0.0; // by how much the planes differ more than the triangles
    for (int i = 0; i < q->count; i++)
        beyond = fmax(beyond, heights[i] - difference);
    for (int i = 1; i + 1 < q->count; i++) {
        const double part =
            0.5 * ((p[i].x - p[0].x) * (p[i + 1].y - p[0].y) - (p[i].y - p[0].y) * (p[i + 1].x - p[0].x));
        volume += part * mean_above(heights[0], heights[i], heights[i + 1]);
        area += fabs(part);
    }
    const double rounded = 25.0 * area + 5.0 * (double)q->count * (q->wide[0] * q->wide[1]);
    const double bound =
        (most * q->lost + (beyond + 2.0 * q->height_error) * area + ROUNDING * highest_at * rounded + TINY) * MORE;
    if (!(bound < cap)) // or it is no number
        return (grz_enclosure){0.0, cap};
    return (grz_enclosure){fmax(fmin(volume - bound, cap), 0.0), fmax(fmin(volume + bound, cap), 0.0)};
}

bool grz_prism_pair(const grz_prism *upper, const grz_prism *lower, grz_enclosure *volume)
{
    pair q = {.upper = upper, .lower = lower};
    for (int k = 0; k < 2; k++) {
        q.origin[k] = fmax(upper->min[k], lower->min[k]);
        q.wide[k] = (fmin(upper->max[k], lower->max[k]) - q.origin[k]) * MORE;
        if (!(q.wide[k] > 0.0))
            return false;
    }
    q.origin[2] = lower->min[2];
    const double difference = (upper->max[2] - lower->min[2]) * MORE;
    if (!(difference > 0.0) || is_beyond(upper, lower) || is_beyond(lower, upper))
        return false;
    double area = q.wide[0] * q.wide[1];
    if (upper->flat || lower->flat) {
        area = upper->flat ? fmin(area, upper->area) : area;
        area = lower->flat ? fmin(area, lower->area) : area;
        *volume = (grz_enclosure){0.0, area * difference * MORE};
        return true;
    }
    set_planes(&q);
    const double most = fmin(difference, highest(&q));
    if (most <= 0.0)
        return false;
    intersect(&q);
    q.lost += no_part(upper, q.wide) + no_part(lower, q.wide);
    *volume = integrate(&q, most, difference, area * most * MORE);
    return true;
}
