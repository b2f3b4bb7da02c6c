// SPDX-License-Identifier: MIT
// Pairs of records that were met before: a table of words. A pair's home is its first record's number, scattered by a factor that is odd
// and moved by its second one's: a word that says how far from home it is, and the second number, stands for one pair only.

layout(std430, binding = GRZ_BIND_LAYER_SEEN) buffer seen_buffer
{
    uint seen[];
};
layout(location = GRZ_AT_SEEN_BITS) uniform uint seen_bits; // no record's number has more

// Whether it is new. Where all places that it may have are taken by others the answer is yes, each time.
bool first_time(uvec2 pair)
{
    uint mask = (1u << seen_bits) - 1u, moved = pair.y * 0x85ebca6bu;
    uint home = pair.x * 0x9e3779b1u + (moved ^ moved >> 15);
    for (uint far = 0u; far < GRZ_SEEN_PROBES; far++) {
        uint own = 1u + (pair.y * GRZ_SEEN_PROBES + far), had = atomicCompSwap(seen[(home + far) & mask], 0u, own);
        if (had == 0u)
            return true;
        if (had == own)
            return false;
    }
    return true;
}
