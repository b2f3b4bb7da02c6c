// SPDX-License-Identifier: MIT
// Simple meshes and a counting allocator for tests. The functions fail the running test if something goes wrong.
#ifndef GRZ_TESTS_MESH_SUPPORT_H
#define GRZ_TESTS_MESH_SUPPORT_H

#include <graze/graze.h>

// A device with one thread. open_test_device and close_test_device are setup and teardown functions for a cmocka group.
extern grz_device *test_device;
int open_test_device(void **state);
int close_test_device(void **state);

// Describe a mesh of faces with `size` corners each and packed double positions. Without `indices` it is a triangle
// soup.
grz_mesh_description describe_mesh(const double *positions, uint64_t vertices, const uint32_t *indices, uint64_t faces,
                                   uint32_t size);

grz_mesh *create_mesh(const grz_mesh_description *d);
grz_mesh_report check_mesh(const grz_mesh *mesh);

// The cube [0, 1]³ of six quads, counter-clockwise from outside.
extern const double CUBE[24];
extern const uint32_t CUBE_QUADS[24];

// An allocator whose call number `fail_at` (from 1) fails, and which counts the blocks in use. For one thread.
typedef struct counting_allocator {
    long calls, fail_at, live;
} counting_allocator;

grz_allocator counting_allocator_of(counting_allocator *counter);
// A CPU device with one thread and this allocator.
grz_device *counting_device_open(counting_allocator *counter);

// Allocate zeroed memory. Ends the program if there is no memory.
void *allocate_zeroed(size_t count, size_t size);

// A torus of around × across quads (4 indices each), or the same with each quad cut into two triangles (6 indices).
void make_torus(uint32_t around, uint32_t across, bool triangles, double *positions, uint32_t *indices);

#endif
