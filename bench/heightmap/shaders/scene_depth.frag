#version 450
// scene_depth.frag: for height maps that keep nothing but depths.

void main()
{
}
