// SPDX-License-Identifier: MIT
// What the fits share: the hull's vertices near the origin, of size 1.
#ifndef GRZ_ASK_FIT_FIT_PARTS_H
#define GRZ_ASK_FIT_FIT_PARTS_H

#include <math.h>

#include <graze/fit.h>

#include "base/control.h"
#include "geometry/hull/hull_build.h"

// p ≈ origin + at · 2^-shift. The largest extent of the box of `at` is between 1 and 2, or 0.
typedef struct grz_fit_points {
    double (*at)[3];
    uint32_t count;
    double origin[3];
    int shift;
    double extent; // 0: all points are equal
    double volume; // of the hull of `at`
    const grz_hull_shape *shape;
    grz_control *control; // of the call. Once it says to end, what is found means nothing
} grz_fit_points;

// u = 2^-53, and a factor that is above what a few roundings may take away.
static const double GRZ_FIT_U = 0x1p-53, GRZ_FIT_MORE = 1.0 + 0x1p-49;

// False if there is no memory.
bool grz_fit_points_init(const grz_hull_shape *shape, grz_control *control, grz_fit_points *points);
void grz_fit_points_finish(grz_fit_points *points);

// True if the call must end; looks once in 32,768 steps of a loop over vertices, which is some 0.3 ms.
static inline bool grz_fit_ended(grz_control *control, size_t step)
{
    return grz_control_expired_at(control, step, 15);
}

// A position back in the caller's coordinates, rounded.
void grz_fit_place(const grz_fit_points *points, const double at[3], double out[3]);

// The difference of a vertex and a point of the caller's coordinates, times 2^shift. Each coordinate is off by u of
// itself, and by 2^-1074.
static inline void grz_fit_way(const grz_fit_points *points, uint32_t vertex, const double from[3], double out[3])
{
    const double *p = points->shape->positions + 3 * (size_t)vertex;
    for (int k = 0; k < 3; k++)
        out[k] = ldexp(p[k] - from[k], points->shift);
}

// A length back in the caller's units, rounded up or down.
double grz_fit_length_up(const grz_fit_points *points, double length);
double grz_fit_length_down(const grz_fit_points *points, double length);

// The volume of a solid, of triangles, each counter-clockwise from outside.
double grz_fit_volume(const double (*at)[3], const uint32_t *triangles, uint32_t count, grz_control *control);

// The smallest ball around points, up to rounding. `support`: up to four of the points, on its surface, with weights of
// sum 1 whose mean is about the centre.
typedef struct grz_fit_ball {
    double centre[3], square;
    uint32_t support[4];
    double weight[4];
    int count;
} grz_fit_ball;

void grz_fit_find_ball(const double (*at)[3], uint32_t count, grz_control *control, grz_fit_ball *ball);

// The rows of `axes` become the principal axes of the points.
void grz_fit_principal(const grz_fit_points *points, double axes[3][3]);

// What a coordinate along axes, the product of a rounded way with one of them, may be off by, relative to the largest
// coordinate of the way. With AᵀA = 1 + E, A's columns being the axes, the true y of a point is (1 + E)⁻¹·z, where z is
// Aᵀ(p - centre): off by 2|E|·|z|. z itself is off by 8u of the largest way.
double grz_fit_axes_error(const double axes[3][3]);

// The coordinate along which axis i lies, if the other two have nothing of it: then the true coordinate is that of the
// way itself. Else -1.
int grz_fit_lone_axis(const double axes[3][3], int i);

// The largest magnitude of p[k] - centre[k] over the vertices, in the caller's units, rounded up; 0 only if all are 0.
double grz_fit_farthest_along(const grz_fit_points *points, const double centre[3], int k);

// What the searches find; fit.c makes shapes of them.
typedef struct grz_sphere_fit {
    double centre[3];
    double radius, least; // rounded up; no ball around the points has a smaller radius than `least`
    double ratio;
    grz_certainty certainty;
} grz_sphere_fit;

typedef struct grz_capsule_fit {
    double ends[2][3];
    double radius, ratio;
} grz_capsule_fit;

// A box, a cylinder or an ellipsoid: `half` is as in grz_shape.
typedef struct grz_box_fit {
    double centre[3];
    double axes[3][3]; // rows, perpendicular and of length 1 up to rounding
    double half[3];
    double ratio;
} grz_box_fit;

void grz_fit_sphere_around(const grz_fit_points *points, grz_sphere_fit *sphere);
// False if there is no memory.
bool grz_fit_capsule_around(const grz_fit_points *points, grz_capsule_fit *capsule);
void grz_fit_box_around(const grz_fit_points *points, bool oriented, grz_box_fit *box);
bool grz_fit_cylinder_around(const grz_fit_points *points, grz_box_fit *cylinder);
void grz_fit_ellipsoid_around(const grz_fit_points *points, grz_box_fit *ellipsoid);
grz_status grz_fit_dop_around(const grz_fit_points *points, uint32_t k, grz_fitted_dop *dop);

#endif
