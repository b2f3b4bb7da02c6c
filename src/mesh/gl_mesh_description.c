// SPDX-License-Identifier: MIT
// The defaults of a mesh in OpenGL buffers, in builds with OpenGL and without.
#include "mesh/gl_mesh_description.h"

#include "base/options.h"

static const grz_gl_mesh_description defaults = {
    .size = sizeof(grz_gl_mesh_description), .index_size = 4, .flags = GRZ_MESH_INDEX_ONLY};
static const grz_options_type description_type =
    GRZ_STRUCTURE_TYPE(gl_mesh_description, position_buffer, defaults, false, "description");

void grz_gl_mesh_description_init(grz_gl_mesh_description *description, size_t size)
{
    grz_options_init(&description_type, description, size);
}

grz_status grz_gl_mesh_description_read(const grz_gl_mesh_description *given, grz_gl_mesh_description *out,
                                        grz_error *error)
{
    return grz_options_read(&description_type, "create gl mesh", given, out, error);
}
