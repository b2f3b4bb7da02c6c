// SPDX-License-Identifier: MIT
// Matrices that place meshes. Every operation rounds once, in the order written here, which docs/use/files.md states.
#include "scene/scene_matrix.h"

#include <math.h>

const scene_matrix grz_io_matrix_identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, false};

bool grz_io_matrix_is_identity(const scene_matrix *m)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            if (!(m->m[i][k] >= grz_io_matrix_identity.m[i][k] && m->m[i][k] <= grz_io_matrix_identity.m[i][k]))
                return false;
    return true;
}

scene_matrix grz_io_matrix_multiply(const scene_matrix *a, const scene_matrix *b)
{
    scene_matrix product;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            const double sum = a->m[i][0] * b->m[0][k] + a->m[i][1] * b->m[1][k] + a->m[i][2] * b->m[2][k];
            product.m[i][k] = k < 3 ? sum : sum + a->m[i][3];
        }
    product.mirrors = a->mirrors != b->mirrors;
    return product;
}

// The rotation of a quaternion of any length: nine sums of products divided by the squared length, so that quarter and
// third turns become exact whatever the digits of the file.
bool grz_io_matrix_compose(const double translation[3], const double rotation[4], const double scale[3],
                           scene_matrix *out)
{
    const double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
    const double xx = x * x, yy = y * y, zz = z * z, ww = w * w, square = xx + yy + zz + ww;
    if (!(square > 0) || !isfinite(square))
        return false;
    const double turn[3][3] = {
        {(xx + ww) - (yy + zz), 2 * (x * y - z * w), 2 * (x * z + y * w)},
        {2 * (x * y + z * w), (yy + ww) - (xx + zz), 2 * (y * z - x * w)},
        {2 * (x * z - y * w), 2 * (y * z + x * w), (zz + ww) - (xx + yy)},
    };
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            out->m[i][k] = turn[i][k] / square * scale[k];
        out->m[i][3] = translation[i];
    }
    out->mirrors = (scale[0] < 0) != ((scale[1] < 0) != (scale[2] < 0)) && fabs(scale[0]) > 0 && fabs(scale[1]) > 0 &&
                   fabs(scale[2]) > 0;
    return true;
}

bool grz_io_matrix_from_columns(const double columns[16], double tolerance, scene_matrix *out)
{
    const double last[4] = {0, 0, 0, 1};
    for (int k = 0; k < 4; k++) {
        if (!(fabs(columns[4 * k + 3] - last[k]) <= tolerance))
            return false;
        for (int i = 0; i < 3; i++)
            out->m[i][k] = columns[4 * k + i];
    }
    grz_io_matrix_find_mirroring(out);
    return true;
}

void grz_io_matrix_find_mirroring(scene_matrix *matrix)
{
    const double(*m)[4] = (const double(*)[4])matrix->m;
    matrix->mirrors = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                          m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                          m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
                      0;
}

void grz_io_matrix_place(const scene_matrix *matrix, double *points, uint64_t count)
{
    if (grz_io_matrix_is_identity(matrix))
        return;
    const double(*m)[4] = (const double(*)[4])matrix->m;
    for (double *p = points; p < points + 3 * count; p += 3) {
        const double x = p[0], y = p[1], z = p[2];
        for (int i = 0; i < 3; i++)
            p[i] = m[i][0] * x + m[i][1] * y + m[i][2] * z + m[i][3];
    }
}
