// SPDX-License-Identifier: MIT
// Does a surface meet itself elsewhere than in its edges?
#ifndef GRZ_INSIDE_RULE_SELF_CONTACT_H
#define GRZ_INSIDE_RULE_SELF_CONTACT_H

#include <graze/object.h>

#include "space/bvh/bvh.h"

typedef struct grz_triangle_pair {
    uint32_t a, b;
} grz_triangle_pair;

typedef GRZ_ARRAY(grz_triangle_pair) grz_triangle_pairs;

// Find out whether two triangles with area have more in common than the edge or the corner that they share by position,
// and more than one point. Triangles of one face count, too.
//
// positions  world positions, three doubles for each vertex
// lowest     the weld map of these positions
// has_area   of each triangle
// pairs      NULL: the first pair ends the search; else an empty list that receives all pairs, in no particular order
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status.
grz_status grz_find_self_contact(const grz_object *object, const grz_bvh *bvh, const double *positions,
                                 const uint32_t *lowest, const bool *has_area, grz_control *control, bool *found,
                                 grz_triangle_pairs *pairs);

#endif
