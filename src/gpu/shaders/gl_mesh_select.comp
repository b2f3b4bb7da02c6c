#version 450
// SPDX-License-Identifier: MIT
// gl_mesh_select.comp: select the triangles whose world boxes may overlap a given box. Corners are taken relative to
// the middle of the mesh, in units of its size; the sides of the box are moved outwards by the error bound of floats
// (gl_mesh_part.c). Out: selected[], in any order; triangles that find no room are counted.
#include "gpu/shaders/mesh_bindings.h"
#include "gpu/shaders/gl_mesh_read.h"
#include "gpu/shaders/gl_mesh_each.h"
#include "gpu/shaders/gl_mesh_selected.h"

layout(location = GRZ_AT_MIDDLE) uniform vec4 middle; // of the mesh, and 1 / its size
layout(location = GRZ_AT_ROWS) uniform vec3 rows[3];  // of the pose, scaled so that none takes a corner further than 1
layout(location = GRZ_AT_LOW) uniform vec3 low;       // of the box, for these rows
layout(location = GRZ_AT_HIGH) uniform vec3 high;
layout(location = GRZ_AT_CAPACITY) uniform uint capacity;

vec3 place(uvec3 bits)
{
    precise vec3 from_middle = (uintBitsToFloat(bits) - middle.xyz) * middle.w;
    precise vec3 at;
    for (int i = 0; i < 3; i++)
        at[i] = (rows[i].x * from_middle.x + rows[i].y * from_middle.y) + rows[i].z * from_middle.z;
    return at;
}

bool may_meet(uvec3 a, uvec3 b, uvec3 c)
{
    vec3 p = place(a), q = place(b), r = place(c);
    return all(lessThanEqual(min(p, min(q, r)), high)) && all(greaterThanEqual(max(p, max(q, r)), low));
}

void select(uint triangle)
{
    uvec3 vertex = corners_of(triangle);
    uvec3 p = position_of(vertex.x), q = position_of(vertex.y), r = position_of(vertex.z);
    if (!may_meet(p, q, r))
        return;
    uint mine = atomicAdd(selected[0], 1u);
    if (mine < capacity)
        write_selected(mine, triangle, vertex, p, q, r);
}

void main()
{
    uint number = first_number();
    for (uint i = 0u; i < GRZ_GL_MESH_EACH && number < counts.y; i++, number += GRZ_GL_MESH_GROUP)
        select(number);
}
