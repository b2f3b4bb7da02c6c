// SPDX-License-Identifier: MIT
// What is handed on: pairs to be tried by determinants, candidates for the predicates.

layout(std430, binding = GRZ_BIND_VOXEL_PAIRS) buffer pairs_buffer
{
    uvec2 pairs[]; // records
};
layout(location = GRZ_AT_PAIRS_JOBS) uniform uint job_count;
layout(location = GRZ_AT_PAIRS_ROOM) uniform uint pair_room; // and as many candidates

void add_pair(uint job, uint a, uint b)
{
    uint place = atomicAdd(answers[GRZ_HEAD_PAIRS], 1u);
    if (place >= pair_room) {
        atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
        return;
    }
    pairs[place] = uvec2(a, b);
    if (place % GRZ_VOXEL_GROUP == 0u)
        atomicMax(answers[GRZ_HEAD_PAIR_GROUPS], place / GRZ_VOXEL_GROUP + 1u);
}

// `first`: the job, or the first triangle's object; `second`: 0, or the second one's.
void add_candidate(uint job, uint first, uint second, uint a, uint b, bool proved)
{
    uint place = atomicAdd(answers[GRZ_HEAD_CANDIDATES], 1u), at = job_answer(job_count) + GRZ_CANDIDATE_WORDS * place;
    if (place >= pair_room) {
        atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
        return;
    }
    answers[at] = first;
    answers[at + 1u] = a;
    answers[at + 2u] = b;
    answers[at + 3u] = (proved ? 1u : 0u) | second << 1;
}
