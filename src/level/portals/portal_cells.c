// SPDX-License-Identifier: MIT
// Cells: shells that bound one space. First the shells, by what is joined around edges; then the shell that goes round
// a component is joined with the shell of another component in whose space it lies, or with the outside.
#include <string.h>

#include "base/control.h"
#include "level/portals/data/forest.h"
#include "level/portals/shells.h"
#include "level/portals/sides.h"
#include "mesh/triangles.h"

static bool reserve(grz_shells *s, uint32_t triangle_count, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t count = triangle_count;
    s->sides = grz_allocate(allocator, 2 * count + 1, sizeof *s->sides);
    s->triangles = grz_allocate(allocator, count, sizeof *s->triangles);
    s->members = grz_allocate(allocator, 2 * count, sizeof *s->members);
    s->of = grz_allocate(allocator, 2 * count, sizeof *s->of);
    return s->sides != NULL && s->triangles != NULL && s->members != NULL && s->of != NULL;
}

static void finish(grz_shells *s, uint32_t triangle_count, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t count = triangle_count;
    grz_release(allocator, s->sides, 2 * count + 1, sizeof *s->sides);
    grz_release(allocator, s->triangles, count, sizeof *s->triangles);
    grz_release(allocator, s->members, 2 * count, sizeof *s->members);
    grz_release(allocator, s->of, 2 * count, sizeof *s->of);
    grz_release(allocator, s->shells, s->room, sizeof *s->shells);
    grz_release(allocator, s->components, s->room, sizeof *s->components);
}

// Number the shells in the order of their lowest sides, and the components in that of their lowest triangles.
static bool list_shells(grz_shells *s, uint32_t triangle_count, grz_control *control)
{
    const uint32_t side_count = 2 * triangle_count;
    for (uint32_t i = 0; i < side_count; i++) {
        const uint32_t root = grz_forest_root(s->sides, i);
        s->of[i] = root == i ? s->count++ : s->of[root];
    }
    s->room = s->count; // there are no more components than shells
    s->shells = grz_allocate_zeroed(grz_control_allocator(control), s->room, sizeof *s->shells);
    s->components = grz_allocate_zeroed(grz_control_allocator(control), s->room, sizeof *s->components);
    if (s->shells == NULL || s->components == NULL)
        return false;
    for (uint32_t t = 0; t < triangle_count; t++)
        if (grz_forest_root(s->triangles, t) == t)
            s->components[s->component_count++] = (grz_component){.triangle = t, .parent = UINT32_MAX};
    return true;
}

static uint32_t component_of(grz_shells *s, uint32_t triangle)
{
    const uint32_t root = grz_forest_root(s->triangles, triangle);
    uint32_t low = 0, high = s->component_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->components[middle].triangle <= root)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void fill_shells(grz_shells *s, uint32_t triangle_count)
{
    const uint32_t side_count = 2 * triangle_count;
    for (uint32_t i = 0; i < side_count; i++)
        s->shells[s->of[i]].count++;
    for (uint32_t i = 0, first = 0; i < s->count; i++) {
        s->shells[i].first = first;
        first += s->shells[i].count;
        s->shells[i].count = 0;
        s->shells[i].box = grz_box_empty();
    }
    for (uint32_t i = 0; i < side_count; i++) {
        grz_shell *shell = &s->shells[s->of[i]];
        double corners[3][3];
        if (shell->count == 0) {
            shell->component = component_of(s, i / 2);
            s->components[shell->component].shells++;
        }
        s->members[shell->first + shell->count++] = i;
        grz_mesh_corners(s->level->all.mesh, i / 2, corners);
        const grz_box box = grz_triangle_box((const double(*)[3])corners);
        grz_box_add_box(&shell->box, &box);
    }
}

// Join what bounds one space, and number the cells: the outside, then in the order of their lowest sides.
static void number_cells(grz_shells *s, grz_portals *level)
{
    const uint32_t side_count = 2 * level->all.count;
    for (uint32_t i = 0; i < s->component_count; i++) {
        const grz_component *component = &s->components[i];
        const uint32_t container_side =
            component->parent != UINT32_MAX ? s->members[s->shells[component->parent].first] : side_count;
        grz_forest_join(s->sides, s->members[s->shells[component->outer].first], container_side);
    }
    const uint32_t outside = grz_forest_root(s->sides, side_count);
    level->cell_count = 1;
    for (uint32_t i = 0; i < side_count; i++) {
        const uint32_t root = grz_forest_root(s->sides, i);
        level->sides[i] = root == outside ? GRZ_PORTALS_OUTSIDE : root == i ? level->cell_count++ : level->sides[root];
    }
}

// `s` has its memory.
static grz_status find(grz_shells *s, grz_portals *level, bool open_walls, grz_control *control, grz_error *error)
{
    const uint32_t count = level->all.count;
    grz_forest_init(s->sides, 2 * (size_t)count + 1);
    grz_forest_init(s->triangles, count);
    grz_status status = grz_sides_join(level, open_walls, s->sides, s->triangles, control, error);
    if (status != GRZ_OK)
        return status;
    if (!list_shells(s, count, control))
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "portals", error);
    fill_shells(s, count);
    status = grz_shells_find_outer(s, control, error);
    if (status == GRZ_OK)
        status = grz_shells_nest(s, control, error);
    if (status == GRZ_OK)
        number_cells(s, level);
    return status;
}

grz_status grz_cells_find(grz_portals *level, bool open_walls, grz_control *control, grz_error *error)
{
    grz_shells s = {.level = level};
    const grz_status status = reserve(&s, level->all.count, control)
                                  ? find(&s, level, open_walls, control, error)
                                  : grz_control_explain(control, GRZ_ERROR_MEMORY, "portals", error);
    finish(&s, level->all.count, control);
    return status;
}
