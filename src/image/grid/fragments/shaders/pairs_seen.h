// SPDX-License-Identifier: MIT
// A hash table of the pairs of records that were met before, with open addressing. The home of a pair is the hash of
// the first record plus a hash of the second. A word stores the second record and the distance from home. The factor
// of the first record is odd, so distinct records have distinct hashes, and position, distance and second record
// together determine the pair.

layout(std430, binding = GRZ_BIND_LAYER_SEEN) buffer seen_buffer
{
    uint seen[];
};
layout(location = GRZ_AT_SEEN_BITS) uniform uint seen_bits; // records have numbers below 2^seen_bits

// True if the pair was not met before. If the places that it may have are all taken by others it is true each time.
bool first_time(uvec2 pair)
{
    uint mask = (1u << seen_bits) - 1u, moved = pair.y * 0x85ebca6bu;
    uint home = pair.x * 0x9e3779b1u + (moved ^ moved >> 15);
    for (uint probe = 0u; probe < GRZ_SEEN_PROBES; probe++) {
        uint key = 1u + (pair.y * GRZ_SEEN_PROBES + probe),
             found = atomicCompSwap(seen[(home + probe) & mask], 0u, key);
        if (found == 0u)
            return true;
        if (found == key)
            return false;
    }
    return true;
}
