#version 450
// SPDX-License-Identifier: MIT
// leaves_load.comp: make records of the triangles of wanted leaves, for one mesh. One leaf a work group. In:
// positions[], indices[], places[], leaves[], order[], wanted[]. Out: records[].
#include "gpu/shaders/mesh_bindings.h"
#include "image/grid/shaders/grid_bindings.h"
#include "gpu/shaders/gl_mesh_read.h"
#include "gpu/shaders/group_number.h"
#include "gpu/shaders/leaf_in_buffer.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/shaders/places.h"
#include "image/grid/leaves/shaders/leaves.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LEAF_BOXES) readonly buffer leaves_buffer
{
    leaf_box leaves[];
};
layout(std430, binding = GRZ_BIND_LEAF_ORDER) readonly buffer order_buffer
{
    uint order[];
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

void main()
{
    uint number = group_number();
    if (number >= meshes[mesh].wanted)
        return;
    listed_box mine = listed[wanted[meshes[mesh].first_box + number]];
    uint place = mine.owner >> 8, from = leaves[mine.leaf].first;
    vec4 rows[3] = places[place].rows;
    uint word = pack_record(owner_job(mine.owner), places[place].grow.xyz);
    for (uint i = gl_LocalInvocationIndex; i < mine.count; i += GRZ_DISPATCH_GROUP) {
        uint triangle = order[from + i];
        uvec3 vertices = corners_of(triangle);
        vec3 p = placed(rows, local_position(vertices.x, mesh_middle));
        vec3 q = placed(rows, local_position(vertices.y, mesh_middle));
        vec3 r = placed(rows, local_position(vertices.z, mesh_middle));
        store_record(mine.first_record + i, triangle, word, vec3[3](p, q, r), 0u);
    }
}
