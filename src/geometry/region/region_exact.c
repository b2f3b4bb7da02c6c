// SPDX-License-Identifier: MIT
#include "geometry/region/region_exact.h"

#include <assert.h>

// 2^shift · (p · (x, 1)), for the shift of coordinates and that of p's numbers together.
static void set_value(const double p[4], int p_shift, const double x[3], int shift, grz_integer *out)
{
    grz_integer number, coordinate, product, sum, last;
    grz_integer_from_double(p[3], p_shift, &number);
    grz_integer_shift_left(&number, shift, &sum);
    for (int k = 0; k < 3; k++) {
        grz_integer_from_double(p[k], p_shift, &number);
        grz_integer_from_double(x[k], shift, &coordinate);
        grz_integer_multiply(&number, &coordinate, &product);
        grz_integer_copy(&sum, &last);
        grz_integer_add(&last, &product, 1, &sum);
    }
    grz_integer_copy(&sum, out);
}

static int shift_of(const double p[4])
{
    return grz_integer_common_shift(&p, 1, 4);
}

static void set_values(grz_region_rows *rows, const double p[4], grz_integer out[3])
{
    const int p_shift = shift_of(p);
    for (int i = 0; i < 3; i++)
        set_value(p, p_shift, rows->corners[i], rows->shift, &out[i]);
}

static void know_basics(grz_region_rows *rows)
{
    const double *const points[3] = {rows->corners[0], rows->corners[1], rows->corners[2]};
    if ((rows->known >> GRZ_REGION_ROWS & 1) != 0)
        return;
    rows->shift = grz_integer_common_shift(points, 3, 3);
    rows->shift = rows->shift > 0 ? rows->shift : 0;
    for (int i = 0; i < 2; i++)
        set_values(rows, rows->region->depth[i], rows->depth[i]);
    rows->depth_exponent = shift_of(rows->region->depth[1]) - shift_of(rows->region->depth[0]);
    rows->known |= UINT32_C(1) << GRZ_REGION_ROWS;
}

static void set_unit(int i, grz_integer row[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_from_double(i == k ? 1.0 : 0.0, 0, &row[k]);
}

static const grz_integer *row_of(grz_region_rows *rows, int i)
{
    assert(i >= 0 && i < GRZ_REGION_ROWS);
    grz_integer *row = rows->row[i];
    know_basics(rows);
    if ((rows->known >> i & 1) != 0)
        return row;
    if (i < 3)
        set_unit(i, row);
    else
        set_values(rows, rows->region->planes[i - 3], row);
    rows->known |= UINT32_C(1) << i;
    return row;
}

bool grz_region_vertex(grz_region_rows *rows, uint32_t active, int a, int b, int sign, grz_integer weights[3])
{
    const grz_integer *const row_a = row_of(rows, a), *const row_b = row_of(rows, b);
    grz_integer_cross(row_a, row_b, weights);
    if (weights[0].sign == 0 && weights[1].sign == 0 && weights[2].sign == 0)
        return false;
    for (int k = 0; k < 3; k++)
        weights[k].sign *= sign;
    for (int i = 0; i < GRZ_REGION_ROWS; i++) {
        grz_integer product;
        if (i == a || i == b || (active >> i & 1) == 0)
            continue;
        grz_integer_dot(row_of(rows, i), weights, &product);
        if (product.sign < 0)
            return false;
    }
    return true;
}

double grz_region_depth(grz_region_rows *rows, const grz_integer weights[3])
{
    grz_integer above, below;
    know_basics(rows);
    grz_integer_dot(rows->depth[0], weights, &above);
    grz_integer_dot(rows->depth[1], weights, &below);
    return below.sign > 0 ? grz_integer_quotient(&above, &below, rows->depth_exponent) : 0.0;
}
