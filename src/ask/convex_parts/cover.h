// SPDX-License-Identifier: MIT
// Bodies of a cover, and how they are cut and joined.
#ifndef GRZ_ASK_CONVEX_PARTS_COVER_H
#define GRZ_ASK_CONVEX_PARTS_COVER_H

#include "ask/convex_parts/ruler.h"
#include "geometry/cut/cut.h"

// A convex body around a piece of the solid. While it may be cut, `node` is the piece, else it is empty.
typedef struct grz_cover_body {
    grz_parts_node node;
    grz_hull_shape hull;
    double volume;
    grz_parts_measure stands; // how far it stands out
    bool done;                // by no more than was allowed, or it cannot be cut
} grz_cover_body;

typedef struct grz_cover {
    const grz_mesh *mesh;
    grz_control *control;
    const grz_allocator *allocator;
    grz_parts_ruler ruler;
    grz_parts_pool pool;
    double allowed;
    uint32_t most;
    double rounding;
    GRZ_ARRAY(grz_cover_body) bodies;
} grz_cover;

void grz_cover_body_finish(const grz_allocator *allocator, grz_cover_body *body);

// The volume of a hull, roughly; 0 for one without volume.
double grz_cover_volume(const grz_hull_shape *hull);

// Cut the mesh into pieces whose hulls stand out by no more than is allowed; or into more pieces than wanted.
grz_status grz_cover_cut(grz_cover *cover);

// The plane by which a body should be cut; UINT32_MAX if it is too thin for that. False if there is no memory.
bool grz_cover_choose_plane(grz_cover *cover, const grz_cover_body *body, uint32_t *plane);

// Join bodies while the hull of two stands out by no more than is allowed, and then, if there are more than wanted,
// those whose hull has the least new volume.
grz_status grz_cover_join(grz_cover *cover);

#endif
