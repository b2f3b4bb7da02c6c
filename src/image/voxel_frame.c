// SPDX-License-Identifier: MIT
// Grids and frames of voxels, in doubles, and the bound of what floats make of them.
//
// The bound, in cells. A coordinate in the buffer is at most 1 and rounded to a float: 2^-24 times the sum of a row's entries. Each entry
// and the constant are rounded to floats: 2^-24 of their sizes. Products: 2^-23 (1 ulp each, as drivers may). Three sums of partial results
// no larger than all sizes together: 3/2^23. Together less than 2^-20 of (the sum of the row's sizes + the constant's). Positions in the
// world are themselves rounded, wrong by less than 2^-51 times the sum of all magnitudes in them, and the constant is a difference of such
// numbers: 2^-48 of that sum, in cells, covers both. 2^-12 covers what happens to numbers no larger than the grid afterwards, and
// coordinates that are flushed to zero (entries are 2^30 at most).
#include "image/voxels.h"

#include <math.h>

#include "image/shaders/shared.h"

static const double MOST = 0x1p30; // cells

grz_voxel_grid grz_voxel_grid_of(const grz_box *box, double size, uint32_t resolution)
{
    grz_voxel_grid grid = {.cells = {resolution, resolution, GRZ_VOXEL_SLICES}};
    double sides[3];
    int shortest = 0;
    for (int i = 0; i < 3; i++) {
        sides[i] = box->max[i] - box->min[i];
        shortest = sides[i] < sides[shortest] ? i : shortest;
    }
    const double padding = fmax(size * 0x1p-20, 0x1p-1000);
    for (int k = 0; k < 3; k++) {
        const int i = (shortest + 1 + k) % 3;
        const double more = sides[i] < padding ? 0.5 * (padding - sides[i]) : 0.0;
        grid.axes[k] = i;
        grid.least[k] = box->min[i] - more;
        grid.per[k] = grid.cells[k] / (sides[i] + 2.0 * more);
    }
    return grid;
}

bool grz_voxel_frame_of(const grz_voxel_grid *grid, const grz_object *object, const double centre[3], double scale,
                        grz_voxel_frame *frame)
{
    for (int k = 0; k < 3; k++) {
        const double *m = object->pose.m[grid->axes[k]], per = grid->per[k];
        double at = m[3] - grid->least[k], size = 0.0, reach = fabs(m[3]) + fabs(grid->least[k]) + grid->cells[k] / per;
        for (int j = 0; j < 3; j++) {
            at += m[j] * centre[j];
            reach += fabs(m[j]) * object->mesh->max_abs[j];
            size += fabs(m[j]) * scale * per;
            frame->rows[k][j] = (float)(m[j] * scale * per);
        }
        frame->rows[k][3] = (float)(at * per);
        const double grow = (size + fabs(at * per)) * 0x1p-20 + reach * per * 0x1p-48 + 0x1p-12;
        if (!(size + fabs(at * per) + grow < MOST)) // NaN, too
            return false;
        frame->grow[k] = (float)(grow * (1.0 + 0x1p-20));
    }
    return true;
}
