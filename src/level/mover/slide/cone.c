// SPDX-License-Identifier: MIT
// Projection onto a cone of planes. In three dimensions the nearest point lies on at most two of the planes, or it is
// the apex. All candidates are projections onto a linear subspace, so of those inside the cone the longest is nearest
// to the displacement.
#include "level/mover/slide/cone.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "geometry/vector.h"

// Of the displacement's length: what counts as no component against a plane. Chosen: far above what rounding leaves of
// a component (some 2^-50), far below what would be seen.
static const double TOLERANCE = 0x1p-40;

// True if all planes leave v free. `last`: a plane that did not leave the last one free is asked first.
static bool is_free(const double *normals, size_t count, const double v[3], double tolerance, size_t *last)
{
    if (grz_dot(normals + 3 * *last, v) < -tolerance)
        return false;
    for (size_t i = 0; i < count; i++)
        if (grz_dot(normals + 3 * i, v) < -tolerance) {
            *last = i;
            return false;
        }
    return true;
}

static void along_plane(const double n[3], const double displacement[3], double out[3])
{
    const double against = grz_dot(n, displacement);
    for (int k = 0; k < 3; k++)
        out[k] = displacement[k] - against * n[k];
    const double rest = grz_dot(n, out); // what the roundings left
    for (int k = 0; k < 3; k++)
        out[k] -= rest * n[k];
}

static bool along_crease(const double a[3], const double b[3], const double displacement[3], double out[3])
{
    double line[3];
    grz_cross(a, b, line);
    if (!(grz_dot(line, line) > TOLERANCE * TOLERANCE) || !grz_make_unit(line))
        return false; // one plane
    const double along = grz_dot(line, displacement);
    for (int k = 0; k < 3; k++)
        out[k] = along * line[k];
    return true;
}

// Keep a candidate that is free and longer than the one before.
static bool offer(const double *normals, size_t count, const double v[3], double tolerance, size_t *last, double *best,
                  double out[3])
{
    const double square = grz_dot(v, v);
    if (!(square > *best) || !is_free(normals, count, v, tolerance, last))
        return false;
    *best = square;
    memcpy(out, v, 3 * sizeof *out);
    return true;
}

grz_cone_part grz_cone_project(const double *normals, size_t count, const double displacement[3], double out[3])
{
    const double square = grz_dot(displacement, displacement), tolerance = TOLERANCE * sqrt(square);
    size_t last = 0;
    memcpy(out, displacement, 3 * sizeof *out);
    if (count == 0 || is_free(normals, count, displacement, tolerance, &last))
        return GRZ_CONE_FREE;
    grz_cone_part part = GRZ_CONE_CORNER;
    double best = tolerance * tolerance, v[3];
    memset(out, 0, 3 * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        if (!(grz_dot(normals + 3 * i, displacement) < 0.0))
            continue;
        along_plane(normals + 3 * i, displacement, v);
        if (offer(normals, count, v, tolerance, &last, &best, out))
            part = GRZ_CONE_SLIDE;
    }
    if (part == GRZ_CONE_SLIDE)
        return part;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (along_crease(normals + 3 * i, normals + 3 * j, displacement, v) &&
                offer(normals, count, v, tolerance, &last, &best, out))
                part = GRZ_CONE_CREASE;
    return part;
}
