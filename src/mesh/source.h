// SPDX-License-Identifier: MIT
// Meshes whose data is not in main memory but in OpenGL buffers: the interface to the owner of the data, and reading
// back what the CPU needs.
#ifndef GRZ_MESH_SOURCE_H
#define GRZ_MESH_SOURCE_H

#include <graze/object.h>

#include "mesh/mesh.h"

// The owner of a mesh's data. Owners put this struct first in a struct of their own.
struct grz_mesh_source {
    // Bring *copy up to date; it is NULL the first time. The copy is a complete mesh in main memory.
    grz_status (*read)(const grz_mesh *mesh, grz_control *control, grz_mesh **copy, grz_error *error);
    // Read the triangles of an object that may meet a box in world coordinates (a superset) into a mesh in main memory.
    // Its faces keep their numbers in the whole mesh (grz_mesh_triangle_face()). *part is NULL if there are none.
    grz_status (*read_part)(const grz_object *object, const grz_box *box, grz_control *control, grz_mesh **part,
                            grz_error *error);
    // The same for a list of triangles, at least one, in any order, without repetition.
    grz_status (*read_triangles)(const grz_mesh *mesh, const uint32_t *triangles, uint32_t count, grz_control *control,
                                 grz_mesh **part, grz_error *error);
    // The mesh is being destroyed.
    void (*release)(grz_mesh *mesh);
};

// The slot of the copies that grz_mesh_in_memory() makes.
extern const grz_slot_type grz_mesh_copy_slot_type;

// The mesh with its data in main memory: the mesh itself, or an up-to-date copy if its data is elsewhere. The copy
// belongs to the mesh.
grz_status grz_mesh_in_memory(const grz_mesh *mesh, grz_control *control, const grz_mesh **in_memory, grz_error *error);

#endif
