// SPDX-License-Identifier: MIT
// Draws meshes for their depths.
#ifndef GRZ_IMAGE_ENVIRONMENT_DEPTHS_H
#define GRZ_IMAGE_ENVIRONMENT_DEPTHS_H

#include "gl/gl.h"
#include "gpu/view.h"

extern const grz_gl_program_source grz_depths_program; // depths alone

// Draw a mesh at a pose, seen from the coordinates of a view. The caller has set program, framebuffer and viewport.
grz_status grz_depths_draw(grz_gl *gl, const grz_view *view, const grz_object *object, const grz_mesh_buffers *buffers,
                           grz_control *control);

// Back to the state in which other methods expect OpenGL, after depth test, culling and stencil.
void grz_depths_end(void);

#endif
