// SPDX-License-Identifier: MIT
// Goes through all triangles of a surface. Which are listed depends on each of them alone, not on their order or on a
// tree, so the same terms are added up whatever the order.
#include "ask/overlap/list.h"

#include "base/control.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 10 // triangles between two checks of the control, as a power of two
};

grz_status grz_prism_list_fill(grz_prism_list *list, const grz_posed_surface *surface, const grz_prism_frame *frame,
                               const grz_box *column, const double range[2], grz_control *control)
{
    const grz_mesh *mesh = surface->object->mesh;
    const grz_allocator *allocator = grz_control_allocator(control);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        double corners[3][3];
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return grz_control_status(control);
        const bool along = grz_side_is_inside(surface, i, true), against = grz_side_is_inside(surface, i, false);
        if (along == against)
            continue;
        grz_world_corners(mesh, &surface->object->pose, i, corners);
        const grz_box box = grz_triangle_box((const double(*)[3])corners);
        if (!grz_boxes_overlap(&box, column))
            continue;
        if (!grz_array_add(allocator, &list->prisms))
            return GRZ_ERROR_MEMORY;
        grz_listed_prism *added = &list->prisms.items[list->prisms.count - 1];
        grz_prism_set(&added->prism, frame, (const double(*)[3])corners);
        if (added->prism.max[2] < range[0] || added->prism.min[2] > range[1])
            grz_prism_flatten(&added->prism, added->prism.max[2] < range[0] ? range[0] : range[1]);
        const bool normal_is_up = (added->prism.turn > 0) != added->prism.turned;
        added->below = normal_is_up ? against : along;
        list->prisms.count -= added->prism.turn == 0;
    }
    return GRZ_OK;
}

void grz_prism_list_finish(grz_prism_list *list, grz_control *control)
{
    grz_array_finish(grz_control_allocator(control), &list->prisms);
}
