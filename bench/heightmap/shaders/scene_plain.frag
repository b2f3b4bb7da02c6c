#version 450
// scene_plain.frag: for the screen, lines and points in their own colour.
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 colour;
layout(location = 0) out vec4 seen;

void main()
{
    seen = vec4(colour, 1.0);
}
