// SPDX-License-Identifier: MIT
// What passes over voxels and pairs hand each other: records of triangles that reach into a grid, answers. What cells
// are wrong by is a power of two along each axis, so that a record has it in one word, with its job.
#include "image/grid/shaders/answers.h"

layout(std430, binding = GRZ_BIND_VOXEL_RECORDS) buffer records_buffer
{
    uvec4 records[]; // GRZ_RECORD_VECTORS each; those of all objects A, then those of all objects B
};
layout(location = GRZ_AT_VOXEL_ROOM) uniform uint room; // records of objects A that fit: those of objects B begin there

struct record_of_triangle {
    uint triangle, job, object; // `object` is its number where all objects share a grid, else 0
    vec3 grow;                  // the bound of the corners' error, in cells
    vec3 corners[3];
};

uint pack_record(uint job, vec3 grow)
{
    uvec3 exponents = floatBitsToUint(grow) >> 23;
    return job | exponents.x << 8 | exponents.y << 16 | exponents.z << 24;
}

record_of_triangle load_record(uint number)
{
    uvec4 a = records[GRZ_RECORD_VECTORS * number], b = records[GRZ_RECORD_VECTORS * number + 1u];
    uvec4 c = records[GRZ_RECORD_VECTORS * number + 2u];
    vec3 grow = uintBitsToFloat((uvec3(a.y) >> uvec3(8u, 16u, 24u) & 0xffu) << 23);
    return record_of_triangle(
        a.x, a.y & 0xffu, c.w, grow,
        vec3[3](uintBitsToFloat(uvec3(a.zw, b.x)), uintBitsToFloat(b.yzw), uintBitsToFloat(c.xyz)));
}

// `word` is from pack_record().
void store_record(uint number, uint triangle, uint word, vec3 corners[3], uint object)
{
    records[GRZ_RECORD_VECTORS * number] = uvec4(triangle, word, floatBitsToUint(corners[0].xy));
    records[GRZ_RECORD_VECTORS * number + 1u] = uvec4(floatBitsToUint(corners[0].z), floatBitsToUint(corners[1]));
    records[GRZ_RECORD_VECTORS * number + 2u] = uvec4(floatBitsToUint(corners[2]), object);
}

// True if the boxes of two triangles overlap, or may do so within the error bounds.
bool boxes_meet(record_of_triangle a, record_of_triangle b)
{
    vec3 least_a = min(a.corners[0], min(a.corners[1], a.corners[2])) - a.grow;
    vec3 most_a = max(a.corners[0], max(a.corners[1], a.corners[2])) + a.grow;
    vec3 least_b = min(b.corners[0], min(b.corners[1], b.corners[2])) - b.grow;
    vec3 most_b = max(b.corners[0], max(b.corners[1], b.corners[2])) + b.grow;
    return !any(greaterThan(least_a, most_b)) && !any(greaterThan(least_b, most_a));
}

// True if the big triangles cover so many pixels that one dispatch would run for too long: a dispatch cannot be
// stopped. The job is flagged and runs again, alone or without a grid.
bool too_many_pixels(uint job)
{
    bool many = head.big_pixels > GRZ_VOXEL_MOST_BIG;
    if (many)
        atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
    return many;
}
