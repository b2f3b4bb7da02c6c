// SPDX-License-Identifier: MIT
// How far points are from a closed model: a grid of distances, negative inside.
#ifndef GRZ_DEMOS_DISTANCES_H
#define GRZ_DEMOS_DISTANCES_H

#include <graze/graze.h>
#include <graze/io.h>

typedef struct distances {
    double low[3], cell, most; // the grid's corner, and the largest distance that it knows
    int64_t size[3];
    float *values;
} distances;

// Compute the distances from a model of triangles, up to `most`, at points that are `cell` apart. The object is
// the same model.
void distances_make(distances *d, grz_device *device, const grz_io_model *model, const grz_object *object, double cell,
                    double most);

// The distance of a point, at most `most`, and the direction in which it grows fastest, of length 1, or 0 if it is far.
double distances_at(const distances *d, const double p[3], double direction[3]);

void distances_free(distances *d);

#endif
