// SPDX-License-Identifier: MIT
// Distributes all vertices or triangles of a mesh over invocations. Include after gl_mesh_read.h.

// An invocation takes GRZ_GL_MESH_EACH vertices or triangles, GRZ_GL_MESH_GROUP apart.
layout(local_size_x = GRZ_GL_MESH_GROUP) in;

uint first_number()
{
    return first + gl_WorkGroupID.x * (GRZ_GL_MESH_GROUP * GRZ_GL_MESH_EACH) + gl_LocalInvocationIndex;
}
