// SPDX-License-Identifier: MIT
// The range of cells that the bounding box of a triangle may touch.

layout(location = GRZ_AT_VOXEL_GRID) uniform uvec3 grid; // pixels along both sides, slices

vec3 corners[3], grow;
ivec3 low, high; // the range of cells, `high` included

// Compute `low` and `high` from `corners` and `grow`. False: the triangle is outside the grid.
bool bound_triangle()
{
    vec3 least = min(corners[0], min(corners[1], corners[2])) - grow,
         most = max(corners[0], max(corners[1], corners[2])) + grow;
    vec3 side = vec3(grid);
    if (any(greaterThan(least, side)) || any(lessThan(most, vec3(0.0))))
        return false;
    low = ivec3(floor(clamp(least, vec3(0.0), side - 1.0)));
    high = ivec3(floor(clamp(most, vec3(0.0), side - 1.0)));
    return true;
}

uint pixel_count()
{
    ivec2 size = high.xy - low.xy + 1;
    return uint(size.x * size.y);
}
