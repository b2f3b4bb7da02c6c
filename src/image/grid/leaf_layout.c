// SPDX-License-Identifier: MIT
// The layout of a round that compares leaf boxes: the leaves of all objects' meshes, where their boxes are listed, and
// the tasks that compare them. Every job has room for all its leaves, because only the GPU will know which of them
// reach into its region.
#include <assert.h>

#include "base/fail.h"
#include "image/grid/buffers.h"

enum {
    MOST_BOXES = 1 << 21 // in a round; a job alone with more goes to another method
};

static grz_status fail_memory(const grz_grid_call *call, const grz_grid_layout *layout)
{
    return grz_fail(call->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for the leaves of %zu jobs",
                    call->method, layout->job_count);
}

// Get the leaves of all parts, and list the meshes of both sides.
static grz_status find_leaves(grz_grid_layout *layout, const grz_grid_call *call, uint32_t max_faces, bool *fits)
{
    const bool primitives = layout->join == GRZ_JOIN_VOLUMES;
    grz_leaf_layout *l = &layout->leaves;
    uint64_t boxes = 0;
    for (size_t i = 0; i < 2 * layout->part_count; i++) {
        grz_grid_part *part = &layout->parts[i];
        const grz_status status = (primitives ? grz_leaf_buffers_get_primitives : grz_leaf_buffers_get)(
            call->gl, part->mesh, max_faces, call->control, &part->leaves, call->error);
        if (status != GRZ_OK)
            return status;
        const size_t side = i / layout->part_count, number = i % layout->part_count;
        if (number == 0 || part->mesh != part[-1].mesh)
            l->meshes[l->mesh_count++] =
                (grz_leaf_mesh){.side = side, .first_part = number, .first_box = (uint32_t)boxes};
        l->meshes[l->mesh_count - 1].part_count++;
        boxes += part->leaves->leaf_count;
        *fits = *fits && boxes <= MOST_BOXES && part->leaves->most_triangles <= GRZ_LEAF_MOST;
        if (!*fits)
            return GRZ_OK;
    }
    l->box_count = (uint32_t)boxes;
    return GRZ_OK;
}

// Say in each part's place where its boxes are listed, and which mesh it has. The words of its job say it, too.
static void place_boxes(grz_grid_layout *layout)
{
    const grz_leaf_layout *l = &layout->leaves;
    uint32_t most[2] = {1, 1};
    for (size_t m = 0; m < l->mesh_count; m++) {
        const grz_leaf_mesh *mesh = &l->meshes[m];
        grz_grid_part *part = &layout->parts[mesh->side * layout->part_count + mesh->first_part];
        const uint32_t largest = part->leaves->most_triangles;
        most[mesh->side] = largest > most[mesh->side] ? largest : most[mesh->side];
        for (size_t i = 0; i < mesh->part_count; i++, part++) {
            const uint32_t first = mesh->first_box + (uint32_t)i * part->leaves->leaf_count;
            part->place.of[2] = first;
            part->place.of[3] = (uint32_t)m;
            layout->first_marked[part->place.of[0]][mesh->side] = first;
        }
    }
    layout->leaves.chunks =
        ((most[0] + GRZ_LEAF_CHUNK - 1) / GRZ_LEAF_CHUNK) * ((most[1] + GRZ_LEAF_CHUNK - 1) / GRZ_LEAF_CHUNK);
}

// The tasks of a job whose objects have so many leaves. `tasks` NULL: only count them.
static size_t add_tasks(uint32_t job, uint32_t leaves_a, uint32_t leaves_b, grz_leaf_task *tasks)
{
    size_t count = 0;
    for (uint32_t b = 0; b < leaves_b; b += GRZ_DISPATCH_GROUP)
        for (uint32_t a = 0; a < leaves_a; a += GRZ_LEAF_JOIN, count++)
            if (tasks != NULL)
                tasks[count] = (grz_leaf_task){.job = job, .first_b = b, .first_a = a};
    return count;
}

// Make the tasks of all jobs.
static grz_status make_tasks(grz_grid_layout *layout, const grz_grid_call *call)
{
    grz_leaf_layout *l = &layout->leaves;
    uint32_t(*leaves)[2] = grz_allocate(call->allocator, layout->job_count, sizeof *leaves);
    grz_status status = leaves != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < 2 * layout->part_count && leaves != NULL; i++)
        leaves[layout->parts[i].place.of[0]][i / layout->part_count] = layout->parts[i].leaves->leaf_count;
    for (uint32_t i = 0; i < layout->job_count && leaves != NULL; i++)
        l->task_count += add_tasks(i, leaves[i][0], leaves[i][1], NULL);
    if (leaves != NULL)
        l->tasks = grz_allocate(call->allocator, l->task_count, sizeof *l->tasks);
    if (l->tasks == NULL)
        status = GRZ_ERROR_MEMORY;
    size_t count = 0;
    for (uint32_t i = 0; i < layout->job_count && status == GRZ_OK; i++)
        count += add_tasks(i, leaves[i][0], leaves[i][1], l->tasks + count);
    assert(status != GRZ_OK || count == l->task_count);
    grz_release(call->allocator, leaves, layout->job_count, sizeof *leaves);
    return status;
}

grz_status grz_leaf_layout_make(grz_grid_layout *layout, const grz_grid_call *call, const grz_grid_request *request,
                                bool *fits)
{
    grz_leaf_layout *l = &layout->leaves;
    assert(layout->form == GRZ_GRID_PER_PAIR && layout->job_count > 0 && layout->part_count == layout->job_count);
    l->mesh_capacity = 2 * layout->part_count;
    l->meshes = grz_allocate(call->allocator, l->mesh_capacity, sizeof *l->meshes);
    if (l->meshes == NULL)
        return fail_memory(call, layout);
    grz_status status = find_leaves(layout, call, request->max_faces, fits);
    if (status != GRZ_OK || !*fits)
        return status;
    place_boxes(layout);
    status = make_tasks(layout, call);
    return status == GRZ_ERROR_MEMORY ? fail_memory(call, layout) : status;
}

void grz_leaf_layout_release(grz_leaf_layout *leaves, const grz_grid_call *call)
{
    grz_release(call->allocator, leaves->meshes, leaves->mesh_capacity, sizeof *leaves->meshes);
    grz_release(call->allocator, leaves->tasks, leaves->task_count, sizeof *leaves->tasks);
}
