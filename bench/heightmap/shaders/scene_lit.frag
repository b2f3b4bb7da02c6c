#version 450
// scene_lit.frag: for the screen, surfaces in the light of a lamp far away. The normal is that of the face.
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 colour;
layout(location = 0) out vec4 seen;

void main()
{
    const vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    seen = vec4(colour * (0.35 + 0.65 * max(0.0, dot(normal, vec3(0.36, -0.48, 0.8)))), 1.0);
}
