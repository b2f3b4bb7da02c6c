// SPDX-License-Identifier: MIT
// What passes over voxels and pairs hand each other: frames of objects, records of triangles that reach into a grid, answers.

struct frame_of_object {
    vec4 grow; // what cells are wrong by at most, along each axis
    vec4 unit; // cells · unit is wrong by 1 at most, both objects together; powers of two
    uvec4 job; // the job's number
};
layout(std430, binding = GRZ_BIND_VOXEL_FRAMES) readonly buffer frames_buffer
{
    frame_of_object frames[];
};
layout(std430, binding = GRZ_BIND_VOXEL_RECORDS) buffer records_buffer
{
    uvec4 records[]; // GRZ_RECORD_VECTORS each; those of all second objects lie behind those of all first ones
};
layout(std430, binding = GRZ_BIND_VOXEL_ANSWERS) buffer answers_buffer
{
    uint answers[]; // head, jobs, candidates
};
layout(location = GRZ_AT_VOXEL_ROOM) uniform uint room; // for records of first objects

struct record_of_triangle {
    uint triangle, frame;
    vec3 corners[3];
};

uint job_answer(uint job)
{
    return GRZ_HEAD_WORDS + job * GRZ_JOB_WORDS;
}

record_of_triangle load_record(uint number)
{
    uvec4 a = records[GRZ_RECORD_VECTORS * number], b = records[GRZ_RECORD_VECTORS * number + 1u];
    uvec4 c = records[GRZ_RECORD_VECTORS * number + 2u];
    return record_of_triangle(a.x, a.y, vec3[3](uintBitsToFloat(uvec3(a.zw, b.x)), uintBitsToFloat(b.yzw), uintBitsToFloat(c.xyz)));
}
