// SPDX-License-Identifier: MIT
// The boxes of leaves that a round has listed, and the pairs of them that meet.

struct listed_box {
    vec3 low; // in cells, moved outwards by the bound of the error
    uint leaf;
    vec3 high;
    uint count;        // of the leaf's triangles
    uint owner;        // the job, and from bit 8 on the number of its place
    uint mesh;         // number of the mesh
    uint first_record; // of the leaf's triangles, or GRZ_LEAF_NONE or GRZ_LEAF_PENDING
    uint unused;
};
layout(std430, binding = GRZ_BIND_LEAF_LISTED) buffer listed_buffer
{
    listed_box listed[];
};

uint owner_job(uint owner)
{
    return owner & 0xffu;
}

struct leaf_mesh {
    uint groups_x, groups_y, groups_z; // of the dispatch of leaves_load.comp
    uint wanted;                       // leaves that meet another
    uint first_box;                    // where their list begins
    uint unused[3];
};

bool listed_meet(listed_box a, listed_box b)
{
    return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high));
}
