// SPDX-License-Identifier: MIT
// Appends pairs of records to be tried by determinants (pairs_test.comp), and candidates for the predicates on the
// CPU. A pair that finds no room is counted, and its job is flagged.

layout(std430, binding = GRZ_BIND_VOXEL_PAIRS) buffer pairs_buffer
{
    uvec2 pairs[]; // records
};
layout(location = GRZ_AT_PAIRS_JOBS) uniform uint job_count;
layout(location = GRZ_AT_PAIRS_ROOM) uniform uint pair_room; // pairs that fit, and as many candidates

void add_pair(uint job, uint a, uint b)
{
    uint place = atomicAdd(head.pairs, 1u);
    if (place >= pair_room) {
        atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
        return;
    }
    pairs[place] = uvec2(a, b);
    if (place % GRZ_DISPATCH_GROUP == 0u)
        atomicMax(head.pair_groups.x, place / GRZ_DISPATCH_GROUP + 1u);
}

// `first` is the job and `second` 0, or where all objects share a grid they are the objects of the two triangles.
void add_candidate(uint job, uint first, uint second, uint a, uint b, bool proved)
{
    uint place = atomicAdd(head.candidates, 1u), word = job_answer(job_count) + GRZ_CANDIDATE_WORDS * place;
    if (place >= pair_room) {
        atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
        return;
    }
    answers[word] = first;
    answers[word + 1u] = a;
    answers[word + 2u] = b;
    answers[word + 3u] = (proved ? 1u : 0u) | second << 1;
}
