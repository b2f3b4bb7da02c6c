// SPDX-License-Identifier: MIT
// Triangles in the order of the Morton codes of their middles, then boxes from the lowest level up. New positions keep
// the order until the groups have grown too much.
#include "space/structures/groups.h"

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "mesh/triangles.h"
#include "space/morton.h"

enum {
    CELLS = 1024,  // of the curve, along each axis
    LOOK_BITS = 12 // triangles between two checks of the control, as a power of two
};

// When the groups have grown by this factor, they are made again.
static const double WORN = 2.0;

static void release(const grz_mesh *mesh, void *state)
{
    grz_groups *groups = state;
    grz_release(mesh->allocator, groups->triangles, groups->triangle_count, sizeof *groups->triangles);
    grz_release(mesh->allocator, groups->boxes, groups->box_count, sizeof *groups->boxes);
    grz_release(mesh->allocator, groups, 1, sizeof *groups);
}

static void count_groups(grz_groups *groups)
{
    size_t count = (groups->triangle_count - 1) / GRZ_GROUP + 1;
    groups->levels = 0;
    groups->first[0] = 0;
    for (;;) {
        assert(groups->levels < GRZ_GROUP_LEVELS);
        groups->first[groups->levels + 1] = groups->first[groups->levels] + count;
        groups->levels++;
        if (count == 1)
            break;
        count = (count - 1) / GRZ_GROUP_PARTS + 1;
    }
    groups->box_count = groups->first[groups->levels];
}

// The Morton code of a triangle's middle.
static uint32_t code_of(const grz_mesh *mesh, const double per_unit[3], uint32_t triangle)
{
    static const double THIRD = 1.0 / 3.0;
    double corners[3][3];
    uint32_t code = 0;
    grz_mesh_corners(mesh, triangle, corners);
    for (int axis = 0; axis < 3; axis++) {
        const double middle = THIRD * corners[0][axis] + THIRD * corners[1][axis] + THIRD * corners[2][axis];
        const double place = (middle - mesh->bounds.min[axis]) * per_unit[axis];
        const uint32_t cell = !(place > 0.0) ? 0 : place < CELLS ? (uint32_t)place : CELLS - 1;
        code |= grz_morton_spread(cell) << axis;
    }
    return code;
}

// Put the triangles in order. False: there is no memory, or the control says to end.
static bool sort_triangles(const grz_mesh *mesh, grz_groups *groups, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t count = groups->triangle_count;
    double largest = 0.0, per_unit[3];
    uint64_t *keys = grz_allocate(allocator, count, 2 * sizeof *keys);
    bool sorted = keys != NULL;
    for (int axis = 0; axis < 3; axis++)
        largest = fmax(largest, mesh->bounds.max[axis] - mesh->bounds.min[axis]);
    for (int axis = 0; axis < 3; axis++)
        per_unit[axis] = fmin(CELLS / largest, 0x1p1000); // a mesh that is one point, or nearly so, too
    for (uint32_t i = 0; i < count && sorted; i++) {
        keys[i] = (uint64_t)code_of(mesh, per_unit, i) << 32 | i;
        sorted = !grz_control_expired_at(control, i, LOOK_BITS);
    }
    sorted = sorted && grz_sort_numbers(keys, keys + count, count, control);
    for (size_t i = 0; i < count && sorted; i++)
        groups->triangles[i] = (uint32_t)keys[i];
    grz_release(allocator, keys, count, 2 * sizeof *keys);
    return sorted;
}

// Fit the boxes, and add up the extents of level 0. False: the control says to end.
static bool fit_boxes(const grz_mesh *mesh, grz_groups *groups, grz_control *control, double *extents)
{
    const size_t lowest = groups->first[1];
    *extents = 0.0;
    for (size_t i = 0; i < lowest; i++)
        groups->boxes[i] = grz_box_empty();
    for (size_t i = 0; i < groups->triangle_count; i++) {
        const uint32_t *vertex = mesh->triangles + (size_t)groups->triangles[i] * 3;
        if (grz_control_expired_at(control, i, LOOK_BITS))
            return false;
        for (int c = 0; c < 3; c++)
            grz_box_add_point(&groups->boxes[i / GRZ_GROUP], grz_mesh_position(mesh, vertex[c]));
    }
    for (size_t i = 0; i < lowest; i++)
        for (int axis = 0; axis < 3; axis++)
            *extents += groups->boxes[i].max[axis] - groups->boxes[i].min[axis];
    for (int level = 1; level < groups->levels; level++) {
        const size_t below = groups->first[level - 1];
        grz_box *boxes = groups->boxes + groups->first[level];
        for (size_t i = 0; i < grz_groups_of_level(groups, level); i++)
            boxes[i] = grz_box_empty();
        for (size_t i = 0; i < grz_groups_of_level(groups, level - 1); i++)
            grz_box_add_box(&boxes[i / GRZ_GROUP_PARTS], &groups->boxes[below + i]);
    }
    return true;
}

// False: there is no memory, or the control says to end.
static bool make(const grz_mesh *mesh, grz_groups *groups, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    groups->triangle_count = mesh->triangle_count;
    count_groups(groups);
    groups->triangles = grz_allocate(allocator, groups->triangle_count, sizeof *groups->triangles);
    groups->boxes = grz_allocate(allocator, groups->box_count, sizeof *groups->boxes);
    return groups->triangles != NULL && groups->boxes != NULL && sort_triangles(mesh, groups, control) &&
           fit_boxes(mesh, groups, control, &groups->extents);
}

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    static const char what[] = "groups of triangles";
    double extents;
    if (*state != NULL && fit_boxes(mesh, *state, control, &extents) &&
        extents <= WORN * ((grz_groups *)*state)->extents)
        return GRZ_OK;
    if (*state != NULL)
        release(mesh, *state);
    *state = NULL;
    if (grz_control_expired(control))
        return grz_control_explain(control, grz_control_status(control), what, error);
    grz_groups *groups = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof *groups);
    if (groups != NULL && make(mesh, groups, control)) {
        *state = groups;
        return GRZ_OK;
    }
    if (groups != NULL)
        release(mesh, groups);
    const grz_status status = grz_control_status(control);
    return grz_control_explain(control, status != GRZ_OK ? status : GRZ_ERROR_MEMORY, what, error);
}

const grz_slot_type grz_groups_slot_type = {prepare, release};
