#version 450
// SPDX-License-Identifier: MIT
// gl_mesh_gather.comp: copy the triangles of a list. In: wanted[]. Out: selected[], in the order of the list.
#include "gpu/shaders/mesh_bindings.h"
#include "gpu/shaders/gl_mesh_read.h"
#include "gpu/shaders/gl_mesh_each.h"
#include "gpu/shaders/gl_mesh_selected.h"

layout(std430, binding = GRZ_BIND_WANTED) readonly buffer wanted_buffer
{
    uint wanted[]; // triangles
};
layout(location = GRZ_AT_CAPACITY) uniform uint wanted_count;

void main()
{
    uint number = first_number();
    for (uint i = 0u; i < GRZ_GL_MESH_EACH && number < wanted_count; i++, number += GRZ_GL_MESH_GROUP) {
        uvec3 vertex = corners_of(wanted[number]);
        write_selected(number, wanted[number], vertex, position_of(vertex.x), position_of(vertex.y), position_of(vertex.z));
    }
}
