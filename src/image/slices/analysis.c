// SPDX-License-Identifier: MIT
// The analysis on the CPU, as the method's authors did it: read the pixels back and combine the words of both objects.
// The CPU twin of slices_16.comp and slices_512.comp: same tiles, same results. Source: J. Dinerstein, P. Egbert,
// section 3.
#include "image/slices/slices.h"

#include <assert.h>

static inline int lowest_bit(uint32_t word)
{
    assert(word != 0);
    return __builtin_ctz(word);
}

static inline int highest_bit(uint32_t word)
{
    assert(word != 0);
    return 31 - __builtin_clz(word);
}

static void add_word(grz_tile *tile, uint32_t both, uint32_t first, uint32_t x, uint32_t y)
{
    const uint32_t at[3] = {x, y, first + (uint32_t)lowest_bit(both)},
                   end[3] = {x, y, first + (uint32_t)highest_bit(both)};
    for (int i = 0; i < 3; i++) {
        if (tile->cells == 0 || at[i] < tile->least[i])
            tile->least[i] = at[i];
        if (tile->cells == 0 || end[i] > tile->last[i])
            tile->last[i] = end[i];
    }
    tile->cells += (uint32_t)__builtin_popcount(both);
}

// A row of pixels with one word each. Few pixels hold both objects; the first inner loop skips eight others at a time.
// It has no branch, so the compiler vectorises it.
static void analyse_row_16(const uint32_t *row, uint32_t resolution, uint32_t y, grz_tile *tiles)
{
    for (uint32_t x = 0; x < resolution; x += GRZ_TILE) {
        const uint32_t end = x + GRZ_TILE < resolution ? x + GRZ_TILE : resolution;
        uint32_t any = 0;
        for (uint32_t i = x; i < end; i++)
            any |= row[i] & row[i] >> 16;
        if ((any & 0xffff) == 0)
            continue;
        for (uint32_t i = x; i < end; i++) {
            const uint32_t both = row[i] & row[i] >> 16 & 0xffff;
            if (both != 0)
                add_word(&tiles[x / GRZ_TILE], both, 0, i, y);
        }
    }
}

// A row of pixels with four words a pixel in each target: word number `word` of both objects.
static void analyse_row_512(const uint32_t *first, const uint32_t *second, uint32_t word, uint32_t resolution,
                            uint32_t y, grz_tile *tiles)
{
    for (uint32_t x = 0; x < resolution; x++) {
        const uint32_t both = first[4 * (size_t)x] & second[4 * (size_t)x];
        if (both != 0)
            add_word(&tiles[x / GRZ_TILE], both, 32 * word, x, y);
    }
}

void grz_slices_analyse(const uint32_t *const *targets, uint32_t width, uint32_t height, uint32_t slices,
                        grz_tile *tiles)
{
    const uint32_t across = grz_slices_tiles_across(width), down = grz_slices_tiles_across(height),
                   words = grz_slices_words(slices) / 2;
    for (size_t i = 0; i < (size_t)across * down; i++)
        tiles[i] = (grz_tile){.cells = 0};
    for (uint32_t y = 0; y < height; y++) {
        grz_tile *row = tiles + (size_t)(y / GRZ_TILE) * across;
        if (slices <= 16)
            analyse_row_16(targets[0] + (size_t)y * width, width, y, row);
        for (uint32_t word = 0; slices > 16 && word < words; word++) {
            const uint32_t other = words + word;
            assert(other / 4 < grz_slices_targets(slices));
            const uint32_t *first = targets[word / 4] + 4 * (size_t)y * width + word % 4;
            const uint32_t *second = targets[other / 4] + 4 * (size_t)y * width + other % 4;
            analyse_row_512(first, second, word, width, y, row);
        }
    }
}
