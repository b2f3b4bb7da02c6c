// SPDX-License-Identifier: MIT
// Determinants in doubles, with bounds for what is rounded in the positions and in the determinants.
#include "ask/move/translation/cross.h"

#include <math.h>

static const double POSITION = 0x1p-50;    // relative error of a moved coordinate, and of a difference of two
static const double DETERMINANT = 0x1p-46; // of a 3 x 3 determinant, relative to the product of its largest entries

typedef struct triangles {
    double corners[2][3][3]; // relative to one of them
    double bound;            // of the error of a determinant of their differences
} triangles;

// The determinant of q - p, r - p, s - p.
static double determinant(const double p[3], const double q[3], const double r[3], const double s[3])
{
    double d[3][3];
    for (int k = 0; k < 3; k++) {
        d[0][k] = q[k] - p[k];
        d[1][k] = r[k] - p[k];
        d[2][k] = s[k] - p[k];
    }
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) + d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

// True if a triangle certainly has area. An edge of one without may pass through another triangle, which says nothing
// about the surface that it belongs to.
static bool has_area(const triangles *t, int side)
{
    const double(*c)[3] = t->corners[side];
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        v[k] = c[2][k] - c[0][k];
    }
    double most = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]));
    return most > t->bound; // of a determinant, whose further factor is at least 1
}

// True if the line from p to q certainly passes through the inside of triangle `side`, between them.
static bool pierces(const triangles *t, const double p[3], const double q[3], int side)
{
    const double(*c)[3] = t->corners[side];
    const double above = determinant(c[0], c[1], c[2], p), below = determinant(c[0], c[1], c[2], q);
    if (!((above > t->bound && below < -t->bound) || (above < -t->bound && below > t->bound)))
        return false;
    int signs = 0;
    for (int i = 0; i < 3; i++) {
        const double turn = determinant(p, q, c[i], c[(i + 1) % 3]);
        signs += turn > t->bound ? 1 : turn < -t->bound ? -1 : 0;
    }
    return signs == 3 || signs == -3;
}

bool grz_cross_certainly(const double a[3][3], const double b[3][3], const double v[3], double t)
{
    triangles both;
    double size = 0.0, most = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double moved = a[i][k] + t * v[k];
            both.corners[0][i][k] = moved - b[0][k];
            both.corners[1][i][k] = b[i][k] - b[0][k];
            most = fmax(most, fmax(fabs(a[i][k]) + fabs(t * v[k]), fabs(b[i][k])));
            size = fmax(size, fmax(fabs(both.corners[0][i][k]), fabs(both.corners[1][i][k])));
        }
    if (!(size > 0.0 && size < HUGE_VAL && most < HUGE_VAL))
        return false;
    // To a size of about 1, so that products neither overflow nor underflow.
    int exponent;
    frexp(size, &exponent);
    for (int i = 0; i < 18; i++) {
        double *x = &both.corners[i / 9][i / 3 % 3][i % 3];
        *x = ldexp(*x, -exponent);
    }
    size = 2.0 * ldexp(size, -exponent); // of a difference
    most = ldexp(most, -exponent);
    // 6 products of 3 differences of two places, each off by POSITION of `most`: 36 of it; 64 are taken. 2^-500:
    // underflow, at a size of about 1.
    both.bound = size * size * (DETERMINANT * size + 64.0 * POSITION * most) + 0x1p-500;
    if (!has_area(&both, 0) || !has_area(&both, 1))
        return false;
    for (int i = 0; i < 3; i++)
        if (pierces(&both, both.corners[0][i], both.corners[0][(i + 1) % 3], 1) ||
            pierces(&both, both.corners[1][i], both.corners[1][(i + 1) % 3], 0))
            return true;
    return false;
}
