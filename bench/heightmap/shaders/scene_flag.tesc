#version 450
// scene_flag.tesc: each patch becomes 16 × 16 squares.
layout(vertices = 4) out;

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    for (int i = 0; i < 4; i++)
        gl_TessLevelOuter[i] = 16.0;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 16.0;
}
