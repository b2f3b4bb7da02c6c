// SPDX-License-Identifier: MIT
// --deeper-than and --depth of one mesh: how deep do its parts overlap, where a part is a shell with its cavities, as
// --split has them?
#ifndef GRZ_CLI_VERDICTS_SELF_OVERLAP_H
#define GRZ_CLI_VERDICTS_SELF_OVERLAP_H

#include "verdicts/overlap.h"

// Of all pairs of parts the deepest, with the places of all. Undecided if a part meets itself: what of it is inside
// twice is not defined. overlap_finish() is due in any case.
grz_status self_overlap_ask(const overlap_asking *asking, const grz_object *object, overlap_facts *out,
                            grz_error *error);

#endif
