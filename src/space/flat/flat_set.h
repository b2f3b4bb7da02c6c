// SPDX-License-Identifier: MIT
// A set of items of the plane, and how its calls begin.
#ifndef GRZ_SPACE_FLAT_FLAT_SET_H
#define GRZ_SPACE_FLAT_FLAT_SET_H

#include "base/call.h"
#include "space/flat/flat_structure.h"

struct grz_flat {
    grz_device *device;
    const grz_allocator *allocator;
    const grz_flat_structure *structure;
    void *state;
    grz_flat_items items;
    uint64_t live;           // items that are there
    uint32_t free_from;      // no number below this one is free
    uint64_t count_at_build; // how many items there were when the state was made
    uint64_t changes;        // since then
    uint64_t misfits;        // of these, items that the state was not made for
};

// Begin a call that has a set. grz_call_end() must follow.
grz_status grz_flat_begin(grz_call *call, const grz_flat *flat, const grz_flat_options *given, grz_error *error);

// Refuse a NULL where something is needed.
grz_status grz_flat_need(const void *pointer, const char *what, grz_error *error);

// Refuse a point whose coordinates are not in range. `what` it is; the number of an element follows it in the text.
grz_status grz_flat_check_point(const double point[2], const char *what, uint64_t element, grz_error *error);

#endif
