// SPDX-License-Identifier: MIT
// Draws a mesh with a program that the caller has chosen.
#include "image/environment/depths.h"

#include "geometry/pose.h"
#include "gpu/mesh_shaders.h"
#include "gpu/shaders/mesh_bindings.h"

const grz_gl_program_source grz_depths_program = {"depths", {&grz_shader_view_vert, NULL, NULL}};

grz_status grz_depths_draw(grz_gl *gl, const grz_view *view, const grz_object *object, const grz_mesh_buffers *buffers,
                           grz_control *control)
{
    float matrix[16];
    grz_view_matrix(view, object, buffers, matrix);
    glFrontFace(grz_pose_mirrors(&object->pose) ? GL_CW : GL_CCW);
    glUniformMatrix4fv(GRZ_AT_CLIP, 1, GL_TRUE, matrix);
    glUniform4fv(GRZ_AT_FRAME, 1, buffers->frame);
    glBindVertexArray(buffers->vertex_array);
    return grz_mesh_buffers_draw_all(gl, control, buffers);
}

void grz_depths_end(void)
{
    glDisable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDisable(GL_CULL_FACE);
    glCullFace(GL_BACK);
    glFrontFace(GL_CCW);
    glDisable(GL_STENCIL_TEST);
}
