// SPDX-License-Identifier: MIT
// The places of objects: maps from the coordinates in a mesh's buffer to cells (grz_grid_place). They are a uniform
// block because software renderers read that faster than a storage buffer.

struct place_of_object {
    vec4 rows[3]; // cells = rows · (coordinates in the mesh's buffer, 1)
    vec4 grow;    // bounds of the error of cells, powers of two
    uvec4 of;     // its job; the object's number where all share a grid, else 0; for leaves: first box, mesh
    vec4 sides;   // how far the grid reaches along each axis, in cells
};
layout(std140, binding = GRZ_BIND_VOXEL_PLACES) uniform places_block
{
    place_of_object places[GRZ_VOXEL_JOBS]; // of this side's objects
};

vec3 placed(vec4 rows[3], vec3 local)
{
    precise vec3 at;
    for (int i = 0; i < 3; i++)
        at[i] = ((rows[i].x * local.x + rows[i].y * local.y) + rows[i].z * local.z) + rows[i].w;
    return at;
}
