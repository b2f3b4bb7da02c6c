// SPDX-License-Identifier: MIT
// The range of depths that a triangle may have in a pixel. If two triangles touch within a pixel, their ranges overlap
// (proof: docs/internals/layers.md). Call find_axes() and find_depths() first.

vec2 box_depths; // of the whole triangle, inside the grid

void find_depths()
{
    box_depths.x = clamp(min(corners[0].z, min(corners[1].z, corners[2].z)) - grow.z, 0.0, float(grid.z));
    box_depths.y = clamp(max(corners[0].z, max(corners[1].z, corners[2].z)) + grow.z, 0.0, float(grid.z));
}

// The normal separates the centre of a slice from the triangle if it lies further than half a slice from this range.
// The triangle is not in the pixel if x > y.
vec2 depths_at(vec2 middle)
{
    vec2 depths = box_depths;
    if (one_over_normal != 0.0) {
        vec2 slices = quotients(middle);
        depths = vec2(max(depths.x, slices.x + 1.0), min(depths.y, slices.y));
    }
    return depths;
}
