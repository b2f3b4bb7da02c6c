// SPDX-License-Identifier: MIT
// What grz_mesh_check() reports, found a second time by plain loops over all pairs and exact arithmetic from the oracle; and what
// is true of every triangulation. For small meshes. A broken law ends the program.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_REPORT_H
#define GRZ_TESTS_SUPPORT_FUZZ_REPORT_H

#include "fuzz_input.h"
#include "mesh/mesh.h"

// Everything in the report but the count of polygons that cross themselves, which is that of the mesh's creation.
void fuzz_check_report(const grz_mesh *mesh, const grz_mesh_report *report);

// The triangles of each face run round as the face does. Where the corners are small integers, a polygon that is simple along its
// largest Newell axis is covered exactly once and not counted as crossing itself, one with two edges that cross properly is
// counted. Only for positions that are those of the creation.
void fuzz_check_triangulation(const grz_mesh *mesh, const grz_mesh_report *report);

bool fuzz_same_report(const grz_mesh_report *x, const grz_mesh_report *y);

#endif
