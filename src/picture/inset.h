// SPDX-License-Identifier: MIT
// The second, closer view of a contact that the first one does not show well.
#ifndef GRZ_PICTURE_INSET_H
#define GRZ_PICTURE_INSET_H

#include "picture/framing.h"

// What the first view shows of the contact.
typedef struct grz_first_view {
    const grz_camera *camera;
    grz_rect rect;  // of the canvas
    double visible; // share of the contact that nothing hides
} grz_first_view;

// Whether a second view is wanted: the contact is small in the first one; or it is that of one pair and flat, and seen
// from its side; or it is that of one pair, and hidden for the most part.
bool grz_inset_is_wanted(const grz_picture_contents *contents, const grz_contact_shape *shape,
                         const grz_first_view *first);

// Choose the second view: the side from which the contact is seen best. Where it is hidden from all sides, a flat
// contact is seen face-on, another from the first view's side, and what hides it becomes glass. `up` as in
// grz_picture_options.
grz_status grz_inset_choose(grz_painter *painter, const grz_contact_shape *shape, const double up[3],
                            const grz_camera *first, double aspect, grz_painted_view *view);

#endif
