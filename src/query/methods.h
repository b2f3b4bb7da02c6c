// SPDX-License-Identifier: MIT
// The table of methods.
#ifndef GRZ_QUERY_METHODS_H
#define GRZ_QUERY_METHODS_H

#include "filter/filter.h"

// The filters of this build, by number; NULL past the last one.
const grz_filter *grz_filter_at(size_t index);

// The filter of the method with this name; NULL: there is none.
const grz_filter *grz_filter_find(const char *name);

// The first filter with all these capabilities, never the reference; NULL: there is none.
const grz_filter *grz_filter_choose(uint32_t capabilities);

// Choose the filter of a call that goes through trees, or through all triangles: by name, or NULL or "auto" for any.
// `cannot` ends the error text of a method without the capability: "cannot measure distances". Returns GRZ_OK or
// GRZ_ERROR_UNSUPPORTED.
grz_status grz_filter_read(const char *name, uint32_t capability, const char *cannot, const grz_filter **filter,
                           grz_error *error);

#endif
