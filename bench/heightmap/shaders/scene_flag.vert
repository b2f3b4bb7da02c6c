#version 450
// scene_flag.vert: the corners of 4 × 3 patches over the square from 0 to 1, made from nothing but their numbers.

void main()
{
    const int patch_number = gl_VertexID / 4, corner = gl_VertexID % 4;
    const vec2 at = vec2(patch_number % 4 + (corner & 1), patch_number / 4 + (corner >> 1));
    gl_Position = vec4(at / vec2(4.0, 3.0), 0.0, 1.0);
}
