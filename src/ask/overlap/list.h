// SPDX-License-Identifier: MIT
// The triangles of a solid's surface that can take part in a volume, in a frame.
#ifndef GRZ_ASK_OVERLAP_LIST_H
#define GRZ_ASK_OVERLAP_LIST_H

#include "ask/overlap/border_leaves.h"
#include "base/control_type.h"
#include "inside/border/border.h"

// A solid that is measured: the border of a surface that meets itself, or the surface.
typedef struct grz_measured {
    grz_posed_surface surface;
    grz_posed_border border;
    bool meets_itself; // the border is used
    // The surface is that of the mesh where it was made, as the pose rounds: by `moved` at most, along each axis of the
    // world.
    bool is_moved;
    double moved[3];
} grz_measured;

// The prism of one triangle, or of a part.
typedef struct grz_listed_prism {
    grz_prism prism;
    bool below; // the solid is below the triangle, and not above; false: above, and not below
    bool part;
} grz_listed_prism;

// A triangle of which something may be wrong: it was cut into leaves (border_leaves.h), or has been moved.
typedef struct grz_doubtful {
    grz_box box; // in the frame: where that may be
    double wrong;
    bool is_moved;
} grz_doubtful;

// Zeroed memory is an empty list.
typedef struct grz_prism_list {
    GRZ_ARRAY(grz_listed_prism) prisms;
    GRZ_ARRAY(grz_doubtful) doubtful;
    grz_leaves leaves;
} grz_prism_list;

// List the triangles that are not edge-on, have the solid on one side only, and meet a box in world coordinates. Those
// that are wholly outside of `range` along the frame's axis, in its coordinates, are flattened into the end that they
// are beyond: of solids whose surfaces do not meet themselves. grz_prism_list_finish() is due in any case.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status.
grz_status grz_prism_list_fill(grz_prism_list *list, const grz_measured *solid, const grz_prism_frame *frame,
                               const grz_box *column, const double range[2], grz_control *control);
void grz_prism_list_finish(grz_prism_list *list, grz_control *control);

#endif
