// SPDX-License-Identifier: MIT
// The shortest vector out of half-spaces. In three dimensions it ends on one, two or three of the planes: all of them
// are tried, in this order. A vector that ends on one plane and is out of all is no longer than one that ends on more.
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "level/mover/slide/cone.h"

// Of unit normals: below this determinant planes count as parallel, or as meeting in no point. Chosen: quotients then
// keep half of their digits or more.
static const double SINGULAR = 0x1p-30;

static bool is_out(const double *normals, const double *depths, size_t count, const double v[3], double tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (grz_dot(normals + 3 * i, v) < depths[i] - tolerance)
            return false;
    return true;
}

// The shortest vector with a·v = da and b·v = db.
static bool on_two(const double a[3], const double b[3], double da, double db, double out[3])
{
    const double c = grz_dot(a, b), determinant = 1.0 - c * c;
    if (!(determinant > SINGULAR))
        return false;
    const double x = (da - c * db) / determinant, y = (db - c * da) / determinant;
    for (int k = 0; k < 3; k++)
        out[k] = x * a[k] + y * b[k];
    return true;
}

static bool on_three(const double a[3], const double b[3], const double c[3], const double depth[3], double out[3])
{
    double bc[3], ca[3], ab[3];
    grz_cross(b, c, bc);
    grz_cross(c, a, ca);
    grz_cross(a, b, ab);
    const double determinant = grz_dot(a, bc);
    if (!(fabs(determinant) > SINGULAR))
        return false;
    for (int k = 0; k < 3; k++)
        out[k] = (depth[0] * bc[k] + depth[1] * ca[k] + depth[2] * ab[k]) / determinant;
    return true;
}

bool grz_cone_lift(const double *normals, const double *depths, size_t count, double most, double out[3])
{
    double best = most * most, v[3], deepest = 0.0;
    bool any = false;
    for (size_t i = 0; i < count; i++)
        deepest = fmax(deepest, depths[i]);
    const double tolerance = deepest * 0x1p-20; // quotients by SINGULAR keep 23 digits at least
#define OFFER                                                                                                          \
    if (grz_dot(v, v) < best && is_out(normals, depths, count, v, tolerance)) {                                        \
        best = grz_dot(v, v);                                                                                          \
        memcpy(out, v, sizeof v);                                                                                      \
        any = true;                                                                                                    \
    }
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            v[k] = depths[i] * normals[3 * i + (size_t)k];
        OFFER
    }
    for (size_t i = 0; i < count && !any; i++)
        for (size_t j = i + 1; j < count; j++)
            if (on_two(normals + 3 * i, normals + 3 * j, depths[i], depths[j], v)) {
                OFFER
            }
    for (size_t i = 0; i < count && !any; i++)
        for (size_t j = i + 1; j < count; j++)
            for (size_t k = j + 1; k < count; k++)
                if (on_three(normals + 3 * i, normals + 3 * j, normals + 3 * k,
                             (const double[3]){depths[i], depths[j], depths[k]}, v)) {
                    OFFER
                }
#undef OFFER
    return any;
}
