// SPDX-License-Identifier: MIT
// Fragments with depths between which their triangles may be, and when two of them make a pair (layers_capture.h).

// Between two objects, and where slices have lists of their own: that of the next slice that has one, in which the node is not for the first time.
uint next_list(inout uvec4 own)
{
    uint at = 0u, last = min((own.z >> 16) / uint(GRZ_LAYER_UNITS), GRZ_VOXEL_SLICES - 1u);
    while (answers[GRZ_HEAD_LISTS] > 1u && at == 0u && own.w % GRZ_VOXEL_SLICES < last) {
        own.w++;
        own.y &= ~GRZ_LAYER_FIRST_SLICE;
        at = heads[own.w];
    }
    return at;
}

uint first_of_list(inout uvec4 own)
{
    if ((own.x & GRZ_LAYER_HEAD) == 0u)
        return own.x;
    uint at = heads[answers[GRZ_HEAD_LISTS] > 1u ? own.w : own.w / GRZ_VOXEL_SLICES];
    return at != 0u ? at : next_list(own);
}

bool meets(uvec4 own, uvec4 other)
{
    uint first = own.y | other.y, wanted = GRZ_LAYER_FIRST_SLICE; // where a pixel has one list, all are in it for the first time
    if ((own.y & other.y & GRZ_LAYER_SMALL) != 0u)
        wanted |= GRZ_LAYER_FIRST_COLUMN | GRZ_LAYER_FIRST_ROW;
    return (first & wanted) == wanted && (other.z & 0xffffu) <= own.z >> 16 && other.z >> 16 >= (own.z & 0xffffu);
}

uint job_of(uvec4 own)
{
    return load_record(own.y & GRZ_LAYER_RECORD).job;
}
