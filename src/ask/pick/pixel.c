// SPDX-License-Identifier: MIT
// The ray through a point of a picture: the points at depths 0 and 1 that the camera's matrix takes there.
#include <math.h>

#include <graze/pick.h>

#include "base/fail.h"
#include "base/fp_guard.h"

// A point x of the world is seen at this column and row, and at a depth, if three equations hold:
//     (row i of the matrix - what · row 3) · (x, 1) = 0, for i = 0, 1, 2 and what = column, row, depth.
static void equations(const double m[4][4], const double seen[3], double a[3][4])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = m[i][j] - seen[i] * m[3][j];
}

static void swap_rows(double p[4], double q[4])
{
    for (int j = 0; j < 4; j++) {
        const double x = p[j];
        p[j] = q[j];
        q[j] = x;
    }
}

// Solve by elimination; the largest element of a column, seen against its row, comes first. False: there is no
// solution, or not only one.
static bool solve(double a[3][4], double x[3])
{
    double sizes[3];
    for (int i = 0; i < 3; i++)
        sizes[i] = fmax(fmax(fabs(a[i][0]), fabs(a[i][1])), fabs(a[i][2]));
    for (int k = 0; k < 3; k++) {
        int best = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(a[i][k]) * sizes[best] > fabs(a[best][k]) * sizes[i])
                best = i;
        if (!(fabs(a[best][k]) > 0x1p-40 * sizes[best])) // chosen: what rounding may have left of 0
            return false;
        swap_rows(a[k], a[best]);
        const double size = sizes[k];
        sizes[k] = sizes[best];
        sizes[best] = size;
        for (int i = k + 1; i < 3; i++) {
            const double share = a[i][k] / a[k][k];
            for (int j = k; j < 4; j++)
                a[i][j] -= share * a[k][j];
        }
    }
    for (int i = 2; i >= 0; i--) {
        double sum = -a[i][3];
        for (int j = i + 1; j < 3; j++)
            sum -= a[i][j] * x[j];
        x[i] = sum / a[i][i];
    }
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static bool find_ray(const double m[4][4], double column, double row, grz_ray *ray)
{
    double ends[2][3], a[3][4];
    for (int end = 0; end < 2; end++) {
        const double seen[3] = {column, row, end};
        equations(m, seen, a);
        if (!solve(a, ends[end]))
            return false;
    }
    *ray = grz_ray_between(ends[0], ends[1]);
    return ends[0][0] != ends[1][0] || ends[0][1] != ends[1][1] || ends[0][2] != ends[1][2];
}

grz_status grz_ray_through_pixel(const double to_pixels[4][4], double column, double row, grz_ray *ray,
                                 grz_error *error)
{
    if (to_pixels == NULL || ray == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the matrix or the ray is NULL");
    for (int i = 0; i < 16; i++)
        if (!isfinite(to_pixels[i / 4][i % 4]))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "pick: the matrix has numbers that are not finite");
    if (!isfinite(column) || !isfinite(row))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "pick: the %s is not finite",
                        isfinite(column) ? "row" : "column");
    const grz_fp_state fp = grz_fp_enter();
    grz_ray found;
    const bool is_there = find_ray(to_pixels, column, row, &found);
    grz_fp_leave(fp);
    if (!is_there)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "pick: the matrix has no inverse at column %g, row %g", column, row);
    *ray = found;
    return GRZ_OK;
}
