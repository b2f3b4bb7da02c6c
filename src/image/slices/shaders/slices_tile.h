// SPDX-License-Identifier: MIT
// Shared by slices_16.comp and slices_512.comp: a work group collects the cells of its pixels and writes its tile.

layout(local_size_x = GRZ_TILE, local_size_y = GRZ_TILE) in;
layout(std430, binding = GRZ_BIND_TILES) writeonly buffer tiles_buffer
{
    uint tiles[];
};
layout(location = GRZ_AT_TILE_SLICES) uniform uint slices;
layout(location = GRZ_AT_TILE_SIZE) uniform uvec2 size; // of the picture, pixels

shared uint cells, least[3], last[3];

void begin_tile()
{
    if (gl_LocalInvocationIndex == 0u) {
        cells = 0u;
        least[0] = least[1] = least[2] = 0xffffffffu;
        last[0] = last[1] = last[2] = 0u;
    }
    barrier();
}

// Add 32 slices of this pixel: the bits of `both` are cells that hold both objects; bit 0 is slice `first`.
void add_word(uint both, uint first)
{
    if (both == 0u)
        return;
    atomicAdd(cells, uint(bitCount(both)));
    atomicMin(least[0], gl_GlobalInvocationID.x);
    atomicMin(least[1], gl_GlobalInvocationID.y);
    atomicMin(least[2], first + uint(findLSB(both)));
    atomicMax(last[0], gl_GlobalInvocationID.x);
    atomicMax(last[1], gl_GlobalInvocationID.y);
    atomicMax(last[2], first + uint(findMSB(both)));
}

void end_tile()
{
    barrier();
    if (gl_LocalInvocationIndex != 0u)
        return;
    uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * GRZ_TILE_WORDS;
    tiles[word + GRZ_TILE_CELLS] = cells;
    for (uint axis = 0u; axis < 3u; axis++) {
        tiles[word + GRZ_TILE_LEAST + axis] = cells == 0u ? 0u : least[axis];
        tiles[word + GRZ_TILE_LAST + axis] = last[axis];
    }
    tiles[word + 7u] = 0u;
}
