#version 450
// SPDX-License-Identifier: MIT
// leaves_pairs.comp: find the pairs of triangles of two leaves whose boxes overlap. A work group takes up to
// GRZ_LEAF_CHUNK triangles of each leaf. Triangles outside the other leaf's box are left out first. In: leaf_pairs[],
// listed[], records[]. Out: pairs[], or candidates.
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/leaves/shaders/leaves.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/pair_candidates.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LEAF_PAIRS) readonly buffer leaf_pairs_buffer
{
    uvec2 leaf_pairs[];
};
layout(location = GRZ_AT_LEAF_PAIR_ROOM) uniform uint leaf_pair_room;
layout(location = GRZ_AT_LEAF_RECORD_ROOM) uniform uint record_room;
layout(location = GRZ_AT_LEAF_CHUNKS) uniform uint chunks;
layout(location = GRZ_AT_LEAF_TEST) uniform bool test; // true: pairs_test.comp tries the pairs next; false: they are candidates

shared vec3 group_least[GRZ_DISPATCH_GROUP], group_most[GRZ_DISPATCH_GROUP];
shared uint group_record[GRZ_DISPATCH_GROUP], group_count;

// The box in which a record's triangle lies for certain. False: it does not meet a listed box.
bool bound_record(uint number, listed_box other, out vec3 least, out vec3 most)
{
    record_of_triangle record = load_record(number);
    least = min(record.corners[0], min(record.corners[1], record.corners[2])) - record.grow;
    most = max(record.corners[0], max(record.corners[1], record.corners[2])) + record.grow;
    return all(lessThanEqual(least, other.high)) && all(lessThanEqual(other.low, most));
}

void add(uint job, uint a, uint b)
{
    if (test)
        add_pair(job, a, b);
    else
        add_candidate(job, job, 0u, records[GRZ_RECORD_VECTORS * a].x, records[GRZ_RECORD_VECTORS * b].x, false);
}

void main()
{
    uint number = group_number() / chunks, chunk = group_number() % chunks, local = gl_LocalInvocationIndex;
    if (number >= min(head.leaf_pairs, leaf_pair_room))
        return;
    listed_box a = listed[leaf_pairs[number].x], b = listed[leaf_pairs[number].y];
    uint a_chunks = (a.count + GRZ_LEAF_CHUNK - 1u) / GRZ_LEAF_CHUNK;
    uint a_from = chunk % a_chunks * GRZ_LEAF_CHUNK, b_from = chunk / a_chunks * GRZ_LEAF_CHUNK;
    uint a_end = min(a.count, a_from + GRZ_LEAF_CHUNK), b_end = min(b.count, b_from + GRZ_LEAF_CHUNK);
    // Records that found no room: the job is flagged, and runs again.
    if (b_from >= b.count || a.first_record + a.count > record_room || b.first_record + b.count > record_room)
        return;
    uint job = owner_job(a.owner);
    for (uint tile = a_from; tile < a_end; tile += GRZ_DISPATCH_GROUP) {
        vec3 least, most;
        if (local == 0u)
            group_count = 0u;
        barrier();
        if (tile + local < a_end && bound_record(a.first_record + tile + local, b, least, most)) {
            uint entry = atomicAdd(group_count, 1u);
            group_least[entry] = least;
            group_most[entry] = most;
            group_record[entry] = a.first_record + tile + local;
        }
        barrier();
        for (uint j = b_from + local; j < b_end && group_count > 0u; j += GRZ_DISPATCH_GROUP) {
            if (!bound_record(b.first_record + j, a, least, most))
                continue;
            for (uint i = 0u; i < group_count; i++)
                if (all(lessThanEqual(group_least[i], most)) && all(lessThanEqual(least, group_most[i])))
                    add(job, group_record[i], b.first_record + j);
        }
        barrier();
    }
}
