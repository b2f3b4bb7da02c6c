// SPDX-License-Identifier: MIT
#include "level/mover/surface/level_triangle.h"

#include <string.h>

#include "level/mover/body/core_vectors.h"
#include "mesh/triangles.h"

static int compare_points(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_corners(const grz_level_triangle *a, int i, const grz_level_triangle *b, int j)
{
    const int order = compare_points(a->corners[i], b->corners[j]);
    return order != 0 ? order : compare_points(a->drift[i], b->drift[j]);
}

static void swap_points(double a[3], double b[3])
{
    double c[3];
    memcpy(c, a, sizeof c);
    memcpy(a, b, sizeof c);
    memcpy(b, c, sizeof c);
}

static void sort_corners(grz_level_triangle *t, int i, int j)
{
    if (compare_corners(t, j, t, i) >= 0)
        return;
    swap_points(t->corners[i], t->corners[j]);
    swap_points(t->drift[i], t->drift[j]);
}

bool grz_level_is_on_way(const grz_level *level, uint32_t object)
{
    return level->time < 1.0 && level->objects[object].moved;
}

// Put the corners where they are at the level's time. They stay between both ends, whatever is rounded.
static void go_back(const grz_level *level, const grz_level_object *o, uint32_t number, grz_level_triangle *out)
{
    double before[3][3];
    grz_world_corners(o->object.mesh, &o->earlier, number, before);
    for (int i = 0; i < 9; i++) {
        const double from = before[i / 3][i % 3], to = out->corners[i / 3][i % 3],
                     at = from + level->time * (to - from);
        const double low = grz_smaller(from, to), high = grz_larger(from, to);
        out->corners[i / 3][i % 3] = grz_smaller(grz_larger(at, low), high);
        out->drift[i / 3][i % 3] = to - out->corners[i / 3][i % 3];
    }
}

void grz_level_triangle_read(const grz_level *level, uint32_t object, uint32_t number, grz_level_triangle *out)
{
    const grz_level_object *o = &level->objects[object];
    *out = (grz_level_triangle){.moved = grz_level_is_on_way(level, object), .object = object, .triangle = number};
    grz_world_corners(o->object.mesh, &o->object.pose, number, out->corners);
    if (out->moved)
        go_back(level, o, number, out);
    for (int i = 0; i < 9; i++) { // no -0
        out->corners[i / 3][i % 3] += 0.0;
        out->drift[i / 3][i % 3] += 0.0;
    }
    sort_corners(out, 0, 1);
    sort_corners(out, 1, 2);
    sort_corners(out, 0, 1);
}

grz_box grz_level_triangle_box(const grz_level *level, const grz_level_triangle *triangle)
{
    grz_box box = grz_triangle_box((const double(*)[3])triangle->corners);
    for (int i = 0; i < 3 && triangle->moved && level->moves; i++) {
        double end[3];
        for (int k = 0; k < 3; k++)
            end[k] = triangle->corners[i][k] + triangle->drift[i][k];
        grz_box_add_point(&box, end);
    }
    return box;
}

int grz_level_triangles_compare(const grz_level_triangle *a, const grz_level_triangle *b)
{
    for (int i = 0; i < 3; i++) {
        const int order = compare_corners(a, i, b, i);
        if (order != 0)
            return order;
    }
    return 0;
}

uint32_t grz_level_face(const grz_level *level, const grz_level_triangle *triangle)
{
    return grz_mesh_triangle_face(level->objects[triangle->object].object.mesh, triangle->triangle);
}
