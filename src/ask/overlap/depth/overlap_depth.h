// SPDX-License-Identifier: MIT
// What grz_overlap_depth() and grz_overlap_depths() share: their options.
#ifndef GRZ_ASK_OVERLAP_DEPTH_OVERLAP_DEPTH_H
#define GRZ_ASK_OVERLAP_DEPTH_OVERLAP_DEPTH_H

#include <graze/overlap.h>

#include "base/options.h"

const grz_options_type *grz_overlap_depth_options_type(void);

// GRZ_OK or GRZ_ERROR_ARGUMENT. Error texts begin with the name of the call.
grz_status grz_overlap_depth_check(const grz_overlap_depth_options *options, const char *call, grz_error *error);

#endif
