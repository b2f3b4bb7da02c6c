// SPDX-License-Identifier: MIT
// Conservative fragments (layers_capture.h): the lists that a fragment walks through, and which two fragments make a
// pair.

// The head of the next slice's list that is not empty, where slices have lists; 0: there is none. The fragment has
// been in a slice before, so it loses GRZ_LAYER_FIRST_SLICE.
uint next_list(inout uvec4 own)
{
    uint at = 0u, last = min((own.z >> 16) / uint(GRZ_LAYER_UNITS), GRZ_VOXEL_SLICES - 1u);
    while (head.lists > 1u && at == 0u && own.w % GRZ_VOXEL_SLICES < last) {
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
    uint at = heads[head.lists > 1u ? own.w : own.w / GRZ_VOXEL_SLICES];
    return at != 0u ? at : next_list(own);
}

// True if the depths of two fragments overlap, in the first slice that both are in; two small triangles also need the
// first column and the first row of pixels that both are in, so that they pair up once (layers_capture.h).
bool meets(uvec4 own, uvec4 other)
{
    uint first = own.y | other.y, wanted = GRZ_LAYER_FIRST_SLICE; // set in all if a pixel has one list
    if ((own.y & other.y & GRZ_LAYER_SMALL) != 0u)
        wanted |= GRZ_LAYER_FIRST_COLUMN | GRZ_LAYER_FIRST_ROW;
    return (first & wanted) == wanted && (other.z & 0xffffu) <= own.z >> 16 && other.z >> 16 >= (own.z & 0xffffu);
}

uint job_of(uvec4 own)
{
    return load_record(own.y & GRZ_LAYER_RECORD).job;
}
