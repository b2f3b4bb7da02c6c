// SPDX-License-Identifier: MIT
// Checks the report of grz_mesh_check() by brute force: loops over all pairs and the oracle's exact arithmetic. Also
// checks the laws of every triangulation. For small meshes. A broken law ends the program.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_REPORT_H
#define GRZ_TESTS_SUPPORT_FUZZ_REPORT_H

#include "fuzz_input.h"
#include "mesh/mesh.h"

// Check everything in the report except the count of polygons that cross themselves, which stems from the creation of
// the mesh.
void fuzz_check_report(const grz_mesh *mesh, const grz_mesh_report *report);

// Check that the triangles of each face have the face's orientation. If the corners are small integers, also check that
// a polygon that is simple in its projection is covered exactly once and not counted as crossing itself, and that a
// polygon with two edges that cross is counted. Only for a mesh whose positions have not changed since its creation.
void fuzz_check_triangulation(const grz_mesh *mesh, const grz_mesh_report *report);

bool fuzz_same_report(const grz_mesh_report *x, const grz_mesh_report *y);

#endif
