// SPDX-License-Identifier: MIT
// Method `slices` from inside: what drawing and analysis hand each other.
#ifndef GRZ_IMAGE_SLICES_H
#define GRZ_IMAGE_SLICES_H

#include "image/shaders/shared.h"
#include "image/view.h"
#include "space/filter.h"

// What an analysis says of a tile of GRZ_TILE × GRZ_TILE pixels (shared.h).
typedef struct grz_tile {
    uint32_t cells, least[3], last[3], unused;
} grz_tile;

// Where a picture's cells hold both objects: how many do, and the least and the last of their columns, rows and slices.
typedef struct grz_slices_found {
    uint64_t cells;
    uint32_t least[3], last[3];
} grz_slices_found;

// How the words of a picture's pixels are laid out: up to 16 slices share a word, the first object's in its lower half; more have words of
// their own, the second object's behind the first one's, four to a target.
static inline uint32_t grz_slices_words(uint32_t slices)
{
    return slices <= 16 ? 1 : (slices + 31) / 32 * 2;
}

static inline uint32_t grz_slices_targets(uint32_t slices)
{
    return (grz_slices_words(slices) + 3) / 4;
}

static inline uint32_t grz_slices_second_bit(uint32_t slices)
{
    return slices <= 16 ? 16 : (slices + 31) / 32 * 32;
}

// Tiles along a side of a view, and in all of it.
static inline uint32_t grz_slices_tiles_across(uint32_t resolution)
{
    return (resolution + GRZ_TILE - 1) / GRZ_TILE;
}

static inline size_t grz_slices_tile_count(uint32_t resolution)
{
    return (size_t)grz_slices_tiles_across(resolution) * grz_slices_tiles_across(resolution);
}

// Find the cells of a picture that was read back, tile by tile: for each of its targets, row after row, one word a pixel for up to 16
// slices, four for more. The twin of the shaders slices_16.comp and slices_512.comp.
void grz_slices_analyse(const uint32_t *const *targets, uint32_t width, uint32_t height, uint32_t slices, grz_tile *tiles);

// Put what the tiles of a view say together: in one group, or in up to `most` groups of tiles that lie side by side and share slices.
// Returns how many groups there are; 0: no tile has a cell. False in `made`: memory is short.
uint32_t grz_slices_group(const grz_tile *tiles, uint32_t across, uint32_t most, const grz_allocator *allocator,
                          grz_slices_found *groups, bool *made);

// The first of some steps at which two objects collide; `objects`: A at step 0, B at step 0, A at step 1, …, poses checked; their meshes
// may be exchanged for copies. *answer
// says so far: no crossing, `first` is `steps`. Inside and out again.
grz_status grz_slices_follow(grz_device *device, grz_object *objects, size_t steps, const grz_slices_options *options,
                             grz_control *control, grz_slices_path_answer *answer, grz_error *error);

#endif
