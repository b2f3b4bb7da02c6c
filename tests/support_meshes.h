// SPDX-License-Identifier: MIT
// Small meshes for the tests: boxes, sheets, spheres, tori, soups of them, random triangles, and what can be done to a mesh that
// must not change an answer (permute, reverse, move). All coordinates made of integers are exact. Each function ends the test
// program where memory is short or the library refuses the mesh.
#ifndef GRZ_TESTS_SUPPORT_MESHES_H
#define GRZ_TESTS_SUPPORT_MESHES_H

#include <stddef.h>
#include <stdint.h>

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "pair_generator.h"

// Zeroed: an empty mesh. Free each with test_mesh_finish(). The arrays grow by the functions below only.
typedef struct test_mesh {
    double *positions; // vertex_count × 3
    uint64_t vertex_count;
    uint32_t *indices;       // index_count corners, face after face
    uint32_t *corner_counts; // face_count numbers
    uint64_t index_count, face_count;
} test_mesh;

void test_mesh_finish(test_mesh *mesh);

// The index of the new vertex.
uint32_t test_mesh_add_vertex(test_mesh *mesh, double x, double y, double z);
void test_mesh_add_face(test_mesh *mesh, const uint32_t *corners, uint32_t count);
void test_mesh_add_triangle(test_mesh *mesh, uint32_t i, uint32_t j, uint32_t k);
// A triangle with three vertices of its own.
void test_mesh_add_loose_triangle(test_mesh *mesh, const double corners[3][3]);
// Vertices and faces of `other` behind those of `mesh`.
void test_mesh_append(test_mesh *mesh, const test_mesh *other);
// `other` is appended and freed.
void test_mesh_take(test_mesh *mesh, test_mesh other);

test_mesh test_mesh_copy(const test_mesh *mesh);
// Vertices in rows of three numbers; faces of `corners_per_face` corners each.
test_mesh test_mesh_make(const double *positions, uint64_t vertex_count, const uint32_t *indices, uint64_t face_count,
                         uint32_t corners_per_face);

// Closed, wound outwards. Corners 0 to 3 lie at the least z; the faces are bottom, top, then the sides at y min, x max, y max, x
// min: two triangles each where they are not quads.
test_mesh test_mesh_box(const double min[3], const double max[3]);
test_mesh test_mesh_box_quads(const double min[3], const double max[3]);
// A box whose edges are `size` long, from corner (x, y, z).
test_mesh test_mesh_cube(double x, double y, double z, double size);
test_mesh test_mesh_cube_quads(double x, double y, double z, double size);
// Wound outwards where the corners 0, 1, 2 turn counter-clockwise seen from outside.
test_mesh test_mesh_tetrahedron(const double corners[4][3]);
// An open sheet in the plane z = 0 from the origin: nx × ny squares with sides of `step`, two triangles each; vertex (i, j) has
// index j·(nx + 1) + i.
test_mesh test_mesh_grid(uint32_t nx, uint32_t ny, double step);
test_mesh test_mesh_grid_quads(uint32_t nx, uint32_t ny, double step);
// 20·4^subdivisions triangles about the origin, vertices near the sphere.
test_mesh test_mesh_icosphere(double radius, uint32_t subdivisions);
// 2·around·across triangles about the z axis: `radius` to the middle of the tube, whose own radius is `tube`.
test_mesh test_mesh_torus(double radius, double tube, uint32_t around, uint32_t across);
// Triangles with corners of their own: from [-1, 1)³, each at most `size` large. With grid > 0: integers from -grid to grid, any
// size.
test_mesh test_mesh_random_triangles(random_stream *random, uint32_t count, double size, uint32_t grid);

// Every face gets vertices of its own, as in an STL file.
test_mesh test_mesh_soup(const test_mesh *mesh);
// Every polygon becomes a fan of triangles.
test_mesh test_mesh_triangulated(const test_mesh *mesh);

void test_mesh_move(test_mesh *mesh, double x, double y, double z);
void test_mesh_scale(test_mesh *mesh, double x, double y, double z);
// Turn every face over.
void test_mesh_reverse(test_mesh *mesh);
// Renumber vertices and faces, and begin each triangle at a random corner. `new_face` may be NULL; receives each face's new number.
void test_mesh_shuffle(test_mesh *mesh, random_stream *random, uint32_t *new_face);

// Hand it to the library; flags are GRZ_MESH_…. Destroy it with grz_mesh_destroy().
grz_mesh *test_mesh_upload_flags(grz_device *device, const test_mesh *mesh, uint32_t flags);
grz_mesh *test_mesh_upload(grz_device *device, const test_mesh *mesh);

// Read a file, "data/cow_spot.ply": relative to the source folder, where CTest runs the tests; otherwise GRZ_SOURCE_DIR in the
// environment names that folder. A test that calls it must include "model.h", so that the build links the tool's readers.
test_mesh test_mesh_load(const char *path);

// The name of method `index` of those that give exact answers on the CPU; NULL past the last.
const char *test_exact_method(size_t index);

// A device with so many threads.
grz_device *test_device_open(unsigned threads);
grz_result *test_result_create(grz_device *device);

#ifdef __cplusplus
}
#endif

#endif
