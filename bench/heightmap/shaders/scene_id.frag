#version 450
// scene_id.frag: for height maps that record ids, what this is, and which of its kind: the number of a particle.
layout(location = 6) uniform uint number;
layout(location = 0) out uvec2 id;

void main()
{
    id = uvec2(number, uint(gl_PrimitiveID));
}
