// SPDX-License-Identifier: MIT
// The frame of a voxel grid and the maps of objects into it, in doubles, and the bound of the error that floats make.
//
// The bound, in cells. Let s be the sum of the magnitudes of a row's entries and c its constant; each operation of a
// shader is wrong by up to 1 ulp, as drivers may be. A coordinate x is at most 1 and wrong by 2^-23: either it was
// rounded at upload, or it is the rounded difference of two floats. Each entry is rounded (2^-24), each product
// (2^-23), the three sums (2^-23 of s, of s and of s + c), and the constant (2^-24). Together that is 2^-24 (11 s + 3
// c), less than 2^-20 (0.7 s + 0.2 c). The code takes 0.5 c, so that a cell coordinate is also less than 2^21 times
// its error bound.
//
// World positions are rounded themselves, by less than 2^-51 times the sum of all magnitudes in them, and the constant
// is a difference of such numbers; 2^-48 of that sum, in cells, covers both. 2^-90 covers entries and products that
// are flushed to zero, and flushed coordinates in our own buffers. Flushed coordinates in the caller's buffers are
// less than 2^-26 of a scale that is at least 2^-100; the sum above covers them.
#include "base/rounding.h"
#include "image/grid/voxel_grid.h"

#include <assert.h>
#include <math.h>

static const double MOST = 0x1p30; // the largest cell coordinate that a map may give
// Cells are not made smaller than the error of coordinates in them: these fractions of the objects' size and of their
// distance.
static const double LEAST_CELL = 0x1p-19, LEAST_PLACE = 0x1p-47;
// The range of scales for meshes in the caller's buffers. Below it coordinates may be flushed to zero; above it
// coordinates cannot be scaled to at most 1 (mesh_buffers.c).
static const double LEAST_SCALE = 0x1p-100, MOST_SCALE = 0x1p119;

grz_grid_frame grz_grid_frame_of(const grz_box *box, double size, uint32_t resolution)
{
    grz_grid_frame grid = {.cells = {resolution, resolution, GRZ_VOXEL_SLICES}};
    double sides[3];
    int shortest = 0;
    assert(resolution > 0);
    for (int i = 0; i < 3; i++) {
        sides[i] = box->max[i] - box->min[i];
        shortest = sides[i] < sides[shortest] ? i : shortest;
    }
    for (int k = 0; k < 3; k++) {
        const int i = (shortest + 1 + k) % 3;
        const double cell = fmax(size * LEAST_CELL, fmax(fabs(box->min[i]), fabs(box->max[i])) * LEAST_PLACE);
        const double padding = fmax(grid.cells[k] * cell, GRZ_NEVER_ZERO), more = fmax(0.5 * (padding - sides[i]), 0.0);
        grid.axes[k] = i;
        grid.least[k] = box->min[i] - more;
        grid.per[k] = grid.cells[k] / (sides[i] + 2.0 * more);
        assert(grid.per[k] > 0.0);
    }
    return grid;
}

grz_grid_frame grz_grid_frame_even(const grz_box *box, double size, uint32_t resolution)
{
    grz_grid_frame grid = {.axes = {0, 1, 2}};
    double longest = GRZ_NEVER_ZERO;
    assert(resolution > 0);
    for (int i = 0; i < 3; i++) {
        const double least = fmax(size * LEAST_CELL, fmax(fabs(box->min[i]), fabs(box->max[i])) * LEAST_PLACE);
        longest = fmax(longest, fmax(box->max[i] - box->min[i], resolution * least));
    }
    for (int i = 0; i < 3; i++) {
        grid.least[i] = box->min[i];
        grid.per[i] = resolution / longest;
        grid.cells[i] = (uint32_t)fmin(ceil((box->max[i] - box->min[i]) * grid.per[i]) + 1.0, resolution + 1.0);
    }
    return grid;
}

// The least power of two above x.
static double power_above(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent);
}

bool grz_grid_place_of(const grz_grid_frame *grid, const grz_object *object, const double centre[3], double scale,
                       grz_grid_place *place, double wrong[3])
{
    const bool callers = object->mesh->source != NULL; // in the caller's buffers
    if (callers && (scale < LEAST_SCALE || scale > MOST_SCALE))
        return false;
    for (int k = 0; k < 3; k++) {
        const double *m = object->pose.m[grid->axes[k]], per = grid->per[k];
        double at = m[3] - grid->least[k], size = 0.0,
               magnitude = fabs(m[3]) + fabs(grid->least[k]) + grid->cells[k] / per;
        for (int j = 0; j < 3; j++) {
            at += m[j] * centre[j];
            magnitude += fabs(m[j]) * object->mesh->max_abs[j];
            size += fabs(m[j]) * scale * per;
            place->rows[k][j] = (float)(m[j] * scale * per);
        }
        place->rows[k][3] = (float)(at * per);
        // The bound derived above.
        wrong[k] = (0.7 * size + 0.5 * fabs(at * per)) * 0x1p-20 + magnitude * per * 0x1p-48 + 0x1p-90;
        // Larger than `wrong`: also covers what shaders compute later with numbers of this size and of the grid's size.
        const double grow = (size + fabs(at * per)) * 0x1p-20 + magnitude * per * 0x1p-48 + 0x1p-12;
        if (!(size + fabs(at * per) + grow < MOST)) // NaN, too
            return false;
        place->sides[k] = (float)grid->cells[k];
        place->grow[k] = (float)power_above(grow);
        assert((double)place->grow[k] > grow);
    }
    return true;
}

grz_grid_unit grz_grid_unit_of(const double wrong_a[3], const double wrong_b[3])
{
    grz_grid_unit unit = {.half_thickness = 0.0f};
    for (int k = 0; k < 3; k++) {
        assert(wrong_a[k] + wrong_b[k] > 0.0);
        unit.axes[k] = (float)(1.0 / power_above(wrong_a[k] + wrong_b[k]));
    }
    return unit;
}
