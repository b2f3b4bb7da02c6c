// SPDX-License-Identifier: MIT
#include "parts.h"

#include <stdlib.h>
#include <string.h>

// Room for `wanted` items of `size` bytes; ends the program where there is none.
static void *with_room(void *items, uint32_t *room, uint32_t wanted, size_t size)
{
    if (wanted <= *room)
        return items;
    const uint32_t more = 2 * wanted + 256;
    void *moved = demo_get(more, size);
    if (items != NULL)
        memcpy(moved, items, *room * size);
    free(items);
    *room = more;
    return moved;
}

uint32_t demo_add_vertex(demo_parts *parts, double x, double y, double z)
{
    const double p[3] = {x, y, z};
    parts->positions = with_room(parts->positions, &parts->vertex_room, parts->vertex_count + 1, sizeof p);
    memcpy(parts->positions + 3 * (size_t)parts->vertex_count, p, sizeof p);
    return parts->vertex_count++;
}

void demo_add_triangle(demo_parts *parts, uint32_t i, uint32_t j, uint32_t k)
{
    const uint32_t t[3] = {i, j, k};
    parts->indices = with_room(parts->indices, &parts->index_room, parts->index_count + 3, sizeof *parts->indices);
    memcpy(parts->indices + parts->index_count, t, sizeof t);
    parts->index_count += 3;
}

void demo_add_ground(demo_parts *parts, uint32_t cells)
{
    for (uint32_t j = 0; j < cells; j++)
        for (uint32_t i = 0; i < cells; i++) {
            const uint32_t v = j * (cells + 1) + i;
            demo_add_triangle(parts, v, v + cells + 1, v + 1);
            demo_add_triangle(parts, v + 1, v + cells + 1, v + cells + 2);
        }
}

void demo_add_block(demo_parts *parts, double bottom, double x, double z, double to_x, double to_z, double high,
                    double low)
{
    static const uint32_t quads[6][4] = {{0, 1, 2, 3}, {7, 6, 5, 4}, {0, 4, 5, 1},
                                         {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
    const uint32_t first = parts->vertex_count;
    for (int top = 0; top < 2; top++) {
        demo_add_vertex(parts, x, top ? high : bottom, z);
        demo_add_vertex(parts, to_x, top ? low : bottom, z);
        demo_add_vertex(parts, to_x, top ? low : bottom, to_z);
        demo_add_vertex(parts, x, top ? high : bottom, to_z);
    }
    for (int i = 0; i < 6; i++) {
        demo_add_triangle(parts, first + quads[i][0], first + quads[i][1], first + quads[i][2]);
        demo_add_triangle(parts, first + quads[i][0], first + quads[i][2], first + quads[i][3]);
    }
}

grz_mesh *demo_finish_parts(const demo *d, demo_parts *parts)
{
    grz_mesh *mesh = demo_mesh(d, parts->positions, parts->vertex_count, parts->indices, parts->index_count, 0);
    parts->vertex_count = parts->index_count = 0;
    return mesh;
}

void demo_free_parts(demo_parts *parts)
{
    free(parts->positions);
    free(parts->indices);
    *parts = (demo_parts){.positions = NULL};
}
