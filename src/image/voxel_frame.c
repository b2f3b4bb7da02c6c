// SPDX-License-Identifier: MIT
// Grids and frames of voxels, in doubles, and the bound of what floats make of them.
//
// The bound, in cells, with s the sum of a row's entries, c its constant, 1 ulp for each operation, as drivers may. A coordinate x is at
// most 1, and wrong by 2^-23: it was rounded when it was uploaded, or is the rounded difference of two floats. An entry is rounded, 2^-24,
// each product, 2^-23, and the three sums, 2^-23 of s, s and s + c; the constant is rounded, 2^-24. Together 2^-24 (11 s + 3 c), less than
// 2^-20 (0.7 s + 0.2 c); 0.5 c are taken, so that cells are less than 2^21 times what they are wrong by. Positions in the world are themselves rounded, wrong by less than 2^-51 times the sum of all magnitudes in them, and
// the constant is a difference of such numbers: 2^-48 of that sum, in cells, covers both. 2^-90 covers entries and products that are
// flushed to zero, and coordinates in our buffers; those of the caller's that are flushed are less than 2^-26 of a scale that is 2^-100
// or more, which is in the sum above.
#include "image/voxels.h"

#include <math.h>

static const double MOST = 0x1p30; // cells
// Cells are no smaller than what coordinates in them are wrong by, of the objects' size and of how far away they are.
static const double LEAST_CELL = 0x1p-19, LEAST_PLACE = 0x1p-47;
// Scales of meshes in the caller's buffers. Smaller coordinates may be flushed; what is larger does not become 1 at most (mesh_buffers.c).
static const double LEAST_SCALE = 0x1p-100, MOST_SCALE = 0x1p119;

grz_voxel_grid grz_voxel_grid_of(const grz_box *box, double size, uint32_t resolution)
{
    grz_voxel_grid grid = {.cells = {resolution, resolution, GRZ_VOXEL_SLICES}};
    double sides[3];
    int shortest = 0;
    for (int i = 0; i < 3; i++) {
        sides[i] = box->max[i] - box->min[i];
        shortest = sides[i] < sides[shortest] ? i : shortest;
    }
    for (int k = 0; k < 3; k++) {
        const int i = (shortest + 1 + k) % 3;
        const double cell = fmax(size * LEAST_CELL, fmax(fabs(box->min[i]), fabs(box->max[i])) * LEAST_PLACE);
        const double padding = fmax(grid.cells[k] * cell, 0x1p-1000), more = fmax(0.5 * (padding - sides[i]), 0.0);
        grid.axes[k] = i;
        grid.least[k] = box->min[i] - more;
        grid.per[k] = grid.cells[k] / (sides[i] + 2.0 * more);
    }
    return grid;
}

// A power of two, larger than a number.
static double power_above(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent);
}

bool grz_voxel_place_of(const grz_voxel_grid *grid, const grz_object *object, const double centre[3], double scale,
                        grz_voxel_place *place, double wrong[3])
{
    const bool elsewhere = object->mesh->source != NULL;
    if (elsewhere && (scale < LEAST_SCALE || scale > MOST_SCALE))
        return false;
    for (int k = 0; k < 3; k++) {
        const double *m = object->pose.m[grid->axes[k]], per = grid->per[k];
        double at = m[3] - grid->least[k], size = 0.0, reach = fabs(m[3]) + fabs(grid->least[k]) + grid->cells[k] / per;
        for (int j = 0; j < 3; j++) {
            at += m[j] * centre[j];
            reach += fabs(m[j]) * object->mesh->max_abs[j];
            size += fabs(m[j]) * scale * per;
            place->rows[k][j] = (float)(m[j] * scale * per);
        }
        place->rows[k][3] = (float)(at * per);
        wrong[k] = (0.7 * size + 0.5 * fabs(at * per)) * 0x1p-20 + reach * per * 0x1p-48 + 0x1p-90;
        // Somewhat more for what is done to numbers of this size, and for numbers as large as the grid.
        const double grow = (size + fabs(at * per)) * 0x1p-20 + reach * per * 0x1p-48 + 0x1p-12;
        if (!(size + fabs(at * per) + grow < MOST)) // NaN, too
            return false;
        place->grow[k] = (float)power_above(grow);
    }
    return true;
}

grz_voxel_unit grz_voxel_unit_of(const double wrong_a[3], const double wrong_b[3])
{
    grz_voxel_unit unit = {{0.0f}};
    for (int k = 0; k < 3; k++)
        unit.axes[k] = (float)(1.0 / power_above(wrong_a[k] + wrong_b[k]));
    return unit;
}
