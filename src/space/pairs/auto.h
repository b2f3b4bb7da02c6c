// SPDX-License-Identifier: MIT
// The broad phase that chooses: sweep and prune, or the grid, by what the last updates did.
#ifndef GRZ_SPACE_PAIRS_AUTO_H
#define GRZ_SPACE_PAIRS_AUTO_H

#include "space/pairs/pairs.h"

typedef struct grz_auto grz_auto;

// As the functions of grz_pairs with these names.
grz_auto *grz_auto_create(const grz_allocator *allocator, grz_simd simd);
void grz_auto_destroy(grz_auto *chooser);
void grz_auto_set_control(grz_auto *chooser, grz_control *control);
bool grz_auto_set(grz_auto *chooser, uint32_t id, const grz_box *box);
void grz_auto_remove(grz_auto *chooser, uint32_t id);
bool grz_auto_update(grz_auto *chooser, const grz_sweep_pair **list, size_t *count);

// How often it changed from one to the other.
uint64_t grz_auto_switches(const grz_auto *chooser);

#endif
