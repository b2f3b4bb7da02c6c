// SPDX-License-Identifier: MIT
// The manifold of two bodies that touch and do not overlap, from their contacts.
#ifndef GRZ_ASK_TOUCHING_TOUCHING_H
#define GRZ_ASK_TOUCHING_TOUCHING_H

#include <graze/manifold.h>

#include "base/control_type.h"

// Add points to an answer that has none. `most`: for each normal. The contacts are all that the result has.
// *has_one_normal: all contacts have, so only one plane separates the bodies there. Returns GRZ_OK, GRZ_ERROR_MEMORY,
// or the control's status.
grz_status grz_manifold_of_contacts(const grz_result *result, const grz_object *a, const grz_object *b, uint32_t most,
                                    grz_control *control, grz_manifold_answer *answer, bool *has_one_normal);

// True if B comes before A in an order that depends on where they are. Groups depend on which of the two is A: a caller
// whose answer must not, asks about the two in this order.
bool grz_touching_is_exchanged(const grz_object *a, const grz_object *b);

#endif
