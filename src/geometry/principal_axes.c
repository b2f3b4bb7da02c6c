// SPDX-License-Identifier: MIT
// Jacobi rotations: each turns two axes so that one entry beside the diagonal vanishes. Source: C. Jacobi (1846).
#include "geometry/principal_axes.h"

#include <math.h>
#include <string.h>

enum {
    SWEEPS = 16 // convergence is quadratic: a 3 x 3 matrix is diagonal after five or six
};

// What an entry beside the diagonal may be, relative to the diagonal.
static const double NEGLIGIBLE = 0x1p-64;

// Turn the matrix so that entry (p, q) vanishes, if it is not negligible; the rows of `axes` turn along.
static void rotate(double a[3][3], double axes[3][3], int p, int q)
{
    if (fabs(a[p][q]) <= NEGLIGIBLE * fmax(fabs(a[p][p]), fabs(a[q][q])))
        return;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int i = 0; i < 3; i++) { // columns, then rows
        const double x = a[i][p], y = a[i][q];
        a[i][p] = c * x - s * y;
        a[i][q] = s * x + c * y;
    }
    for (int i = 0; i < 3; i++) {
        const double x = a[p][i], y = a[q][i], u = axes[p][i], v = axes[q][i];
        a[p][i] = c * x - s * y;
        a[q][i] = s * x + c * y;
        axes[p][i] = c * u - s * v;
        axes[q][i] = s * u + c * v;
    }
}

void grz_principal_axes(double matrix[3][3], double axes[3][3])
{
    static const double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    memcpy(axes, unit, sizeof unit);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++)
                rotate(matrix, axes, p, q);
}
