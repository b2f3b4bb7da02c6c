// SPDX-License-Identifier: MIT
// Objects in cells. Every cell that meets a box has a face that meets it, or has the whole box in it. So the cells on
// both sides of all faces near the box, and the cell of its middle, are all that the object may be in. In a level
// with a BSP tree, the tree tells.
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "level/portals/bsp/bsp_cells.h"
#include "level/portals/portal_cells.h"
#include "level/portals/data/near_triangles.h"
#include "mesh/object_check.h"

static const double LARGEST = 0x1p100; // of what the caller gives, as <graze/portals.h> says

static grz_status out_of_memory(grz_error *error)
{
    return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "portals: out of memory for an object");
}

// ---- Which cells --------------------------------------------------------------------------------------------------

typedef struct search {
    const grz_portals *level;
    grz_content *content;
    bool failed;
} search;

static bool add_cell(search *s, uint32_t cell)
{
    for (size_t i = 0; i < s->content->cells.count; i++)
        if (s->content->cells.items[i] == cell)
            return true;
    if (!grz_array_add(s->level->allocator, &s->content->cells)) {
        s->failed = true;
        return false;
    }
    s->content->cells.items[s->content->cells.count - 1] = cell;
    return true;
}

static bool add_sides(void *context, uint32_t triangle)
{
    search *s = context;
    const uint32_t *sides = s->level->sides + 2 * (size_t)triangle;
    return add_cell(s, sides[0]) && add_cell(s, sides[1]);
}

static bool add_leaf(void *context, uint32_t cell)
{
    return add_cell(context, cell);
}

// The box of the object's way, grown by the margin.
static grz_box box_of(const grz_portals *level, const grz_content *content)
{
    grz_box box = grz_world_box(&content->object.pose, &content->object.mesh->bounds);
    if (content->moved) {
        const grz_box before = grz_world_box(&content->earlier, &content->object.mesh->bounds);
        grz_box_add_box(&box, &before);
    }
    return grz_box_grown(&box, level->margin);
}

static grz_status find_cells(const grz_portals *level, grz_content *content, grz_call *call)
{
    grz_error *error = call->error;
    const grz_box box = box_of(level, content);
    search s = {.level = level, .content = content};
    const grz_bvh *bvh;
    double middle[3];
    uint32_t searched = 0;
    content->cells.count = 0;
    if (level->nodes.count > 0)
        return grz_bsp_visit(level, &box, add_leaf, &s) ? GRZ_OK : out_of_memory(error);
    for (int k = 0; k < 3; k++)
        middle[k] = fmin(fmax(0.5 * box.min[k] + 0.5 * box.max[k], box.min[k]), box.max[k]);
    const grz_status status = grz_mesh_bvh(level->all.mesh, &call->control, &bvh, error);
    if (status != GRZ_OK)
        return status;
    return add_cell(&s, grz_cells_search(level, middle, &call->control, &searched)) &&
                   grz_near_visit(level->all.mesh, bvh, &box, add_sides, &s)
               ? GRZ_OK
               : out_of_memory(error);
}

// Room first, so that registering cannot fail half-way.
static bool reserve(grz_portals *level, const grz_content *content)
{
    for (size_t i = 0; i < content->cells.count; i++) {
        grz_cell *cell = &level->cells[content->cells.items[i]];
        if (!grz_array_reserve(level->allocator, &cell->contents, cell->contents.count + 1))
            return false;
    }
    return true;
}

// Contents are in ascending order, so that nothing depends on what happened before.
static void enter(grz_portals *level, const grz_content *content, uint32_t number)
{
    for (size_t i = 0; i < content->cells.count; i++) {
        grz_cell *cell = &level->cells[content->cells.items[i]];
        size_t at = cell->contents.count++;
        for (; at > 0 && cell->contents.items[at - 1] > number; at--)
            cell->contents.items[at] = cell->contents.items[at - 1];
        cell->contents.items[at] = number;
    }
}

static void leave(grz_portals *level, const grz_content *content, uint32_t number)
{
    for (size_t i = 0; i < content->cells.count; i++) {
        grz_cell *cell = &level->cells[content->cells.items[i]];
        size_t at = 0;
        while (cell->contents.items[at] != number)
            at++;
        cell->contents.count--;
        for (; at < cell->contents.count; at++)
            cell->contents.items[at] = cell->contents.items[at + 1];
    }
}

// Put `wanted` in the place of a content. On failure nothing has changed.
static grz_status replace(grz_portals *level, uint32_t number, const grz_content *wanted, grz_call *call)
{
    grz_content next = *wanted, *content = &level->contents.items[number];
    memset(&next.cells, 0, sizeof next.cells);
    grz_status status = find_cells(level, &next, call);
    if (status == GRZ_OK && !reserve(level, &next))
        status = out_of_memory(call->error);
    if (status != GRZ_OK) {
        grz_array_finish(level->allocator, &next.cells);
        return status;
    }
    if (content->used)
        leave(level, content, number);
    grz_array_finish(level->allocator, &content->cells);
    level->moved += (uint32_t)next.moved - (uint32_t)(content->used && content->moved);
    *content = next;
    enter(level, content, number);
    return GRZ_OK;
}

// ---- The calls ----------------------------------------------------------------------------------------------------

static grz_status check(const grz_object *object, uint64_t element, grz_error *error)
{
    const grz_status status = grz_object_check("portals", object, "the object", element, error);
    if (status != GRZ_OK)
        return status;
    const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
    for (int k = 0; k < 3; k++)
        if (!(fabs(box.min[k]) <= LARGEST && fabs(box.max[k]) <= LARGEST))
            return grz_fail(error, GRZ_ERROR_UNSUPPORTED, element, "portals: the object has coordinates above 2^100");
    return GRZ_OK;
}

static grz_status check_number(const grz_portals *level, uint32_t number, grz_error *error)
{
    if (level == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the level is NULL");
    if (number >= level->contents.count || !level->contents.items[number].used)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, number, "portals: there is no object %u", number);
    return GRZ_OK;
}

static grz_status add(grz_portals *level, const grz_object *object, uint32_t *number, grz_call *call)
{
    grz_status status = check(object, GRZ_NO_ELEMENT, call->error);
    if (status != GRZ_OK)
        return status;
    uint32_t at = 0;
    while (at < level->contents.count && level->contents.items[at].used)
        at++;
    if (at == level->contents.count) {
        if (!grz_array_add(level->allocator, &level->contents))
            return out_of_memory(call->error);
        level->contents.items[at] = (grz_content){.used = false};
    }
    const grz_content content = {.object = *object, .earlier = object->pose, .used = true};
    status = replace(level, at, &content, call);
    *number = at;
    return status;
}

grz_status grz_portals_add(grz_portals *level, const grz_object *object, uint32_t *number, grz_error *error)
{
    if (level == NULL || number == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "portals: the %s is NULL",
                        level == NULL ? "level" : "number");
    grz_call call;
    grz_status status = grz_call_begin(&call, "portals", level->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = add(level, object, number, &call);
    return grz_call_end(&call, status);
}

grz_status grz_portals_move(grz_portals *level, uint32_t number, const grz_pose *pose, grz_error *error)
{
    grz_status status = check_number(level, number, error);
    if (status != GRZ_OK)
        return status;
    if (pose == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, number, "portals: the pose is NULL");
    grz_call call;
    grz_content content = level->contents.items[number];
    content.object.pose = *pose;
    if (!content.moved)
        content.earlier = level->contents.items[number].object.pose;
    content.moved = true;
    status = grz_call_begin(&call, "portals", level->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = check(&content.object, number, error);
    if (status == GRZ_OK)
        status = replace(level, number, &content, &call);
    return grz_call_end(&call, status);
}

grz_status grz_portals_rest(grz_portals *level, grz_error *error)
{
    if (level == NULL)
        return GRZ_OK;
    grz_call call;
    grz_status status = grz_call_begin(&call, "portals", level->device, NULL, NULL, NULL, error);
    for (size_t i = 0; i < level->contents.count && status == GRZ_OK; i++) {
        grz_content content = level->contents.items[i];
        if (!content.used || !content.moved)
            continue;
        content.moved = false;
        content.earlier = content.object.pose;
        status = replace(level, (uint32_t)i, &content, &call);
    }
    return grz_call_end(&call, status);
}

grz_status grz_portals_remove(grz_portals *level, uint32_t number, grz_error *error)
{
    const grz_status status = check_number(level, number, error);
    if (status != GRZ_OK)
        return status;
    leave(level, &level->contents.items[number], number);
    grz_array_finish(level->allocator, &level->contents.items[number].cells);
    level->moved -= level->contents.items[number].moved;
    level->contents.items[number] = (grz_content){.used = false};
    return GRZ_OK;
}
