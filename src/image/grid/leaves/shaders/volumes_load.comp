#version 450
// SPDX-License-Identifier: MIT
// volumes_load.comp: make records of the faces of wanted leaves, for one mesh. One leaf a work group. In: positions[],
// places[], leaves[], order[], primitives[], wanted[]. Out: records[].
#include "gpu/shaders/mesh_bindings.h"
#include "image/grid/shaders/grid_bindings.h"
#include "gpu/shaders/gl_mesh_read.h"
#include "gpu/shaders/group_number.h"
#include "gpu/shaders/leaf_in_buffer.h"
#include "image/grid/shaders/places.h"
#include "image/grid/leaves/shaders/leaves.h"
#include "image/grid/leaves/shaders/volumes.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LEAF_BOXES) readonly buffer leaves_buffer
{
    leaf_box leaves[];
};
layout(std430, binding = GRZ_BIND_LEAF_ORDER) readonly buffer order_buffer
{
    uint order[];
};
layout(std430, binding = GRZ_BIND_LEAF_PRIMITIVES) readonly buffer primitives_buffer
{
    uvec4 primitives[];
};
layout(std430, binding = GRZ_BIND_LEAF_WANTED) readonly buffer wanted_buffer
{
    uint wanted[];
};
layout(std430, binding = GRZ_BIND_LEAF_MESHES) readonly buffer meshes_buffer
{
    leaf_mesh meshes[];
};
layout(location = GRZ_AT_MIDDLE) uniform vec4 mesh_middle; // the middle of the mesh's buffer, and 1 / its size
layout(location = GRZ_AT_LEAF_MESH) uniform uint mesh;

vec3 corner(vec4 rows[3], uint vertex)
{
    return vertex == GRZ_NO_CORNER ? vec3(0.0) : placed(rows, local_position(vertex, mesh_middle));
}

void main()
{
    uint number = group_number();
    if (number >= meshes[mesh].wanted)
        return;
    listed_box mine = listed[wanted[meshes[mesh].first_box + number]];
    uint from = leaves[mine.leaf].first;
    vec4 rows[3] = places[mine.owner >> 8].rows;
    for (uint i = gl_LocalInvocationIndex; i < mine.count; i += GRZ_DISPATCH_GROUP) {
        uvec4 vertices = primitives[from + i];
        uint count = vertices.x == GRZ_NO_CORNER ? 0u : (vertices.w == GRZ_NO_CORNER ? 3u : 4u);
        store_face(mine.first_record + i,
                   face_record(order[from + i], count,
                               vec3[4](corner(rows, vertices.x), corner(rows, vertices.y), corner(rows, vertices.z),
                                       corner(rows, vertices.w))));
    }
}
