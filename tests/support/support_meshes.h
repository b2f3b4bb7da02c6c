// SPDX-License-Identifier: MIT
// Small meshes for the tests: boxes, sheets, spheres, tori, soups of these, random triangles. Also changes to a mesh
// that must not change an answer (permute, reverse, move). Coordinates made from integers are exact. Each function ends
// the test program if there is no memory or the library refuses the mesh.
#ifndef GRZ_TESTS_SUPPORT_MESHES_H
#define GRZ_TESTS_SUPPORT_MESHES_H

#include <stddef.h>
#include <stdint.h>

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "pair_generator.h"

// Zeroed memory is an empty mesh. Free a mesh with test_mesh_finish(). Only the functions below may enlarge the arrays.
typedef struct test_mesh {
    double *positions; // vertex_count × 3
    uint64_t vertex_count;
    uint32_t *indices;       // index_count corners, face after face
    uint32_t *corner_counts; // face_count numbers
    uint64_t index_count, face_count;
} test_mesh;

void test_mesh_finish(test_mesh *mesh);

// Add a vertex. Returns its index.
uint32_t test_mesh_add_vertex(test_mesh *mesh, double x, double y, double z);
void test_mesh_add_face(test_mesh *mesh, const uint32_t *corners, uint32_t count);
void test_mesh_add_triangle(test_mesh *mesh, uint32_t i, uint32_t j, uint32_t k);
// Add a triangle with three vertices of its own.
void test_mesh_add_loose_triangle(test_mesh *mesh, const double corners[3][3]);
// Append the vertices and faces of `other` to those of `mesh`.
void test_mesh_append(test_mesh *mesh, const test_mesh *other);
// Append `other` and free it.
void test_mesh_take(test_mesh *mesh, test_mesh other);

test_mesh test_mesh_copy(const test_mesh *mesh);
// A mesh from arrays: vertex_count × 3 positions, face_count × corners_per_face indices.
test_mesh test_mesh_make(const double *positions, uint64_t vertex_count, const uint32_t *indices, uint64_t face_count,
                         uint32_t corners_per_face);

// A closed box; faces are counter-clockwise seen from outside. Corners 0 to 3 have the smallest z. The faces are
// bottom, top, then the sides at y min, x max, y max, x min: a quad each, or two triangles.
test_mesh test_mesh_box(const double min[3], const double max[3]);
test_mesh test_mesh_box_quads(const double min[3], const double max[3]);
// A cube with edges of length `size`, from corner (x, y, z).
test_mesh test_mesh_cube(double x, double y, double z, double size);
test_mesh test_mesh_cube_quads(double x, double y, double z, double size);
// Faces are counter-clockwise seen from outside if the corners 0, 1, 2 are.
test_mesh test_mesh_tetrahedron(const double corners[4][3]);
// An open sheet in the plane z = 0 from the origin: nx × ny squares with sides of `step`, two triangles each; vertex
// (i, j) has index j·(nx + 1) + i.
test_mesh test_mesh_grid(uint32_t nx, uint32_t ny, double step);
test_mesh test_mesh_grid_quads(uint32_t nx, uint32_t ny, double step);
// 20·4^subdivisions triangles around the origin, vertices near the sphere.
test_mesh test_mesh_icosphere(double radius, uint32_t subdivisions);
// 2·around·across triangles around the z axis. `radius` is the distance to the middle of the tube, `tube` the tube's
// own radius.
test_mesh test_mesh_torus(double radius, double tube, uint32_t around, uint32_t across);
// Triangles that share no vertices, in [-1, 1)³, each at most `size` large. With grid > 0: integers from -grid to grid,
// any size.
test_mesh test_mesh_random_triangles(random_stream *random, uint32_t count, double size, uint32_t grid);

// The same mesh with separate vertices for every face, as in an STL file.
test_mesh test_mesh_soup(const test_mesh *mesh);
// The same mesh with every polygon cut into a fan of triangles.
test_mesh test_mesh_triangulated(const test_mesh *mesh);

void test_mesh_move(test_mesh *mesh, double x, double y, double z);
void test_mesh_scale(test_mesh *mesh, double x, double y, double z);
// Reverse the orientation of every face.
void test_mesh_reverse(test_mesh *mesh);
// Renumber vertices and faces at random, and start each triangle at a random corner. `new_face` receives each face's
// new number; it may be NULL.
void test_mesh_shuffle(test_mesh *mesh, random_stream *random, uint32_t *new_face);

// Move the vertices: with raster > 0 two thirds of the coordinates by an integer from -raster to raster (folds,
// coincidences, degenerate faces); otherwise all by at most `amount`.
void test_mesh_crumple(test_mesh *mesh, random_stream *random, uint32_t raster, double amount);
// Add triangle c, cut through the middles of its sides at random: each piece is kept whole with probability 1/whole,
// or cut into two or four, at most `depth` times. Neighbours are not asked, so T-junctions arise. The corners must be
// multiples of 2^depth units, so that middles are exact.
void test_mesh_add_divided(test_mesh *mesh, random_stream *random, double c[3][3], int depth, uint32_t whole);

// Create a mesh of the library; flags are GRZ_MESH_…. The caller destroys it with grz_mesh_destroy().
grz_mesh *test_mesh_upload_flags(grz_device *device, const test_mesh *mesh, uint32_t flags);
grz_mesh *test_mesh_upload(grz_device *device, const test_mesh *mesh);

// Read a file such as "data/cow_spot.ply". The path is relative to the source folder: CTest runs the tests there;
// otherwise the environment variable GRZ_SOURCE_DIR names it. A test that calls this must include <graze/io.h>, so
// that the build links libgraze_io.
test_mesh test_mesh_load(const char *path);

// The name of method number `index` among those that give exact answers on the CPU; NULL after the last one.
const char *test_exact_method(size_t index);

// Three of them: the first two (naive and bvh) and one of the others, which take turns; NULL from index 3 on.
const char *test_exact_method_in_turn(size_t index, size_t turn);

// Does the label of a number that is proved to be between two bounds fit them? Exact: only if they are equal or
// neighbours, and certainly if they are equal; enclosed: only if they are apart. Not by the library's own function.
bool test_label_fits(grz_certainty certainty, double lower, double upper);

// The same of any answer that has these three members.
#define TEST_LABEL_FITS(answer) test_label_fits((answer).certainty, (answer).lower, (answer).upper)

// A CPU device with this many threads.
grz_device *test_device_open(unsigned threads);
grz_result *test_result_create(grz_device *device);

#ifdef __cplusplus
}
#endif

#endif
