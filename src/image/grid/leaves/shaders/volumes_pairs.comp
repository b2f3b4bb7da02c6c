#version 450
// SPDX-License-Identifier: MIT
// volumes_pairs.comp: for pairs of leaves, find the faces that reach into the viewing volume of a face of the reference
// object: step 5 of the paper. A work group takes up to GRZ_LEAF_CHUNK faces of each leaf. Faces outside the other
// leaf's box are left out first. Rounding is not covered: this is the discrete answer. In: leaf_pairs[], listed[],
// records[]. Out: candidates.
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/answers.h"
#include "image/grid/leaves/shaders/leaves.h"
#include "image/grid/leaves/shaders/volumes.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/pair_candidates.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_UNITS) readonly buffer units_buffer
{
    vec4 units[]; // of each job; the last is half the thickness of volumes, in cells
};
layout(std430, binding = GRZ_BIND_LEAF_PAIRS) readonly buffer leaf_pairs_buffer
{
    uvec2 leaf_pairs[];
};
layout(location = GRZ_AT_LEAF_PAIR_ROOM) uniform uint leaf_pair_room;
layout(location = GRZ_AT_LEAF_RECORD_ROOM) uniform uint record_room;
layout(location = GRZ_AT_LEAF_CHUNKS) uniform uint chunks;

shared uint group_face[GRZ_DISPATCH_GROUP], group_count;

bool meets(face_record face, listed_box other)
{
    vec3 least, most;
    bound_face(face, least, most);
    return face.count > 0u && all(lessThanEqual(least, other.high)) && all(lessThanEqual(other.low, most));
}

// True if the box of a face meets the box around the viewing volume of another.
bool near(face_record reference, face_record other, float half_thickness)
{
    vec3 least, most, least_other, most_other;
    bound_face(reference, least, most);
    bound_face(other, least_other, most_other);
    return !any(greaterThan(least - 1.001 * half_thickness, most_other)) &&
           !any(greaterThan(least_other, most + 1.001 * half_thickness));
}

void main()
{
    uint number = group_number() / chunks, chunk = group_number() % chunks, local = gl_LocalInvocationIndex;
    if (number >= min(head.leaf_pairs, leaf_pair_room))
        return;
    uvec2 pair = leaf_pairs[number];
    uint job = owner_job(listed[pair.x].owner);
    bool swapped = answers[job_answer(job) + GRZ_JOB_REFERENCE] != 0u; // object B is the reference
    listed_box a = listed[swapped ? pair.y : pair.x], b = listed[swapped ? pair.x : pair.y]; // a: of the reference
    uint a_chunks = (a.count + GRZ_LEAF_CHUNK - 1u) / GRZ_LEAF_CHUNK;
    uint a_from = chunk % a_chunks * GRZ_LEAF_CHUNK, b_from = chunk / a_chunks * GRZ_LEAF_CHUNK;
    uint a_end = min(a.count, a_from + GRZ_LEAF_CHUNK), b_end = min(b.count, b_from + GRZ_LEAF_CHUNK);
    // Records that found no room: the job is flagged, and runs again.
    if (b_from >= b.count || a.first_record + a.count > record_room || b.first_record + b.count > record_room)
        return;
    float half_thickness = units[job].w;
    for (uint tile = a_from; tile < a_end; tile += GRZ_DISPATCH_GROUP) {
        if (local == 0u)
            group_count = 0u;
        barrier();
        if (tile + local < a_end && meets(load_face(a.first_record + tile + local), b))
            group_face[atomicAdd(group_count, 1u)] = a.first_record + tile + local;
        barrier();
        for (uint j = b_from + local; j < b_end && group_count > 0u; j += GRZ_DISPATCH_GROUP) {
            face_record other = load_face(b.first_record + j);
            if (!meets(other, a))
                continue;
            for (uint i = 0u; i < group_count; i++) {
                face_record reference = load_face(group_face[i]);
                if (near(reference, other, half_thickness) && selects(reference, other, half_thickness))
                    add_candidate(job, job, 0u, swapped ? other.triangle : reference.triangle,
                                  swapped ? reference.triangle : other.triangle, false);
            }
        }
        barrier();
    }
}
