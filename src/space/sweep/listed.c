// SPDX-License-Identifier: MIT
// Sets the box that the lists shall hold for an object: its own, or its fat AABB (fat_boxes.c).
#include "space/sweep/sweep_parts.h"

void grz_sweep_set_listed(grz_sweep *sweep, uint32_t id, const grz_box *box)
{
    grz_box *now = &sweep->boxes.items[id];
    assert(id < sweep->boxes.count);
    if (grz_sweep_same_box(now, box))
        return;
    sweep->live += grz_box_is_empty(box) ? 0 : 1;
    assert(grz_box_is_empty(now) || sweep->live > 0);
    sweep->live -= grz_box_is_empty(now) ? 0 : 1;
    *now = *box;
    if (!grz_sweep_bit(&sweep->changed_bits, id)) {
        sweep->changed_bits.items[id >> 6] |= UINT64_C(1) << (id & 63u);
        assert(sweep->changed.count < sweep->boxes.count);
        sweep->changed.items[sweep->changed.count++] = id;
    }
}
