// SPDX-License-Identifier: MIT
// The triangles of a solid's surface that can take part in a volume, in a frame.
#ifndef GRZ_ASK_OVERLAP_LIST_H
#define GRZ_ASK_OVERLAP_LIST_H

#include "ask/overlap/prism.h"
#include "base/control_type.h"
#include "inside/solids/surface.h"

// The prism of one triangle.
typedef struct grz_listed_prism {
    grz_prism prism;
    bool below; // the solid is below the triangle, and not above; false: above, and not below
} grz_listed_prism;

// Zeroed memory is an empty list.
typedef struct grz_prism_list {
    GRZ_ARRAY(grz_listed_prism) prisms;
} grz_prism_list;

// List the triangles that are not edge-on, have the solid on one side only, and meet a box in world coordinates. Those
// that are wholly outside of `range` along the frame's axis, in its coordinates, are flattened into the end that they
// are beyond. grz_prism_list_finish() is due in any case.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status.
grz_status grz_prism_list_fill(grz_prism_list *list, const grz_posed_surface *surface, const grz_prism_frame *frame,
                               const grz_box *column, const double range[2], grz_control *control);
void grz_prism_list_finish(grz_prism_list *list, grz_control *control);

#endif
