// SPDX-License-Identifier: MIT
// Fragments with depths between which their triangles may be, and when two of them make a pair (layers_capture.h).

uint first_of_list(uint next)
{
    return (next & GRZ_LAYER_HEAD) != 0u ? heads[next & ~GRZ_LAYER_HEAD] : next;
}

bool meets(uvec4 own, uvec4 other)
{
    uint first = own.y | other.y,
         wanted = GRZ_LAYER_FIRST_SLICE; // of two objects, all are in the first slice: it has their only list
    if ((own.y & other.y & GRZ_LAYER_SMALL) != 0u)
        wanted |= GRZ_LAYER_FIRST_COLUMN | GRZ_LAYER_FIRST_ROW;
    return (first & wanted) == wanted && (other.z & 0xffffu) <= own.z >> 16 && other.z >> 16 >= (own.z & 0xffffu);
}

uint job_of(uvec4 own)
{
    return load_record(own.y & GRZ_LAYER_RECORD).job;
}
