// SPDX-License-Identifier: MIT
// Reads the options of method `slices` that callers of any version give.
#ifndef GRZ_IMAGE_SLICES_SLICES_OPTIONS_H
#define GRZ_IMAGE_SLICES_SLICES_OPTIONS_H

#include <graze/slices.h>

// Read the options that a caller gave, of any version's size; NULL means the balanced preset. `call` begins error
// texts.
grz_status grz_slices_options_read(const char *call, const grz_slices_options *given, grz_slices_options *out,
                                   grz_error *error);

#endif
