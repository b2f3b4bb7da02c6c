// SPDX-License-Identifier: MIT
// The answers of a round.

layout(std430, binding = GRZ_BIND_VOXEL_ANSWERS) buffer answers_buffer
{
    grz_answer_head head;
    uint answers[]; // words of the jobs, then candidates
};

uint job_answer(uint job)
{
    return job * GRZ_JOB_WORDS;
}
