// SPDX-License-Identifier: MIT
// Goes through all triangles of a surface. Which are listed depends on each of them alone, not on their order or on a
// tree, so the same terms are added up whatever the order.
#include "ask/overlap/list.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/rounding.h"
#include "geometry/exact/predicates.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 10 // triangles between two checks of the control, as a power of two
};

typedef struct filling {
    grz_prism_list *list;
    const grz_measured *solid;
    const grz_prism_frame *frame;
    double window[2][2]; // the column, in the frame
    const double *range;
    grz_control *control;
} filling;

static grz_listed_prism *add(const filling *f)
{
    return grz_array_add(grz_control_allocator(f->control), &f->list->prisms)
               ? &f->list->prisms.items[f->list->prisms.count - 1]
               : NULL;
}

// On which sides of a triangle the solid is: `along` its normal, and `against` it. False: on parts of it, on others.
static bool find_sides(const filling *f, uint32_t triangle, bool *along, bool *against)
{
    const grz_posed_border *border = &f->solid->border;
    if (!f->solid->meets_itself) {
        *along = grz_side_is_inside(&f->solid->surface, triangle, true);
        *against = grz_side_is_inside(&f->solid->surface, triangle, false);
        return true;
    }
    const unsigned char sides = border->border->sides[triangle];
    *along = (sides & (border->mirrored ? GRZ_OTHER_SIDE_INSIDE : GRZ_NORMAL_SIDE_INSIDE)) != 0;
    *against = (sides & (border->mirrored ? GRZ_NORMAL_SIDE_INSIDE : GRZ_OTHER_SIDE_INSIDE)) != 0;
    return sides != 0;
}

static grz_status add_whole(const filling *f, const double corners[3][3], bool along, bool against)
{
    if (along == against)
        return GRZ_OK;
    grz_listed_prism *added = add(f);
    if (added == NULL)
        return GRZ_ERROR_MEMORY;
    grz_prism_set(&added->prism, f->frame, corners);
    if (added->prism.max[2] < f->range[0] || added->prism.min[2] > f->range[1])
        grz_prism_flatten(&added->prism, added->prism.max[2] < f->range[0] ? f->range[0] : f->range[1]);
    const bool normal_is_up = (added->prism.turn > 0) != added->prism.turned;
    added->below = normal_is_up ? against : along;
    added->part = false;
    f->list->prisms.count -= added->prism.turn == 0;
    return GRZ_OK;
}

static grz_status add_doubtful(const filling *f, const grz_doubtful *doubtful)
{
    if (!grz_array_add(grz_control_allocator(f->control), &f->list->doubtful))
        return GRZ_ERROR_MEMORY;
    f->list->doubtful.items[f->list->doubtful.count - 1] = *doubtful;
    return GRZ_OK;
}

// The volume that a triangle passes through from where it is exactly to where rounding puts it: half the product of its
// normal and of the way, of which both change a little on the way.
static grz_status add_moved(const filling *f, const double corners[3][3])
{
    grz_doubtful moved = {.wrong = 0.0, .is_moved = true};
    double way[3], wide[3], sum = 0.0;
    grz_prism whole;
    grz_prism_set(&whole, f->frame, corners);
    for (int k = 0; k < 3; k++) {
        way[k] = f->solid->moved[f->frame->axis[k]] * f->frame->scale[k];
        moved.box.min[k] = whole.min[k] - way[k] * 2.0;
        moved.box.max[k] = whole.max[k] + way[k] * 2.0;
        wide[k] = whole.max[k] - whole.min[k];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double normal = fabs(whole.normal[k].high) + DBL_EPSILON * whole.sizes[k];
        sum += way[k] * (normal + 4.0 * (way[i] * wide[j] + way[j] * wide[i]) + 8.0 * way[i] * way[j]);
    }
    moved.wrong = sum * (1.0 + 0x1p-40) + GRZ_UNDERFLOWS; // twice half the sum
    return add_doubtful(f, &moved);
}

// A leaf, as a fan around its first corner.
static grz_status add_leaf(const filling *f, const grz_prism *whole, const grz_leaf *leaf)
{
    for (int i = 1; i + 1 < leaf->count; i++) {
        double outline[3][2];
        memcpy(outline[0], leaf->corners[0], sizeof outline[0]);
        memcpy(outline[1], leaf->corners[i], sizeof outline[1]);
        memcpy(outline[2], leaf->corners[i + 1], sizeof outline[2]);
        if (grz_orient2d(outline[0], outline[1], outline[2]) == 0)
            continue;
        grz_listed_prism *added = add(f);
        if (added == NULL)
            return GRZ_ERROR_MEMORY;
        grz_prism_part(whole, (const double(*)[2])outline, f->list->leaves.slack, &added->prism);
        added->below = leaf->below;
        added->part = true;
    }
    return GRZ_OK;
}

static grz_status add_leaves(const filling *f, uint32_t triangle, const double corners[3][3])
{
    grz_leaves *leaves = &f->list->leaves;
    grz_prism whole;
    grz_prism_set(&whole, f->frame, corners);
    if (whole.turn == 0)
        return GRZ_OK;
    grz_status status = grz_leaves_cut(leaves, &f->solid->border, triangle, f->frame, &whole, f->window, f->control);
    for (size_t i = 0; i < leaves->leaves.count && status == GRZ_OK; i++)
        status = add_leaf(f, &whole, &leaves->leaves.items[i]);
    if (status != GRZ_OK)
        return status;
    const grz_doubtful doubtful = {
        .box = {{whole.min[0], whole.min[1], -HUGE_VAL}, {whole.max[0], whole.max[1], HUGE_VAL}},
        .wrong = leaves->wrong};
    return add_doubtful(f, &doubtful);
}

grz_status grz_prism_list_fill(grz_prism_list *list, const grz_measured *solid, const grz_prism_frame *frame,
                               const grz_box *column, const double range[2], grz_control *control)
{
    const grz_object *object = solid->surface.object;
    const grz_mesh *mesh = object->mesh;
    filling f = {.list = list, .solid = solid, .frame = frame, .range = range, .control = control};
    grz_status status = GRZ_OK;
    for (int k = 0; k < 2; k++) {
        f.window[0][k] = column->min[frame->axis[k]] * frame->scale[k];
        f.window[1][k] = column->max[frame->axis[k]] * frame->scale[k];
    }
    grz_box near = *column;
    for (int k = 0; k < 3 && solid->is_moved; k++) {
        near.min[k] = nextafter(column->min[k] - 2.0 * solid->moved[k], -HUGE_VAL);
        near.max[k] = nextafter(column->max[k] + 2.0 * solid->moved[k], HUGE_VAL);
    }
    for (uint32_t i = 0; i < mesh->triangle_count && status == GRZ_OK; i++) {
        double corners[3][3];
        bool along, against;
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return grz_control_status(control);
        const bool whole = find_sides(&f, i, &along, &against);
        if (whole && along == against && !solid->is_moved)
            continue;
        grz_world_corners(mesh, &object->pose, i, corners);
        const grz_box box = grz_triangle_box((const double(*)[3])corners);
        if (!grz_boxes_overlap(&box, &near))
            continue;
        if (solid->is_moved)
            status = add_moved(&f, (const double(*)[3])corners);
        if (status == GRZ_OK && grz_boxes_overlap(&box, column))
            status = whole ? add_whole(&f, (const double(*)[3])corners, along, against)
                           : add_leaves(&f, i, (const double(*)[3])corners);
    }
    return status;
}

void grz_prism_list_finish(grz_prism_list *list, grz_control *control)
{
    grz_leaves_finish(&list->leaves, control);
    grz_array_finish(grz_control_allocator(control), &list->doubtful);
    grz_array_finish(grz_control_allocator(control), &list->prisms);
}
