#version 450
// SPDX-License-Identifier: MIT
// gl_mesh_measure.comp: measure a mesh in the caller's buffers: its bounds, the largest magnitudes of its coordinates,
// the first vertex that is not finite, the first triangle with a vertex that does not exist, and a sample of
// triangles. Floats are handled as bits, so none is rounded or flushed to zero. Out: measures[], which the caller sets
// to neutral values before.
#include "gpu/shaders/mesh_bindings.h"
#include "gpu/shaders/gl_mesh_read.h"
#include "gpu/shaders/gl_mesh_each.h"

layout(std430, binding = GRZ_BIND_MEASURES) buffer measures_buffer
{
    uint measures[];
};
layout(location = GRZ_AT_CAPACITY) uniform uint sample_count;

shared uint group[9]; // least, most, magnitude
uvec3 least = uvec3(0xffffffffu), most = uvec3(0u), size_most = uvec3(0u); // of this invocation

uvec3 ordered(uvec3 bits)
{
    return bits ^ mix(uvec3(0x80000000u), uvec3(0xffffffffu), greaterThanEqual(bits, uvec3(0x80000000u)));
}

void take_vertex(uint vertex)
{
    uvec3 size = position_of(vertex) & 0x7fffffffu;
    if (any(greaterThanEqual(size, uvec3(0x7f800000u))))
        atomicMin(measures[GRZ_MEASURE_BAD_VERTEX], vertex);
    size_most = max(size_most, size);
}

void take_triangle(uint triangle)
{
    uvec3 vertex = vertices_of(triangle);
    if (any(greaterThanEqual(vertex, uvec3(counts.x)))) {
        atomicMin(measures[GRZ_MEASURE_BAD_TRIANGLE], triangle);
        return;
    }
    uvec3 a = ordered(position_of(vertex.x)), b = ordered(position_of(vertex.y)), c = ordered(position_of(vertex.z));
    least = min(least, min(a, min(b, c)));
    most = max(most, max(a, max(b, c)));
}

// The sample's triangles are those of grz_face_sample_at(): triangle_count · i / 256, or i where there are no more
// than 256.
void take_sample(uint i)
{
    uint high, low;
    umulExtended(counts.y, i, high, low);
    uvec3 vertex = vertices_of(counts.y > 256u ? (high << 24) | (low >> 8) : i);
    if (any(greaterThanEqual(vertex, uvec3(counts.x))))
        return;
    uvec3 corners[3] = uvec3[3](position_of(vertex.x), position_of(vertex.y), position_of(vertex.z));
    uint at = GRZ_MEASURE_SAMPLE + i * GRZ_MEASURE_SAMPLE_WORDS;
    for (uint corner = 0u; corner < 3u; corner++)
        for (uint axis = 0u; axis < 3u; axis++)
            measures[at + 3u * corner + axis] = corners[corner][axis];
}

void main()
{
    uint local = gl_LocalInvocationIndex, number = first_number();
    if (local < 9u)
        group[local] = local < 3u ? 0xffffffffu : 0u;
    barrier();
    for (uint i = 0u; i < GRZ_GL_MESH_EACH; i++, number += GRZ_GL_MESH_GROUP) {
        if (number < counts.x)
            take_vertex(number);
        if (number < counts.y)
            take_triangle(number);
        if (number < sample_count)
            take_sample(number);
    }
    for (uint axis = 0u; axis < 3u; axis++) {
        atomicMin(group[axis], least[axis]);
        atomicMax(group[3u + axis], most[axis]);
        atomicMax(group[6u + axis], size_most[axis]);
    }
    barrier();
    if (local < 3u)
        atomicMin(measures[GRZ_MEASURE_MIN + local], group[local]);
    else if (local < 9u)
        atomicMax(measures[GRZ_MEASURE_MIN + local], group[local]);
}
