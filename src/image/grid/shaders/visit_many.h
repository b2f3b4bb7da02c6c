// SPDX-License-Identifier: MIT
// main() of a pass over the cells of triangles over many pixels, listed by voxels_place.comp, a work group for each.
// Needs enter_job() and visit().

shared uint group_marks;

void main()
{
    uint side = mode == GRZ_VOXEL_TEST ? 1u : 0u, place = group_number();
    bool there = place < head.big[side];
    uint number = there ? big[side * room + place] : 0u;
    record_of_triangle record = load_record(number);
    if (gl_LocalInvocationIndex == 0u)
        group_marks = 0u;
    barrier();
    corners = record.corners;
    grow = record.grow;
    if (there && !too_many_pixels(record.job) && bound_triangle()) {
        ivec2 size = high.xy - low.xy + 1;
        enter_job(record.job);
        for (uint i = gl_LocalInvocationIndex; i < uint(size.x * size.y); i += GRZ_DISPATCH_GROUP)
            if (visit(low.xy + ivec2(i % uint(size.x), i / uint(size.x))))
                atomicOr(group_marks, 1u);
    }
    barrier();
    if (there && gl_LocalInvocationIndex == 0u && group_marks != 0u)
        mark(record.job, side, number, record.triangle);
}
