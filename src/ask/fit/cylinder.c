// SPDX-License-Identifier: MIT
// A small cylinder: for each of some directions, the smallest circle around the points as seen along it, and caps at
// the outermost points. The one of least volume is taken. Then it is grown until it certainly holds all points.
#include <string.h>

#include "ask/fit/fit_parts.h"
#include "base/control.h"
#include "base/rounding.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    MOST_WORK = 2000000 // points that are looked at, all directions from edges and faces together
};

typedef struct search {
    const grz_fit_points *points;
    double (*flat)[3]; // room for all points
    double axis[3], centre[3], cost;
    double work;
} search;

static void farthest_from(const grz_fit_points *points, const double (*at)[3], uint32_t from, uint32_t *best,
                          double *square)
{
    *square = -1.0;
    *best = from;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++) {
        double w[3];
        for (int k = 0; k < 3; k++)
            w[k] = at[i][k] - at[from][k];
        const double here = grz_dot(w, w);
        if (here > *square) {
            *square = here;
            *best = i;
        }
    }
}

// What is compared: the volume; where that is about 0, the surface.
static double cost_of(double square, double height)
{
    return GRZ_PI * square * height + 1e-13 * (square + sqrt(square) * height);
}

// Try a direction of any length but 0.
static void try_direction(search *s, const double direction[3])
{
    const grz_fit_points *points = s->points;
    double axis[3], low = HUGE_VAL, high = -HUGE_VAL, square;
    uint32_t far, other;
    grz_fit_ball ball;
    memcpy(axis, direction, sizeof axis);
    if (!grz_make_unit(axis))
        return;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++) {
        const double t = grz_dot(points->at[i], axis);
        low = fmin(low, t);
        high = fmax(high, t);
        for (int k = 0; k < 3; k++)
            s->flat[i][k] = points->at[i][k] - t * axis[k];
    }
    s->work += 3.0 * points->count;
    const double(*flat)[3] = (const double(*)[3])s->flat;
    farthest_from(points, flat, 0, &far, &square);
    farthest_from(points, flat, far, &other, &square);
    if (cost_of(0.25 * square, high - low) >= s->cost) // no circle is smaller than half of that distance
        return;
    s->work += 8.0 * points->count;
    grz_fit_find_ball(flat, points->count, points->control, &ball);
    const double cost = cost_of(ball.square, high - low);
    if (!(cost < s->cost))
        return;
    s->cost = cost;
    memcpy(s->axis, axis, sizeof axis);
    for (int k = 0; k < 3; k++)
        s->centre[k] = ball.centre[k] + 0.5 * (low + high) * axis[k];
}

static void side_of(const search *s, uint32_t from, uint32_t to, double side[3])
{
    for (int k = 0; k < 3; k++)
        side[k] = s->points->at[to][k] - s->points->at[from][k];
}

// The normals of the hull's faces and their sides.
static void try_faces(search *s)
{
    const grz_hull_shape *shape = s->points->shape;
    for (uint32_t f = 0; f < shape->face_count && s->work <= MOST_WORK && !grz_fit_ended(s->points->control, f); f++) {
        const uint32_t from = shape->face_offsets[f], end = shape->face_offsets[f + 1];
        double first[3], side[3], normal[3];
        side_of(s, shape->corners[from], shape->corners[from + 1], first);
        side_of(s, shape->corners[from + 1], shape->corners[from + 2], side);
        grz_cross(first, side, normal);
        try_direction(s, normal);
        for (uint32_t i = from; i < end && s->work <= MOST_WORK && !grz_control_expired(s->points->control); i++) {
            const uint32_t a = shape->corners[i], b = shape->corners[i + 1 < end ? i + 1 : from];
            side_of(s, a, b, side);
            if (a < b || shape->dimension < 3) // each edge once
                try_direction(s, side);
        }
    }
}

static void try_all(search *s)
{
    static const double units[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const grz_fit_points *points = s->points;
    double principal[3][3], longest[3], square;
    uint32_t far, other;
    grz_fit_principal(points, principal);
    for (int i = 0; i < 3; i++)
        try_direction(s, units[i]);
    for (int i = 0; i < 3; i++)
        try_direction(s, principal[i]);
    farthest_from(points, (const double(*)[3])points->at, 0, &far, &square);
    farthest_from(points, (const double(*)[3])points->at, far, &other, &square);
    for (int k = 0; k < 3; k++)
        longest[k] = points->at[other][k] - points->at[far][k];
    try_direction(s, longest);
    s->work = 0.0;
    try_faces(s);
}

// Three axes, right-handed, the last along the cylinder. Along a coordinate the others are coordinates, too.
static void set_axes(const double axis[3], double axes[3][3])
{
    int least = 0;
    for (int k = 0; k < 3; k++) {
        least = fabs(axis[k]) < fabs(axis[least]) ? k : least;
        axes[2][k] = axis[k];
    }
    const double unit[3] = {least == 0, least == 1, least == 2};
    grz_cross(unit, axis, axes[0]);
    (void)grz_make_unit(axes[0]);
    grz_cross(axis, axes[0], axes[1]);
    (void)grz_make_unit(axes[1]);
}

// Set the radius and the height so that all points are certainly inside.
static void grow(const grz_fit_points *points, grz_box_fit *c)
{
    const int along = grz_fit_lone_axis((const double(*)[3])c->axes, 2);
    double square = 0.0, height = 0.0, size = 0.0;
    if (along >= 0) { // what is across is that of the way itself
        const double x = grz_fit_farthest_along(points, c->centre, (along + 1) % 3),
                     y = grz_fit_farthest_along(points, c->centre, (along + 2) % 3);
        c->half[2] = grz_fit_farthest_along(points, c->centre, along);
        if (x == 0.0 && y == 0.0)
            return;
    }
    for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
        double way[3];
        grz_fit_way(points, p, c->centre, way);
        const double x = grz_dot(way, c->axes[0]), y = grz_dot(way, c->axes[1]);
        square = fmax(square, x * x + y * y);
        height = fmax(height, fabs(grz_dot(way, c->axes[2])));
        size = fmax(size, grz_largest(way));
    }
    // Both coordinates across are off by `error` at most, the length of the two by less than twice that.
    const double error = grz_fit_axes_error((const double(*)[3])c->axes) * size + GRZ_UNDERFLOWS;
    c->half[0] = c->half[1] = grz_fit_length_up(points, sqrt(square) * GRZ_FIT_MORE + 2.0 * error);
    if (along < 0)
        c->half[2] = grz_fit_length_up(points, height + error);
}

bool grz_fit_cylinder_around(const grz_fit_points *points, grz_box_fit *cylinder)
{
    const grz_allocator *allocator = grz_control_allocator(points->control);
    search s = {.points = points, .axis = {0.0, 0.0, 1.0}, .cost = HUGE_VAL};
    *cylinder = (grz_box_fit){.ratio = HUGE_VAL};
    if (points->extent > 0.0) {
        s.flat = grz_allocate(allocator, points->count, sizeof *s.flat);
        if (s.flat == NULL)
            return false;
        try_all(&s);
        grz_release(allocator, s.flat, points->count, sizeof *s.flat);
    }
    set_axes(s.axis, cylinder->axes);
    grz_fit_place(points, s.centre, cylinder->centre);
    grow(points, cylinder);
    if (points->volume > 0.0) {
        const double radius = ldexp(cylinder->half[0], points->shift), half = ldexp(cylinder->half[2], points->shift);
        cylinder->ratio = 2.0 * GRZ_PI * radius * radius * half / points->volume;
    }
    return true;
}
