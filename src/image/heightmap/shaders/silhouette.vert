#version 450
// SPDX-License-Identifier: MIT
// silhouette.vert: one triangle that covers the picture.

void main()
{
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.5, 1.0);
}
