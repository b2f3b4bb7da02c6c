// SPDX-License-Identifier: MIT
// Pairs kept up to date with the help of a finder, tree or grid (finder.h): which objects changed, enlarged boxes for
// those that move, and which way an update takes.
#ifndef GRZ_SPACE_PAIRS_KEPT_H
#define GRZ_SPACE_PAIRS_KEPT_H

#include "space/pairs/pairs.h"

typedef enum grz_kept_finder {
    GRZ_KEPT_TREE,
    GRZ_KEPT_GRID
} grz_kept_finder;

typedef struct grz_kept grz_kept;

// As the functions of grz_pairs with these names.
grz_kept *grz_kept_create(const grz_allocator *allocator, grz_simd simd, grz_kept_finder finder);
void grz_kept_destroy(grz_kept *kept);
void grz_kept_set_control(grz_kept *kept, grz_control *control);
bool grz_kept_set(grz_kept *kept, uint32_t id, const grz_box *box);
void grz_kept_remove(grz_kept *kept, uint32_t id);
bool grz_kept_update(grz_kept *kept, const grz_sweep_pair **list, size_t *count);
// The box of an object; empty if there is none. `id` was set before.
const grz_box *grz_kept_box(const grz_kept *kept, uint32_t id);

void grz_kept_force(grz_kept *kept, grz_pairs_way way);
const grz_pairs_work *grz_kept_work_done(const grz_kept *kept);

#endif
