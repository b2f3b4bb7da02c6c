// SPDX-License-Identifier: MIT
// Matrices that place meshes: of nodes, components, joints and instances. Every operation rounds once, in the order
// written here and in scene_matrix.c, which docs/use/files.md states.
#ifndef GRZ_IO_SCENE_SCENE_MATRIX_H
#define GRZ_IO_SCENE_SCENE_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

// A matrix that places points, three rows; the fourth is 0 0 0 1.
typedef struct scene_matrix {
    double m[3][4];
    bool mirrors; // the determinant of its first three columns is negative
} scene_matrix;

extern const scene_matrix grz_io_matrix_identity;
bool grz_io_matrix_is_identity(const scene_matrix *m);

scene_matrix grz_io_matrix_multiply(const scene_matrix *a, const scene_matrix *b);

// translation · rotation · scale; false where the rotation is no quaternion of a finite length above 0.
bool grz_io_matrix_compose(const double translation[3], const double rotation[4], const double scale[3],
                           scene_matrix *out);

// Of 16 numbers, column after column. False where the last row is not 0 0 0 1 within `tolerance`.
bool grz_io_matrix_from_columns(const double columns[16], double tolerance, scene_matrix *out);

// Set `mirrors` by the sign of the determinant.
void grz_io_matrix_find_mirroring(scene_matrix *m);

// Place points: m0·x + m1·y + m2·z + t a row, in this order. The identity changes no bit.
void grz_io_matrix_place(const scene_matrix *m, double *points, uint64_t count);

#endif
