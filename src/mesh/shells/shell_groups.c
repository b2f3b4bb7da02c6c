// SPDX-License-Identifier: MIT
// Volumes are sums of determinants: first in doubles, about the group's first corner and with a bound of the rounding
// errors; where that does not decide, in big integers.
#include "mesh/shells/shell_groups.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "geometry/exact/integer.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 13, // triangles or edges between two checks of the control, as a power of two
    EXACT_CHECK_BITS = 7
};

// Relative to what is added up, each twice what is derived at estimate().
#define PRODUCT_ERROR 0x1p-49
#define SUM_ERROR 0x1p-52
// Of what may underflow of a triangle: fewer than 2^14 roundings of at most the smallest double, 2^-1074.
#define UNDERFLOW_ERROR 0x1p-1060

// ---- Closed, balanced ----

static void judge(grz_shell_groups *groups, uint32_t group, size_t sides, size_t up)
{
    if (sides % 2 != 0)
        groups->closed[group] = false;
    if (2 * up != sides)
        groups->balanced[group] = false;
}

// The sides of several groups on one edge. `room`: twice edge->count numbers.
static bool judge_mixed(grz_shell_groups *groups, const grz_shell_edge *edge, uint64_t *room, grz_control *control)
{
    assert(edge->count > 1 && room != NULL);
    for (size_t i = 0; i < edge->count; i++)
        room[i] = (uint64_t)groups->of_faces[grz_side_face(groups->mesh, edge->sides[i])] << 1 |
                  grz_side_runs_up(edge->sides[i]);
    if (!grz_sort_numbers(room, room + edge->count, edge->count, control))
        return false;
    for (size_t i = 0, end, up; i < edge->count; i = end) {
        for (end = i, up = 0; end < edge->count && room[end] >> 1 == room[i] >> 1; end++)
            up += room[end] & 1;
        judge(groups, (uint32_t)(room[i] >> 1), end - i, up);
    }
    return true;
}

static grz_status judge_edges(grz_shell_groups *groups, const grz_shell_edges *edges, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    GRZ_ARRAY(uint64_t) room = {0};
    grz_edge_place place = {0};
    grz_shell_edge edge;
    grz_status status = GRZ_OK;
    for (size_t step = 0; status == GRZ_OK && grz_shell_edges_next(edges, &place, &edge); step++) {
        const uint32_t first = groups->of_faces[grz_side_face(groups->mesh, edge.sides[0])];
        size_t up = 0, same = 0;
        for (; same < edge.count && groups->of_faces[grz_side_face(groups->mesh, edge.sides[same])] == first; same++)
            up += grz_side_runs_up(edge.sides[same]);
        if (same == edge.count)
            judge(groups, first, same, up);
        else if (!grz_array_reserve(allocator, &room, 2 * edge.count))
            status = GRZ_ERROR_MEMORY;
        else if (!judge_mixed(groups, &edge, room.items, control))
            status = grz_control_status(control);
        if (grz_control_expired_at(control, step, CHECK_BITS))
            status = grz_control_status(control);
    }
    grz_array_finish(allocator, &room);
    return status;
}

// ---- Volumes ----

static void list_triangles(grz_shell_groups *groups)
{
    const grz_mesh *mesh = groups->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        groups->starts[(size_t)groups->of_faces[grz_mesh_triangle_face(mesh, t)] + 2]++;
    for (size_t g = 0; g < groups->count; g++)
        groups->starts[g + 2] += groups->starts[g + 1];
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        groups->triangles[groups->starts[(size_t)groups->of_faces[grz_mesh_triangle_face(mesh, t)] + 1]++] = t;
}

// Six times the volume, with a bound of its error. Each of the six products of a determinant is rounded eight times at
// most (three differences, three products, two sums), by 2^-53 each, and the bound itself is rounded. The sum over n
// triangles has 3n terms.
static grz_group_volume estimate(const grz_shell_groups *groups, uint32_t group)
{
    const size_t first = groups->starts[group], end = groups->starts[(size_t)group + 1];
    const double *origin =
        grz_mesh_position(groups->mesh, groups->mesh->triangles[3 * (size_t)groups->triangles[first]]);
    double sum = 0.0, magnitude = 0.0;
    for (size_t i = first; i < end; i++) {
        double c[3][3];
        grz_mesh_corners(groups->mesh, groups->triangles[i], c);
        for (int k = 0; k < 9; k++)
            c[k / 3][k % 3] -= origin[k % 3];
        for (int k = 0; k < 3; k++) {
            const int x = (k + 1) % 3, y = (k + 2) % 3;
            const double plus = c[1][x] * c[2][y], minus = c[1][y] * c[2][x];
            sum += c[0][k] * (plus - minus);
            magnitude += fabs(c[0][k]) * (fabs(plus) + fabs(minus));
        }
    }
    const double count = (double)(end - first);
    return (grz_group_volume){sum, (PRODUCT_ERROR + 3.0 * count * SUM_ERROR) * magnitude + count * UNDERFLOW_ERROR};
}

// The shift that makes all coordinates of a group integers.
static int shift_of(const grz_shell_groups *groups, uint32_t group)
{
    int shift = -1024; // below that of any coordinate
    for (size_t i = groups->starts[group]; i < groups->starts[(size_t)group + 1]; i++) {
        const uint32_t *vertex = groups->mesh->triangles + 3 * (size_t)groups->triangles[i];
        const double *points[3];
        for (int k = 0; k < 3; k++)
            points[k] = grz_mesh_position(groups->mesh, vertex[k]);
        const int own = grz_integer_common_shift(points, 3, 3);
        shift = own > shift ? own : shift;
    }
    return shift;
}

// Six times the volume of a group, times 2^(3 · shift).
static void add_up(const grz_shell_groups *groups, uint32_t group, int shift, grz_integer *sum)
{
    grz_integer corner[3][3], product, before;
    grz_integer_from_double(0.0, 0, sum);
    for (size_t i = groups->starts[group]; i < groups->starts[(size_t)group + 1]; i++) {
        double c[3][3];
        if (grz_control_expired_at(groups->control, i, EXACT_CHECK_BITS))
            return;
        grz_mesh_corners(groups->mesh, groups->triangles[i], c);
        for (int k = 0; k < 9; k++)
            grz_integer_from_double(c[k / 3][k % 3], shift, &corner[k / 3][k % 3]);
        grz_integer_determinant3(corner[0], corner[1], corner[2], &product);
        grz_integer_copy(sum, &before);
        grz_integer_add(&before, &product, 1, sum);
    }
}

int grz_shell_group_sign(const grz_shell_groups *groups, uint32_t group)
{
    const grz_group_volume *volume = &groups->volumes[group];
    grz_integer sum;
    if (fabs(volume->sum) > volume->bound)
        return volume->sum > 0.0 ? 1 : -1;
    add_up(groups, group, shift_of(groups, group), &sum);
    return sum.sign;
}

int grz_shell_group_compare(const grz_shell_groups *groups, uint32_t one, uint32_t other)
{
    const grz_group_volume *a = &groups->volumes[one], *b = &groups->volumes[other];
    grz_integer sum_a, sum_b;
    // The difference and the sum of the bounds are rounded, too.
    if (fabs(a->sum - b->sum) > 2.0 * (a->bound + b->bound))
        return a->sum > b->sum ? 1 : -1;
    const int shift_a = shift_of(groups, one), shift_b = shift_of(groups, other);
    const int shift = shift_a > shift_b ? shift_a : shift_b;
    add_up(groups, one, shift, &sum_a);
    add_up(groups, other, shift, &sum_b);
    return grz_integer_compare(&sum_a, &sum_b);
}

// ---- Boxes ----

grz_box grz_shell_group_box(const grz_shell_groups *groups, uint32_t group)
{
    grz_box box = grz_box_empty();
    for (size_t i = groups->starts[group]; i < groups->starts[(size_t)group + 1]; i++) {
        const uint32_t *vertex = groups->mesh->triangles + 3 * (size_t)groups->triangles[i];
        for (int k = 0; k < 3; k++)
            grz_box_add_point(&box, grz_mesh_position(groups->mesh, vertex[k]));
    }
    return box;
}

bool grz_shell_box_holds(const grz_box *outer, const grz_box *inner)
{
    for (int axis = 0; axis < 3; axis++)
        if (inner->min[axis] < outer->min[axis] || inner->max[axis] > outer->max[axis])
            return false;
    return true;
}

// ---- All of it ----

grz_status grz_shell_groups_init(grz_shell_groups *groups, const grz_shell_edges *edges, const uint32_t *of_faces,
                                 uint32_t count, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_mesh *mesh = edges->mesh;
    *groups = (grz_shell_groups){.mesh = mesh, .control = control, .count = count, .of_faces = of_faces};
    groups->closed = grz_allocate(allocator, count, sizeof *groups->closed);
    groups->balanced = grz_allocate(allocator, count, sizeof *groups->balanced);
    groups->volumes = grz_allocate(allocator, count, sizeof *groups->volumes);
    groups->starts = grz_allocate_zeroed(allocator, (size_t)count + 2, sizeof *groups->starts);
    groups->triangles = grz_allocate(allocator, mesh->triangle_count, sizeof *groups->triangles);
    if (groups->closed == NULL || groups->balanced == NULL || groups->volumes == NULL || groups->starts == NULL ||
        groups->triangles == NULL)
        return GRZ_ERROR_MEMORY;
    memset(groups->closed, true, count * sizeof *groups->closed);
    memset(groups->balanced, true, count * sizeof *groups->balanced);
    list_triangles(groups);
    for (uint32_t g = 0; g < count; g++) {
        if (grz_control_expired_at(control, g, CHECK_BITS))
            return grz_control_status(control);
        groups->volumes[g] = estimate(groups, g);
    }
    return judge_edges(groups, edges, control);
}

void grz_shell_groups_finish(const grz_allocator *allocator, grz_shell_groups *groups)
{
    if (groups->mesh == NULL)
        return;
    grz_release(allocator, groups->closed, groups->count, sizeof *groups->closed);
    grz_release(allocator, groups->balanced, groups->count, sizeof *groups->balanced);
    grz_release(allocator, groups->volumes, groups->count, sizeof *groups->volumes);
    grz_release(allocator, groups->starts, (size_t)groups->count + 2, sizeof *groups->starts);
    grz_release(allocator, groups->triangles, groups->mesh->triangle_count, sizeof *groups->triangles);
    *groups = (grz_shell_groups){.mesh = NULL};
}
