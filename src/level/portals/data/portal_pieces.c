// SPDX-License-Identifier: MIT
#include "level/portals/data/portal_pieces.h"

grz_portal_corner *grz_portal_add_piece(const grz_allocator *allocator, grz_portal_polygons *polygons, uint32_t count,
                                        double off)
{
    const size_t first = polygons->corners.count;
    if (!grz_array_reserve(allocator, &polygons->corners, first + count) ||
        !grz_array_add(allocator, &polygons->pieces))
        return NULL;
    polygons->corners.count += count;
    polygons->pieces.items[polygons->pieces.count - 1] = (grz_portal_piece){(uint32_t)first, count, off};
    return polygons->corners.items + first;
}
