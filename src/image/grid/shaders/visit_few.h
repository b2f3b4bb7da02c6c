// SPDX-License-Identifier: MIT
// main() of a pass over the cells of triangles over few pixels, one record an invocation. Needs enter_job() and
// visit().

bool visit_all()
{
    bool marks = false;
    ivec2 pixel = low.xy;
    for (uint left = pixel_count(); left > 0u; left--) {
        marks = visit(pixel) || marks;
        pixel = pixel.x < high.x ? ivec2(pixel.x + 1, pixel.y) : ivec2(low.x, pixel.y + 1);
    }
    return marks;
}

void main()
{
    uint side = mode == GRZ_VOXEL_TEST ? 1u : 0u, number = side * room + invocation_number();
    if (invocation_number() >= head.records[side])
        return;
    record_of_triangle record = load_record(number);
    corners = record.corners;
    grow = record.grow;
    if (!bound_triangle() || pixel_count() > GRZ_VOXEL_MOST_PIXELS)
        return;
    enter_job(record.job);
    if (visit_all())
        mark(record.job, side, number, record.triangle);
}
