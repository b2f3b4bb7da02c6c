// SPDX-License-Identifier: MIT
// Which cells of its grid a triangle may touch, by separating axes. A cell is a slice of a pixel; the slices of a
// pixel are the bits of a word. The matrix maps corners with an error of at most `grow`, so cells are enlarged by
// `grow` on all sides. The axes are the cell's sides, the triangle's edges in the plane of the pixels, and its normal.
// The other six edge axes would take a third more time and remove four candidates in a hundred. An axis may be rounded
// in any way, as long as all three corners are projected on the same one; the rounding of projections is covered by
// GRZ_VOXEL_SLACK (docs/internals/slices.md). Source: M. Schwarz, H.-P. Seidel (2010).

// An axis in the plane of the pixels, and the range of projections of pixel centres that the triangle may touch.
struct axis_of_pixels {
    vec2 axis;
    float least, most;
};
axis_of_pixels axes[3]; // perpendicular to the three edges
vec3 normal;
float normal_least, normal_most; // the range along the normal of cell centres that the triangle may touch
float one_over_normal;           // 1 / normal.z; 0: the normal cannot tell slices apart

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
    precise float projection = (normal.x * p.x + normal.y * p.y) + normal.z * p.z;
    return projection;
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

bool axis_separates(axis_of_pixels a, vec2 middle)
{
    precise float projection = a.axis.x * middle.x + a.axis.y * middle.y;
    return projection < a.least || projection > a.most;
}

// The range of slices of a pixel that the normal does not separate from the triangle. Needs one_over_normal != 0. From
// one slice to the next the projection on the normal changes by normal.z, so these slices follow each other.
vec2 quotients(vec2 middle)
{
    float projection = along_normal(vec3(middle, 0.5));
    precise float x = (normal_least - projection) * one_over_normal, y = (normal_most - projection) * one_over_normal;
    precise float from = min(x, y) - GRZ_VOXEL_SLICE_SLACK, to = max(x, y) + GRZ_VOXEL_SLICE_SLACK;
    return vec2(from, to);
}

bool axes_separate(vec2 middle)
{
    return axis_separates(axes[0], middle) || axis_separates(axes[1], middle) || axis_separates(axes[2], middle);
}

// The cells of a pixel that the triangle may touch, as bits, if the edges do not separate the pixel from it.
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
