// SPDX-License-Identifier: MIT
// Convex parts as the caller has them.
#include "ask/convex_parts/convex_parts.h"

#include <math.h>

#include "base/device.h"

struct grz_convex_parts {
    grz_device *device;
    grz_convex_part_list all;
    double rounding;
};

double grz_convex_parts_rounding_at(const double corner[3])
{
    double most = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, nextafter(fabs(corner[k]), HUGE_VAL) - fabs(corner[k]));
    return most;
}

static void finish_list(const grz_allocator *allocator, grz_convex_part_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        grz_hull_shape_finish(allocator, &list->items[i].hull.shape);
    grz_array_finish(allocator, list);
}

grz_status grz_convex_parts_hand_over(grz_device *device, const grz_allocator *allocator, grz_convex_part_list *found,
                                      double rounding, grz_status status, grz_convex_parts **parts)
{
    grz_convex_parts *created = status == GRZ_OK ? grz_allocate(allocator, 1, sizeof *created) : NULL;
    if (created == NULL) {
        finish_list(allocator, found);
        return status != GRZ_OK ? status : GRZ_ERROR_MEMORY;
    }
    *created = (grz_convex_parts){.device = device, .all = *found, .rounding = rounding};
    *found = (grz_convex_part_list){.items = NULL};
    grz_device_retain(device);
    *parts = created;
    return GRZ_OK;
}

void grz_convex_parts_destroy(grz_convex_parts *parts)
{
    if (parts == NULL)
        return;
    grz_device *device = parts->device;
    const grz_allocator *allocator = grz_device_allocator(device);
    finish_list(allocator, &parts->all);
    grz_release(allocator, parts, 1, sizeof *parts);
    grz_device_release(device);
}

uint32_t grz_convex_parts_count(const grz_convex_parts *parts)
{
    return parts != NULL ? (uint32_t)parts->all.count : 0;
}

const grz_hull *grz_convex_part_hull(const grz_convex_parts *parts, uint32_t index)
{
    return parts != NULL && index < parts->all.count ? &parts->all.items[index].hull : NULL;
}

double grz_convex_parts_rounding(const grz_convex_parts *parts)
{
    return parts != NULL ? parts->rounding : 0.0;
}

bool grz_convex_part_error(const grz_convex_parts *parts, uint32_t index, double *lower, double *upper)
{
    if (parts == NULL || index >= parts->all.count)
        return false;
    if (lower != NULL)
        *lower = parts->all.items[index].lower;
    if (upper != NULL)
        *upper = parts->all.items[index].upper;
    return true;
}
