// SPDX-License-Identifier: MIT
// The border of the solid of a closed mesh whose surface meets itself. Triangles that meet no others, but in common
// edges and corners and in single points, have the solid on the same sides everywhere. For the others it is said which
// they meet: these cut them into parts.
#ifndef GRZ_INSIDE_BORDER_BORDER_H
#define GRZ_INSIDE_BORDER_BORDER_H

#include <graze/collide.h>

#include "inside/border/column.h"
#include "inside/solids/surface.h"

enum {
    // Besides GRZ_NORMAL_SIDE_INSIDE and GRZ_OTHER_SIDE_INSIDE.
    GRZ_BORDER_KNOWN = 4,   // these two say on which sides the solid is
    GRZ_BORDER_NO_AREA = 8, // the triangle is a segment or a point
};

typedef struct grz_border {
    uint32_t triangle_count;
    unsigned char *sides; // of each triangle: the bits above
    size_t *starts;       // triangle t meets partners[starts[t]] to partners[starts[t + 1] - 1]
    uint32_t *partners;
    size_t partner_count;
} grz_border;

// A border in use. If the pose is exact, it is the mesh's own, kept in a slot of the mesh.
typedef struct grz_posed_border {
    const grz_object *object;
    const grz_border *border;
    const grz_bvh *bvh;
    grz_inside_rule rule; // never GRZ_INSIDE_AUTO: what that stands for
    bool mirrored;        // the two sides of each triangle have to be exchanged
    grz_border own;
} grz_posed_border;

// The mesh is closed, and by the nonzero rule wound consistently. grz_posed_border_finish() is due in any case.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status; an error of building the hierarchy.
grz_status grz_posed_border_init(grz_posed_border *posed, const grz_object *object, grz_inside_rule rule,
                                 grz_control *control, grz_error *error);
void grz_posed_border_finish(const grz_allocator *allocator, grz_posed_border *posed);

// Is a point inside around which the surface winds so often?
static inline bool grz_winding_is_inside(grz_inside_rule rule, int64_t number)
{
    return rule == GRZ_NONZERO ? number != 0 : number % 2 != 0;
}

#endif
