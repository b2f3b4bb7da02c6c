// SPDX-License-Identifier: MIT
// The description of a mesh in OpenGL buffers, as a caller of any version gives it.
#ifndef GRZ_MESH_GL_MESH_DESCRIPTION_H
#define GRZ_MESH_GL_MESH_DESCRIPTION_H

#include <graze/gl_mesh.h>

// The description that a caller gave, at this version's size.
grz_status grz_gl_mesh_description_read(const grz_gl_mesh_description *given, grz_gl_mesh_description *out,
                                        grz_error *error);

#endif
