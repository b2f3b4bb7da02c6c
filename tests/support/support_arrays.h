// SPDX-License-Identifier: MIT
// Meshes from plain arrays, and two such arrays: a cube and a torus. The functions fail the running test if something
// goes wrong. Meshes that are built and changed are in support_meshes.h.
#ifndef GRZ_TESTS_SUPPORT_ARRAYS_H
#define GRZ_TESTS_SUPPORT_ARRAYS_H

#include "support_devices.h"

// Describe a mesh of faces with `size` corners each and packed double positions. Without `indices` it is a triangle
// soup.
grz_mesh_description describe_mesh(const double *positions, uint64_t vertices, const uint32_t *indices, uint64_t faces,
                                   uint32_t size);

// On test_device.
grz_mesh *create_mesh(const grz_mesh_description *d);
grz_mesh_report check_mesh(const grz_mesh *mesh);

// The cube [0, 1]³ of six quads, counter-clockwise from outside.
extern const double CUBE[24];
extern const uint32_t CUBE_QUADS[24];

// Allocate zeroed memory. Ends the program if there is no memory.
void *allocate_zeroed(size_t count, size_t size);

// A torus of around × across quads (4 indices each), or the same with each quad cut into two triangles (6 indices).
void make_torus(uint32_t around, uint32_t across, bool triangles, double *positions, uint32_t *indices);

#endif
