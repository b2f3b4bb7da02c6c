// SPDX-License-Identifier: MIT
// The contact of two shapes along a normal. A's points that are farthest along it, and B's that are farthest against
// it, are faces, edges or corners; where they overlap, seen along the normal, the shapes touch, once A has moved back by
// the depth.
#include "ask/shape/contact.h"

#include "geometry/vector.h"

void grz_shapes_find_contact(const grz_shape_pair *pair, const double n[3], double loose, grz_shape_contact *contact)
{
    const double margin = loose + 0x1p-42 * (pair->a->extent + pair->b->extent);
    contact->frame = grz_frame_across(n);
    grz_convex_find_face(pair->a, &contact->frame, 1, margin, &contact->a);
    grz_convex_find_face(pair->b, &contact->frame, -1, margin, &contact->b);
    grz_convex_overlap_faces(&contact->a, &contact->b, margin, &contact->overlap);
}

void grz_shape_contact_points(const grz_shape_pair *pair, const grz_shape_contact *contact, const double at[2],
                              double depth, double point_a[3], double point_b[3])
{
    const grz_frame *f = &contact->frame;
    const grz_place *place = &pair->place;
    for (int k = 0; k < 3; k++) {
        const double across = at[0] * f->u[k] + at[1] * f->v[k] + contact->a.height * f->n[k];
        point_a[k] = across / place->scale + pair->radius_a * f->n[k] + place->origin[k];
        point_b[k] = point_a[k] - depth * f->n[k];
    }
}
