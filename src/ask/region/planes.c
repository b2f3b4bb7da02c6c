// SPDX-License-Identifier: MIT
// The region of a rectangle of pixels. With h = to_pixels · (x, 1), a point is in it if left · h[3] <= h[0] <=
// right · h[3], likewise for rows, and 0 <= h[2] <= h[3]. Then h[3] is not negative.
#include <graze/region.h>

#include <math.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/exact/expansion.h"

static const double MOST = 0x1p100; // of the caller's numbers, as <graze/region.h> says

// a + sign · at · b, rounded once from a double-double.
static double combine(double a, double sign, double at, double b)
{
    dd product;
    two_product(at, sign * b, &product.high, &product.low);
    return dd_add_double(product, a).high;
}

static void set_plane(const double a[4], double sign, double at, const double b[4], double plane[4])
{
    for (int j = 0; j < 4; j++)
        plane[j] = combine(sign * a[j], -sign, at, b[j]) + 0.0; // no -0
}

static void set_region(const double m[4][4], const double sides[4], grz_region *region)
{
    for (int i = 0; i < 4; i++)
        set_plane(m[i / 2], i % 2 == 0 ? 1.0 : -1.0, sides[i], m[3], region->planes[i]);
    set_plane(m[2], 1.0, 0.0, m[3], region->planes[4]);
    set_plane(m[2], -1.0, 1.0, m[3], region->planes[5]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            region->depth[i][j] = m[2 + i][j];
}

static const char *const SIDES[6] = {"left", "right", "top", "bottom", "near", "far"};

grz_status grz_region_of_pixels(const double to_pixels[4][4], double left, double top, double right, double bottom,
                                grz_region *region, grz_error *error)
{
    const double sides[4] = {left, right, top, bottom};
    if (to_pixels == NULL || region == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "region: the %s is NULL",
                        to_pixels == NULL ? "matrix" : "region");
    for (int i = 0; i < 16; i++)
        if (!(fabs(to_pixels[i / 4][i % 4]) <= MOST))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "region: the matrix has numbers that are not finite, or above 2^100");
    for (int i = 0; i < 4; i++)
        if (!(fabs(sides[i]) <= MOST))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "region: a side of the rectangle is not finite, or above 2^100");
    if (!(left < right && top < bottom))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "region: columns %g to %g, rows %g to %g: no such rectangle", left, right, top, bottom);
    const grz_fp_state fp = grz_fp_enter();
    grz_region found = {.planes = {{0.0}}};
    set_region(to_pixels, sides, &found);
    grz_fp_leave(fp);
    for (int i = 0; i < 6; i++)
        if (found.planes[i][0] == 0.0 && found.planes[i][1] == 0.0 && found.planes[i][2] == 0.0)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "region: the matrix has no inverse: the %s side would be no plane", SIDES[i]);
    *region = found;
    return GRZ_OK;
}
