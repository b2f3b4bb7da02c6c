#version 450
// SPDX-License-Identifier: MIT
// region_select.comp: list the triangles that may meet a region: all but those whose corners lie outside one of its
// planes, all three. The planes are moved outwards by the error bound of floats (region_select.c). In: positions[],
// indices[]. Out: list[], a count and then numbers of triangles, in any order; there is room for all.
#include "gpu/shaders/mesh_bindings.h"
#include "gpu/shaders/gl_mesh_read.h"
#include "gpu/shaders/gl_mesh_each.h"
#include "gpu/picking/shaders/picking_bindings.h"

layout(std430, binding = GRZ_BIND_REGION_LIST) buffer list_buffer
{
    uint list[];
};
layout(location = GRZ_AT_MIDDLE) uniform vec4 middle; // of the mesh's buffer, and 1 / its size
layout(location = GRZ_AT_REGION_PLANES) uniform vec4 planes[6]; // of positions relative to it

bool is_outside(vec4 plane, vec3 p)
{
    precise float value = ((plane.x * p.x + plane.y * p.y) + plane.z * p.z) + plane.w;
    return value < 0.0;
}

bool may_meet(uint triangle)
{
    uvec3 vertex = corners_of(triangle);
    vec3 p = local_position(vertex.x, middle), q = local_position(vertex.y, middle), r = local_position(vertex.z, middle);
    for (int i = 0; i < 6; i++)
        if (is_outside(planes[i], p) && is_outside(planes[i], q) && is_outside(planes[i], r))
            return false;
    return true;
}

void main()
{
    uint number = first_number();
    for (uint i = 0u; i < GRZ_GL_MESH_EACH && number < counts.y; i++, number += GRZ_GL_MESH_GROUP)
        if (may_meet(number))
            list[1u + atomicAdd(list[0], 1u)] = number;
}
