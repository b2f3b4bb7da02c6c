// SPDX-License-Identifier: MIT
// Meshes to test with, and an allocator that fails when told to. The functions fail the running test where something goes wrong.
#ifndef GRZ_TESTS_MESH_SUPPORT_H
#define GRZ_TESTS_MESH_SUPPORT_H

#include <graze/graze.h>

// A device of one thread; open_test_device and close_test_device are cmocka's setup and teardown of a group.
extern grz_device *test_device;
int open_test_device(void **state);
int close_test_device(void **state);

// A description of faces of one size over packed doubles; a soup where `indices` is NULL.
grz_mesh_description describe_mesh(const double *positions, uint64_t vertices, const uint32_t *indices, uint64_t faces,
                                   uint32_t size);

grz_mesh *create_mesh(const grz_mesh_description *d);
grz_mesh_report check_mesh(const grz_mesh *mesh);

// The cube [0, 1]³ of six quads, counter-clockwise from outside.
extern const double CUBE[24];
extern const uint32_t CUBE_QUADS[24];

// Fails its `fail_at`-th call, counted from 1, and keeps count of the blocks that live. One thread.
typedef struct counting_allocator {
    long calls, fail_at, live;
} counting_allocator;

grz_allocator counting_allocator_of(counting_allocator *counter);

// Zeroed; ends the program where memory is short.
void *allocate_zeroed(size_t count, size_t size);

// A torus of around × across quads (4 indices each), or as many pairs of triangles (6).
void make_torus(uint32_t around, uint32_t across, bool triangles, double *positions, uint32_t *indices);

#endif
