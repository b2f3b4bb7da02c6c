// SPDX-License-Identifier: MIT
// What all structures share: probes, and lists of what is near.
#include "space/structures/structure.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void grz_probe_set_box(grz_probe *probe)
{
    assert(probe->slack[0] >= 0.0 && probe->slack[1] >= 0.0 && probe->slack[2] >= 0.0);
    probe->box = grz_triangle_box((const double(*)[3])probe->corners);
    for (int axis = 0; axis < 3; axis++) {
        const double slack = probe->slack[axis];
        if (slack == HUGE_VAL) { // the corners may be no numbers
            probe->box.min[axis] = -HUGE_VAL;
            probe->box.max[axis] = HUGE_VAL;
        } else if (slack > 0.0) {
            probe->box.min[axis] = nextafter(probe->box.min[axis] - slack, -HUGE_VAL);
            probe->box.max[axis] = nextafter(probe->box.max[axis] + slack, HUGE_VAL);
        }
    }
}

bool grz_near_list_append(grz_near_list *near, const uint32_t *numbers, size_t count, const grz_allocator *allocator)
{
    if (!grz_array_reserve(allocator, near, near->count + count))
        return false;
    if (count > 0)
        memcpy(near->items + near->count, numbers, count * sizeof *numbers);
    near->count += count;
    return true;
}

// Shell's sort: lists are short, and often nearly in order.
static void sort(uint32_t *numbers, size_t count)
{
    for (size_t step = count / 2; step > 0; step = step == 2 ? 1 : step * 5 / 11)
        for (size_t i = step; i < count; i++) {
            const uint32_t number = numbers[i];
            size_t at = i;
            for (; at >= step && numbers[at - step] > number; at -= step)
                numbers[at] = numbers[at - step];
            numbers[at] = number;
        }
}

void grz_near_list_unique(grz_near_list *near)
{
    size_t kept = 0;
    sort(near->items, near->count);
    for (size_t i = 0; i < near->count; i++)
        if (kept == 0 || near->items[i] != near->items[kept - 1])
            near->items[kept++] = near->items[i];
    near->count = kept;
}
