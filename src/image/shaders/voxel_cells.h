// SPDX-License-Identifier: MIT
// Which cells of its job's grid a triangle may touch. A cell is a slice of a pixel; a pixel's slices are the bits of a word. Corners come out
// of the matrix wrong by at most `grow`, so the triangle of the rounded corners is tested against cells that are larger by that on
// all sides, by separating axes: the sides of the cell, edges in the plane of the pixels, the normal; the six edges in the other two
// planes take a third more time, and spare four candidates in a hundred. Any vector will do for an axis, however it was rounded, if
// all three corners are projected on it; what rounding does to projections is in GRZ_VOXEL_SLACK (docs/slices.md).

// Where projections of the middles of pixels lie that the triangle may touch.
struct axis_of_pixels {
    vec2 axis;
    float least, most;
};
axis_of_pixels axes[3]; // of the edges
vec3 normal;
float normal_least, normal_most, one_over_normal; // of the middles of pixels in the first slice; 0: no slice is parted from another

axis_of_pixels axis_of(vec2 edge)
{
    vec2 axis = vec2(-edge.y, edge.x), size = abs(axis);
    vec2 far = max(abs(corners[0].xy), max(abs(corners[1].xy), abs(corners[2].xy))) + vec2(grid.xy);
    precise float a = axis.x * corners[0].x + axis.y * corners[0].y, b = axis.x * corners[1].x + axis.y * corners[1].y;
    precise float c = axis.x * corners[2].x + axis.y * corners[2].y;
    precise float slack = (size.x * far.x + size.y * far.y) * GRZ_VOXEL_SLACK + GRZ_VOXEL_LEAST;
    precise float reach = (size.x * (0.5 + grow.x) + size.y * (0.5 + grow.y)) + slack;
    precise float least = min(a, min(b, c)) - reach, most = max(a, max(b, c)) + reach;
    return axis_of_pixels(axis, least, most);
}

float along_normal(vec3 p)
{
    precise float at = (normal.x * p.x + normal.y * p.y) + normal.z * p.z;
    return at;
}

void find_normal()
{
    precise vec3 u = corners[1] - corners[0], v = corners[2] - corners[1];
    precise vec3 across = u.yzx * v.zxy - u.zxy * v.yzx;
    normal = across;
    vec3 size = abs(normal), far = max(abs(corners[0]), max(abs(corners[1]), abs(corners[2]))) + vec3(grid);
    precise float slack = ((size.x * far.x + size.y * far.y) + size.z * far.z) * GRZ_VOXEL_SLACK + GRZ_VOXEL_LEAST;
    precise float reach = ((size.x * (0.5 + grow.x) + size.y * (0.5 + grow.y)) + size.z * (0.5 + grow.z)) + slack;
    float a = along_normal(corners[0]), b = along_normal(corners[1]), c = along_normal(corners[2]);
    precise float least = min(a, min(b, c)) - reach, most = max(a, max(b, c)) + reach;
    normal_least = least;
    normal_most = most;
    one_over_normal = size.z > GRZ_VOXEL_LEAST && size.z < 1.0 / GRZ_VOXEL_LEAST ? 1.0 / normal.z : 0.0;
}

void find_axes()
{
    for (int i = 0; i < 3; i++) {
        precise vec2 edge = corners[(i + 1) % 3].xy - corners[i].xy;
        axes[i] = axis_of(edge);
    }
    find_normal();
}

bool parted_from(axis_of_pixels a, vec2 middle)
{
    precise float at = a.axis.x * middle.x + a.axis.y * middle.y;
    return at < a.least || at > a.most;
}

// Between which numbers of slices the normal does not part them from the triangle, in a pixel; there is a quotient. From one slice to the
// next, projections on the normal change by its third coordinate, so these slices are one behind the other.
vec2 quotients(vec2 middle)
{
    float at = along_normal(vec3(middle, 0.5));
    precise float x = (normal_least - at) * one_over_normal, y = (normal_most - at) * one_over_normal;
    precise float from = min(x, y) - GRZ_VOXEL_SLICE_SLACK, to = max(x, y) + GRZ_VOXEL_SLICE_SLACK;
    return vec2(from, to);
}

bool parted_in_plane(vec2 middle)
{
    return parted_from(axes[0], middle) || parted_from(axes[1], middle) || parted_from(axes[2], middle);
}

// The bits of a pixel's cells that the triangle may touch, where the edges do not part the pixel from it.
uint column(vec2 middle)
{
    int from = low.z, to = high.z;
    if (one_over_normal != 0.0) {
        vec2 slices = quotients(middle);
        from = int(ceil(clamp(slices.x, float(low.z), float(high.z + 1))));
        to = int(floor(clamp(slices.y, float(low.z - 1), float(high.z))));
    }
    return from > to ? 0u : (0xffffffffu >> uint(31 - (to - from))) << uint(from);
}

uint cell_of(ivec2 pixel)
{
    return uint(pixel.y) * grid.x + uint(pixel.x);
}
