// SPDX-License-Identifier: MIT
// Conservative fragments (layers_capture.h): the lists that a fragment walks through, and which two fragments make a
// pair.

// The head of the next slice's list that is not empty, where slices have lists; 0: there is none. The fragment has
// been in a slice before, so it loses GRZ_LAYER_FIRST_SLICE.
uint next_list(inout uvec4 fragment)
{
    uint link = 0u, last = min((fragment.z >> 16) / uint(GRZ_LAYER_UNITS), GRZ_VOXEL_SLICES - 1u);
    while (head.lists > 1u && link == 0u && fragment.w % GRZ_VOXEL_SLICES < last) {
        fragment.w++;
        fragment.y &= ~GRZ_LAYER_FIRST_SLICE;
        link = heads[fragment.w];
    }
    return link;
}

uint first_of_list(inout uvec4 fragment)
{
    if ((fragment.x & GRZ_LAYER_HEAD) == 0u)
        return fragment.x;
    uint link = heads[head.lists > 1u ? fragment.w : fragment.w / GRZ_VOXEL_SLICES];
    return link != 0u ? link : next_list(fragment);
}

// True if the depths of two fragments overlap, in the first slice that both are in; two small triangles also need the
// first column and the first row of pixels that both are in, so that they pair up once (layers_capture.h).
bool fragments_overlap(uvec4 fragment, uvec4 other)
{
    uint first = fragment.y | other.y, wanted = GRZ_LAYER_FIRST_SLICE; // set in all if a pixel has one list
    if ((fragment.y & other.y & GRZ_LAYER_SMALL) != 0u)
        wanted |= GRZ_LAYER_FIRST_COLUMN | GRZ_LAYER_FIRST_ROW;
    return (first & wanted) == wanted && (other.z & 0xffffu) <= fragment.z >> 16 &&
           other.z >> 16 >= (fragment.z & 0xffffu);
}

uint job_of(uvec4 fragment)
{
    return load_record(fragment.y & GRZ_LAYER_RECORD).job;
}
