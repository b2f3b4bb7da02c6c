// SPDX-License-Identifier: MIT
// Fits leaf boxes to new positions: all leaves, on all threads of the device if there are many vertices.
#include "base/control.h"
#include "base/device.h"
#include "mesh/leaves/leaf_boxes.h"

enum {
    SHARED_VERTICES = 1 << 16, // with fewer in total another thread would be too late to help
    TASKS_EACH = 4             // tasks a thread
};

grz_leaf_refit *grz_leaf_refit_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_leaf_refit);
}

typedef struct refit {
    grz_leaf_boxes *leaves;
    const grz_mesh *mesh;
    grz_leaf_refit *of_width;
    grz_control *control;
    size_t tasks;
} refit;

static void refit_part(size_t index, void *context)
{
    const refit *r = context;
    grz_leaf_boxes *leaves = r->leaves;
    const uint64_t count = leaves->leaf_count;
    const uint32_t first = (uint32_t)(count * index / r->tasks), end = (uint32_t)(count * (index + 1) / r->tasks);
    if (!grz_control_expired(r->control))
        r->of_width(r->mesh->positions, leaves, first, end);
}

grz_status grz_leaf_boxes_refit(grz_leaf_boxes *leaves, const grz_mesh *mesh, grz_control *control)
{
    refit r = {.leaves = leaves,
               .mesh = mesh,
               .of_width = grz_leaf_refit_for(grz_device_simd(mesh->device)),
               .control = control,
               .tasks = 1};
    assert(mesh->triangle_count == leaves->triangle_count && mesh->source == NULL);
    if (leaves->version == mesh->version)
        return GRZ_OK;
    if (leaves->vertex_total >= SHARED_VERTICES)
        r.tasks = (size_t)TASKS_EACH * grz_device_threads(mesh->device);
    if (r.tasks == 1)
        refit_part(0, &r);
    else
        grz_parallel(mesh->device, r.tasks, refit_part, &r);
    if (grz_control_status(control) != GRZ_OK)
        return grz_control_status(control);
    leaves->whole = grz_box_empty();
    for (uint32_t i = 0; i < leaves->leaf_count; i++)
        grz_box_add_box(&leaves->whole, &leaves->boxes[i]);
    leaves->version = mesh->version;
    return GRZ_OK;
}
