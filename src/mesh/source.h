// SPDX-License-Identifier: MIT
// Meshes whose data is not in memory but elsewhere, in buffers of OpenGL: who has it, and how what is needed of it is fetched.
#ifndef GRZ_MESH_SOURCE_H
#define GRZ_MESH_SOURCE_H

#include <graze/object.h>

#include "mesh/mesh.h"

// Who has a mesh's data: the first member of what they keep of it.
struct grz_mesh_source {
    // Bring `*copy`, NULL at first, up to date: a mesh of its own, in memory, with all vertices and triangles.
    grz_status (*read)(const grz_mesh *mesh, grz_control *control, grz_mesh **copy, grz_error *error);
    // The triangles of an object that may meet a box in the world, a superset, as a mesh in memory whose faces have the numbers of the
    // whole (grz_mesh_triangle_face()). *part is NULL where there is none.
    grz_status (*read_part)(const grz_object *object, const grz_box *box, grz_control *control, grz_mesh **part, grz_error *error);
    // The same of listed triangles, each once, in any order; one at least.
    grz_status (*read_triangles)(const grz_mesh *mesh, const uint32_t *triangles, uint32_t count, grz_control *control,
                                 grz_mesh **part, grz_error *error);
    void (*release)(grz_mesh *mesh);
};

// The mesh, or where its data is elsewhere, a copy in memory that is up to date. It belongs to the mesh.
grz_status grz_mesh_here(const grz_mesh *mesh, grz_control *control, const grz_mesh **here, grz_error *error);

#endif
