// SPDX-License-Identifier: MIT
// Method `slices`: its filter, the layout of its pictures, and the steps of the analysis.
#ifndef GRZ_IMAGE_SLICES_SLICES_H
#define GRZ_IMAGE_SLICES_SLICES_H

#include <assert.h>

#include <graze/slices.h>

#include "filter/filter.h"
#include "gpu/view.h"
#include "image/slices/shaders/slices_bindings.h"

extern const grz_filter grz_filter_slices;

// The result for a tile of GRZ_TILE × GRZ_TILE pixels, as shaders write it (shaders/slices_bindings.h).
typedef struct grz_tile {
    uint32_t cells, least[3], last[3], unused;
} grz_tile;

// Cells that hold both objects: how many, and the range of their columns, rows and slices, both ends included.
typedef struct grz_slices_found {
    uint64_t cells;
    uint32_t least[3], last[3];
} grz_slices_found;

// The layout of a pixel. Up to 16 slices: one word, with the first object in its lower half and the second in its
// upper half. More slices: words of the first object, then words of the second, four words to a target.
static inline uint32_t grz_slices_words(uint32_t slices)
{
    assert(slices >= 1 && slices <= GRZ_SLICES_MAX);
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

// The number of tiles along a side of a view, and in all of it.
static inline uint32_t grz_slices_tiles_across(uint32_t resolution)
{
    return (resolution + GRZ_TILE - 1) / GRZ_TILE;
}

static inline size_t grz_slices_tile_count(uint32_t resolution)
{
    return (size_t)grz_slices_tiles_across(resolution) * grz_slices_tiles_across(resolution);
}

// Find the cells that both objects have, tile by tile, in a picture that was read back. Each target holds rows of
// pixels, one word a pixel for up to 16 slices, four words for more. The CPU twin of the shaders slices_16.comp and
// slices_512.comp.
void grz_slices_analyse(const uint32_t *const *targets, uint32_t width, uint32_t height, uint32_t slices,
                        grz_tile *tiles);

// Join the tiles of a view into up to `most` groups of neighbouring tiles that share slices (`most` 1: one group of
// all). Returns the number of groups; 0 if no tile has a cell. False in *made: out of memory.
uint32_t grz_slices_group(const grz_tile *tiles, uint32_t across, uint32_t most, const grz_allocator *allocator,
                          grz_slices_found *groups, bool *has_memory);

// Find the first step at which two moving objects collide. `objects` are A at step 0, B at step 0, A at step 1 and so
// on, with checked poses; their meshes may be replaced by copies in memory. *answer holds "no collision" (`first` is
// `steps`) before the call. The caller must not be inside the device's OpenGL.
grz_status grz_slices_follow(grz_device *device, grz_object *objects, size_t steps, const grz_slices_options *options,
                             grz_control *control, grz_slices_path_answer *answer, grz_error *error);

#endif
