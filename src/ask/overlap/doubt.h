// SPDX-License-Identifier: MIT
// By how much the volume that two solids have in common may be off, because the leaves of their triangles may be wrong
// in places. docs/use/overlap.md, "Surfaces that meet themselves".
#ifndef GRZ_ASK_OVERLAP_DOUBT_H
#define GRZ_ASK_OVERLAP_DOUBT_H

#include "ask/overlap/list.h"

// Add it to both ends of a sum of volumes, in a frame in which no line along z has more than 1 of either solid.
// `known`: false if it is more than a sum takes.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status.
grz_status grz_doubt_add(const grz_prism_list *one, const grz_prism_list *other, grz_control *control,
                         grz_enclosed_sum *sum, bool *known);

#endif
