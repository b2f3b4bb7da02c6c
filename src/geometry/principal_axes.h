// SPDX-License-Identifier: MIT
// The eigenvectors of a symmetric matrix, such as a covariance.
#ifndef GRZ_GEOMETRY_PRINCIPAL_AXES_H
#define GRZ_GEOMETRY_PRINCIPAL_AXES_H

// Find three perpendicular eigenvectors of length 1 (but for rounding): the rows of `axes`, right-handed. The matrix
// becomes diagonal: entry (i, i) is the eigenvalue of row i.
void grz_principal_axes(double matrix[3][3], double axes[3][3]);

#endif
